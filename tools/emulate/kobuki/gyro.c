/* SPDX-License-Identifier: Apache-2.0 */
#include "gyro.h"

#include <math.h>

void gyro_init(struct gyro *gyro, const struct gyro_config *config)
{
    *gyro = (struct gyro){
        .config = *config, .rng = dpl_random_seeded(config->seed, 11), .bias = config->bias};
}

/* The noise of a rate over `dt` is that of the heading over dt, divided by it. */
static void advance(struct gyro *gyro, double dt, double heading, double rate)
{
    const struct gyro_config *c = &gyro->config;
    double wandered = c->noise * sqrt(dt) * dpl_random_normal(&gyro->rng);
    gyro->bias += c->wander * sqrt(dt) * dpl_random_normal(&gyro->rng);
    gyro->measured_rad +=
        (1.0 + c->scale) * (heading - gyro->true_rad) + gyro->bias * dt + wandered;
    gyro->rate_rad_s = (1.0 + c->scale) * rate + gyro->bias + wandered / dt;
}

void gyro_measure(struct gyro *gyro, dpl_ns stamp, double *inout_heading_rad,
                  double *inout_rate_rad_s)
{
    if (!gyro->is_started) {
        gyro->is_started = true;
        gyro->measured_rad = *inout_heading_rad;
        gyro->rate_rad_s = (1.0 + gyro->config.scale) * *inout_rate_rad_s + gyro->bias;
        gyro->stamp = stamp;
        gyro->true_rad = *inout_heading_rad;
    } else if (stamp > gyro->stamp) {
        advance(gyro, dpl_ns_to_s(stamp - gyro->stamp), *inout_heading_rad, *inout_rate_rad_s);
        gyro->stamp = stamp;
        gyro->true_rad = *inout_heading_rad;
    }
    *inout_heading_rad = gyro->measured_rad;
    *inout_rate_rad_s = gyro->rate_rad_s;
}
