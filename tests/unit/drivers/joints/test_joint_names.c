/* SPDX-License-Identifier: Apache-2.0 */
/* Names of joints in a property. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "joint_names.h"

static void refuses(const char *text, const char *why)
{
    struct dpl_diag error = {.text = ""};
    cr_assert_eq(joint_names_check(text, &error), -EINVAL, "%s", text);
    cr_assert_not_null(strstr(error.text, why), "'%s': %s", text, error.text);
}

Test(joint_names, are_taken_in_order_whatever_the_blanks_between_them)
{
    struct joint_names names;
    cr_assert_eq(joint_names_check("  waist\tshoulder\n elbow ", NULL), 0);
    joint_names_parse("  waist\tshoulder\n elbow ", &names);
    cr_assert_eq(names.n, 3);
    cr_assert_str_eq(names.name[0], "waist");
    cr_assert_str_eq(names.name[1], "shoulder");
    cr_assert_str_eq(names.name[2], "elbow");
}

Test(joint_names, none_or_the_same_twice_is_an_error_with_its_place)
{
    refuses("", "at least one joint");
    refuses("   ", "at least one joint");
    refuses("waist elbow waist", "character 13 (\"waist\"): this joint is there already");
}

Test(joint_names, are_at_most_32_of_63_characters)
{
    char text[2048] = "", name[80];
    for (int i = 0; i < DPL_JOINTS_MAX; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "j%d ", i);
    }
    cr_assert_eq(joint_names_check(text, NULL), 0);
    strcat(text, "one_more");
    refuses(text, "at most 32 joints");
    memset(name, 'x', sizeof name);
    name[63] = '\0';
    cr_assert_eq(joint_names_check(name, NULL), 0);
    name[63] = 'x';
    name[64] = '\0';
    refuses(name, "at most 63 characters");
}
