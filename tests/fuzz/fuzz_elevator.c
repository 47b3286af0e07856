/* SPDX-License-Identifier: Apache-2.0 */
/* Any sequence of tables, as a Modbus server may give them: whatever the unit reads, it commands no
 * motion that could hurt. The corpus is made by make_elevator_corpus.py. */
#include <math.h>

#include "elevator_table.h"
#include "elevator_unit.h"
#include "fuzz.h"

enum { BITS_SIZE = ELEVATOR_N_BITS / 8, SCAN_SIZE = BITS_SIZE + 8, MAX_SCANS = 4000 };

static uint16_t word(const uint8_t *data)
{
    return (uint16_t)(data[0] << 8 | data[1]);
}

/* 14 bytes of bits, position in 0.5 mm and speed in mm/s (16 bit each), load in 4 kg, door in 2 mm,
 * door force in N, milliseconds since the scan before. */
static struct elevator_inputs inputs_from(const uint8_t *data, uint32_t before_ms)
{
    uint8_t bits[ELEVATOR_N_BITS];
    const uint8_t *numbers = data + BITS_SIZE;
    for (int i = 0; i < ELEVATOR_N_BITS; i++) {
        bits[i] = data[i / 8] >> i % 8 & 1;
    }
    uint32_t tenths = (uint32_t)(5 * (int32_t)(int16_t)word(numbers));
    uint32_t now_ms = before_ms + numbers[7];
    const uint16_t registers[ELEVATOR_N_INPUTS] = {
        [0] = (uint16_t)(tenths >> 16),   [1] = (uint16_t)tenths,           [2] = word(numbers + 2),
        [3] = (uint16_t)(4 * numbers[4]), [4] = (uint16_t)(2 * numbers[5]), [5] = numbers[6],
        [10] = (uint16_t)(now_ms >> 16),  [11] = (uint16_t)now_ms,
    };
    struct elevator_inputs inputs = elevator_table_inputs(bits, registers);
    inputs.reset_pressed = bits[12];
    return inputs;
}

static int closed(const struct elevator_inputs *in)
{
    return in->door_closed && in->landing_locks;
}

static void check(const struct elevator_inputs *in, const struct elevator_outputs *out,
                  unsigned floors)
{
    int goes = out->state == ELEVATOR_TRAVEL || out->state == ELEVATOR_RELEVEL;
    require(out->state < ELEVATOR_N_STATES && out->fault < ELEVATOR_N_FAULTS);
    require((out->state == ELEVATOR_FAULT) == (out->fault != ELEVATOR_NO_FAULT));
    require(out->target < floors);
    require(isfinite(out->speed_m_s) && isfinite(out->preload_nm));
    require(fabs(out->speed_m_s) <= 1.1 * 1.6 + 1e-9);
    require(goes || out->speed_m_s == 0.0);
    require(!(out->door_open && out->door_close));
    if (!in->safety_ok || out->state == ELEVATOR_FAULT) {
        require(out->state == ELEVATOR_FAULT && !out->contactor && !out->brake_release);
        require(!out->door_open && !out->door_close);
    }
    if (out->brake_release) {
        require(out->contactor);
        require(closed(in) || out->state == ELEVATOR_RELEVEL);
    }
    if (out->state == ELEVATOR_RELEVEL) {
        require(in->zone && fabs(out->speed_m_s) <= 0.030 + 1e-12);
    }
    require(!(out->lamps.car & ~in->calls.car) && !(out->lamps.up & ~in->calls.up));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct elevator_unit unit;
    struct elevator_params params = elevator_params_reference;
    uint32_t now_ms = UINT32_MAX - 2000;
    if (size < 1) {
        return 0;
    }
    params.floors = 2 + data[0] % (ELEVATOR_MAX_FLOORS - 1);
    elevator_unit_init(&unit, &params, ELEVATOR_NO_MISTAKE);
    size_t n = (size - 1) / SCAN_SIZE;
    for (size_t i = 0; i < n && i < MAX_SCANS; i++) {
        struct elevator_inputs inputs = inputs_from(data + 1 + i * SCAN_SIZE, now_ms);
        struct elevator_outputs outputs;
        now_ms = inputs.time_ms;
        elevator_unit_scan(&unit, &inputs, &outputs);
        check(&inputs, &outputs, (unsigned)params.floors);
        uint8_t coils[ELEVATOR_N_BITS];
        uint16_t holdings[ELEVATOR_N_HOLDINGS];
        elevator_table_coils(&outputs, coils);
        elevator_table_holdings(&outputs, (uint16_t)i, holdings);
    }
    return 0;
}
