/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of a mock force sensor over time. Pure logic. */
#ifndef FORCE_SENSOR_FAULT_PLAN_H
#define FORCE_SENSOR_FAULT_PLAN_H

#include "force_source.h"

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
