/* SPDX-License-Identifier: Apache-2.0 */
/* What counts as identified, what the next run starts from, what is printed and written. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/host/app.h>
#include <doppel/math/geometry.h>

#include "calibration.h"

static struct calibration_target target;
static struct calibration_findings findings;

/* A robot whose drivers were calibrated once already, and a run that has found everything. */
static void setup(void)
{
    target = (struct calibration_target){
        .localizer = "Localizer",
        .wheels = "Wheel<Controller>",
        .values =
            {
                {"WheelController", "hardware.", "OdometryScaleLeft", 0.98},
                {"WheelController", "hardware.", "OdometryScaleRight", 1.0},
                {"WheelController", "hardware.", "OdometryAxleScale", 1.01},
                {"Localizer", "", "TimeOffset", 0.02},
                {"LaserScanner", "", "X", 0.1},
                {"LaserScanner", "", "Y", 0.0},
                {"LaserScanner", "", "Yaw", 0.0},
                {"Localizer", "", "RangeBias", 0.0},
                {"Localizer", "", "RangeScale", 0.0},
            },
        .sigma = {0.03, 0.03, 0.03, 0.03, 0.02, 0.02, 0.035, 0.02, 0.01},
        .drive = {0.23, 0.3, 2.0, 0.5},
        .robot = "avatar",
        .has_acceleration = true,
    };
    findings = (struct calibration_findings){
        .value = {0.99, 1.02, 1.0, 0.045, 0.011, -0.004, 0.0349065850398866, 0.01, 0.002},
        .sigma = {0.0009, 0.004, 0.003, 0.001, 0.0002, 0.0003, 0.0001, 0.001, 0.0001},
        .has_drive = true,
        .drive = {.value = {0.98, 1.0, 0.06, 0.05, 1.0 / 0.6},
                  .sigma = {5e-4, 5e-4, 0.002, 0.002, 0.01},
                  .identified = {true, true, true, true, true},
                  .rms_m = 2e-4,
                  .n_windows = 1800},
        .duration_s = 180.0,
        .distance_m = 31.5,
    };
}

TestSuite(calibration, .init = setup);

static double new_value(enum calibration_parameter parameter)
{
    return calibration_new_value(&target, &findings, parameter);
}

Test(calibration, multiplies_scales_and_adds_a_mount_to_what_the_binding_has)
{
    cr_assert_float_eq(new_value(CALIBRATION_SCALE_LEFT), 0.9702, 1e-9);
    cr_assert_float_eq(new_value(CALIBRATION_AXLE_SCALE), 1.01, 1e-9);
    cr_assert_float_eq(new_value(CALIBRATION_MOUNT_X), 0.111, 1e-9);
}

/* The Localizer's own estimate begins with the property. */
Test(calibration, replaces_what_the_localizer_itself_starts_from)
{
    cr_assert_float_eq(new_value(CALIBRATION_TIME_OFFSET), 0.045, 1e-9);
    cr_assert_float_eq(new_value(CALIBRATION_RANGE_BIAS), 0.01, 1e-9);
}

Test(calibration, takes_no_parameter_that_is_hardly_surer_than_before)
{
    cr_assert(calibration_is_complete(&target, &findings));
    findings.sigma[CALIBRATION_AXLE_SCALE] = 0.0101;
    cr_assert_not(calibration_is_identified(&target, &findings, CALIBRATION_AXLE_SCALE));
    cr_assert_not(calibration_is_complete(&target, &findings));
    findings.sigma[CALIBRATION_AXLE_SCALE] = 0.0099;
    cr_assert(calibration_is_complete(&target, &findings));
    findings.value[CALIBRATION_AXLE_SCALE] = (double)NAN;
    cr_assert_not(calibration_is_complete(&target, &findings));
}

/* The deviations may be small from before the Localizer got lost. */
Test(calibration, takes_nothing_of_a_localizer_that_is_lost)
{
    char *text = NULL;
    size_t size = 0;
    findings.is_lost = true;
    for (int i = 0; i < CALIBRATION_N_PARAMETERS; i++) {
        cr_assert_not(calibration_is_identified(&target, &findings, i));
    }
    cr_assert_not(calibration_is_complete(&target, &findings));
    FILE *stream = open_memstream(&text, &size);
    calibration_write(stream, &(struct calibration_origin){"a", "b"}, &target, &findings);
    fclose(stream);
    cr_assert_not(strstr(text, "<property "));
    cr_assert(strstr(text, "did not fit the world"));
    free(text);
}

static char *printed(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    calibration_print(stream, "", &target, &findings);
    fclose(stream);
    return text;
}

Test(calibration, says_since_when_the_robot_was_lost_or_how_little_fitted)
{
    findings.is_lost = true;
    findings.unknown_s = 49.0;
    findings.agreement = 0.3;
    char *text = printed();
    cr_assert(strstr(text, "from 49.0 s on it was not known where the robot was"), "%s", text);
    free(text);
    findings.unknown_s = (double)NAN;
    text = printed();
    cr_assert(strstr(text, "in the second half 0.30 of the beams fitted, 0.55 must"), "%s", text);
    free(text);
}

Test(calibration, says_what_was_learnt_in_a_wrong_place_and_what_was_left_after_it)
{
    findings.has_forgotten = true;
    findings.forgot_from_s = (double)NAN;
    findings.forgot_until_s = 52.9;
    char *text = printed();
    cr_assert(strstr(text, "not counted: what was learnt before 52.9 s"), "%s", text);
    cr_assert_not(strstr(text, "too short"), "all is identified: %s", text);
    free(text);
    findings.forgot_from_s = 80.0;
    findings.forgot_until_s = 168.0;
    findings.sigma[CALIBRATION_AXLE_SCALE] = 0.03;
    text = printed();
    cr_assert(strstr(text, "what was learnt from 80.0 s to 168.0 s"), "%s", text);
    cr_assert(strstr(text, "the 12 s after that were too short"), "%s", text);
    free(text);
}

Test(calibration, knows_when_there_is_nothing_to_write)
{
    cr_assert(calibration_has_any(&target, &findings));
    cr_assert(calibration_has_any_drive(&target, &findings));
    findings.is_lost = true;
    cr_assert_not(calibration_has_any(&target, &findings));
    cr_assert(calibration_has_any_drive(&target, &findings), "its latency is known");
    findings.has_drive = false;
    cr_assert_not(calibration_has_any_drive(&target, &findings));
}

Test(calibration, is_complete_without_the_errors_of_ranges)
{
    findings.sigma[CALIBRATION_RANGE_BIAS] = findings.sigma[CALIBRATION_RANGE_SCALE] = 1.0;
    cr_assert(calibration_is_complete(&target, &findings));
}

/* The fit's gain is by the present scale: 0.98 of the command is all of it by the encoder. */
Test(calibration, makes_the_avatar_come_as_far_as_the_robot)
{
    struct calibration_robot robot = calibration_robot(&target, &findings);
    cr_assert_float_eq(robot.wheel_scale_left, 0.9702, 1e-9);
    cr_assert_float_eq(robot.wheel_scale_right, 1.02, 1e-9);
    cr_assert_float_eq(robot.axle_scale, 1.01, 1e-9);
    cr_assert_float_eq(robot.latency_ms, 60.0, 1e-9);
    cr_assert_float_eq(robot.lag_ms, 50.0, 1e-9);
}

Test(calibration, believes_a_wheel_that_clearly_does_not_reach_its_command)
{
    findings.drive.value[DRIVE_GAIN_RIGHT] = 0.9;
    struct calibration_robot robot = calibration_robot(&target, &findings);
    cr_assert_float_eq(robot.wheel_scale_right, 0.9 * 1.02, 1e-9);
    cr_assert_float_eq(robot.wheel_scale_left, 0.9702, 1e-9);
}

Test(calibration, leaves_out_of_the_avatar_what_is_not_identified)
{
    findings.drive.identified[DRIVE_LATENCY] = false;
    findings.sigma[CALIBRATION_SCALE_LEFT] = 0.02;
    struct calibration_robot robot = calibration_robot(&target, &findings);
    cr_assert(isnan(robot.latency_ms) && isnan(robot.wheel_scale_left));
    cr_assert_float_eq(robot.lag_ms, 50.0, 1e-9);
    findings.has_drive = false;
    robot = calibration_robot(&target, &findings);
    cr_assert(isnan(robot.lag_ms) && isnan(robot.wheel_scale_right));
}

typedef void write_fn(FILE *, const struct calibration_origin *, const struct calibration_target *,
                      const struct calibration_findings *);

static const char *written_by(write_fn *write)
{
    static char text[16384];
    FILE *stream = fmemopen(text, sizeof text, "w");
    const struct calibration_origin origin = {"a&b", "doppel calibrate patrol --bind hil"};
    write(stream, &origin, &target, &findings);
    fclose(stream);
    return text;
}

static const char *written(void)
{
    return written_by(calibration_write);
}

static void assert_has(const char *text, const char *part)
{
    cr_assert_not_null(strstr(text, part), "no %s in\n%s", part, text);
}

Test(calibration, writes_each_number_where_the_next_run_takes_it)
{
    const char *text = written();
    assert_has(text, "<name>a&amp;b</name>");
    assert_has(text, "name=\"hardware.OdometryScaleLeft\">0.970200<");
    assert_has(text, "name=\"TimeOffset\" unit=\"ms\">45.0000<");
    assert_has(text, "name=\"X\" unit=\"mm\">111.0000<");
    assert_has(text, "name=\"Yaw\" unit=\"deg\">2.0000<");
    text = written_by(calibration_write_drive);
    assert_has(text, "entry=\"avatar\" name=\"wheel_scale_right\">1.02<");
    assert_has(text, "entry=\"avatar\" name=\"latency_ms\">60<");
    assert_has(text, "component=\"Wheel&lt;Controller&gt;\" name=\"simulation.Acceleration\"");
}

/* Both wheels share one property: the larger deviation; none below the floor. */
Test(calibration, writes_deviations_that_are_not_too_small)
{
    const char *text = written();
    assert_has(text, "name=\"SigmaWheel\">0.004000<");
    assert_has(text, "name=\"SigmaMount\" unit=\"mm\">5.0000<");
    assert_has(text, "it may be larger than sigma above");
    findings.sigma[CALIBRATION_SCALE_RIGHT] = 0.02;
    text = written();
    cr_assert_null(strstr(text, "SigmaWheel"));
    cr_assert_null(strstr(text, "OdometryScaleRight"));
    assert_has(text, "OdometryScaleLeft");
    assert_has(text, "not identified: scale of the right wheel; this shows it: drive straight");
}

Test(calibration, writes_a_comment_that_a_profile_may_have)
{
    findings.sigma[CALIBRATION_AXLE_SCALE] = 1.0; /* with the longest report */
    const char *begin = strstr(written(), "<!--"), *end = strstr(begin, "-->");
    const char *dashes = strstr(begin + 4, "--");
    cr_assert_eq(dashes, end);
}

Test(calibration, needs_a_localizer)
{
    static const struct dpl_component_class class = {.name = "WheelController"};
    const struct dpl_app_component component = {.name = "W", .class_ = &class};
    const struct dpl_app app = {.name = "a", .components = &component, .n_components = 1};
    struct dpl_diag error = {0};
    cr_assert_eq(calibration_find(&app, &target, &error), -EINVAL);
    assert_has(error.text, "has no Localizer");
}

Test(calibration, needs_one_localizer_whose_odometry_comes_from_somewhere)
{
    static const struct dpl_component_class class = {.name = "Localizer"};
    const struct dpl_app_component two[] = {{.name = "A", .class_ = &class},
                                            {.name = "B", .class_ = &class}};
    struct dpl_app app = {.name = "a", .components = two, .n_components = 2};
    struct dpl_diag error = {0};
    cr_assert_eq(calibration_find(&app, &target, &error), -EINVAL);
    assert_has(error.text, "more than one Localizer: 'A' and 'B'");
    app.n_components = 1;
    cr_assert_eq(calibration_find(&app, &target, &error), -EINVAL);
    assert_has(error.text, "nothing is connected to 'odometry' of A");
}
