/* SPDX-License-Identifier: Apache-2.0 */
/* The two ends of a simulated wire on two threads: every change is seen whole and in order, and is
 * taken or counted as lost. A plain program: run it under ThreadSanitizer. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "wire.h"

#define N_CHANGES 300000

static struct wire wire;

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "race_pins: %s\n", what);
        exit(1);
    }
}

static void *drive(void *unused)
{
    (void)unused;
    for (int i = 1; i <= N_CHANGES; i++) {
        struct wire_change change = {i, i % 2 ? WIRE_ANALOG : WIRE_PWM, i, 2.0 * i};
        wire_push(&wire.end[0], &change);
        check(wire_ahead(&wire.end[0], i - 3) <= 3, "more ahead than was told");
    }
    return NULL;
}

static bool is_whole(const struct wire_change *change)
{
    return change->at == 0 || (change->ratio == (double)change->at &&
                               change->frequency_hz == 2.0 * (double)change->at &&
                               change->drive == (change->at % 2 ? WIRE_ANALOG : WIRE_PWM));
}

int main(void)
{
    pthread_t writer;
    check(pthread_create(&writer, NULL, drive, NULL) == 0, "no thread");
    struct wire_reader reader = {0};
    unsigned taken = 0, lost = 0;
    dpl_ns last = 0;
    while (last < N_CHANGES) {
        struct wire_change change, newest = wire_newest(&wire.end[0]);
        check(is_whole(&newest), "half a change at an instant");
        if (wire_next(&wire.end[0], &reader, INT64_MAX, &change, &lost)) {
            check(is_whole(&change), "half a change taken");
            check(change.at > last, "changes out of order");
            last = change.at;
            taken++;
        }
    }
    pthread_join(writer, NULL);
    check(taken + lost == N_CHANGES, "changes neither taken nor lost");
    return 0;
}
