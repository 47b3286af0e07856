/* SPDX-License-Identifier: Apache-2.0 */
#include "mcap_ring.h"

#include <criterion/criterion.h>
#include <string.h>

static struct mcap_ring ring = {.most = 1u << 20};

/* What came out: the letters in their order. */
static char given[64];

static void give(void *user, size_t index, const struct dpl_sample *sample)
{
    size_t n = strlen(given);
    cr_assert_eq(user, &ring);
    cr_assert_eq(sample->n, 1);
    cr_assert_eq(index, (size_t) * (const char *)sample->data);
    given[n] = *(const char *)sample->data;
}

static void add(char letter, dpl_ns taken)
{
    struct dpl_sample sample = {.taken = taken, .data = &letter, .n = 1};
    cr_assert_eq(mcap_ring_add(&ring, (size_t)letter, &sample, give, &ring), 0);
}

static void teardown(void)
{
    mcap_ring_finish(&ring);
}

TestSuite(mcap_ring, .fini = teardown);

Test(mcap_ring, gives_what_was_taken_in_a_time_in_its_order)
{
    add('a', 10);
    add('b', 20);
    add('c', 5);
    add('d', 30);
    mcap_ring_take(&ring, 10, 20, give, &ring);
    cr_assert_str_eq(given, "ab");
    mcap_ring_take(&ring, 0, 100, give, &ring);
    cr_assert_str_eq(given, "abcd");
    cr_assert_eq(ring.n_bytes, 0);
    add('e', 1);
    cr_assert_eq(mcap_ring_first(&ring, 7), 1, "it takes more after that");
}

Test(mcap_ring, drops_the_oldest)
{
    add('a', 10);
    add('b', 20);
    add('c', 15);
    mcap_ring_drop(&ring, 20, give, &ring);
    cr_assert_str_eq(given, "a");
    mcap_ring_drop(&ring, 21, give, &ring);
    cr_assert_str_eq(given, "abc");
    cr_assert_eq(mcap_ring_first(&ring, 7), 7);
}

Test(mcap_ring, has_at_most_so_many_bytes)
{
    add('a', 1);
    ring.most = 2 * ring.n_bytes;
    add('b', 2);
    cr_assert_str_eq(given, "");
    add('c', 3);
    cr_assert_str_eq(given, "a");
    ring.most = 1;
    add('d', 4);
    cr_assert_str_eq(given, "abcd", "also what is larger than it");
    cr_assert_eq(ring.n_bytes, 0);
}
