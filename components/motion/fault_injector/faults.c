/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of a stream: parsing and applying them. */
#include "faults.h"

#include <math.h>

#include <doppel/math/six_axes.h>

#define EXPECTED                                                                                   \
    "expected a row \"t spike n AXIS value\", \"t step n AXIS value\", \"t dropout n\", \"t hold " \
    "n\", \"t nan n\" or \"t delay n samples\""
#define WHOLE_MAX 1e9
#define TIME_MAX  1e6

static const char *const kinds[] = {
    [FAULT_SPIKE] = "spike", [FAULT_STEP] = "step", [FAULT_DROPOUT] = "dropout",
    [FAULT_HOLD] = "hold",   [FAULT_NAN] = "nan",   [FAULT_DELAY] = "delay",
};

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_number(struct dpl_rows *rows, double low, double high, double *ret_value)
{
    const char *begin = rows->at;
    if (!dpl_rows_number(rows, ret_value) || !(*ret_value >= low && *ret_value <= high)) {
        rows->at = begin;
        return false;
    }
    dpl_rows_skip_blanks(rows);
    return true;
}

static bool read_whole(struct dpl_rows *rows, double low, double high, int64_t *ret_value)
{
    double value;
    const char *begin = rows->at;
    if (!read_number(rows, low, high, &value) || value != floor(value)) {
        rows->at = begin;
        return false;
    }
    *ret_value = (int64_t)value;
    return true;
}

static bool read_values(struct dpl_rows *rows, struct fault *fault)
{
    int64_t late = 0;
    switch (fault->kind) {
    case FAULT_SPIKE:
    case FAULT_STEP:
        return dpl_rows_word(rows, dpl_six_names, DPL_SIX, &fault->axis) &&
               read_number(rows, -TIME_MAX, TIME_MAX, &fault->value);
    case FAULT_DELAY:
        if (!read_whole(rows, 1.0, FAULTS_LATE_MAX, &late)) {
            return false;
        }
        fault->late = (size_t)late;
        return true;
    case FAULT_DROPOUT:
    case FAULT_HOLD:
    case FAULT_NAN: return true;
    }
    return false;
}

static bool read_row(struct dpl_rows *rows, struct fault *ret_fault)
{
    struct fault fault = {.axis = 0};
    double at_s;
    size_t kind;
    if (!read_number(rows, 0.0, TIME_MAX, &at_s) ||
        !dpl_rows_word(rows, kinds, sizeof kinds / sizeof kinds[0], &kind) ||
        !read_whole(rows, 0.0, WHOLE_MAX, &fault.n)) {
        return false;
    }
    fault.at_ns = (int64_t)llround(at_s * 1e9);
    fault.kind = (enum fault_kind)kind;
    if (!read_values(rows, &fault)) {
        return false;
    }
    *ret_fault = fault;
    return dpl_rows_end_of_row(*rows->at);
}

int faults_parse(const char *text, struct fault_list *ret_list, struct fault_error *reterr)
{
    struct dpl_rows rows = dpl_rows_begin(text);
    ret_list->n = 0;
    for (;;) {
        dpl_rows_skip_to_row(&rows);
        if (*rows.at == '\0') {
            return 0;
        }
        if (ret_list->n == FAULTS_MAX) {
            *reterr =
                (struct fault_error){"too many faults (at most 64)", (size_t)(rows.at - text)};
            return -EINVAL;
        }
        if (!read_row(&rows, &ret_list->rows[ret_list->n])) {
            *reterr = (struct fault_error){EXPECTED, (size_t)(rows.at - text)};
            return -EINVAL;
        }
        ret_list->n++;
    }
}

/* ---- applying -------------------------------------------------------------------------------- */

/* Whether the fault is active; counts its messages. */
static bool applies(const struct fault *fault, int64_t *inout_n_seen, int64_t now_ns)
{
    if (now_ns < fault->at_ns || (fault->n > 0 && *inout_n_seen >= fault->n)) {
        return false;
    }
    (*inout_n_seen)++;
    return true;
}

static void change(const struct fault *fault, const struct fault_channel *channel,
                   struct fault_message *message)
{
    for (size_t i = 0; i < DPL_SIX; i++) {
        if (fault->kind == FAULT_NAN) {
            message->values[i] = (double)NAN;
        } else if (fault->kind == FAULT_HOLD && channel->has_sent) {
            message->values[i] = channel->sent.values[i];
        }
    }
    if (fault->kind == FAULT_SPIKE || fault->kind == FAULT_STEP) {
        message->values[fault->axis] += fault->value;
    }
}

static struct fault_message pop(struct fault_channel *channel)
{
    struct fault_message message = channel->late[channel->first_late];
    channel->first_late = (channel->first_late + 1) % (FAULTS_LATE_MAX + 1);
    channel->n_late--;
    return message;
}

/* Adds the message to the delayed ones and returns the one that is due. When the delay decreases,
 * the messages that have waited longer are dropped. */
static bool delay(struct fault_channel *channel, size_t late, struct fault_message *inout_message)
{
    while (channel->n_late > late) {
        pop(channel);
        channel->n_dropped++;
    }
    size_t last = (channel->first_late + channel->n_late) % (FAULTS_LATE_MAX + 1);
    channel->late[last] = *inout_message;
    channel->n_late++;
    channel->n_delayed++;
    if (channel->n_late <= late) {
        return false;
    }
    *inout_message = pop(channel);
    return true;
}

/* The faults that act on one message, except changes of its values. */
struct acting {
    bool dropout, changed;
    size_t late;
};

static struct acting act(const struct fault_list *list, struct fault_channel *channel,
                         int64_t now_ns, struct fault_message *message)
{
    struct acting acting = {.late = 0};
    channel->n_active = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct fault *fault = &list->rows[i];
        if (!applies(fault, &channel->n_seen[i], now_ns)) {
            continue;
        }
        channel->n_active++;
        if (fault->kind == FAULT_DELAY) {
            acting.late = fault->late;
        } else if (fault->kind == FAULT_DROPOUT) {
            acting.dropout = true;
        } else {
            change(fault, channel, message);
            acting.changed = true;
        }
    }
    return acting;
}

bool faults_apply(const struct fault_list *list, struct fault_channel *channel, int64_t now_ns,
                  struct fault_message *inout_message)
{
    struct acting acting = act(list, channel, now_ns, inout_message);
    if (acting.dropout) {
        channel->n_dropped++;
        return false;
    }
    channel->n_changed += acting.changed;
    if (acting.late == 0) {
        channel->n_dropped += (int64_t)channel->n_late;
        channel->n_late = 0;
    } else if (!delay(channel, acting.late, inout_message)) {
        return false;
    }
    channel->sent = *inout_message;
    channel->has_sent = true;
    return true;
}
