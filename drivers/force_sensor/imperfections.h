/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a force sensor: its errors (offset, drift, mains interference, noise, range
 * and resolution), and faults at given times. Pure logic. */
#ifndef FORCE_SENSOR_IMPERFECTIONS_H
#define FORCE_SENSOR_IMPERFECTIONS_H

#include <doppel/math/random.h>
#include <doppel/math/six_axes.h>

#include "force_source.h"

/* N for x y z, N m for roll pitch yaw. An error of 0 leaves the value unchanged, bit by bit. */
struct force_imperfections {
    double offset[DPL_SIX];
    double drift_s[DPL_SIX];    /* per second, from the start of the run */
    double hum[DPL_SIX];        /* amplitude of a sine of hum_hz */
    double noise[DPL_SIX];      /* standard deviation, white */
    double range[DPL_SIX];      /* largest magnitude; 0: no limit */
    double resolution[DPL_SIX]; /* 0: exact */
    double hum_hz;
};

/* The reading of the sensor for the force `applied`. Returns whether a channel is at the end of its
 * range. */
bool force_imperfections_apply(const struct force_imperfections *imperfections,
                               struct dpl_random *rng, double t_s, const double applied[DPL_SIX],
                               double ret_reading[DPL_SIX]);

#define FAULT_PLAN_MAX 64

enum fault_kind {
    FAULT_STUCK,   /* the reading does not change; measurements continue */
    FAULT_DROPOUT, /* no measurement comes */
    FAULT_NAN,     /* readings are not a number */
    FAULT_SPIKE,   /* a value is added on one axis */
    FAULT_LOST,    /* the device is lost */
};

struct fault_row {
    double t_s, duration_s;
    enum fault_kind kind;
    double value; /* FAULT_SPIKE: N or N m */
    size_t axis;
};

struct fault_plan {
    struct fault_row rows[FAULT_PLAN_MAX];
    size_t n;
};

/* The active faults at a time. */
struct fault_effect {
    bool stuck, dropout, nan, lost;
    double added[DPL_SIX];
};

/* Reads rows "t stuck|dropout|nan duration", "t spike duration VALUE [AXIS]" (s, s, N or N m;
 * default: x) and "t lost [duration]" (default: permanently). Returns 0, or -EINVAL with reterr: a
 * bad row, or too many. */
int fault_plan_parse(const char *text, struct fault_plan *ret_plan, struct force_error *reterr);

/* A fault is active from its time until its duration is over. */
struct fault_effect fault_plan_at(const struct fault_plan *plan, double t_s);

#endif
