/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that a field checks itself. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include <doppel/field.h>

struct values {
    double roll_deg;
};

static char seen[64]; /* by the check */

static int only_half_turns(const char *text, struct dpl_diag *reterr)
{
    snprintf(seen, sizeof seen, "%s", text);
    return strcmp(text, "0") == 0 || strcmp(text, "180") == 0
               ? 0
               : dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "found %s", text);
}

static const struct dpl_field field = {
    .name = "Roll",
    .type = DPL_FIELD_DOUBLE,
    DPL_MEMBER(struct values, roll_deg),
    .unit = "deg",
    .default_text = "0",
    .min = -360,
    .max = 360,
    .check = only_half_turns,
};

static int parse(struct values *values, const char *text, struct dpl_diag *reterr)
{
    const struct dpl_field_text given = {.text = text, .place = {"robot.xml", 3, 14}};
    return dpl_field_parse(&field, &given, values, reterr);
}

Test(field_check, of_a_number_gets_it_in_the_fields_unit)
{
    struct values values = {0};
    struct dpl_diag diag;
    cr_assert_eq(parse(&values, "180 deg", &diag), 0);
    cr_assert_str_eq(seen, "180");
    cr_assert(values.roll_deg == 180.0);
    cr_assert_eq(parse(&values, "3.141592653589793 rad", &diag), 0);
    cr_assert_str_eq(seen, "180");
}

Test(field_check, of_a_number_refuses_it_at_its_place)
{
    struct values values = {180.0};
    struct dpl_diag diag;
    cr_assert_eq(parse(&values, "12.5", &diag), -EINVAL);
    cr_assert_str_eq(diag.text, "Roll: found 12.5");
    cr_assert_eq(diag.place.line, 3);
    cr_assert_eq(diag.place.column, 14);
    cr_assert(values.roll_deg == 180.0, "it stays");
}

Test(field_check, comes_after_the_range)
{
    struct values values = {0};
    struct dpl_diag diag;
    seen[0] = '\0';
    cr_assert_eq(parse(&values, "400", &diag), -EINVAL);
    cr_assert_str_eq(seen, "");
}
