/* SPDX-License-Identifier: Apache-2.0 */
/* The encoder of a turning joint: its angle in whole counts, its velocity as it is. */
#include "encoder.h"

#include <math.h>

#include <doppel/sim/channel_rows.h>
#include <doppel/sim/devices.h>

struct encoder {
    const struct dpl_sim_joints *joints;
    int joint;
    double counts_per_turn;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct encoder *encoder = state;
    (void)reterr;
    encoder->joints = &site->state->joints;
    encoder->joint = site->joint;
    encoder->counts_per_turn = *(const double *)site->entry->settings;
    return 0;
}

/* ---- channels ---- */

static struct dpl_world_encoder read_now(const struct dpl_world *world, int id)
{
    struct dpl_world_encoder reading = {0};
    dpl_world_get_encoder(world, id, &reading);
    return reading;
}

static int get_angle(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = read_now(world, id).angle_rad;
    return 0;
}

static int get_velocity(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = read_now(world, id).velocity_rad_s;
    return 0;
}

static const struct dpl_channel_row encoder_rows[] = {
    DPL_CHANNEL_READ("angle", &dpl_channel_number, DPL_CHANNEL_OUT, "rad", 0,
                     "since the start, unwrapped, in whole counts", get_angle, NULL),
    DPL_CHANNEL_READ("velocity", &dpl_channel_number, DPL_CHANNEL_OUT, "rad/s", 0,
                     "of the wheel, exact", get_velocity, NULL),
};
static const struct dpl_channel_table channels = {encoder_rows, DPL_COUNT(encoder_rows)};

const struct dpl_sim_entry_class dpl_encoder = {
    .name = "encoder",
    .summary = "the encoder of a turning joint",
    .phase = DPL_SIM_SENSOR,
    .state_size = sizeof(struct encoder),
    .build = build,
    .channels = &channels,
};

void dpl_world_get_encoder(const struct dpl_world *world, int number,
                           struct dpl_world_encoder *ret_encoder)
{
    const struct encoder *encoder = dpl_world_entry(world, &dpl_encoder, number);
    if (!encoder) {
        return;
    }
    double angle = encoder->joints->position[encoder->joint];
    double counts = encoder->counts_per_turn;
    if (counts > 0.0) {
        angle = floor(angle * counts / (2.0 * DPL_PI)) * (2.0 * DPL_PI) / counts;
    }
    *ret_encoder = (struct dpl_world_encoder){
        .angle_rad = angle,
        .velocity_rad_s = encoder->joints->velocity[encoder->joint],
    };
}
