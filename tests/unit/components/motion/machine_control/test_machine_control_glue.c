/* SPDX-License-Identifier: Apache-2.0 */
/* MachineControl as its neighbours see it: messages in, command out, service. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/msg/axes.h>
#include <doppel/msg/controllers.h>
#include <doppel/msg/device.h>
#include <doppel/msg/force_sensor.h>
#include <doppel/msg/motion.h>

#include "fake_runtime.h"
#include "tables.h"
#include "words.h"

#define PERIOD (625 * DPL_US)

static struct machine_component *state;
static struct dpl_tick tick;

static Doppel__AxisState axes;
static Doppel__PlannerState planner;
static Doppel__PathState path;
static Doppel__MeasuredPose measured;
static Doppel__MachineCommand command; /* the newest one, and its target */
static Doppel__Pose6 target, pose;
static Doppel__Wrench wrench;
static bool wrench_is_silent;
static double speeds[6];

static void prepare(void)
{
    doppel__axis_state__init(&axes);
    doppel__planner_state__init(&planner);
    doppel__path_state__init(&path);
    doppel__measured_pose__init(&measured);
    doppel__machine_command__init(&command);
    doppel__wrench__init(&wrench);
    wrench.valid = true;
    wrench_is_silent = false;
    doppel__pose6__init(&target);
    doppel__pose6__init(&pose);
    measured.pose = &pose;
    axes.velocity = speeds;
    axes.n_velocity = 6;
    axes.valid = measured.valid = true;
}

static void begin(void)
{
    prepare();
    fake_begin();
    fake.ports[MACHINE_PORT_WRENCH].is_open = true;
    state = fake.self.state;
    cr_assert_eq(fake_start(0, NULL), 0);
}

TestSuite(machine_control_glue, .init = begin, .fini = fake_end);

/* One tick in which everybody reports; the axes do what they were told. */
static void step(void)
{
    axes.mode = command.axes_on ? DOPPEL__AXES_MODE__AXES_ON : DOPPEL__AXES_MODE__AXES_OFF;
    planner.epoch = command.epoch;
    planner.at_rest = true;
    fake_receive(MACHINE_PORT_AXES, &axes, 0);
    fake_receive(MACHINE_PORT_PLANNER, &planner, 0);
    fake_receive(MACHINE_PORT_PATH, &path, 0);
    fake_receive(MACHINE_PORT_MEASURED, &measured, 0);
    bool wrench_comes = !fake.ports[MACHINE_PORT_WRENCH].is_open && !wrench_is_silent;
    fake_receive(MACHINE_PORT_WRENCH, wrench_comes ? &wrench : NULL, 0);
    tick.now += PERIOD;
    fake_execute(&tick);
    if (fake.ports[MACHINE_PORT_COMMAND].n_sent > 0) {
        command = *(const Doppel__MachineCommand *)fake_sent(MACHINE_PORT_COMMAND);
        target = *command.target;
    }
}

static void steps(int n)
{
    for (int i = 0; i < n; i++) {
        step();
    }
}

static int ask(int kind, Doppel__Pose6 *to)
{
    Doppel__MachineRequest request = DOPPEL__MACHINE_REQUEST__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    request.kind = (Doppel__MachineRequestKind)kind;
    request.target = to;
    return machine_service[DPL_MACHINE_REQUEST](&fake.self, MACHINE_PORT_SERVICE, &request,
                                                &response);
}

static Doppel__MachineStatus status(void)
{
    Doppel__Empty request = DOPPEL__EMPTY__INIT;
    Doppel__MachineStatus response = DOPPEL__MACHINE_STATUS__INIT;
    cr_assert_eq(machine_service[DPL_MACHINE_GET_STATUS](&fake.self, MACHINE_PORT_SERVICE, &request,
                                                         &response),
                 0);
    return response;
}

static void expect(int phase, int machine_state)
{
    cr_assert_eq((int)status().phase, phase, "phase %d", (int)status().phase);
    cr_assert_eq((int)status().state, machine_state, "state %d", (int)status().state);
    cr_assert_eq((int)command.state, machine_state);
}

Test(machine_control_glue, has_the_numbers_of_its_messages)
{
    cr_assert_eq((int)PHASE_FAULT, (int)DOPPEL__MACHINE_PHASE__MACHINE_FAULT);
    cr_assert_eq((int)PHASE_MOTION, (int)DOPPEL__MACHINE_PHASE__MACHINE_MOTION);
    cr_assert_eq((int)DPL_MACHINE_STOPPING, (int)DOPPEL__MACHINE_STATE__MACHINE_STOPPING);
    cr_assert_eq((int)DPL_MACHINE_ADMITTANCE, (int)DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE);
    cr_assert_eq((int)DPL_REQUEST_RESET, (int)DOPPEL__MACHINE_REQUEST_KIND__REQUEST_RESET);
    cr_assert_eq((int)DPL_REQUEST_EMERGENCY, (int)DOPPEL__MACHINE_REQUEST_KIND__REQUEST_EMERGENCY);
    cr_assert_eq((int)DPL_AXES_FAULT, (int)DOPPEL__AXES_MODE__AXES_FAULT);
    cr_assert_eq((int)DPL_AXES_ON, (int)DOPPEL__AXES_MODE__AXES_ON);
    cr_assert_eq((int)DPL_PLANNER_FAULT, (int)DOPPEL__PLANNER_MODE__PLANNER_FAULT);
    cr_assert_eq((int)DPL_PLANNER_FOLLOWING, (int)DOPPEL__PLANNER_MODE__PLANNER_FOLLOWING);
    cr_assert_eq((int)DPL_PLANNER_WAITING, (int)DOPPEL__PLANNER_MODE__PLANNER_WAITING);
    cr_assert_eq((int)DPL_OBSTACLE_TARGET, (int)DOPPEL__PLANNER_OBSTACLE__OBSTACLE_TARGET);
    cr_assert_eq((int)DPL_OBSTACLE_START, (int)DOPPEL__PLANNER_OBSTACLE__OBSTACLE_START);
}

static void expect_row(const char *rows, const char *row)
{
    char text[MACHINE_REPORT_BYTES + 2], wanted[256];
    snprintf(text, sizeof text, "|%s|", rows);
    snprintf(wanted, sizeof wanted, "|%s|", row);
    cr_assert_not_null(strstr(text, wanted), "no '%s' in %s", row, rows);
}

Test(machine_control_glue, reports_its_states_and_what_each_request_would_do)
{
    steps(20);
    const Doppel__StateReport *report = fake_sent(MACHINE_PORT_REPORT);
    cr_assert_str_eq(report->present, "idle");
    expect_row(report->states, "motion/admittance/deflect");
    expect_row(report->moves, "idle>enabling");
    expect_row(report->moves, "motion/admittance/deflect>motion/admittance/return");
    expect_row(report->requests, "enable>enabling");
    expect_row(report->requests, "disable=");
    expect_row(report->requests, "home!the axes are off: enable first");
    ask(DPL_REQUEST_ENABLE, NULL);
    steps(200);
    ask(DPL_REQUEST_ADMITTANCE, NULL);
    steps(2);
    report = fake_sent(MACHINE_PORT_REPORT);
    cr_assert_str_eq(report->present, "motion|motion/admittance|motion/admittance/sync");
    expect_row(report->requests, "stop>motion/stopping");
    expect_row(report->requests, "emergency>fault");
    cr_assert_eq(status().phase, DOPPEL__MACHINE_PHASE__MACHINE_MOTION, "it only looks");
}

Test(machine_control_glue, reports_at_changes_and_each_second)
{
    steps(200);
    int n = fake.ports[MACHINE_PORT_REPORT].n_sent;
    cr_assert_leq(n, 8, "%d", n);
    steps(1600);
    cr_assert_eq(fake.ports[MACHINE_PORT_REPORT].n_sent, n + 1);
}

Test(machine_control_glue, has_a_name_for_each_fault_it_shows)
{
    char word[DPL__WORD_MAX];
    const char *words = dpl_field_find(machine_export_table, MACHINE_N_EXPORTS, "fault")->choices;
    for (int fault = 0; fault < FAULTS; fault++) {
        words = dpl__word_next(words, word);
        cr_assert_not_null(words, "%s", machine_fault_rules[fault].name);
        cr_assert_str_eq(word, machine_fault_rules[fault].name);
    }
    cr_assert_str_eq(words, "", "there are more words than faults");
    for (int fault = 1; fault < FAULTS; fault++) {
        char name[64];
        snprintf(name, sizeof name, "faults_%s", machine_fault_rules[fault].name);
        const struct dpl_field *field =
            dpl_field_find(machine_export_table, MACHINE_N_EXPORTS, name);
        cr_assert_not_null(field, "%s", name);
        cr_assert_eq(field->offset, offsetof(struct machine_component, machine.n_faults) +
                                        (size_t)fault * sizeof(int64_t));
    }
}

static void go_to_admittance(void)
{
    steps(2);
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_ENABLE, NULL), 0);
    steps(2);
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_ADMITTANCE, NULL), 0);
    steps(2);
    expect(DOPPEL__MACHINE_PHASE__MACHINE_MOTION, DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE);
}

static void begin_admittance(void)
{
    state->machine.config.force_timeout = 20 * DPL_MS;
    go_to_admittance();
    cr_assert(status().force_known);
}

Test(machine_control_glue, tells_a_force_that_is_not_to_be_believed)
{
    fake.ports[MACHINE_PORT_WRENCH].is_open = false;
    begin_admittance();
    wrench.torque_y = (double)NAN;
    steps(32);
    expect(DOPPEL__MACHINE_PHASE__MACHINE_MOTION, DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE);
    cr_assert_float_eq(state->blind_s, 32 * 0.000625, 1e-9);
    steps(1);
    cr_assert_eq((int)status().phase, (int)DOPPEL__MACHINE_PHASE__MACHINE_FAULT);
    cr_assert_eq(status().fault, (uint32_t)FAULT_FORCE_LOST);
    cr_assert_not(status().force_known);
    cr_assert_str_eq(fake.fault, machine_fault_rules[FAULT_FORCE_LOST].what);
    cr_assert_not_null(strstr(fake.errors, "force_lost"), "%s", fake.errors);
}

Test(machine_control_glue, counts_silence_and_invalid_wrenches_alike)
{
    fake.ports[MACHINE_PORT_WRENCH].is_open = false;
    begin_admittance();
    wrench.valid = false;
    steps(20);
    wrench_is_silent = true;
    steps(13);
    cr_assert_eq(status().fault, (uint32_t)FAULT_FORCE_LOST);
}

Test(machine_control_glue, follows_what_nobody_watches)
{
    begin_admittance();
    steps(100);
    expect(DOPPEL__MACHINE_PHASE__MACHINE_MOTION, DOPPEL__MACHINE_STATE__MACHINE_ADMITTANCE);
    cr_assert(status().force_known);
    cr_assert_eq(state->blind_s, 0.0);
}

Test(machine_control_glue, takes_requests_and_tells_its_state)
{
    steps(2);
    expect(DOPPEL__MACHINE_PHASE__MACHINE_IDLE, DOPPEL__MACHINE_STATE__MACHINE_STOPPED);
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_HOME, NULL), -EPERM);
    cr_assert_not_null(strstr(fake.log, "refused, the axes are off: enable first"), "%s", fake.log);
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_ENABLE, NULL), 0);
    steps(2);
    cr_assert(command.axes_on);
    expect(DOPPEL__MACHINE_PHASE__MACHINE_READY, DOPPEL__MACHINE_STATE__MACHINE_STOPPED);
    uint64_t epoch = command.epoch;
    Doppel__Pose6 to = DOPPEL__POSE6__INIT;
    to.x = 0.1;
    to.yaw = -0.02;
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_POSITION, &to), 0);
    step();
    expect(DOPPEL__MACHINE_PHASE__MACHINE_MOTION, DOPPEL__MACHINE_STATE__MACHINE_POSITION);
    cr_assert_gt(command.epoch, epoch);
    cr_assert(target.x == 0.1 && target.yaw == -0.02);
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_EMERGENCY, NULL), 0);
    step();
    cr_assert_eq(status().fault, FAULT_EMERGENCY);
    cr_assert_eq(command.state, DOPPEL__MACHINE_STATE__MACHINE_STOPPING);
    cr_assert(!command.axes_stop);
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_EMERGENCY, NULL), 0);
    step();
    cr_assert(command.axes_stop);
    cr_assert_eq(state->n_requests, 5);
    cr_assert_eq(state->n_refused, 1);
}

Test(machine_control_glue, stops_along_the_path_when_the_run_ends)
{
    steps(2);
    cr_assert(!fake.moves);
    ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_ENABLE, NULL);
    steps(2);
    cr_assert(!fake.moves);
    ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_HOME, NULL);
    step();
    cr_assert(fake.moves);
    tick.halt = DPL_HALT_ENDING;
    step();
    expect(DOPPEL__MACHINE_PHASE__MACHINE_MOTION, DOPPEL__MACHINE_STATE__MACHINE_STOPPING);
    cr_assert_eq(status().fault, FAULT_NONE);
    cr_assert(fake.moves);
}

Test(machine_control_glue, refuses_a_pose_that_is_none)
{
    Doppel__Pose6 to = DOPPEL__POSE6__INIT;
    steps(2);
    ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_ENABLE, NULL);
    steps(2);
    to.z = (double)NAN;
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_POSITION, &to), -EINVAL);
    to.z = 1e4;
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_POSITION, &to), -EINVAL);
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_POSITION, NULL), -EPERM);
    cr_assert_eq(ask(99, NULL), -EPERM);
}

Test(machine_control_glue, goes_home_where_its_property_says_also_after_a_restart)
{
    cr_assert_eq(fake.self.class_->ops->start(&fake.self, NULL), 0);
    steps(2);
    ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_ENABLE, NULL);
    steps(2);
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_HOME, NULL), 0);
    step();
    cr_assert_eq(target.z, 0.54);
}

Test(machine_control_glue, counts_axes_that_are_not_valid_as_silent)
{
    steps(5);
    axes.valid = false;
    steps(40);
    cr_assert_eq(status().fault, FAULT_AXES_SILENT);
    cr_assert_eq(state->machine.n_faults[FAULT_AXES_SILENT], 1);
}

Test(machine_control_glue, goes_on_when_no_message_can_be_loaned)
{
    fake.ports[MACHINE_PORT_COMMAND].is_full = true;
    steps(5);
    cr_assert_eq(fake.ports[MACHINE_PORT_COMMAND].n_sent, 0);
    cr_assert_eq(status().phase, DOPPEL__MACHINE_PHASE__MACHINE_IDLE);
}

Test(machine_control_glue, an_emergency_is_an_error_in_the_log)
{
    steps(2);
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_EMERGENCY, NULL), 0);
    cr_assert_not_null(strstr(fake.errors, "fault emergency: emergency stop; the axes are off"),
                       "%s", fake.errors);
}

Test(machine_control_glue, says_the_axes_are_off_only_when_they_say_so)
{
    steps(2);
    tick.now += DPL_S; /* nobody reports any more */
    fake_execute(&tick);
    cr_assert_not_null(strstr(fake.errors, "fault axes_silent"), "%s", fake.errors);
    cr_assert_not_null(strstr(fake.errors, "have not confirmed it"), "%s", fake.errors);
    cr_assert_null(strstr(fake.errors, "the axes are off"), "%s", fake.errors);
}

Test(machine_control_glue, a_target_outside_of_the_workspace_is_an_error_and_stops)
{
    steps(2);
    ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_ENABLE, NULL);
    steps(100);
    expect(DOPPEL__MACHINE_PHASE__MACHINE_READY, DOPPEL__MACHINE_STATE__MACHINE_STOPPED);
    cr_assert_eq(ask(DOPPEL__MACHINE_REQUEST_KIND__REQUEST_HOME, NULL), 0);
    planner.obstacle = DOPPEL__PLANNER_OBSTACLE__OBSTACLE_TARGET;
    steps(2);
    cr_assert_not_null(strstr(fake.errors, "home is outside of the planner's workspace"), "%s",
                       fake.errors);
    cr_assert_eq(state->machine.n_ends[END_REFUSED], 1);
}
