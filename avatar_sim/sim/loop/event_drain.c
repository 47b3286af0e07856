/* SPDX-License-Identifier: Apache-2.0 */
/* Events at a boundary: taking in, order, running, answers. All of it is the owner's. */
#include <errno.h>
#include <string.h>

#include "event_queue.h"

/* ---- order ---- */

static bool runs_before(const struct event_place *a, const struct event_place *b)
{
    if (a->event.class_ != b->event.class_) {
        return a->event.class_ < b->event.class_;
    }
    if (a->event.number != b->event.number) {
        return a->event.number > b->event.number;
    }
    return a->order != b->order ? a->order < b->order : a->sequence < b->sequence;
}

void event_insert(struct dpl_sim_events *events, size_t index)
{
    const struct event_place *place = &events->places[index];
    size_t low = 0, high = events->n_waiting;
    while (low < high) {
        size_t middle = (low + high) / 2;
        bool after = runs_before(&events->places[events->waiting[middle]], place);
        low = after ? middle + 1 : low;
        high = after ? high : middle;
    }
    uint16_t *at = &events->waiting[low];
    memmove(at + 1, at, (events->n_waiting - low) * sizeof *at);
    *at = (uint16_t)index;
    events->n_waiting++;
}

void event_take_in(struct dpl_sim_events *events, uint64_t step)
{
    if (atomic_load_explicit(&events->arrived, memory_order_relaxed) == 0) {
        return;
    }
    /* acquire: what is in the places that were pushed */
    uint_fast32_t at = atomic_exchange_explicit(&events->arrived, 0, memory_order_acquire);
    size_t n = 0;
    for (; at != 0; at = events->places[at - 1].next) {
        events->scratch[n++] = (uint16_t)(at - 1);
    }
    while (n > 0) { /* the newest is in front */
        size_t index = events->scratch[--n];
        struct event_place *place = &events->places[index];
        place->sequence = ++events->sequence;
        place->order = place->event.has_due ? place->event.due : step;
        event_insert(events, index);
    }
}

/* ---- answers ---- */

void event_answer(struct dpl_sim_events *events, struct event_place *place,
                  enum dpl_sim_event_result result, int code, bool late)
{
    struct dpl_sim_events_stats *stats = &events->stats;
    uint64_t *const counts[] = {&stats->done, &stats->failed, &stats->cancelled, &stats->dropped};
    ++*counts[result];
    if (!place->event.answer) {
        return;
    }
    struct dpl_sim_event_answer answer = {
        .id = place->id,
        .sequence = place->sequence,
        .step = events->step,
        .result = result,
        .code = code,
        .late = late,
    };
    place->event.answer(place->event.user, &answer);
}

enum dpl_sim_event_result event_withdraw(struct event_place *place)
{
    uint_fast64_t old = atomic_exchange_explicit(
        &place->state, event_state_of(place->id, EVENT_FREE), memory_order_relaxed);
    return old == event_state_of(place->id, EVENT_CANCELLED) ? DPL_SIM_EVENT_CANCELLED
                                                             : DPL_SIM_EVENT_DROPPED;
}

/* The last thing that an event hears. */
static void end(struct dpl_sim_events *events, size_t index, enum dpl_sim_event_result result,
                int code, bool late)
{
    event_answer(events, &events->places[index], result, code, late);
    event_free_place(events, index);
}

static void end_by_code(struct dpl_sim_events *events, size_t index, int code, bool late)
{
    end(events, index, code < 0 ? DPL_SIM_EVENT_FAILED : DPL_SIM_EVENT_DONE, code < 0 ? code : 0,
        late);
}

/* ---- a boundary ---- */

static bool is_late(const struct event_place *place, uint64_t step)
{
    return place->event.has_due && place->event.due < step;
}

static bool may_run(const struct event_place *place, const struct dpl_sim_events_drain *drain)
{
    const struct dpl_sim_event *event = &place->event;
    if (event->has_due && event->due > drain->step) {
        return false;
    }
    if (event->class_ == DPL_SIM_EVENT_N) {
        return !drain->paused && (place->moved || drain->step % event->n == event->phase);
    }
    return event->class_ == DPL_SIM_EVENT_EVERY || drain->idle;
}

static void log_run(const struct dpl_sim_events *events, const struct event_place *place)
{
    const struct dpl_sim_event *event = &place->event;
    if (!events->options.log) {
        return;
    }
    struct dpl_sim_event_record record = {
        .step = events->step,
        .sequence = place->sequence,
        .kind = events->options.kinds[event->kind].name,
        .class_ = event->class_,
        .number = event->number,
        .late = is_late(place, events->step),
        .payload = event->payload,
        .size = event->size,
    };
    events->options.log(events->options.log_user, &record);
}

int event_call(struct dpl_sim_events *events, size_t kind, const struct dpl_sim_event_run *told)
{
    const struct dpl_sim_event_kind *row = &events->options.kinds[kind];
    return row->run(row->context ? row->context : events->options.context, told);
}

/* False: it was cancelled just now. */
static bool run(struct dpl_sim_events *events, size_t index)
{
    struct event_place *place = &events->places[index];
    uint_fast64_t expected = event_state_of(place->id, EVENT_ACCEPTED);
    if (!atomic_compare_exchange_strong_explicit(&place->state, &expected,
                                                 event_state_of(place->id, EVENT_RUNNING),
                                                 memory_order_relaxed, memory_order_relaxed)) {
        return false;
    }
    bool late = is_late(place, events->step);
    struct dpl_sim_event_run told = {
        .events = events,
        .id = place->id,
        .sequence = place->sequence,
        .step = events->step,
        .late = late,
        .payload = place->event.payload,
        .size = place->event.size,
    };
    log_run(events, place);
    events->stats.late += late;
    int code = event_call(events, place->event.kind, &told);
    if (code == DPL_SIM_EVENT_LATER) {
        atomic_store_explicit(&place->state, event_state_of(place->id, EVENT_OPEN),
                              memory_order_relaxed);
        events->open[events->n_open++] = (uint16_t)index;
    } else {
        end_by_code(events, index, code, late);
    }
    return true;
}

/* The time that a drain has taken. The clock is read only after something has run. */
struct spent {
    const struct dpl_sim_events_drain *drain;
    dpl_ns begin;
    bool over, overrun;
};

static void look_at_clock(struct spent *spent, enum dpl_sim_event_class class)
{
    const struct dpl_sim_events_drain *drain = spent->drain;
    if (drain->now && !spent->over) {
        spent->over = drain->now(drain->now_user) - spent->begin > drain->budget;
        spent->overrun = spent->over && class == DPL_SIM_EVENT_EVERY;
    }
}

static bool is_cancelled(const struct event_place *place)
{
    return atomic_load_explicit(&place->state, memory_order_relaxed) ==
           event_state_of(place->id, EVENT_CANCELLED);
}

/* Whether the event goes on waiting. */
static bool visit(struct dpl_sim_events *events, size_t index, struct spent *spent, size_t *n_ran)
{
    struct event_place *place = &events->places[index];
    enum dpl_sim_event_class class = place->event.class_;
    if (!events->replaying && !is_cancelled(place)) {
        if (!may_run(place, spent->drain)) {
            return true;
        }
        if (spent->over && class != DPL_SIM_EVENT_EVERY) {
            place->moved = true;
            events->stats.moved++;
            return true;
        }
    }
    events->n_left++;
    if (!events->replaying && run(events, index)) {
        ++*n_ran;
        look_at_clock(spent, class);
    } else {
        end(events, index, event_withdraw(place), 0, false);
    }
    return false;
}

void dpl_sim_events_at(struct dpl_sim_events *events, uint64_t step)
{
    events->step = step;
}

size_t dpl_sim_events_drain(struct dpl_sim_events *events, const struct dpl_sim_events_drain *drain)
{
    dpl_sim_events_at(events, drain->step);
    event_take_in(events, drain->step);
    if (events->n_waiting == 0) {
        return 0;
    }
    struct spent spent = {.drain = drain, .begin = drain->now ? drain->now(drain->now_user) : 0};
    size_t n_ran = 0, n_stay = 0, n = events->n_waiting;
    for (size_t i = 0; i < n; i++) {
        uint16_t index = events->waiting[i];
        if (visit(events, index, &spent, &n_ran)) {
            events->waiting[n_stay++] = index;
        }
    }
    events->n_waiting = n_stay;
    events->n_left = 0;
    events->stats.overruns += spent.overrun;
    return n_ran;
}

/* ---- events that end later ---- */

/* Takes it off the list: its place, or -ENOENT. */
static int take_open(struct dpl_sim_events *events, uint64_t id)
{
    for (size_t i = 0; i < events->n_open; i++) {
        size_t index = events->open[i];
        if (events->places[index].id == id) {
            events->n_open--;
            memmove(&events->open[i], &events->open[i + 1],
                    (events->n_open - i) * sizeof *events->open);
            return (int)index;
        }
    }
    return -ENOENT;
}

int dpl_sim_events_finish(struct dpl_sim_events *events, uint64_t id, int code)
{
    int index = take_open(events, id);
    if (index < 0) {
        return index;
    }
    end_by_code(events, (size_t)index, code, is_late(&events->places[index], events->step));
    return 0;
}

int dpl_sim_events_abandon(struct dpl_sim_events *events, uint64_t id)
{
    int index = take_open(events, id);
    if (index < 0) {
        return index;
    }
    end(events, (size_t)index, DPL_SIM_EVENT_CANCELLED, 0, false);
    return 0;
}

size_t dpl_sim_events_reset(struct dpl_sim_events *events, uint64_t step)
{
    event_take_in(events, step);
    size_t n_waiting = events->n_waiting, n_dropped = 0;
    events->step = step;
    events->n_waiting = 0;
    for (size_t i = 0; i < n_waiting; i++) {
        size_t index = events->waiting[i];
        enum dpl_sim_event_result result = event_withdraw(&events->places[index]);
        end(events, index, result, 0, false);
        n_dropped += result == DPL_SIM_EVENT_DROPPED;
    }
    return n_dropped;
}

void event_drop_open(struct dpl_sim_events *events)
{
    while (events->n_open > 0) {
        end(events, events->open[--events->n_open], DPL_SIM_EVENT_DROPPED, 0, false);
    }
}
