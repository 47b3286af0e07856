/* SPDX-License-Identifier: Apache-2.0 */
/* Kobuki conversions: the three cases of the base command, wraps, units. */
#include <doppel/protocol/kobuki.h>

#include <criterion/criterion.h>
#include <errno.h>

static const double axle = DPL_KOBUKI_AXLE_M;

static const struct {
    const char *name;
    double v, w;
    int speed, radius;
} twists[] = {
    {"straight: radius 0", 0.3, 0.0, 300, 0},
    {"straight: radius 0", -0.3, 0.0, -300, 0},
    {"straight: radius 0", 0.0, 0.0, 0, 0},
    {"a spin: radius 1 and half the axle", 0.0, 1.0, 115, 1},
    {"a spin: radius 1 and half the axle", 0.0, -2.0, -230, 1},
    {"a spin: radius 1 and half the axle", 0.0009, 1.0, 115, 1},
    {"an arc: the outer wheel, (400 + 115) * 0.5 = 257.5", 0.2, 0.5, 258, 400},
    {"an arc: the outer wheel, (-400 - 115) * -0.5", 0.2, -0.5, 258, -400},
    {"an arc: the outer wheel, (-400 - 115) * 0.5", -0.2, 0.5, -258, -400},
    {"an arc: the outer wheel", -0.2, -0.5, -258, 400},
    {"50000 mm do not fit: 500 / 32767 * 32882 = 501.75", 0.5, 0.01, 502, 32767},
    {"500000 mm do not fit: straight is nearer", 0.5, 0.001, 500, 0},
    {"50000 mm do not fit", 0.5, -0.01, 502, -32767},
    {"not finite: it stands still", (double)NAN, 0.0, 0, 0},
    {"not finite: it stands still", 0.1, (double)INFINITY, 0, 0},
    {"a speed that does not fit is the largest", 100.0, 0.0, 32767, 0},
    {"a speed that does not fit is the largest", -100.0, 0.0, -32768, 0},
};

Test(kobuki, a_twist_is_a_speed_and_a_radius)
{
    for (size_t i = 0; i < sizeof twists / sizeof twists[0]; i++) {
        struct dpl_twist2 twist = {twists[i].v, twists[i].w};
        struct dpl_kobuki_base base = dpl_kobuki_base_from_twist(twist, axle);
        cr_assert_eq(base.speed_mm_s, twists[i].speed, "v %g w %g (%s): speed %d", twists[i].v,
                     twists[i].w, twists[i].name, base.speed_mm_s);
        cr_assert_eq(base.radius_mm, twists[i].radius, "v %g w %g (%s): radius %d", twists[i].v,
                     twists[i].w, twists[i].name, base.radius_mm);
    }
}

Test(kobuki, obeys_what_it_asks_for_within_the_rounding_of_the_wire)
{
    for (int i = -20; i <= 20; i++) {
        for (int k = -20; k <= 20; k++) {
            struct dpl_twist2 want = {i * 0.02, k * 0.1};
            struct dpl_twist2 got =
                dpl_kobuki_base_to_twist(dpl_kobuki_base_from_twist(want, axle), axle);
            cr_assert_float_eq(got.linear, want.linear, 0.0015, "%g %g", want.linear, want.angular);
            cr_assert_float_eq(got.angular, want.angular, 0.013, "%g %g: %g", want.linear,
                               want.angular, got.angular);
        }
    }
}

Test(kobuki, decodes_the_three_cases)
{
    struct dpl_twist2 straight = dpl_kobuki_base_to_twist((struct dpl_kobuki_base){250, 0}, axle);
    cr_assert_float_eq(straight.linear, 0.25, 1e-12);
    cr_assert_float_eq(straight.angular, 0.0, 1e-12);
    struct dpl_twist2 spin = dpl_kobuki_base_to_twist((struct dpl_kobuki_base){-115, 1}, axle);
    cr_assert_float_eq(spin.linear, 0.0, 1e-12);
    cr_assert_float_eq(spin.angular, -1.0, 1e-12);
    struct dpl_twist2 arc = dpl_kobuki_base_to_twist((struct dpl_kobuki_base){515, 400}, axle);
    cr_assert_float_eq(arc.linear, 0.4, 1e-12);
    cr_assert_float_eq(arc.angular, 1.0, 1e-12);
}

Test(kobuki, counts_ticks_across_the_wrap)
{
    cr_assert_eq(dpl_kobuki_tick_delta(65535, 0), 1);
    cr_assert_eq(dpl_kobuki_tick_delta(0, 65535), -1);
    cr_assert_eq(dpl_kobuki_tick_delta(65000, 500), 1036);
    cr_assert_eq(dpl_kobuki_tick_delta(0, 32767), 32767);
    cr_assert_eq(dpl_kobuki_tick_delta(0, 32768), -32768);
    cr_assert_eq(dpl_kobuki_time_delta_ms(65530, 14), 20);
}

Test(kobuki, follows_the_wheel_angle_over_many_turns_both_ways)
{
    double total = 0.0;
    uint16_t before = dpl_kobuki_ticks_at(0.0);
    for (int i = 1; i <= 400; i++) {
        uint16_t now = dpl_kobuki_ticks_at(i * -1.7);
        total += dpl_kobuki_ticks_to_rad(dpl_kobuki_tick_delta(before, now));
        before = now;
    }
    cr_assert_float_eq(total, -680.0, 1.01 * DPL_KOBUKI_TICK_RAD);
    cr_assert_eq(dpl_kobuki_ticks_at(-0.5 * DPL_KOBUKI_TICK_RAD), 65535);
    cr_assert_eq(dpl_kobuki_ticks_at(65536.5 * DPL_KOBUKI_TICK_RAD), 0);
    cr_assert_eq(dpl_kobuki_ticks_at((double)NAN), 0);
}

Test(kobuki, carries_heading_and_rate_in_hundredths_of_a_degree)
{
    struct dpl_kobuki_inertia inertia =
        dpl_kobuki_inertia_from(dpl_deg_to_rad(190.0), dpl_deg_to_rad(-12.34));
    cr_assert_eq(inertia.angle_centideg, -17000);
    cr_assert_eq(inertia.rate_centideg_s, -1234);
    cr_assert_float_eq(dpl_kobuki_angle_rad(&inertia), dpl_deg_to_rad(-170.0), 1e-12);
    cr_assert_float_eq(dpl_kobuki_rate_rad_s(&inertia), dpl_deg_to_rad(-12.34), 1e-12);
}

Test(kobuki, turns_gyro_axes_and_scales_them)
{
    struct dpl_kobuki_gyro gyro = {.count = 3, .values = {100, 200, -300}};
    struct dpl_kobuki_rates rates = dpl_kobuki_gyro_rates(&gyro, 0);
    cr_assert_float_eq(rates.x, dpl_deg_to_rad(-1.75), 1e-12);
    cr_assert_float_eq(rates.y, dpl_deg_to_rad(0.875), 1e-12);
    cr_assert_float_eq(rates.z, dpl_deg_to_rad(-2.625), 1e-12);
    struct dpl_kobuki_gyro again = {0};
    cr_assert_eq(dpl_kobuki_gyro_append(&again, rates), 0);
    cr_assert_eq(again.count, 3);
    cr_assert_arr_eq(again.values, gyro.values, 3 * sizeof gyro.values[0]);
    again.count = DPL_KOBUKI_MAX_GYRO_VALUES;
    cr_assert_eq(dpl_kobuki_gyro_append(&again, rates), -ENOSPC);
}

Test(kobuki, packs_a_version)
{
    struct dpl_kobuki_version version = dpl_kobuki_version_pack(1, 2, 3);
    cr_assert_eq(version.number, 0x010203);
    cr_assert_eq(version.size, 4);
    cr_assert_eq(dpl_kobuki_version_major(version), 1);
    cr_assert_eq(dpl_kobuki_version_minor(version), 2);
    cr_assert_eq(dpl_kobuki_version_patch(version), 3);
}
