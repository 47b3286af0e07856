/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether a machine stayed within its limits during a fault, and whether it then reached the
 * expected state: pure logic. SI units; poses are x y z in m, then roll pitch yaw in rad. */
#ifndef MOTION_REFEREE_JUDGE_H
#define MOTION_REFEREE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/time.h>

#include "chain.h"

/* Tolerance for rounding errors of a second difference of poses. */
#define MOTION_ACCEL_ROUNDING 1e-9

struct motion_limits {
    double centre[DPL_SIX], hard[DPL_SIX]; /* the ellipsoid that poses must never leave */
    double accel_max[DPL_SIX];
    double move_s;         /* time between two planned poses */
    double slack[DPL_SIX]; /* tolerance for measured poses outside of it */
    bool has_travel;
    double low_m[DPL_AXES_N], high_m[DPL_AXES_N]; /* of the axes */
};

/* The numbers follow the choices of property Expect. */
enum motion_end {
    MOTION_RECOVERS,   /* plans the fault-free reference again, equal in every bit */
    MOTION_RESTS,      /* at rest, axes following */
    MOTION_STOPS_AXES, /* the axes no longer follow and are at rest */
};

/* The task of the run. Times are since the first tick. */
struct motion_task {
    enum motion_end expect;
    dpl_ns from;          /* limits are checked from this time on */
    dpl_ns fault_at;      /* the first sample of the fault */
    dpl_ns within;        /* time limit for recovery or rest after the fault */
    dpl_ns end;           /* time of the verdict */
    int end_mode;         /* of the planner at the end; -1: any */
    double moving;        /* m/s or rad/s that at least one axis must have at the fault */
    dpl_ns same_for;      /* time for which the reference must be followed to count as recovered */
    dpl_ns rest_for;      /* time for which the platform must stand to count as at rest */
    double rest[DPL_SIX]; /* allowed motion during that time */
};

enum motion_verdict {
    MOTION_UNDECIDED,
    MOTION_RECOVERED,
    MOTION_AT_REST,
    MOTION_AXES_STOPPED,
    MOTION_LIMIT_BROKEN,
    MOTION_NOT_READY, /* at the fault it did not move, or did not follow its reference */
    MOTION_NOT_RECOVERED,
    MOTION_NOT_AT_REST,
    MOTION_AXES_NOT_STOPPED,
    MOTION_WRONG_MODE,
    MOTION_BLIND, /* poses were missed, or the platform's pose at the end */
    MOTION_VERDICTS,
};

/* Observations of a cycle. */
struct motion_tick {
    dpl_ns at; /* since the first tick */
    bool has_reference, has_path, has_measured, has_axes;
    double reference[DPL_SIX]; /* the newest one, before a fault changes it */
    struct chain_report path;
    int64_t synthesised;
    double factor; /* of the path's time base */
    double measured[DPL_SIX];
    double axes_m[DPL_AXES_N];
    bool axes_on;    /* the axes follow */
    bool axes_asked; /* the axes have the command to follow */
    int planner_mode;
};

enum motion_limit {
    LIMIT_NONE,
    LIMIT_ACCELERATION,
    LIMIT_PLANNED,  /* a planned pose outside of the ellipsoid */
    LIMIT_MEASURED, /* the platform outside of it */
    LIMIT_TRAVEL,
    LIMIT_JUMP, /* a pose that does not follow from the pose before */
    LIMIT_NOT_FINITE,
};

/* The first violation of a limit. */
struct motion_break {
    enum motion_limit limit;
    int axis;     /* -1: all axes together */
    double value; /* as a multiple of the limit, level, or m */
    double at_s;
};

/* Set limits and task, and zero the rest. */
struct motion_judge {
    struct motion_limits limits;
    struct motion_task task;

    enum motion_verdict verdict;
    struct motion_break first_break;
    struct motion_chain chain;
    double accel_ratio, level, level_measured; /* of the newest pose */
    double worst_accel_ratio, worst_level, worst_level_measured;
    int worst_axis;
    int64_t n_poses, n_placed, n_missed, n_synthesised;
    double greatest_factor, least_factor; /* since the fault */

    bool faulted;         /* the time of the fault has passed */
    double speed;         /* of the newest pose: largest over the axes, m/s or rad/s */
    double speed_then;    /* at the fault */
    bool same, same_then; /* the newest pose is equal to the newest reference */
    dpl_ns same_since, changed_at, moved_at, axes_off_since;
    bool differed;                 /* since the fault */
    double deviation[DPL_SIX];     /* largest difference from the reference since the fault */
    double measured_then[DPL_SIX]; /* at the fault */
    double anchor[DPL_SIX];        /* pose at which the platform stands, or stood */
    bool axes_follow, sees_platform;
    int64_t synthesised_then;
    double settled_s, way_m; /* of the verdict: time and way after the fault */
};

/* Processes the next tick; returns the verdict so far. A verdict is final. */
enum motion_verdict motion_judge_step(struct motion_judge *judge, const struct motion_tick *tick);

/* Whether the verdict is the expected one of the task. */
bool motion_judge_expected(const struct motion_judge *judge);

/* Largest deviation since the fault over x y z (m) and over the angles (rad). */
double motion_judge_deviation_m(const struct motion_judge *judge);
double motion_judge_deviation_rad(const struct motion_judge *judge);

/* The verdict as a word ("at_rest") and as a sentence of at most `size` bytes. */
const char *motion_verdict_word(enum motion_verdict verdict);
void motion_judge_sentence(const struct motion_judge *judge, char *ret_text, size_t size);

/* "x" to "yaw". */
const char *motion_axis_name(int axis);

#endif
