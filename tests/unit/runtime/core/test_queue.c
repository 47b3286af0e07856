/* SPDX-License-Identifier: Apache-2.0 */
/* The plain queue and the ring, on one thread; race_ring.c does two. */
#include <criterion/criterion.h>

#include "pool.h"
#include "queue.h"

static struct dpl__block blocks[5];
static struct dpl__queue_entry entries[3];
static struct dpl__queue queue;

static void setup(void)
{
    queue = (struct dpl__queue){.entries = entries, .capacity = 3};
}

TestSuite(queue, .init = setup);

Test(queue, gives_the_oldest_first)
{
    for (size_t i = 0; i < 3; i++) {
        cr_assert_null(dpl__queue_push(&queue, &blocks[i], i));
    }
    cr_assert_eq(dpl__queue_pop_oldest(&queue), &blocks[0]);
    cr_assert_eq(dpl__queue_pop_oldest(&queue), &blocks[1]);
    cr_assert_eq(dpl__queue_pop_oldest(&queue), &blocks[2]);
    cr_assert_null(dpl__queue_pop_oldest(&queue));
}

Test(queue, gives_the_newest_first_when_asked)
{
    dpl__queue_push(&queue, &blocks[0], 0);
    dpl__queue_push(&queue, &blocks[1], 1);
    cr_assert_eq(dpl__queue_pop_newest(&queue), &blocks[1]);
    cr_assert_eq(dpl__queue_pop_newest(&queue), &blocks[0]);
    cr_assert_null(dpl__queue_pop_newest(&queue));
}

Test(queue, drops_the_oldest_when_full)
{
    for (size_t i = 0; i < 3; i++) {
        dpl__queue_push(&queue, &blocks[i], i);
    }
    cr_assert_eq(dpl__queue_push(&queue, &blocks[3], 3), &blocks[0]);
    cr_assert_eq(dpl__queue_push(&queue, &blocks[4], 4), &blocks[1]);
    cr_assert_eq(dpl__queue_pop_oldest(&queue), &blocks[2]);
    cr_assert_eq(dpl__queue_pop_newest(&queue), &blocks[4]);
    cr_assert_eq(queue.n, 1);
}

static atomic_ullong slots[3];
static struct dpl__ring ring;

static void setup_ring(void)
{
    ring = (struct dpl__ring){.slots = slots, .n_slots = 3};
}

TestSuite(ring, .init = setup_ring);

static void expect(uint32_t wanted)
{
    uint32_t index = 99;
    cr_assert(dpl__ring_pop(&ring, &index));
    cr_assert_eq(index, wanted);
}

Test(ring, is_empty_at_first)
{
    uint32_t index;
    cr_assert_not(dpl__ring_pop(&ring, &index));
}

Test(ring, keeps_the_order_over_many_rounds)
{
    uint32_t dropped;
    for (uint32_t i = 0; i < 20; i++) {
        cr_assert_not(dpl__ring_push(&ring, i % 7, &dropped));
        cr_assert_not(dpl__ring_push(&ring, (i + 1) % 7, &dropped));
        expect(i % 7);
        expect((i + 1) % 7);
    }
}

Test(ring, gives_the_oldest_back_to_the_producer_when_full)
{
    uint32_t dropped = 99;
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert_not(dpl__ring_push(&ring, i, &dropped));
    }
    cr_assert(dpl__ring_push(&ring, 3, &dropped));
    cr_assert_eq(dropped, 0);
    cr_assert(dpl__ring_push(&ring, 4, &dropped));
    cr_assert_eq(dropped, 1);
    expect(2);
    expect(3);
    expect(4);
    uint32_t index;
    cr_assert_not(dpl__ring_pop(&ring, &index));
}

Test(ring, catches_up_after_being_overtaken_several_times)
{
    uint32_t dropped;
    dpl__ring_push(&ring, 0, &dropped);
    expect(0);
    for (uint32_t i = 1; i <= 11; i++) {
        dpl__ring_push(&ring, i, &dropped);
    }
    expect(9);
    expect(10);
    expect(11);
}
