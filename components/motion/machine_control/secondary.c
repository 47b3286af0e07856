/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the secondary state machine and its steps. */
#include "secondary.h"

#define ACCEPT(row)                                                                                \
    {                                                                                              \
        VERDICT_ACCEPT, ROW_##row, GUARD_NONE, false, ""                                           \
    }
#define AT_REST(row, otherwise)                                                                    \
    {                                                                                              \
        VERDICT_ACCEPT, ROW_##row, GUARD_REST, false, otherwise                                    \
    }
#define ALREADY                                                                                    \
    {                                                                                              \
        VERDICT_ALREADY, 0, GUARD_NONE, false, ""                                                  \
    }
#define REFUSE(reason)                                                                             \
    {                                                                                              \
        VERDICT_REFUSE, 0, GUARD_NONE, false, reason                                               \
    }

#define NOT_MINE       REFUSE("the primary state machine decides this")
#define ON_THE_WAY     "it is moving to a pose: stop first, or wait until it is there"
#define IN_ADMITTANCE  "it follows the dynamic model: stop first"
#define WHILE_IT_STOPS "it is stopping: wait for rest"
#define NOT_HOME_YET   "it is moving home: wait until it is there, or stop"
#define THE_PRIMARY_HAS                                                                            \
    [DPL_REQUEST_NONE] = ALREADY, [DPL_REQUEST_RESET] = NOT_MINE, [DPL_REQUEST_ENABLE] = NOT_MINE, \
    [DPL_REQUEST_DISABLE] = NOT_MINE, [DPL_REQUEST_EMERGENCY] = NOT_MINE

const struct machine_answer secondary_answers[ROWS][DPL_MACHINE_REQUEST_KIND_N] = {
    [ROW_STOPPED] = {THE_PRIMARY_HAS, [DPL_REQUEST_HOME] = ACCEPT(HOMING),
                     [DPL_REQUEST_POSITION] = ACCEPT(POSITION),
                     [DPL_REQUEST_ADMITTANCE] = ACCEPT(SYNC), [DPL_REQUEST_STOP] = ALREADY},
    [ROW_HOMING] =
        {THE_PRIMARY_HAS, [DPL_REQUEST_HOME] = ALREADY, [DPL_REQUEST_POSITION] = REFUSE(ON_THE_WAY),
         [DPL_REQUEST_ADMITTANCE] = REFUSE(ON_THE_WAY), [DPL_REQUEST_STOP] = ACCEPT(STOPPING)},
    [ROW_POSITION] = {THE_PRIMARY_HAS, [DPL_REQUEST_HOME] = AT_REST(HOMING, ON_THE_WAY),
                      [DPL_REQUEST_POSITION] = AT_REST(POSITION, ON_THE_WAY),
                      [DPL_REQUEST_ADMITTANCE] = AT_REST(SYNC, ON_THE_WAY),
                      [DPL_REQUEST_STOP] = ACCEPT(STOPPING)},
    [ROW_SYNC] = {THE_PRIMARY_HAS, [DPL_REQUEST_HOME] = REFUSE(IN_ADMITTANCE),
                  [DPL_REQUEST_POSITION] = REFUSE(IN_ADMITTANCE),
                  [DPL_REQUEST_ADMITTANCE] = ALREADY, [DPL_REQUEST_STOP] = ACCEPT(STOPPING)},
    [ROW_RUN] = {THE_PRIMARY_HAS, [DPL_REQUEST_HOME] = REFUSE(IN_ADMITTANCE),
                 [DPL_REQUEST_POSITION] = REFUSE(IN_ADMITTANCE), [DPL_REQUEST_ADMITTANCE] = ALREADY,
                 [DPL_REQUEST_STOP] = ACCEPT(STOPPING)},
    [ROW_DEFLECT] = {THE_PRIMARY_HAS, [DPL_REQUEST_HOME] = REFUSE(IN_ADMITTANCE),
                     [DPL_REQUEST_POSITION] = REFUSE(IN_ADMITTANCE),
                     [DPL_REQUEST_ADMITTANCE] = ALREADY, [DPL_REQUEST_STOP] = ACCEPT(STOPPING)},
    [ROW_RETURN] =
        {THE_PRIMARY_HAS, [DPL_REQUEST_HOME] = REFUSE(IN_ADMITTANCE),
         [DPL_REQUEST_POSITION] = REFUSE(IN_ADMITTANCE),
         [DPL_REQUEST_ADMITTANCE] = REFUSE(NOT_HOME_YET), [DPL_REQUEST_STOP] = ACCEPT(STOPPING)},
    [ROW_WAIT] = {THE_PRIMARY_HAS, [DPL_REQUEST_HOME] = REFUSE(IN_ADMITTANCE),
                  [DPL_REQUEST_POSITION] = REFUSE(IN_ADMITTANCE),
                  [DPL_REQUEST_ADMITTANCE] = AT_REST(SYNC, NOT_HOME_YET),
                  [DPL_REQUEST_STOP] = ACCEPT(STOPPING)},
    [ROW_STOPPING] =
        {THE_PRIMARY_HAS, [DPL_REQUEST_HOME] = REFUSE(WHILE_IT_STOPS),
         [DPL_REQUEST_POSITION] = REFUSE(WHILE_IT_STOPS),
         [DPL_REQUEST_ADMITTANCE] = REFUSE(WHILE_IT_STOPS), [DPL_REQUEST_STOP] = ALREADY},
};

static const struct {
    enum dpl_machine_state state;
    const char *name;
} rows[ROWS] = {
    [ROW_STOPPED] = {DPL_MACHINE_STOPPED, "stopped"},
    [ROW_HOMING] = {DPL_MACHINE_HOMING, "homing"},
    [ROW_POSITION] = {DPL_MACHINE_POSITION, "position"},
    [ROW_SYNC] = {DPL_MACHINE_ADMITTANCE, "sync"},
    [ROW_RUN] = {DPL_MACHINE_ADMITTANCE, "run"},
    [ROW_DEFLECT] = {DPL_MACHINE_ADMITTANCE, "deflect"},
    [ROW_RETURN] = {DPL_MACHINE_ADMITTANCE, "return"},
    [ROW_WAIT] = {DPL_MACHINE_ADMITTANCE, "wait"},
    [ROW_STOPPING] = {DPL_MACHINE_STOPPING, "stopping"},
};

enum dpl_machine_state secondary_state(enum machine_row row)
{
    return (unsigned)row < ROWS ? rows[row].state : DPL_MACHINE_STOPPED;
}

const char *secondary_row_name(enum machine_row row)
{
    return (unsigned)row < ROWS ? rows[row].name : "unknown";
}

static void enter(struct secondary *secondary, enum machine_row row)
{
    secondary->row = row;
    secondary->epoch++;
    secondary->arrived = secondary->has_arrived = false;
}

void secondary_accept(struct secondary *secondary, const struct machine_answer *answer,
                      const double target[DPL_SIX])
{
    if (answer->verdict != VERDICT_ACCEPT) {
        return;
    }
    enter(secondary, (enum machine_row)answer->next);
    if (secondary->row == ROW_HOMING || secondary->row == ROW_POSITION) {
        for (int i = 0; i < DPL_SIX; i++) {
            secondary->target[i] = target[i];
        }
    }
}

void secondary_stop(struct secondary *secondary)
{
    if (secondary->row != ROW_STOPPED && secondary->row != ROW_STOPPING) {
        enter(secondary, ROW_STOPPING);
    }
}

/* The substate of ADMITTANCE follows the mode of the planner. */
static enum machine_row substate(enum machine_row now, enum dpl_planner_mode mode)
{
    static const enum machine_row shown[] = {
        [DPL_PLANNER_SYNCING] = ROW_SYNC,       [DPL_PLANNER_FOLLOWING] = ROW_RUN,
        [DPL_PLANNER_DEFLECTING] = ROW_DEFLECT, [DPL_PLANNER_RETURNING] = ROW_RETURN,
        [DPL_PLANNER_WAITING] = ROW_WAIT,
    };
    bool told = mode >= DPL_PLANNER_SYNCING && mode <= DPL_PLANNER_WAITING;
    return told ? shown[mode] : now;
}

static enum secondary_end end_of(const struct secondary *secondary,
                                 const struct machine_motion *motion)
{
    bool goes_somewhere = secondary->row == ROW_HOMING || secondary->row == ROW_POSITION;
    if (!goes_somewhere || secondary->has_arrived) {
        return END_NONE;
    }
    return motion->planned && motion->is_refused ? END_REFUSED
           : motion->is_late                     ? END_LATE
                                                 : END_NONE;
}

enum secondary_end secondary_step(struct secondary *secondary, const struct machine_motion *motion)
{
    enum secondary_end end = end_of(secondary, motion);
    if (end != END_NONE) {
        enter(secondary, ROW_STOPPING);
        return end;
    }
    bool there =
        motion->planned && motion->planner_mode == DPL_PLANNER_FOLLOWING && motion->at_rest;
    switch (secondary_state(secondary->row)) {
    case DPL_MACHINE_STOPPED: break;
    case DPL_MACHINE_HOMING:
        if (there) {
            enter(secondary, ROW_STOPPED);
        }
        break;
    case DPL_MACHINE_POSITION:
        secondary->arrived = there;
        secondary->has_arrived |= there;
        break;
    case DPL_MACHINE_ADMITTANCE:
        if (motion->planned) {
            secondary->row = substate(secondary->row, motion->planner_mode);
        }
        break;
    case DPL_MACHINE_STOPPING:
        if (motion->at_rest) {
            enter(secondary, ROW_STOPPED);
        }
        break;
    }
    return END_NONE;
}
