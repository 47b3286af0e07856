/* SPDX-License-Identifier: Apache-2.0 */
/* A condition: a channel, or an element of it, compared with a number. */
#include <errno.h>
#include <string.h>

#include <doppel/field.h>

#include "loop_parts.h"
#include "number.h"

static const struct dpl_place nowhere;
static const char blanks[] = " \t";

static const struct {
    const char *text;
    enum loop_operator operator;
} operators[] = {
    /* those of two characters first */
    {">=", LOOP_AT_LEAST},  {"<=", LOOP_AT_MOST}, {"==", LOOP_EQUAL},
    {"!=", LOOP_DIFFERENT}, {">", LOOP_ABOVE},    {"<", LOOP_BELOW},
};

/* ---- reading ---- */

static bool read_operator(const char **at, enum loop_operator *ret_operator)
{
    for (size_t i = 0; i < DPL_COUNT(operators); i++) {
        size_t n = strlen(operators[i].text);
        if (strncmp(*at, operators[i].text, n) == 0) {
            *ret_operator = operators[i].operator;
            *at += n;
            return true;
        }
    }
    return false;
}

/* Splits "path[element]" at the bracket; the element is 0 without one. False: nothing is split. */
static bool read_element(char *path, size_t *ret_element)
{
    char *bracket = strchr(path, '[');
    *ret_element = 0;
    if (!bracket) {
        return true;
    }
    const char *at = bracket + 1;
    size_t element = 0;
    for (; *at >= '0' && *at <= '9' && element < LOOP_VALUE_MAX; at++) {
        element = 10 * element + (size_t)(*at - '0');
    }
    if (at == bracket + 1 || strcmp(at, "]") != 0) {
        return false;
    }
    *bracket = '\0';
    *ret_element = element;
    return true;
}

static int check_channel(const struct dpl_channel_desc *desc, size_t element, bool has_element,
                         struct dpl_diag *reterr)
{
    bool is_number = desc->type == &dpl_channel_number || desc->type == &dpl_channel_integer ||
                     desc->type == &dpl_channel_flag || desc->type == &dpl_channel_vector ||
                     desc->type == &dpl_channel_pose;
    if (!is_number || dpl_channel_bytes(desc) > LOOP_VALUE_MAX) {
        return dpl_fail(reterr, -EINVAL, nowhere, "channel '%s' (%s) cannot be in a condition",
                        desc->path, desc->type->name);
    }
    if (element >= desc->size) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "channel '%s' has %u elements, the first is [0]; found [%zu]", desc->path,
                        desc->size, element);
    }
    if (desc->size > 1 && !has_element) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "channel '%s' has %u elements: say which, such as %s[0]", desc->path,
                        desc->size, desc->path);
    }
    return 0;
}

static int find_channel(const struct dpl_sim_loop *loop, char *path,
                        struct loop_condition *inout_condition, struct dpl_diag *reterr)
{
    const struct dpl_world_channels *channels = loop->options.channels;
    bool has_element = strchr(path, '[') != NULL;
    if (!channels) {
        return dpl_fail(reterr, -EINVAL, nowhere, "this world has no channels for conditions");
    }
    if (!read_element(path, &inout_condition->element)) {
        int n = (int)strcspn(path, "[");
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "expected '%.*s' or an element of it such as '%.*s[0]', found '%s'", n,
                        path, n, path, path);
    }
    struct dpl_channel_want want = {.path = path};
    int channel = dpl_world_channels_find(channels, &want, reterr);
    if (channel < 0) {
        return -EINVAL;
    }
    size_t n;
    const struct dpl_channel_desc *desc = &dpl_world_channels_describe(channels, &n)[channel];
    inout_condition->channel = (size_t)channel;
    return check_channel(desc, inout_condition->element, has_element, reterr);
}

int loop_condition_parse(const struct dpl_sim_loop *loop, const char *text,
                         struct loop_condition *ret_condition, struct dpl_diag *reterr)
{
    char path[DPL_CHANNEL_PATH_MAX + 16];
    struct loop_condition condition = {0};
    size_t n = strcspn(text, " \t<>=!");
    if (n == 0 || n >= sizeof path) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "expected a condition such as 'robot/left/speed > 3', found '%.80s'", text);
    }
    memcpy(path, text, n);
    path[n] = '\0';
    const char *at = text + n + strspn(text + n, blanks);
    if (!read_operator(&at, &condition.operator)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "expected > >= < <= == or != after '%s', found '%.80s'", path, at);
    }
    at += strspn(at, blanks);
    const char *end = dpl__number_read(at, &condition.number);
    if (!end || end[strspn(end, blanks)] != '\0') {
        return dpl_fail(reterr, -EINVAL, nowhere, "expected a number, found '%.80s'", at);
    }
    int err = find_channel(loop, path, &condition, reterr);
    if (err == 0) {
        *ret_condition = condition;
    }
    return err;
}

/* ---- looking ---- */

static double element_of(const struct dpl_channel_desc *desc, const unsigned char *value,
                         size_t element)
{
    const unsigned char *at = value + element * desc->type->element_size;
    if (desc->type == &dpl_channel_flag) {
        return *(const bool *)at;
    }
    if (desc->type == &dpl_channel_integer) {
        int64_t number;
        memcpy(&number, at, sizeof number);
        return (double)number;
    }
    double number;
    memcpy(&number, at, sizeof number);
    return number;
}

static bool compare(double value, enum loop_operator operator, double number)
{
    switch (operator) {
    case LOOP_ABOVE: return value > number;
    case LOOP_AT_LEAST: return value >= number;
    case LOOP_BELOW: return value < number;
    case LOOP_AT_MOST: return value <= number;
    case LOOP_EQUAL: return value == number;
    default: return value != number;
    }
}

bool loop_condition_holds(struct dpl_sim_loop *loop, const struct loop_condition *condition)
{
    const struct dpl_world_channels *channels = loop->options.channels;
    size_t n;
    const struct dpl_channel_desc *desc =
        &dpl_world_channels_describe(channels, &n)[condition->channel];
    dpl_ns stamp;
    if (dpl_world_channels_get(channels, condition->channel, loop->value, &stamp) < 0) {
        return false; /* there is no value yet */
    }
    return compare(element_of(desc, loop->value, condition->element), condition->operator,
                   condition->number);
}
