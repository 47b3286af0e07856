/* SPDX-License-Identifier: Apache-2.0 */
/* Events: places, sending, cancelling. See event_queue.h for how. */
#include "event_queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_CAPACITY = 1024, DEFAULT_OF_EVERY = 64, MOST_CAPACITY = 65535, WORD = 64 };

/* ---- making ---- */

static bool choose(struct dpl_sim_events_options *options)
{
    options->capacity = options->capacity ? options->capacity : DEFAULT_CAPACITY;
    options->of_every = options->of_every ? options->of_every : DEFAULT_OF_EVERY;
    return options->capacity <= MOST_CAPACITY && options->of_every < options->capacity;
}

/* Bits beyond the last place count as taken. */
static void close_rest(struct dpl_sim_events *events)
{
    size_t rest = events->options.capacity % WORD;
    for (size_t i = 0; i < events->n_words; i++) {
        bool last = i + 1 == events->n_words && rest > 0;
        atomic_init(&events->taken[i], last ? ~UINT64_C(0) << rest : 0);
    }
}

int dpl_sim_events_create(const struct dpl_sim_events_options *options,
                          struct dpl_sim_events **ret_events)
{
    struct dpl_sim_events *events = calloc(1, sizeof *events);
    if (!events) {
        return -ENOMEM;
    }
    events->options = *options;
    if (!choose(&events->options)) {
        free(events);
        return -EINVAL;
    }
    size_t n = events->options.capacity;
    events->n_words = (n + WORD - 1) / WORD;
    events->places = calloc(n, sizeof *events->places);
    events->payloads = calloc(n, sizeof *events->payloads);
    events->taken = calloc(events->n_words, sizeof *events->taken);
    events->waiting = calloc(n, sizeof *events->waiting);
    events->open = calloc(n, sizeof *events->open);
    events->scratch = calloc(n, sizeof *events->scratch);
    if (!events->places || !events->payloads || !events->taken || !events->waiting ||
        !events->open || !events->scratch) {
        dpl_sim_events_destroy(events);
        return -ENOMEM;
    }
    close_rest(events);
    *ret_events = events;
    return 0;
}

void dpl_sim_events_destroy(struct dpl_sim_events *events)
{
    if (!events) {
        return;
    }
    if (events->scratch) { /* it was made whole */
        dpl_sim_events_reset(events, events->step);
        event_drop_open(events);
    }
    free(events->places);
    free(events->payloads);
    free(events->taken);
    free(events->waiting);
    free(events->open);
    free(events->scratch);
    free(events);
}

/* ---- places ---- */

static bool count_up(atomic_uint_fast32_t *n, size_t most)
{
    uint_fast32_t now = atomic_load_explicit(n, memory_order_relaxed);
    do {
        if (now >= most) {
            return false;
        }
        /* acquire: who was let in by a place given back sees its bit cleared */
    } while (!atomic_compare_exchange_weak_explicit(n, &now, now + 1, memory_order_acquire,
                                                    memory_order_relaxed));
    return true;
}

/* The number of a free place in a word, which is then taken, or -1. */
static int take_bit(atomic_uint_fast64_t *word)
{
    uint64_t bits = atomic_load_explicit(word, memory_order_relaxed);
    while (~bits) {
        int bit = __builtin_ctzll(~bits);
        uint_fast64_t old =
            atomic_fetch_or_explicit(word, UINT64_C(1) << bit, memory_order_acquire);
        if (!(old >> bit & 1)) {
            return bit;
        }
        bits = old;
    }
    return -1;
}

static bool is_other(enum dpl_sim_event_class class)
{
    return class != DPL_SIM_EVENT_EVERY;
}

int event_claim(struct dpl_sim_events *events, enum dpl_sim_event_class class)
{
    const struct dpl_sim_events_options *options = &events->options;
    if (is_other(class) && !count_up(&events->n_others, options->capacity - options->of_every)) {
        return -ENOSPC;
    }
    if (!count_up(&events->n_taken, options->capacity)) {
        if (is_other(class)) {
            atomic_fetch_sub_explicit(&events->n_others, 1, memory_order_release);
        }
        return -ENOSPC;
    }
    /* whoever is counted has a place: it is only a question of which */
    for (size_t i = 0;; i = (i + 1) % events->n_words) {
        atomic_fetch_add_explicit(&events->searched, 1, memory_order_relaxed);
        int bit = take_bit(&events->taken[i]);
        if (bit >= 0) {
            return (int)(i * WORD) + bit;
        }
    }
}

void event_free_place(struct dpl_sim_events *events, size_t index)
{
    struct event_place *place = &events->places[index];
    bool other = is_other(place->event.class_);
    /* the id stays, so that the next one differs */
    atomic_store_explicit(&place->state, event_state_of(place->id, EVENT_FREE),
                          memory_order_relaxed);
    atomic_fetch_and_explicit(&events->taken[index / WORD], ~(UINT64_C(1) << index % WORD),
                              memory_order_release);
    atomic_fetch_sub_explicit(&events->n_taken, 1, memory_order_release);
    if (other) {
        atomic_fetch_sub_explicit(&events->n_others, 1, memory_order_release);
    }
}

uint64_t event_new_id(const struct event_place *place, size_t index)
{
    uint64_t old = atomic_load_explicit(&place->state, memory_order_relaxed) >> EVENT_STATE_BITS;
    return ((old >> EVENT_INDEX_BITS) + 1) << EVENT_INDEX_BITS | index;
}

void event_fill(struct dpl_sim_events *events, size_t index, const struct dpl_sim_event *event)
{
    struct event_place *place = &events->places[index];
    place->id = event_new_id(place, index);
    place->event = *event;
    place->event.payload = events->payloads[index];
    place->moved = false;
    if (event->size > 0) {
        memcpy(events->payloads[index], event->payload, event->size);
    }
}

void event_push(struct dpl_sim_events *events, size_t index)
{
    struct event_place *place = &events->places[index];
    uint_fast32_t newest = atomic_load_explicit(&events->arrived, memory_order_relaxed);
    atomic_store_explicit(&place->state, event_state_of(place->id, EVENT_ACCEPTED),
                          memory_order_relaxed);
    do {
        place->next = (uint32_t)newest;
        /* release: the owner sees what is in the place */
    } while (!atomic_compare_exchange_weak_explicit(&events->arrived, &newest,
                                                    (uint_fast32_t)index + 1, memory_order_release,
                                                    memory_order_relaxed));
}

/* ---- any thread ---- */

static bool is_valid(const struct dpl_sim_events *events, const struct dpl_sim_event *event)
{
    return event->kind < events->options.n_kinds && (unsigned)event->class_ <= DPL_SIM_EVENT_IDLE &&
           event->size <= DPL_SIM_EVENT_PAYLOAD_MAX && (event->payload || event->size == 0) &&
           (event->class_ != DPL_SIM_EVENT_N || (event->n >= 1 && event->phase < event->n));
}

int dpl_sim_events_send(struct dpl_sim_events *events, const struct dpl_sim_event *event,
                        uint64_t *ret_id)
{
    if (!is_valid(events, event)) {
        return -EINVAL;
    }
    int index = event_claim(events, event->class_);
    if (index < 0) {
        atomic_fetch_add_explicit(&events->refused, 1, memory_order_relaxed);
        return index;
    }
    event_fill(events, (size_t)index, event);
    uint64_t id = events->places[index].id; /* from the push on the place is the owner's */
    event_push(events, (size_t)index);
    atomic_fetch_add_explicit(&events->accepted, 1, memory_order_relaxed);
    if (ret_id) {
        *ret_id = id;
    }
    return 0;
}

int dpl_sim_events_cancel(struct dpl_sim_events *events, uint64_t id)
{
    size_t index = event_index(id);
    if (index >= events->options.capacity) {
        return -EALREADY;
    }
    uint_fast64_t expected = event_state_of(id, EVENT_ACCEPTED);
    bool won = atomic_compare_exchange_strong_explicit(&events->places[index].state, &expected,
                                                       event_state_of(id, EVENT_CANCELLED),
                                                       memory_order_acq_rel, memory_order_relaxed);
    return won ? 0 : -EALREADY;
}

struct dpl_sim_events_stats dpl_sim_events_stats(const struct dpl_sim_events *events)
{
    struct dpl_sim_events_stats stats = events->stats;
    stats.accepted = atomic_load_explicit(&events->accepted, memory_order_relaxed);
    stats.refused = atomic_load_explicit(&events->refused, memory_order_relaxed);
    stats.searched = atomic_load_explicit(&events->searched, memory_order_relaxed);
    stats.waiting = events->n_waiting - events->n_left + events->n_open;
    return stats;
}
