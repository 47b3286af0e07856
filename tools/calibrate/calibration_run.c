/* SPDX-License-Identifier: Apache-2.0 */
/* A calibration from the results of a run: see calibration_run.h. */
#include "calibration_run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/component.h>

#include "recorded_run.h"
#include "result.h"
#include "world_fit.h"

#define KEY_BYTES   256
#define STATE_BYTES 32

static const char *tag_of(const struct calibration_target *target)
{
    return target->localizer_class->tag ? target->localizer_class->tag : target->localizer;
}

static double number_of(const struct result *result, const char *tag, const char *name,
                        const char *suffix)
{
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "%s.%s%s", tag, name, suffix);
    return result_number(result, key);
}

/* As the Localizer exports it. */
static bool is_known(const char *state)
{
    static const char *const states[] = {"TRACKING", "DEGRADED", "COASTING"};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        if (strcmp(state, states[i]) == 0) {
            return true;
        }
    }
    return false;
}

static int column_of(const struct table *trace, const char *tag, const char *name)
{
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "%s.%s", tag, name);
    return table_column(trace, key);
}

static struct world_fit fit_world(const struct table *trace, const char *tag)
{
    int t = table_column(trace, "t"), agreement = column_of(trace, tag, "agreement");
    int state = column_of(trace, tag, "state");
    size_t n = trace->n_rows;
    struct world_fit fit = world_fit_begin(n > 0 ? table_at(trace, 0, t) : 0.0,
                                           n > 0 ? table_at(trace, n - 1, t) : 0.0);
    for (size_t i = 1; i < n; i++) {
        char word[STATE_BYTES];
        world_fit_add(&fit, table_at(trace, i - 1, t), table_at(trace, i, t),
                      table_at(trace, i, agreement));
        table_word(trace, i, state, word, sizeof word);
        world_fit_know(&fit, table_at(trace, i, t), is_known(word));
    }
    return fit;
}

static void check_fit(const struct result *result, const char *tag,
                      struct calibration_findings *findings)
{
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "%s.state", tag);
    bool known = is_known(result_text(result, key));
    struct world_fit fit = fit_world(&result->trace, tag);
    findings->is_lost = result->trace.n_rows == 0 || !world_fit_holds(&fit, known);
    findings->unknown_s = known ? (double)NAN : fit.unknown_s;
    findings->agreement = world_fit_agreement(&fit);
}

static void fit_drive(const struct calibration_target *target, const struct result *result,
                      struct calibration_findings *findings)
{
    struct drive_sample *samples = NULL;
    size_t n = 0;
    if (recorded_run_read_trace(result, target->wheels, &samples, &n, NULL) == 0) {
        findings->has_drive = drive_fit(samples, n, &target->drive, &findings->drive) == 0;
    }
    free(samples);
}

static void read_findings(const struct calibration_target *target, const struct result *result,
                          struct calibration_findings *findings)
{
    const char *tag = tag_of(target);
    for (int i = 0; i < CALIBRATION_N_PARAMETERS; i++) {
        const char *name = calibration_rows[i].exported;
        findings->value[i] = number_of(result, tag, name, "");
        findings->sigma[i] = number_of(result, tag, name, "_sigma");
    }
    findings->forgot_from_s = number_of(result, tag, "forgot_from_s", "");
    findings->forgot_until_s = number_of(result, tag, "forgot_until_s", "");
    findings->has_forgotten = isfinite(findings->forgot_until_s);
    check_fit(result, tag, findings);
    findings->distance_m = number_of(result, target->wheels, "distance_m", "");
    findings->duration_s = result_number(result, "duration_s");
    fit_drive(target, result, findings);
}

int calibration_from_run(const struct calibration_target *target, const char *folder,
                         struct calibration_findings *ret_findings, struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = folder};
    char *spec = strdup(folder); /* its label is cut off */
    if (!spec) {
        return dpl_fail(reterr, -ENOMEM, place, "no memory");
    }
    struct calibration_findings findings = {0};
    struct result result = {0};
    int err = result_read(spec, &result, reterr);
    if (err == 0) {
        read_findings(target, &result, &findings);
        result_finish(&result);
        *ret_findings = findings;
    } else if (reterr) { /* the place may be in what is freed */
        reterr->place = place;
    }
    free(spec);
    return err;
}
