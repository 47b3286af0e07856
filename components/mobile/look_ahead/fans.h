/* SPDX-License-Identifier: Apache-2.0 */
/* Looks that are kept for the report: the paths of their rollouts. */
#ifndef LOOK_AHEAD_FANS_H
#define LOOK_AHEAD_FANS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "outlook.h"

enum { FANS_MAX = 64, FAN_PATHS_MAX = 16, FAN_POSES_MAX = 26 };

struct fan {
    double time_s; /* of the state that it began with */
    size_t n;
    struct fan_path {
        bool touched;
        size_t n;
        float x[FAN_POSES_MAX], y[FAN_POSES_MAX]; /* m, in the world's frame */
    } paths[FAN_PATHS_MAX];
};

/* Zeroed: none. */
struct fans {
    struct fan fans[FANS_MAX];
    size_t n;
    int64_t left_out; /* contacts for which there was no room */
    bool expected;    /* the look before predicted a contact */
};

/* Keeps the first look of each predicted contact, and one of a free way every ten seconds. */
void fans_add(struct fans *fans, double time_s, bool expects,
              const struct outlook_rollout *rollouts, size_t n);

/* As rows "t,rollout,touched,x,y", one for each pose, below a line with these names. */
void fans_write(const struct fans *fans, FILE *file);

#endif
