/* SPDX-License-Identifier: Apache-2.0 */
/* A wall follower with stuck recovery: from seven ranges to speed and turning. It knows nothing of
 * pins, of the track or of the car's model; it is the controller that a bench puts to the test. */
#ifndef DOPPEL_WALL_FOLLOWER_FOLLOW_H
#define DOPPEL_WALL_FOLLOWER_FOLLOW_H

#include <stdbool.h>

/* Where the sensors look, in the order of the pins: degrees from straight ahead, left positive. */
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
    double gain;       /* of turning, on the relative difference of left and right */
    double reach;      /* m: ranges beyond count as this */
    double near;       /* m: infrared ranges below push away */
    double brake;      /* m: the front range at which it begins to slow down */
    double least;      /* speed when it is slowest, relative */
    double stuck;      /* m: a front range below is a dead end */
    double stuck_s;    /* s: that long */
    double backward_s; /* s: how long it goes back then */
};

enum follow_state { FOLLOW_FORWARD, FOLLOW_BACKWARD };

struct follow {
    enum follow_state state;
    double blocked_s, backward_s; /* since when */
    int turn_back;                /* which way to turn while going back: 1 left, -1 right */
};

struct follow_demand {
    double speed; /* -1 to 1 of the top speed */
    double yaw;   /* -1 to 1 of the sharpest turn, left positive; of the motion, also backwards */
};

/* One step of `period_s`. ranges[i] in m; 0 or not finite: nothing seen. */
struct follow_demand follow_step(struct follow *self, const struct follow_config *config,
                                 const double ranges[FOLLOW_SENSORS], double period_s);

#endif
