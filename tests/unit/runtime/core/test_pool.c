/* SPDX-License-Identifier: Apache-2.0 */
/* Message blocks: layout from descriptors, freshness, exhaustion, limits. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <doppel/msg/device.h>
#include <doppel/msg/laser_scanner.h>

#include "pool.h"
#include "pool_types.pb-c.h"

static struct dpl_arena arena;
static struct dpl_diag diag;

static void teardown(void)
{
    dpl_arena_finish(&arena);
}

TestSuite(pool, .fini = teardown);

static struct dpl__pool *create(const ProtobufCMessageDescriptor *type, size_t capacity, size_t n)
{
    struct dpl__pool *pool = NULL;
    cr_assert_eq(dpl__pool_create(&arena, type, capacity, n, &pool, &diag), 0, "%s", diag.text);
    return pool;
}

Test(pool, lays_out_arrays_and_sub_messages)
{
    struct dpl__pool *pool = create(&doppel__stamped_scan__descriptor, 1081, 2);
    struct dpl__block *block = dpl__pool_acquire(pool);
    Doppel__StampedScan *stamped = block->message.body;
    cr_assert_eq(block->message.type, &doppel__stamped_scan__descriptor);
    cr_assert_not_null(stamped->scan);
    cr_assert_not_null(stamped->scan->mount);
    cr_assert_eq(stamped->scan->n_ranges, 0);
    for (size_t i = 0; i < 1081; i++) {
        stamped->scan->ranges[i] = 1.0f;
        stamped->scan->intensities[i] = 2.0f;
    }
    cr_assert_eq(stamped->scan->ranges[1080], 1.0f);
    cr_assert_eq((uintptr_t)block % 64, 0);
}

Test(pool, packs_like_any_other_message)
{
    struct dpl__pool *pool = create(&doppel__scan__descriptor, 8, 1);
    Doppel__Scan *scan = dpl__pool_acquire(pool)->message.body;
    scan->n_ranges = 2;
    scan->ranges[0] = 1.5f;
    scan->ranges[1] = 2.5f;
    scan->mount->x = 0.1;
    uint8_t bytes[256];
    size_t n = doppel__scan__pack(scan, bytes);
    Doppel__Scan *back = doppel__scan__unpack(NULL, n, bytes);
    cr_assert_not_null(back);
    cr_assert_eq(back->n_ranges, 2);
    cr_assert_eq(back->ranges[1], 2.5f);
    cr_assert_eq(back->mount->x, 0.1);
    doppel__scan__free_unpacked(back, NULL);
}

Test(pool, gives_strings_room_and_starts_them_empty)
{
    struct dpl__pool *pool = create(&doppel__parameter__descriptor, 15, 1);
    struct dpl__block *block = dpl__pool_acquire(pool);
    Doppel__Parameter *parameter = block->message.body;
    strcpy(parameter->name, "fifteen letters");
    strcpy(parameter->value, "another fifteen");
    cr_assert_str_eq(parameter->name, "fifteen letters");
    dpl__block_unref(block);
    cr_assert_eq(dpl__pool_acquire(pool), block);
    cr_assert_str_eq(parameter->name, "");
    cr_assert_str_eq(parameter->value, "");
}

Test(pool, makes_a_used_block_fresh_again)
{
    struct dpl__pool *pool = create(&doppel__scan__descriptor, 4, 1);
    struct dpl__block *block = dpl__pool_acquire(pool);
    Doppel__Scan *scan = block->message.body;
    const void *mount = scan->mount, *ranges = scan->ranges;
    scan->n_ranges = 4;
    scan->period = 0.1;
    scan->mount->theta = 1.0;
    scan->mount = NULL;
    dpl__block_unref(block);
    cr_assert_eq(dpl__pool_acquire(pool), block);
    cr_assert_eq(scan->n_ranges, 0);
    cr_assert_eq(scan->period, 0.0);
    cr_assert_eq(scan->mount, mount);
    cr_assert_eq(scan->mount->theta, 0.0);
    cr_assert_eq(scan->ranges, ranges);
}

Test(pool, has_no_block_left_when_all_are_borrowed)
{
    struct dpl__pool *pool = create(NULL, 0, 2);
    struct dpl__block *first = dpl__pool_acquire(pool);
    struct dpl__block *second = dpl__pool_acquire(pool);
    cr_assert_neq(first, second);
    cr_assert_null(first->message.body);
    cr_assert_null(dpl__pool_acquire(pool));
    dpl__block_ref(first, 1);
    dpl__block_unref(first);
    cr_assert_null(dpl__pool_acquire(pool));
    dpl__block_unref(first);
    cr_assert_eq(dpl__pool_acquire(pool), first);
}

Test(pool, finds_blocks_by_index)
{
    struct dpl__pool *pool = create(&doppel__scan__descriptor, 4, 3);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(dpl__pool_at(pool, i)->index, i);
    }
}

Test(pool, refuses_messages_beyond_the_limit)
{
    struct dpl__pool *pool = NULL;
    cr_assert_eq(dpl__pool_create(&arena, &doppel__scan__descriptor, 4u << 20, 1, &pool, &diag),
                 -E2BIG);
    cr_assert(strstr(diag.text, "doppel.Scan"), "%s", diag.text);
    cr_assert_eq(dpl__pool_create(&arena, &doppel__scan__descriptor, 60000, 10000, &pool, &diag),
                 -E2BIG);
    cr_assert_null(pool);
}

Test(pool, counts_references_of_one_thread_as_those_of_several)
{
    for (int one_thread = 0; one_thread < 2; one_thread++) {
        struct dpl__pool *pool = create(&doppel__scan__descriptor, 4, 2);
        if (one_thread) {
            dpl__pool_keep_on_thread(pool, true);
        }
        struct dpl__block *first = dpl__pool_acquire(pool), *second = dpl__pool_acquire(pool);
        cr_assert_eq(second, first->following);
        dpl__block_ref(second, 3);
        for (int i = 0; i < 4; i++) {
            cr_assert_null(dpl__pool_acquire(pool), "reference %d of 4", i);
            dpl__block_unref(second);
        }
        cr_assert_eq(dpl__pool_acquire(pool), second);
        cr_assert_null(dpl__pool_acquire(pool));
    }
}

Test(pool, what_a_hop_touches_of_a_block_lies_in_one_cache_line)
{
    cr_assert_leq(sizeof(struct dpl__block), 64);
    cr_assert_eq(create(&doppel__scan__descriptor, 4, 2)->body_at, 64);
}

Test(pool, lays_out_repeated_messages_strings_and_bytes)
{
    struct dpl__pool *pool = create(&pool_types__tree__descriptor, 3, 1);
    PoolTypes__Tree *tree = dpl__pool_acquire(pool)->message.body;
    cr_assert_eq(tree->n_leaves, 0);
    for (size_t i = 0; i < 3; i++) {
        strcpy(tree->leaves[i]->name, "abc");
        strcpy(tree->notes[i], "xyz");
        tree->data.data[i] = 7;
    }
    cr_assert_str_eq(tree->leaves[0]->name, "abc");
    cr_assert_str_eq(tree->notes[1], "xyz");
    cr_assert_eq(tree->data.len, 0);
    cr_assert_eq(tree->leaves[2]->base.descriptor, &pool_types__leaf__descriptor);
}

Test(pool, gives_no_storage_to_a_type_in_itself_nor_to_a_oneof)
{
    struct dpl__pool *pool = create(&pool_types__tree__descriptor, 3, 1);
    PoolTypes__Tree *tree = dpl__pool_acquire(pool)->message.body;
    cr_assert_null(tree->children[0]);
    cr_assert_eq(tree->either_case, POOL_TYPES__TREE__EITHER__NOT_SET);
}
