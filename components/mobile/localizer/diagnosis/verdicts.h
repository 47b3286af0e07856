/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a robot, by name: a table of rules in order, of which the first that fits
 * counts. Pure. */
#ifndef VERDICTS_H
#define VERDICTS_H

#include <stdbool.h>
#include <stddef.h>

#include "residuals.h"
#include "strangers.h"

/* In this order in messages, too. */
enum verdict {
    VERDICT_NONE,
    VERDICT_SLIP,           /* a wheel turned more than the robot moved */
    VERDICT_BLOCKED,        /* a wheel does not turn as commanded, and that is true */
    VERDICT_ENCODER,        /* a wheel seems not to turn as commanded, but the robot moves so */
    VERDICT_RADIUS,         /* the scale of a wheel has changed */
    VERDICT_LASER,          /* the laser's mount has changed */
    VERDICT_LATENCY,        /* the delay of the scans has changed */
    VERDICT_PUSH,           /* the robot moved in a way that its wheels cannot make */
    VERDICT_KIDNAP,         /* it is elsewhere, without motion between */
    VERDICT_GYRO,           /* the gyro contradicts wheels and laser */
    VERDICT_NO_LASER,       /* no scans come */
    VERDICT_FROZEN_LASER,   /* the same scan comes again and again */
    VERDICT_MAP_CHANGED,    /* an object of the plan is not where it was */
    VERDICT_UNKNOWN_OBJECT, /* something stands where the plan has nothing */
    VERDICT_AVATAR,         /* the robot is well, its avatar is elsewhere */
    VERDICTS,
};

enum verdict_wheel {
    VERDICT_NO_WHEEL,
    VERDICT_LEFT,
    VERDICT_RIGHT,
    VERDICT_BOTH,
};

/* What the rules judge. */
struct verdict_case {
    struct residuals residuals;
    bool has_motion; /* `residuals` is of this scan, and the pose is known */
    bool impatient;  /* it was waited for long enough: this scan must be judged */
    bool no_laser, frozen, lost;
    bool no_avatar; /* the avatar is farther off than the safe radius, for long enough */
    /* Deviation of the calibration from its reference: of how many sigmas, 0 without reference. */
    double off[LOCALIZER_N_PARAMETERS], off_sigmas[LOCALIZER_N_PARAMETERS];
    bool late, maybe_late; /* scans come later or earlier than the reference by `late_s` */
    double late_s;
    double turn_rad_s;               /* of the robot */
    int moved_object;                /* of the plan; negative: none */
    const struct stranger *stranger; /* the unknown object seen longest; NULL: none */
};

/* "SLIP" and so on; "NONE". */
const char *verdict_name(enum verdict verdict);

/* "left", "right", "both"; "" for no wheel. */
const char *verdict_wheel_name(enum verdict_wheel wheel);

/* The first rule that fits: *ret_hold says that nothing can be judged in this scan, neither for
 * nor against a verdict. */
enum verdict verdict_judge(const struct verdict_case *now, bool *ret_hold);

/* For how long a rule must fit without a break, s; 0: one scan is enough, else at least two are
 * needed. */
double verdict_holds(enum verdict verdict);

/* Place in the order of rules: a lower one takes precedence. */
unsigned verdict_rank(enum verdict verdict);

/* Whether a rule of that verdict needs a motion of the robot that is known. */
bool verdict_is_of_motion(enum verdict verdict);

/* Which wheel a verdict accuses. */
enum verdict_wheel verdict_wheel(enum verdict verdict, const struct verdict_case *now);

#endif
