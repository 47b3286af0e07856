/* SPDX-License-Identifier: Apache-2.0 */
#include "elevator_session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int elevator_session_begin(struct elevator_session *session)
{
    uint16_t registers[ELEVATOR_N_INPUTS];
    int err = elevator_line_read_registers(&session->line, registers);
    if (err) {
        return err;
    }
    unsigned floors = elevator_table_floors(registers);
    unsigned told = (unsigned)session->unit.params.floors;
    if (floors != told) {
        snprintf(session->line.error, sizeof session->line.error,
                 "the elevator has %u floors, the unit was told %u (--floors)", floors, told);
        return -EINVAL;
    }
    return elevator_line_find_calls(&session->line, told);
}

static void print_state(const struct elevator_session *session,
                        const struct elevator_inputs *inputs, const struct elevator_outputs *now)
{
    const struct elevator_outputs *before = &session->outputs;
    bool is_new = !session->has_scanned || now->state != before->state ||
                  now->target != before->target || now->fault != before->fault;
    if (!session->is_verbose || !is_new) {
        return;
    }
    printf("%10.3f s  %-8s target %u, at %.4f m, %.0f kg", 1e-3 * inputs->time_ms,
           elevator_state_name(now->state), now->target, inputs->position_m, inputs->load_kg);
    if (now->fault) {
        printf(", fault %s", elevator_fault_name(now->fault));
    }
    putchar('\n');
    fflush(stdout);
}

static bool are_same(const struct elevator_calls *a, const struct elevator_calls *b)
{
    return a->car == b->car && a->up == b->up && a->down == b->down;
}

/* The register of the watchdog comes last: it tells the world that all of this scan is there. Coil
 * 4 belongs to others too while the unit waits in a fault for their reset, so it is left alone
 * then. */
static int write_outputs(struct elevator_session *session, const struct elevator_outputs *outputs)
{
    uint8_t coils[ELEVATOR_N_BITS];
    uint16_t registers[ELEVATOR_N_HOLDINGS];
    const struct elevator_outputs *before = &session->outputs;
    bool with_reset = !session->has_scanned || outputs->state != ELEVATOR_FAULT ||
                      before->state != ELEVATOR_FAULT || outputs->reset != before->reset;
    elevator_table_coils(outputs, coils);
    elevator_table_holdings(outputs, ++session->watchdog, registers);
    int err = 0;
    if (!session->has_scanned || !are_same(&outputs->lamps, &before->lamps)) {
        err = elevator_line_write_lamps(&session->line, coils);
    }
    if (err == 0) {
        err = elevator_line_write_coils(&session->line, coils, with_reset);
    }
    return err ? err : elevator_line_write_holdings(&session->line, registers);
}

static int scan(struct elevator_session *session, const uint16_t *registers, bool asks_reset)
{
    uint8_t bits[ELEVATOR_N_BITS];
    bool is_pressed = false;
    int err = elevator_line_read_bits(&session->line, bits);
    if (err == 0 && session->outputs.state == ELEVATOR_FAULT) {
        err = elevator_line_read_reset(&session->line, &is_pressed);
    }
    if (err) {
        return err;
    }
    struct elevator_inputs inputs = elevator_table_inputs(bits, registers);
    struct elevator_outputs outputs;
    inputs.reset_pressed = is_pressed;
    inputs.asks_reset = asks_reset;
    elevator_unit_scan(&session->unit, &inputs, &outputs);
    print_state(session, &inputs, &outputs);
    err = write_outputs(session, &outputs);
    session->outputs = outputs;
    return err;
}

int elevator_session_poll(struct elevator_session *session, bool asks_reset)
{
    uint16_t registers[ELEVATOR_N_INPUTS];
    int err = elevator_line_read_registers(&session->line, registers);
    if (err) {
        return err;
    }
    uint32_t now_ms = elevator_table_time_ms(registers), passed_ms = now_ms - session->last_ms;
    bool is_back = passed_ms > INT32_MAX;
    if (!session->has_scanned && now_ms == 0) {
        /* Before its first step a world has measured nothing; it may wait for a sign of life. */
        return session->watchdog == 0 ? elevator_session_end(session) : 0;
    }
    if (session->has_scanned && !is_back && passed_ms < ELEVATOR_SCAN_MS) {
        return 0;
    }
    err = scan(session, registers, asks_reset);
    if (err) {
        return err;
    }
    if (!session->has_scanned || is_back) {
        session->first_ms = now_ms;
    } else if (passed_ms > session->longest_ms) {
        session->longest_ms = passed_ms;
    }
    session->last_ms = now_ms;
    session->has_scanned = true;
    session->n_scans++;
    return 1;
}

int elevator_session_end(struct elevator_session *session)
{
    const struct elevator_outputs safe = {
        .state = ELEVATOR_INIT,
        .lamps = session->outputs.lamps, /* to switch them off would clear the calls */
        .target = session->outputs.target,
    };
    return write_outputs(session, &safe);
}

double elevator_session_seconds(const struct elevator_session *session)
{
    return session->has_scanned ? 1e-3 * (uint32_t)(session->last_ms - session->first_ms) : 0.0;
}
