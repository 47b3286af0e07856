/* SPDX-License-Identifier: Apache-2.0 */
/* A ring that is always too small, between two threads: what is taken is in order, whole, and each
 * push ends as taken or as dropped. A plain program: run it under ThreadSanitizer. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "queue.h"

#define N_SLOTS  4u
#define N_PUSHES 400000u
#define N_VALUES 64u /* more than can be on their way */

static struct dpl__ring ring;
static atomic_ullong slots[N_SLOTS];
static struct value {
    uint64_t a, b; /* plain memory: what the ring publishes */
    atomic_int used;
} values[N_VALUES];
static atomic_int done;
static uint64_t n_taken, n_dropped;

static void fail(const char *what)
{
    fprintf(stderr, "race_ring: %s\n", what);
    exit(1);
}

static uint32_t find_free(void)
{
    for (uint32_t i = 0;; i = (i + 1) % N_VALUES) {
        if (atomic_load_explicit(&values[i].used, memory_order_acquire) == 0) {
            return i;
        }
    }
}

static void *produce(void *argument)
{
    for (uint64_t i = 0; i < N_PUSHES; i++) {
        uint32_t index = find_free();
        atomic_store_explicit(&values[index].used, 1, memory_order_relaxed);
        values[index].a = i;
        values[index].b = ~i;
        uint32_t dropped;
        if (dpl__ring_push(&ring, index, &dropped)) {
            atomic_store_explicit(&values[dropped].used, 0, memory_order_release);
            n_dropped++;
        }
    }
    atomic_store_explicit(&done, 1, memory_order_release);
    return NULL;
}

static void consume(uint64_t *next)
{
    uint32_t index;
    while (dpl__ring_pop(&ring, &index)) {
        if (values[index].b != ~values[index].a) {
            fail("a torn message");
        }
        if (values[index].a < *next) {
            fail("out of order");
        }
        *next = values[index].a + 1;
        n_taken++;
        atomic_store_explicit(&values[index].used, 0, memory_order_release);
    }
}

int main(void)
{
    ring.slots = slots;
    ring.n_slots = N_SLOTS;
    pthread_t producer;
    if (pthread_create(&producer, NULL, produce, NULL) != 0) {
        fail("no thread");
    }
    uint64_t next = 0;
    while (!atomic_load_explicit(&done, memory_order_acquire)) {
        consume(&next);
    }
    pthread_join(producer, NULL);
    consume(&next);
    if (next != N_PUSHES || n_taken + n_dropped != N_PUSHES) {
        fail("messages unaccounted for");
    }
    printf("ring: %llu taken, %llu dropped\n", (unsigned long long)n_taken,
           (unsigned long long)n_dropped);
    return 0;
}
