/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the scans of a run fitted the world, and a calibration from a folder of results. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/component.h>

#include "calibration_run.h"
#include "world_fit.h"

/* ---- the rule ---- */

static bool fits(double first_half, double second_half, bool is_known)
{
    struct world_fit fit = world_fit_begin(10.0, 20.0);
    for (int i = 0; i < 100; i++) {
        double from_s = 10.0 + 0.1 * i;
        world_fit_add(&fit, from_s, from_s + 0.1, i < 50 ? first_half : second_half);
    }
    return world_fit_holds(&fit, is_known);
}

Test(world_fit, judges_the_second_half_of_a_run)
{
    cr_assert(fits(0.0, 0.56, true), "the Localizer searched in the first half");
    cr_assert_not(fits(1.0, 0.54, true));
}

Test(world_fit, a_pose_that_is_not_known_at_the_end_fits_no_world)
{
    cr_assert_not(fits(1.0, 1.0, false));
}

Test(world_fit, without_an_agreement_nothing_agrees)
{
    cr_assert_not(fits((double)NAN, (double)NAN, true));
    struct world_fit fit = world_fit_begin(0.0, 4.0);
    world_fit_add(&fit, 2.0, 3.0, (double)NAN);
    world_fit_add(&fit, 3.0, 4.0, 1.0);
    cr_assert_not(world_fit_holds(&fit, true), "half of the time is not enough");
}

Test(world_fit, an_agreement_counts_by_the_time_that_it_lasts)
{
    struct world_fit fit = world_fit_begin(0.0, 10.0);
    world_fit_add(&fit, 5.0, 9.0, 0.6);
    world_fit_add(&fit, 9.0, 9.5, 0.0);
    world_fit_add(&fit, 9.5, 10.0, 0.6);
    cr_assert_not(world_fit_holds(&fit, true), "0.54");
    world_fit_add(&fit, 10.0, 12.0, 0.6);
    cr_assert(world_fit_holds(&fit, true), "0.557");
}

/* ---- a folder of results ---- */

static const struct dpl_component_class localizer = {.name = "Localizer", .tag = "loc"};
static const struct calibration_target target = {
    .localizer = "Localizer", .localizer_class = &localizer, .wheels = "Wheels"};
static char folder[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/doppel-run-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_folder(void)
{
    static const char *const names[] = {"summary.json", "trace.csv"};
    char path[128];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

TestSuite(calibration_run, .init = make_folder, .fini = remove_folder);

static struct calibration_findings findings_of(const char *state, double agreement)
{
    char text[512];
    struct calibration_findings findings;
    struct dpl_diag error = {0};
    snprintf(text, sizeof text,
             "{\"loc.state\": \"%s\", \"loc.scale_left\": 0.97, \"loc.scale_left_sigma\": 0.001, "
             "\"Wheels.distance_m\": 5.5, \"duration_s\": 4}",
             state);
    write_file("summary.json", text);
    snprintf(text, sizeof text, "t,loc.agreement\n0,\n1,0.1\n2,0.1\n3,%g\n4,%g\n", agreement,
             agreement);
    write_file("trace.csv", text);
    cr_assert_eq(calibration_from_run(&target, folder, &findings, &error), 0, "%s", error.text);
    return findings;
}

Test(calibration_run, takes_what_the_localizer_found)
{
    struct calibration_findings findings = findings_of("TRACKING", 0.9);
    cr_assert_not(findings.is_lost);
    cr_assert_float_eq(findings.value[CALIBRATION_SCALE_LEFT], 0.97, 1e-12);
    cr_assert_float_eq(findings.sigma[CALIBRATION_SCALE_LEFT], 0.001, 1e-12);
    cr_assert(isnan(findings.value[CALIBRATION_AXLE_SCALE]), "the summary does not have it");
    cr_assert_float_eq(findings.distance_m, 5.5, 1e-12);
    cr_assert_float_eq(findings.duration_s, 4.0, 1e-12);
    cr_assert_not(findings.has_drive, "the trace has no commands");
}

/* In another room the Localizer may believe at the end that it knows the pose. */
Test(calibration_run, scans_that_hardly_agree_do_not_fit_though_the_pose_is_tracked)
{
    cr_assert(findings_of("TRACKING", 0.4).is_lost);
    cr_assert_not(findings_of("DEGRADED", 0.6).is_lost);
}

Test(calibration_run, a_pose_that_is_lost_at_the_end_fits_no_world)
{
    static const char *const states[] = {"INIT", "AMBIGUOUS", "LOST", "MAP_WRONG", ""};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        cr_assert(findings_of(states[i], 0.9).is_lost, "%s", states[i]);
    }
}

Test(calibration_run, knows_since_when_the_robot_was_lost_and_when_it_was_found_elsewhere)
{
    struct calibration_findings findings;
    struct dpl_diag error = {0};
    write_file("summary.json", "{\"loc.state\": \"LOST\", \"loc.forgot_from_s\": null, "
                               "\"loc.forgot_until_s\": 1.5}");
    write_file("trace.csv", "t,loc.state,loc.agreement\n0,INIT,\n1,LOST,0.1\n2,TRACKING,0.9\n"
                            "3,AMBIGUOUS,0.4\n4,LOST,0.2\n");
    cr_assert_eq(calibration_from_run(&target, folder, &findings, &error), 0, "%s", error.text);
    cr_assert(findings.is_lost && findings.has_forgotten);
    cr_assert_eq(findings.unknown_s, 3.0);
    cr_assert_float_eq(findings.agreement, 0.3, 1e-12);
    cr_assert(isnan(findings.forgot_from_s));
    cr_assert_eq(findings.forgot_until_s, 1.5);
    findings = findings_of("TRACKING", 0.9);
    cr_assert(isnan(findings.unknown_s) && !findings.has_forgotten);
}

Test(calibration_run, a_trace_without_agreement_fits_no_world)
{
    struct calibration_findings findings;
    struct dpl_diag error = {0};
    write_file("summary.json", "{\"loc.state\": \"TRACKING\"}");
    write_file("trace.csv", "t,x\n0,1\n1,1\n2,1\n");
    cr_assert_eq(calibration_from_run(&target, folder, &findings, &error), 0, "%s", error.text);
    cr_assert(findings.is_lost);
}

Test(calibration_run, names_the_folder_that_has_no_results)
{
    struct calibration_findings findings;
    struct dpl_diag error = {0};
    cr_assert_lt(calibration_from_run(&target, folder, &findings, &error), 0);
    cr_assert_str_eq(error.place.file, folder);
    cr_assert_neq(error.text[0], '\0');
}
