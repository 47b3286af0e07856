/* SPDX-License-Identifier: Apache-2.0 */
/* A log of events as text, one line for each that ran, and replaying it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/field.h>

#include "event_queue.h"

static const char *const class_names[] = {
    [DPL_SIM_EVENT_EVERY] = "every",
    [DPL_SIM_EVENT_N] = "n",
    [DPL_SIM_EVENT_IDLE] = "idle",
};

size_t dpl_sim_event_print(char ret_line[DPL_SIM_EVENT_LINE_MAX],
                           const struct dpl_sim_event_record *record)
{
    static const char digits[] = "0123456789abcdef";
    int n =
        snprintf(ret_line, DPL_SIM_EVENT_LINE_MAX, "%llu %llu %s %u %d %.31s ",
                 (unsigned long long)record->step, (unsigned long long)record->sequence,
                 class_names[record->class_], (unsigned)record->number, record->late, record->kind);
    char *at = ret_line + n;
    const unsigned char *payload = record->payload;
    for (size_t i = 0; i < record->size; i++) {
        *at++ = digits[payload[i] >> 4];
        *at++ = digits[payload[i] & 15];
    }
    if (record->size == 0) {
        *at++ = '-';
    }
    memcpy(at, "\n", 2);
    return (size_t)(at + 1 - ret_line);
}

/* ---- reading ---- */

/* A whole number of at most `most`, then a blank. */
static bool read_number(const char **at, uint64_t most, uint64_t *ret_number)
{
    uint64_t number = 0;
    const char *begin = *at;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        unsigned digit = (unsigned)(**at - '0');
        if (digit > most || number > (most - digit) / 10) {
            return false;
        }
        number = 10 * number + digit;
    }
    *ret_number = number;
    return *at > begin && *(*at)++ == ' ';
}

/* A word of letters, digits, '_' and '-', then a blank. */
static bool read_word(const char **at, char *ret_word, size_t size)
{
    size_t n = strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    if (n == 0 || n >= size || (*at)[n] != ' ') {
        return false;
    }
    memcpy(ret_word, *at, n);
    ret_word[n] = '\0';
    *at += n + 1;
    return true;
}

static bool read_class(const char **at, enum dpl_sim_event_class *ret_class)
{
    char word[8];
    if (!read_word(at, word, sizeof word)) {
        return false;
    }
    for (unsigned i = 0; i < DPL_COUNT(class_names); i++) {
        if (strcmp(word, class_names[i]) == 0) {
            *ret_class = (enum dpl_sim_event_class)i;
            return true;
        }
    }
    return false;
}

static int nibble(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static bool read_payload(const char *at, unsigned char *ret_payload, size_t *ret_size)
{
    size_t size = 0;
    if (*at == '-') {
        at++;
    } else {
        for (; nibble(at[0]) >= 0 && nibble(at[1]) >= 0; at += 2) {
            if (size == DPL_SIM_EVENT_PAYLOAD_MAX) {
                return false;
            }
            ret_payload[size++] = (unsigned char)(nibble(at[0]) << 4 | nibble(at[1]));
        }
        if (size == 0) {
            return false;
        }
    }
    *ret_size = size;
    return *at == '\0' || strcmp(at, "\n") == 0;
}

int dpl_sim_event_parse(const char *line, struct dpl_sim_event_line *ret_line)
{
    struct dpl_sim_event_record record;
    uint64_t number, late;
    bool good = read_number(&line, UINT64_MAX, &record.step) &&
                read_number(&line, UINT64_MAX, &record.sequence) &&
                read_class(&line, &record.class_) && read_number(&line, UINT8_MAX, &number) &&
                read_number(&line, 1, &late) &&
                read_word(&line, ret_line->kind, sizeof ret_line->kind) &&
                read_payload(line, ret_line->payload, &record.size);
    if (!good) {
        return -EINVAL;
    }
    record.number = (uint8_t)number;
    record.late = late != 0;
    record.kind = ret_line->kind;
    record.payload = ret_line->payload;
    ret_line->record = record;
    return 0;
}

/* ---- replaying ---- */

void dpl_sim_events_replay(struct dpl_sim_events *events, bool on)
{
    events->replaying = on;
}

int dpl_sim_events_run(struct dpl_sim_events *events, const struct dpl_sim_event_record *record)
{
    const struct dpl_sim_events_options *options = &events->options;
    for (size_t i = 0; i < options->n_kinds; i++) {
        if (strcmp(options->kinds[i].name, record->kind) == 0) {
            struct dpl_sim_event_run told = {
                .events = events,
                .sequence = record->sequence,
                .step = record->step,
                .late = record->late,
                .payload = record->payload,
                .size = record->size,
            };
            events->step = record->step;
            return event_call(events, i, &told);
        }
    }
    return -ENOENT;
}
