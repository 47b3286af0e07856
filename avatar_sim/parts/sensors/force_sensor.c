/* SPDX-License-Identifier: Apache-2.0 */
/* A force and torque sensor in a joint: all that the joint gives its child. */
#include <errno.h>
#include <string.h>

#include "element.h"
#include "measuring.h"

extern const struct dpl_sim_entry_class dpl_force_sensor;

enum { AXES = 6 };

struct settings {
    struct dpl__measuring_settings measuring;
    double torque_noise, torque_bias;
    double filter_s;
};

static const struct dpl_field fields[] = {
    DPL__SPREAD_FIELDS(DPL_NUMBER, struct settings, measuring, "N"),
    DPL_NUMBER(struct settings, torque_noise, "torque_noise", "N m", "0", 0.0, 1e9,
               "standard deviation of a measurement of a torque"),
    DPL_NUMBER(struct settings, torque_bias, "torque_bias", "N m", "0", -1e9, 1e9,
               "constant error of a torque"),
    DPL_NUMBER(struct settings, filter_s, "filter", "s", "0", 0.0, 100.0,
               "time constant of its low-pass; 0: none"),
    DPL__DELIVERY_FIELDS(struct settings, measuring),
};

struct sensor {
    struct dpl__measuring measuring; /* first: see measuring.h */
    double filtered[AXES];
    bool has_begun;
};

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    struct sensor *sensor = state;
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    site->state->reactions.wanted[site->reaction] = true;
    return dpl__measuring_build(&sensor->measuring, site, &settings->measuring, AXES);
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct sensor *sensor = state;
    const struct dpl_sim_site *site = sensor->measuring.site;
    const struct settings *settings = site->entry->settings;
    double values[AXES];
    for (int i = 0; i < AXES; i++) {
        double truth = site->state->reactions.wrench[site->reaction][i];
        sensor->filtered[i] = sensor->has_begun ? dpl_low_pass(sensor->filtered[i], truth, tick->dt,
                                                               settings->filter_s)
                                                : truth;
        values[i] = sensor->filtered[i];
        if (i < 3) {
            values[i] = dpl__measuring_spoil(&sensor->measuring, tick->now, values[i]);
        } else {
            values[i] += settings->torque_bias;
            values[i] +=
                settings->torque_noise > 0.0
                    ? settings->torque_noise * dpl_random_normal(&sensor->measuring.spread.rng)
                    : 0.0;
        }
    }
    sensor->has_begun = true;
    dpl__measuring_take(&sensor->measuring, tick->now, values);
}

static int get_wrench(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const double *newest =
        dpl__measuring_newest(dpl_world_entry(world, &dpl_force_sensor, id), inout_stamp);
    if (!newest) {
        return -EAGAIN;
    }
    memcpy(ret_value, newest, AXES * sizeof *newest);
    return 0;
}

static const struct dpl_channel_row rows[] = {
    DPL_CHANNEL_READ(
        "wrench", &dpl_channel_vector, DPL_CHANNEL_OUT, NULL, AXES,
        "force (N) and torque (N m) that the joint gives its child, in its frame there", get_wrench,
        NULL),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_force_sensor = {
    .name = "force sensor",
    .summary = "measures force and torque in a joint",
    .phase = DPL_SIM_SENSOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct sensor),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "force",
    .is_at_joint = true,
    .is_at_whole_joint = true,
};
