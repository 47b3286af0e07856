/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of the MotionReferee, and the configuration of its judge from them. */
#include "tables.h"

#include <errno.h>

#include <doppel/msg/axes.h>
#include <doppel/msg/force_sensor.h>
#include <doppel/msg/motion.h>

#include "six_check.h"

#define INPUT(index_, name_, type_, required_, text_)                                              \
    [index_] = {                                                                                   \
        .name = name_,                                                                             \
        .kind = DPL_PORT_DATA,                                                                     \
        .dir = DPL_PORT_IN,                                                                        \
        .message = &doppel__##type_##__descriptor,                                                 \
        .policy = DPL_QUEUE_LAST,                                                                  \
        .required = required_,                                                                     \
        .summary = text_,                                                                          \
    }

const struct dpl_port_desc motion_ports[MOTION_N_PORTS] = {
    INPUT(MOTION_PORT_REFERENCE, "reference", pose_reference, false,
          "where the platform shall be, before a fault is put into it"),
    INPUT(MOTION_PORT_GIVEN, "given", pose_reference, false,
          "the same as the planner gets it; for Target=given"),
    INPUT(MOTION_PORT_PATH, "path", path_state, true,
          "the poses that were planned or made by the brake"),
    INPUT(MOTION_PORT_MEASURED, "measured", measured_pose, true, "where the platform is"),
    INPUT(MOTION_PORT_AXES, "axes", axis_state, true,
          "where the axes are, and whether they follow"),
    INPUT(MOTION_PORT_COMMAND, "command", machine_command, false,
          "whether the axes shall follow; open: always"),
    INPUT(MOTION_PORT_PLANNER, "planner", planner_state, false, "what the planner does"),
};

#define N(member_, name_, unit_, default_, min_, max_, text_)                                      \
    DPL_NUMBER(struct motion_properties, member_, name_, unit_, default_, min_, max_, text_)
#define T(member_, name_, default_, text_)                                                         \
    DPL_TEXT(struct motion_properties, member_, name_, default_, text_)
#define P(member_, name_, default_, check_, text_)                                                 \
    DPL_TEXT_CHECKED(struct motion_properties, member_, name_, default_, check_, text_)
#define C(member_, name_, default_, choices_, text_)                                               \
    DPL_CHOICE(struct motion_properties, member_, name_, default_, choices_, text_)

#define AXES "x|y|z|roll|pitch|yaw"

static int check_limits(const char *text, struct dpl_diag *reterr)
{
    return dpl_check_six_within(text, 1e-6, 1e6, reterr);
}

static int check_sizes(const char *text, struct dpl_diag *reterr)
{
    int err = dpl_check_pose(text, reterr);
    return err == 0 ? dpl_check_six_within(text, 1e-6, 1e3, reterr) : err;
}

const struct dpl_field motion_property_table[] = {
    P(centre, "Centre", "0 0 0.54 0 0 0", dpl_check_pose,
      "of the workspace: x y z in m, roll pitch yaw in rad"),
    P(hard, "HardSemiAxes",
      "0.25 0.15 0.15 0.08726646259971647 0.13962634015954636 0.05235987755982988", check_sizes,
      "of the ellipsoid that is never left: six numbers, m and rad"),
    P(accel_max, "AccelerationLimits", "10 20", check_limits,
      "of the planned pose, m/s2 and rad/s2 (1, 2 or 6 numbers)"),
    T(robot, "Robot", "hx_a.xml",
      "the robot model with the travel of the axes; none: it is not judged"),
    N(move_ms, "MovePeriod", "ms", "2.5", 0.01, 1000, "between two planned poses"),
    N(slack_m, "PositionSlack", "m", "0.001", 0, 1,
      "how much farther out than a planned pose a measured one may be"),
    N(slack_rad, "AngleSlack", "rad", "0.001", 0, 1, "the same of its angles"),
    C(target, "Target", "reference", "reference|given",
      "what shall be planned again, and what deviations are from: the reference without the fault, "
      "or as the planner gets it"),
    C(expect, "Expect", "recovers", "recovers|rests|stops_axes",
      "what makes the bench succeed: the fault-free reference is planned again, the machine rests "
      "on its path, or its axes stop on their own"),
    C(end_mode, "EndMode", "any", "any|" DPL_PLANNER_MODE_WORDS,
      "what the planner must do at the end"),
    N(from_s, "From", "s", "0", 0, 3600, "limits are judged from here on"),
    N(fault_at_s, "FaultAt", "s", "5", 0, 3600, "when the fault comes"),
    N(within_s, "Within", "s", "2", 0, 3600,
      "time after the fault within which the machine must recover or be at rest"),
    N(end_s, "End", "s", "8", 0.001, 3600, "when the verdict is given"),
    N(axes_timeout_ms, "AxesTimeout", "ms", "20", 0.1, 1e6,
      "axes without a report for this long count as not following"),
    N(moving, "MovingSpeed", NULL, "0.02", 0, 10,
      "speed in m/s or rad/s that one coordinate must have when the fault comes"),
    N(same_for_s, "FollowingTime", "s", "0.1", 0, 3600,
      "how long the reference must be planned bit by bit, before the fault and at the end"),
    N(rest_for_s, "RestTime", "s", "0.25", 0, 3600,
      "how long the platform must stand still at the end"),
    N(rest_m, "RestPosition", "m", "0.0001", 0, 1, "how much it may move meanwhile"),
    N(rest_rad, "RestAngle", "rad", "0.0002", 0, 1, "the same of its angles"),
    C(axis[0], "AxisA", "x", AXES, "in the trace"),
    C(axis[1], "AxisB", "pitch", AXES, "in the trace"),
};

#define EN(member_, name_, unit_, flags_, text_)                                                   \
    DPL_EXPORT_NUMBER(struct motion_state, out.member_, name_, unit_, flags_, text_)
#define EW(member_, name_, flags_, text_)                                                          \
    DPL_EXPORT_INT(struct motion_state, out.member_, name_, NULL, flags_, text_)
#define EC(member_, name_, choices_, flags_, text_)                                                \
    DPL_EXPORT_CHOICE(struct motion_state, out.member_, name_, choices_, flags_, text_)
#define TRACE   DPL_FIELD_TRACE
#define SUMMARY DPL_FIELD_SUMMARY
#define SHOWN(i_, name_)                                                                           \
    EN(shown[i_].reference, "reference_" name_, NULL, TRACE, "fault-free, m or rad"),              \
        EN(shown[i_].planned, "planned_" name_, NULL, TRACE, "newest pose of the path"),           \
        EN(shown[i_].measured, "measured_" name_, NULL, TRACE, "of the platform")

const struct dpl_field motion_export_table[] = {
    SHOWN(0, "a"),
    SHOWN(1, "b"),
    EN(judge.accel_ratio, "acceleration_ratio", NULL, TRACE,
       "greatest acceleration of the newest pose, as a part of its limit"),
    EN(judge.level, "level", NULL, TRACE, "of the newest pose: 1 on the hard ellipsoid"),
    EN(judge.level_measured, "level_measured", NULL, TRACE, "of the platform"),
    EN(factor, "factor", NULL, TRACE, "of the path's time base"),
    EC(planner_mode, "planner_mode", DPL_PLANNER_MODE_WORDS, TRACE, "what the planner does"),
    DPL_EXPORT_BOOL(struct motion_state, out.axes_on, "axes_follow", TRACE,
                    "they are on and commanded to follow"),
    DPL_EXPORT_BOOL(struct motion_state, out.judge.sees_platform, "measured", TRACE,
                    "the platform is seen"),
    EW(judge.n_synthesised, "synthesised", TRACE | SUMMARY, "poses the brake made since the fault"),
    EC(verdict, "verdict",
       "none|recovered|at_rest|axes_stopped|limit_broken|not_ready|not_recovered|not_at_rest|"
       "axes_not_stopped|wrong_mode|blind",
       SUMMARY | DPL_FIELD_STATUS, "the verdict"),
    DPL_EXPORT_BOOL(struct motion_state, out.expected, "expected", SUMMARY,
                    "the verdict is what Expect says"),
    EN(judge.worst_accel_ratio, "worst_acceleration_ratio", NULL, SUMMARY,
       "of all poses, as a part of its limit"),
    EC(worst_axis, "worst_axis", AXES, SUMMARY, "of that"),
    EN(judge.worst_level, "worst_level", NULL, SUMMARY, "of all poses"),
    EN(judge.worst_level_measured, "worst_level_measured", NULL, SUMMARY, "of the platform"),
    EN(deviation_m, "deviation_m", "m", SUMMARY,
       "greatest, of a planned pose from the fault-free reference since the fault"),
    EN(deviation_rad, "deviation_rad", "rad", SUMMARY, "the same of the angles"),
    EN(judge.settled_s, "settled", "s", SUMMARY, "from the fault to recovery or rest"),
    EN(judge.way_m, "way", "m", SUMMARY, "of the platform from the fault to its last rest"),
    EN(judge.speed_then, "speed_at_fault", NULL, SUMMARY, "greatest coordinate, m/s or rad/s"),
    EN(judge.least_factor, "least_factor", NULL, SUMMARY, "of the time base since the fault"),
    EN(judge.greatest_factor, "greatest_factor", NULL, SUMMARY, "of the time base since the fault"),
    EW(judge.n_poses, "poses", SUMMARY, "that were judged"),
    EW(judge.n_placed, "placed", SUMMARY, "times the path rested somewhere else"),
    EW(judge.n_missed, "missed", SUMMARY, "gaps in the sequence of poses"),
};

/* ---- configuration of the judge -------------------------------------------------------------- */

static void set_task(const struct motion_properties *props, struct motion_task *task)
{
    *task = (struct motion_task){
        .expect = (enum motion_end)props->expect,
        .from = dpl_ns_from_s(props->from_s),
        .fault_at = dpl_ns_from_s(props->fault_at_s),
        .within = dpl_ns_from_s(props->within_s),
        .end = dpl_ns_from_s(props->end_s),
        .end_mode = props->end_mode - 1,
        .moving = props->moving,
        .same_for = dpl_ns_from_s(props->same_for_s),
        .rest_for = dpl_ns_from_s(props->rest_for_s),
    };
    for (int i = 0; i < DPL_SIX; i++) {
        task->rest[i] = i < 3 ? props->rest_m : props->rest_rad;
    }
}

int motion_check(const void *properties, struct dpl_diag *reterr)
{
    const struct motion_properties *props = properties;
    if (props->fault_at_s >= props->end_s) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "FaultAt is %g s, but the verdict is given at End, %g s", props->fault_at_s,
                        props->end_s);
    }
    return 0;
}

struct motion_judge motion_judge_from(const struct motion_properties *props)
{
    struct motion_limits limits = {.move_s = 1e-3 * props->move_ms};
    const char *at;
    dpl_rows_only(props->centre, DPL_SIX, limits.centre); /* the texts were checked */
    dpl_rows_only(props->hard, DPL_SIX, limits.hard);
    dpl_six_read(props->accel_max, limits.accel_max, &at);
    for (int i = 0; i < DPL_SIX; i++) {
        limits.slack[i] = i < 3 ? props->slack_m : props->slack_rad;
    }
    struct motion_judge judge = {.limits = limits};
    set_task(props, &judge.task);
    return judge;
}
