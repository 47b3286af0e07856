/* SPDX-License-Identifier: Apache-2.0 */
/* The Kobuki protocol in SI units: includes frames, feedback and commands, and adds conversions
 * between wire values and metres, radians, seconds. Pure; used by the driver and by the emulator.
 * Source: the published Kobuki protocol; the gyro scale and its axes and the packing of version
 * numbers are general knowledge of the device. */
#ifndef DPL_PROTOCOL_KOBUKI_H
#define DPL_PROTOCOL_KOBUKI_H

#include <doppel/math/geometry.h>

#include <doppel/protocol/kobuki_command.h>
#include <doppel/protocol/kobuki_feedback.h>
#include <doppel/protocol/kobuki_frame.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_KOBUKI_BAUD = 115200,
    DPL_KOBUKI_PERIOD_MS = 20,
    DPL_KOBUKI_SILENCE_MS = 100, /* after this time without data, a host reports the base as lost */
};

#define DPL_KOBUKI_TICK_RAD       0.002436916871
#define DPL_KOBUKI_WHEEL_RADIUS_M 0.035
#define DPL_KOBUKI_AXLE_M         0.230

/* Wire form of a base command. */
struct dpl_kobuki_base {
    int16_t speed_mm_s, radius_mm;
};

/* Converts (v, w) to the speed of the outer wheel and the radius of the centre's circle. `axle_m`
 * is the distance of the wheels. Straight: radius 0. Spin: radius 1 and speed w * axle / 2.
 * Otherwise radius v / w and speed (r +- axle / 2) * w with the sign of r. Rounded to the nearest
 * millimetre, saturated; for a radius outside of the wire's range the nearest possible curvature is
 * used (32767 mm, or straight), with the speed that keeps v. Values that are not finite give 0, 0:
 * stand still. */
struct dpl_kobuki_base dpl_kobuki_base_from_twist(struct dpl_twist2 twist, double axle_m);

/* The inverse: the motion of a base with this command. */
struct dpl_twist2 dpl_kobuki_base_to_twist(struct dpl_kobuki_base base, double axle_m);

/* Ticks from `before` to `now`, -32768..32767, across the wrap of the 16-bit counter. */
int dpl_kobuki_tick_delta(uint16_t before, uint16_t now);

/* Wheel angle of a number of ticks, and the counter value at a wheel angle. The counter rounds
 * down, like a counter of edges, and wraps; an angle that is not finite counts as 0. */
double dpl_kobuki_ticks_to_rad(int ticks);
uint16_t dpl_kobuki_ticks_at(double wheel_rad);

/* Milliseconds from `before` to `now`, 0..65535, across the wrap of the 16-bit time stamp. */
unsigned dpl_kobuki_time_delta_ms(uint16_t before, uint16_t now);

/* Heading and rate of the inertia block in rad and rad/s, counter-clockwise positive, and back. On
 * the wire the heading is wrapped to -180..180 deg, and both are saturated to 16 bit. */
double dpl_kobuki_angle_rad(const struct dpl_kobuki_inertia *inertia);
double dpl_kobuki_rate_rad_s(const struct dpl_kobuki_inertia *inertia);
struct dpl_kobuki_inertia dpl_kobuki_inertia_from(double angle_rad, double rate_rad_s);

/* Angular rates of the body in rad/s of sample `index` of a gyro block (0 <= index < count / 3).
 * The chip is mounted with a rotation of 90 degrees about z: body x is -chip y, body y is chip
 * x. */
struct dpl_kobuki_rates {
    double x, y, z;
};
struct dpl_kobuki_rates dpl_kobuki_gyro_rates(const struct dpl_kobuki_gyro *gyro, size_t index);

/* Appends the three raw values of body rates (saturated) to a gyro block. Returns 0, or -ENOSPC
 * when the block is full. */
int dpl_kobuki_gyro_append(struct dpl_kobuki_gyro *gyro, struct dpl_kobuki_rates rates);

/* Version number major.minor.patch, packed as major << 16 | minor << 8 | patch in 4 bytes. */
struct dpl_kobuki_version dpl_kobuki_version_pack(uint8_t major, uint8_t minor, uint8_t patch);
uint8_t dpl_kobuki_version_major(struct dpl_kobuki_version version);
uint8_t dpl_kobuki_version_minor(struct dpl_kobuki_version version);
uint8_t dpl_kobuki_version_patch(struct dpl_kobuki_version version);

#ifdef __cplusplus
}
#endif

#endif
