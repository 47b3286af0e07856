/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of rows, one after each step of the world. */
#include "test_trace.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

#define CELLS_MAX    (8u << 20) /* of 8 bytes */
#define ELEMENTS_MAX 32         /* of a channel that is in a trace */

struct test_trace {
    const struct dpl_world_channels *channels;
    const struct dpl_channel_desc *descs;
    size_t *columns; /* [n_columns] channels */
    size_t n_columns, width;
    dpl_ns *times; /* [n_rows] */
    double *cells; /* [n_rows][width] */
    size_t n_rows, n_taken;
    _Alignas(16) unsigned char value[8 * ELEMENTS_MAX];
};

static bool can_be_traced(const struct dpl_channel_desc *desc)
{
    return desc->size > 0 && desc->size <= ELEMENTS_MAX && desc->dir != DPL_CHANNEL_CONSTANT &&
           desc->type != &dpl_channel_block && strcmp(desc->path, "time") != 0;
}

/* Whether a blank-separated list has a pattern that fits; each that does is marked in `fits`. */
static bool is_named(const char *patterns, const char *path, unsigned char *fits)
{
    char pattern[DPL_CHANNEL_PATH_MAX];
    bool found = false;
    for (size_t i = 0;; i++) {
        patterns += strspn(patterns, " \t\r\n");
        size_t n = strcspn(patterns, " \t\r\n");
        if (n == 0) {
            return found;
        }
        snprintf(pattern, sizeof pattern, "%.*s", (int)n, patterns);
        if (fnmatch(pattern, path, 0) == 0) {
            found = true;
            fits[i] = 1;
        }
        patterns += n;
    }
}

static int check_patterns(const struct dpl_sim_plan *plan, const unsigned char *fits,
                          struct dpl_diag *reterr)
{
    const char *at = plan->trace;
    for (size_t i = 0;; i++) {
        at += strspn(at, " \t\r\n");
        size_t n = strcspn(at, " \t\r\n");
        if (n == 0) {
            return 0;
        }
        if (!fits[i]) {
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = plan->file},
                            "trace: no channel matches '%.*s'", (int)n, at);
        }
        at += n;
    }
}

static int choose(struct test_trace *trace, const struct dpl_sim_plan *plan, size_t n,
                  struct dpl_diag *reterr)
{
    unsigned char fits[sizeof plan->trace] = {0};
    for (size_t i = 0; i < n; i++) {
        const struct dpl_channel_desc *desc = &trace->descs[i];
        bool named = is_named(plan->trace, desc->path, fits);
        if ((named || dpl_sim_plan_uses(plan, i)) && can_be_traced(desc)) {
            trace->columns[trace->n_columns++] = i;
            trace->width += dpl_channel_is_input(desc->dir) ? 1 : desc->size;
        }
    }
    return check_patterns(plan, fits, reterr);
}

static int make_room(struct test_trace *trace, double window_s, dpl_ns step)
{
    double wanted = window_s / dpl_ns_to_s(step) + 1.0;
    double most = (double)(CELLS_MAX / (trace->width + 1));
    trace->n_rows = (size_t)fmax(2.0, fmin(wanted, most));
    trace->times = calloc(trace->n_rows, sizeof *trace->times);
    trace->cells = calloc(trace->n_rows * (trace->width + 1), sizeof *trace->cells);
    return trace->times && trace->cells ? 0 : -ENOMEM;
}

int test_trace_create(const struct dpl_sim_plan *plan, const struct dpl_world_channels *channels,
                      dpl_ns step, struct test_trace **ret_trace, struct dpl_diag *reterr)
{
    size_t n;
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(channels, &n);
    struct test_trace *trace = calloc(1, sizeof *trace);
    int err = trace ? 0 : -ENOMEM;
    if (err == 0) {
        trace->channels = channels;
        trace->descs = descs;
        trace->columns = calloc(n + 1, sizeof *trace->columns);
        err = trace->columns ? choose(trace, plan, n, reterr) : -ENOMEM;
    }
    err = err < 0 ? err : make_room(trace, plan->trace_window_s, step);
    if (err == -ENOMEM) {
        dpl_fail(reterr, err, (struct dpl_place){0}, "out of memory");
    }
    if (err < 0) {
        test_trace_destroy(trace);
        return err;
    }
    *ret_trace = trace;
    return 0;
}

void test_trace_destroy(struct test_trace *trace)
{
    if (trace) {
        free(trace->columns);
        free(trace->times);
        free(trace->cells);
        free(trace);
    }
}

void test_trace_take(struct test_trace *trace, const struct dpl_plan_run *run, dpl_ns now)
{
    size_t row = trace->n_taken++ % trace->n_rows;
    double *cell = trace->cells + row * trace->width;
    trace->times[row] = now;
    for (size_t c = 0; c < trace->n_columns; c++) {
        const struct dpl_channel_desc *desc = &trace->descs[trace->columns[c]];
        dpl_ns stamp;
        if (dpl_channel_is_input(desc->dir)) {
            *cell++ = dpl_plan_run_held(run, trace->columns[c]);
            continue;
        }
        int err = dpl_world_channels_get(trace->channels, trace->columns[c], trace->value, &stamp);
        for (size_t i = 0; i < desc->size; i++) {
            *cell++ = err < 0 ? (double)NAN : dpl_channel_element(desc, trace->value, i);
        }
    }
}

static void write_head(const struct test_trace *trace, FILE *out)
{
    fprintf(out, "time,step_time");
    for (size_t c = 0; c < trace->n_columns; c++) {
        const struct dpl_channel_desc *desc = &trace->descs[trace->columns[c]];
        if (desc->size == 1 || dpl_channel_is_input(desc->dir)) {
            fprintf(out, ",%s", desc->path);
            continue;
        }
        for (size_t i = 0; i < desc->size; i++) {
            fprintf(out, ",%s[%zu]", desc->path, i);
        }
    }
    fprintf(out, "\n");
}

static void write_number(FILE *out, double value)
{
    char text[64];
    if (isfinite(value)) {
        dpl__number_write(value, text, sizeof text);
        fputs(text, out);
    }
}

void test_trace_write(const struct test_trace *trace, FILE *out, dpl_ns began)
{
    size_t n = trace->n_taken < trace->n_rows ? trace->n_taken : trace->n_rows;
    write_head(trace, out);
    for (size_t i = trace->n_taken - n; i < trace->n_taken; i++) {
        size_t row = i % trace->n_rows;
        write_number(out, dpl_ns_to_s(trace->times[row]));
        fputc(',', out);
        write_number(out, dpl_ns_to_s(trace->times[row] - began));
        for (size_t c = 0; c < trace->width; c++) {
            fputc(',', out);
            write_number(out, trace->cells[row * trace->width + c]);
        }
        fputc('\n', out);
    }
}
