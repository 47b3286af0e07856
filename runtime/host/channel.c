/* SPDX-License-Identifier: Apache-2.0 */
/* Types of channels, finding a channel, and parsing a typed value. */
#include <doppel/channel.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <doppel/field.h>

#include "number.h"

/* ---- types ---- */

static void print_number(char ret_text[DPL_CHANNEL_TEXT_MAX], const void *element)
{
    snprintf(ret_text, DPL_CHANNEL_TEXT_MAX, "%.17g", *(const double *)element);
}

static int parse_number(const char *text, void *ret_element)
{
    const char *end = dpl__number_read(text, ret_element);
    return end && *end == '\0' ? 0 : -EINVAL;
}

static void print_integer(char ret_text[DPL_CHANNEL_TEXT_MAX], const void *element)
{
    snprintf(ret_text, DPL_CHANNEL_TEXT_MAX, "%" PRId64, *(const int64_t *)element);
}

static int parse_integer(const char *text, void *ret_element)
{
    const char *end = dpl__whole_read(text, ret_element);
    return end && *end == '\0' ? 0 : -EINVAL;
}

static void print_flag(char ret_text[DPL_CHANNEL_TEXT_MAX], const void *element)
{
    snprintf(ret_text, DPL_CHANNEL_TEXT_MAX, "%d", *(const bool *)element);
}

static int parse_flag(const char *text, void *ret_element)
{
    bool on = strcmp(text, "1") == 0 || strcmp(text, "true") == 0;
    bool off = strcmp(text, "0") == 0 || strcmp(text, "false") == 0;
    *(bool *)ret_element = on;
    return on || off ? 0 : -EINVAL;
}

static void print_float(char ret_text[DPL_CHANNEL_TEXT_MAX], const void *element)
{
    snprintf(ret_text, DPL_CHANNEL_TEXT_MAX, "%.9g", (double)*(const float *)element);
}

static int parse_float(const char *text, void *ret_element)
{
    double value;
    int err = parse_number(text, &value);
    *(float *)ret_element = err == 0 ? (float)value : 0.0f;
    return err;
}

const struct dpl_channel_type dpl_channel_number = {"number",     sizeof(double), 1,
                                                    print_number, parse_number,   "a real number"};
const struct dpl_channel_type dpl_channel_integer = {
    "integer", sizeof(int64_t), 1, print_integer, parse_integer, "a whole number"};
const struct dpl_channel_type dpl_channel_flag = {"flag",     sizeof(bool), 1,
                                                  print_flag, parse_flag,   "0 or 1"};
const struct dpl_channel_type dpl_channel_vector = {"vector",     sizeof(double), 0,
                                                    print_number, parse_number,   "real numbers"};
const struct dpl_channel_type dpl_channel_pose = {
    "pose", sizeof(double), 7, print_number, parse_number, "x y z in m, quaternion w x y z"};
const struct dpl_channel_type dpl_channel_block = {
    "block", sizeof(float), 0, print_float, parse_float, "many numbers, such as a scan"};

/* ---- search ----- */

/* NULL: no similar path. */
static const char *nearest_path(const struct dpl_channel_desc *descs, size_t n, const char *path)
{
    const char *best = NULL;
    for (size_t i = 0; i < n; i++) {
        const char *pair[] = {best ? best : descs[i].path, descs[i].path};
        const char *nearer = dpl_nearest(path, pair, 2);
        best = nearer ? nearer : best;
    }
    return best;
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The paths that end as the wanted one does: "; there are 'a/speed', 'b/speed'", or "". */
static void list_alike(const struct dpl_channel_desc *descs, size_t n, const char *path,
                       char *ret_text, size_t size)
{
    size_t at = 0;
    ret_text[0] = '\0';
    for (size_t i = 0; i < n && at < size; i++) {
        if (dpl_name_equal(last_name(descs[i].path), last_name(path))) {
            int k = snprintf(ret_text + at, size - at, "%s'%s'", at > 0 ? ", " : "; there are ",
                             descs[i].path);
            at += k > 0 ? (size_t)k : 0;
        }
    }
}

static int fail_unknown(const struct dpl_channel_desc *descs, size_t n,
                        const struct dpl_channel_want *want, struct dpl_diag *reterr)
{
    char hint[DPL_CHANNEL_PATH_MAX + 64];
    const char *near = nearest_path(descs, n, want->path);
    if (near) {
        snprintf(hint, sizeof hint, ", did you mean '%s'?", near);
    } else {
        list_alike(descs, n, want->path, hint, sizeof hint);
    }
    return dpl_fail(reterr, -ENOENT, want->place, "there is no channel '%s'%s", want->path, hint);
}

static int check(const struct dpl_channel_desc *desc, const struct dpl_channel_want *want,
                 struct dpl_diag *reterr)
{
    if (want->type && want->type != desc->type) {
        return dpl_fail(reterr, -EINVAL, want->place, "channel '%s' is a %s, expected a %s",
                        desc->path, desc->type->name, want->type->name);
    }
    if (want->unit && strcmp(want->unit, desc->unit) != 0) {
        return dpl_fail(reterr, -EINVAL, want->place, "channel '%s' is in '%s', expected '%s'",
                        desc->path, desc->unit, want->unit);
    }
    bool is_seen = want->look && desc->dir != DPL_CHANNEL_REQUEST;
    if (want->put != dpl_channel_is_input(desc->dir) && (want->put || !is_seen)) {
        return dpl_fail(reterr, -EINVAL, want->place, "channel '%s' %s", desc->path,
                        want->put ? "is an output of the world: it cannot be put"
                                  : "is an input of the world: it cannot be read");
    }
    return 0;
}

static size_t exact_path(const struct dpl_channel_desc *descs, size_t n, const char *path)
{
    size_t i = 0;
    while (i < n && strcmp(descs[i].path, path) != 0) {
        i++;
    }
    return i;
}

int dpl_channel_find(const struct dpl_channel_desc *descs, size_t n,
                     const struct dpl_channel_want *want, struct dpl_diag *reterr)
{
    size_t at = exact_path(descs, n, want->path);
    for (size_t i = 0; i < n && at == n; i++) {
        at = dpl_name_equal(descs[i].path, want->path) ? i : n;
    }
    if (at == n) {
        return fail_unknown(descs, n, want, reterr);
    }
    int err = check(&descs[at], want, reterr);
    return err < 0 ? err : (int)at;
}

/* ---- parsing of typed values ---- */

static const char *skip_gap(const char *text)
{
    while (isspace((unsigned char)*text) || *text == ',') {
        text++;
    }
    return text;
}

/* Copies the next word to `ret_word`; false: there is none, or it is too long for a value. */
static bool next_word(const char **inout_text, char ret_word[DPL_CHANNEL_TEXT_MAX])
{
    const char *begin = skip_gap(*inout_text);
    size_t n = strcspn(begin, ", \t\n");
    if (n == 0 || n >= DPL_CHANNEL_TEXT_MAX) {
        return false;
    }
    memcpy(ret_word, begin, n);
    ret_word[n] = '\0';
    *inout_text = begin + n;
    return true;
}

static bool is_in_range(const struct dpl_channel_desc *desc, const char *word)
{
    double value;
    bool has_range = desc->min != 0.0 || desc->max != 0.0;
    return !has_range ||
           (parse_number(word, &value) == 0 && value >= desc->min && value <= desc->max);
}

int dpl_channel_parse(const struct dpl_channel_desc *desc, const char *text, void *ret_value,
                      struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    char word[DPL_CHANNEL_TEXT_MAX] = "", *at = ret_value;
    for (uint32_t i = 0; i < desc->size; i++, at += desc->type->element_size) {
        if (!next_word(&text, word)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "channel '%s' takes %u values, found %u",
                            desc->path, desc->size, i);
        }
        if (desc->type->parse(word, at) < 0) {
            return dpl_fail(reterr, -EINVAL, nowhere, "channel '%s' takes a %s, found '%s'",
                            desc->path, desc->type->name, word);
        }
        if (!is_in_range(desc, word)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "channel '%s' takes %g to %g%s%s, found '%s'",
                            desc->path, desc->min, desc->max, desc->unit[0] ? " " : "", desc->unit,
                            word);
        }
    }
    if (*skip_gap(text) != '\0') {
        return dpl_fail(reterr, -EINVAL, nowhere, "channel '%s' takes %u value%s, found more: '%s'",
                        desc->path, desc->size, desc->size == 1 ? "" : "s", skip_gap(text));
    }
    return 0;
}

double dpl_channel_element(const struct dpl_channel_desc *desc, const void *value, size_t element)
{
    if (desc->type == &dpl_channel_flag) {
        return ((const bool *)value)[element];
    }
    if (desc->type == &dpl_channel_integer) {
        return (double)((const int64_t *)value)[element];
    }
    return ((const double *)value)[element];
}
