/* SPDX-License-Identifier: Apache-2.0 */
/* Events that are cancelled while they are run, and senders that are killed while they send. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "events_rig.h"

TestSuite(event_races, .timeout = 60);

/* ---- cancelling ---- */

enum { N_CANCELS = 100000 };

struct race {
    struct rig *rig;
    atomic_uint n_cancelled;
    atomic_bool over;
    unsigned n_sent;
};

static void *send_and_cancel(void *argument)
{
    struct race *race = argument;
    struct dpl_sim_event event = {.kind = RIG_NOTE, .class_ = DPL_SIM_EVENT_EVERY};
    event.answer = NULL;
    while (race->n_sent < N_CANCELS) {
        uint64_t id;
        if (dpl_sim_events_send(race->rig->events, &event, &id) < 0) {
            sched_yield(); /* full: the owner takes some */
            continue;
        }
        race->n_sent++;
        if (dpl_sim_events_cancel(race->rig->events, id) == 0) {
            atomic_fetch_add(&race->n_cancelled, 1);
        }
    }
    atomic_store(&race->over, true);
    return NULL;
}

Test(event_races, events_cancelled_while_they_are_run_are_either_done_or_cancelled)
{
    struct race race = {.rig = rig_create(64, 8)};
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, send_and_cancel, &race), 0);
    size_t n_done = 0;
    bool over = false;
    for (uint64_t step = 1; !over; step++) {
        over = atomic_load(&race.over);
        n_done += rig_drain(race.rig, step);
        race.rig->n_ran = 0;
        sched_yield();
    }
    pthread_join(thread, NULL);
    struct dpl_sim_events_stats stats = dpl_sim_events_stats(race.rig->events);
    cr_assert_eq(race.n_sent, N_CANCELS);
    cr_assert_eq(n_done + atomic_load(&race.n_cancelled), N_CANCELS);
    cr_assert_eq(stats.done, n_done);
    cr_assert_eq(stats.cancelled, atomic_load(&race.n_cancelled));
    rig_destroy(race.rig);
}

/* ---- senders that are killed ---- */

static int check_whole(void *context, const struct dpl_sim_event_run *run)
{
    unsigned *n_whole = context;
    const unsigned char *payload = run->payload;
    cr_assert_eq(run->size, DPL_SIM_EVENT_PAYLOAD_MAX);
    cr_assert_eq(memcmp(payload, payload + 1, run->size - 1), 0, "half an event");
    ++*n_whole;
    return 0;
}

struct victim {
    struct dpl_sim_events *events;
    atomic_uint n_sent;
};

static void *send_until_killed(void *argument)
{
    struct victim *victim = argument;
    unsigned char payload[DPL_SIM_EVENT_PAYLOAD_MAX];
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (unsigned char i = 0;; i++) {
        memset(payload, i, sizeof payload);
        struct dpl_sim_event event = {.payload = payload, .size = sizeof payload};
        if (dpl_sim_events_send(victim->events, &event, NULL) == 0) {
            atomic_fetch_add(&victim->n_sent, 1);
        }
    }
    return NULL;
}

Test(event_races, events_of_a_sender_that_is_killed_are_whole_or_not_there)
{
    static const struct dpl_sim_event_kind kinds[] = {{"whole", check_whole}};
    unsigned n_whole = 0;
    enum { N_KILLS = 100 };
    struct dpl_sim_events_options options = {
        .kinds = kinds, .n_kinds = 1, .context = &n_whole, .capacity = 1024};
    struct victim victim = {0};
    cr_assert_eq(dpl_sim_events_create(&options, &victim.events), 0);
    uint64_t step = 0;
    unsigned n_before_kill = 0;
    for (int i = 0; i < N_KILLS; i++) {
        pthread_t thread;
        unsigned sent = atomic_load(&victim.n_sent);
        cr_assert_eq(pthread_create(&thread, NULL, send_until_killed, &victim), 0);
        while (atomic_load(&victim.n_sent) < sent + 1 + (unsigned)i % 7) {
            dpl_sim_events_drain(victim.events, &(struct dpl_sim_events_drain){.step = ++step});
            sched_yield();
        }
        pthread_cancel(thread);
        pthread_join(thread, NULL);
        n_before_kill = atomic_load(&victim.n_sent);
        dpl_sim_events_drain(victim.events, &(struct dpl_sim_events_drain){.step = ++step});
    }
    cr_assert_geq(n_whole, n_before_kill, "what a sender knows to be accepted has run");
    cr_assert_leq(n_whole, n_before_kill + N_KILLS);
    /* the queue goes on, with at most one place less for each kill */
    struct dpl_sim_event event = {.class_ = DPL_SIM_EVENT_EVERY};
    unsigned char payload[DPL_SIM_EVENT_PAYLOAD_MAX] = {0};
    event.payload = payload;
    event.size = sizeof payload;
    size_t n_room = 0;
    while (dpl_sim_events_send(victim.events, &event, NULL) == 0) {
        n_room++;
    }
    cr_assert_geq(n_room, 1024 - N_KILLS);
    cr_assert_eq(
        dpl_sim_events_drain(victim.events, &(struct dpl_sim_events_drain){.step = ++step}),
        n_room);
    dpl_sim_events_destroy(victim.events);
}
