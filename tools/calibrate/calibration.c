/* SPDX-License-Identifier: Apache-2.0 */
/* Judging what a calibration found. */
#include "calibration.h"

#include <math.h>
#include <string.h>

#include <doppel/math/geometry.h>

#define WHEELS    "drive straight on, 3 to 10 m"
#define TURNS     "turn left and right, also on the spot"
#define CHANGES   "start and stop turning, several times"
#define ON_SPOT   "turn on the spot near walls"
#define STRAIGHT  "drive straight on between walls"
#define DISTANCES "drive where walls are near and far, on both sides"

#define GAIN_TOLERANCE 0.005

/* Floors: a simulated office is seen ten times as sharply; with the errors of a real map and a real
 * laser nothing better was seen. */
const struct calibration_row calibration_rows[CALIBRATION_N_PARAMETERS] = {
    [CALIBRATION_SCALE_LEFT] = {"scale of the left wheel", "scale_left", "SigmaWheel", NULL, NULL,
                                0.002, true, false, true, WHEELS},
    [CALIBRATION_SCALE_RIGHT] = {"scale of the right wheel", "scale_right", "SigmaWheel", NULL,
                                 NULL, 0.002, true, false, true, WHEELS},
    [CALIBRATION_AXLE_SCALE] = {"scale of the axle", "axle_scale", "SigmaAxle", NULL, NULL, 0.003,
                                true, false, true, TURNS},
    [CALIBRATION_TIME_OFFSET] = {"scans are late by", "time_offset_s", "SigmaTimeOffset", "s", "ms",
                                 0.005, false, true, true, CHANGES},
    [CALIBRATION_MOUNT_X] = {"laser forward", "mount_x", "SigmaMount", "m", "mm", 0.005, false,
                             false, true, ON_SPOT},
    [CALIBRATION_MOUNT_Y] = {"laser to the left", "mount_y", "SigmaMount", "m", "mm", 0.005, false,
                             false, true, ON_SPOT},
    [CALIBRATION_MOUNT_YAW] = {"direction of the laser", "mount_yaw", "SigmaMountDirection", "rad",
                               "deg", 0.0035, false, false, true, STRAIGHT},
    [CALIBRATION_RANGE_BIAS] = {"ranges are too long by", "range_bias", "SigmaRangeBias", "m", "mm",
                                0.005, false, true, false, DISTANCES},
    [CALIBRATION_RANGE_SCALE] = {"and by this part", "range_scale", "SigmaRangeScale", NULL, NULL,
                                 0.002, false, true, false, DISTANCES},
};

bool calibration_is_identified(const struct calibration_target *target,
                               const struct calibration_findings *findings,
                               enum calibration_parameter parameter)
{
    double sigma = findings->sigma[parameter];
    return !findings->is_lost && isfinite(findings->value[parameter]) && isfinite(sigma) &&
           sigma <= target->sigma[parameter] / 3.0;
}

bool calibration_is_complete(const struct calibration_target *target,
                             const struct calibration_findings *findings)
{
    for (int i = 0; i < CALIBRATION_N_PARAMETERS; i++) {
        if (calibration_rows[i].is_needed && !calibration_is_identified(target, findings, i)) {
            return false;
        }
    }
    return true;
}

bool calibration_has_any(const struct calibration_target *target,
                         const struct calibration_findings *findings)
{
    for (int i = 0; i < CALIBRATION_N_PARAMETERS; i++) {
        if (calibration_is_identified(target, findings, i)) {
            return true;
        }
    }
    return false;
}

double calibration_new_value(const struct calibration_target *target,
                             const struct calibration_findings *findings,
                             enum calibration_parameter parameter)
{
    const struct calibration_row *row = &calibration_rows[parameter];
    double now = target->values[parameter].value, found = findings->value[parameter];
    return row->is_absolute ? found : row->is_factor ? now * found : now + found;
}

static double drive_value(const struct calibration_findings *findings, enum drive_parameter i)
{
    return findings->has_drive && findings->drive.identified[i] ? findings->drive.value[i]
                                                                : (double)NAN;
}

static double identified(const struct calibration_target *target,
                         const struct calibration_findings *findings,
                         enum calibration_parameter parameter, double value)
{
    return calibration_is_identified(target, findings, parameter) ? value : (double)NAN;
}

/* The part of the commanded travel that a wheel's encoder shows, by the data sheet's wheel: the
 * fit's gain is by the driver's present scale. Bases control the speed of their wheels by the
 * encoders, so that it is 1; it stays so unless the fit clearly says another. What the model does
 * not have (torque, friction, noise of the motors) makes up to 0.2 % of it. */
static double encoder_gain(const struct calibration_target *target,
                           const struct calibration_findings *findings, int wheel)
{
    enum drive_parameter i = (enum drive_parameter)(DRIVE_GAIN_LEFT + wheel);
    double scale = target->values[CALIBRATION_SCALE_LEFT + wheel].value;
    double gain = drive_value(findings, i) / scale, sigma = findings->drive.sigma[i] / scale;
    return fabs(gain - 1.0) <= GAIN_TOLERANCE + 3.0 * sigma ? 1.0 : gain;
}

/* On the ground it is that, times the new scale. */
static double wheel_scale(const struct calibration_target *target,
                          const struct calibration_findings *findings, int wheel)
{
    enum calibration_parameter i = (enum calibration_parameter)(CALIBRATION_SCALE_LEFT + wheel);
    return encoder_gain(target, findings, wheel) * calibration_new_value(target, findings, i);
}

struct calibration_robot calibration_robot(const struct calibration_target *target,
                                           const struct calibration_findings *f)
{
    double left = wheel_scale(target, f, DRIVE_LEFT), right = wheel_scale(target, f, DRIVE_RIGHT);
    double axle = calibration_new_value(target, f, CALIBRATION_AXLE_SCALE);
    return (struct calibration_robot){
        .wheel_scale_left = identified(target, f, CALIBRATION_SCALE_LEFT, left),
        .wheel_scale_right = identified(target, f, CALIBRATION_SCALE_RIGHT, right),
        .axle_scale = identified(target, f, CALIBRATION_AXLE_SCALE, axle),
        .latency_ms = 1e3 * drive_value(f, DRIVE_LATENCY),
        .lag_ms = 1e3 * drive_value(f, DRIVE_LAG),
        .acceleration = 1.0 / drive_value(f, DRIVE_RAMP),
    };
}

/* Of a factor: the deviation of the value before, times what the encoders show. */
static double sigma_of(const struct calibration_target *target,
                       const struct calibration_findings *f, enum calibration_parameter i)
{
    double before = calibration_rows[i].is_factor ? target->values[i].value : 1.0;
    double gain = i <= CALIBRATION_SCALE_RIGHT ? encoder_gain(target, f, (int)i) : 1.0;
    return fabs(before * gain) * f->sigma[i];
}

size_t calibration_drawn(const struct calibration_target *target,
                         const struct calibration_findings *f,
                         struct calibration_drawn ret_drawn[CALIBRATION_N_DRAWN])
{
    struct calibration_robot robot = calibration_robot(target, f);
    const double *sigma = f->drive.sigma;
    const struct calibration_drawn all[CALIBRATION_N_DRAWN] = {
        {"wheel_scale_left",
         robot.wheel_scale_left,
         sigma_of(target, f, CALIBRATION_SCALE_LEFT),
         {0.0}},
        {"wheel_scale_right",
         robot.wheel_scale_right,
         sigma_of(target, f, CALIBRATION_SCALE_RIGHT),
         {0.0}},
        {"axle_scale", robot.axle_scale, sigma_of(target, f, CALIBRATION_AXLE_SCALE), {0.0}},
        {"latency_ms", robot.latency_ms, 1e3 * sigma[DRIVE_LATENCY], {0.0}},
        {"lag_ms", robot.lag_ms, 1e3 * sigma[DRIVE_LAG], {0.0}},
    };
    size_t n = 0;
    for (size_t i = 0; i < CALIBRATION_N_DRAWN; i++) {
        if (!isfinite(all[i].value)) {
            continue;
        }
        ret_drawn[n] = all[i];
        if (i == 4 && n > 0 && strcmp(ret_drawn[n - 1].name, "latency_ms") == 0) {
            ret_drawn[n].correlations[n - 1] = f->drive.correlation[DRIVE_LAG][DRIVE_LATENCY];
        }
        n++;
    }
    return n;
}

bool calibration_has_any_drive(const struct calibration_target *target,
                               const struct calibration_findings *findings)
{
    struct calibration_robot robot = calibration_robot(target, findings);
    return isfinite(robot.wheel_scale_left) || isfinite(robot.wheel_scale_right) ||
           isfinite(robot.axle_scale) || isfinite(robot.latency_ms) || isfinite(robot.lag_ms) ||
           (target->has_acceleration && isfinite(robot.acceleration));
}
