/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a world: what comes from outside (a console, another process, a thread) and may take
 * effect only between two steps. The boundary of step k comes after step k and before step k + 1;
 * boundary 0 comes before the first step.
 *
 * A queue is bounded. Any thread may send and cancel. One thread owns the queue: it takes events at
 * the boundaries (dpl_sim_events_drain), which calls their handlers and their answers. Senders
 * never wait, neither for the owner nor for each other: they claim a place, copy, and push.
 *
 * Order within a boundary: class (every, n, idle), number (higher first), due step, order of
 * acceptance. An event without a due step counts as due at the boundary that takes it in first. */
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
    DPL_SIM_EVENT_EVERY, /* may run at each boundary, also while time stands still */
    DPL_SIM_EVENT_N,     /* runs at a boundary whose step modulo n is the phase */
    DPL_SIM_EVENT_IDLE,  /* runs at boundaries where the owner says that it has time */
};

/* What a handler is told. All of it is borrowed for the call. */
struct dpl_sim_event_run {
    struct dpl_sim_events *events; /* the handler may send and cancel */
    uint64_t id, sequence;
    uint64_t step; /* of the boundary */
    bool late;     /* its due step was an earlier one */
    const void *payload;
    size_t size;
};

/* A handler may return this instead of 0 or -errno: the event is over, and gets its answer, when
 * the owner calls dpl_sim_events_finish. */
#define DPL_SIM_EVENT_LATER 1

/* What an event does: a row of a const table. */
struct dpl_sim_event_kind {
    const char *name; /* letters, digits, '_' and '-' */
    /* On the owner's thread, at a boundary. It must not block. 0: done; -errno: failed;
     * DPL_SIM_EVENT_LATER. */
    int (*run)(void *context, const struct dpl_sim_event_run *run);
    void *context; /* NULL: that of the queue */
};

enum dpl_sim_event_result {
    DPL_SIM_EVENT_DONE,
    DPL_SIM_EVENT_FAILED,    /* the answer has the code */
    DPL_SIM_EVENT_CANCELLED, /* it was cancelled before it ran */
    DPL_SIM_EVENT_DROPPED,   /* by a reset, a restore, or the end of the queue */
};

/* Each accepted event gets exactly one. */
struct dpl_sim_event_answer {
    uint64_t id;
    uint64_t sequence; /* from 1 on, in the order of acceptance */
    uint64_t step;     /* of the boundary at which it is given */
    enum dpl_sim_event_result result;
    int code;  /* failed: what the handler returned; else 0 */
    bool late; /* it ran after its due step */
};

struct dpl_sim_event {
    unsigned kind; /* row of the queue's table */
    enum dpl_sim_event_class class_;
    uint8_t number;    /* higher runs first within the class */
    uint32_t n, phase; /* class n: n >= 1, phase < n */
    bool has_due;
    uint64_t due; /* with has_due: runs at no earlier boundary */
    const void *payload;
    size_t size; /* at most DPL_SIM_EVENT_PAYLOAD_MAX; copied */
    /* On the owner's thread. It may send. NULL: nobody wants to know. */
    void (*answer)(void *user, const struct dpl_sim_event_answer *answer);
    void *user;
};

/* An event that runs, for a log. Borrowed. */
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
    size_t of_every; /* places that only class every may take; 0: 64; less than the capacity */
    /* Each event just before its handler is called. On the owner's thread. NULL: no log. */
    void (*log)(void *user, const struct dpl_sim_event_record *record);
    void *log_user;
};

/* 0, -ENOMEM, or -EINVAL: the options are out of range. Payloads take capacity * 4 KiB of
 * addresses, which become memory when they are used. */
int dpl_sim_events_create(const struct dpl_sim_events_options *options,
                          struct dpl_sim_events **ret_events);

/* Answers what is left with `dropped`, then frees. Nobody sends any more. NULL: nothing. */
void dpl_sim_events_destroy(struct dpl_sim_events *events);

/* ---- any thread; no call blocks, allocates or calls the system ---- */

/* 0 with the id; -ENOSPC: the queue is full, at once and without a search; -EINVAL: the event is
 * not valid. Accepted events of one thread are in the order in which it sent them. A thread that is
 * killed within this call leaves no event, but may take its place with it. */
int dpl_sim_events_send(struct dpl_sim_events *events, const struct dpl_sim_event *event,
                        uint64_t *ret_id);

/* 0: it will not run; its answer, `cancelled`, comes at the next boundary, and until then it keeps
 * its place. -EALREADY: too late, it runs, or has its answer. */
int dpl_sim_events_cancel(struct dpl_sim_events *events, uint64_t id);

/* ---- the owner's thread ---- */

struct dpl_sim_events_drain {
    uint64_t step; /* of the boundary */
    bool paused;   /* time stands still: classes every and idle only */
    bool idle;     /* class idle runs, too */
    dpl_ns budget; /* with `now`: once the drain has taken longer, what is left of classes n and
                      idle moves to the next boundary */
    /* NULL: no budget. The queue reads no clock of its own. */
    dpl_ns (*now)(void *user);
    void *now_user;
};

/* Runs what was accepted before this call and may run at this boundary; returns how many ran. What
 * handlers send runs at the next boundary. Handlers must not drain, reset, save or restore. */
size_t dpl_sim_events_drain(struct dpl_sim_events *events,
                            const struct dpl_sim_events_drain *drain);

/* The boundary of `step` begins: answers that are given before its drain are of it. */
void dpl_sim_events_at(struct dpl_sim_events *events, uint64_t step);

/* The answer of an event whose handler returned DPL_SIM_EVENT_LATER: 0, or -errno. -ENOENT: there
 * is no such event any more. */
int dpl_sim_events_finish(struct dpl_sim_events *events, uint64_t id, int code);

/* The same, as cancelled: something else has taken its place. */
int dpl_sim_events_abandon(struct dpl_sim_events *events, uint64_t id);

/* Drops all that waits to run. What waits for dpl_sim_events_finish is the owner's affair. From now
 * on the newest boundary is that of `step`. Returns how many were dropped. */
size_t dpl_sim_events_reset(struct dpl_sim_events *events, uint64_t step);

/* Snapshots of a queue: the events that wait, between two drains. Whoever saves a world saves the
 * queue with it. Decision 0058 says why answers are as they are:
 *
 * dpl_sim_events_restore brings the queue to what it was.
 * - An event that waits now and waited then goes on waiting, and gets its one answer.
 * - An event that waits now and did not then is dropped, with its answer.
 * - An event that waited then and has its answer since runs again, without another answer. Its old
 *   id is over.
 * - What waits for dpl_sim_events_finish is in no snapshot, and goes on waiting. */
size_t dpl_sim_events_snapshot_size(struct dpl_sim_events *events);
/* -ENOSPC: `size` is less than dpl_sim_events_snapshot_size has just said; nothing is written. What
 * is accepted since that call is not saved. */
int dpl_sim_events_save(struct dpl_sim_events *events, void *ret_snapshot, size_t size);
/* 0; -EINVAL: not a snapshot of this queue, or cut short; -EAGAIN: senders hold too many places,
 * ask again. After an error the queue is as it was. */
int dpl_sim_events_restore(struct dpl_sim_events *events, const void *snapshot, size_t size);

/* Replaying a log: what is sent is accepted, but dropped at the next drain, because the log has
 * what ran. */
void dpl_sim_events_replay(struct dpl_sim_events *events, bool on);
/* Runs an event of a log now. 0, what its handler returned, or -ENOENT: there is no such kind. */
int dpl_sim_events_run(struct dpl_sim_events *events, const struct dpl_sim_event_record *record);

struct dpl_sim_events_stats {
    uint64_t accepted, refused; /* refused: the queue was full */
    uint64_t done, failed, cancelled, dropped;
    uint64_t late;     /* ran after their due step */
    uint64_t moved;    /* to the next boundary, because the budget was used up; each time counts */
    uint64_t overruns; /* boundaries at which class every alone took more than the budget */
    uint64_t searched; /* words of 64 places that senders have looked at: their work */
    size_t waiting;    /* taken in, without an answer */
};
struct dpl_sim_events_stats dpl_sim_events_stats(const struct dpl_sim_events *events);

/* ---- a log as text: event_log.c ---- */

/* Bytes of one line with its end, at most. */
#define DPL_SIM_EVENT_LINE_MAX (2 * DPL_SIM_EVENT_PAYLOAD_MAX + 160)

/* "step sequence class number late kind payload-in-hex\n"; a payload of 0 bytes is "-". Returns the
 * length. */
size_t dpl_sim_event_print(char ret_line[DPL_SIM_EVENT_LINE_MAX],
                           const struct dpl_sim_event_record *record);

/* A record that was read: it owns what it points to. */
struct dpl_sim_event_line {
    struct dpl_sim_event_record record; /* kind and payload point into this struct: do not copy */
    char kind[32];
    unsigned char payload[DPL_SIM_EVENT_PAYLOAD_MAX];
};

/* Reads what dpl_sim_event_print has written, with or without the newline. 0 or -EINVAL. */
int dpl_sim_event_parse(const char *line, struct dpl_sim_event_line *ret_line);

#ifdef __cplusplus
}
#endif

#endif
