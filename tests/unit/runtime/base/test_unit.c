/* SPDX-License-Identifier: Apache-2.0 */
/* Units of measure. */
#include <errno.h>

#include <criterion/criterion.h>

#include <doppel/field.h>

#include "unit.h"

static double converted(double value, const char *from, const char *to)
{
    double result = -1;
    cr_assert_eq(dpl_unit_convert(value, from, to, &result), 0, "%s to %s", from, to);
    return result;
}

Test(unit, converts_within_a_dimension_to_the_nearest_double)
{
    cr_assert(converted(130, "mm", "m") == 0.13);
    cr_assert(converted(13, "cm", "m") == 0.13);
    cr_assert(converted(0.13, "m", "mm") == 130);
    cr_assert_float_eq(converted(180, "deg", "rad"), 3.14159265358979, 1e-14);
    cr_assert_float_eq(converted(60, "rpm", "rad/s"), 6.28318530717959, 1e-14);
    cr_assert(converted(3.6, "km/h", "m/s") == 1);
    cr_assert(converted(100, "ms", "s") == 0.1);
    cr_assert(converted(50, "%", "1") == 0.5);
}

Test(unit, leaves_a_value_in_its_own_unit_as_it_is)
{
    cr_assert(converted(0.1, "deg", "deg") == 0.1);
}

Test(unit, refuses_another_dimension_and_unknown_names)
{
    double result = 5;
    cr_assert_eq(dpl_unit_convert(1, "m", "rad", &result), -EINVAL);
    cr_assert_eq(dpl_unit_convert(1, "furlong", "m", &result), -EINVAL);
    cr_assert_eq(dpl_unit_convert(1, "m", "", &result), -EINVAL);
    cr_assert(result == 5);
}

Test(unit, guesses_the_unit_somebody_meant)
{
    const double range[2] = {0.01, 2};
    double value = 0;
    cr_assert_str_eq(dpl__unit_guess(130, "m", range, &value), "mm");
    cr_assert(value == 0.13);
    const double angle[2] = {-3.2, 3.2};
    cr_assert_str_eq(dpl__unit_guess(90, "rad", angle, &value), "deg");
    cr_assert_null(dpl__unit_guess(-1, "m", range, &value));
}

Test(unit, lists_the_units_that_convert_to_one_another)
{
    size_t next = 0;
    cr_assert_str_eq(dpl__unit_next("deg", &next), "rad");
    cr_assert_str_eq(dpl__unit_next("deg", &next), "deg");
    cr_assert_null(dpl__unit_next("deg", &next));
    next = 0;
    cr_assert_null(dpl__unit_next("parsec", &next));
}
