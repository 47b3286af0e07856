/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on a motion as text. */
#include "judge.h"

#include <math.h>
#include <stdio.h>

#include <doppel/math/six_axes.h>

bool motion_judge_expected(const struct motion_judge *judge)
{
    static const enum motion_verdict expected[] = {
        [MOTION_RECOVERS] = MOTION_RECOVERED,
        [MOTION_RESTS] = MOTION_AT_REST,
        [MOTION_STOPS_AXES] = MOTION_AXES_STOPPED,
    };
    return judge->verdict == expected[judge->task.expect];
}

double motion_judge_deviation_m(const struct motion_judge *judge)
{
    return fmax(judge->deviation[0], fmax(judge->deviation[1], judge->deviation[2]));
}

double motion_judge_deviation_rad(const struct motion_judge *judge)
{
    return fmax(judge->deviation[3], fmax(judge->deviation[4], judge->deviation[5]));
}

const char *motion_axis_name(int axis)
{
    return axis >= 0 && axis < DPL_SIX ? dpl_six_names[axis] : "all";
}

const char *motion_verdict_word(enum motion_verdict verdict)
{
    static const char *const words[MOTION_VERDICTS] = {
        [MOTION_UNDECIDED] = "none",
        [MOTION_RECOVERED] = "recovered",
        [MOTION_AT_REST] = "at_rest",
        [MOTION_AXES_STOPPED] = "axes_stopped",
        [MOTION_LIMIT_BROKEN] = "limit_broken",
        [MOTION_NOT_READY] = "not_ready",
        [MOTION_NOT_RECOVERED] = "not_recovered",
        [MOTION_NOT_AT_REST] = "not_at_rest",
        [MOTION_AXES_NOT_STOPPED] = "axes_not_stopped",
        [MOTION_WRONG_MODE] = "wrong_mode",
        [MOTION_BLIND] = "blind",
    };
    return words[verdict];
}

static void format_break(const struct motion_break *broken, char *ret_text, size_t size)
{
    double at = broken->at_s;
    switch (broken->limit) {
    case LIMIT_ACCELERATION:
        snprintf(ret_text, size,
                 "at %.4f s the acceleration of %s was planned %.4g times its limit", at,
                 motion_axis_name(broken->axis), broken->value);
        break;
    case LIMIT_PLANNED:
        snprintf(ret_text, size,
                 "at %.4f s a pose was planned beyond the hard ellipsoid: level %.4g", at,
                 broken->value);
        break;
    case LIMIT_MEASURED:
        snprintf(ret_text, size, "at %.4f s the platform was beyond the hard ellipsoid: level %.4g",
                 at, broken->value);
        break;
    case LIMIT_TRAVEL:
        snprintf(ret_text, size, "at %.4f s axis %d was at %.4f m, beyond its travel", at,
                 broken->axis + 1, broken->value);
        break;
    case LIMIT_JUMP:
        snprintf(ret_text, size, "at %.4f s the path jumped while the axes followed it", at);
        break;
    case LIMIT_NOT_FINITE: snprintf(ret_text, size, "at %.4f s a pose was not a number", at); break;
    default: snprintf(ret_text, size, "no limit was broken"); break;
    }
}

/* Appends the numbers that led to a verdict. */
static void format_numbers(const struct motion_judge *judge, const char *what, char *ret_text,
                           size_t size)
{
    snprintf(ret_text, size,
             "%s after %.4f s; deviation %.4g mm, %.4g mrad; acceleration %.4f of its limit; level "
             "%.4f, measured %.4f",
             what, judge->settled_s, 1e3 * motion_judge_deviation_m(judge),
             1e3 * motion_judge_deviation_rad(judge), judge->worst_accel_ratio, judge->worst_level,
             judge->worst_level_measured);
}

static void format_not_ready(const struct motion_judge *judge, char *ret_text, size_t size)
{
    snprintf(ret_text, size, "when the fault came it moved at %.4g (needed: %.4g) and %s",
             judge->speed_then, judge->task.moving,
             judge->same_then ? "followed its reference" : "did not follow its reference");
}

void motion_judge_sentence(const struct motion_judge *judge, char *ret_text, size_t size)
{
    switch (judge->verdict) {
    case MOTION_RECOVERED: format_numbers(judge, "the reference again", ret_text, size); break;
    case MOTION_AT_REST: format_numbers(judge, "at rest", ret_text, size); break;
    case MOTION_AXES_STOPPED: format_numbers(judge, "axes off and at rest", ret_text, size); break;
    case MOTION_LIMIT_BROKEN: format_break(&judge->first_break, ret_text, size); break;
    case MOTION_NOT_READY: format_not_ready(judge, ret_text, size); break;
    case MOTION_NOT_RECOVERED:
        format_numbers(judge, "not the reference in time, or not for long", ret_text, size);
        break;
    case MOTION_NOT_AT_REST:
        format_numbers(judge, "no rest on the path in time", ret_text, size);
        break;
    case MOTION_AXES_NOT_STOPPED:
        format_numbers(judge, "the axes follow, or move on", ret_text, size);
        break;
    case MOTION_WRONG_MODE:
        format_numbers(judge, "settled, but the planner is in another mode", ret_text, size);
        break;
    case MOTION_BLIND:
        snprintf(ret_text, size, "%lld poses were seen with %lld gaps, the platform at the end %s",
                 (long long)judge->n_poses, (long long)judge->n_missed,
                 judge->sees_platform ? "too" : "not");
        break;
    default: snprintf(ret_text, size, "no verdict yet"); break;
    }
}
