/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the TrajectoryPlanner, and its configuration from them. */
#include "tables.h"

#include <errno.h>
#include <math.h>

#include <doppel/msg/motion_enums.h>
#include <doppel/time.h>

#include "six_check.h"

#define N(member_, name_, unit_, default_, min_, max_, text_)                                      \
    DPL_NUMBER(struct traj_properties, member_, name_, unit_, default_, min_, max_, text_)
#define P(member_, name_, default_, check_, text_)                                                 \
    DPL_TEXT_CHECKED(struct traj_properties, member_, name_, default_, check_, text_)
#define B(member_, name_, default_, text_)                                                         \
    DPL_BOOL(struct traj_properties, member_, name_, default_, text_)

/* Above zero. */
static int check_limits(const char *text, struct dpl_diag *reterr)
{
    return dpl_check_six_within(text, 1e-6, 1e6, reterr);
}

/* As before, but all six values are required: the limits of the axes differ, and m and rad are
 * different units. */
static int check_six_limits(const char *text, struct dpl_diag *reterr)
{
    double values[DPL_SIX];
    return dpl_rows_only(text, DPL_SIX, values)
               ? check_limits(text, reterr)
               : dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                          "expected six numbers, of x y z and of roll pitch yaw, found '%.80s'",
                          text);
}

static int check_six_limits_or_none(const char *text, struct dpl_diag *reterr)
{
    return text[0] == '\0' ? 0 : check_six_limits(text, reterr);
}

const struct dpl_field traj_property_table[] = {
    P(centre, "Centre", "0 0 0.54 0 0 0", dpl_check_pose,
      "of the workspace: x y z in m, roll pitch yaw in rad"),
    P(hard, "HardSemiAxes",
      "0.25 0.15 0.15 0.08726646259971647 0.13962634015954636 0.05235987755982988",
      check_six_limits, "of the ellipsoid that is never left: six numbers, m and rad"),
    N(soft_share, "SoftShare", NULL, "0.85", 0.01, 1.0,
      "share of the hard semi-axes from which a reference is held back"),
    DPL_TEXT_AGREED(struct traj_properties, accel_max, "AccelerationLimits", "10 20", check_limits,
                    "of the planned pose, m/s2 and rad/s2 (1, 2 or 6 numbers); those of MotionPath "
                    "must be the same",
                    .agrees_over = "path", .same = dpl_six_same),
    B(stage[0], "Condition", "true", "stage 1: accept only plausible and fresh references"),
    B(stage[1], "Sync", "true", "stage 2: ramp from the current pose"),
    B(stage[2], "Workspace", "true", "stage 3: held at the soft ellipsoid"),
    B(stage[3], "Saturation", "true", "stage 4: within the acceleration limits"),
    B(stage[4], "Guard", "true", "stage 5: keep to poses where the machine can still stop"),
    N(absurd, "AbsurdValue", NULL, "1000", 1e-6, 1e9,
      "a reference with a larger component, in m or rad, is rejected"),
    N(expire_after_s, "ReferenceTimeout", "s", "0", 0.0, 3600,
      "an older reference is rejected; 0: four periods"),
    DPL_INT(struct traj_properties, n_fault, "FaultAfter", "400", 0, 1000000000,
            "this number of consecutive rejected references is a fault; 0: never"),
    DPL_CHOICE(struct traj_properties, sync_law, "SyncLaw", "quintic", "quintic|linear",
               "shape of the ramp; linear, as published, starts with a step of velocity"),
    N(sync_s, "SyncDuration", "s", "2", 0.0, 600, "shortest duration of the ramp"),
    N(sync_share, "SyncShare", NULL, "0.5", 0.001, 1.0,
      "share of the acceleration limits for the ramp; the ramp is longer if needed"),
    DPL_CHOICE(struct traj_properties, policy, "ExcursionPolicy", "resume", "resume|return_home",
               "after an excursion: follow again, or go home and wait for a restart"),
    N(normal_rad_s, "NormalFrequency", "rad/s", "15", 0.01, 1000,
      "of the spring that holds the machine at the surface, across it"),
    N(normal_damping, "NormalDamping", NULL, "1", 0.01, 10,
      "damping ratio of that spring; 1: critical"),
    N(tangential_rad_s, "TangentialFrequency", "rad/s", "10", 0.01, 1000, "along the surface"),
    N(tangential_damping, "TangentialDamping", NULL, "1", 0.01, 10,
      "damping ratio of that spring; 1: critical"),
    P(home, "Home", "", dpl_check_pose_or_none,
      "where to return: x y z in m, roll pitch yaw in rad; none: Centre"),
    N(rest_share, "RestShare", NULL, "0.5", 0.001, 1.0,
      "slower than this times limit and period counts as rest before the return"),
    N(return_s, "ReturnDuration", "s", "2", 0.0, 600, "shortest duration of the motion home"),
    N(return_share, "ReturnShare", NULL, "0.5", 0.001, 1.0,
      "share of the acceleration limits for the motion home"),
    N(kp, "SaturationKp", NULL, "400", 1e-6, 1e9, "1/s2: return to the reference after saturation"),
    N(kd, "SaturationKd", NULL, "40", 1e-6, 1e9, "1/s"),
    N(ki, "SaturationKi", NULL, "0", 0.0, 1e9, "1/s3, with Integral"),
    N(kt, "SaturationKt", NULL, "20", 0.0, 1e9, "1/s: back-calculation, with Integral"),
    B(integral, "Integral", "false", "the published structure with its integral part"),
    N(windup_clip, "WindupClip", NULL, "2", 1e-6, 1e9,
      "largest input of the back-calculation, times the limit"),
    B(braking, "BrakingCurve", "true",
      "limit the speed towards the reference so that it can brake in time"),
    N(braking_share, "BrakingShare", NULL, "0.7", 0.001, 1.0, "share of the limits for that curve"),
    B(feedforward, "Feedforward", "true",
      "add the reference's acceleration, if it has one; off, as published: a pose that is behind a "
      "reference with more than about 10 % of the limit's acceleration stays behind"),
    P(speed_max, "SpeedLimits", "", check_six_limits_or_none,
      "largest speed of the reference for the saturation control: six numbers, m/s and rad/s; "
      "none: what can be stopped within half of the workspace"),
    N(lag_s, "BehindAfter", "s", "1", 0.0, 3600,
      "a log message comes when the acceleration limits keep the pose off its reference for this "
      "long; 0: never"),
};

#define POSE(member_, name_, text_)                                                                \
    E(member_[0], name_ "_x", "m", text_), E(member_[1], name_ "_y", "m", text_),                  \
        E(member_[2], name_ "_z", "m", text_), E(member_[3], name_ "_roll", "rad", text_),         \
        E(member_[4], name_ "_pitch", "rad", text_), E(member_[5], name_ "_yaw", "rad", text_)
#define E(member_, name_, unit_, text_)                                                            \
    DPL_EXPORT_NUMBER(struct traj_state, out.member_, name_, unit_, DPL_FIELD_TRACE, text_)
#define S(member_, name_, text_)                                                                   \
    DPL_EXPORT_INT(struct traj_state, out.member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

const struct dpl_field traj_export_table[] = {
    POSE(reference, "reference", "as it came in, or the target"),
    POSE(pose, "pose", "as planned"),
    DPL_EXPORT_CHOICE(struct traj_state, out.mode, "mode", DPL_PLANNER_MODE_WORDS,
                      DPL_FIELD_TRACE | DPL_FIELD_STATUS, "what the planner does"),
    DPL_EXPORT_INT(struct traj_state, out.acted, "acted", NULL, DPL_FIELD_TRACE,
                   "stages that changed something: 1 condition, 2 sync, 4 workspace, 8 "
                   "saturation, 16 guard"),
    DPL_EXPORT_NUMBER(struct traj_state, out.level_hard, "level_hard", NULL, DPL_FIELD_TRACE,
                      "of the planned pose: 1 on the surface of the hard ellipsoid"),
    DPL_EXPORT_NUMBER(struct traj_state, out.greatest_level_hard, "greatest_level_hard", NULL,
                      DPL_FIELD_SUMMARY, "of all planned poses"),
    DPL_EXPORT_NUMBER(struct traj_state, out.greatest_accel_share, "greatest_acceleration_share",
                      NULL, DPL_FIELD_SUMMARY,
                      "greatest acceleration of a planned pose, as a part of its limit"),
    S(n_rejected, "rejected", "references that conditioning refused"),
    S(n_acted[0], "acted_condition", "ticks in which conditioning acted"),
    S(n_acted[1], "acted_sync", "ticks of sync ramps"),
    S(n_acted[2], "acted_workspace", "ticks in which the soft ellipsoid acted"),
    S(n_acted[3], "acted_saturation", "ticks in which the acceleration limits acted"),
    S(n_acted[4], "acted_guard", "ticks in which the guard acted"),
    E(behind_s, "behind_for", "s",
      "how long the acceleration limits have kept the pose off its reference; 0: they do not"),
    DPL_EXPORT_NUMBER(struct traj_state, out.longest_behind_s, "longest_behind", "s",
                      DPL_FIELD_SUMMARY, "largest value of behind_for"),
    S(n_behind, "behind", "times that behind_for exceeded BehindAfter"),
    S(n_full, "skipped_full", "ticks that were skipped because the path was full"),
    S(n_foreign, "resumed_foreign", "ticks that continued from poses of the path's brake"),
    S(n_faults, "planner_faults", "times that it went into FAULT"),
    S(n_starts, "starts", "motions that began from rest"),
    S(n_refused, "refused_targets", "targets outside of the workspace"),
};

static int read_six(const char *property, const char *text, double *ret_values,
                    struct dpl_diag *reterr)
{
    const char *at;
    if (dpl_six_read(text, ret_values, &at)) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                    "property %s, character %td: expected 1, 2 or 6 numbers, found '%.40s'",
                    property, at - text + 1, at);
}

static unsigned stages_from(const struct traj_properties *props)
{
    unsigned stages = 0;
    for (int i = 0; i < TRAJ_N_STAGES; i++) {
        stages |= props->stage[i] ? 1u << i : 0u;
    }
    return stages;
}

static void set_condition(const struct traj_properties *props, double period_s,
                          struct dpl_traj_condition_config *condition)
{
    double expire_s = props->expire_after_s > 0.0 ? props->expire_after_s : 4.0 * period_s;
    *condition = (struct dpl_traj_condition_config){
        .absurd = props->absurd,
        .expire_after = dpl_ns_from_s(expire_s),
        .n_fault = (uint32_t)props->n_fault,
    };
}

static void set_workspace(const struct traj_properties *props,
                          struct dpl_traj_workspace_config *workspace)
{
    workspace->policy = (enum dpl_traj_policy)props->policy;
    workspace->normal_rad_s = props->normal_rad_s;
    workspace->normal_damping = props->normal_damping;
    workspace->tangential_rad_s = props->tangential_rad_s;
    workspace->tangential_damping = props->tangential_damping;
    workspace->rest_share = props->rest_share;
    workspace->return_ramp = (struct dpl_traj_sync_config){
        .law = DPL_TRAJ_SYNC_QUINTIC,
        .duration_s = props->return_s,
        .accel_share = props->return_share,
    };
}

static void set_saturation(const struct traj_properties *props,
                           struct dpl_traj_saturation_config *saturation)
{
    saturation->kp = props->kp;
    saturation->kd = props->kd;
    saturation->ki = props->ki;
    saturation->kt = props->kt;
    saturation->integral = props->integral;
    saturation->windup_clip = props->windup_clip;
    saturation->braking = props->braking;
    saturation->braking_share = props->braking_share;
    saturation->feedforward = props->feedforward;
}

/* Parses the poses and semi-axes that are given as texts. */
static int read_shapes(const struct traj_properties *props, struct dpl_traj_config *config,
                       double period_s, struct dpl_diag *reterr)
{
    double centre[DPL_SIX], hard[DPL_SIX], accel_max[DPL_SIX];
    int err = read_six("Centre", props->centre, centre, reterr);
    err = err ? err : read_six("HardSemiAxes", props->hard, hard, reterr);
    err = err ? err : read_six("AccelerationLimits", props->accel_max, accel_max, reterr);
    if (err < 0) {
        return err;
    }
    dpl_traj_config_set(config, centre, hard, accel_max);
    dpl_traj_axes_set(&config->axes, period_s, accel_max);
    dpl_traj_ellipsoid_set(&config->workspace.soft, centre, hard, props->soft_share);
    if (props->home[0] != '\0') {
        err = read_six("Home", props->home, config->workspace.home, reterr);
    }
    if (err == 0 && props->speed_max[0] != '\0') {
        err = read_six("SpeedLimits", props->speed_max, config->saturation.speed_max, reterr);
    }
    return err;
}

int traj_config_from(const struct traj_properties *props, double period_s,
                     struct dpl_traj_config *ret_config, struct dpl_diag *reterr)
{
    int err = read_shapes(props, ret_config, period_s, reterr);
    if (err < 0) {
        return err;
    }
    ret_config->stages = stages_from(props);
    set_condition(props, period_s, &ret_config->condition);
    ret_config->sync = (struct dpl_traj_sync_config){
        .law = (enum dpl_traj_sync_law)props->sync_law,
        .duration_s = props->sync_s,
        .accel_share = props->sync_share,
    };
    set_workspace(props, &ret_config->workspace);
    set_saturation(props, &ret_config->saturation);
    const char *wrong = dpl_traj_config_check(ret_config);
    return wrong ? dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "%s", wrong) : 0;
}
