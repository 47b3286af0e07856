/* SPDX-License-Identifier: Apache-2.0 */
/* A queue that drops, changes and delays messages. */
#include "faults.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct message {
    dpl_ns due;
    size_t n;
    uint8_t bytes[FAULTS_MESSAGE_MAX];
};

struct faults {
    struct faults_config config;
    bool freeze, mute, unplug; /* switched */
    struct dpl_random rng;
    dpl_ns last_due;
    size_t first, n;
    struct message queue[FAULTS_QUEUE_MAX];
};

struct faults *faults_create(const struct faults_config *config)
{
    struct faults *faults = calloc(1, sizeof *faults);
    if (faults) {
        faults->config = *config;
        faults->rng = dpl_random_seeded(config->seed, 7);
    }
    return faults;
}

void faults_destroy(struct faults *faults)
{
    free(faults);
}

/* No padding may differ: they are compared as bytes. */
struct faults_switches faults_switches(const struct faults *faults)
{
    struct faults_switches switches;
    memset(&switches, 0, sizeof switches);
    switches.drop = faults->config.drop;
    switches.garble = faults->config.garble;
    switches.delay_ms = 1e3 * dpl_ns_to_s(faults->config.delay);
    switches.jitter_ms = 1e3 * dpl_ns_to_s(faults->config.jitter);
    switches.freeze = faults->freeze;
    switches.mute = faults->mute;
    switches.unplug = faults->unplug;
    return switches;
}

void faults_switch(struct faults *faults, const struct faults_switches *switches)
{
    faults->config.drop = switches->drop;
    faults->config.garble = switches->garble;
    faults->config.delay = dpl_ns_from_s(switches->delay_ms * 1e-3);
    faults->config.jitter = dpl_ns_from_s(switches->jitter_ms * 1e-3);
    faults->freeze = switches->freeze;
    faults->mute = switches->mute;
    faults->unplug = switches->unplug;
}

bool faults_windows_hold(const struct faults_windows *windows, dpl_ns now)
{
    for (size_t i = 0; i < windows->n; i++) {
        if (now >= windows->items[i].from && now < windows->items[i].to) {
            return true;
        }
    }
    return false;
}

bool faults_is_frozen(const struct faults *faults, dpl_ns now)
{
    return faults->freeze || faults_windows_hold(&faults->config.freeze, now);
}

bool faults_is_mute(const struct faults *faults, dpl_ns now)
{
    return faults->mute || faults_windows_hold(&faults->config.mute, now);
}

bool faults_is_unplugged(const struct faults *faults, dpl_ns now)
{
    return faults->unplug || faults_windows_hold(&faults->config.unplug, now);
}

static bool happens(struct faults *faults, double probability)
{
    return probability > 0.0 && dpl_random_uniform(&faults->rng, 0.0, 1.0) < probability;
}

static size_t index_below(struct faults *faults, size_t n)
{
    return (size_t)(dpl_random_u64(&faults->rng) % n);
}

/* One to three bytes get another value. */
static void spoil(struct faults *faults, struct message *message)
{
    size_t count = 1 + index_below(faults, 3);
    for (size_t i = 0; i < count && message->n > 0; i++) {
        message->bytes[index_below(faults, message->n)] ^= (uint8_t)(1 + index_below(faults, 255));
    }
}

bool faults_push(struct faults *faults, const void *bytes, size_t n, dpl_ns now)
{
    if (n > FAULTS_MESSAGE_MAX || faults->n == FAULTS_QUEUE_MAX) {
        return false;
    }
    if (n == 0 || faults_is_frozen(faults, now) || faults_is_mute(faults, now) ||
        happens(faults, faults->config.drop)) {
        return true;
    }
    struct message *message = &faults->queue[(faults->first + faults->n++) % FAULTS_QUEUE_MAX];
    message->n = n;
    memcpy(message->bytes, bytes, n);
    if (happens(faults, faults->config.garble)) {
        spoil(faults, message);
    }
    dpl_ns due = now + faults->config.delay;
    if (faults->config.jitter > 0) {
        due += (dpl_ns)dpl_random_uniform(&faults->rng, 0.0, (double)faults->config.jitter);
    }
    message->due = due > faults->last_due ? due : faults->last_due;
    faults->last_due = message->due;
    return true;
}

const uint8_t *faults_pop(struct faults *faults, dpl_ns now, size_t *ret_n)
{
    struct message *message = &faults->queue[faults->first];
    if (faults->n == 0 || message->due > now || faults_is_frozen(faults, now)) {
        return NULL;
    }
    faults->first = (faults->first + 1) % FAULTS_QUEUE_MAX;
    faults->n--;
    *ret_n = message->n;
    return message->bytes;
}

static dpl_ns next_edge(const struct faults_windows *windows, dpl_ns now, dpl_ns next)
{
    for (size_t i = 0; i < windows->n; i++) {
        dpl_ns from = windows->items[i].from, to = windows->items[i].to;
        next = from > now && from < next ? from : next;
        next = to > now && to < next ? to : next;
    }
    return next;
}

dpl_ns faults_next(const struct faults *faults, dpl_ns now)
{
    dpl_ns next = next_edge(&faults->config.freeze, now, INT64_MAX);
    next = next_edge(&faults->config.unplug, now, next);
    if (faults->n > 0 && !faults_is_frozen(faults, now)) {
        dpl_ns due = faults->queue[faults->first].due;
        next = due < next ? due : next;
    }
    return next;
}

void faults_clear(struct faults *faults)
{
    faults->n = 0;
    faults->last_due = 0;
}

static bool read_seconds(const char *text, char end, const char **ret_rest, dpl_ns *ret_time)
{
    char *rest;
    double seconds = strtod(text, &rest);
    if (rest == text || *rest != end || !(seconds >= 0.0) || seconds > 1e8) {
        return false;
    }
    *ret_rest = rest + (end != '\0');
    *ret_time = dpl_ns_from_s(seconds);
    return true;
}

int faults_add_window(struct faults_windows *windows, const char *option, const char *text,
                      struct dpl_diag *reterr)
{
    const char *rest = text;
    dpl_ns from = 0, to = 0;
    if (windows->n == FAULTS_WINDOWS_MAX) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "--%s: given more than %d times",
                        option, FAULTS_WINDOWS_MAX);
    }
    if (!read_seconds(rest, ',', &rest, &from) || !read_seconds(rest, '\0', &rest, &to) ||
        to <= from) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "--%s: found '%s', expected FROM,TO in seconds, such as 10,12.5", option,
                        text);
    }
    windows->items[windows->n].from = from;
    windows->items[windows->n].to = to;
    windows->n++;
    return 0;
}
