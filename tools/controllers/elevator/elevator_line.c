/* SPDX-License-Identifier: Apache-2.0 */
#include "elevator_line.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { UNIT = 1, TIMEOUT_S = 2 };

typedef int read_bits_fn(modbus_t *modbus, int first, int count, uint8_t *ret_bits);

static bool is_exception(int error)
{
    return error > MODBUS_ENOBASE && error <= EMBXGTAR;
}

/* Turns what libmodbus says into a result: the number of values, or -1 with errno. */
static int answer(struct elevator_line *line, int result, int expected, const char *doing,
                  struct elevator_range range)
{
    int error = errno;
    if (result == expected) {
        return 0;
    }
    snprintf(line->error, sizeof line->error, "%s %d to %d: %s%s", doing, range.first,
             range.first + range.count - 1,
             result < 0 && is_exception(error) ? "the elevator answers: " : "",
             result < 0 ? modbus_strerror(error) : "an answer of another length");
    return result < 0 && is_exception(error) ? -EREMOTEIO : -EIO;
}

static int read_bits(struct elevator_line *line, read_bits_fn *read, const char *doing,
                     struct elevator_range range, uint8_t *ret_bits)
{
    int result = read(line->modbus, range.first, range.count, &ret_bits[range.first]);
    return answer(line, result, range.count, doing, range);
}

/* Takes the first of these ranges that the server has. */
static int find_range(struct elevator_line *line, read_bits_fn *read, const char *doing,
                      const struct elevator_range *ranges, int n, struct elevator_ranges *found)
{
    uint8_t bits[ELEVATOR_N_BITS];
    int err = -EREMOTEIO;
    for (int i = 0; i < n && err == -EREMOTEIO; i++) {
        err = read_bits(line, read, doing, ranges[i], bits);
        if (err == 0) {
            found->at[found->n++] = ranges[i];
        }
    }
    return err;
}

/* The calls of a kind. Nobody calls upwards from the top, nor downwards from the bottom. */
static int find_calls(struct elevator_line *line, read_bits_fn *read, const char *doing, int first,
                      int floors, struct elevator_ranges *found)
{
    const struct elevator_range some[] = {
        {first, floors},
        {first, floors - 1},
        {first + 1, floors - 1},
    };
    return find_range(line, read, doing, some, first == ELEVATOR_FIRST_CAR_CALL ? 1 : 3, found);
}

/* With or without those of the car. */
static int find_all_calls(struct elevator_line *line, read_bits_fn *read, const char *doing,
                          bool with_car, int floors, struct elevator_ranges *found)
{
    static const int firsts[] = {ELEVATOR_FIRST_CAR_CALL, ELEVATOR_FIRST_UP_CALL,
                                 ELEVATOR_FIRST_DOWN_CALL};
    int err = 0;
    for (int i = with_car ? 0 : 1; i < 3 && err == 0; i++) {
        err = find_calls(line, read, doing, firsts[i], floors, found);
    }
    return err;
}

/* The fewer requests, the shorter a scan: car calls follow the switches. */
static int find_inputs(struct elevator_line *line, int floors)
{
    const struct elevator_range whole = {0, ELEVATOR_N_BITS};
    const struct elevator_range switches[] = {
        {0, ELEVATOR_FIRST_CAR_CALL + floors},
        {0, ELEVATOR_N_SWITCHES},
    };
    const char *doing = "reading discrete inputs";
    line->inputs.n = 0;
    int err = find_range(line, modbus_read_input_bits, doing, &whole, 1, &line->inputs);
    if (err != -EREMOTEIO) {
        return err;
    }
    err = find_range(line, modbus_read_input_bits, doing, switches, 2, &line->inputs);
    bool lacks_car = err == 0 && line->inputs.at[0].count == ELEVATOR_N_SWITCHES;
    return err ? err
               : find_all_calls(line, modbus_read_input_bits, doing, lacks_car, floors,
                                &line->inputs);
}

static int find_lamps(struct elevator_line *line, int floors)
{
    const struct elevator_range whole = {ELEVATOR_FIRST_CAR_CALL,
                                         ELEVATOR_N_BITS - ELEVATOR_FIRST_CAR_CALL};
    line->lamps.n = 0;
    int err = find_range(line, modbus_read_bits, "reading coils", &whole, 1, &line->lamps);
    if (err != -EREMOTEIO) {
        return err;
    }
    return find_all_calls(line, modbus_read_bits, "reading coils", true, floors, &line->lamps);
}

int elevator_line_open(struct elevator_line *line, const char *host, unsigned port)
{
    char service[16];
    *line = (struct elevator_line){0};
    snprintf(service, sizeof service, "%u", port);
    line->modbus = modbus_new_tcp_pi(host, service);
    if (line->modbus && modbus_set_slave(line->modbus, UNIT) == 0 &&
        modbus_set_response_timeout(line->modbus, TIMEOUT_S, 0) == 0 &&
        modbus_connect(line->modbus) == 0) {
        return 0;
    }
    snprintf(line->error, sizeof line->error, "no elevator at %.100s, port %u: %s", host, port,
             modbus_strerror(errno));
    return -EIO;
}

int elevator_line_find_calls(struct elevator_line *line, unsigned floors)
{
    int err = find_inputs(line, (int)floors);
    return err ? err : find_lamps(line, (int)floors);
}

void elevator_line_close(struct elevator_line *line)
{
    if (line->modbus) {
        modbus_close(line->modbus);
        modbus_free(line->modbus);
        line->modbus = NULL;
    }
}

int elevator_line_read_registers(struct elevator_line *line, uint16_t *ret_registers)
{
    const struct elevator_range all = {0, ELEVATOR_N_INPUTS};
    int result = modbus_read_input_registers(line->modbus, all.first, all.count, ret_registers);
    return answer(line, result, all.count, "reading input registers", all);
}

int elevator_line_read_bits(struct elevator_line *line, uint8_t *ret_bits)
{
    int err = 0;
    memset(ret_bits, 0, ELEVATOR_N_BITS);
    for (int i = 0; i < line->inputs.n && err == 0; i++) {
        err = read_bits(line, modbus_read_input_bits, "reading discrete inputs", line->inputs.at[i],
                        ret_bits);
    }
    return err;
}

int elevator_line_read_reset(struct elevator_line *line, bool *ret_is_pressed)
{
    const struct elevator_range reset = {ELEVATOR_COIL_RESET, 1};
    uint8_t bits[ELEVATOR_N_BITS];
    int err = read_bits(line, modbus_read_bits, "reading coils", reset, bits);
    if (err == 0) {
        *ret_is_pressed = bits[ELEVATOR_COIL_RESET];
    }
    return err;
}

static int write_coils(struct elevator_line *line, struct elevator_range range,
                       const uint8_t *coils)
{
    int result = modbus_write_bits(line->modbus, range.first, range.count, &coils[range.first]);
    return answer(line, result, range.count, "writing coils", range);
}

int elevator_line_write_coils(struct elevator_line *line, const uint8_t *coils, bool with_reset)
{
    int count = with_reset ? ELEVATOR_N_COMMANDS : ELEVATOR_COIL_RESET;
    return write_coils(line, (struct elevator_range){0, count}, coils);
}

int elevator_line_write_lamps(struct elevator_line *line, const uint8_t *coils)
{
    int err = 0;
    for (int i = 0; i < line->lamps.n && err == 0; i++) {
        err = write_coils(line, line->lamps.at[i], coils);
    }
    return err;
}

int elevator_line_write_holdings(struct elevator_line *line, const uint16_t *registers)
{
    const struct elevator_range all = {0, ELEVATOR_N_HOLDINGS};
    int result = modbus_write_registers(line->modbus, all.first, all.count, registers);
    return answer(line, result, all.count, "writing holding registers", all);
}
