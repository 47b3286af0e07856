/* SPDX-License-Identifier: Apache-2.0 */
/* The wheels of a drive that follow a recording of commands. */
#include "drive_plant.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <doppel/math/geometry.h>

static void fill_speeds(const struct drive_sample *samples, size_t n,
                        const struct drive_config *config, struct drive_plant *plant)
{
    size_t at = 0;
    for (size_t k = 0; k < plant->n; k++) {
        double time_s = plant->start_s + (double)k * DRIVE_GRID_S;
        while (at + 1 < n && samples[at + 1].time_s <= time_s + 1e-9) {
            at++;
        }
        double linear = dpl_clamp(samples[at].linear, -config->max_linear, config->max_linear);
        double angular = dpl_clamp(samples[at].angular, -config->max_angular, config->max_angular);
        plant->speed[DRIVE_LEFT][k] = linear - 0.5 * config->axle_m * angular;
        plant->speed[DRIVE_RIGHT][k] = linear + 0.5 * config->axle_m * angular;
    }
}

int drive_plant_create(const struct drive_sample *samples, size_t n,
                       const struct drive_config *config, struct drive_plant *ret_plant)
{
    double duration_s = samples[n - 1].time_s - samples[0].time_s;
    *ret_plant = (struct drive_plant){.start_s = samples[0].time_s,
                                      .n = (size_t)(duration_s / DRIVE_GRID_S) + 2};
    for (int wheel = 0; wheel < DRIVE_N_WHEELS; wheel++) {
        ret_plant->speed[wheel] = calloc(ret_plant->n, sizeof(double));
        ret_plant->travel[wheel] = calloc(ret_plant->n, sizeof(double));
        if (!ret_plant->speed[wheel] || !ret_plant->travel[wheel]) {
            drive_plant_finish(ret_plant);
            return -ENOMEM;
        }
    }
    fill_speeds(samples, n, config, ret_plant);
    return 0;
}

void drive_plant_finish(struct drive_plant *plant)
{
    for (int wheel = 0; wheel < DRIVE_N_WHEELS; wheel++) {
        free(plant->speed[wheel]);
        free(plant->travel[wheel]);
    }
    *plant = (struct drive_plant){0};
}

void drive_plant_run(struct drive_plant *plant, double lag_s, double acceleration)
{
    double follow = lag_s > 0.0 ? 1.0 - exp(-DRIVE_GRID_S / lag_s) : 1.0;
    double step = acceleration * DRIVE_GRID_S;
    for (int wheel = 0; wheel < DRIVE_N_WHEELS; wheel++) {
        double slewed = 0.0, speed = 0.0, travel = 0.0;
        for (size_t k = 0; k < plant->n; k++) {
            plant->travel[wheel][k] = travel;
            slewed += dpl_clamp(plant->speed[wheel][k] - slewed, -step, step);
            double before = speed;
            speed += follow * (slewed - speed);
            travel += 0.5 * (before + speed) * DRIVE_GRID_S;
        }
    }
}

double drive_plant_travel(const struct drive_plant *plant, int wheel, double time_s)
{
    double at = (time_s - plant->start_s) / DRIVE_GRID_S;
    if (at <= 0.0) {
        return 0.0;
    }
    size_t k = (size_t)fmin(at, (double)(plant->n - 2));
    const double *travel = plant->travel[wheel];
    return travel[k] + (fmin(at, (double)(plant->n - 1)) - (double)k) * (travel[k + 1] - travel[k]);
}
