/* SPDX-License-Identifier: Apache-2.0 */
/* Writes timing.json: histograms of the latency of each thread and of the duration of the
 * executors' cycles. */
#include <jansson.h>
#include <string.h>

#include <doppel/output.h>

#include "executor.h"
#include "runtime.h"
#include "summary.h"
#include "threads.h"

/* [from, to, count] of each bin that is not empty; `to` of the last one is at least the maximum. */
static json_t *describe_bins(const struct dpl__histogram *histogram)
{
    dpl_ns max = (dpl_ns)atomic_load(&histogram->max_ns);
    json_t *array = json_array();
    for (unsigned i = 0; i < DPL__HISTOGRAM_BINS; i++) {
        unsigned long long n = atomic_load(&histogram->bins[i]);
        if (n == 0) {
            continue;
        }
        dpl_ns to = dpl__histogram_edge(i + 1);
        if (i == DPL__HISTOGRAM_BINS - 1 && max >= to) {
            to = max + 1;
        }
        json_t *bin = json_array();
        json_array_append_new(bin, json_integer((json_int_t)dpl__histogram_edge(i)));
        json_array_append_new(bin, json_integer((json_int_t)to));
        json_array_append_new(bin, json_integer((json_int_t)n));
        json_array_append_new(array, bin);
    }
    return array;
}

static json_t *describe(const struct dpl__histogram *histogram)
{
    json_t *object = json_object();
    json_object_set_new(object, "count", json_integer((json_int_t)atomic_load(&histogram->count)));
    json_object_set_new(object, "sum", json_integer((json_int_t)atomic_load(&histogram->sum_ns)));
    json_object_set_new(object, "max", json_integer((json_int_t)atomic_load(&histogram->max_ns)));
    json_object_set_new(object, "max_at", json_integer(atomic_load(&histogram->max_at)));
    json_object_set_new(object, "bins", describe_bins(histogram));
    return object;
}

static json_t *describe_threads(const struct dpl_runtime *runtime)
{
    json_t *threads = json_object();
    for (unsigned i = 0; i < dpl__threads_count(runtime); i++) {
        const struct dpl_run_thread *thread = dpl__thread_at(runtime, i);
        json_t *one = json_object();
        json_object_set_new(one, "period", json_integer(thread->period));
        json_object_set_new(one, "wake_up", describe(&thread->late));
        json_object_set_new(threads, thread->name, one);
    }
    return threads;
}

int dpl__timing_write(struct dpl_runtime *runtime, struct dpl_diag *reterr)
{
    json_t *root = json_object();
    json_t *executors = json_object();
    for (size_t i = 0; i < runtime->n_executors; i++) {
        const struct dpl__executor *executor = runtime->executors[i];
        json_t *one = json_object();
        json_object_set_new(one, "period", json_integer(executor->execution.period));
        json_object_set_new(one, "wake_up", describe(&executor->jitter));
        json_object_set_new(one, "execution", describe(&executor->execution_time));
        json_object_set_new(executors, executor->name, one);
    }
    json_object_set_new(root, "unit", json_string("ns"));
    /* CLOCK_MONOTONIC at time 0, to compare with what others have noted */
    json_object_set_new(root, "epoch", json_integer(runtime->real_epoch));
    json_object_set_new(root, "executors", executors);
    json_object_set_new(root, "threads", describe_threads(runtime));
    const char *path =
        dpl_arena_printf(&runtime->arena, "%s/timing.json", runtime->options.out_dir);
    struct dpl_output output;
    int r = dpl_output_open(&output, path, reterr);
    if (r == 0) {
        json_dumpf(root, output.stream, JSON_COMPACT);
        r = dpl_output_close(&output, reterr);
    }
    json_decref(root);
    return r;
}
