/* SPDX-License-Identifier: Apache-2.0 */
/* The rings between a pin driver's calls and the control thread, both ways at once: every event
 * that had room arrives whole and in order, every other one is counted as lost. A plain program:
 * run it under ThreadSanitizer. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "pin_exchange.h"

#define N_EVENTS 300000

static struct pin_ring down, up; /* to the control thread and back */

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "race_pin_exchange: %s\n", what);
        exit(1);
    }
}

static struct pin_event event_at(dpl_ns at)
{
    return (struct pin_event){
        .at = at,
        .value = 2.0 * (double)at,
        .frequency_hz = 3.0 * (double)at,
        .pin = (uint8_t)(at % 251),
        .kind = (uint8_t)(at % 7),
        .level = at % 2 == 0,
    };
}

static bool is_whole(const struct pin_event *event)
{
    struct pin_event expected = event_at(event->at);
    return event->value == expected.value && event->frequency_hz == expected.frequency_hz &&
           event->pin == expected.pin && event->kind == expected.kind &&
           event->level == expected.level;
}

/* One side: fills its ring and empties the other one until both are done. */
struct side {
    struct pin_ring *out, *in;
    unsigned refused, taken;
};

static void take(struct side *side, dpl_ns *last)
{
    struct pin_event event;
    while (pin_ring_pop(side->in, &event)) {
        check(is_whole(&event), "half an event");
        check(event.at > *last, "events out of order");
        *last = event.at;
        side->taken++;
    }
}

static void *run(void *user)
{
    struct side *side = user;
    dpl_ns last = 0;
    for (dpl_ns at = 1; at < N_EVENTS; at++) {
        struct pin_event event = event_at(at);
        side->refused += !pin_ring_push(side->out, &event);
        if (at % 5 == 0) {
            take(side, &last);
        }
    }
    struct pin_event end = event_at(N_EVENTS); /* this one must arrive */
    while (!pin_ring_push(side->out, &end)) {
        side->refused++;
        take(side, &last);
    }
    while (last < N_EVENTS) {
        take(side, &last);
    }
    return NULL;
}

static void check_balance(const struct side *from, const struct side *to)
{
    unsigned lost = atomic_load(&from->out->lost);
    check(lost == from->refused, "refused events are not those that were counted as lost");
    check(to->taken <= N_EVENTS && to->taken + lost >= N_EVENTS, "events neither taken nor lost");
}

int main(void)
{
    struct side driver = {.out = &down, .in = &up}, control = {.out = &up, .in = &down};
    pthread_t thread;
    check(pthread_create(&thread, NULL, run, &control) == 0, "no thread");
    run(&driver);
    pthread_join(thread, NULL);
    check_balance(&driver, &control);
    check_balance(&control, &driver);
    return 0;
}
