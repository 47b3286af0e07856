/* SPDX-License-Identifier: Apache-2.0 */
/* The mock driver of range finders and bumpers: all see the same distance, with noise; silence and
 * a touch can be set. Works on any clock. */
#include <math.h>

#include <doppel/math/random.h>
#include <doppel/plugin.h>

#include "range_names.h"

struct properties {
    struct range_properties names;
    double distance_m, noise_m, rate_hz;
    double silent_from_s, silent_to_s, pressed_from_s, pressed_to_s;
    int64_t seed;
};

struct state {
    struct dpl_random rng;
    struct dpl_range_sample sample;
    bool began;
    dpl_ns start, due;
};

static int mock_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    const struct properties *p = device->properties;
    struct state *state = device->state;
    (void)reterr;
    struct range_names names = range_names_of(p->names.ranges, p->names.contacts);
    state->sample = range_names_no_sample(&names);
    state->rng = dpl_random_seeded(dpl_device_seed(device), (uint64_t)p->seed);
    return 0;
}

static void mock_close(struct dpl_device *device)
{
    (void)device;
}

static void measure(struct state *state, const struct properties *p, dpl_ns now)
{
    struct dpl_range_sample *sample = &state->sample;
    double t_s = dpl_ns_to_s(now - state->start);
    for (size_t i = 0; i < sample->n_ranges; i++) {
        double error = p->noise_m > 0.0 ? p->noise_m * dpl_random_normal(&state->rng) : 0.0;
        sample->ranges_m[i] = fmax(p->distance_m + error, 0.0);
        sample->range_stamps[i] = now;
    }
    for (size_t i = 0; i < sample->n_contacts; i++) {
        sample->contacts[i] = t_s >= p->pressed_from_s && t_s < p->pressed_to_s;
        sample->contact_stamps[i] = now;
    }
}

static int mock_execute(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_tick *tick = in;
    const struct properties *p = device->properties;
    struct state *state = device->state;
    if (!state->began) {
        state->began = true;
        state->start = state->due = tick->now;
    }
    double t_s = dpl_ns_to_s(tick->now - state->start);
    bool silent = t_s >= p->silent_from_s && t_s < p->silent_to_s;
    if (!silent && tick->now >= state->due) {
        dpl_ns period = dpl_ns_from_s(1.0 / p->rate_hz);
        state->due += period * (1 + (tick->now - state->due) / period);
        measure(state, p, tick->now);
    }
    return 0;
}

static int mock_read(struct dpl_device *device, const void *in, void *out)
{
    const struct state *state = device->state;
    *(struct dpl_range_sample *)out = state->sample;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_RANGE_N_CALLS] = {
    [DPL_DRV_RANGE_EXECUTE] = mock_execute,
    [DPL_DRV_RANGE_READ] = mock_read,
};

#define SECONDS(member_, name_, text_)                                                             \
    DPL_NUMBER(struct properties, member_, name_, "s", "0", 0.0, 1e6, text_)

static const struct dpl_field properties[] = {
    RANGE_NAMES_FIELDS(struct properties, names),
    DPL_NUMBER(struct properties, distance_m, "Distance", "m", "1", 0.0, 1e4, "that all see"),
    DPL_NUMBER(struct properties, noise_m, "Noise", "m", "0", 0.0, 10.0,
               "standard deviation of a range"),
    DPL_NUMBER(struct properties, rate_hz, "Rate", "Hz", "20", 0.1, 10000, "measurements a second"),
    SECONDS(silent_from_s, "SilentFrom", "time from which no measurements come"),
    SECONDS(silent_to_s, "SilentTo", "and until"),
    SECONDS(pressed_from_s, "PressedFrom", "time from which all bumpers are touched"),
    SECONDS(pressed_to_s, "PressedTo", "and until"),
    DPL_INT(struct properties, seed, "Seed", "1", 0, 4294967295,
            "seed of its noise, together with the run's seed"),
};

static const struct dpl_driver driver = {
    .name = "mock",
    .summary = "range finders that all see one distance, and bumpers",
    .device_class = &dpl_range_class,
    .backend = DPL_BACKEND_MOCK,
    .api = api,
    .n_calls = DPL_COUNT(api),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
    .open = mock_open,
    .close = mock_close,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
