/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "arena.h"
#include "row_tap.h"

static struct dpl_arena arena;
static struct dpl__row_tap tap;

static void setup(void)
{
    dpl__row_tap_init(&tap, &arena, sizeof(int), 3);
}

static void teardown(void)
{
    dpl_arena_finish(&arena);
}

TestSuite(row_tap, .init = setup, .fini = teardown);

static bool write_row(int value)
{
    struct dpl__row *row = dpl__row_tap_open(&tap);
    if (row) {
        *(int *)(void *)row->data = value;
        dpl__row_tap_send(&tap, value);
    }
    return row != NULL;
}

Test(row_tap, takes_nothing_while_nobody_listens)
{
    cr_assert_not(write_row(1));
    cr_assert_null(dpl__row_tap_take(&tap));
    cr_assert_eq(tap.n_dropped, 0);
}

Test(row_tap, keeps_order_and_drops_new_rows_when_full)
{
    tap.listening = true;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 4; i++) {
            cr_assert_eq(write_row(10 * round + i), i < 3);
        }
        for (int i = 0; i < 3; i++) {
            const struct dpl__row *row = dpl__row_tap_take(&tap);
            cr_assert_not_null(row);
            cr_assert_eq(*(const int *)(const void *)row->data, 10 * round + i);
            cr_assert_eq(row->stamp, 10 * round + i);
            cr_assert_eq(row->sequence, (uint64_t)(4 * round + i));
            dpl__row_tap_release(&tap);
        }
        cr_assert_null(dpl__row_tap_take(&tap));
        cr_assert_eq(tap.n_dropped, (uint64_t)(round + 1));
    }
}

static unsigned n_asked;

static void read_one(void *user)
{
    n_asked++;
    cr_assert_not_null(dpl__row_tap_take(user));
    dpl__row_tap_release(user);
}

Test(row_tap, waits_for_room_where_nothing_may_be_lost)
{
    atomic_store(&tap.listening, true);
    tap.make_room = read_one;
    tap.user = &tap;
    for (int i = 0; i < 5; i++) {
        cr_assert(write_row(i));
    }
    cr_assert_eq(n_asked, 2);
    cr_assert_eq(tap.n_dropped, 0);
    cr_assert_eq(dpl__row_tap_take(&tap)->sequence, 2);
}
