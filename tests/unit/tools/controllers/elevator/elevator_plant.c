/* SPDX-License-Identifier: Apache-2.0 */
#include "elevator_plant.h"

#include <math.h>
#include <string.h>

static const double dt = 1e-3 * PLANT_STEP_MS, g = 9.80665, height_m = 3.2;
static const double car_kg = 800.0, weight_kg = 1115.0, sheave_kg = 20.0 / (0.3 * 0.3);
static const double radius_m = 0.3, ea_n = 1e7, damping = 0.03, car_rope_m = 38.2,
                    weight_rope_m = 3.0;
static const double brake_n = 1650.0 / 0.3, guide_n = 30.0, max_drive_nm = 2400.0,
                    drive_n_s_m = 36000.0;
static const double governor_m_s = 1.84, runaway_m_s = 2.2;
static const double door_kg = 40.0, door_travel_m = 0.45, door_limit_n = 130.0, obstacle_m = 0.200,
                    obstacle_n_m = 2e4;

static double rope_n_m(double length_m)
{
    return ea_n / length_m;
}

static double empty_stretch(void)
{
    return car_kg * g / rope_n_m(car_rope_m);
}

static double tension(double length_m, double mass_kg, double stretch, double rate)
{
    double k = rope_n_m(length_m);
    return fmax(0.0, k * stretch + 2.0 * damping * sqrt(k * mass_kg) * rate);
}

void plant_init(struct elevator_plant *plant, unsigned floor, double load_kg)
{
    *plant = (struct elevator_plant){.load_kg = load_kg, .brake_opens_s = 0.2};
    plant->car = height_m * floor;
    plant->s = plant->car;
    for (int i = 0; i < 50; i++) {
        double stretch = (car_kg + load_kg) * g / rope_n_m(car_rope_m - plant->s);
        plant->s = plant->car - empty_stretch() + stretch;
    }
    plant->weight = -plant->s - weight_kg * g / rope_n_m(weight_rope_m + plant->s);
}

static double clamp(double value, double most)
{
    return fmin(fmax(value, -most), most);
}

/* Friction takes a speed to exactly 0, or a part of it. */
static double rub(double v, double force_n, double mass_kg)
{
    return v - clamp(v, force_n / mass_kg * dt);
}

static double drive_force(struct elevator_plant *plant)
{
    double reference = 1e-3 * (int16_t)plant->holdings[0];
    if (plant->runs_away) {
        plant->runaway_v = fmin(plant->runaway_v + 1.0 * dt, runaway_m_s);
        reference = plant->runaway_v;
    } else {
        plant->runaway_v = plant->s_v;
    }
    if (!plant->coils[0] || !plant->brake_is_open) {
        return 0.0;
    }
    double torque = (int16_t)plant->holdings[5] + drive_n_s_m * (reference - plant->s_v) * radius_m;
    return clamp(torque, max_drive_nm) / radius_m;
}

/* Without feedback the brake is taken to stay shut, as one that hangs. */
static void step_brake(struct elevator_plant *plant)
{
    bool is_held_open = plant->coils[0] && plant->coils[1] && !plant->brake_feedback_is_lost;
    plant->brake_s = is_held_open ? plant->brake_s + dt : 0.0;
    plant->brake_off_s = is_held_open ? 0.0 : plant->brake_off_s + dt;
    plant->brake_is_open = is_held_open
                               ? plant->brake_s >= plant->brake_opens_s
                               : plant->brake_is_open && plant->brake_off_s < plant->brake_falls_s;
}

static void step_ropes(struct elevator_plant *plant)
{
    double mass_kg = car_kg + plant->load_kg, before = plant->car_v;
    double car_t = tension(car_rope_m - plant->s, mass_kg, plant->s - plant->car + empty_stretch(),
                           plant->s_v - plant->car_v);
    double weight_t = tension(weight_rope_m + plant->s, weight_kg, -plant->s - plant->weight,
                              -plant->s_v - plant->weight_v);
    plant->s_v += (drive_force(plant) - car_t + weight_t) / sheave_kg * dt;
    if (!plant->brake_is_open) {
        plant->s_v = rub(plant->s_v, brake_n, sheave_kg);
    }
    plant->car_v = rub(plant->car_v + (car_t / mass_kg - g) * dt, guide_n, mass_kg);
    plant->weight_v += (weight_t / weight_kg - g) * dt;
    plant->s += plant->s_v * dt;
    plant->car += plant->car_v * dt;
    plant->weight += plant->weight_v * dt;
    plant->car_a = (plant->car_v - before) / dt;
}

/* The speed that the door's drive wants: a trapezoid. */
static double wanted_door_speed(const struct elevator_plant *plant, double *ret_acceleration)
{
    bool opens = plant->coils[2] && !plant->coils[3], closes = plant->coils[3] && !plant->coils[2];
    *ret_acceleration = closes ? 0.6 : 1.0;
    if (opens) {
        return fmin(0.5, sqrt(2.0 * 1.0 * (door_travel_m - plant->door)));
    }
    return closes ? -fmin(0.3, sqrt(2.0 * 0.6 * plant->door)) : 0.0;
}

static void step_door(struct elevator_plant *plant)
{
    double acceleration;
    double wanted = wanted_door_speed(plant, &acceleration);
    double change = clamp(wanted - plant->door_reference_v, acceleration * dt);
    plant->door_reference_v += change;
    double force = clamp(door_kg * (change / dt + 50.0 * (plant->door_reference_v - plant->door_v)),
                         door_limit_n);
    double depth = plant->has_obstacle ? fmax(0.0, obstacle_m - plant->door) : 0.0;
    plant->obstacle_force_n = obstacle_n_m * depth;
    plant->door_force_n = fabs(force);
    plant->door_v +=
        (force + plant->obstacle_force_n - 200.0 * (depth > 0.0) * plant->door_v) / door_kg * dt;
    plant->door += plant->door_v * dt;
    if (plant->door <= 0.0 || plant->door >= door_travel_m) {
        plant->door = plant->door <= 0.0 ? 0.0 : door_travel_m;
        plant->door_v = plant->door_reference_v = 0.0;
    }
}

static void measure(struct elevator_plant *plant)
{
    plant->filtered_a += (plant->car_a - plant->filtered_a) * dt / (0.016 + dt);
    plant->max_filtered_a = fmax(plant->max_filtered_a, fabs(plant->filtered_a));
    plant->max_speed = fmax(plant->max_speed, fabs(plant->car_v));
    plant->obstacle_s = plant->obstacle_force_n > 0.0 ? plant->obstacle_s + dt : 0.0;
    if (plant->obstacle_s > 0.2) {
        plant->max_obstacle_force_n = fmax(plant->max_obstacle_force_n, plant->obstacle_force_n);
    }
}

void plant_step(struct elevator_plant *plant)
{
    step_brake(plant);
    step_ropes(plant);
    step_door(plant);
    measure(plant);
    plant->is_tripped = plant->is_tripped || fabs(plant->car_v) > governor_m_s;
    plant->time_ms += PLANT_STEP_MS;
}

static void put_double_word(uint16_t *registers, uint32_t value)
{
    registers[0] = (uint16_t)(value >> 16);
    registers[1] = (uint16_t)(value & 0xffff);
}

void plant_read(const struct elevator_plant *plant, uint8_t *ret_bits, uint16_t *ret_registers)
{
    double offset = plant->car - height_m * round(plant->car / height_m);
    memset(ret_bits, 0, ELEVATOR_N_BITS);
    memset(ret_registers, 0, ELEVATOR_N_INPUTS * sizeof *ret_registers);
    ret_bits[0] = !plant->is_tripped;
    ret_bits[1] = plant->door < 0.002 && !plant->contact_is_lost;
    ret_bits[2] = plant->door > 0.445;
    ret_bits[3] = !plant->curtain_is_broken;
    ret_bits[6] = fabs(offset) <= 0.1 && !plant->zone_is_lost;
    ret_bits[11] = plant->brake_is_open;
    ret_bits[15] = plant->door < 0.002;
    for (unsigned i = 0; i < ELEVATOR_MAX_FLOORS; i++) {
        ret_bits[ELEVATOR_FIRST_CAR_CALL + i] = plant->calls.car >> i & 1;
        ret_bits[ELEVATOR_FIRST_UP_CALL + i] = plant->calls.up >> i & 1;
        ret_bits[ELEVATOR_FIRST_DOWN_CALL + i] = plant->calls.down >> i & 1;
    }
    put_double_word(&ret_registers[0], (uint32_t)(int32_t)lround(1e4 * plant->car));
    ret_registers[2] = (uint16_t)(int16_t)lround(1e3 * plant->car_v);
    ret_registers[3] = (uint16_t)lround(plant->load_kg);
    ret_registers[4] = (uint16_t)lround(1e3 * plant->door);
    ret_registers[5] = (uint16_t)lround(plant->door_force_n);
    ret_registers[9] = PLANT_FLOORS;
    put_double_word(&ret_registers[10], plant->time_ms);
}

static void clear_calls(uint32_t *calls, const uint8_t *before, const uint8_t *now)
{
    for (unsigned i = 0; i < ELEVATOR_MAX_FLOORS; i++) {
        if (before[i] && !now[i]) {
            *calls &= ~((uint32_t)1 << i);
        }
    }
}

void plant_write(struct elevator_plant *plant, const uint8_t *coils, const uint16_t *holdings)
{
    const uint8_t *before = plant->coils;
    clear_calls(&plant->calls.car, &before[ELEVATOR_FIRST_CAR_CALL],
                &coils[ELEVATOR_FIRST_CAR_CALL]);
    clear_calls(&plant->calls.up, &before[ELEVATOR_FIRST_UP_CALL], &coils[ELEVATOR_FIRST_UP_CALL]);
    clear_calls(&plant->calls.down, &before[ELEVATOR_FIRST_DOWN_CALL],
                &coils[ELEVATOR_FIRST_DOWN_CALL]);
    if (coils[ELEVATOR_COIL_RESET] && !before[ELEVATOR_COIL_RESET] && fabs(plant->car_v) < 0.01) {
        plant->is_tripped = false;
    }
    memcpy(plant->coils, coils, ELEVATOR_N_BITS);
    memcpy(plant->holdings, holdings, ELEVATOR_N_HOLDINGS * sizeof *holdings);
}
