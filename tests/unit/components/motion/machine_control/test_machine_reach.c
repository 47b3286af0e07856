/* SPDX-License-Identifier: Apache-2.0 */
/* All that can happen to the two state machines together: a breadth-first search from BOOT over
 * every combination of what can be seen in a tick and every request, checking the rules of safety
 * on each step. */
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "machine.h"
#include "servo_faults.h"

#define STEP (20 * DPL_MS)
#define LONG (1000000 * DPL_S)

/* What can be seen, by parts; the product of all is walked through. */
struct seen_axes {
    bool heard, slow;
    enum dpl_axes_mode mode;
    uint32_t fault;
};

struct seen_planner {
    bool heard, planned, at_rest;
    enum dpl_planner_mode mode;
    enum dpl_planner_obstacle obstacle;
};

enum seen_path { PATH_SILENT, PATH_RESTS, PATH_MOVES, PATH_UNREACHABLE, PATHS };

struct input {
    struct seen_axes axes;
    struct seen_planner planner;
    enum seen_path path;
    bool pose, halt, late, force;
    enum dpl_machine_request_kind request;
};

#define AXES_MAX    16
#define PLANNER_MAX 24
#define NODES_MAX   2000

static struct seen_axes axes[AXES_MAX];
static struct seen_planner planners[PLANNER_MAX];
static size_t n_axes, n_planners;

static void add_axes(bool heard, enum dpl_axes_mode mode, uint32_t fault)
{
    for (int slow = 0; slow <= (int)heard; slow++) {
        axes[n_axes++] = (struct seen_axes){heard, slow != 0, mode, fault};
    }
}

static void list_parts(void)
{
    n_axes = n_planners = 0;
    add_axes(false, DPL_AXES_ON, 0);
    for (int mode = DPL_AXES_OFF; mode <= DPL_AXES_STOPPING; mode++) {
        add_axes(true, (enum dpl_axes_mode)mode, 0);
    }
    add_axes(true, DPL_AXES_FAULT, 0x2310);
    add_axes(true, DPL_AXES_FAULT, DPL_SERVO_FAULT_FOLLOWING);
    add_axes(true, DPL_AXES_FAULT, DPL_SERVO_FAULT_JUMP);
    planners[n_planners++] = (struct seen_planner){.mode = DPL_PLANNER_FOLLOWING};
    planners[n_planners++] = (struct seen_planner){.heard = true, .at_rest = true};
    for (int mode = DPL_PLANNER_IDLE; mode <= DPL_PLANNER_FAULT; mode++) {
        for (int rest = 0; rest < 2; rest++) {
            planners[n_planners++] =
                (struct seen_planner){true, true, rest != 0, (enum dpl_planner_mode)mode};
        }
    }
    for (int rest = 0; rest < 2; rest++) {
        planners[n_planners++] =
            (struct seen_planner){true, true, rest != 0, DPL_PLANNER_BRAKING, DPL_OBSTACLE_TARGET};
        planners[n_planners++] =
            (struct seen_planner){true, true, rest != 0, DPL_PLANNER_FAULT, DPL_OBSTACLE_START};
    }
}

static struct machine_heard heard(bool now, dpl_ns at)
{
    return (struct machine_heard){true, now ? at : at - LONG};
}

static struct machine_sight sight_of(const struct machine *machine, const struct input *in)
{
    dpl_ns now = machine->sight.now + STEP;
    uint64_t epoch = machine->secondary.epoch;
    return (struct machine_sight){
        .now = now,
        .halt = in->halt,
        .axes = heard(in->axes.heard, now),
        .planner = heard(in->planner.heard, now),
        .path = heard(in->path != PATH_SILENT, now),
        .axes_valid = true,
        .axes_mode = in->axes.mode,
        .axes_fault = in->axes.fault,
        .axes_speed_m_s = in->axes.slow ? 0.0 : 1.0,
        .planner_mode = in->planner.mode,
        .planner_epoch = in->planner.planned ? epoch : epoch - 1,
        .planner_at_rest = in->planner.at_rest,
        .planner_obstacle = in->planner.obstacle,
        .path_moving = in->path == PATH_MOVES || in->path == PATH_UNREACHABLE,
        .unreachable = in->path == PATH_UNREACHABLE,
        .pose_gap = in->pose ? 0 : 1000,
        .force_watched = true,
        .force = heard(in->force, now),
    };
}

/* What tells two nodes apart: all but clocks, which are inputs (`late`, what is heard). */
static uint32_t key_of(const struct machine *m)
{
    const struct primary *p = &m->primary;
    return (uint32_t)p->phase | (uint32_t)m->secondary.row << 3 | (uint32_t)p->reaction << 7 |
           (uint32_t)p->fault << 9 | (uint32_t)p->off << 14 | (uint32_t)m->at_rest << 15 |
           (uint32_t)m->secondary.arrived << 16 | (uint32_t)m->secondary.has_arrived << 17;
}

static struct machine nodes[NODES_MAX];
static bool known[1 << 18];
static size_t n_nodes;

static void visit(const struct machine *machine)
{
    uint32_t key = key_of(machine);
    if (!known[key]) {
        cr_assert(n_nodes < NODES_MAX);
        known[key] = true;
        nodes[n_nodes++] = *machine;
    }
}

/* ---- the rules ---- */

static bool in_admittance(enum machine_row row)
{
    return row >= ROW_SYNC && row <= ROW_WAIT;
}

static bool is_moving_state(enum machine_row row)
{
    return row != ROW_STOPPED && row != ROW_STOPPING;
}

/* Rest as the specification has it, said again without the machine's own code. */
static bool rests(const struct machine *after, const struct input *in)
{
    bool axes_rest = in->axes.heard && in->axes.slow;
    bool path_rests = in->path == PATH_RESTS &&
                      (!in->planner.heard || (in->planner.planned && in->planner.at_rest));
    return after->primary.reaction == REACT_AXES_STOP || in->path == PATH_SILENT ? axes_rest
                                                                                 : path_rests;
}

static void check_fault(const struct machine *b, const struct machine *a, const struct input *in)
{
    enum machine_phase from = b->primary.phase, to = a->primary.phase;
    if (from == PHASE_FAULT) {
        bool reset = to == PHASE_RESETTING && in->request == DPL_REQUEST_RESET;
        cr_assert(to == PHASE_FAULT || reset, "FAULT -> %s with request %s", primary_phase_name(to),
                  machine_request_name(in->request));
        cr_assert(!reset || a->secondary.row == ROW_STOPPED);
    }
    if (from == PHASE_RESETTING) {
        cr_assert(to == PHASE_RESETTING || to == PHASE_IDLE || to == PHASE_FAULT);
    }
    if (to == PHASE_MOTION && from != PHASE_MOTION) {
        cr_assert_eq(from, PHASE_READY);
        cr_assert(in->request >= DPL_REQUEST_HOME && in->request <= DPL_REQUEST_ADMITTANCE);
    }
    if (to == PHASE_ENABLING && from != PHASE_ENABLING) {
        cr_assert_eq(from, PHASE_IDLE);
        cr_assert_eq(in->request, DPL_REQUEST_ENABLE);
    }
}

/* What is seen in a tick that must lead to FAULT in it, by phases. */
static void check_errors(const struct machine *b, const struct machine *a, const struct input *in)
{
    enum machine_phase from = b->primary.phase;
    bool on = from == PHASE_READY || from == PHASE_MOTION;
    bool live = on || from == PHASE_IDLE || from == PHASE_ENABLING;
    bool wrong = live && (in->halt || !in->axes.heard || in->axes.mode == DPL_AXES_FAULT ||
                          !in->planner.heard || in->path == PATH_SILENT);
    wrong |= on && in->axes.mode != DPL_AXES_ON;
    wrong |= from == PHASE_MOTION && (!in->pose || in->path == PATH_UNREACHABLE);
    wrong |= from == PHASE_MOTION && in_admittance(b->secondary.row) && !in->force;
    wrong |= from == PHASE_MOTION && in->planner.planned && in->planner.mode == DPL_PLANNER_FAULT;
    cr_assert(!wrong || a->primary.phase == PHASE_FAULT, "%s goes on as %s",
              primary_phase_name(from), primary_phase_name(a->primary.phase));
}

static void check_rows(const struct machine *b, const struct machine *a, const struct input *in)
{
    enum machine_row from = b->secondary.row, to = a->secondary.row;
    if (in_admittance(from)) {
        cr_assert(in_admittance(to) || to == ROW_STOPPING, "%s -> %s", secondary_row_name(from),
                  secondary_row_name(to));
    }
    if (in_admittance(to) && !in_admittance(from)) {
        cr_assert(in->force, "into admittance without a force");
    }
    if (from == ROW_STOPPING && to != ROW_STOPPING) {
        cr_assert(rests(a, in), "out of STOPPING in motion");
    }
    bool goes = (from == ROW_HOMING || from == ROW_POSITION) && !b->secondary.has_arrived;
    bool given_up =
        in->late || (in->planner.planned && in->planner.obstacle == DPL_OBSTACLE_TARGET);
    if (goes && given_up && in->request == DPL_REQUEST_NONE) {
        cr_assert_eq(to, ROW_STOPPING, "%s -> %s", secondary_row_name(from),
                     secondary_row_name(to));
    }
    if (is_moving_state(to)) {
        cr_assert_eq(a->primary.phase, PHASE_MOTION);
    }
    if (to == ROW_STOPPING) {
        cr_assert(a->primary.phase == PHASE_MOTION || a->primary.phase == PHASE_FAULT);
    }
}

static void check_command(const struct machine *b, const struct machine *a)
{
    struct machine_command before, command;
    machine_command_of(b, &before);
    machine_command_of(a, &command);
    bool same = command.state == before.state;
    cr_assert(same || command.epoch > before.epoch, "a new state without a new epoch");
    cr_assert_eq(command.reset, a->primary.phase == PHASE_RESETTING);
    cr_assert(!command.axes_stop || command.axes_on);
    cr_assert(command.axes_on || command.state == DPL_MACHINE_STOPPED,
              "it moves with its axes off");
    bool faulty = a->primary.phase == PHASE_FAULT;
    cr_assert(!faulty || command.state == DPL_MACHINE_STOPPED ||
              command.state == DPL_MACHINE_STOPPING);
    cr_assert(!(faulty && command.axes_on) || before.axes_on, "a fault puts the axes on");
    bool off = a->primary.phase == PHASE_IDLE || a->primary.phase == PHASE_BOOT;
    cr_assert(!off || !command.axes_on);
}

static void check_and_visit(const struct machine *before, const struct machine *after,
                            const struct input *in)
{
    check_fault(before, after, in);
    check_rows(before, after, in);
    check_command(before, after);
    visit(after);
}

/* A tick, then each request in it. */
static void step_all_requests(const struct machine *from, struct input *in)
{
    struct machine stepped = *from;
    dpl_ns timeout = in->late ? 0 : LONG;
    stepped.config.enable_timeout = timeout;
    stepped.config.stop_timeout = timeout;
    stepped.config.arrive_timeout = timeout;
    stepped.config.emergency_timeout = timeout;
    stepped.config.reset_timeout = timeout;
    struct machine_sight sight = sight_of(&stepped, in);
    in->request = DPL_REQUEST_NONE;
    machine_step(&stepped, &sight);
    check_errors(from, &stepped, in);
    check_and_visit(from, &stepped, in);
    for (int request = DPL_REQUEST_RESET; request < DPL_MACHINE_REQUEST_KIND_N; request++) {
        struct machine asked = stepped;
        in->request = (enum dpl_machine_request_kind)request;
        machine_ask(&asked, in->request, (const double[6]){0});
        cr_assert(request != DPL_REQUEST_EMERGENCY || asked.primary.phase == PHASE_FAULT);
        bool again = request == DPL_REQUEST_EMERGENCY && stepped.primary.phase == PHASE_FAULT;
        cr_assert(!again || asked.primary.off || asked.primary.reaction == REACT_AXES_STOP);
        check_and_visit(&stepped, &asked, in);
    }
}

static void step_all_bits(const struct machine *from, struct input *in)
{
    for (int bits = 0; bits < 16; bits++) {
        in->pose = bits & 1;
        in->halt = bits & 2;
        in->late = bits & 4;
        in->force = bits & 8;
        step_all_requests(from, in);
    }
}

static void step_all_inputs(const struct machine *from)
{
    struct input in;
    for (size_t a = 0; a < n_axes; a++) {
        for (size_t p = 0; p < n_planners; p++) {
            for (int path = 0; path < PATHS; path++) {
                in.axes = axes[a];
                in.planner = planners[p];
                in.path = (enum seen_path)path;
                step_all_bits(from, &in);
            }
        }
    }
}

static void begin(struct machine *machine)
{
    struct machine_config config = {
        .axes_timeout = DPL_MS,
        .planner_timeout = DPL_MS,
        .path_timeout = DPL_MS,
        .force_timeout = DPL_MS,
        .rest_speed_m_s = 0.001,
        .pose_gap_most = 8,
    };
    machine_init(machine, &config, (const double[6]){0});
}

Test(machine_reach, keeps_the_rules_of_safety_whatever_happens, .timeout = 120)
{
    list_parts();
    struct machine first;
    begin(&first);
    visit(&first);
    for (size_t i = 0; i < n_nodes; i++) {
        struct machine from = nodes[i];
        step_all_inputs(&from);
    }
    bool phase_seen[PHASES] = {false}, row_seen[ROWS] = {false}, fault_seen[FAULTS] = {false};
    for (size_t i = 0; i < n_nodes; i++) {
        phase_seen[nodes[i].primary.phase] = true;
        row_seen[nodes[i].secondary.row] = true;
        fault_seen[nodes[i].primary.fault] = true;
    }
    for (int i = 0; i < PHASES; i++) {
        cr_assert(phase_seen[i], "phase %s is never reached", primary_phase_name(i));
    }
    for (int i = 0; i < ROWS; i++) {
        cr_assert(row_seen[i], "row %s is never reached", secondary_row_name(i));
    }
    for (int i = 0; i < FAULTS; i++) {
        cr_assert(fault_seen[i], "fault %s never comes up", machine_fault_rules[i].name);
    }
}
