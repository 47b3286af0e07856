/* SPDX-License-Identifier: Apache-2.0 */
/* Names: forgiving equality and suggestions. */
#include <criterion/criterion.h>

#include <doppel/diag.h>
#include <doppel/field.h>

static const char *const names[] = {"WheelDiameter", "AxleDistance", "SafeRadius", "port"};

static const char *near(const char *word)
{
    return dpl_nearest(word, names, DPL_COUNT(names));
}

Test(name_equal, ignores_case_blanks_dots_and_underscores)
{
    cr_assert(dpl_name_equal("L._Motor Name", "L_Motor_Name"));
    cr_assert(dpl_name_equal("APIName", "ApiName"));
    cr_assert(dpl_name_equal(" Maximum Velocity ", "MaximumVelocity"));
    cr_assert_not(dpl_name_equal("L_Motor_Name", "R_Motor_Name"));
    cr_assert_not(dpl_name_equal("port", "ports"));
}

Test(name_equal, is_false_for_names_without_letters)
{
    cr_assert_not(dpl_name_equal("", ""));
    cr_assert_not(dpl_name_equal("_", "."));
    cr_assert_not(dpl_name_equal("a", ""));
}

Test(name_equal, compares_letters_beyond_ascii)
{
    cr_assert(dpl_name_equal("\xed\x9c\xa0 1", "\xed\x9c\xa0_1"));
    cr_assert_not(dpl_name_equal("\xed\x9c\xa0", "\xed\x9c\xa1"));
}

Test(nearest, finds_the_misspelled_name)
{
    cr_assert_str_eq(near("WheelDiamter"), "WheelDiameter");
    cr_assert_str_eq(near("axeldistance"), "AxleDistance");
    cr_assert_str_eq(near("safe_radius"), "SafeRadius");
    cr_assert_str_eq(near("prot"), "port");
}

Test(nearest, is_null_when_nothing_is_near_enough)
{
    cr_assert_null(near("Camera"));
    cr_assert_null(near(""));
    cr_assert_null(near("a word that is much longer than any name anybody would use in a profile"));
    cr_assert_null(dpl_nearest("port", names, 0));
}

Test(nearest, takes_the_first_of_equals)
{
    const char *const pair[] = {"ab", "ac"};
    cr_assert_str_eq(dpl_nearest("ad", pair, 2), "ab");
}
