/* SPDX-License-Identifier: Apache-2.0 */
/* The controller's evaluation of its inputs: its own calibration of the infrared sensors and its
 * own timing of ultrasonic echoes. It deliberately does not use the emulators' code. */
#ifndef DOPPEL_WALL_FOLLOWER_SENSE_H
#define DOPPEL_WALL_FOLLOWER_SENSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The distance, m, for the voltage of an infrared sensor as a part of the reference; 0: nothing in
 * range. Linear between ten calibrated points. */
double sense_infrared_m(double ratio);

/* One ultrasonic sensor: the newest echo. */
struct sense_echo {
    bool is_high;
    int64_t rise_ns, width_ns;
    bool is_new; /* an echo has come since the last sense_echo_m */
};

/* Processes an edge from the sensor. */
void sense_edge(struct sense_echo *echo, int64_t at_ns, bool level);

/* Takes the newest echo's distance, m, for the given speed of sound; 0: no echo since the last
 * call. */
double sense_echo_m(struct sense_echo *echo, double sound_m_s);

#endif
