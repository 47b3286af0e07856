/* SPDX-License-Identifier: Apache-2.0 */
/* A wall follower with stuck recovery: from seven ranges to speed and turning. It is the controller
 * that a bench tests, so it has no access to pins, track or model of the car. */
#ifndef DOPPEL_WALL_FOLLOWER_FOLLOW_H
#define DOPPEL_WALL_FOLLOWER_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Directions of the sensors, in the order of the pins: degrees from straight ahead, left
 * positive. */
enum follow_sensor {
    FOLLOW_LEFT,       /* 30, ultrasonic */
    FOLLOW_FRONT,      /* 0, ultrasonic */
    FOLLOW_RIGHT,      /* -30, ultrasonic */
    FOLLOW_SIDE_LEFT,  /* 45, infrared */
    FOLLOW_REAR_LEFT,  /* 135, infrared */
    FOLLOW_REAR_RIGHT, /* -135, infrared */
    FOLLOW_SIDE_RIGHT, /* -45, infrared */
    FOLLOW_SENSORS,
};

struct follow_config {
    double gain;       /* of turning, for the relative difference of left and right */
    double reach;      /* m: larger ranges are reduced to this */
    double near;       /* m: smaller infrared ranges push away */
    double brake;      /* m: the front range below which the speed is reduced */
    double least;      /* lowest speed, relative */
    double stuck;      /* m: a smaller front range means a dead end */
    double stuck_s;    /* s: after this time */
    double backward_s; /* s: duration of driving backwards then */
};

enum follow_state { FOLLOW_FORWARD, FOLLOW_BACKWARD };

struct follow {
    enum follow_state state;
    double blocked_s, backward_s; /* duration so far */
    int turn_back;                /* turning direction while driving backwards: 1 left, -1 right */
};

struct follow_demand {
    double speed; /* -1 to 1 of the top speed */
    double yaw;   /* -1 to 1 of the strongest turning, left positive; of the car's motion, also
                     backwards */
};

/* One step of `period_s`. ranges[i] in m; 0 or not finite: no object. */
struct follow_demand follow_step(struct follow *self, const struct follow_config *config,
                                 const double ranges[FOLLOW_SENSORS], double period_s);

/* Its inputs: its own calibration of the infrared sensors and its own timing of ultrasonic echoes.
 * It deliberately does not use the emulators' code. */

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
