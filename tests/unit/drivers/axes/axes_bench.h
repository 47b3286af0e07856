/* SPDX-License-Identifier: Apache-2.0 */
/* A component of the tests in Servo's place that owns a device of class axes and leads axis 1 (and
 * no other) by a test's wishes: hold, go at a speed, give no reference, or skip cycles. */
#ifndef TESTS_AXES_BENCH_H
#define TESTS_AXES_BENCH_H

#include <string.h>

#include <criterion/criterion.h>

#include <doppel/component.h>
#include <doppel/drv/axes.h>

#include "bench.h"

#define AXES_PERIOD_S 0.000625

static struct {
    struct dpl_axes_reference reference;
    bool lead;
    double speed_m_s; /* of axis 1 */
    unsigned skipped; /* cycles after each, as a clock skips them that cannot keep up */
    int follow_error; /* of the newest reference */
    int execute_error;
} axes_bench;

static inline struct dpl_axes_state axes_read(struct dpl_component *from)
{
    struct dpl_axes_state now = {0};
    cr_assert_eq(dpl_axes_read(dpl_component_device(from), &now), 0);
    return now;
}

/* Holds where the axes are from now on. */
static inline void axes_lead(struct dpl_component *from, const struct dpl_tick *tick)
{
    struct dpl_axes_state now = axes_read(from);
    (void)tick;
    axes_bench.reference = (struct dpl_axes_reference){0};
    memcpy(axes_bench.reference.position_m, now.position_m, sizeof now.position_m);
    axes_bench.lead = true;
}

static inline int axes_bench_execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(self);
    if (tick->cycle % (axes_bench.skipped + 1) != 0) {
        return 0;
    }
    axes_bench.execute_error = dpl_axes_execute(device, tick);
    bench_run_steps(self, tick);
    if (axes_bench.lead) {
        axes_bench.reference.position_m[0] +=
            axes_bench.speed_m_s * AXES_PERIOD_S * (axes_bench.skipped + 1);
        axes_bench.reference.velocity_m_s[0] = axes_bench.speed_m_s;
        axes_bench.follow_error = dpl_axes_follow(device, &axes_bench.reference);
    }
    dpl_axes_finish(device, tick);
    return 0;
}

static const struct dpl_component_ops axes_bench_ops = {.execute = axes_bench_execute};

static const struct dpl_component_class axes_bench_class = {
    .name = "AxesBench",
    .ops = &axes_bench_ops,
    .device_class = DPL_AXES_CLASS,
};

static inline void axes_bench_run(const char *const *sets, const struct bench_step *steps,
                                  size_t n_steps, double duration_s)
{
    struct bench bench = {.file = UNIT "/drivers/axes/data/axes.xml",
                          .duration_s = duration_s,
                          .instead = &axes_bench_class,
                          .steps = steps,
                          .n_steps = n_steps};
    for (size_t i = 0; sets[i]; i++) {
        bench.sets[i] = sets[i];
    }
    memset(&axes_bench, 0, sizeof axes_bench);
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

#define AXES_RUN(duration_s_, sets_, ...)                                                          \
    do {                                                                                           \
        static const struct bench_step steps[] = {__VA_ARGS__};                                    \
        axes_bench_run(sets_, steps, sizeof steps / sizeof steps[0], duration_s_);                 \
    } while (0)

#define STEP(name) static void name(struct dpl_component *from, const struct dpl_tick *tick)

#endif
