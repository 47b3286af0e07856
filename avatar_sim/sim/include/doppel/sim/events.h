/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a world: actions that are requested from outside (by a console, another process, a
 * thread) and may take effect only between two steps. The boundary of step k comes after step k and
 * before step k + 1; boundary 0 comes before the first step.
 *
 * A queue is bounded. Any thread may send and cancel. One thread owns the queue: it takes events at
 * the boundaries (dpl_sim_events_drain), which calls their handlers and their answers. Senders
 * never wait for the owner or for each other: a sender reserves a slot, copies the event into it,
 * and appends it.
 *
 * Order within a boundary: class (every, n, idle), number (higher first), due step, order of
 * acceptance. An event without a due step is due at the first boundary after its acceptance. */
#ifndef DOPPEL_SIM_EVENTS_H
#define DOPPEL_SIM_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_SIM_EVENT_PAYLOAD_MAX 4096 /* bytes */

struct dpl_sim_events;

enum dpl_sim_event_class {
    DPL_SIM_EVENT_EVERY, /* may run at each boundary, also while the world is paused */
    DPL_SIM_EVENT_N,     /* runs at a boundary whose step modulo n is the phase */
    DPL_SIM_EVENT_IDLE,  /* runs at boundaries at which the owner allows it */
};

/* Arguments of a handler. Borrowed for the call. */
struct dpl_sim_event_run {
    struct dpl_sim_events *events; /* the handler may send and cancel */
    uint64_t id, sequence;
    uint64_t step; /* of the boundary */
    bool late;     /* the boundary of its due step is over */
    const void *payload;
    size_t size;
};

/* A handler may return this instead of 0 or -errno. Then the event ends, and gets its answer, when
 * the owner calls dpl_sim_events_finish. */
#define DPL_SIM_EVENT_LATER 1

/* A kind of events: a row of a const table. */
struct dpl_sim_event_kind {
    const char *name; /* letters, digits, '_' and '-' */
    /* Called on the owner's thread, at a boundary. It must not block. 0: done; -errno: failed;
     * DPL_SIM_EVENT_LATER. */
    int (*run)(void *context, const struct dpl_sim_event_run *run);
    void *context; /* NULL: the queue's context */
};

enum dpl_sim_event_result {
    DPL_SIM_EVENT_DONE,
    DPL_SIM_EVENT_FAILED,    /* the answer has the code */
    DPL_SIM_EVENT_CANCELLED, /* it was cancelled before it ran */
    DPL_SIM_EVENT_DROPPED,   /* by a reset, a restore, or the end of the queue */
};

/* The answer to an event. Each accepted event gets exactly one. */
struct dpl_sim_event_answer {
    uint64_t id;
    uint64_t sequence; /* from 1 on, in the order of acceptance */
    uint64_t step;     /* of the boundary at which the answer is given */
    enum dpl_sim_event_result result;
    int code;  /* if it failed: the result of the handler; otherwise 0 */
    bool late; /* it ran after its due step */
};

struct dpl_sim_event {
    unsigned kind; /* row of the queue's table */
    enum dpl_sim_event_class class_;
    uint8_t number;    /* higher runs first within the class */
    uint32_t n, phase; /* class n: n >= 1, phase < n */
    bool has_due;
    uint64_t due; /* with has_due: it does not run at an earlier boundary */
    const void *payload;
    size_t size; /* at most DPL_SIM_EVENT_PAYLOAD_MAX; copied */
    /* Called on the owner's thread. It may send. NULL: no answer is needed. */
    void (*answer)(void *user, const struct dpl_sim_event_answer *answer);
    void *user;
};

/* A log entry of an event that runs. Borrowed. */
struct dpl_sim_event_record {
    uint64_t step, sequence;
    const char *kind;
    enum dpl_sim_event_class class_;
    uint8_t number;
    bool late;
    const void *payload;
    size_t size;
};

struct dpl_sim_events_options {
    const struct dpl_sim_event_kind *kinds; /* [n_kinds], borrowed */
    size_t n_kinds;
    void *context;   /* of their handlers */
    size_t capacity; /* events; 0: 1024; 65535 at most */
    size_t of_every; /* slots that are reserved for class every; 0: 64; less than the capacity */
    /* Called on the owner's thread for each event, just before its handler. NULL: no log. */
    void (*log)(void *user, const struct dpl_sim_event_record *record);
    void *log_user;
};

/* 0, -ENOMEM, or -EINVAL: the options are out of range. Payloads reserve capacity * 4 KiB of
 * addresses; memory is used only for those in use. */
int dpl_sim_events_create(const struct dpl_sim_events_options *options,
                          struct dpl_sim_events **ret_events);

/* Answers the remaining events with `dropped`, then frees the queue. No thread may send any more.
 * NULL: does nothing. */
void dpl_sim_events_destroy(struct dpl_sim_events *events);

/* ---- any thread; no call blocks, allocates or calls the system ---- */

/* 0 with the id; -ENOSPC: the queue is full (this is known without a search); -EINVAL: the event is
 * not valid. Events of one thread are accepted in the order in which it sent them. If a thread is
 * killed within this call, there is no event, but its slot may be lost. */
int dpl_sim_events_send(struct dpl_sim_events *events, const struct dpl_sim_event *event,
                        uint64_t *ret_id);

/* 0: it will not run; its answer, `cancelled`, comes at the next boundary. It keeps its slot until
 * then. -EALREADY: too late; the event is running, or has its answer. */
int dpl_sim_events_cancel(struct dpl_sim_events *events, uint64_t id);

/* ---- the owner's thread ---- */

struct dpl_sim_events_drain {
    uint64_t step; /* of the boundary */
    bool paused;   /* the world is paused: only classes every and idle run */
    bool idle;     /* class idle runs, too */
    dpl_ns budget; /* with `now`: when the drain has taken longer, the remaining events of classes n
                      and idle are moved to the next boundary */
    /* Reads the clock. NULL: no budget. The queue does not read a clock itself. */
    dpl_ns (*now)(void *user);
    void *now_user;
};

/* Runs the events that were accepted before this call and may run at this boundary. Returns how
 * many ran. Events that handlers send run at the next boundary. Handlers must not drain, reset,
 * save or restore. */
size_t dpl_sim_events_drain(struct dpl_sim_events *events,
                            const struct dpl_sim_events_drain *drain);

/* Begins the boundary of `step`: answers before its drain have this step. */
void dpl_sim_events_at(struct dpl_sim_events *events, uint64_t step);

/* Gives the answer of an event whose handler returned DPL_SIM_EVENT_LATER. `code`: 0 or -errno.
 * Returns 0, or -ENOENT: there is no such event any more. */
int dpl_sim_events_finish(struct dpl_sim_events *events, uint64_t id, int code);

/* The same with the answer `cancelled`: another event has replaced it. */
int dpl_sim_events_abandon(struct dpl_sim_events *events, uint64_t id);

/* Drops all events that wait to run. The owner must finish those that wait for
 * dpl_sim_events_finish. The newest boundary is that of `step` from now on. Returns how many were
 * dropped. */
size_t dpl_sim_events_reset(struct dpl_sim_events *events, uint64_t step);

/* Snapshots of a queue: the events that wait, between two drains. A program that saves a world must
 * save its queue, too. docs/design/worlds.md gives the reasons for these rules:
 *
 * dpl_sim_events_restore restores the queue.
 * - An event that waits now and in the snapshot still waits, and gets its one answer.
 * - An event that waits now but not in the snapshot is dropped, with its answer.
 * - An event that waits in the snapshot and already has its answer runs again, without another
 *   answer. Its old id is not valid any more.
 * - Events that wait for dpl_sim_events_finish are in no snapshot, and still wait. */
size_t dpl_sim_events_snapshot_size(struct dpl_sim_events *events);
/* -ENOSPC: `size` is less than the last result of dpl_sim_events_snapshot_size; nothing is written.
 * Events accepted after that call are not saved. */
int dpl_sim_events_save(struct dpl_sim_events *events, void *ret_snapshot, size_t size);
/* 0; -EINVAL: not a snapshot of this queue, or incomplete; -EAGAIN: senders hold too many slots,
 * try again. After an error the queue is unchanged. */
int dpl_sim_events_restore(struct dpl_sim_events *events, const void *snapshot, size_t size);

/* For the replay of a log: sent events are accepted, but dropped at the next drain, because the log
 * has the events that run. */
void dpl_sim_events_replay(struct dpl_sim_events *events, bool on);
/* Runs an event of a log now. Returns 0, the result of its handler, or -ENOENT: there is no such
 * kind. */
int dpl_sim_events_run(struct dpl_sim_events *events, const struct dpl_sim_event_record *record);

struct dpl_sim_events_stats {
    uint64_t accepted, refused; /* refused: the queue was full */
    uint64_t done, failed, cancelled, dropped;
    uint64_t late; /* ran after their due step */
    uint64_t
        moved; /* moves to the next boundary because the budget was used up; each move counts */
    uint64_t overruns; /* boundaries at which class every took more than the budget */
    uint64_t searched; /* words of 64 slots that senders have searched */
    size_t waiting;    /* accepted, without an answer yet */
};
struct dpl_sim_events_stats dpl_sim_events_stats(const struct dpl_sim_events *events);

/* ---- a log as text: event_log.c ---- */

/* Bytes of one line with its end, at most. */
#define DPL_SIM_EVENT_LINE_MAX (2 * DPL_SIM_EVENT_PAYLOAD_MAX + 160)

/* "step sequence class number late kind payload-in-hex\n"; a payload of 0 bytes is "-". Returns the
 * length. */
size_t dpl_sim_event_print(char ret_line[DPL_SIM_EVENT_LINE_MAX],
                           const struct dpl_sim_event_record *record);

/* A record that was read from a line, with the memory that it points to. */
struct dpl_sim_event_line {
    struct dpl_sim_event_record record; /* kind and payload point into this struct: do not copy */
    char kind[32];
    unsigned char payload[DPL_SIM_EVENT_PAYLOAD_MAX];
};

/* Reads a line of dpl_sim_event_print, with or without the newline. 0 or -EINVAL. */
int dpl_sim_event_parse(const char *line, struct dpl_sim_event_line *ret_line);

#ifdef __cplusplus
}
#endif

#endif
