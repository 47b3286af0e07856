/* SPDX-License-Identifier: Apache-2.0 */
/* The C client of docs/guides/controllers.md: frames, and what is known. */
#include "doppel_hil.h"

#include <math.h>
#include <poll.h>

#include "hil_client.h"

/* ---- frames ---- */

static int take_frame(struct doppel_hil *hil, size_t size)
{
    if (hil_u16(hil->in + 4) != HIL_SENSORS ||
        size != HIL_SENSORS_CELLS + 8 * hil->sensors.n_cells) {
        return hil_fail_with(hil, DOPPEL_HIL_GARBAGE, "the world sends a frame of a wrong size");
    }
    memcpy(hil->frame, hil->in, size);
    hil->has_frame = 1;
    hil_used(hil, size);
    return 1;
}

/* Goes on to the newest of those that have come: 1 or -1. */
static int take_newest(struct doppel_hil *hil)
{
    for (;;) {
        int64_t size = hil_whole_message(hil);
        if (size > 0 && take_frame(hil, (size_t)size) > 0) {
            continue;
        }
        if (size != 0) {
            return -1;
        }
        int ready = hil_wait_for(hil, POLLIN, 0);
        if (ready <= 0) {
            return ready < 0 ? -1 : 1;
        }
        if (hil_receive(hil) < 0) {
            return -1;
        }
    }
}

int doppel_hil_wait(struct doppel_hil *hil, int ms)
{
    if (hil->code != 0) {
        return -1;
    }
    if (!hil->begun) {
        return hil_fail_with(hil, DOPPEL_HIL_MISUSE, "doppel_hil_wait before doppel_hil_begin");
    }
    int64_t size = hil_await_message(hil, ms);
    if (size <= 0) {
        return (int)size;
    }
    int got = take_frame(hil, (size_t)size);
    return got > 0 && !hil->lock_step ? take_newest(hil) : got;
}

static const struct hil_channel *channel_of(const struct hil_channels *channels, int number)
{
    return number >= 0 && number < channels->n ? &channels->list[number] : NULL;
}

/* The cell; NULL: there is none. */
static const uint8_t *cell_of(const struct doppel_hil *hil, const struct hil_channel *channel,
                              size_t element)
{
    return channel && hil->has_frame && element < channel->size
               ? hil->frame + HIL_SENSORS_CELLS + 8 * (channel->at + element)
               : NULL;
}

double doppel_hil_get(const struct doppel_hil *hil, int sensor, size_t element)
{
    const struct hil_channel *channel = channel_of(&hil->sensors, sensor);
    const uint8_t *cell = cell_of(hil, channel, element);
    if (!cell) {
        return (double)NAN;
    }
    if (!hil_is_whole(channel->type)) {
        return hil_f64(cell);
    }
    int64_t whole = (int64_t)hil_u64(cell);
    return whole == INT64_MIN ? (double)NAN : (double)whole;
}

int64_t doppel_hil_get_integer(const struct doppel_hil *hil, int sensor, size_t element)
{
    const struct hil_channel *channel = channel_of(&hil->sensors, sensor);
    const uint8_t *cell = cell_of(hil, channel, element);
    return cell && hil_is_whole(channel->type) ? (int64_t)hil_u64(cell) : INT64_MIN;
}

int doppel_hil_set(struct doppel_hil *hil, int command, size_t element, double value)
{
    const struct hil_channel *channel = channel_of(&hil->commands, command);
    if (hil->code != 0) {
        return -1;
    }
    if (!channel || !hil->begun || element >= channel->size) {
        return hil_fail_with(hil, DOPPEL_HIL_MISUSE, "there is no element %zu of command %d",
                             element, command);
    }
    uint8_t *cell = hil->out + HIL_COMMAND_CELLS + 8 * (channel->at + element);
    if (!hil_is_whole(channel->type)) {
        hil_put_f64(cell, value);
    } else if (fabs(value) < 9.2e18) {
        hil_put(cell, (uint64_t)(int64_t)(value + (value < 0.0 ? -0.5 : 0.5)), 8);
    } else {
        return hil_fail_with(hil, DOPPEL_HIL_MISUSE, "%g is no value of command %d", value,
                             command);
    }
    return 0;
}

int doppel_hil_send(struct doppel_hil *hil)
{
    if (hil->code != 0) {
        return -1;
    }
    if (!hil->has_frame) {
        return hil_fail_with(hil, DOPPEL_HIL_MISUSE, "doppel_hil_send before the first frame");
    }
    memcpy(hil->out + HIL_COMMAND_FRAME, hil->frame + HIL_SENSORS_FRAME, 8);
    return hil_send_all(hil, hil->out, HIL_COMMAND_CELLS + 8 * hil->commands.n_cells);
}

/* ---- what is known ---- */

double doppel_hil_time(const struct doppel_hil *hil)
{
    return hil->has_frame ? (double)(int64_t)hil_u64(hil->frame + HIL_SENSORS_TIME) * 1e-9 : 0.0;
}

uint64_t doppel_hil_step(const struct doppel_hil *hil)
{
    return hil->has_frame ? hil_u64(hil->frame + HIL_SENSORS_STEP) : 0;
}

double doppel_hil_period(const struct doppel_hil *hil)
{
    return (double)hil->step_ns * 1e-9 * (double)hil->every;
}

static uint32_t count_at(const struct doppel_hil *hil, size_t at)
{
    return hil->has_frame ? hil_u32(hil->frame + at) : 0;
}

uint32_t doppel_hil_jumps(const struct doppel_hil *hil)
{
    return count_at(hil, HIL_SENSORS_JUMPS);
}

uint32_t doppel_hil_late(const struct doppel_hil *hil)
{
    return count_at(hil, HIL_SENSORS_LATE);
}

uint32_t doppel_hil_dropped(const struct doppel_hil *hil)
{
    return count_at(hil, HIL_SENSORS_DROPPED);
}

size_t doppel_hil_sensor_size(const struct doppel_hil *hil, int sensor)
{
    const struct hil_channel *channel = channel_of(&hil->sensors, sensor);
    return channel ? channel->size : 0;
}

size_t doppel_hil_command_size(const struct doppel_hil *hil, int command)
{
    const struct hil_channel *channel = channel_of(&hil->commands, command);
    return channel ? channel->size : 0;
}

const char *doppel_hil_sensor_unit(const struct doppel_hil *hil, int sensor)
{
    const struct hil_channel *channel = channel_of(&hil->sensors, sensor);
    return channel ? channel->unit : "";
}

const char *doppel_hil_command_unit(const struct doppel_hil *hil, int command)
{
    const struct hil_channel *channel = channel_of(&hil->commands, command);
    return channel ? channel->unit : "";
}

void doppel_hil_command_range(const struct doppel_hil *hil, int command, double *ret_min,
                              double *ret_max)
{
    const struct hil_channel *channel = channel_of(&hil->commands, command);
    *ret_min = channel ? channel->min : 0.0;
    *ret_max = channel ? channel->max : 0.0;
}

const char *doppel_hil_world(const struct doppel_hil *hil)
{
    return hil->world;
}

int doppel_hil_code(const struct doppel_hil *hil)
{
    return hil->code;
}

const char *doppel_hil_error(const struct doppel_hil *hil)
{
    return hil->error;
}
