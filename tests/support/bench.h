/* SPDX-License-Identifier: Apache-2.0 */
/* A bench for whole runs in simulated time inside a unit test: loads an application as the CLI
 * does, with the plugins of the build, and lets the test step in. For drivers the first component's
 * class is replaced by one that only hands its device to the test; for components one that has
 * service ports is added and connected. */
#ifndef TESTS_SUPPORT_BENCH_H
#define TESTS_SUPPORT_BENCH_H

#include <stdbool.h>

#include <doppel/component.h>
#include <doppel/host/app.h>
#include <doppel/host/runtime.h>

#define BENCH_PERIOD   (10 * DPL_MS)
#define BENCH_SETS_MAX 16

/* What the test does at an instant of the run; `from` is the bench's component. */
typedef void (*bench_action)(struct dpl_component *from, const struct dpl_tick *tick);

struct bench_step {
    double at_s;
    bench_action action;
};

/* A connection of the added component's port, a required service or data out, to a component's. */
struct bench_wire {
    unsigned port;
    const char *component, *target_port;
};

struct bench {
    const char *file;
    const char *sets[BENCH_SETS_MAX]; /* NULL ends */
    const char *plugins;              /* folder of more plugins; NULL: none */
    double duration_s;
    bool real_clock; /* for drivers that need hardware */
    const char *out_dir;
    const struct dpl_component_class *instead; /* of the first component's class; NULL: its own */
    const struct dpl_component_class *added;   /* one more component, last; NULL: none */
    const struct bench_wire *wires;            /* of `added` */
    size_t n_wires;
    /* The bench's components (DEVICE_BENCH or one's own) may call bench_run_steps. */
    const struct bench_step *steps;
    size_t n_steps;
    bench_action each_cycle; /* after the steps that are due; NULL: none */
};

/* Of a `struct bench`: the steps of a table. */
#define BENCH_STEPS(table) .steps = table, .n_steps = DPL_COUNT(table)

/* Runs it. The test fails when it does not load or start. */
enum dpl_exit bench_run(const struct bench *bench);

/* Text of the error that bench_run's run ended with, or that creating it failed with. */
const char *bench_error(void);

/* Only loads and creates: the error of dpl_app_load or dpl_runtime_create, or 0. */
int bench_create_error(const struct bench *bench);

/* Does what is due at the tick: for the execute callback of the test's class. */
void bench_run_steps(struct dpl_component *self, const struct dpl_tick *tick);

/* A class of the named device class without ports whose execute is bench_execute_wheel or
 * bench_execute_laser: device, then steps. */
extern const struct dpl_component_class bench_wheel_class, bench_laser_class;

/* A folder of this test's own under the system's temporary folder; removed by bench_remove. */
const char *bench_make_folder(void);
void bench_remove_folder(const char *path);

/* A number of summary.json in the folder, in nested objects by "outer/inner"; NaN: absent. */
double bench_summary(const char *folder, const char *key);

#endif
