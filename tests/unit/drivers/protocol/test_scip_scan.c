/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP geometry: PP keys, limits, angles. */
#include <doppel/protocol/scip_scan.h>

#include <criterion/criterion.h>
#include <doppel/math/geometry.h>
#include <errno.h>
#include <string.h>

Test(scip_scan, reads_every_key_of_a_pp_reply)
{
    static const char *const lines[] = {
        "MODL:URG-04LX(Hokuyo Automatic Co.,Ltd.)",
        "DMIN:20",
        "DMAX:5600",
        "ARES:1024",
        "AMIN:44",
        "AMAX:725",
        "AFRT:384",
        "SCAN:600",
    };
    struct dpl_scip_geometry got = {0};
    const char *key = "none";
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        cr_assert_eq(dpl_scip_geometry_read(&got, lines[i]), 1, "%s", lines[i]);
    }
    cr_assert_eq(dpl_scip_geometry_check(&got, &key), 0);
    cr_assert_str_eq(got.model, "URG-04LX(Hokuyo Automatic Co.,Ltd.)");
    cr_assert_eq(got.range_min_mm, 20);
    cr_assert_eq(got.range_max_mm, 5600);
    cr_assert_eq(got.steps_per_turn, 1024);
    cr_assert_eq(got.first_step, 44);
    cr_assert_eq(got.end_step, 725);
    cr_assert_eq(got.last_step, 725);
    cr_assert_eq(got.front_step, 384);
    cr_assert_eq(got.rpm, 600);
}

Test(scip_scan, ignores_unknown_keys_and_refuses_bad_values)
{
    struct dpl_scip_geometry got = {0};
    cr_assert_eq(dpl_scip_geometry_read(&got, "XXXX:1"), 0);
    cr_assert_eq(dpl_scip_geometry_read(&got, ""), 0);
    cr_assert_eq(dpl_scip_geometry_read(&got, "DMIN:"), -EBADMSG);
    cr_assert_eq(dpl_scip_geometry_read(&got, "DMIN:-1"), -EBADMSG);
    cr_assert_eq(dpl_scip_geometry_read(&got, "DMIN:1234567890"), -EBADMSG);
    cr_assert_eq(dpl_scip_geometry_read(&got, "MODL:"), -EBADMSG);
}

static void assert_fault(size_t offset, uint32_t value, const char *expected)
{
    struct dpl_scip_geometry geometry = *dpl_scip_geometry_of("URG-04LX");
    const char *key = "none";
    memcpy((char *)&geometry + offset, &value, sizeof value);
    cr_assert_eq(dpl_scip_geometry_check(&geometry, &key), -ERANGE);
    cr_assert_str_eq(key, expected);
}

Test(scip_scan, names_the_key_that_is_out_of_range)
{
    assert_fault(offsetof(struct dpl_scip_geometry, range_min_mm), UINT32_MAX, "DMIN");
    assert_fault(offsetof(struct dpl_scip_geometry, range_max_mm), 20, "DMAX");
    assert_fault(offsetof(struct dpl_scip_geometry, steps_per_turn), 0, "ARES");
    assert_fault(offsetof(struct dpl_scip_geometry, end_step), DPL_SCIP_MAX_STEPS, "AMAX");
    assert_fault(offsetof(struct dpl_scip_geometry, first_step), 726, "AMIN");
    assert_fault(offsetof(struct dpl_scip_geometry, front_step), UINT32_MAX, "AFRT");
    assert_fault(offsetof(struct dpl_scip_geometry, rpm), 0, "SCAN");
    assert_fault(offsetof(struct dpl_scip_geometry, model), 0, "MODL");
}

Test(scip_scan, has_only_models_that_pass_its_own_check)
{
    static const char *const names[] = {"URG-04LX", "UTM-30LX", "UST-10LX"};
    const char *key = "none";
    for (size_t i = 0; i < 3; i++) {
        const struct dpl_scip_geometry *model = dpl_scip_geometry_of(names[i]);
        cr_assert_not_null(model);
        cr_assert_eq(dpl_scip_geometry_check(model, &key), 0, "%s %s", names[i], key);
    }
    cr_assert_null(dpl_scip_geometry_of("URG-99"));
}

Test(scip_scan, gives_angles_from_the_front_counter_clockwise)
{
    const struct dpl_scip_geometry *urg = dpl_scip_geometry_of("URG-04LX");
    const struct dpl_scip_geometry *utm = dpl_scip_geometry_of("UTM-30LX");
    cr_assert_float_eq(dpl_scip_step_to_rad(urg, 384), 0.0, 1e-15);
    /* (44 - 384) * 360 / 1024 = -119.53125 deg */
    cr_assert_float_eq(dpl_scip_step_to_rad(urg, 44), dpl_deg_to_rad(-119.53125), 1e-12);
    cr_assert_float_eq(dpl_scip_step_to_rad(utm, 1080), dpl_deg_to_rad(135.0), 1e-12);
}

Test(scip_scan, finds_the_step_of_every_steps_angle)
{
    const struct dpl_scip_geometry *urg = dpl_scip_geometry_of("URG-04LX");
    for (int step = 0; step <= 768; step++) {
        cr_assert_eq(dpl_scip_rad_to_step(urg, dpl_scip_step_to_rad(urg, step)), step);
    }
    cr_assert_eq(dpl_scip_rad_to_step(urg, (double)NAN), 384);
    cr_assert_eq(dpl_scip_rad_to_step(urg, 1e300), 384);
}

Test(scip_scan, knows_the_period_the_stamp_and_what_is_a_range)
{
    const struct dpl_scip_geometry *urg = dpl_scip_geometry_of("URG-04LX");
    cr_assert_eq(dpl_scip_scan_period_ns(urg), 100000000);
    cr_assert_eq(dpl_scip_stamp_delta_ms(0xffffff, 99), 100);
    cr_assert_eq(dpl_scip_stamp_delta_ms(100, 200), 100);
    cr_assert_eq(dpl_scip_stamp_delta_ms(200, 100), -100);
    cr_assert_eq(dpl_scip_stamp_delta_ms(99, 0xffffff), -100);
    cr_assert_not(dpl_scip_is_range(urg, 19));
    cr_assert(dpl_scip_is_range(urg, 20));
    cr_assert(dpl_scip_is_range(urg, 5600));
    cr_assert_not(dpl_scip_is_range(urg, 5601));
}
