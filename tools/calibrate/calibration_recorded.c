/* SPDX-License-Identifier: Apache-2.0 */
/* A calibration from a recording: see calibration_recorded.h. */
#include "calibration_recorded.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/host/app.h>

#include "app_values.h"
#include "plan.h"
#include "recorded_bindings.h"
#include "replay.h"

_Static_assert((int)CALIBRATION_N_PARAMETERS == (int)LOCALIZER_N_PARAMETERS, "the same, in order");

static const struct dpl_app_component *find_component(const struct dpl_app *app, const char *name)
{
    for (size_t i = 0; i < app->n_components; i++) {
        if (strcmp(app->components[i].name, name) == 0) {
            return &app->components[i];
        }
    }
    return NULL;
}

/* ---- configuration ---- */

/* As the component would have it; a property that it has not keeps the default. */
static void read_properties(const struct dpl_app_component *localizer,
                            struct localizer_config *config)
{
    double map_error_m = 0.0, start = 0.0, calibrate = LOCALIZER_CALIBRATE_IDENTIFY, diagnose = 0.0;
    app_class_number(localizer, "ScanTime", "s", &config->revolution_s);
    app_class_number(localizer, "ScanCorrelation", NULL, &config->scan_correlation);
    app_class_number(localizer, "StartX", "m", &config->start.x);
    app_class_number(localizer, "StartY", "m", &config->start.y);
    app_class_number(localizer, "StartTheta", "rad", &config->start.theta);
    app_class_number(localizer, "StartSigma", "m", &config->start_sigma_m);
    app_class_number(localizer, "StartSigmaDirection", "rad", &config->start_sigma_rad);
    app_class_number(localizer, "MapError", "m", &map_error_m);
    app_class_number(localizer, "Start", NULL, &start);
    app_class_number(localizer, "Calibrate", NULL, &calibrate);
    app_class_number(localizer, "Diagnose", NULL, &diagnose);
    config->map_error_m = map_error_m > 0.0 ? map_error_m : -1.0;
    config->search_at_start = start != 0.0;
    config->calibrate = (enum localizer_calibrate)calibrate;
    config->diagnose = diagnose != 0.0;
}

static void apply_target(const struct calibration_target *target, struct localizer_config *config)
{
    for (int i = 0; i < CALIBRATION_N_PARAMETERS; i++) {
        config->initial_sigma[i] = target->sigma[i];
        if (calibration_rows[i].is_absolute) {
            config->initial[i] = target->values[i].value;
        }
    }
}

/* Where the avatar stood; with an avatar, but no trace that tells, the start is searched. */
static void set_start(const struct dpl_app *app, const struct dpl_app_component *localizer,
                      const struct recorded_run *run, struct localizer_config *config)
{
    if (run->has_start) {
        config->start = run->start;
    } else if (app_connected(app, localizer, "Avatar")) {
        config->search_at_start = true;
    }
}

/* Of the odometry that the driver gives. */
static double axle_of(const struct calibration_target *target)
{
    return target->drive.axle_m * target->values[CALIBRATION_AXLE_SCALE].value;
}

/* ---- findings ---- */

/* Whether any beam of the recording ended within the laser's range. */
static int check_beams(const struct recorded_run *run, const struct calibration_plan *plan,
                       const char *file, struct dpl_diag *reterr)
{
    const struct recording *scans = &run->scans;
    for (size_t i = 0; i < scans->n_ranges; i++) {
        double range_m = (double)scans->ranges[i];
        if (range_m > 0.0 && range_m >= plan->range_min_m && range_m <= plan->range_max_m) {
            return 0;
        }
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = file},
                    "no beam returned in %zu scans: expected ranges of %g to %g m, as the laser "
                    "of the world has them",
                    scans->n, plan->range_min_m, plan->range_max_m);
}

static int localize(const struct dpl_app *app, const struct dpl_app_component *localizer,
                    const struct calibration_target *target, const struct calibration_plan *plan,
                    const struct recorded_run *run, struct calibration_findings *findings,
                    struct dpl_diag *reterr)
{
    struct localizer_config config;
    struct replay_result result;
    localizer_config_init(&config);
    read_properties(localizer, &config);
    apply_target(target, &config);
    set_start(app, localizer, run, &config);
    config.outlines = plan->outlines;
    config.n_outlines = plan->n_outlines;
    config.n_objects = plan->n_objects;
    config.axle_m = axle_of(target);
    int err = replay(run, &config, plan->range_min_m, plan->range_max_m, &result);
    if (err < 0) {
        return dpl_fail(reterr, err, localizer->place,
                        err == -ENOMEM ? "no memory"
                                       : "the plan or the odometry has a number out of its range");
    }
    memcpy(findings->value, result.calibration.value, sizeof findings->value);
    memcpy(findings->sigma, result.calibration.sigma, sizeof findings->sigma);
    findings->is_lost = !result.fits;
    findings->unknown_s = result.unknown_s;
    findings->agreement = result.agreement;
    findings->has_forgotten = isfinite(result.forgot_until_s);
    findings->forgot_from_s = result.forgot_from_s;
    findings->forgot_until_s = result.forgot_until_s;
    findings->duration_s = result.duration_s;
    findings->distance_m = result.distance_m;
    return 0;
}

static void fit_drive(const struct calibration_target *target, const struct recorded_run *run,
                      struct calibration_findings *findings)
{
    findings->has_drive =
        run->has_trace && drive_fit(run->samples, run->n, &target->drive, &findings->drive) == 0;
    if (!run->has_trace) {
        findings->value[CALIBRATION_TIME_OFFSET] = findings->sigma[CALIBRATION_TIME_OFFSET] =
            (double)NAN;
    }
}

int calibration_from_recording(const struct dpl_app *app, const struct calibration_target *target,
                               struct dpl_catalog *catalog, const char *path, uint64_t seed,
                               char *ret_file, size_t size,
                               struct calibration_findings *ret_findings, struct dpl_diag *reterr)
{
    struct calibration_findings findings = {0};
    struct calibration_plan plan = {0};
    struct recorded_run run = {0};
    const struct dpl_app_component *localizer = find_component(app, target->localizer);
    if (!localizer) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = app->file},
                        "the application has no component %s", target->localizer);
    }
    double axle_m = axle_of(target);
    int err = recorded_run_read(path, target->wheels, axle_m, ret_file, size, &run, reterr);
    err = err < 0 ? err : recorded_bindings_check(path, target, reterr);
    seed = run.has_seed ? run.seed : seed;
    err =
        err < 0 ? err : calibration_plan_read(app, localizer->device, seed, catalog, &plan, reterr);
    err = err < 0 ? err : check_beams(&run, &plan, ret_file, reterr);
    err = err < 0 ? err : localize(app, localizer, target, &plan, &run, &findings, reterr);
    if (err == 0) {
        fit_drive(target, &run, &findings);
        *ret_findings = findings;
    }
    recorded_run_finish(&run);
    calibration_plan_finish(&plan);
    return err;
}
