/* SPDX-License-Identifier: Apache-2.0 */
/* An incremental encoder on a motor that turns a joint through a gear: the counter of its edges,
 * and its index pulse. Header only, no state. */
#ifndef MOTION_DRIVE_ENCODER_COUNTS_H
#define MOTION_DRIVE_ENCODER_COUNTS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include <doppel/math/geometry.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_encoder_gear {
    int32_t counts_per_turn; /* of the motor: four times the lines; above 0 */
    double gear;             /* turns of the motor for one turn of the joint; above 0 */
};

struct dpl_encoder_reading {
    int32_t count; /* the nearest count; wraps from 2^31 - 1 to -2^31 */
    int32_t turn;  /* of the motor: the index pulse was passed when this changes; wraps too */
    bool at_index; /* the count is one with an index pulse: one in each turn of the motor */
};

/* Joint angle of one count, rad. */
static inline double dpl_encoder_resolution(const struct dpl_encoder_gear *encoder)
{
    return 2.0 * DPL_PI / (encoder->counts_per_turn * encoder->gear);
}

/* The low 32 bits of a whole number of any size, as a counter has them. */
static inline int32_t dpl_encoder_wrap(double whole)
{
    double low = fmod(whole, 4294967296.0);
    low = low >= 2147483648.0 ? low - 4294967296.0 : low < -2147483648.0 ? low + 4294967296.0 : low;
    return (int32_t)low;
}

/* The reading at a joint angle; count 0 and an index pulse are at the angle 0. A half count is
 * rounded up. An angle that is not finite reads as 0. */
static inline struct dpl_encoder_reading dpl_encoder_read(const struct dpl_encoder_gear *encoder,
                                                          double angle_rad)
{
    double count = floor(angle_rad / dpl_encoder_resolution(encoder) + 0.5);
    count = isfinite(count) ? count : 0.0;
    double turn = floor(count / encoder->counts_per_turn);
    return (struct dpl_encoder_reading){
        .count = dpl_encoder_wrap(count),
        .turn = dpl_encoder_wrap(turn),
        .at_index = fmod(count, encoder->counts_per_turn) == 0.0,
    };
}

/* The joint angle between two counts, in their shorter direction: right over a wrap, too, as long
 * as fewer than 2^31 counts are between them. */
static inline double dpl_encoder_angle_between(const struct dpl_encoder_gear *encoder, int32_t from,
                                               int32_t to)
{
    int64_t counts = (int64_t)to - from;
    counts += counts > INT32_MAX ? -((int64_t)1 << 32) : counts < INT32_MIN ? (int64_t)1 << 32 : 0;
    return (double)counts * dpl_encoder_resolution(encoder);
}

#ifdef __cplusplus
}
#endif

#endif
