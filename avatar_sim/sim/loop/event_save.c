/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of a queue of events: what waits, with its payload, one after the other. */
#include <errno.h>
#include <string.h>

#include "event_queue.h"

struct head {
    const struct dpl_sim_events *events; /* that it is of */
    uint64_t bytes, n, step;
};

struct entry {
    uint64_t id, sequence, order;
    struct dpl_sim_event event; /* `payload` is of no use */
    bool moved;
    /* then the payload, up to a multiple of 8 bytes */
};

static size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

static bool is_over(const struct event_place *place)
{
    return atomic_load_explicit(&place->state, memory_order_relaxed) !=
           event_state_of(place->id, EVENT_ACCEPTED);
}

/* Of all that waits. */
static size_t snapshot_size(const struct dpl_sim_events *events)
{
    size_t size = sizeof(struct head);
    for (size_t i = 0; i < events->n_waiting; i++) {
        size += sizeof(struct entry) + padded(events->places[events->waiting[i]].event.size);
    }
    return size;
}

size_t dpl_sim_events_snapshot_size(struct dpl_sim_events *events)
{
    event_take_in(events, events->step + 1);
    return snapshot_size(events);
}

static unsigned char *write_entry(const struct dpl_sim_events *events, size_t index,
                                  unsigned char *at)
{
    const struct event_place *place = &events->places[index];
    struct entry entry;
    memset(&entry, 0, sizeof entry);
    entry.id = place->id;
    entry.sequence = place->sequence;
    entry.order = place->order;
    entry.event = place->event;
    entry.moved = place->moved;
    memcpy(at, &entry, sizeof entry);
    memcpy(at + sizeof entry, events->payloads[index], place->event.size);
    return at + sizeof entry + padded(place->event.size);
}

int dpl_sim_events_save(struct dpl_sim_events *events, void *ret_snapshot, size_t size)
{
    struct head head = {.events = events, .bytes = sizeof head, .step = events->step};
    unsigned char *at = (unsigned char *)ret_snapshot + sizeof head;
    if (size < snapshot_size(events)) {
        return -ENOSPC;
    }
    for (size_t i = 0; i < events->n_waiting; i++) {
        if (!is_over(&events->places[events->waiting[i]])) {
            at = write_entry(events, events->waiting[i], at);
            head.n++;
        }
    }
    head.bytes = (uint64_t)(at - (unsigned char *)ret_snapshot);
    memcpy(ret_snapshot, &head, sizeof head);
    return 0;
}

/* ---- restoring ---- */

/* Goes through the entries of a snapshot. */
struct reader {
    const unsigned char *at, *end;
};

static bool next(struct reader *reader, struct entry *ret_entry, const unsigned char **ret_payload)
{
    if (reader->at == reader->end) {
        return false;
    }
    memcpy(ret_entry, reader->at, sizeof *ret_entry);
    *ret_payload = reader->at + sizeof *ret_entry;
    reader->at = *ret_payload + padded(ret_entry->event.size);
    return true;
}

/* ---- what a restore has to do ---- */

/* Marks the places whose events waited then and wait now, and counts the others. From here on a
 * mark stays: when such an event is cancelled meanwhile, the next drain says so. */
static void plan(struct dpl_sim_events *events, struct reader reader, size_t *ret_missing,
                 size_t *ret_extra)
{
    struct entry entry;
    const unsigned char *payload;
    size_t n_kept = 0;
    *ret_missing = 0;
    while (next(&reader, &entry, &payload)) {
        struct event_place *place = &events->places[event_index(entry.id)];
        bool waits = atomic_load_explicit(&place->state, memory_order_relaxed) ==
                     event_state_of(entry.id, EVENT_ACCEPTED);
        place->keep = waits;
        n_kept += waits;
        *ret_missing += !waits;
    }
    *ret_extra = events->n_waiting - n_kept;
}

/* Gives the first n places of the scratch list back. */
static void free_scratch(struct dpl_sim_events *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        events->places[events->scratch[i]].event.class_ = DPL_SIM_EVENT_EVERY;
        event_free_place(events, events->scratch[i]);
    }
}

/* Claims n places for the scratch list. False: there are not so many, and none was claimed. */
static bool claim(struct dpl_sim_events *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int index = event_claim(events, DPL_SIM_EVENT_EVERY);
        if (index < 0) {
            free_scratch(events, i);
            return false;
        }
        events->scratch[i] = (uint16_t)index;
    }
    return true;
}

static void forget_plan(struct dpl_sim_events *events)
{
    for (size_t i = 0; i < events->n_waiting; i++) {
        events->places[events->waiting[i]].keep = false;
    }
}

/* A place goes over to an event of another class: the share of classes n and idle is counted. */
static void recount(struct dpl_sim_events *events, enum dpl_sim_event_class from,
                    enum dpl_sim_event_class to)
{
    bool was_other = from != DPL_SIM_EVENT_EVERY, is_other = to != DPL_SIM_EVENT_EVERY;
    if (was_other && !is_other) {
        atomic_fetch_sub_explicit(&events->n_others, 1, memory_order_relaxed);
    } else if (!was_other && is_other) {
        atomic_fetch_add_explicit(&events->n_others, 1, memory_order_relaxed);
    }
}

/* Answers what did not wait then. Those places go to the scratch list, which has n already, as
 * places of class every. Returns how many it has then. */
static size_t drop_others(struct dpl_sim_events *events, size_t n)
{
    for (size_t i = 0; i < events->n_waiting; i++) {
        struct event_place *place = &events->places[events->waiting[i]];
        if (place->keep) {
            continue;
        }
        event_answer(events, place, event_withdraw(place), 0, false);
        recount(events, place->event.class_, DPL_SIM_EVENT_EVERY);
        events->scratch[n++] = events->waiting[i];
    }
    return n;
}

/* The event runs again, but its sender has its answer already. */
static void bring_back(struct dpl_sim_events *events, size_t index, const struct entry *entry,
                       const unsigned char *payload)
{
    struct event_place *place = &events->places[index];
    struct dpl_sim_event event = entry->event;
    event.payload = payload;
    event.answer = NULL;
    recount(events, DPL_SIM_EVENT_EVERY, event.class_);
    event_fill(events, index, &event);
    atomic_store_explicit(&place->state, event_state_of(place->id, EVENT_ACCEPTED),
                          memory_order_relaxed);
}

/* The entries are in the order in which they run. */
static void fill_again(struct dpl_sim_events *events, struct reader reader, size_t n_free)
{
    struct entry entry;
    const unsigned char *payload;
    events->n_waiting = 0;
    while (next(&reader, &entry, &payload)) {
        size_t index = event_index(entry.id);
        if (!events->places[index].keep || events->places[index].id != entry.id) {
            index = events->scratch[--n_free];
            bring_back(events, index, &entry, payload);
        }
        struct event_place *place = &events->places[index];
        place->sequence = entry.sequence;
        place->order = entry.order;
        place->moved = entry.moved;
        events->waiting[events->n_waiting++] = (uint16_t)index;
    }
    free_scratch(events, n_free);
    forget_plan(events);
}

int dpl_sim_events_restore(struct dpl_sim_events *events, const void *snapshot, size_t size)
{
    struct head head;
    if (size < sizeof head) {
        return -EINVAL;
    }
    memcpy(&head, snapshot, sizeof head);
    if (head.events != events || head.bytes > size) {
        return -EINVAL;
    }
    struct reader reader = {(const unsigned char *)snapshot + sizeof head,
                            (const unsigned char *)snapshot + head.bytes};
    size_t n_missing, n_extra;
    event_take_in(events, events->step + 1);
    plan(events, reader, &n_missing, &n_extra);
    size_t n_short = n_missing > n_extra ? n_missing - n_extra : 0;
    if (!claim(events, n_short)) {
        forget_plan(events);
        return -EAGAIN;
    }
    fill_again(events, reader, drop_others(events, n_short));
    events->step = head.step;
    return 0;
}
