/* SPDX-License-Identifier: Apache-2.0 */
/* The incremental encoder of a motor that turns a joint through a gear: the counter of its edges
 * and its index pulse (motion/drive/encoder_counts.h). */
#include <errno.h>

#include "element.h"
#include "encoder_counts.h"
#include "measuring.h"

extern const struct dpl_sim_entry_class dpl_joint_encoder;

struct settings {
    struct dpl__measuring_settings measuring;
    int64_t counts;
    double gear;
};

static const struct dpl_field fields[] = {
    DPL_INT(struct settings, counts, "counts", NULL, 1, 1000000000,
            "a turn of the encoder: four times its lines"),
    DPL_NUMBER(struct settings, gear, "gear", NULL, "1", 1e-6, 1e6,
               "turns of the encoder a turn of the joint; of a travel: rad a m"),
    DPL__SPREAD_FIELDS(DPL_NUMBER_OF_JOINT, struct settings, measuring, "rad|m"),
    DPL__DELIVERY_FIELDS(struct settings, measuring),
};

enum { COUNT, TURN, INDEX, VALUES };

struct encoder {
    struct dpl__measuring measuring; /* first: see measuring.h */
    struct dpl_encoder_gear gear;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct encoder *encoder = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    encoder->gear = (struct dpl_encoder_gear){(int32_t)settings->counts, settings->gear};
    return dpl__measuring_build(&encoder->measuring, site, &settings->measuring, VALUES);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct encoder *encoder = state;
    const struct dpl_sim_site *site = encoder->measuring.site;
    double angle = site->state->joints.position[site->joint];
    struct dpl_encoder_reading reading = dpl_encoder_read(
        &encoder->gear, dpl__measuring_spoil(&encoder->measuring, tick->now, angle));
    const double values[VALUES] = {
        [COUNT] = reading.count, [TURN] = reading.turn, [INDEX] = reading.at_index};
    dpl__measuring_take(&encoder->measuring, tick->now, values);
}

/* ---- channels ---- */

DPL__MEASURING_GET(dpl_joint_encoder, count, int64_t, COUNT)
DPL__MEASURING_GET(dpl_joint_encoder, turn, int64_t, TURN)
DPL__MEASURING_GET(dpl_joint_encoder, index, bool, INDEX)

static int get_resolution(const struct dpl_world *world, int id, void *ret_value,
                          dpl_ns *inout_stamp)
{
    const struct encoder *encoder = dpl_world_entry(world, &dpl_joint_encoder, id);
    *(double *)ret_value = dpl_encoder_resolution(&encoder->gear);
    *inout_stamp = 0;
    return 0;
}

static void describe_resolution(const struct dpl_world *world, int id,
                                struct dpl_channel_desc *inout)
{
    const struct dpl_sim_site *site = dpl_world_entry_site(world, &dpl_joint_encoder, id);
    inout->unit = site->entry->turns ? "rad" : "m";
}

static const struct dpl_channel_row rows[] = {
    DPL_CHANNEL_READ("count", &dpl_channel_integer, DPL_CHANNEL_OUT, NULL, 0,
                     "of its edges, as 32 bits: after 2147483647 comes -2147483648", get_count,
                     NULL),
    DPL_CHANNEL_READ("turn", &dpl_channel_integer, DPL_CHANNEL_OUT, NULL, 0,
                     "of the encoder; an index pulse was passed when it changes", get_turn, NULL),
    DPL_CHANNEL_READ("index", &dpl_channel_flag, DPL_CHANNEL_OUT, NULL, 0,
                     "the count is one with an index pulse", get_index, NULL),
    DPL_CHANNEL_READ("resolution", &dpl_channel_number, DPL_CHANNEL_CONSTANT, "rad", 0,
                     "travel of the joint between two counts", get_resolution, describe_resolution),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_joint_encoder = {
    .name = "joint encoder",
    .summary = "counts the edges of an incremental encoder",
    .phase = DPL_SIM_SENSOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct encoder),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "encoder",
    .is_at_joint = true,
};
