/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion between Kobuki wire values and SI units. */
#include <doppel/protocol/kobuki.h>

#include <errno.h>
#include <math.h>

static const double gyro_deg_s_per_digit = 0.00875;
/* Below these limits, in m/s and rad/s, a component of the command counts as zero. */
static const double least_speed = 1e-4;

static int16_t saturate(double value)
{
    return (int16_t)lround(dpl_clamp(value, INT16_MIN, INT16_MAX));
}

static struct dpl_kobuki_base straight(double speed_mm_s)
{
    return (struct dpl_kobuki_base){.speed_mm_s = saturate(speed_mm_s), .radius_mm = 0};
}

/* Selects the circle of radius `limit` or the straight line, whichever has the nearer curvature. */
static struct dpl_kobuki_base wide_arc(double v_mm_s, double radius_mm, double half_mm)
{
    double limit = copysign(INT16_MAX, radius_mm);
    if (fabs(radius_mm) > 2.0 * INT16_MAX) {
        return straight(v_mm_s);
    }
    return (struct dpl_kobuki_base){
        .speed_mm_s = saturate(v_mm_s / limit * (limit + copysign(half_mm, limit))),
        .radius_mm = (int16_t)limit,
    };
}

struct dpl_kobuki_base dpl_kobuki_base_from_twist(struct dpl_twist2 twist, double axle_m)
{
    double half_mm = axle_m * 500.0;
    double v_mm_s = twist.linear * 1000.0;
    if (!isfinite(twist.linear) || !isfinite(twist.angular)) {
        return (struct dpl_kobuki_base){0};
    }
    if (fabs(twist.angular) < least_speed) {
        return straight(v_mm_s);
    }
    double radius_mm = v_mm_s / twist.angular;
    bool rounds_to_spin = radius_mm >= -1.0 && radius_mm < 1.5;
    if (fabs(twist.linear) < least_speed || rounds_to_spin) {
        return (struct dpl_kobuki_base){saturate(half_mm * twist.angular), 1};
    }
    if (fabs(radius_mm) > INT16_MAX) {
        return wide_arc(v_mm_s, radius_mm, half_mm);
    }
    return (struct dpl_kobuki_base){
        .speed_mm_s = saturate((radius_mm + copysign(half_mm, radius_mm)) * twist.angular),
        .radius_mm = saturate(radius_mm),
    };
}

struct dpl_twist2 dpl_kobuki_base_to_twist(struct dpl_kobuki_base base, double axle_m)
{
    double half_mm = axle_m * 500.0;
    double radius_mm = base.radius_mm;
    if (base.radius_mm == 0) {
        return (struct dpl_twist2){.linear = base.speed_mm_s / 1000.0};
    }
    if (base.radius_mm == 1) {
        return (struct dpl_twist2){.angular = base.speed_mm_s / half_mm};
    }
    double angular = base.speed_mm_s / (radius_mm + copysign(half_mm, radius_mm));
    return (struct dpl_twist2){.linear = angular * radius_mm / 1000.0, .angular = angular};
}

int dpl_kobuki_tick_delta(uint16_t before, uint16_t now)
{
    return (int16_t)(uint16_t)(now - before);
}

double dpl_kobuki_ticks_to_rad(int ticks)
{
    return ticks * DPL_KOBUKI_TICK_RAD;
}

uint16_t dpl_kobuki_ticks_at(double wheel_rad)
{
    if (!isfinite(wheel_rad)) {
        return 0;
    }
    double wrapped = fmod(floor(wheel_rad / DPL_KOBUKI_TICK_RAD), 65536.0);
    return (uint16_t)(int32_t)wrapped;
}

unsigned dpl_kobuki_time_delta_ms(uint16_t before, uint16_t now)
{
    return (uint16_t)(now - before);
}

double dpl_kobuki_angle_rad(const struct dpl_kobuki_inertia *inertia)
{
    return dpl_deg_to_rad(inertia->angle_centideg / 100.0);
}

double dpl_kobuki_rate_rad_s(const struct dpl_kobuki_inertia *inertia)
{
    return dpl_deg_to_rad(inertia->rate_centideg_s / 100.0);
}

struct dpl_kobuki_inertia dpl_kobuki_inertia_from(double angle_rad, double rate_rad_s)
{
    double angle = isfinite(angle_rad) ? dpl_wrap_angle(angle_rad) : 0.0;
    double rate = isfinite(rate_rad_s) ? rate_rad_s : 0.0;
    return (struct dpl_kobuki_inertia){
        .angle_centideg = saturate(dpl_rad_to_deg(angle) * 100.0),
        .rate_centideg_s = saturate(dpl_rad_to_deg(rate) * 100.0),
    };
}

static double gyro_rad_s(int value)
{
    return dpl_deg_to_rad(value * gyro_deg_s_per_digit);
}

static int16_t gyro_digits(double rad_s)
{
    return isfinite(rad_s) ? saturate(dpl_rad_to_deg(rad_s) / gyro_deg_s_per_digit) : 0;
}

struct dpl_kobuki_rates dpl_kobuki_gyro_rates(const struct dpl_kobuki_gyro *gyro, size_t index)
{
    const int16_t *chip = gyro->values + 3 * index;
    return (struct dpl_kobuki_rates){
        .x = -gyro_rad_s(chip[1]),
        .y = gyro_rad_s(chip[0]),
        .z = gyro_rad_s(chip[2]),
    };
}

int dpl_kobuki_gyro_append(struct dpl_kobuki_gyro *gyro, struct dpl_kobuki_rates rates)
{
    if (gyro->count + 3 > DPL_KOBUKI_MAX_GYRO_VALUES) {
        return -ENOSPC;
    }
    gyro->values[gyro->count++] = gyro_digits(rates.y);
    gyro->values[gyro->count++] = gyro_digits(-rates.x);
    gyro->values[gyro->count++] = gyro_digits(rates.z);
    return 0;
}

struct dpl_kobuki_version dpl_kobuki_version_pack(uint8_t major, uint8_t minor, uint8_t patch)
{
    return (struct dpl_kobuki_version){
        .number = (uint32_t)major << 16 | (uint32_t)minor << 8 | patch,
        .size = 4,
    };
}

uint8_t dpl_kobuki_version_major(struct dpl_kobuki_version version)
{
    return (uint8_t)(version.number >> 16);
}

uint8_t dpl_kobuki_version_minor(struct dpl_kobuki_version version)
{
    return (uint8_t)(version.number >> 8);
}

uint8_t dpl_kobuki_version_patch(struct dpl_kobuki_version version)
{
    return (uint8_t)version.number;
}
