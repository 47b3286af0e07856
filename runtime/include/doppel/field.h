/* SPDX-License-Identifier: Apache-2.0 */
/* Field tables: one const table describes the properties of a class, driver or world element, or
 * the exported variables of a state. The table is used to parse, to check range and unit, to fill
 * defaults, to print, and for `doppel info`, the schema and the documentation. */
#ifndef DOPPEL_FIELD_H
#define DOPPEL_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_field_type {
    DPL_FIELD_BOOL,   /* bool; text true|false|1|0|yes|no|on|off */
    DPL_FIELD_INT,    /* int64_t */
    DPL_FIELD_DOUBLE, /* double, finite */
    DPL_FIELD_STRING, /* char[size], NUL-terminated */
    DPL_FIELD_CHOICE, /* int: index into `choices` */
};

enum dpl_field_flag {
    DPL_FIELD_LIVE = 1 << 0,    /* property: may be set while the component is active */
    DPL_FIELD_TRACE = 1 << 1,   /* export: a column of trace.csv */
    DPL_FIELD_SUMMARY = 1 << 2, /* export: a key of summary.json */
    DPL_FIELD_STATUS = 1 << 3,  /* export: shown on the live status line */
    DPL_FIELD_FILE = 1 << 4,    /* property, a text: names a file that is read; "": none. The loader
                                   searches the file beside the profile that sets the property (--set:
                                   in the working folder) and stores its path in the property */
    DPL_FIELD_RESULT = 1 << 5,  /* property of a component, a text: names the file that it writes
                                   into the folder for results; "": none. Two components with the
                                   same name are an error when an application is loaded */
    DPL_FIELD_IF_THERE = 1 << 6, /* export: has no column and no key if it is NaN, or a choice below
                                    0, when all components are initialized */
    DPL_FIELD_WORLD = 1 << 7, /* property, a text: names a world, or is the address of a served one
                                 (tcp://HOST:PORT); "": none. The loader searches it as the world
                                 of an application: beside the profile that sets the property (not
                                 for --set), in the profile path, as a path. It stores the path of
                                 one that is beside the profile */
};

struct dpl_field {
    const char *name;    /* canonical spelling, e.g. "WheelDiameter"; matched by dpl_name_equal */
    const char *aliases; /* other spellings, separated by '|'; NULL: none */
    enum dpl_field_type type;
    unsigned flags;
    size_t offset, size; /* of the member; use DPL_MEMBER */
    const char *unit;    /* of the number in the struct and of a number without unit in the profile,
                            e.g. "m"; NULL: none */
    const char *default_text; /* default, as text; NULL: the property is required */
    double min, max;          /* inclusive; both 0: any */
    const char *choices;      /* DPL_FIELD_CHOICE: "a|b|c" */
    const char *summary;      /* one line of description */
    /* DPL_FIELD_STRING: checks a text; DPL_FIELD_DOUBLE: a number in range, as text in the field's
     * unit. 0, or -EINVAL with reterr: the reason, without place and name. NULL: any value is
     * valid. */
    int (*check)(const char *text, struct dpl_diag *reterr);
    /* Property of a component class: the name of a port of that class. A component that is
     * connected at this port and has a property of the same name must have the same value. NULL: no
     * such rule. */
    const char *agrees_over;
    /* DPL_FIELD_STRING: whether two valid texts are the same value. NULL: only equal texts are. */
    bool (*same)(const char *a, const char *b);
};

/* .offset and .size of a member: DPL_MEMBER(struct my_properties, wheel_diameter_m) */
#define DPL_MEMBER(struct_type, member)                                                            \
    .offset = offsetof(struct_type, member), .size = sizeof(((struct_type *)0)->member)

/* Rows of field tables: struct, member, name, then unit, default (NULL: required), min, max or
 * choices, summary. Numbers are double, whole ones int64_t, texts char[], truths bool, choices int.
 */
#define DPL_NUMBER(type_, member_, name_, unit_, default_, min_, max_, summary_)                   \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_DOUBLE, DPL_MEMBER(type_, member_), .unit = unit_,        \
        .default_text = default_, .min = min_, .max = max_, .summary = summary_,                   \
    }
#define DPL_INT(type_, member_, name_, default_, min_, max_, summary_)                             \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_INT, DPL_MEMBER(type_, member_),                          \
        .default_text = default_, .min = min_, .max = max_, .summary = summary_,                   \
    }
#define DPL_TEXT(type_, member_, name_, default_, summary_)                                        \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_STRING, DPL_MEMBER(type_, member_),                       \
        .default_text = default_, .summary = summary_,                                             \
    }
#define DPL_TEXT_CHECKED(type_, member_, name_, default_, check_, summary_)                        \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_STRING, DPL_MEMBER(type_, member_),                       \
        .default_text = default_, .check = check_, .summary = summary_,                            \
    }
/* Further members of a row, e.g. `.agrees_over = "path", .same = dpl_six_same`, follow the summary.
 */
#define DPL_TEXT_AGREED(type_, member_, name_, default_, check_, summary_, ...)                    \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_STRING, DPL_MEMBER(type_, member_),                       \
        .default_text = default_, .check = check_, .summary = summary_, __VA_ARGS__                \
    }
#define DPL_FILE(type_, member_, name_, default_, summary_)                                        \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_STRING, DPL_MEMBER(type_, member_),                       \
        .flags = DPL_FIELD_FILE, .default_text = default_, .summary = summary_,                    \
    }
#define DPL_WORLD(type_, member_, name_, default_, summary_)                                       \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_STRING, DPL_MEMBER(type_, member_),                       \
        .flags = DPL_FIELD_WORLD, .default_text = default_, .summary = summary_,                   \
    }
#define DPL_RESULT(type_, member_, name_, default_, summary_)                                      \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_STRING, DPL_MEMBER(type_, member_),                       \
        .flags = DPL_FIELD_RESULT, .default_text = default_, .summary = summary_,                  \
    }
#define DPL_BOOL(type_, member_, name_, default_, summary_)                                        \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_BOOL, DPL_MEMBER(type_, member_),                         \
        .default_text = default_, .summary = summary_,                                             \
    }
#define DPL_CHOICE(type_, member_, name_, default_, choices_, summary_)                            \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_CHOICE, DPL_MEMBER(type_, member_),                       \
        .default_text = default_, .choices = choices_, .summary = summary_,                        \
    }

/* Rows of export tables: struct, member, name, unit or choices, flags, summary. Types as above. */
#define DPL_EXPORT_NUMBER(type_, member_, name_, unit_, flags_, summary_)                          \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_DOUBLE, DPL_MEMBER(type_, member_), .unit = unit_,        \
        .flags = flags_, .summary = summary_,                                                      \
    }
#define DPL_EXPORT_INT(type_, member_, name_, unit_, flags_, summary_)                             \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_INT, DPL_MEMBER(type_, member_), .unit = unit_,           \
        .flags = flags_, .summary = summary_,                                                      \
    }
#define DPL_EXPORT_BOOL(type_, member_, name_, flags_, summary_)                                   \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_BOOL, DPL_MEMBER(type_, member_), .flags = flags_,        \
        .summary = summary_,                                                                       \
    }
#define DPL_EXPORT_CHOICE(type_, member_, name_, choices_, flags_, summary_)                       \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_CHOICE, DPL_MEMBER(type_, member_), .choices = choices_,  \
        .flags = flags_, .summary = summary_,                                                      \
    }

#define DPL_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A value from a profile or --set. `unit` may be NULL; the text may end in a unit instead ("130
 * mm"). A unit of the same dimension is converted to the field's unit; a unit of another dimension
 * is an error. */
struct dpl_field_text {
    const char *text;
    const char *unit;
    struct dpl_place place;
};

/* The field with the name or alias `name`; NULL: none. */
const struct dpl_field *dpl_field_find(const struct dpl_field *fields, size_t n, const char *name);

/* Parses the text into the member at base + offset. On -EINVAL the member is unchanged and reterr
 * has the value and the expected one; if a number out of range would be in range in another unit,
 * it also has a "did you mean". */
int dpl_field_parse(const struct dpl_field *field, const struct dpl_field_text *text, void *base,
                    struct dpl_diag *reterr);

/* Fills every field that has a default. Asserts that each default can be parsed. */
void dpl_fields_set_defaults(const struct dpl_field *fields, size_t n, void *base);

/* Writes the value as text (a number with the fewest digits that give the same number when parsed)
 * and returns the length as snprintf does. Does not use the locale or allocate. */
int dpl_field_format(const struct dpl_field *field, const void *base, char *ret_text, size_t size);

/* The value as a number: bool 0/1, choice its index; NaN for a string. */
double dpl_field_number(const struct dpl_field *field, const void *base);

/* Converts between units of one dimension (m mm cm km in; rad deg; s ms us; m/s mm/s km/h; rad/s
 * deg/s rpm; m/s^2; Hz; V; A mA; Ohm; H mH; %; kg g; N; N m; kg m^2; N/m N/um; N s/m). -EINVAL:
 * unknown unit or another dimension. */
int dpl_unit_convert(double value, const char *from, const char *to, double *ret_value);

#ifdef __cplusplus
}
#endif

#endif
