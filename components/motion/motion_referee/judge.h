/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a machine kept its limits through a fault, and whether it came out of it as expected:
 * pure logic. SI units; poses are x y z in m, then roll pitch yaw in rad. */
#ifndef MOTION_REFEREE_JUDGE_H
#define MOTION_REFEREE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/time.h>

#include "chain.h"

/* A second difference of poses rounds: what is taken for equal to its limit. */
#define MOTION_ACCEL_ROUNDING 1e-9

struct motion_limits {
    double centre[MOTION_DOF], hard[MOTION_DOF]; /* the ellipsoid that is never left */
    double accel_max[MOTION_DOF];
    double move_s;            /* time between two planned poses */
    double slack[MOTION_DOF]; /* how much farther out a measured pose may be */
    bool has_travel;
    double low_m[MOTION_DOF], high_m[MOTION_DOF]; /* of the axes */
};

/* The numbers follow the choices of property Expect. */
enum motion_end {
    MOTION_RECOVERS,   /* plans the fault-free reference again, to the last bit */
    MOTION_RESTS,      /* holds still, axes following */
    MOTION_STOPS_AXES, /* the axes do not follow any more and hold still */
};

/* What the run is about. Times are since the first tick. */
struct motion_task {
    enum motion_end expect;
    dpl_ns from;             /* limits are judged from here on */
    dpl_ns fault_at;         /* the first sample of the fault */
    dpl_ns within;           /* after that it must have recovered or be at rest */
    dpl_ns end;              /* the verdict is due */
    int end_mode;            /* of the planner at the end; -1: any */
    double moving;           /* m/s or rad/s that some axis must have when the fault comes */
    dpl_ns same_for;         /* so long the reference must be followed to count as recovered */
    dpl_ns rest_for;         /* so long the platform must stand to count as at rest */
    double rest[MOTION_DOF]; /* what it may stir meanwhile */
};

enum motion_verdict {
    MOTION_UNDECIDED,
    MOTION_RECOVERED,
    MOTION_AT_REST,
    MOTION_AXES_STOPPED,
    MOTION_LIMIT_BROKEN,
    MOTION_NOT_READY, /* when the fault came it did not move, or did not follow its reference */
    MOTION_NOT_RECOVERED,
    MOTION_NOT_AT_REST,
    MOTION_AXES_NOT_STOPPED,
    MOTION_WRONG_MODE,
    MOTION_BLIND, /* poses were not seen, or at the end not the platform */
    MOTION_VERDICTS,
};

/* A cycle, as it was seen. */
struct motion_tick {
    dpl_ns at; /* since the first tick */
    bool has_reference, has_path, has_measured, has_axes;
    double reference[MOTION_DOF]; /* the newest, before a fault was put into it */
    struct chain_report path;
    int64_t synthesised;
    double factor; /* of the path's time base */
    double measured[MOTION_DOF];
    double axes_m[MOTION_DOF];
    bool axes_on;    /* they follow */
    bool axes_asked; /* they are told to follow */
    int planner_mode;
};

enum motion_limit {
    LIMIT_NONE,
    LIMIT_ACCELERATION,
    LIMIT_PLANNED,  /* a planned pose beyond the ellipsoid */
    LIMIT_MEASURED, /* the platform beyond it */
    LIMIT_TRAVEL,
    LIMIT_JUMP, /* a pose that does not follow from the one before */
    LIMIT_NOT_FINITE,
};

/* The first limit that was broken. */
struct motion_break {
    enum motion_limit limit;
    int axis;     /* -1: of all together */
    double value; /* times the limit, level, or m */
    double at_s;
};

/* Set limits and task, the rest to zero. */
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

    bool faulted;         /* the time of the fault is past */
    double speed;         /* of the newest pose: greatest over the axes, m/s or rad/s */
    double speed_then;    /* when the fault came */
    bool same, same_then; /* the newest pose is the newest reference */
    dpl_ns same_since, changed_at, moved_at, axes_off_since;
    bool differed;                    /* since the fault */
    double deviation[MOTION_DOF];     /* from the reference since the fault, greatest */
    double measured_then[MOTION_DOF]; /* when the fault came */
    double anchor[MOTION_DOF];        /* where the platform stands, or stood */
    bool axes_follow, sees_platform;
    int64_t synthesised_then;
    double settled_s, way_m; /* of the verdict: how long and how far it took after the fault */
};

/* Takes the next tick; returns the verdict so far. After a verdict nothing changes it. */
enum motion_verdict motion_judge_take(struct motion_judge *judge, const struct motion_tick *tick);

/* Whether it is what the task expects. */
bool motion_judge_expected(const struct motion_judge *judge);

/* Greatest deviation since the fault over x y z (m) and over the angles (rad). */
double motion_judge_deviation_m(const struct motion_judge *judge);
double motion_judge_deviation_rad(const struct motion_judge *judge);

/* The verdict as a word ("at_rest") and as a sentence of at most `size` bytes. */
const char *motion_verdict_word(enum motion_verdict verdict);
void motion_judge_sentence(const struct motion_judge *judge, char *ret_text, size_t size);

/* "x" to "yaw". */
const char *motion_axis_name(int axis);

#endif
