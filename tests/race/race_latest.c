/* SPDX-License-Identifier: Apache-2.0 */
/* doppel/latest.h between a writer and a reader: never torn, never backwards, ends with the last
 * value. A plain program: run it under ThreadSanitizer. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <doppel/latest.h>

#define N_VALUES 500000u

static struct {
    struct dpl_latest sync;
    struct {
        uint64_t a, b;
    } slot[3];
} latest;
static atomic_int done;

static void *write_values(void *argument)
{
    for (uint64_t i = 1; i <= N_VALUES; i++) {
        unsigned back = dpl_latest_back(&latest.sync);
        latest.slot[back].a = i;
        latest.slot[back].b = ~i;
        dpl_latest_publish(&latest.sync);
    }
    atomic_store_explicit(&done, 1, memory_order_release);
    return NULL;
}

static void look(uint64_t *last)
{
    if (!dpl_latest_update(&latest.sync)) {
        return;
    }
    unsigned front = dpl_latest_front(&latest.sync);
    uint64_t a = latest.slot[front].a;
    if (latest.slot[front].b != ~a || a <= *last) {
        fprintf(stderr, "race_latest: torn or old value\n");
        exit(1);
    }
    *last = a;
}

int main(void)
{
    dpl_latest_init(&latest.sync);
    pthread_t writer;
    if (pthread_create(&writer, NULL, write_values, NULL) != 0) {
        return 1;
    }
    uint64_t last = 0;
    while (!atomic_load_explicit(&done, memory_order_acquire)) {
        look(&last);
    }
    look(&last);
    pthread_join(writer, NULL);
    return last == N_VALUES ? 0 : 1;
}
