/* SPDX-License-Identifier: Apache-2.0 */
/* A heap gives blocks that are apart, takes them back, and goes back to what was saved of it. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>

#include "heap.h"

enum { BLOCKS = 500, MIB = 1 << 20 };

static struct dpl_heap *heap;

static void begin(void)
{
    heap = dpl__heap_create((size_t)64 * MIB);
    cr_assert_not_null(heap);
}

static void end(void)
{
    dpl__heap_destroy(heap);
}

TestSuite(heap, .init = begin, .fini = end);

struct owned {
    unsigned char *bytes;
    size_t size;
    unsigned char mark;
};

static void allocate(struct owned *block, struct dpl_random *rng)
{
    /* From nothing to 100 kB, small ones as often as large ones. */
    block->size = (size_t)exp(dpl_random_uniform(rng, 0.0, 11.5)) - 1;
    block->mark = (unsigned char)(block->mark + 1);
    block->bytes = dpl__heap_alloc(heap, block->size);
    cr_assert_not_null(block->bytes);
    cr_assert_eq((uintptr_t)block->bytes % 16, 0);
    memset(block->bytes, block->mark, block->size);
}

static void expect_untouched(const struct owned *block)
{
    for (size_t i = 0; i < block->size; i++) {
        cr_assert_eq(block->bytes[i], block->mark);
    }
}

Test(heap, blocks_of_all_sizes_are_apart_and_given_back_ones_are_used_again)
{
    static struct owned blocks[BLOCKS];
    struct dpl_random rng = dpl_random_seeded(3, 0);
    size_t used_before = 0;
    for (int round = 0; round < 40; round++) {
        for (size_t i = 0; i < BLOCKS; i++) {
            if (blocks[i].bytes && dpl_random_uniform(&rng, 0.0, 1.0) < 0.5) {
                expect_untouched(&blocks[i]);
                dpl__heap_free(heap, blocks[i].bytes);
                blocks[i].bytes = NULL;
            }
            if (!blocks[i].bytes) {
                blocks[i].mark = (unsigned char)(i + (size_t)round);
                allocate(&blocks[i], &rng);
            }
        }
        used_before = round == 20 ? dpl__heap_used(heap) : used_before;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        expect_untouched(&blocks[i]);
    }
    cr_assert_lt(dpl__heap_used(heap), used_before + used_before / 4);
}

Test(heap, no_more_than_an_eighth_and_a_header_is_lost_of_a_block)
{
    for (size_t size = 0; size < 100000; size = size + size / 50 + 1) {
        size_t before = dpl__heap_used(heap);
        cr_assert_not_null(dpl__heap_alloc(heap, size));
        size_t taken = dpl__heap_used(heap) - before;
        cr_assert_geq(taken, size + 16);
        cr_assert_leq(taken, size + size / 8 + 48, "%zu for %zu", taken, size);
    }
}

Test(heap, zeroed_memory_is_zero_also_where_something_was)
{
    unsigned char *used = dpl__heap_alloc(heap, 1000);
    memset(used, 0xff, 1000);
    dpl__heap_free(heap, used);
    unsigned char *zeroed = dpl__heap_zeroed(heap, 125, 8);
    cr_assert_eq(zeroed, used, "the block that was given back");
    for (size_t i = 0; i < 1000; i++) {
        cr_assert_eq(zeroed[i], 0);
    }
    cr_assert_not_null(dpl__heap_zeroed(heap, 0, 8));
    cr_assert_null(dpl__heap_zeroed(heap, SIZE_MAX / 4, 8));
}

Test(heap, a_full_heap_says_so_and_stays_usable)
{
    void *first = dpl__heap_alloc(heap, 1000);
    size_t n = 0;
    while (dpl__heap_alloc(heap, MIB)) {
        n++;
    }
    cr_assert(n >= 55 && n <= 63, "%zu", n);
    cr_assert_null(dpl__heap_alloc(heap, SIZE_MAX));
    cr_assert_null(dpl__heap_alloc(heap, SIZE_MAX - 16));
    dpl__heap_free(heap, first);
    cr_assert_eq(dpl__heap_alloc(heap, 1000), first);
}

static void *copy_of(const struct dpl_heap *saved, size_t *ret_size)
{
    *ret_size = dpl__heap_used(saved);
    void *bytes = malloc(*ret_size);
    cr_assert_not_null(bytes);
    dpl__heap_save(saved, bytes);
    return bytes;
}

Test(heap, restoring_brings_back_contents_free_blocks_and_addresses_to_come)
{
    char *kept = dpl__heap_alloc(heap, 100), *freed = dpl__heap_alloc(heap, 300);
    strcpy(kept, "as it was");
    dpl__heap_free(heap, freed);
    size_t size;
    void *bytes = copy_of(heap, &size);
    void *first[20], *again[20];
    for (int round = 0; round < 3; round++) {
        void **got = round ? again : first;
        for (size_t i = 0; i < 20; i++) {
            got[i] = dpl__heap_alloc(heap, 300 + 50 * i);
            memset(got[i], 0xaa, 300 + 50 * i);
        }
        strcpy(kept, "changed");
        dpl__heap_free(heap, kept);
        cr_assert_eq(first[0], freed);
        cr_assert_eq(round && memcmp(first, again, sizeof first), 0);
        cr_assert_eq(dpl__heap_restore(heap, bytes, size), 0);
        cr_assert_eq(dpl__heap_used(heap), size);
        cr_assert_str_eq(kept, "as it was");
    }
    /* also what was never used is as before: zero */
    unsigned char *fresh = dpl__heap_alloc(heap, 5000);
    for (size_t i = 0; i < 5000; i++) {
        cr_assert_eq(fresh[i], 0);
    }
    free(bytes);
}

Test(heap, a_later_copy_can_be_restored_after_an_earlier_one)
{
    int *value = dpl__heap_zeroed(heap, 1, sizeof *value);
    size_t size, later_size;
    void *bytes = copy_of(heap, &size);
    int *larger = dpl__heap_zeroed(heap, 10000, sizeof *larger);
    larger[9999] = 7;
    *value = 1;
    void *later = copy_of(heap, &later_size);
    cr_assert_eq(dpl__heap_restore(heap, bytes, size), 0);
    cr_assert_eq(*value, 0);
    cr_assert_eq(dpl__heap_restore(heap, later, later_size), 0);
    cr_assert_eq(*value, 1);
    cr_assert_eq(larger[9999], 7);
    free(bytes);
    free(later);
}

Test(heap, what_is_not_a_whole_copy_of_this_heap_is_refused_and_changes_nothing)
{
    int *value = dpl__heap_zeroed(heap, 1, sizeof *value);
    struct dpl_heap *other = dpl__heap_create(MIB);
    size_t size, other_size;
    void *bytes = copy_of(heap, &size), *others = copy_of(other, &other_size);
    *value = 5;
    cr_assert_eq(dpl__heap_restore(heap, bytes, size - 1), -EINVAL);
    cr_assert_eq(dpl__heap_restore(heap, bytes, 8), -EINVAL);
    cr_assert_eq(dpl__heap_restore(heap, bytes, 0), -EINVAL);
    cr_assert_eq(dpl__heap_restore(heap, others, other_size), -EINVAL);
    cr_assert_eq(*value, 5);
    cr_assert_eq(dpl__heap_restore(heap, bytes, size), 0);
    cr_assert_eq(*value, 0);
    dpl__heap_destroy(other);
    free(bytes);
    free(others);
}

Test(heap, leaves_its_addresses_usable_for_others)
{
    struct dpl_heap *gone = dpl__heap_create(0);
    cr_assert_not_null(gone);
    for (size_t i = 0; i < 64; i++) {
        dpl__heap_free(gone, dpl__heap_alloc(gone, 1000));
        cr_assert_not_null(dpl__heap_alloc(gone, 100));
    }
    size_t used = dpl__heap_used(gone);
    dpl__heap_destroy(gone);
    void *again = mmap(gone, used, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    cr_assert_eq(again, (void *)gone, "somebody else has the addresses already");
    memset(again, 1, used);
    munmap(again, used);
}

#ifdef DPL_HEAP_WATCHED

#include <sanitizer/asan_interface.h>

static void expect_watched(const char *live, size_t size, const char *freed)
{
    cr_assert(!__asan_address_is_poisoned(live) && !__asan_address_is_poisoned(live + size - 1));
    cr_assert(__asan_address_is_poisoned(live + size), "beyond the end");
    cr_assert(__asan_address_is_poisoned(live - 1), "in front of the start");
    cr_assert(__asan_address_is_poisoned(freed), "free");
}

Test(heap, address_sanitizer_sees_what_is_free_and_the_ends_of_blocks_also_after_restoring)
{
    char *live = dpl__heap_alloc(heap, 50), *freed = dpl__heap_alloc(heap, 50);
    dpl__heap_free(heap, freed);
    expect_watched(live, 50, freed);
    size_t size;
    void *bytes = copy_of(heap, &size);
    expect_watched(live, 50, freed);
    dpl__heap_free(heap, live);
    cr_assert_eq(dpl__heap_alloc(heap, 60), live);
    cr_assert_eq(dpl__heap_restore(heap, bytes, size), 0);
    expect_watched(live, 50, freed);
    free(bytes);
}

#else /* which needs more addresses than any limit */

Test(heap, a_process_with_few_addresses_gets_a_smaller_heap_or_none)
{
    struct rlimit limit = {.rlim_cur = (rlim_t)300 * MIB, .rlim_max = RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    struct dpl_heap *small = dpl__heap_create((size_t)1 << 40);
    cr_assert_not_null(small);
    cr_assert_not_null(dpl__heap_alloc(small, 16 * MIB));
    limit.rlim_cur = 1;
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    cr_assert_null(dpl__heap_create(MIB));
    dpl__heap_destroy(small);
}

#endif
