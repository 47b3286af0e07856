/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of a queue of events.
 *
 * - event_queue.c   places, sending, cancelling
 * - event_drain.c   taking in, order, running, answers, reset
 * - event_save.c    snapshots
 * - event_log.c     a log as text, and replaying it
 *
 * A place is claimed by its bit in `taken`, filled by its sender, and pushed on `arrived`: this
 * push is the acceptance. Senders push one at a time, the owner takes the whole list with one
 * exchange, so a place that comes back to the list in between does no harm. The owner keeps what it
 * has taken in `waiting`, in the order in which it runs, and gives places back. */
#ifndef DOPPEL_SIM_EVENT_QUEUE_H
#define DOPPEL_SIM_EVENT_QUEUE_H

#include <stdatomic.h>

#include <doppel/sim/events.h>

/* A place's `state`: its id, and in the lowest bits one of these. */
enum event_state {
    EVENT_FREE, /* or being filled */
    EVENT_ACCEPTED,
    EVENT_CANCELLED,
    EVENT_RUNNING,
    EVENT_OPEN, /* waits for dpl_sim_events_finish */
};
#define EVENT_STATE_BITS 3
#define EVENT_INDEX_BITS 16 /* of an id: the place; above: how often it was taken */

struct event_place {
    atomic_uint_fast64_t state;
    uint32_t next; /* in `arrived`: the place before it, + 1; 0: none */
    bool moved;    /* class n: its boundary has come, it waits for time */
    bool keep;     /* while the owner restores: it waited then, too */
    struct dpl_sim_event event;
    uint64_t id, sequence;
    uint64_t order; /* its due step, or the boundary that takes it in first */
};

struct dpl_sim_events {
    struct dpl_sim_events_options options;
    struct event_place *places; /* [capacity] */
    unsigned char (*payloads)[DPL_SIM_EVENT_PAYLOAD_MAX];
    atomic_uint_fast64_t *taken; /* [n_words] a bit a place */
    size_t n_words;
    atomic_uint_fast32_t n_taken, n_others; /* places in all, and of classes n and idle */
    atomic_uint_fast32_t arrived;           /* the newest place, + 1; 0: none */
    atomic_uint_fast64_t accepted, refused, searched;
    /* the owner's */
    uint16_t *waiting, *open; /* [n_waiting] in order, [n_open] */
    uint16_t *scratch;        /* [capacity] */
    size_t n_waiting, n_open;
    size_t n_left;     /* during a drain: of n_waiting, how many do not wait any more */
    uint64_t sequence; /* of the event that was taken in last */
    uint64_t step;     /* of the newest boundary */
    bool replaying;
    struct dpl_sim_events_stats stats;
};

static inline uint64_t event_state_of(uint64_t id, enum event_state state)
{
    return id << EVENT_STATE_BITS | state;
}

static inline size_t event_index(uint64_t id)
{
    return id & ((1u << EVENT_INDEX_BITS) - 1);
}

/* ---- event_queue.c ---- */

/* Claims a free place for an event of this class: its number, or -ENOSPC. Any thread. */
int event_claim(struct dpl_sim_events *events, enum dpl_sim_event_class class);
/* Gives a claimed place back; its event is over. */
void event_free_place(struct dpl_sim_events *events, size_t index);
/* The id of the next event of a claimed place. */
uint64_t event_new_id(const struct event_place *place, size_t index);
/* Copies an event into a claimed place. */
void event_fill(struct dpl_sim_events *events, size_t index, const struct dpl_sim_event *event);
/* What was filled is accepted. */
void event_push(struct dpl_sim_events *events, size_t index);

/* ---- event_drain.c ---- */

/* Takes in what has arrived: it gets its sequence number, and its place in the order. `step`: of
 * the next boundary. */
void event_take_in(struct dpl_sim_events *events, uint64_t step);
/* Puts a place where it belongs in `waiting`. */
void event_insert(struct dpl_sim_events *events, size_t index);
/* Calls the handler of a kind. */
int event_call(struct dpl_sim_events *events, size_t kind, const struct dpl_sim_event_run *told);
/* Drops what waits for dpl_sim_events_finish. */
void event_drop_open(struct dpl_sim_events *events);
/* The event will not run. Who cancels it from here on is too late. Returns its answer: `cancelled`
 * if somebody has cancelled it, else `dropped`. */
enum dpl_sim_event_result event_withdraw(struct event_place *place);
/* Answers, without giving the place back. */
void event_answer(struct dpl_sim_events *events, struct event_place *place,
                  enum dpl_sim_event_result result, int code, bool late);

#endif
