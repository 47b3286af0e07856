/* SPDX-License-Identifier: Apache-2.0 */
/* Events from eight threads to one queue while its owner runs them as fast as it can: none is lost,
 * none is torn, each sender's are in order, and each has one answer. Some are cancelled by their
 * sender, and some by another thread. argv[1]: events in all; else 200000, under ThreadSanitizer a
 * million. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/events.h>

enum { N_SENDERS = 8, WORDS = 16 };

#ifdef __SANITIZE_THREAD__
enum { N_EVENTS = 1000000 };
#else
enum { N_EVENTS = 200000 };
#endif

struct sender {
    int which;
    unsigned n_sent, n_to_send;
    _Atomic uint64_t newest_id;
    /* the owner's */
    unsigned n_answered, next, n_done, n_cancelled;
};

static struct sender senders[N_SENDERS];
static struct dpl_sim_events *events;
static atomic_uint n_cancels; /* that were OK */
static const char *fault;

/* The payload of an event: its number, again and again. */
struct load {
    uint64_t sender, words[WORDS];
};

static int run(void *context, const struct dpl_sim_event_run *told)
{
    (void)context;
    struct load load;
    if (told->size != sizeof load) {
        fault = "an event has another size";
        return 0;
    }
    memcpy(&load, told->payload, sizeof load);
    for (int i = 1; i < WORDS; i++) {
        if (load.words[i] != load.words[0]) {
            fault = "an event is torn";
        }
    }
    struct sender *sender = &senders[load.sender % N_SENDERS];
    if (load.words[0] < sender->next) {
        fault = "a sender's events are not in order";
    }
    sender->next = (unsigned)load.words[0] + 1;
    return 0;
}

static void answer(void *user, const struct dpl_sim_event_answer *told)
{
    struct sender *sender = user;
    sender->n_answered++;
    sender->n_done += told->result == DPL_SIM_EVENT_DONE;
    sender->n_cancelled += told->result == DPL_SIM_EVENT_CANCELLED;
}

static void cancel(uint64_t id)
{
    if (id != 0 && dpl_sim_events_cancel(events, id) == 0) {
        atomic_fetch_add_explicit(&n_cancels, 1, memory_order_relaxed);
    }
}

static void *send_all(void *argument)
{
    struct sender *self = argument;
    struct load load = {.sender = (uint64_t)self->which};
    struct dpl_sim_event event = {.class_ = self->which % 2 ? DPL_SIM_EVENT_EVERY : DPL_SIM_EVENT_N,
                                  .n = 1,
                                  .payload = &load,
                                  .size = sizeof load,
                                  .answer = answer,
                                  .user = self};
    while (self->n_sent < self->n_to_send) {
        for (int i = 0; i < WORDS; i++) {
            load.words[i] = self->n_sent;
        }
        uint64_t id;
        if (dpl_sim_events_send(events, &event, &id) < 0) {
            sched_yield(); /* full */
            continue;
        }
        self->n_sent++;
        atomic_store_explicit(&self->newest_id, id, memory_order_relaxed);
        if (self->n_sent % 16 == 0) {
            cancel(id);
        } else if (self->n_sent % 16 == 1) {
            cancel(atomic_load_explicit(&senders[(self->which + 1) % N_SENDERS].newest_id,
                                        memory_order_relaxed));
        }
    }
    return NULL;
}

static unsigned count_answers(void)
{
    unsigned n = 0;
    for (int i = 0; i < N_SENDERS; i++) {
        n += senders[i].n_answered;
    }
    return n;
}

static void check(unsigned n_all)
{
    unsigned n_done = 0, n_cancelled = 0;
    for (int i = 0; i < N_SENDERS; i++) {
        n_done += senders[i].n_done;
        n_cancelled += senders[i].n_cancelled;
    }
    struct dpl_sim_events_stats stats = dpl_sim_events_stats(events);
    if (n_done + n_cancelled != n_all || stats.accepted != n_all || stats.waiting != 0) {
        fault = "an event is lost, or was answered twice";
    } else if (n_cancelled != atomic_load(&n_cancels) || stats.done != n_done) {
        fault = "what was cancelled ran, or the other way round";
    }
    printf("%u events from %d threads: %u done, %u cancelled, %llu times full\n", n_all, N_SENDERS,
           n_done, n_cancelled, (unsigned long long)stats.refused);
}

int main(int argc, char **argv)
{
    static const struct dpl_sim_event_kind kinds[] = {{"load", run}};
    unsigned n_each = (argc > 1 ? (unsigned)atoi(argv[1]) : N_EVENTS) / N_SENDERS;
    pthread_t threads[N_SENDERS];
    if (dpl_sim_events_create(&(struct dpl_sim_events_options){.kinds = kinds, .n_kinds = 1},
                              &events) < 0) {
        return 2;
    }
    for (int i = 0; i < N_SENDERS; i++) {
        senders[i].which = i;
        senders[i].n_to_send = n_each;
    }
    for (int i = 0; i < N_SENDERS; i++) {
        if (pthread_create(&threads[i], NULL, send_all, &senders[i]) != 0) {
            return 2;
        }
    }
    for (uint64_t step = 1; count_answers() < N_SENDERS * n_each; step++) {
        if (dpl_sim_events_drain(events, &(struct dpl_sim_events_drain){.step = step}) == 0) {
            sched_yield();
        }
    }
    for (int i = 0; i < N_SENDERS; i++) {
        pthread_join(threads[i], NULL);
    }
    check(N_SENDERS * n_each);
    if (fault) {
        fprintf(stderr, "%s\n", fault);
    }
    dpl_sim_events_destroy(events);
    return fault != NULL;
}
