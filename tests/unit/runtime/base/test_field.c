/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables: parsing, units, ranges, messages, defaults, printing. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/field.h>

enum mode { MODE_SLOW, MODE_FAST };

struct values {
    bool enabled;
    int64_t count, period_ms;
    double diameter_m, angle_rad, any;
    char name[8];
    int mode;
};

enum { ENABLED, COUNT, PERIOD, DIAMETER, ANGLE, ANY, NAME, MODE };

/* No digits. */
static int check_digits(const char *text, struct dpl_diag *reterr)
{
    size_t n = strcspn(text, "0123456789");
    return text[n] == '\0' ? 0
                           : dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                                      "character %zu is a digit", n + 1);
}

static const struct dpl_field fields[] = {
    [ENABLED] = {.name = "Enabled",
                 .type = DPL_FIELD_BOOL,
                 DPL_MEMBER(struct values, enabled),
                 .default_text = "yes"},
    [COUNT] = {.name = "Count",
               .type = DPL_FIELD_INT,
               DPL_MEMBER(struct values, count),
               .default_text = "3",
               .min = 1,
               .max = 10},
    [PERIOD] = {.name = "Period",
                .type = DPL_FIELD_INT,
                DPL_MEMBER(struct values, period_ms),
                .unit = "ms",
                .default_text = "100"},
    [DIAMETER] = {.name = "WheelDiameter",
                  .aliases = "Diameter|WD",
                  .type = DPL_FIELD_DOUBLE,
                  DPL_MEMBER(struct values, diameter_m),
                  .unit = "m",
                  .min = 0.01,
                  .max = 2},
    [ANGLE] = {.name = "StartAngle",
               .type = DPL_FIELD_DOUBLE,
               DPL_MEMBER(struct values, angle_rad),
               .unit = "rad",
               .default_text = "-120 deg",
               .min = -3.2,
               .max = 3.2},
    [ANY] = {.name = "Any", .type = DPL_FIELD_DOUBLE, DPL_MEMBER(struct values, any)},
    [NAME] = {.name = "Name",
              .type = DPL_FIELD_STRING,
              DPL_MEMBER(struct values, name),
              .check = check_digits},
    [MODE] = {.name = "Mode",
              .type = DPL_FIELD_CHOICE,
              DPL_MEMBER(struct values, mode),
              .choices = "slow|fast",
              .default_text = "fast"},
};

static const struct dpl_place somewhere = {"p.xml", 4, 9};

static int parse(struct values *values, int field, const char *text, struct dpl_diag *diag)
{
    struct dpl_field_text given = {.text = text, .place = somewhere};
    return dpl_field_parse(&fields[field], &given, values, diag);
}

static void assert_refused(int field, const char *text, const char *expected)
{
    struct values values = {.diameter_m = 42, .count = 42, .mode = 42};
    struct values before = values;
    struct dpl_diag diag;
    cr_assert_eq(parse(&values, field, text, &diag), -EINVAL, "%s", text);
    cr_assert_str_eq(diag.text, expected, "'%s': %s", text, diag.text);
    cr_assert_str_eq(diag.place.file, "p.xml");
    cr_assert_eq(diag.place.line, 4);
    cr_assert_eq(diag.place.column, 9);
    cr_assert_eq(memcmp(&values, &before, sizeof(values)), 0);
}

Test(field_find, matches_names_and_aliases_loosely)
{
    cr_assert_eq(dpl_field_find(fields, DPL_COUNT(fields), "wheel_diameter"), &fields[DIAMETER]);
    cr_assert_eq(dpl_field_find(fields, DPL_COUNT(fields), "wd"), &fields[DIAMETER]);
    cr_assert_eq(dpl_field_find(fields, DPL_COUNT(fields), "Diameter"), &fields[DIAMETER]);
    cr_assert_null(dpl_field_find(fields, DPL_COUNT(fields), "Diameter|WD"));
    cr_assert_null(dpl_field_find(fields, DPL_COUNT(fields), "Wheel"));
}

Test(field_parse, reads_every_type)
{
    struct values values = {0};
    cr_assert_eq(parse(&values, ENABLED, "On", NULL), 0);
    cr_assert_eq(parse(&values, COUNT, " 7 ", NULL), 0);
    cr_assert_eq(parse(&values, DIAMETER, "0.13", NULL), 0);
    cr_assert_eq(parse(&values, NAME, "Left W", NULL), 0);
    cr_assert_eq(parse(&values, MODE, "Fast", NULL), 0);
    cr_assert(values.enabled);
    cr_assert_eq(values.count, 7);
    cr_assert(values.diameter_m == 0.13);
    cr_assert_str_eq(values.name, "Left W");
    cr_assert_eq(values.mode, MODE_FAST);
}

Test(field_parse, converts_units_after_the_number)
{
    struct values values = {0};
    cr_assert_eq(parse(&values, DIAMETER, "130 mm", NULL), 0);
    cr_assert(values.diameter_m == 0.13);
    cr_assert_eq(parse(&values, DIAMETER, "14cm", NULL), 0);
    cr_assert(values.diameter_m == 0.14);
    cr_assert_eq(parse(&values, PERIOD, "2 s", NULL), 0);
    cr_assert_eq(values.period_ms, 2000);
}

Test(field_parse, converts_the_unit_attribute)
{
    struct values values = {0};
    struct dpl_field_text text = {"90", "deg", somewhere};
    cr_assert_eq(dpl_field_parse(&fields[ANGLE], &text, &values, NULL), 0);
    cr_assert_float_eq(values.angle_rad, 1.5707963267949, 1e-12);
    text.unit = "";
    text.text = "1.5";
    cr_assert_eq(dpl_field_parse(&fields[ANGLE], &text, &values, NULL), 0);
    cr_assert(values.angle_rad == 1.5);
}

Test(field_parse, refuses_two_units_that_disagree)
{
    struct values values = {0};
    struct dpl_diag diag;
    struct dpl_field_text text = {"90 deg", "rad", somewhere};
    cr_assert_eq(dpl_field_parse(&fields[ANGLE], &text, &values, &diag), -EINVAL);
    cr_assert_str_eq(diag.text,
                     "StartAngle: unit confusion: the value says 'deg', its unit attribute 'rad'");
}

Test(field_parse, what_does_not_fit_is_refused_with_a_reason)
{
    static const struct {
        int field;
        const char *text, *said;
    } rows[] = {
        /* names the range and the unit that would fit */
        {DIAMETER, "130",
         "WheelDiameter: 130 m is out of range, expected 0.01..2 m; did you mean 0.13 "
         "(130 mm)?"},
        {ANGLE, "90",
         "StartAngle: 90 rad is out of range, expected -3.2..3.2 rad; did you mean "
         "1.5708 (90 deg)?"},
        {DIAMETER, "0.13 mm",
         "WheelDiameter: 0.13 mm (0.00013 m) is out of range, "
         "expected 0.01..2 m; did you mean 0.13 m?"},
        {DIAMETER, "5 km",
         "WheelDiameter: 5 km (5000 m) is out of range, expected "
         "0.01..2 m; did you mean 5 cm?"},
        {DIAMETER, "3 m", "WheelDiameter: 3 m is out of range, expected 0.01..2 m"},
        {DIAMETER, "-1", "WheelDiameter: -1 m is out of range, expected 0.01..2 m"},
        {COUNT, "11", "Count: 11 is out of range, expected 1..10"},
        /* refuses another dimension */
        {DIAMETER, "5 deg", "WheelDiameter: unit confusion: 'deg' cannot be converted to m"},
        {COUNT, "5 m", "Count: unit confusion: it has no unit, found 'm'"},
        {DIAMETER, "5 furlong", "WheelDiameter: unknown unit 'furlong' in '5 furlong'; expected m"},
        /* refuses what is no number */
        {DIAMETER, "0,13", "WheelDiameter: '0,13' is not a number (in m)"},
        {DIAMETER, "", "WheelDiameter: '' is not a number (in m)"},
        {ANY, "nan", "Any: 'nan' is not a number"},
        {ANY, "0x10", "Any: '0x10' is not a number"},
        {COUNT, "2.5", "Count: '2.5' is not a whole number"},
        {PERIOD, "1500 us", "Period: '1500 us' is not a whole number of ms"},
        /* refuses wrong words */
        {ENABLED, "maybe", "Enabled: 'maybe' is neither true nor false"},
        {MODE, "fats", "Mode: 'fats' is not one of slow|fast; did you mean 'fast'?"},
        {MODE, "", "Mode: '' is not one of slow|fast"},
        {NAME, "too long a name", "Name: the text has 15 bytes, at most 7 are allowed"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_refused(rows[i].field, rows[i].text, rows[i].said);
    }
}

Test(fields_set_defaults, fills_what_has_a_fallback)
{
    struct values values = {.diameter_m = 5};
    dpl_fields_set_defaults(fields, DPL_COUNT(fields), &values);
    cr_assert(values.enabled);
    cr_assert_eq(values.count, 3);
    cr_assert_float_eq(values.angle_rad, -2.0943951023932, 1e-12);
    cr_assert_eq(values.mode, MODE_FAST);
    cr_assert(values.diameter_m == 5);
}

Test(field_format, writes_text_that_parses_to_the_same)
{
    struct values values = {true, 7, 100, 0.1 + 0.2, -1, 0, "abc", MODE_SLOW};
    const char *expected[] = {"true", "7", "100", "0.30000000000000004", "-1", "0", "abc", "slow"};
    for (size_t i = 0; i < DPL_COUNT(fields); i++) {
        char text[32];
        int n = dpl_field_format(&fields[i], &values, text, sizeof(text));
        cr_assert_str_eq(text, expected[i]);
        cr_assert_eq((size_t)n, strlen(expected[i]));
    }
}

Test(field_parse, asks_a_texts_own_check_and_keeps_the_place)
{
    struct values values = {.name = "old"};
    struct dpl_diag diag;
    cr_assert_eq(parse(&values, NAME, "ne3", &diag), -EINVAL);
    cr_assert_str_eq(diag.text, "Name: character 3 is a digit");
    cr_assert_eq(diag.place.line, somewhere.line);
    cr_assert_str_eq(values.name, "old");
    cr_assert_eq(parse(&values, NAME, "new", &diag), 0);
    cr_assert_str_eq(values.name, "new");
}

Test(field_number, reads_every_type_but_strings)
{
    struct values values = {true, 7, 100, 0.25, -1, 0, "abc", MODE_FAST};
    cr_assert(dpl_field_number(&fields[ENABLED], &values) == 1);
    cr_assert(dpl_field_number(&fields[COUNT], &values) == 7);
    cr_assert(dpl_field_number(&fields[DIAMETER], &values) == 0.25);
    cr_assert(dpl_field_number(&fields[MODE], &values) == MODE_FAST);
    cr_assert(isnan(dpl_field_number(&fields[NAME], &values)));
}
