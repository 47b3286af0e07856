/* SPDX-License-Identifier: Apache-2.0 */
/* A tracking system: the pose of a body in the world, each coordinate with noise of its own, and
 * its attitude turned by a small random vector. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/math/pose3.h>

#include "element.h"
#include "measuring.h"

extern const struct dpl_sim_entry_class dpl_pose_sensor;

struct settings {
    struct dpl__measuring_settings measuring;
    double angle_noise;
    struct dpl_vector3 mount;
    double yaw, pitch, roll;
};

static const struct dpl_field fields[] = {
    DPL__SPREAD_FIELDS(DPL_NUMBER, struct settings, measuring, "m"),
    DPL_NUMBER(struct settings, angle_noise, "angle_noise", "rad", "0", 0.0, 3.0,
               "standard deviation of the turn about each axis"),
    DPL__DELIVERY_FIELDS(struct settings, measuring),
    DPL_NUMBER(struct settings, mount.x, "x", "m", "0", -1e4, 1e4, "mount, in the body"),
    DPL_NUMBER(struct settings, mount.y, "y", "m", "0", -1e4, 1e4, "mount"),
    DPL_NUMBER(struct settings, mount.z, "z", "m", "0", -1e4, 1e4, "mount"),
    DPL_NUMBER(struct settings, yaw, "yaw", "rad", "0", -10.0, 10.0, "of the mount"),
    DPL_NUMBER(struct settings, pitch, "pitch", "rad", "0", -10.0, 10.0, "of the mount"),
    DPL_NUMBER(struct settings, roll, "roll", "rad", "0", -10.0, 10.0, "of the mount"),
};

enum { POSE_VALUES = sizeof(struct dpl_pose3) / sizeof(double) };

static int build(void *state, const struct dpl_sim_site *site, struct dpl_diag *reterr)
{
    const struct settings *settings = site->entry->settings;
    (void)reterr;
    return dpl__measuring_build(state, site, &settings->measuring, POSE_VALUES);
}

/* Of the mount, in the world. */
static struct dpl_pose3 true_pose(const struct dpl_sim_site *site)
{
    const struct settings *settings = site->entry->settings;
    struct dpl_pose3 mount = {
        settings->mount, dpl_quaternion_from_rpy(settings->roll, settings->pitch, settings->yaw)};
    return dpl_pose3_compose(dpl_sim_body_pose3(site->state, site->body), mount);
}

/* A turn by this rotation vector. */
static struct dpl_quaternion turn_by(const double v[3])
{
    double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double share = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    return (struct dpl_quaternion){cos(0.5 * angle), share * v[0], share * v[1], share * v[2]};
}

static void step(void *state, const struct dpl_sim_tick *tick)
{
    struct dpl__measuring *measuring = state;
    const struct dpl_sim_site *site = measuring->site;
    const struct settings *settings = site->entry->settings;
    struct dpl_pose3 truth = true_pose(site);
    const double true_at[3] = {truth.position.x, truth.position.y, truth.position.z};
    double at[3], turn[3] = {0.0, 0.0, 0.0}, values[POSE_VALUES];
    for (int i = 0; i < 3; i++) {
        at[i] = dpl__measuring_spoil(measuring, tick->now, true_at[i]);
    }
    for (int i = 0; i < 3 && settings->angle_noise > 0.0; i++) {
        turn[i] = settings->angle_noise * dpl_random_normal(&measuring->spread.rng);
    }
    struct dpl_pose3 pose = {
        .position = {at[0], at[1], at[2]},
        .orientation = dpl_quaternion_multiply(truth.orientation, turn_by(turn)),
    };
    memcpy(values, &pose, sizeof values);
    dpl__measuring_take(measuring, tick->now, values);
}

static int get_pose(const struct dpl_world *world, int id, void *ret_value, dpl_ns *inout_stamp)
{
    const double *newest =
        dpl__measuring_newest(dpl_world_entry(world, &dpl_pose_sensor, id), inout_stamp);
    if (!newest) {
        return -EAGAIN;
    }
    memcpy(ret_value, newest, sizeof(struct dpl_pose3));
    return 0;
}

static const struct dpl_channel_row rows[] = {
    DPL_CHANNEL_READ("measured", &dpl_channel_pose, DPL_CHANNEL_OUT, NULL, 0,
                     "pose of the mount in the world", get_pose, NULL),
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_sim_entry_class dpl_pose_sensor = {
    .name = "pose sensor",
    .summary = "measures the pose of a body",
    .phase = DPL_SIM_SENSOR,
    .settings = {fields, DPL_COUNT(fields), sizeof(struct settings), NULL},
    .state_size = sizeof(struct dpl__measuring),
    .build = build,
    .step = step,
    .channels = &channels,
    .type = "pose",
};
