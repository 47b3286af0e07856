/* SPDX-License-Identifier: Apache-2.0 */
/* What the calls of the drivers `cia402` share: commands to the control thread, and its samples. */
#include <errno.h>

#include "cia402_stream.h"

/* ---- available data ---- */

static void fill_report(struct state *state)
{
    const struct cia402_sample *s = &state->sample;
    state->report = (struct report){
        .syncs = (int64_t)s->syncs,
        .missed = (int64_t)s->missed,
        .frames_in = (int64_t)s->frames_in,
        .frames_out = (int64_t)s->frames_out,
        .dropped_bytes = (int64_t)s->dropped_bytes,
        .emergencies = (int64_t)s->emergencies,
        .losses = s->losses,
        .reconnects = s->connections > 0 ? (int64_t)s->connections - 1 : 0,
        .load_percent = 100.0 * s->load,
        .latest_sync_ms = 1e3 * s->latest_sync_s,
    };
}

/* A command is valid for the state of the drives when it was given: it does not restart motion that
 * has ended since. */
static void receive(struct state *state)
{
    if (!dpl_latest_update(&state->samples.sync)) {
        return;
    }
    state->sample = state->samples.slot[dpl_latest_front(&state->samples.sync)];
    const struct cia402_sample *sample = &state->sample;
    bool has_ended = sample->seen == state->command.sequence &&
                     (sample->mode == DPL_AXES_OFF || sample->mode == DPL_AXES_FAULT);
    if (has_ended || sample->losses != state->command.losses) {
        state->command.on = state->command.following = false;
    }
    fill_report(state);
}

enum dpl_axes_mode cia402_mode_of(const struct state *state)
{
    const struct cia402_sample *sample = &state->sample;
    if (sample->seen == state->command.sequence || sample->mode == DPL_AXES_FAULT) {
        return sample->mode;
    }
    if (sample->mode == DPL_AXES_OFF) {
        return state->command.on ? DPL_AXES_STARTING : DPL_AXES_OFF;
    }
    return DPL_AXES_STOPPING;
}

void cia402_send(struct state *state)
{
    state->commands.slot[dpl_latest_back(&state->commands.sync)] = state->command;
    dpl_latest_publish(&state->commands.sync);
}

/* Sends a command other than a reference. */
static void command(struct dpl_device *device)
{
    struct state *state = device->state;
    state->command.sequence++;
    state->command.losses = state->sample.losses;
    state->command.following = false;
    state->command.stamp = dpl_device_now(device);
    cia402_send(state);
}

/* ---- calls ---- */

int cia402_begin(struct dpl_device *device)
{
    receive(device->state);
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

int cia402_enable(struct dpl_device *device)
{
    struct state *state = device->state;
    int err = cia402_begin(device);
    if (err < 0) {
        return err;
    }
    if (cia402_mode_of(state) == DPL_AXES_FAULT) {
        return -EPERM;
    }
    if (!state->command.on) {
        state->command.on = true;
        command(device);
    }
    return 0;
}

int cia402_disable(struct dpl_device *device)
{
    struct state *state = device->state;
    int err = cia402_begin(device);
    if (state->command.on) {
        state->command.on = false;
        command(device);
    }
    return err;
}

int cia402_stop(struct dpl_device *device)
{
    struct state *state = device->state;
    int err = cia402_begin(device);
    if (cia402_mode_of(state) == DPL_AXES_ON) {
        state->command.stops++;
        command(device);
    }
    return err;
}

int cia402_reset(struct dpl_device *device)
{
    struct state *state = device->state;
    int err = cia402_begin(device);
    if (err == 0 && cia402_mode_of(state) == DPL_AXES_FAULT) {
        state->command.on = false;
        state->command.resets++;
        command(device);
    }
    return err;
}
