/* SPDX-License-Identifier: Apache-2.0 */
/* Combines the two state machines. */
#include "machine.h"

#include <stddef.h>

const char *machine_request_name(enum dpl_machine_request_kind request)
{
    static const char *const names[DPL_MACHINE_REQUEST_KIND_N] = {
        [DPL_REQUEST_NONE] = "none",
        [DPL_REQUEST_RESET] = "reset",
        [DPL_REQUEST_ENABLE] = "enable",
        [DPL_REQUEST_DISABLE] = "disable",
        [DPL_REQUEST_HOME] = "home",
        [DPL_REQUEST_POSITION] = "position",
        [DPL_REQUEST_ADMITTANCE] = "admittance",
        [DPL_REQUEST_STOP] = "stop",
        [DPL_REQUEST_EMERGENCY] = "emergency",
    };
    return (unsigned)request < DPL_MACHINE_REQUEST_KIND_N ? names[request] : "unknown";
}

void machine_init(struct machine *machine, const struct machine_config *config,
                  const double home[DPL_SIX])
{
    struct machine fresh = {.config = *config, .secondary = {.epoch = 1}};
    for (int i = 0; i < DPL_SIX; i++) {
        fresh.home[i] = home[i]; /* may be the home pose of the old one */
    }
    *machine = fresh;
}

/* Rest must be detected again in each state. */
static void forget_rest(struct machine *machine)
{
    machine->resting = false;
    machine->at_rest = false;
    machine->row_since = machine->sight.now;
}

static void handle_new_row(struct machine *machine, uint64_t epoch_before)
{
    if (machine->secondary.epoch != epoch_before) {
        forget_rest(machine);
    }
}

/* Effects of a fault outside of the primary state machine. */
static void react(struct machine *machine, enum machine_fault fault)
{
    machine->n_faults[fault]++;
    secondary_stop(&machine->secondary);
    forget_rest(machine);
}

static bool pose_is_known(const struct machine *machine)
{
    const struct machine_sight *s = &machine->sight;
    return s->pose_gap == 0 && s->axes_valid &&
           machine_is_heard(s->axes, s->now, machine->config.axes_timeout);
}

static bool guard_holds(const struct machine *machine, enum machine_guard guard)
{
    switch (guard) {
    case GUARD_REST:
        return machine->at_rest && (machine->primary.phase != PHASE_FAULT || machine->primary.off);
    case GUARD_POSE: return pose_is_known(machine);
    default: return true;
    }
}

static struct machine_answer guarded(const struct machine *machine, struct machine_answer answer)
{
    if (answer.verdict == VERDICT_ACCEPT && !guard_holds(machine, answer.guard)) {
        answer.verdict = VERDICT_REFUSE;
    }
    return answer;
}

static struct machine_answer
ask_secondary(struct machine *machine, enum dpl_machine_request_kind request, const double *target)
{
    enum machine_row row = machine->secondary.row;
    struct machine_answer answer = guarded(machine, secondary_answers[row][request]);
    if (answer.verdict == VERDICT_ACCEPT && answer.next == ROW_SYNC &&
        !machine_force_is_known(&machine->config, &machine->sight)) {
        return (struct machine_answer){VERDICT_REFUSE, 0, GUARD_NONE, false,
                                       "the force that the machine would follow is not measured"};
    }
    if (answer.verdict == VERDICT_ACCEPT) {
        uint64_t before = machine->secondary.epoch;
        secondary_accept(&machine->secondary, &answer,
                         request == DPL_REQUEST_POSITION && target ? target : machine->home);
        handle_new_row(machine, before);
        if (machine->primary.phase != PHASE_MOTION) {
            primary_enter(&machine->primary, PHASE_MOTION, machine->sight.now);
        }
    }
    return answer;
}

struct machine_answer machine_ask(struct machine *machine, enum dpl_machine_request_kind request,
                                  const double target[DPL_SIX])
{
    static const struct machine_answer unknown = {VERDICT_REFUSE, 0, GUARD_NONE, false,
                                                  "there is no such request"};
    if ((unsigned)request >= DPL_MACHINE_REQUEST_KIND_N ||
        (request == DPL_REQUEST_POSITION && !target)) {
        return unknown;
    }
    enum machine_phase phase = machine->primary.phase;
    struct machine_answer answer = guarded(machine, primary_answers[phase][request]);
    if (answer.verdict != VERDICT_ACCEPT) {
        return answer;
    }
    if (answer.ask_secondary) {
        return ask_secondary(machine, request, target);
    }
    if (answer.next == PHASE_FAULT) {
        /* A second request while the machine still brakes stops the axes without the path. */
        enum machine_reaction reaction =
            phase == PHASE_FAULT ? REACT_AXES_STOP : machine_fault_rules[FAULT_EMERGENCY].reaction;
        if (primary_fail(&machine->primary, FAULT_EMERGENCY, reaction, machine->sight.now)) {
            react(machine, FAULT_EMERGENCY);
        }
    } else {
        primary_enter(&machine->primary, (enum machine_phase)answer.next, machine->sight.now);
        machine->secondary.epoch++;
        forget_rest(machine);
    }
    return answer;
}

/* Rest of the path: no pose is left in its buffer, and the planner, if it runs, adds none. */
static bool path_rests(const struct machine *machine)
{
    const struct machine_sight *s = &machine->sight;
    const struct machine_config *c = &machine->config;
    bool planner = !machine_is_heard(s->planner, s->now, c->planner_timeout) ||
                   (s->planner_epoch == machine->secondary.epoch && s->planner_at_rest);
    return planner && !s->path_moving;
}

static bool axes_rest(const struct machine *machine)
{
    const struct machine_sight *s = &machine->sight;
    return machine_is_heard(s->axes, s->now, machine->config.axes_timeout) && s->axes_valid &&
           s->axes_speed_m_s <= machine->config.rest_speed_m_s;
}

static void update_rest(struct machine *machine)
{
    const struct machine_sight *s = &machine->sight;
    bool by_axes = machine->primary.reaction == REACT_AXES_STOP ||
                   !machine_is_heard(s->path, s->now, machine->config.path_timeout);
    bool rests = by_axes ? axes_rest(machine) : path_rests(machine);
    if (rests && !machine->resting) {
        machine->resting_since = s->now;
    }
    machine->resting = rests;
    machine->at_rest = rests && s->now - machine->resting_since >= machine->config.rest_time;
}

enum machine_fault machine_step(struct machine *machine, const struct machine_sight *sight)
{
    machine->sight = *sight;
    machine->end = END_NONE;
    update_rest(machine);
    struct primary_view view = {
        .stopped = machine->secondary.row == ROW_STOPPED,
        .stopping = machine->secondary.row == ROW_STOPPING,
        .at_rest = machine->at_rest,
        .stopping_since = machine->row_since,
        .epoch = machine->secondary.epoch,
        .admittance = secondary_state(machine->secondary.row) == DPL_MACHINE_ADMITTANCE,
    };
    enum machine_fault fault = primary_step(&machine->primary, &machine->config, sight, &view);
    if (fault != FAULT_NONE) {
        react(machine, fault);
        return fault;
    }
    struct machine_motion motion = {
        .planned = sight->planner_epoch == machine->secondary.epoch,
        .planner_mode = sight->planner_mode,
        .at_rest = machine->at_rest,
        .is_refused = sight->planner_obstacle == DPL_OBSTACLE_TARGET,
        .is_late = sight->now - machine->row_since > machine->config.arrive_timeout,
    };
    uint64_t before = machine->secondary.epoch;
    machine->end = secondary_step(&machine->secondary, &motion);
    machine->n_ends[machine->end] += machine->end != END_NONE;
    handle_new_row(machine, before);
    return FAULT_NONE;
}

bool machine_moves(const struct machine *machine)
{
    return machine->primary.phase == PHASE_MOTION ||
           (machine->primary.phase == PHASE_FAULT && !machine->primary.off);
}

void machine_command_of(const struct machine *machine, struct machine_command *ret)
{
    const struct primary *primary = &machine->primary;
    *ret = (struct machine_command){
        .state = secondary_state(machine->secondary.row),
        .epoch = machine->secondary.epoch,
        .axes_on = primary_axes_shall_be_on(primary),
        .axes_stop =
            primary->phase == PHASE_FAULT && !primary->off && primary->reaction == REACT_AXES_STOP,
        .reset = primary->phase == PHASE_RESETTING,
    };
    for (int i = 0; i < DPL_SIX; i++) {
        ret->target[i] = machine->secondary.target[i];
    }
}
