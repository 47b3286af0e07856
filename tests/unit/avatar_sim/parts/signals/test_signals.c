/* SPDX-License-Identifier: Apache-2.0 */
/* Signals of mechanisms: flags, buttons, comparisons, chains of contacts and wires; and the motors
 * that machines with doors and drives need. */
#include <stdlib.h>

#include "entry_scene.h"
#include "saved_world.h"

TestSuite(signals, .fini = reading_end);

enum { HINGE, RAIL };

static void put_flag(const char *path, bool value)
{
    cr_assert_eq(dpl_world_channels_put(channels, channel_of(path, true), &value), 0);
}

static void step(unsigned n)
{
    dpl_world_step(world, n);
}

static bool flag(const char *path)
{
    bool value = false;
    cr_assert_eq(get(path, &value, NULL), 0, "%s", path);
    return value;
}

static void near(double value, double wanted, double within)
{
    NEAR(value, wanted, within);
}

static void let_go(const char *path)
{
    dpl_world_channels_release(channels, channel_of(path, true));
}

/* ---- what is put ----------------------------------------------------------------------------- */

Test(signals, value_holds_what_was_put_until_nobody_answers)
{
    scene_make(SCENE("<Signal name='floor' type='value' initial='-1' unit='m'/>"));
    cr_assert_str_eq(describe("m/floor/value", false)->unit, "m");
    cr_assert_eq(number("m/floor/value"), -1.0);
    put("m/floor/set", 3.5);
    cr_assert_eq(number("m/floor/value"), 3.5);
    put("m/floor/set", (double)INFINITY);
    cr_assert_eq(number("m/floor/value"), -1.0);
    put("m/floor/set", 4.0);
    let_go("m/floor/set");
    cr_assert_eq(number("m/floor/value"), -1.0);
}

Test(signals, flag_goes_off_when_nobody_answers)
{
    scene_make(SCENE("<Signal name='contactor' type='flag'/>"));
    cr_assert_not(flag("m/contactor/on"));
    put_flag("m/contactor/set", true);
    cr_assert(flag("m/contactor/on"));
    let_go("m/contactor/set");
    cr_assert_not(flag("m/contactor/on"));
}

Test(signals, button_is_on_while_it_is_pressed)
{
    scene_make(SCENE("<Signal name='bell' type='button'/>"
                     "<Signal name='free' type='button' inverted='true'/>"));
    put_flag("m/bell/press", true);
    put_flag("m/free/press", true);
    step(1);
    cr_assert(flag("m/bell/on"));
    cr_assert_not(flag("m/free/on"));
    put_flag("m/bell/press", false);
    put_flag("m/free/press", false);
    step(1);
    cr_assert_not(flag("m/bell/on"));
    cr_assert(flag("m/free/on"));
}

Test(signals, button_that_keeps_is_cleared_once)
{
    scene_make(SCENE("<Signal name='call' type='button' keeps='true'/>"));
    put_flag("m/call/press", true);
    step(1);
    put_flag("m/call/press", false);
    step(3);
    cr_assert(flag("m/call/on"), "it is kept");
    put_flag("m/call/clear", true);
    step(1);
    cr_assert_not(flag("m/call/on"), "served");
    put_flag("m/call/press", true);
    step(1);
    cr_assert(flag("m/call/on"), "clear is still on, but did not go on");
    put_flag("m/call/press", false);
    let_go("m/call/clear");
    step(2);
    cr_assert(flag("m/call/on"), "a controller that is lost clears nothing");
    put_flag("m/call/press", true);
    put_flag("m/call/clear", true);
    step(1);
    cr_assert(flag("m/call/on"), "it is pressed");
}

/* ---- comparisons and chains ------------------------------------------------------------------ */

#define GOVERNOR                                                                                   \
    "<Signal name='fast' type='compare' of='rail/velocity' magnitude='true' above='1.84' "         \
    "hysteresis='0.5' on_delay='3 ms'/>\n"                                                         \
    "<Signal name='reset' type='flag'/>\n"                                                         \
    "<Signal name='trip' type='button' keeps='true' set='fast/on' clear='reset/on'/>\n"

Test(signals, comparison_has_sign_hysteresis_and_delay)
{
    scene_make(SCENE(GOVERNOR));
    state->joints.velocity[RAIL] = -1.85;
    step(3);
    cr_assert_not(flag("m/fast/on"));
    step(1);
    cr_assert(flag("m/fast/on"), "3 ms after it was too fast");
    state->joints.velocity[RAIL] = 1.35;
    step(1);
    cr_assert(flag("m/fast/on"), "within the hysteresis");
    state->joints.velocity[RAIL] = 1.33;
    step(1);
    cr_assert_not(flag("m/fast/on"));
    state->joints.velocity[RAIL] = 1.9;
    step(2);
    state->joints.velocity[RAIL] = 0.0;
    step(1);
    state->joints.velocity[RAIL] = 1.9;
    step(3);
    cr_assert_not(flag("m/fast/on"), "the delay begins anew");
}

Test(signals, latch_is_cleared_only_when_its_cause_is_gone)
{
    scene_make(SCENE(GOVERNOR));
    state->joints.velocity[RAIL] = 2.0;
    step(5);
    cr_assert(flag("m/trip/on"));
    put_flag("m/reset/set", true);
    step(2);
    cr_assert(flag("m/trip/on"), "too fast still");
    state->joints.velocity[RAIL] = 0.0;
    step(3);
    cr_assert(flag("m/trip/on"), "the reset was before");
    put_flag("m/reset/set", false);
    step(1);
    put_flag("m/reset/set", true);
    step(1);
    cr_assert_not(flag("m/trip/on"));
}

Test(signals, chain_needs_all_and_any_of_its_contacts)
{
    scene_make(SCENE("<Signal name='a' type='flag'/><Signal name='b' type='flag'/>"
                     "<Signal name='c' type='flag'/><Signal name='d' type='flag'/>"
                     "<Signal name='ok' type='logic' all='a/on  !b/on' any='c/on d/on' "
                     "off_delay='2 ms'/>"));
    for (unsigned bits = 0; bits < 16; bits++) {
        static const char *const names[] = {"m/a/set", "m/b/set", "m/c/set", "m/d/set"};
        for (unsigned i = 0; i < 4; i++) {
            put_flag(names[i], bits & (1u << i));
        }
        step(5);
        bool wanted = (bits & 1u) && !(bits & 2u) && (bits & 12u);
        cr_assert_eq(flag("m/ok/on"), wanted, "%u", bits);
    }
    put_flag("m/b/set", false);
    step(1);
    put_flag("m/a/set", false);
    step(2);
    cr_assert(flag("m/ok/on"));
    step(1);
    cr_assert_not(flag("m/ok/on"), "2 ms later");
    put_flag("m/ok/stuck_on", true);
    step(1);
    cr_assert(flag("m/ok/on"), "a welded contact");
}

/* ---- wires ----------------------------------------------------------------------------------- */

Test(signals, wires_act_in_the_next_step_in_the_order_of_the_file)
{
    scene_make(SCENE("<Motor joint='rail' type='force'/>"
                     "<Motor name='grip' joint='hinge' type='brake' torque='7'/>"
                     "<Signal name='w1' type='wire' from='rail/position' to='rail/force' "
                     "scale='-10'/>"
                     "<Signal name='stop' type='flag'/>"
                     "<Signal name='ok' type='logic' all='!stop/on'/>"
                     "<Signal name='w2' type='wire' from='ok/on' to='grip/release'/>"));
    state->joints.position[RAIL] = 0.5;
    step(2);
    cr_assert_eq(state->joints.push[RAIL], -5.0);
    step(2);
    cr_assert_eq(state->joints.limit[HINGE], 0.0, "open");
    put_flag("m/stop/set", true);
    step(1);
    cr_assert_eq(state->joints.limit[HINGE], 0.0, "the chain opens after the actuators");
    step(1);
    cr_assert_eq(state->joints.limit[HINGE], 7.0, "closed");
}

Test(signals, wire_inverts_a_flag)
{
    scene_make(SCENE("<Motor name='grip' joint='hinge' type='brake' torque='7'/>"
                     "<Signal name='trip' type='flag'/>"
                     "<Signal name='w' type='wire' from='!trip/on' to='grip/release'/>"));
    step(3);
    cr_assert_eq(state->joints.limit[HINGE], 0.0);
    put_flag("m/trip/set", true);
    step(2);
    cr_assert_eq(state->joints.limit[HINGE], 7.0);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void expect_error(const char *name, const char *entries, int column, const char *said)
{
    cr_assert_neq(scene_read(entries), 0, "%s", name);
    expect(0, SCENE_LINE, column, said);
}

Test(signals, signals_that_are_wrong_are_errors_where_they_are)
{
    static const struct {
        const char *name, *entries;
        int column;
        const char *said;
    } rows[] = {
        {"unknown channel is reported with the nearest",
         SCENE("<Signal name='ok' type='logic' all='stopp/on'/><Signal name='stop' "
               "type='flag'/>"),
         37,
         "all: there is no channel 'stopp/on', did you mean "
         "'stop/on'?"},
        {"channel that cannot be put is reported",
         SCENE("<Signal name='w' type='wire' from='rail/position' to='rail/velocity'/>"), 55,
         "to: channel 'rail/velocity' is no input of one owner"},
        {"channel that cannot be read is reported",
         SCENE("<Signal name='s' type='flag'/><Signal name='ok' type='logic' "
               "all='s/set'/>"),
         67, "all: channel 's/set' can be put, not read"},
        {"comparison needs a limit", SCENE("<Signal name='s' type='compare' of='rail/position'/>"),
         1, "a signal of type compare needs 'above' or 'below'"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_error(rows[i].name, rows[i].entries, rows[i].column, rows[i].said);
        reading_end();
    }
}

Test(signals, signal_has_no_joint)
{
    cr_assert_eq(scene_read(SCENE("<Signal name='s' type='flag' joint='rail'/>")), 0);
    expect(0, SCENE_LINE, 30, "unknown attribute 'joint', ignored");
}

/* ---- snapshots ------------------------------------------------------------------------------- */

Test(signals, snapshot_holds_what_is_kept)
{
    scene_make(SCENE(GOVERNOR "<Signal name='w' type='wire' from='!trip/on' to='reset/set'/>"));
    struct saved_world saved = world_saved(world);
    state->joints.velocity[RAIL] = 2.0;
    step(6);
    cr_assert(flag("m/trip/on"));
    world_back(world, &saved);
    step(1);
    cr_assert_not(flag("m/trip/on"));
    free(saved.bytes);
}

/* ---- motors ---------------------------------------------------------------------------------- */

static double pushed(int joint)
{
    step(1);
    return state->joints.push[joint];
}

Test(signals, drive_adds_preload_gain_and_integral)
{
    scene_make(SCENE("<Motor name='lift' joint='hinge' type='drive' gain='200' reset_time='0.5' "
                     "max_effort='1000' constant='20' runaway='5'/>"));
    put("m/lift/speed", 3.0);
    put("m/lift/preload", 50.0);
    cr_assert_eq(pushed(HINGE), 0.0, "not enabled");
    put_flag("m/lift/enable", true);
    state->joints.velocity[HINGE] = 2.0;
    near(pushed(HINGE), 50.0 + 200.0 + 0.4, 1e-9);
    near(pushed(HINGE), 50.0 + 200.0 + 0.8, 1e-9);
    near(number("m/lift/current"), 250.8 / 20.0, 1e-12);
    state->joints.velocity[HINGE] = -10.0;
    near(pushed(HINGE), 1000.0, 0.0);
    step(1000);
    state->joints.velocity[HINGE] = 3.0;
    near(pushed(HINGE), 50.8, 1e-9); /* the integral stood still at the limit */
    put_flag("m/lift/enable", false);
    cr_assert_eq(pushed(HINGE), 0.0);
    put_flag("m/lift/enable", true);
    near(pushed(HINGE), 50.0, 1e-9);
    put_flag("m/lift/runaway", true);
    near(pushed(HINGE), 50.0 + 400.0 + 0.8, 1e-9);
}

/* A door of mass m that moves as the opener pushes it. */
static double run_door(const char *end, double mass, double until, double blocked_at)
{
    double now = 0.0, *at = &state->joints.position[RAIL], *v = &state->joints.velocity[RAIL];
    put_flag(end, true);
    while (now < 10.0 && fabs(*at - until) > 1e-3) {
        double push = pushed(RAIL);
        *v += push / mass * 1e-3;
        *at += *v * 1e-3;
        if (*at > 0.45 || *at < blocked_at) {
            *at = *at > 0.45 ? 0.45 : blocked_at;
            *v = 0.0;
        }
        now += 1e-3;
    }
    put_flag(end, false);
    return now;
}

#define DOOR                                                                                       \
    "<Motor name='door' joint='rail' type='opener' open='0.45' open_speed='0.5' "                  \
    "open_acceleration='1' close_speed='0.3' close_acceleration='0.6' gain='4000' "                \
    "max_effort='130'/>"

Test(signals, opener_moves_by_trapezoids)
{
    scene_make(SCENE(DOOR));
    near(run_door("m/door/open", 40.0, 0.45, 0.0), 1.4 - sqrt(0.002 / 1.0), 0.02);
    step(1);
    state->joints.position[RAIL] = 0.45;
    state->joints.velocity[RAIL] = 0.0;
    near(run_door("m/door/close", 40.0, 0.0, 0.0), 2.0 - sqrt(0.002 / 0.6), 0.04);
    step(1);
    cr_assert_leq(number("m/door/force"), 130.0);
}

Test(signals, opener_comes_to_rest_without_a_stop)
{
    scene_make(SCENE("<Motor name='door' joint='rail' type='opener' open='1.1' closed='0.1' "
                     "open_speed='0.5' open_acceleration='1' close_speed='0.3' "
                     "close_acceleration='0.6' gain='4000' max_effort='130'/>"));
    double *at = &state->joints.position[RAIL], *v = &state->joints.velocity[RAIL];
    put_flag("m/door/close", true); /* beyond the end: it comes back to it */
    for (int i = 0; i < 10000; i++) {
        *v += pushed(RAIL) / 40.0 * 1e-3;
        *at += *v * 1e-3;
    }
    near(*at, 0.1 - 0.005, 1e-3);
    near(*v, 0.0, 1e-4);
    put_flag("m/door/close", false);
    put_flag("m/door/open", true);
    for (int i = 0; i < 10000; i++) {
        *v += pushed(RAIL) / 40.0 * 1e-3;
        *at += *v * 1e-3;
    }
    near(*at, 1.1 + 0.005, 1e-3);
    near(*v, 0.0, 1e-4);
}

Test(signals, opener_pushes_a_blocked_door_with_its_largest_effort)
{
    scene_make(SCENE(DOOR));
    state->joints.position[RAIL] = 0.45;
    near(run_door("m/door/close", 40.0, 0.0, 0.2), 10.0, 0.01);
    put_flag("m/door/close", true);
    step(100);
    near(number("m/door/force"), 130.0, 0.0);
    put_flag("m/door/open", true);
    cr_assert_eq(pushed(RAIL), 0.0, "both: stand still");
}

Test(signals, blocker_pushes_one_way_only_while_it_is_there)
{
    scene_make(SCENE("<Motor name='foot' joint='rail' type='blocker' at='0.2' blocks='below' "
                     "stiffness='2e4' damping='100'/>"));
    state->joints.position[RAIL] = 0.19;
    cr_assert_eq(pushed(RAIL), 0.0);
    put_flag("m/foot/there", true);
    near(pushed(RAIL), 200.0, 1e-9);
    state->joints.velocity[RAIL] = -1.0;
    near(pushed(RAIL), 300.0, 1e-9);
    state->joints.velocity[RAIL] = 10.0;
    near(pushed(RAIL), 0.0, 0.0); /* it does not pull */
    state->joints.position[RAIL] = 0.21;
    cr_assert_eq(pushed(RAIL), 0.0);
}

Test(signals, periodic_switch_is_on_in_each_of_its_ranges)
{
    scene_make(SCENE("<Sensor name='zone' type='switch' joint='rail' from='-0.1' to='0.1' "
                     "pitch='3.2' count='12' hysteresis='0.01'/>"));
    const double at[] = {0.0, 0.099, 0.101, 1.6, 3.09, 3.11, 35.2, 35.301, 38.4, -0.05, -3.2};
    const bool on[] = {true, true, true, false, false, true, true, true, false, true, false};
    for (size_t i = 0; i < DPL_COUNT(at); i++) {
        state->joints.position[RAIL] = at[i];
        step(1);
        cr_assert_eq(flag("m/zone/on"), on[i], "%g", at[i]);
    }
}
