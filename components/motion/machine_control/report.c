/* SPDX-License-Identifier: Apache-2.0 */
/* What an operator sees of MachineControl: its states, which it is in, and what each request would
 * do now, with the reason. Made from the tables of the two state machines. */
#include <stdarg.h>
#include <stdio.h>

#include <doppel/msg/controllers.h>

#include "tables.h"

/* A text of a report: rows with '|' between. */
struct rows {
    char *text;
    size_t n;
};

static void add(struct rows *rows, const char *format, ...)
{
    va_list args;
    size_t room = MACHINE_REPORT_BYTES - rows->n, before = rows->n;
    int n = snprintf(rows->text + rows->n, room, "%s", rows->n > 0 ? "|" : "");
    va_start(args, format);
    n += vsnprintf(rows->text + rows->n + n, room - (size_t)n, format, args);
    va_end(args);
    rows->n += (size_t)n;
    if ((size_t)n >= room) { /* a row that has no room is left out */
        rows->n = before;
        rows->text[before] = '\0';
    }
}

/* A row's states are parts of MOTION, substates those of admittance. */
static const char *path_of(enum machine_row row, char ret_path[64])
{
    bool is_part = secondary_state(row) == DPL_MACHINE_ADMITTANCE;
    snprintf(ret_path, 64, "%s/%s%s", primary_phase_name(PHASE_MOTION),
             is_part ? "admittance/" : "", secondary_row_name(row));
    return ret_path;
}

static const enum machine_phase order[PHASES] = {PHASE_BOOT,     PHASE_IDLE,   PHASE_ENABLING,
                                                 PHASE_READY,    PHASE_MOTION, PHASE_FAULT,
                                                 PHASE_RESETTING};

static void add_states(struct rows *rows)
{
    char path[64];
    for (size_t i = 0; i < PHASES; i++) {
        add(rows, "%s", primary_phase_name(order[i]));
    }
    for (int row = 0; row < (int)ROWS; row++) {
        if (row == (int)ROW_SYNC) {
            add(rows, "%s/admittance", primary_phase_name(PHASE_MOTION));
        }
        add(rows, "%s", path_of((enum machine_row)row, path));
    }
}

static void add_present(struct rows *rows, const struct machine *machine)
{
    char path[64];
    enum machine_row row = machine->secondary.row;
    add(rows, "%s", primary_phase_name(machine->primary.phase));
    if (machine->primary.phase == PHASE_MOTION) {
        if (secondary_state(row) == DPL_MACHINE_ADMITTANCE) {
            add(rows, "%s/admittance", primary_phase_name(PHASE_MOTION));
        }
        add(rows, "%s", path_of(row, path));
    }
}

/* Of the tables; and those that need no request. */
static void add_moves(struct rows *rows)
{
    char from[64], to[64];
    for (int phase = 0; phase < (int)PHASES; phase++) {
        for (int k = 0; k < DPL_MACHINE_REQUEST_KIND_N; k++) {
            const struct machine_answer *answer = &primary_answers[phase][k];
            if (answer->verdict == VERDICT_ACCEPT && answer->next != phase &&
                k != DPL_REQUEST_EMERGENCY) {
                add(rows, "%s>%s", primary_phase_name((enum machine_phase)phase),
                    primary_phase_name((enum machine_phase)answer->next));
            }
        }
    }
    for (int row = 0; row < (int)ROWS; row++) {
        for (int k = 0; k < DPL_MACHINE_REQUEST_KIND_N; k++) {
            const struct machine_answer *answer = &secondary_answers[row][k];
            if (answer->verdict == VERDICT_ACCEPT) {
                add(rows, "%s>%s", path_of((enum machine_row)row, from),
                    path_of((enum machine_row)answer->next, to));
            }
        }
    }
    add(rows, "boot>idle|enabling>ready|motion>ready|motion>fault|resetting>idle");
    add(rows, "motion/homing>motion/stopped|motion/stopping>motion/stopped|"
              "motion/admittance/sync>motion/admittance/run|"
              "motion/admittance/run>motion/admittance/deflect|"
              "motion/admittance/deflect>motion/admittance/return|"
              "motion/admittance/return>motion/admittance/wait");
}

static void add_request(struct rows *rows, const struct machine *machine,
                        enum dpl_machine_request_kind request)
{
    struct machine asked = *machine; /* what it would do */
    struct machine_answer answer = machine_ask(&asked, request, machine->home);
    const char *name = machine_request_name(request);
    char path[64];
    if (answer.verdict == VERDICT_REFUSE) {
        add(rows, "%s!%s", name, answer.why);
    } else if (answer.verdict == VERDICT_ALREADY) {
        add(rows, "%s=", name);
    } else if (asked.primary.phase == PHASE_MOTION) {
        add(rows, "%s>%s", name, path_of(asked.secondary.row, path));
    } else {
        add(rows, "%s>%s", name, primary_phase_name(asked.primary.phase));
    }
}

/* Differs when an answer may differ. */
static uint64_t key_of(const struct machine *machine)
{
    const struct machine_sight *s = &machine->sight;
    uint64_t key = 1 + (uint64_t)machine->primary.phase * ROWS + (uint64_t)machine->secondary.row;
    const bool flags[] = {machine->at_rest, machine->primary.off, s->axes_valid, s->pose_gap == 0,
                          machine_force_is_known(&machine->config, s)};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        key = 2 * key + flags[i];
    }
    return key;
}

void machine_component_report(struct dpl_component *self, dpl_ns now)
{
    struct machine_component *state = self->state;
    const struct machine *machine = &state->machine;
    uint64_t key = key_of(machine);
    if (key == state->reported && now - state->reported_at < DPL_S) {
        return;
    }
    state->reported = key;
    state->reported_at = now;
    Doppel__StateReport *message = dpl_port_loan(self, MACHINE_PORT_REPORT);
    if (!message) {
        return;
    }
    struct rows requests = {message->requests, 0}, moves = {message->moves, 0};
    struct rows states = {message->states, 0}, present = {message->present, 0};
    add_states(&states);
    add_present(&present, machine);
    add_moves(&moves);
    for (int k = DPL_REQUEST_NONE + 1; k < DPL_MACHINE_REQUEST_KIND_N; k++) {
        add_request(&requests, machine, (enum dpl_machine_request_kind)k);
    }
    dpl_port_publish(self, MACHINE_PORT_REPORT, message, now);
}
