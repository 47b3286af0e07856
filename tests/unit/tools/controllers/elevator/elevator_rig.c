/* SPDX-License-Identifier: Apache-2.0 */
#include "elevator_rig.h"

#include <math.h>

#include <doppel/math/random.h>

enum { STEPS_A_SCAN = ELEVATOR_SCAN_MS / PLANT_STEP_MS };

double rig_seconds(const struct elevator_rig *rig)
{
    return 1e-3 * rig->plant.time_ms;
}

void rig_init(struct elevator_rig *rig, enum elevator_mistake mistake, unsigned seed,
              unsigned floor, double load_kg)
{
    struct dpl_random random = dpl_random_seeded(12, seed);
    *rig = (struct elevator_rig){
        .phase = (unsigned)dpl_random_uniform(&random, 0.0, STEPS_A_SCAN - 1e-9),
        .load_goal_kg = load_kg,
    };
    plant_init(&rig->plant, floor, load_kg);
    rig->plant.brake_opens_s = dpl_random_uniform(&random, 0.1, 0.3);
    rig->plant.brake_falls_s = dpl_random_uniform(&random, 0.0, 0.15);
    elevator_unit_init(&rig->unit, &elevator_params_reference, mistake);
    for (int i = 0; i < ELEVATOR_N_STATES; i++) {
        rig->state_s[i] = -1.0;
    }
}

static void scan(struct elevator_rig *rig)
{
    uint8_t bits[ELEVATOR_N_BITS];
    uint16_t registers[ELEVATOR_N_INPUTS], holdings[ELEVATOR_N_HOLDINGS];
    plant_read(&rig->plant, bits, registers);
    struct elevator_inputs inputs = elevator_table_inputs(bits, registers);
    struct elevator_outputs before = rig->outputs;
    elevator_unit_scan(&rig->unit, &inputs, &rig->outputs);
    if (rig->outputs.state != before.state) {
        rig->state_s[rig->outputs.state] = rig_seconds(rig);
    }
    elevator_table_coils(&rig->outputs, bits);
    elevator_table_holdings(&rig->outputs, ++rig->watchdog, holdings);
    plant_write(&rig->plant, bits, holdings);
}

void rig_step(struct elevator_rig *rig)
{
    double ramp_kg = 315.0 * 1e-3 * PLANT_STEP_MS;
    double lacks_kg = rig->load_goal_kg - rig->plant.load_kg;
    rig->plant.load_kg += fmin(fmax(lacks_kg, -ramp_kg), ramp_kg);
    if (rig->plant.time_ms / PLANT_STEP_MS % STEPS_A_SCAN == rig->phase) {
        scan(rig);
    }
    plant_step(&rig->plant);
}

void rig_run(struct elevator_rig *rig, double seconds)
{
    for (long i = lround(1e3 * seconds / PLANT_STEP_MS); i > 0; i--) {
        rig_step(rig);
    }
}

bool rig_until(struct elevator_rig *rig, enum elevator_state state, double within_s)
{
    double end_s = rig_seconds(rig) + within_s;
    while (rig->outputs.state != state && rig_seconds(rig) < end_s) {
        rig_step(rig);
    }
    return rig->outputs.state == state;
}

double rig_offset(const struct elevator_rig *rig, unsigned floor)
{
    return rig->plant.car - rig->unit.params.height_m * floor;
}
