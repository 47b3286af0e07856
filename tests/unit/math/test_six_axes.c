/* SPDX-License-Identifier: Apache-2.0 */
/* Six values and sets of degrees of freedom from texts. */
#include <criterion/criterion.h>

#include <doppel/math/six_axes.h>

static double values[DPL_SIX];
static const char *at;

static void expect_values(const char *text, const double expected[DPL_SIX])
{
    cr_assert(dpl_six_read(text, values, &at), "\"%s\" was refused", text);
    for (int i = 0; i < DPL_SIX; i++) {
        cr_assert_eq(values[i], expected[i], "\"%s\": %d is %g", text, i, values[i]);
    }
}

Test(six_axes, takes_one_number_for_all_two_for_the_halves_and_six_one_each)
{
    expect_values("7", (double[]){7, 7, 7, 7, 7, 7});
    expect_values(" 5000 200 ", (double[]){5000, 5000, 5000, 200, 200, 200});
    expect_values("1 2 3 4 5 -6e1;", (double[]){1, 2, 3, 4, 5, -60});
}

static void refuse(const char *text, size_t offset)
{
    values[0] = 42.0;
    cr_assert_not(dpl_six_read(text, values, &at), "\"%s\" was taken", text);
    cr_assert_eq((size_t)(at - text), offset, "\"%s\": %zu", text, (size_t)(at - text));
    cr_assert_eq(values[0], 42.0, "\"%s\" was written", text);
}

Test(six_axes, refuses_other_counts_words_and_further_rows_and_says_where)
{
    refuse("", 0);
    refuse("1 2 3", 0);
    refuse("1 2 3 4 5", 0);
    refuse("1 two", 2);
    refuse("1 2 3 4 5 6 7", 12);
    refuse("1; 2", 3);
    refuse("nan", 0);
}

Test(six_axes, reads_a_set_of_names_in_any_order)
{
    bool set[DPL_SIX];
    cr_assert(dpl_six_read_set("yaw x", set, &at));
    const bool expected[DPL_SIX] = {true, false, false, false, false, true};
    cr_assert_eq(memcmp(set, expected, sizeof set), 0);
    cr_assert(dpl_six_read_set("  ", set, &at));
    cr_assert_not(set[0] || set[5]);
    const char *text = "x w";
    cr_assert_not(dpl_six_read_set(text, set, &at));
    cr_assert_eq(at - text, 2);
}

Test(six_axes, takes_whole_words_only)
{
    static const char *const words[] = {"step", "steps"};
    size_t index = 9;
    struct dpl_rows rows = dpl_rows_begin("steps 1");
    cr_assert(dpl_rows_word(&rows, words, 2, &index));
    cr_assert_eq(index, 1);
    cr_assert_eq(*rows.at, '1');
    rows = dpl_rows_begin("ste 1");
    cr_assert_not(dpl_rows_word(&rows, words, 2, &index));
    cr_assert_eq(*rows.at, 's');
}
