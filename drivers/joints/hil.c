/* SPDX-License-Identifier: Apache-2.0 */
/* The HIL driver of joints: commands go to both sides, readings come from the hardware. Besides, it
 * tells the readings of one side (read_side), and how far the avatar is from the hardware. */
#include <math.h>

#include <doppel/drv/joints.h>
#include <doppel/plugin.h>

#include "hil/hil.h"

struct properties {
    struct dpl_hil_properties sides;
};

struct state {
    struct dpl_hil_state sides;
    double difference, largest_difference;
};

static int read_side(struct dpl_device *device, const struct dpl_joints_read_side *asked, void *out)
{
    struct dpl_device *side = dpl_device_side(device, (size_t)asked->side);
    return dpl_device_call(side, DPL_DRV_JOINTS_READ, NULL, out);
}

static void compare(struct dpl_device *device)
{
    struct state *state = device->state;
    struct dpl_joints_state real, avatar;
    state->difference = (double)NAN;
    if (dpl_joints_read(dpl_device_side(device, DPL_HIL_HARDWARE), &real) < 0 ||
        dpl_joints_read(dpl_device_side(device, DPL_HIL_SIMULATION), &avatar) < 0 || !real.valid ||
        !avatar.valid || real.n != avatar.n) {
        return;
    }
    state->difference = 0.0;
    for (int64_t i = 0; i < real.n; i++) {
        state->difference = fmax(state->difference, fabs(real.position[i] - avatar.position[i]));
    }
    state->largest_difference = fmax(state->largest_difference, state->difference);
}

static int answer(struct dpl_device *device, unsigned number, const void *in, void *out)
{
    if (number == DPL_DRV_JOINTS_READ_SIDE) {
        return read_side(device, in, out);
    }
    int answer_ = dpl_hil_call(device, number, in, out);
    if (number == DPL_DRV_JOINTS_EXECUTE) {
        compare(device);
    }
    return answer_;
}

static const struct dpl_field properties[] = {
    DPL_HIL_FIELDS(struct properties, sides, "mock", "avatar", "joints"),
};

static const struct dpl_field exports[] = {
    DPL_HIL_EXPORT_ERRORS(struct state, sides),
    DPL_EXPORT_NUMBER(struct state, difference, "difference", NULL, DPL_FIELD_TRACE,
                      "of the avatar's joints from the real ones, the largest, in rad or m"),
    DPL_EXPORT_NUMBER(struct state, largest_difference, "largest_difference", NULL,
                      DPL_FIELD_SUMMARY, "of the run, in rad or m"),
};

static const struct dpl_driver driver = {
    DPL_HIL_DRIVER,
    .summary = "real joints and their avatar at once: commands go to both, readings come from the "
               "real joints",
    .device_class = &dpl_joints_class,
    .answer = answer,
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .open = dpl_hil_open,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .driver = &driver,
};
