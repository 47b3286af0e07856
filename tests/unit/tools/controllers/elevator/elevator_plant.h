/* SPDX-License-Identifier: Apache-2.0 */
/* An elevator along one line, for tests: car, counterweight, sheave, two ropes, brake, drive, and a
 * door of one coordinate; in steps of 2 ms. It is reached as a real one is, by the table of bits
 * and registers. */
#ifndef ELEVATOR_PLANT_H
#define ELEVATOR_PLANT_H

#include "elevator_table.h"

enum { PLANT_FLOORS = 12, PLANT_STEP_MS = 2 };

struct elevator_plant {
    /* what a test changes */
    double load_kg;
    double brake_opens_s; /* from the command to open */
    double brake_falls_s; /* from the command to shut; the drive holds until then */
    bool has_obstacle;    /* between the panels, at 200 mm */
    bool curtain_is_broken;
    bool contact_is_lost, zone_is_lost, brake_feedback_is_lost;
    bool runs_away; /* the drive, upwards */
    struct elevator_calls calls;
    /* state, m and m/s; the rope on the sheave goes by s */
    uint32_t time_ms;
    double car, car_v, weight, weight_v, s, s_v, car_a;
    double door, door_v, door_reference_v, door_force_n, obstacle_force_n;
    double brake_s;     /* since the command to open */
    double brake_off_s; /* since the command to shut */
    double runaway_v;
    bool brake_is_open, is_tripped;
    /* what it measures for a test */
    double max_speed, max_filtered_a, filtered_a, max_obstacle_force_n, obstacle_s;
    /* commands */
    uint8_t coils[ELEVATOR_N_BITS];
    uint16_t holdings[ELEVATOR_N_HOLDINGS];
};

/* At rest and level with a floor, doors closed. */
void plant_init(struct elevator_plant *plant, unsigned floor, double load_kg);

void plant_step(struct elevator_plant *plant);

void plant_read(const struct elevator_plant *plant, uint8_t *ret_bits, uint16_t *ret_registers);
void plant_write(struct elevator_plant *plant, const uint8_t *coils, const uint16_t *holdings);

#endif
