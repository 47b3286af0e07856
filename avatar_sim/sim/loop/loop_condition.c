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

static int find_channel(const struct dpl_sim_loop *loop, char *path,
                        struct loop_condition *inout_condition, struct dpl_diag *reterr)
{
    const struct dpl_world_channels *channels = loop->options.channels;
    if (!channels) {
        return dpl_fail(reterr, -EINVAL, nowhere, "this world has no channels for conditions");
    }
    return dpl__channel_element_find(channels, path, &inout_condition->channel,
                                     &inout_condition->element, reterr);
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
    double value;
    if (dpl__channel_element_get(loop->options.channels, condition->channel, condition->element,
                                 loop->value, &value) < 0) {
        return false; /* there is no value yet */
    }
    return compare(value, condition->operator, condition->number);
}
