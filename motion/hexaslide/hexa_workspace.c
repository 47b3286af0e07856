/* SPDX-License-Identifier: Apache-2.0 */
/* Surveys of the workspace, and the largest ellipsoid in it. */
#include "hexa_workspace.h"

#include <doppel/math/linear.h>
#include <math.h>

#include "hexa_ik.h"

#define EXTENT_STEP      0.1
#define EXTENT_TOLERANCE 1e-4
#define FIRST_CHANGE     0.2
#define LEAST_CHANGE     0.005
#define MOST_STRETCH     4.0

void dpl_hexa_direction(struct dpl_random *rng, double *ret_direction)
{
    double square = 0.0;
    while (square < 1e-12) {
        square = 0.0;
        for (int j = 0; j < DPL_SIX; j++) {
            ret_direction[j] = dpl_random_normal(rng);
            square += ret_direction[j] * ret_direction[j];
        }
    }
    for (int j = 0; j < DPL_SIX; j++) {
        ret_direction[j] /= sqrt(square);
    }
}

void dpl_hexa_place(const struct dpl_hexa_geometry *geometry, const double *direction, double scale,
                    double *ret_pose)
{
    for (int j = 0; j < DPL_SIX; j++) {
        ret_pose[j] = geometry->home[j] + scale * direction[j] * geometry->half_range[j];
    }
}

struct dpl_hexa_survey dpl_hexa_survey_begin(void)
{
    struct dpl_hexa_survey survey = {.least_conditioning = 1e300, .least_reach = 1e300};
    for (int i = 0; i < DPL_AXES_N; i++) {
        survey.low_m[i] = 1e300;
        survey.high_m[i] = -1e300;
    }
    return survey;
}

void dpl_hexa_survey_add(struct dpl_hexa_survey *survey, const struct dpl_hexa_geometry *geometry,
                         const double *pose, double arm_m)
{
    double q_m[DPL_AXES_N], reach_m[DPL_AXES_N], conditioning;
    survey->n++;
    if (dpl_hexa_ik(geometry, pose, q_m) != 0 || dpl_hexa_reach(geometry, pose, reach_m) != 0 ||
        dpl_hexa_conditioning(geometry, pose, arm_m, &conditioning) != 0) {
        survey->n_unreachable++;
        return;
    }
    survey->least_conditioning = fmin(survey->least_conditioning, conditioning);
    for (int i = 0; i < DPL_AXES_N; i++) {
        survey->least_reach = fmin(survey->least_reach, fabs(reach_m[i]) / geometry->link_m[i]);
        survey->low_m[i] = fmin(survey->low_m[i], q_m[i]);
        survey->high_m[i] = fmax(survey->high_m[i], q_m[i]);
    }
}

bool dpl_hexa_allowed(const struct dpl_hexa_geometry *geometry,
                      const struct dpl_hexa_limits *limits, const double *pose)
{
    double q_m[DPL_AXES_N], conditioning;
    if (dpl_hexa_ik(geometry, pose, q_m) != 0 ||
        (limits->within_travel && !dpl_hexa_travel_ok(geometry, q_m))) {
        return false;
    }
    return limits->least_conditioning <= 0.0 ||
           (dpl_hexa_conditioning(geometry, pose, limits->arm_m, &conditioning) == 0 &&
            conditioning >= limits->least_conditioning);
}

double dpl_hexa_extent(const struct dpl_hexa_geometry *geometry,
                       const struct dpl_hexa_limits *limits, const double *direction, double most)
{
    double inside = 0.0, outside = 0.0, pose[DPL_SIX];
    for (int step = 0; outside <= most; step++) {
        outside = EXTENT_STEP * step;
        dpl_hexa_place(geometry, direction, outside, pose);
        if (!dpl_hexa_allowed(geometry, limits, pose)) {
            break;
        }
        inside = outside;
    }
    if (outside > most) {
        return most;
    }
    while (outside - inside > EXTENT_TOLERANCE) {
        double middle = 0.5 * (inside + outside);
        dpl_hexa_place(geometry, direction, middle, pose);
        *(dpl_hexa_allowed(geometry, limits, pose) ? &inside : &outside) = middle;
    }
    return inside;
}

/* The largest multiple of an ellipsoid that contains no point. */
static double greatest_multiple(const double *border, size_t n, const double *shape)
{
    double least = 1e300, weight[DPL_SIX];
    for (int j = 0; j < DPL_SIX; j++) {
        weight[j] = 1.0 / (shape[j] * shape[j]);
    }
    for (size_t i = 0; i < n; i++) {
        const double *point = border + i * DPL_SIX;
        double sum = 0.0;
        for (int j = 0; j < DPL_SIX; j++) {
            sum += point[j] * point[j] * weight[j];
        }
        least = fmin(least, sum);
    }
    return sqrt(least);
}

/* Logarithm of the volume of the largest such ellipsoid, without a constant. */
static double log_volume(const double *border, size_t n, const double *shape)
{
    double sum = DPL_SIX * log(greatest_multiple(border, n, shape));
    for (int j = 0; j < DPL_SIX; j++) {
        sum += log(shape[j]);
    }
    return sum;
}

/* Tries each axis longer and shorter; keeps a change if the volume increases. */
static bool improve(const double *border, size_t n, double change, double *shape)
{
    double volume = log_volume(border, n, shape);
    bool improved = false;
    for (int j = 0; j < 2 * DPL_SIX; j++) {
        double kept = shape[j / 2];
        shape[j / 2] = j % 2 ? kept / (1.0 + change) : kept * (1.0 + change);
        double tried = log_volume(border, n, shape);
        if (fabs(log(shape[j / 2])) > log(MOST_STRETCH) || !(tried > volume + 1e-9)) {
            shape[j / 2] = kept;
        } else {
            volume = tried;
            improved = true;
        }
    }
    return improved;
}

double dpl_hexa_fit(const double *border, size_t n, double *ret_semi_axes)
{
    double shape[DPL_SIX] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    double begun = greatest_multiple(border, n, shape);
    for (double change = FIRST_CHANGE; begun > 0.0 && change >= LEAST_CHANGE; change *= 0.5) {
        while (improve(border, n, change, shape)) {
        }
    }
    double multiple = greatest_multiple(border, n, shape);
    for (int j = 0; j < DPL_SIX; j++) {
        ret_semi_axes[j] = multiple * shape[j];
    }
    return begun;
}

/* ---- conditioning: the singular values of the scaled Jacobian ---- */

int dpl_hexa_conditioning(const struct dpl_hexa_geometry *geometry, const double *pose,
                          double arm_m, double *ret_ratio)
{
    double rate[DPL_SIX][DPL_SIX];
    int error = dpl_hexa_jacobian(geometry, pose, rate);
    if (error) {
        return error;
    }
    for (int j = 3; j < DPL_SIX; j++) {
        for (int i = 0; i < DPL_SIX; i++) {
            rate[j][i] /= arm_m;
        }
    }
    *ret_ratio = dpl_conditioning(&rate[0][0], DPL_SIX);
    return 0;
}
