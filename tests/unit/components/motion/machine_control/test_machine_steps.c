/* SPDX-License-Identifier: Apache-2.0 */
/* The machine through whole stories: timeouts, rest, faults and how it brakes. A tiny machine
 * answers the commands as axes, planner and path would. */
#include <string.h>

#include <criterion/criterion.h>

#include "machine.h"
#include "servo_faults.h"

#define TICK (DPL_MS / 2)

/* The machine's surroundings, and what is broken of them. */
static struct {
    struct machine machine;
    struct machine_sight sight;
    struct machine_command command;
    bool no_axes, no_planner, no_path, no_pose, no_force, endless, stuck_off;
    enum dpl_planner_mode planner;
    enum dpl_planner_obstacle obstacle;
    enum machine_fault fault; /* of the newest tick */
} world;

static void begin(void)
{
    struct machine_config config = {
        .axes_timeout = 20 * DPL_MS,
        .planner_timeout = 50 * DPL_MS,
        .path_timeout = 20 * DPL_MS,
        .force_timeout = 20 * DPL_MS,
        .enable_timeout = 500 * DPL_MS,
        .arrive_timeout = 2 * DPL_S,
        .stop_timeout = 500 * DPL_MS,
        .emergency_timeout = 200 * DPL_MS,
        .reset_timeout = 200 * DPL_MS,
        .rest_time = 10 * DPL_MS,
        .rest_speed_m_s = 0.001,
        .pose_gap_most = 8,
    };
    memset(&world, 0, sizeof world);
    world.planner = DPL_PLANNER_FOLLOWING;
    machine_init(&world.machine, &config, (const double[6]){0.0, 0.0, 0.54, 0.0, 0.0, 0.0});
}

static bool moves_by(enum dpl_machine_state state)
{
    return state == DPL_MACHINE_HOMING || state == DPL_MACHINE_POSITION ||
           state == DPL_MACHINE_ADMITTANCE;
}

/* Axes come on and go off at once; STOPPING brings the path to rest at once, unless `endless`. */
static void answer(void)
{
    struct machine_sight *s = &world.sight;
    const struct machine_command *c = &world.command;
    s->now += TICK;
    if (!world.no_axes) {
        s->axes = (struct machine_heard){true, s->now};
        s->axes_valid = true;
    }
    if (c->reset) {
        s->axes_mode = DPL_AXES_OFF;
        s->axes_fault = 0;
    } else if (s->axes_mode != DPL_AXES_FAULT) {
        s->axes_mode = c->axes_on && !world.stuck_off ? DPL_AXES_ON : DPL_AXES_OFF;
    }
    if (!world.no_planner) {
        s->planner = (struct machine_heard){true, s->now};
        s->planner_epoch = c->epoch;
        s->planner_obstacle = world.obstacle;
        s->planner_mode = moves_by(c->state) ? world.planner : DPL_PLANNER_BRAKING;
        s->planner_at_rest = !moves_by(c->state) && !world.endless;
    }
    if (!world.no_path) {
        s->path = (struct machine_heard){true, s->now};
        s->path_moving = moves_by(c->state) || (world.endless && c->axes_on && !c->axes_stop);
    }
    s->pose_gap = world.no_pose ? s->pose_gap + 1 : 0;
    s->force_watched = true;
    if (!world.no_force) {
        s->force = (struct machine_heard){true, s->now};
    }
}

static void run(double seconds)
{
    for (dpl_ns left = dpl_ns_from_s(seconds); left > 0; left -= TICK) {
        answer();
        enum machine_fault fault = machine_step(&world.machine, &world.sight);
        world.fault = fault != FAULT_NONE ? fault : world.fault;
        machine_command_of(&world.machine, &world.command);
    }
}

static bool ask(enum dpl_machine_request_kind request)
{
    static const double target[6] = {0.1, 0.0, 0.5, 0.0, 0.0, 0.0};
    bool taken = machine_ask(&world.machine, request, target).verdict != VERDICT_REFUSE;
    machine_command_of(&world.machine, &world.command);
    return taken;
}

static void expect(enum machine_phase phase, enum machine_row row)
{
    cr_assert_eq(world.machine.primary.phase, phase, "phase %s instead of %s",
                 primary_phase_name(world.machine.primary.phase), primary_phase_name(phase));
    cr_assert_eq(world.machine.secondary.row, row, "row %s instead of %s",
                 secondary_row_name(world.machine.secondary.row), secondary_row_name(row));
}

static void go_to_admittance(void)
{
    begin();
    run(0.1);
    expect(PHASE_IDLE, ROW_STOPPED);
    cr_assert(ask(DPL_REQUEST_ENABLE));
    run(0.1);
    expect(PHASE_READY, ROW_STOPPED);
    cr_assert(ask(DPL_REQUEST_ADMITTANCE));
    run(0.1);
    expect(PHASE_MOTION, ROW_RUN);
}

static void expect_brakes(enum machine_fault fault, enum machine_reaction reaction)
{
    cr_assert_eq(world.machine.primary.fault, fault, "fault %s",
                 machine_fault_rules[world.machine.primary.fault].name);
    cr_assert_eq(world.machine.primary.reaction, reaction);
    cr_assert_eq(world.command.axes_stop, reaction == REACT_AXES_STOP);
    cr_assert(world.command.axes_on);
    expect(PHASE_FAULT, ROW_STOPPING);
}

static void expect_off(void)
{
    expect(PHASE_FAULT, ROW_STOPPED);
    cr_assert_not(world.command.axes_on);
    cr_assert_not(world.command.axes_stop);
}

static void expect_reset_works(void)
{
    cr_assert(ask(DPL_REQUEST_RESET));
    expect(PHASE_RESETTING, ROW_STOPPED);
    cr_assert(world.command.reset);
    run(0.05);
    expect(PHASE_IDLE, ROW_STOPPED);
    cr_assert_eq(world.machine.primary.fault, FAULT_NONE);
}

Test(machine_steps, stops_along_the_path_and_is_ready_again)
{
    go_to_admittance();
    cr_assert_not(ask(DPL_REQUEST_DISABLE));
    cr_assert_not(ask(DPL_REQUEST_HOME));
    cr_assert(ask(DPL_REQUEST_STOP));
    expect(PHASE_MOTION, ROW_STOPPING);
    cr_assert_not(ask(DPL_REQUEST_ADMITTANCE));
    run(0.005);
    expect(PHASE_MOTION, ROW_STOPPING); /* rest must be seen for 10 ms */
    run(0.02);
    expect(PHASE_READY, ROW_STOPPED);
    cr_assert(ask(DPL_REQUEST_DISABLE));
    run(0.01);
    expect(PHASE_IDLE, ROW_STOPPED);
    cr_assert_not(world.command.axes_on);
}

Test(machine_steps, waits_for_all_to_report_before_it_is_idle)
{
    begin();
    world.no_planner = true;
    run(0.1);
    expect(PHASE_BOOT, ROW_STOPPED);
    cr_assert_not(ask(DPL_REQUEST_ENABLE));
    world.no_planner = false;
    run(0.001);
    expect(PHASE_IDLE, ROW_STOPPED);
}

Test(machine_steps, does_not_enable_without_a_pose)
{
    begin();
    world.no_pose = true;
    run(0.1);
    cr_assert_not(ask(DPL_REQUEST_ENABLE));
    world.no_pose = false;
    run(0.001);
    cr_assert(ask(DPL_REQUEST_ENABLE));
}

Test(machine_steps, faults_when_the_axes_do_not_come_on)
{
    begin();
    run(0.1);
    world.stuck_off = true;
    cr_assert(ask(DPL_REQUEST_ENABLE));
    run(0.4);
    expect(PHASE_ENABLING, ROW_STOPPED);
    run(0.2);
    cr_assert_eq(world.machine.primary.fault, FAULT_ENABLE_TIMEOUT);
    expect_off();
}

Test(machine_steps, homes_and_is_ready_there)
{
    begin();
    run(0.1);
    ask(DPL_REQUEST_ENABLE);
    run(0.1);
    world.planner = DPL_PLANNER_SYNCING;
    cr_assert(ask(DPL_REQUEST_HOME));
    run(0.2);
    expect(PHASE_MOTION, ROW_HOMING);
    cr_assert_eq(world.command.target[2], 0.54);
    cr_assert_not(ask(DPL_REQUEST_POSITION));
    world.machine.sight.planner_at_rest = false;
    world.planner = DPL_PLANNER_FOLLOWING;
    run(0.1);
    expect(PHASE_MOTION, ROW_HOMING); /* there, but not at rest */
    struct machine_sight arrived = world.sight;
    for (int i = 0; i < 40; i++) {
        arrived.now += TICK;
        arrived.axes.at = arrived.path.at = arrived.planner.at = arrived.now;
        arrived.planner_epoch = world.machine.secondary.epoch;
        arrived.planner_at_rest = true;
        arrived.path_moving = false;
        machine_step(&world.machine, &arrived);
    }
    expect(PHASE_READY, ROW_STOPPED);
}

Test(machine_steps, restarts_admittance_only_from_rest_at_home)
{
    go_to_admittance();
    uint64_t epoch = world.command.epoch;
    cr_assert(ask(DPL_REQUEST_ADMITTANCE)); /* it is so already */
    cr_assert_eq(world.command.epoch, epoch);
    world.planner = DPL_PLANNER_RETURNING;
    run(0.1);
    expect(PHASE_MOTION, ROW_RETURN);
    cr_assert_not(ask(DPL_REQUEST_ADMITTANCE));
    world.planner = DPL_PLANNER_WAITING;
    run(0.1);
    expect(PHASE_MOTION, ROW_WAIT);
    cr_assert_not(ask(DPL_REQUEST_ADMITTANCE)); /* the path still moves */
}

static const struct {
    const char *name;
    bool *broken;
    double after_s;
    enum machine_fault fault;
    enum machine_reaction reaction;
} breakages[] = {
    {"axes", &world.no_axes, 0.03, FAULT_AXES_SILENT, REACT_AXES_STOP},
    {"planner", &world.no_planner, 0.055, FAULT_PLANNER_SILENT, REACT_ALONG_PATH},
    {"path", &world.no_path, 0.025, FAULT_PATH_SILENT, REACT_AXES_STOP},
    {"pose", &world.no_pose, 0.008, FAULT_POSE_LOST, REACT_ALONG_PATH},
    {"force", &world.no_force, 0.022, FAULT_FORCE_LOST, REACT_ALONG_PATH},
    {"halt", &world.sight.halt, 0.001, FAULT_HALT, REACT_ALONG_PATH},
};

Test(machine_steps, brakes_as_the_fault_asks_and_recovers_by_a_reset)
{
    for (size_t i = 0; i < sizeof breakages / sizeof breakages[0]; i++) {
        go_to_admittance();
        *breakages[i].broken = true;
        run(breakages[i].after_s);
        expect_brakes(breakages[i].fault, breakages[i].reaction);
        *breakages[i].broken = false;
        run(0.1);
        expect_off();
        cr_assert_not(ask(DPL_REQUEST_ENABLE), "%s", breakages[i].name);
        expect_reset_works();
    }
}

Test(machine_steps, needs_a_force_in_admittance_only)
{
    begin();
    world.no_force = true;
    run(0.1);
    cr_assert(ask(DPL_REQUEST_ENABLE));
    run(0.1);
    cr_assert_not(ask(DPL_REQUEST_ADMITTANCE), "nothing is there to follow");
    expect(PHASE_READY, ROW_STOPPED);
    world.planner = DPL_PLANNER_SYNCING;
    cr_assert(ask(DPL_REQUEST_HOME));
    run(0.5);
    expect(PHASE_MOTION, ROW_HOMING);
    cr_assert(ask(DPL_REQUEST_STOP));
    run(0.1);
    world.no_force = false;
    run(0.01);
    cr_assert(ask(DPL_REQUEST_ADMITTANCE));
    run(0.1);
    world.no_force = true;
    run(0.018);
    expect(PHASE_MOTION, ROW_SYNC);
    cr_assert(ask(DPL_REQUEST_STOP));
    run(0.1);
    expect(PHASE_READY, ROW_STOPPED); /* who stops already needs none */
}

Test(machine_steps, goes_on_without_a_force_if_it_shall)
{
    go_to_admittance();
    world.machine.config.force_timeout = 0;
    world.no_force = true;
    run(1.0);
    expect(PHASE_MOTION, ROW_RUN);
}

static void expect_axes_fault(uint32_t code, enum machine_fault fault)
{
    go_to_admittance();
    world.sight.axes_mode = DPL_AXES_FAULT;
    world.sight.axes_fault = code;
    run(0.001);
    expect_brakes(fault, REACT_AXES_STOP);
    run(0.1);
    expect_off();
    expect_reset_works();
}

Test(machine_steps, tells_why_the_axes_have_a_fault)
{
    expect_axes_fault(0x2310, FAULT_AXES);
    expect_axes_fault(DPL_DRIVE_FAULT_FOLLOWING, FAULT_FOLLOWING);
    expect_axes_fault(DPL_SERVO_FAULT_FOLLOWING, FAULT_FOLLOWING);
    expect_axes_fault(DPL_SERVO_FAULT_JUMP, FAULT_REFERENCE);
    expect_axes_fault(DPL_SERVO_FAULT_MISSING, FAULT_REFERENCE);
}

Test(machine_steps, brakes_along_the_path_when_the_planner_has_a_fault)
{
    go_to_admittance();
    world.planner = DPL_PLANNER_FAULT;
    run(0.001);
    expect_brakes(FAULT_PLANNER, REACT_ALONG_PATH);
    run(0.1);
    expect_off();
    expect_reset_works();
}

Test(machine_steps, stops_the_axes_when_the_path_does_not_come_to_rest)
{
    go_to_admittance();
    world.endless = true;
    cr_assert(ask(DPL_REQUEST_STOP));
    run(0.45);
    expect(PHASE_MOTION, ROW_STOPPING);
    run(0.055);
    expect_brakes(FAULT_STOP_TIMEOUT, REACT_AXES_STOP);
    run(0.1);
    expect_off();
}

Test(machine_steps, stops_the_axes_when_braking_along_the_path_becomes_impossible)
{
    go_to_admittance();
    world.endless = true;
    world.sight.halt = true;
    run(0.01);
    expect_brakes(FAULT_HALT, REACT_ALONG_PATH);
    cr_assert(ask(DPL_REQUEST_EMERGENCY));
    expect_brakes(FAULT_HALT, REACT_AXES_STOP); /* the first cause stays */
    run(0.1);
    expect_off();
    cr_assert_eq(world.machine.n_faults[FAULT_HALT], 1);
    cr_assert_eq(world.machine.n_faults[FAULT_EMERGENCY], 1);
}

Test(machine_steps, brakes_along_the_path_in_an_emergency)
{
    go_to_admittance();
    cr_assert(ask(DPL_REQUEST_EMERGENCY));
    expect_brakes(FAULT_EMERGENCY, REACT_ALONG_PATH);
    run(0.1);
    expect_off();
    expect_reset_works();
}

Test(machine_steps, stops_the_axes_when_an_emergency_is_asked_for_again)
{
    go_to_admittance();
    world.endless = true;
    cr_assert(ask(DPL_REQUEST_EMERGENCY));
    run(0.02);
    cr_assert(ask(DPL_REQUEST_EMERGENCY));
    expect_brakes(FAULT_EMERGENCY, REACT_AXES_STOP);
}

Test(machine_steps, stops_the_axes_when_an_emergency_takes_too_long)
{
    go_to_admittance();
    world.endless = true;
    cr_assert(ask(DPL_REQUEST_EMERGENCY));
    run(0.19);
    expect_brakes(FAULT_EMERGENCY, REACT_ALONG_PATH);
    run(0.02);
    expect_brakes(FAULT_EMERGENCY, REACT_AXES_STOP);
}

Test(machine_steps, stops_the_axes_where_the_path_leads_nowhere)
{
    go_to_admittance();
    world.endless = true;
    world.sight.unreachable = true;
    run(0.01);
    expect_brakes(FAULT_UNREACHABLE, REACT_AXES_STOP);
}

Test(machine_steps, does_not_reset_what_moves_or_is_not_seen)
{
    go_to_admittance();
    world.sight.axes_speed_m_s = 0.5;
    world.no_axes = true;
    run(0.1);
    cr_assert_not(ask(DPL_REQUEST_RESET));
    world.no_axes = false;
    run(0.1);
    cr_assert_not(ask(DPL_REQUEST_RESET)); /* seen again, still coasting */
    world.sight.axes_speed_m_s = 0.0;
    run(0.1);
    expect_reset_works();
}

Test(machine_steps, is_in_fault_again_when_a_reset_does_not_help)
{
    go_to_admittance();
    world.sight.halt = true;
    run(0.1);
    cr_assert(ask(DPL_REQUEST_RESET));
    run(0.15);
    expect(PHASE_RESETTING, ROW_STOPPED);
    run(0.1);
    expect_off();
    cr_assert_eq(world.machine.primary.fault, FAULT_HALT);
}

Test(machine_steps, leaves_the_axes_off_in_a_fault_that_comes_while_they_are_off)
{
    begin();
    run(0.1);
    cr_assert(ask(DPL_REQUEST_EMERGENCY));
    expect_off();
    run(0.1);
    expect_off();
    expect_reset_works();
}

static void go_to_position(void)
{
    begin();
    run(0.1);
    cr_assert(ask(DPL_REQUEST_ENABLE));
    run(0.1);
    world.planner = DPL_PLANNER_SYNCING;
    cr_assert(ask(DPL_REQUEST_POSITION));
}

Test(machine_steps, stops_when_the_planner_does_not_go_to_the_target)
{
    go_to_position();
    world.obstacle = DPL_OBSTACLE_TARGET;
    run(0.002);
    expect(PHASE_MOTION, ROW_STOPPING);
    cr_assert_eq(world.machine.n_ends[END_REFUSED], 1);
    run(0.1);
    expect(PHASE_READY, ROW_STOPPED);
    cr_assert_eq(world.fault, FAULT_NONE);
    cr_assert(ask(DPL_REQUEST_HOME));
    run(0.002);
    cr_assert_eq(world.machine.n_ends[END_REFUSED], 2);
}

Test(machine_steps, stops_when_it_does_not_arrive_in_time_but_waits_there_for_ever)
{
    go_to_position();
    run(1.9);
    expect(PHASE_MOTION, ROW_POSITION);
    run(0.3);
    expect(PHASE_READY, ROW_STOPPED);
    cr_assert_eq(world.machine.n_ends[END_LATE], 1);
    go_to_position();
    world.planner = DPL_PLANNER_FOLLOWING;
    for (int i = 0; i < 60 && !world.machine.secondary.arrived; i++) {
        answer();
        world.sight.path_moving = false;
        world.sight.planner_at_rest = true;
        machine_step(&world.machine, &world.sight);
        machine_command_of(&world.machine, &world.command);
    }
    cr_assert(world.machine.secondary.arrived);
    run(5.0);
    expect(PHASE_MOTION, ROW_POSITION);
    cr_assert_eq(world.machine.n_ends[END_LATE], 0);
}

Test(machine_steps, says_that_it_stands_outside_of_the_workspace)
{
    go_to_position();
    world.planner = DPL_PLANNER_FAULT;
    world.obstacle = DPL_OBSTACLE_START;
    run(0.01);
    expect_brakes(FAULT_OUTSIDE, REACT_ALONG_PATH);
}

Test(machine_steps, an_emergency_while_the_axes_come_on_is_one_fault)
{
    begin();
    run(0.1);
    cr_assert(ask(DPL_REQUEST_ENABLE));
    cr_assert(ask(DPL_REQUEST_EMERGENCY));
    run(0.2);
    expect_off();
    cr_assert_eq(world.machine.primary.fault, FAULT_EMERGENCY);
    cr_assert_eq(world.fault, FAULT_NONE, "no other comes behind it");
    expect_reset_works();
}

Test(machine_steps, refuses_what_is_no_request)
{
    go_to_admittance();
    cr_assert_eq(machine_ask(&world.machine, (enum dpl_machine_request_kind)42, NULL).verdict,
                 VERDICT_REFUSE);
    cr_assert_eq(machine_ask(&world.machine, DPL_REQUEST_POSITION, NULL).verdict, VERDICT_REFUSE);
}
