/* SPDX-License-Identifier: Apache-2.0 */
/* Motors and brakes of mechanisms against their formulas, on joints that move as the test says. */
#include <stdlib.h>

#include <doppel/sim/limits.h>

#include "entry_scene.h"
#include "saved_world.h"

TestSuite(motors, .fini = reading_end);

enum { HINGE, RAIL };

/* Rows of a motor in the class of small servo motors. */
#define TABLE                                                                                      \
    "<row current='0' torque='0'/><row current='2' torque='0.120'/>"                               \
    "<row current='6' torque='0.358'/><row current='12' torque='0.630'/>"

static void put_flag(const char *path, bool value)
{
    cr_assert_eq(dpl_world_channels_put(channels, channel_of(path, true), &value), 0);
}

static bool flag(const char *path)
{
    bool value;
    cr_assert_eq(get(path, &value, NULL), 0);
    return value;
}

/* What acts on the joint, which still has the speed of before the step. */
static double push_after_step(int joint)
{
    const struct dpl_sim_joints *joints = &state->joints;
    dpl_world_step(world, 1);
    cr_assert(joints->driven[joint]);
    double push = joints->push[joint] - joints->damping[joint] * joints->velocity[joint];
    return joints->share[joint] * push;
}

/* ---- setpoints ------------------------------------------------------------------------------- */

Test(motors, force_acts_from_the_next_step_on)
{
    scene_make(SCENE("<Motor joint='rail' type='force' limit='5' resolution='0.25'/>"));
    put("m/rail/force", 1.5);
    cr_assert_eq(state->joints.push[RAIL], 0.0);
    cr_assert_eq(push_after_step(RAIL), 1.5);
    cr_assert_eq(push_after_step(RAIL), 1.5, "it holds");
    put("m/rail/force", -1.6);
    cr_assert_eq(push_after_step(RAIL), -1.5, "rounded to its resolution");
    put("m/rail/force", -70.0);
    cr_assert_eq(push_after_step(RAIL), -5.0, "at its limit");
    put("m/rail/force", (double)NAN);
    cr_assert_eq(push_after_step(RAIL), 0.0);
    cr_assert_eq(state->joints.push[HINGE], 0.0);
    cr_assert_not(state->joints.driven[HINGE]);
}

Test(motors, delay_is_kept_for_each_setpoint)
{
    scene_make(SCENE("<Motor joint='rail' type='force' delay='3 ms' safe='-1'/>"));
    cr_assert_eq(push_after_step(RAIL), -1.0);
    for (int i = 0; i < 10; i++) {
        put("m/rail/force", i);
        cr_assert_eq(push_after_step(RAIL), i < 3 ? -1.0 : i - 3.0, "step %d", i);
    }
}

Test(motors, delay_counts_the_steps_of_a_slower_motor)
{
    scene_make(SCENE("<Motor joint='rail' type='force' delay='10 ms' every='5'/>"));
    put("m/rail/force", 2.0);
    dpl_world_step(world, 10);
    cr_assert_eq(state->joints.push[RAIL], 0.0);
    dpl_world_step(world, 1);
    cr_assert_eq(state->joints.push[RAIL], 2.0);
}

Test(motors, released_motor_goes_to_its_safe_setpoint)
{
    scene_make(SCENE("<Motor joint='rail' type='force' safe='0.5' silence='20 ms' limit='3'/>"));
    const struct dpl_channel_desc *desc = describe("m/rail/force", true);
    cr_assert_eq(desc->silence, 20 * DPL_MS);
    cr_assert_eq(desc->min, -3.0);
    put("m/rail/force", 2.0);
    cr_assert_eq(push_after_step(RAIL), 2.0);
    dpl_world_channels_release(channels, channel_of("m/rail/force", true));
    cr_assert_eq(push_after_step(RAIL), 0.5);
}

Test(motors, snapshot_holds_the_setpoints_on_their_way)
{
    scene_make(SCENE("<Motor joint='rail' type='force' delay='2 ms'/>"));
    put("m/rail/force", 1.0);
    dpl_world_step(world, 1);
    struct saved_world saved = world_saved(world);
    put("m/rail/force", 7.0);
    dpl_world_step(world, 5);
    world_back(world, &saved);
    cr_assert_eq(push_after_step(RAIL), 0.0);
    cr_assert_eq(push_after_step(RAIL), 1.0);
    cr_assert_eq(push_after_step(RAIL), 1.0);
    free(saved.bytes);
}

/* ---- table motors ---------------------------------------------------------------------------- */

Test(motors, table_gives_torque_times_ratio_between_its_rows_and_beyond)
{
    scene_make(SCENE("<Motor joint='hinge' type='table' resolution='0.01'>" TABLE
                     "<gear ratio='16'/></Motor>"));
    const double currents[] = {0.0, 1.0, 2.0, 4.0, -4.0, 9.0, 12.0, 40.0, -40.0};
    const double torques[] = {0.0, 0.06, 0.12, 0.239, -0.239, 0.494, 0.63, 0.63, -0.63};
    for (size_t i = 0; i < DPL_COUNT(currents); i++) {
        put("m/hinge/current", currents[i]);
        NEAR(push_after_step(HINGE), 16.0 * torques[i], 1e-12);
    }
    put("m/hinge/current", 1.0049);
    NEAR(push_after_step(HINGE), 16.0 * 0.06, 1e-12);
}

Test(motors, table_looks_up_the_speed_of_its_own_shaft)
{
    scene_make(SCENE("<Motor joint='hinge' type='table'>"
                     "<row current='0' torque='0' speed='0'/><row current='2' torque='1' "
                     "speed='0'/><row current='0' torque='0' speed='100'/>"
                     "<row current='2' torque='0.5' speed='100'/><gear ratio='-10'/></Motor>"));
    put("m/hinge/current", 2.0);
    NEAR(push_after_step(HINGE), -10.0, 1e-12);
    state->joints.velocity[HINGE] = -5.0; /* shaft: 50 rad/s */
    NEAR(push_after_step(HINGE), -7.5, 1e-12);
    state->joints.velocity[HINGE] = 5.0; /* against the motor: as at the least speed */
    NEAR(push_after_step(HINGE), -10.0, 1e-12);
}

/* Power through the gear: in = out / efficiency, in both directions. */
Test(motors, gear_takes_its_share_of_the_power_in_both_directions)
{
    scene_make(SCENE("<Motor joint='hinge' type='table'>" TABLE
                     "<gear ratio='5' efficiency='0.8'/></Motor>"));
    put("m/hinge/current", 2.0);
    state->joints.velocity[HINGE] = 3.0;
    double driving = push_after_step(HINGE) * 3.0, shaft = 0.12 * 15.0;
    NEAR(driving, 0.8 * shaft, 1e-12);
    state->joints.velocity[HINGE] = -3.0;
    double driven = push_after_step(HINGE) * 3.0;
    NEAR(shaft, 0.8 * driven, 1e-12);
}

/* ---- direct-current motors ------------------------------------------------------------------- */

/* Blocked: i = u/R (1 - exp(-t R/L)), and the mean torque of a step is k times the mean of that. */
Test(motors, current_of_a_blocked_motor_rises_by_its_formula)
{
    const double R = 2.0, L = 0.005, k = 0.05, u = 12.0, tau = L / R;
    scene_make(SCENE("<Motor joint='hinge' type='dc' R='2' L='5 mH' k='0.05'>"
                     "<gear ratio='10'/></Motor>"));
    put("m/hinge/voltage", u);
    for (int i = 1; i <= 20; i++) {
        double t0 = (i - 1) * 1e-3, t1 = i * 1e-3, current;
        double push = push_after_step(HINGE);
        cr_assert_eq(get("m/hinge/current", &current, NULL), 0);
        NEAR(current, u / R * (1.0 - exp(-t1 / tau)), 1e-12);
        double mean = u / R * (1.0 + tau * (exp(-t1 / tau) - exp(-t0 / tau)) / 1e-3);
        NEAR(push, 10.0 * k * mean, 1e-12);
    }
}

/* R i = u - k w - L di/dt; without inductance at once. */
Test(motors, motor_at_its_idle_speed_gives_no_torque_and_beyond_it_brakes)
{
    scene_make(SCENE("<Motor joint='hinge' type='dc' R='2' k='0.05' damping='1e-4'/>"));
    put("m/hinge/voltage", 12.0);
    double idle = 12.0 * 0.05 / (0.05 * 0.05 + 2.0 * 1e-4);
    state->joints.velocity[HINGE] = idle;
    NEAR(push_after_step(HINGE), 0.0, 1e-12);
    state->joints.velocity[HINGE] = 300.0;
    NEAR(push_after_step(HINGE), 0.05 * (12.0 - 15.0) / 2.0 - 0.03, 1e-12);
    put("m/hinge/voltage", 0.0); /* both ends of the winding are connected */
    NEAR(push_after_step(HINGE), -0.05 * 15.0 / 2.0 - 0.03, 1e-12);
}

/* ---- servos ---------------------------------------------------------------------------------- */

#define SERVO "<Motor joint='rail' type='servo' max_effort='9' max_speed='2' "

Test(motors, position_servo_wants_a_speed_towards_its_setpoint)
{
    scene_make(SCENE(SERVO "gain='5'/>"));
    state->joints.position[RAIL] = 0.3;
    dpl_world_step(world, 1);
    put("m/rail/setpoint", 0.5);
    dpl_world_step(world, 1);
    NEAR(state->joints.speed[RAIL], 5.0 * 0.2, 1e-12);
    cr_assert_eq(state->joints.limit[RAIL], 9.0);
    put("m/rail/setpoint", -7.0);
    dpl_world_step(world, 1);
    cr_assert_eq(state->joints.speed[RAIL], -2.0);
    cr_assert_str_eq(describe("m/rail/setpoint", true)->unit, "m");
}

Test(motors, position_servo_holds_where_it_was_released)
{
    scene_make(SCENE(SERVO "gain='5'/>"));
    put("m/rail/setpoint", 1.0);
    state->joints.position[RAIL] = 0.25;
    dpl_world_channels_release(channels, channel_of("m/rail/setpoint", true));
    state->joints.position[RAIL] = 0.35;
    dpl_world_step(world, 1);
    NEAR(state->joints.speed[RAIL], -0.5, 1e-12);
    cr_assert_eq(state->joints.limit[RAIL], 9.0);
}

Test(motors, speed_servo_follows_its_lag_and_lets_go_when_released)
{
    scene_make(SCENE(SERVO "control='speed' lag='20 ms' release='free'/>"));
    dpl_world_step(world, 1);
    cr_assert_eq(state->joints.limit[RAIL], 0.0, "nobody has told it anything");
    put("m/rail/setpoint", 1.5);
    dpl_world_step(world, 20);
    NEAR(state->joints.speed[RAIL], 1.5 * (1.0 - exp(-1.0)), 1e-12);
    cr_assert_eq(state->joints.limit[RAIL], 9.0);
    put("m/rail/setpoint", (double)INFINITY);
    dpl_world_step(world, 1);
    cr_assert_eq(state->joints.limit[RAIL], 0.0);
    cr_assert_str_eq(describe("m/rail/setpoint", true)->unit, "m/s");
}

/* ---- brakes ---------------------------------------------------------------------------------- */

#define BRAKE                                                                                      \
    "<Motor name='b' joint='hinge' type='brake' torque='12' release_time='5 ms' drop_time='2 "     \
    "ms'/>"

Test(motors, brake_holds_unless_it_is_released_and_takes_its_time)
{
    scene_make(SCENE(BRAKE));
    dpl_world_step(world, 1);
    cr_assert_eq(state->joints.limit[HINGE], 12.0);
    cr_assert_eq(state->joints.speed[HINGE], 0.0);
    put_flag("m/b/release", true);
    dpl_world_step(world, 5);
    cr_assert_not(flag("m/b/open"));
    cr_assert_eq(state->joints.limit[HINGE], 12.0);
    dpl_world_step(world, 1);
    cr_assert(flag("m/b/open"));
    cr_assert_eq(state->joints.limit[HINGE], 0.0);
    dpl_world_channels_release(channels, channel_of("m/b/release", true));
    dpl_world_step(world, 2);
    cr_assert(flag("m/b/open"));
    dpl_world_step(world, 1);
    cr_assert_not(flag("m/b/open"));
    cr_assert_eq(state->joints.limit[HINGE], 12.0);
}

Test(motors, brake_that_is_told_otherwise_in_time_stays_as_it_is)
{
    scene_make(SCENE(BRAKE));
    put_flag("m/b/release", true);
    dpl_world_step(world, 4);
    put_flag("m/b/release", false);
    dpl_world_step(world, 1);
    put_flag("m/b/release", true);
    dpl_world_step(world, 5);
    cr_assert_not(flag("m/b/open"), "the time begins anew");
    dpl_world_step(world, 1);
    cr_assert(flag("m/b/open"));
}

Test(motors, brake_without_feedback_opens_but_does_not_say_so)
{
    scene_make(SCENE(BRAKE));
    size_t fault = channel_of("m/b/feedback_lost", true);
    dpl_world_channels_share(channels, fault, true);
    put_flag("m/b/release", true);
    dpl_world_step(world, 6);
    cr_assert_eq(state->joints.limit[HINGE], 0.0);
    cr_assert_not(flag("m/b/open"));
    dpl_world_channels_share(channels, fault, false);
    cr_assert(flag("m/b/open"));
}

Test(motors, motor_and_brake_command_one_joint_without_disturbing_each_other)
{
    scene_make(SCENE(BRAKE "<Motor joint='hinge' type='force'/>"));
    put("m/hinge/force", 3.0);
    cr_assert_eq(push_after_step(HINGE), 3.0);
    cr_assert_eq(state->joints.limit[HINGE], 12.0);
}

/* ---- limits ---------------------------------------------------------------------------------- */

Test(motors, time_at_a_limit_is_counted_and_long_or_frequent_times_matter)
{
    static const struct {
        unsigned at, after; /* steps of 1 ms */
        bool matters;
    } rows[] = {{50, 50, false}, {300, 4700, false}, {300, 700, true}, {600, 20000, true}};
    scene_make(SCENE("<Motor joint='rail' type='force' limit='5'/>"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dpl_world_limits_clear(world);
        put("m/rail/force", 5.0);
        dpl_world_step(world, 10);
        put("m/rail/force", -70.0);
        dpl_world_step(world, rows[i].at);
        put("m/rail/force", 0.0);
        dpl_world_step(world, rows[i].after);
        const struct dpl_sim_limit_count *count = dpl_world_limit(world, 0);
        cr_assert(count && count->total == rows[i].at * DPL_MS && count->first == 11 * DPL_MS);
        cr_assert_eq(dpl_world_limit_matters(world, count), rows[i].matters, "row %zu", i);
        cr_assert_null(dpl_world_limit(world, 1));
    }
    char text[DPL_SIM_LIMIT_TEXT];
    dpl_world_limit_describe(world, dpl_world_limit(world, 0), text);
    cr_assert_str_eq(text,
                     "m/rail was at its limit (limit 5 N) for 0.6 s of 20.61 s, first at 0.011 s");
}

/* The joint stands still. */
Test(motors, each_kind_tells_which_limit_acts)
{
    static const struct {
        const char *scene, *channel, *enable;
        double value;
        const char *name; /* of the limit that acts; NULL: none */
    } rows[] = {
        {SCENE("<Motor name='d' joint='rail' type='drive' gain='10' max_effort='50' limit='9'/>"),
         "m/d/speed", "m/d/enable", 4.0, NULL},
        {SCENE("<Motor name='d' joint='rail' type='drive' gain='10' max_effort='50' limit='9'/>"),
         "m/d/speed", "m/d/enable", 6.0, "max_effort"},
        {SCENE("<Motor name='d' joint='rail' type='drive' gain='1' max_effort='50' limit='9'/>"),
         "m/d/speed", "m/d/enable", 12.0, "limit"},
        {SCENE("<Motor name='d' joint='rail' type='servo' control='speed' max_effort='50' "
               "max_speed='2'/>"),
         "m/d/setpoint", NULL, 0.0, NULL},
        {SCENE("<Motor name='d' joint='rail' type='servo' control='speed' max_effort='50' "
               "max_speed='2'/>"),
         "m/d/setpoint", NULL, 1.0, "max_effort"},
        {SCENE("<Motor name='d' joint='rail' type='opener' open='1' open_speed='1' "
               "open_acceleration='1e3' "
               "close_speed='1' close_acceleration='1e3' gain='10' max_effort='5'/>"),
         NULL, "m/d/open", 0.0, "max_effort"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene_make(rows[i].scene);
        if (rows[i].enable) {
            put_flag(rows[i].enable, true);
        }
        if (rows[i].channel) {
            put(rows[i].channel, rows[i].value);
        }
        dpl_world_step(world, 1);
        const struct dpl_sim_limit_count *count;
        const char *acts = NULL;
        for (size_t k = 0; (count = dpl_world_limit(world, k)); k++) {
            acts = count->limit.acts ? count->limit.name : acts;
        }
        cr_assert((!acts && !rows[i].name) ||
                      (acts && rows[i].name && strcmp(acts, rows[i].name) == 0),
                  "row %zu: %s acts", i, acts ? acts : "nothing");
        reading_end();
    }
}
