/* SPDX-License-Identifier: Apache-2.0 */
/* Completes the files of a run after its end. */
#include "bench_files.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include <doppel/output.h>

#include "scene.h"

#define PATH_BYTES 4352 /* a folder's name and a file's */

static int dump(const json_t *summary, const char *path)
{
    struct dpl_output output;
    struct dpl_diag error = {0};
    int err = dpl_output_open(&output, path, &error);
    if (err == 0) {
        json_dumpf(summary, output.stream, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
        err = dpl_output_close(&output, &error);
    }
    if (err < 0) {
        fprintf(stderr, "doppel bench: --out: %s\n", error.text);
    }
    return err;
}

/* ---- the summary ---- */

static bool tells(const json_t *summary, const struct bench_result *result)
{
    const char *verdict = json_string_value(json_object_get(summary, "verdict"));
    return verdict && strcmp(verdict, result->verdict.name) == 0;
}

static json_t *new_summary(const char *application, const struct bench_result *result)
{
    int code = result->failure == DPL_EXIT_DONE ? DPL_EXIT_FAULT : (int)result->failure;
    json_t *summary = json_object();
    json_object_set_new(summary, "application", json_string(application));
    json_object_set_new(summary, "duration_s", json_real(result->duration_s));
    json_object_set_new(summary, "faults", json_integer(1));
    json_object_set_new(summary, "exit", json_integer(code));
    return summary;
}

int bench_complete_summary(const char *folder, const char *application,
                           const struct bench_result *result)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/summary.json", folder);
    json_t *summary = json_load_file(path, 0, NULL);
    int err = 0;
    if (!json_is_object(summary)) {
        json_decref(summary);
        summary = new_summary(application, result);
    }
    if (!tells(summary, result)) {
        /* NULL: it contains text that is not UTF-8 */
        json_t *text = json_string(result->verdict.text);
        json_object_set_new(summary, "verdict", json_string(result->verdict.name));
        json_object_set_new(summary, "verdict.text", text ? text : json_null());
        json_object_set_new(summary, "verdict.expected", json_boolean(result->verdict.expected));
        err = dump(summary, path);
    }
    json_decref(summary);
    return err;
}

/* ---- the picture ---- */

int bench_draw(const char *folder, const char *bench, const struct bench_result *result, long tick)
{
    struct dpl_diag error = {0};
    char title[128];
    snprintf(title, sizeof title, "%s: %s", bench, result->verdict.name);
    struct scene_choice choice = {
        .title = title, .tick = tick, .hit = strcmp(result->verdict.name, "hit") == 0};
    long drawn = tick;
    int err = scene_draw_folder(folder, &choice, &drawn, &error);
    if (err < 0) {
        dpl_diag_print(stderr, &error);
    } else if (tick != BENCH_LAST_TICK && drawn != tick) {
        fprintf(stderr,
                "doppel bench: --tick %ld: the log of %s ends with tick %ld; this tick is drawn\n",
                tick, bench, drawn);
    }
    return err;
}
