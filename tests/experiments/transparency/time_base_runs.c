/* SPDX-License-Identifier: Apache-2.0 */
/* Section 4 of the specification: a writer whose clock differs from the servo's, and the reaction
 * of the time base. */
#include "acceptance.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <doppel/math/random.h>

#include "path.h"

#define MOVE_NS  ((int64_t)2500000)
#define SERVO_NS ((int64_t)625000)
#define N_DATES  16

/* A run: 250 s, about 1e5 moves. */
struct writer_run {
    const char *name;
    double period_error; /* of the writer's period, relative */
    bool jitter;         /* each write is up to a move time late */
    enum dpl_time_base_law law;
    bool prototype; /* steps of m at once, as in the computation of the published numbers */
};

struct writer_result {
    uint64_t n_synthesised, n_overruns, n_ticks, n_nominal, n_moves;
    double f_min, f_max;
    double residence_sum, residence_min, residence_max; /* ms */
};

struct writer {
    struct dpl_random rng;
    uint64_t n;
    int64_t period_ns, at_ns; /* at: of the next write */
    int64_t dates[N_DATES];   /* the servo ticks at which each of the newest poses was first seen */
    bool jitter;
};

static void stop_at_once(void *context, const double pose[DPL_SIX], const double step[DPL_SIX],
                         double ret_pose[DPL_SIX])
{
    for (int i = 0; i < DPL_SIX; i++) {
        ret_pose[i] = pose[i] + 0.5 * step[i];
    }
}

static void schedule(struct writer *writer)
{
    double late = writer->jitter ? dpl_random_uniform(&writer->rng, 0.0, (double)MOVE_NS) : 0.0;
    writer->at_ns = (int64_t)writer->n * writer->period_ns + (int64_t)late;
    writer->n++;
}

static void write_due(struct writer *writer, struct dpl_path *path, int64_t now_ns)
{
    while (writer->at_ns <= now_ns) {
        double last[2][DPL_SIX], pose[DPL_SIX];
        if (dpl_pose_buffer_admits(&path->buffer)) {
            uint64_t sequence = dpl_pose_buffer_resume(&path->buffer, last);
            for (int i = 0; i < DPL_SIX; i++) {
                pose[i] = 0.1 * sin(0.01 * (double)(writer->n + i));
            }
            dpl_pose_buffer_write(&path->buffer, sequence, pose);
            writer->dates[sequence % N_DATES] = now_ns;
        }
        schedule(writer);
    }
}

static void record_tick(struct writer_result *result, double factor)
{
    result->n_ticks++;
    result->n_nominal += factor == 1.0;
    result->f_min = fmin(result->f_min, factor);
    result->f_max = fmax(result->f_max, factor);
}

static void record_residence(struct writer_result *result, int64_t ns)
{
    double ms = 1e-6 * (double)ns;
    result->n_moves++;
    result->residence_sum += ms;
    result->residence_min = fmin(result->residence_min, ms);
    result->residence_max = fmax(result->residence_max, ms);
}

static int run(const struct writer_run *spec, int64_t duration_ns, struct writer_result *ret_result)
{
    struct dpl_path path;
    struct dpl_path_config config = {.servo_period_s = 1e-9 * SERVO_NS,
                                     .time_base = dpl_time_base_default(),
                                     .brake.next = stop_at_once};
    const double home[DPL_SIX] = {0.0};
    struct writer writer = {.rng = dpl_random_seeded(4, 1),
                            .period_ns = llround((double)MOVE_NS * (1.0 + spec->period_error)),
                            .jitter = spec->jitter};
    struct writer_result result = {.f_min = 1.0, .f_max = 1.0, .residence_min = 1e3};
    config.time_base.law = spec->law;
    if (spec->prototype) {
        config.time_base.reversal = 2 * config.time_base.limit;
        config.time_base.spread = false;
    }
    int r = dpl_path_reset(&path, &config, home);
    schedule(&writer);
    for (int64_t now = 0; r == 0 && now < duration_ns; now += SERVO_NS) {
        struct dpl_axis_reference reference;
        uint64_t consumed = path.buffer.consumed;
        write_due(&writer, &path, now);
        r = dpl_path_step(&path, &reference);
        record_tick(&result, reference.factor);
        if (path.buffer.consumed != consumed && path.buffer.n_synthesised == 0) {
            record_residence(&result, now - writer.dates[consumed % N_DATES]);
        }
    }
    result.n_synthesised = path.buffer.n_synthesised;
    result.n_overruns = path.buffer.n_overruns;
    *ret_result = result;
    return r;
}

static double mean_residence(const struct writer_result *result)
{
    return result->residence_sum / (double)result->n_moves;
}

static double nominal_percent(const struct writer_result *result)
{
    return 100.0 * (double)result->n_nominal / (double)result->n_ticks;
}

static void print_run(const struct writer_run *spec, const struct writer_result *r)
{
    static const char *const laws[] = {"steps", "fractional", "off"};
    printf("    %-14s %-10s under %5llu over %4llu  f %.4f..%.4f  nominal %5.1f %%  residence ms "
           "%.3f (%.3f..%.3f)\n",
           spec->name, spec->prototype ? "prototype" : laws[spec->law],
           (unsigned long long)r->n_synthesised, (unsigned long long)r->n_overruns, r->f_min,
           r->f_max, nominal_percent(r), mean_residence(r), r->residence_min, r->residence_max);
}

static int run_and_print(const struct writer_run *spec, struct writer_result *ret_result)
{
    int r = run(spec, 250 * (int64_t)1000000000, ret_result);
    if (r == 0) {
        print_run(spec, ret_result);
    }
    return r;
}

/* The published table. Its residence times start at the servo tick that first sees the pose. */
static int table(void)
{
    static const struct {
        struct writer_run run;
        double f_min, f_max, nominal, residence, f_digit, residence_digit;
    } rows[] = {
        {{"0", 0.0}, 1.0, 1.0, 100.0, 5.0, 0.0, 0.0},
        {{"+1e-4", 1e-4}, 0.97, 1.0, 99.5, 4.998, 0.01, 0.002},
        {{"+1e-3", 1e-3}, 0.97, 1.0, 95.0, 4.979, 0.01, 0.005},
        {{"+2 %", 0.02}, 0.96, 1.0, 8.0, 4.64, 0.01, 0.01},
        {{"-2 %", -0.02}, 1.0, 1.04, 11.0, 7.18, 0.01, 0.01},
        {{"+1e-3 jitter", 1e-3, true}, 0.98, 1.01, 90.0, 5.7, 0.01, 0.05},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct writer_run spec = rows[i].run;
        struct writer_result result;
        char name[80];
        spec.prototype = true;
        int r = run_and_print(&spec, &result);
        if (r < 0) {
            return r;
        }
        snprintf(name, sizeof name, "time base %s, prototype: least f", spec.name);
        row_near(name, result.f_min, rows[i].f_min, rows[i].f_digit + 1e-12);
        snprintf(name, sizeof name, "time base %s, prototype: largest f", spec.name);
        row_near(name, result.f_max, rows[i].f_max, rows[i].f_digit + 1e-12);
        snprintf(name, sizeof name, "time base %s, prototype: nominal %%", spec.name);
        row_near(name, nominal_percent(&result), rows[i].nominal, 0.5);
        snprintf(name, sizeof name, "time base %s, prototype: residence ms", spec.name);
        row_near(name, mean_residence(&result), rows[i].residence, rows[i].residence_digit + 1e-9);
    }
    return 0;
}

/* The rows of +-5 % and +-10 %, where the specification's numbers and those of an independent
 * prototype of the same rule differ: each value is compared with the one that it agrees with, and
 * its row names the other. */
static int large_errors(void)
{
    static const struct {
        struct writer_run run;
        double extreme, residence, residence_digit;
        const char *extreme_note, *residence_note;
    } rows[] = {
        {{"+5 %", 0.05}, 0.91, 4.56, 0.01, "", " (not another prototype's 4.73)"},
        {{"-5 %", -0.05}, 1.10, 7.00, 0.01, "", " (not the specification's 7.24)"},
        {{"+10 %", 0.1}, 0.83, 5.01, 0.02, " (not the specification's 0.88)", ""},
        {{"-10 %", -0.1}, 1.20, 7.43, 0.01, "", " (not another prototype's 7.09)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct writer_run spec = rows[i].run;
        struct writer_result result;
        char name[112];
        bool is_slow = spec.period_error > 0.0;
        spec.prototype = true;
        int r = run_and_print(&spec, &result);
        if (r < 0) {
            return r;
        }
        snprintf(name, sizeof name, "time base %s, prototype: %s f%s", spec.name,
                 is_slow ? "least" : "largest", rows[i].extreme_note);
        row_near(name, is_slow ? result.f_min : result.f_max, rows[i].extreme, 0.01 + 1e-12);
        snprintf(name, sizeof name, "time base %s, prototype: nominal %%", spec.name);
        row_at_most(name, nominal_percent(&result), 2.0, "");
        snprintf(name, sizeof name, "time base %s, prototype: residence ms%s", spec.name,
                 rows[i].residence_note);
        row_near(name, mean_residence(&result), rows[i].residence, rows[i].residence_digit + 1e-9);
        snprintf(name, sizeof name, "time base %s, prototype: under- and overruns", spec.name);
        row_at_most(name, (double)(result.n_synthesised + result.n_overruns), 0.0, "");
    }
    return 0;
}

/* No pose may be missing or surplus within the range of the guarantee. */
static int guarantee(enum dpl_time_base_law law, bool jitter)
{
    static const double errors[] = {0.0, 1e-4, 1e-3, -1e-3, 0.02, -0.02, 0.05, -0.05, 0.1, -0.1};
    struct writer_result worst = {.f_min = 1.0, .f_max = 1.0};
    char name[80], text[24];
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        struct writer_result result;
        snprintf(text, sizeof text, "%+g %%%s", 100.0 * errors[i], jitter ? " jitter" : "");
        struct writer_run spec = {text, errors[i], jitter, law, false};
        int r = run_and_print(&spec, &result);
        if (r < 0) {
            return r;
        }
        worst.n_synthesised += result.n_synthesised;
        worst.n_overruns += result.n_overruns;
        worst.f_min = fmin(worst.f_min, result.f_min);
        worst.f_max = fmax(worst.f_max, result.f_max);
    }
    snprintf(name, sizeof name, "time base %s, 0 to +-10 %%%s",
             law == DPL_TIME_BASE_FRACTIONAL ? "fractional (default)" : "steps",
             jitter ? ", jitter 0..2.5 ms" : "");
    struct {
        const char *what;
        double value, limit;
    } rows[] = {{"underruns", (double)worst.n_synthesised, 0.0},
                {"overruns", (double)worst.n_overruns, 0.0},
                {"largest |f - 1|", fmax(1.0 - worst.f_min, worst.f_max - 1.0), 0.2 + 1e-12}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char row[128];
        snprintf(row, sizeof row, "%s: %s", name, rows[i].what);
        row_at_most(row, rows[i].value, rows[i].limit, "");
    }
    return 0;
}

/* The paper's law with steps of 1 % does not meet the specification: a slow writer that is late by
 * up to a move causes missing poses. The default law must meet it, see above. */
static int steps_with_jitter(void)
{
    static const double errors[] = {0.1, -0.1};
    uint64_t missing = 0;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        struct writer_result result;
        struct writer_run spec = {errors[i] > 0.0 ? "+10 % jitter" : "-10 % jitter", errors[i],
                                  true, DPL_TIME_BASE_STEPS, false};
        int r = run_and_print(&spec, &result);
        if (r < 0) {
            return r;
        }
        missing += result.n_synthesised + result.n_overruns;
    }
    row_at_least("CONTROL time base steps, +-10 %, jitter 0..2.5 ms (known to fail): "
                 "under- and overruns",
                 (double)missing, 1.0, "");
    return 0;
}

/* Cases that must fail, or that are outside of the guarantee. */
static int beyond(void)
{
    static const struct writer_run off = {"+1e-3", 1e-3, false, DPL_TIME_BASE_OFF, false},
                                   others[] = {
                                       {"+18 %", 0.18, false, DPL_TIME_BASE_STEPS, true},
                                       {"-18 %", -0.18, false, DPL_TIME_BASE_STEPS, true},
                                   };
    struct writer_result result;
    int r = run_and_print(&off, &result);
    if (r < 0) {
        return r;
    }
    row_at_least("time base off, +1e-3 (must fail): underruns", (double)result.n_synthesised, 1.0,
                 "");
    printf("  outside the guarantee, for the record\n");
    for (size_t i = 0; r == 0 && i < sizeof others / sizeof others[0]; i++) {
        r = run_and_print(&others[i], &result);
    }
    return r;
}

int acceptance_time_base(void)
{
    puts("Section 4  time base");
    int r = table();
    if (r == 0) {
        r = large_errors();
    }
    if (r == 0) {
        r = guarantee(DPL_TIME_BASE_STEPS, false);
    }
    if (r == 0) {
        r = guarantee(DPL_TIME_BASE_FRACTIONAL, false);
    }
    if (r == 0) {
        r = guarantee(DPL_TIME_BASE_FRACTIONAL, true);
    }
    if (r == 0) {
        r = steps_with_jitter();
    }
    return r == 0 ? beyond() : r;
}
