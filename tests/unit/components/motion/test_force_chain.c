/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs from a scripted force to the reference of the platform's pose: section 1 of the motion
 * planner's specification in numbers, faults of the sensor, and that runs repeat. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "bench.h"
#include "trace.h"

#define SERVO_S   0.000625
#define PLANNER_N 4 /* rows a planner cycle */

static const char *folder;
static struct trace trace;

static void begin(void)
{
    folder = bench_make_folder();
}

static void end(void)
{
    bench_remove_folder(folder);
}

TestSuite(force_chain, .init = begin, .fini = end);

/* `sets` ends with NULL. */
static enum dpl_exit run(double duration_s, const char *const *sets)
{
    struct bench bench = {.file = UNIT "/components/motion/data/chain.xml",
                          .duration_s = duration_s,
                          .out_dir = folder};
    for (size_t i = 0; sets[i]; i++) {
        cr_assert_lt(i, BENCH_SETS_MAX);
        bench.sets[i] = sets[i];
    }
    return bench_run(&bench);
}

#define SETS(...)                                                                                  \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static void run_well(double duration_s, const char *const *sets)
{
    cr_assert_eq(run(duration_s, sets), DPL_EXIT_DONE, "%s", bench_error());
    trace_load(&trace, folder);
}

static double value(double t_s, const char *column)
{
    return trace_at(&trace, (size_t)llround(t_s / SERVO_S), trace_column(&trace, column));
}

/* ---- the specification's numbers ---- */

static void expect_peak(const char *frequency, double peak_m, double peak_at_s)
{
    run_well(0.5, SETS("ForceSensor.Source=0.1 0; 0.1025 0 0 400; 0.105 0",
                       "ForceFilter.Bypass=true", "DynamicModel.Hold=first", frequency));
    size_t column = trace_column(&trace, "DynamicModel.reference_z");
    double peak = 0.0, at_s = 0.0;
    for (size_t i = 0; i < trace.n_rows; i++) {
        double z = trace_at(&trace, i, column) - 0.540;
        at_s = z > peak ? (double)i * SERVO_S : at_s;
        peak = fmax(peak, z);
    }
    cr_assert_float_eq(peak, peak_m, 3e-3 * peak_m, "%s: %g m", frequency, peak);
    cr_assert_float_eq(at_s - 0.1025, peak_at_s, 2.5e-3, "%s: %g s", frequency, at_s - 0.1025);
    trace_free(&trace);
}

/* 1 N s as a triangle that the first-order hold takes exactly. Narrow impulses that end between
 * cycles lose area where nothing filters them. */
Test(force_chain, deflects_by_the_published_peak_after_a_unit_impulse)
{
    expect_peak("DynamicModel.NaturalFrequency=3", 2.850562e-3, 74.15e-3);
    expect_peak("DynamicModel.NaturalFrequency=6", 5.701123e-3, 37.07e-3);
}

Test(force_chain, answers_a_unit_step_as_published)
{
    static const struct {
        int sample;
        double kx;
    } published[] = {
        {40, 1.0522585595}, {80, 1.4509476626}, {133, 0.7256493599}, {400, 0.9803468173}};
    run_well(1.3, SETS("ForceSensor.Source=0 0; 0.1 0; 0.1 1 0 0 0 0 1", "ForceFilter.Bypass=true",
                       "DynamicModel.Home=0 0 0 0 0 0"));
    for (size_t i = 0; i < 4; i++) {
        double t_s = 0.1 + published[i].sample * 2.5e-3;
        double kx = 5000.0 * value(t_s, "DynamicModel.reference_x");
        double kr = 200.0 * value(t_s, "DynamicModel.reference_yaw");
        cr_assert_float_eq(kx, published[i].kx, 1e-9, "%.11g", kx);
        cr_assert_float_eq(kr, published[i].kx, 1e-9, "%.11g", kr);
    }
    trace_free(&trace);
}

Test(force_chain, filters_each_sample_by_the_published_filter)
{
    run_well(1.0, SETS("ForceSensor.RandomForce=10 1", "ForceSensor.Noise=0.5 0.05"));
    const double b = 0.005542717210280681, a1 = -1.7786317778245846, a2 = 0.8008026466657073;
    size_t in = trace_column(&trace, "ForceSensor.torque_y");
    size_t out = trace_column(&trace, "ForceFilter.filtered_pitch");
    double u1 = 0, u2 = 0, y1 = 0, y2 = 0;
    for (size_t i = 0; i < trace.n_rows; i++) {
        double u = trace_at(&trace, i, in);
        double y = b * (u + 2 * u1 + u2) - a1 * y1 - a2 * y2;
        cr_assert_float_eq(trace_at(&trace, i, out), y, 1e-12, "row %zu", i);
        u2 = u1, u1 = u, y2 = y1, y1 = y;
    }
    cr_assert_gt(fabs(y1), 1e-3);
    trace_free(&trace);
}

/* The table of section 1.1: at 6 Hz the phase is -12.2192 degrees, 5.657 ms. Both signals are
 * projected on sine and cosine over whole periods. */
Test(force_chain, delays_a_sine_by_the_published_phase)
{
    char sets[160];
    snprintf(sets, sizeof sets, "ForceSensor.File=%s/sine.txt", folder);
    FILE *file = fopen(sets + strlen("ForceSensor.File="), "w");
    cr_assert_not_null(file);
    for (int i = 0; i <= 4800; i++) {
        fprintf(file, "%.6f %.17g\n", i * SERVO_S, sin(2.0 * M_PI * 6.0 * i * SERVO_S));
    }
    fclose(file);
    run_well(3.0, SETS(sets));
    double phase[2];
    static const char *const columns[] = {"ForceSensor.force_x", "ForceFilter.filtered_x"};
    for (int c = 0; c < 2; c++) {
        double s = 0.0, k = 0.0;
        size_t column = trace_column(&trace, columns[c]);
        for (size_t i = 1600; i < 4800; i++) {
            double x = trace_at(&trace, i, column), w = 2.0 * M_PI * 6.0 * (double)i * SERVO_S;
            s += x * sin(w);
            k += x * cos(w);
        }
        phase[c] = atan2(k, s);
    }
    double deg = (phase[1] - phase[0]) * 180.0 / M_PI;
    cr_assert_float_eq(deg, -12.2192, 1e-3, "%.5f", deg);
    trace_free(&trace);
}

/* ---- what the chain promises ---- */

Test(force_chain, gives_a_reference_in_the_cycle_of_its_force)
{
    run_well(0.2, SETS("ForceSensor.Source=0 0; 0.1 0; 0.1 1", "ForceFilter.Bypass=true",
                       "DynamicModel.Hold=first"));
    cr_assert_eq(value(0.1 - SERVO_S, "DynamicModel.reference_x"), 0.0);
    cr_assert_gt(value(0.1, "DynamicModel.reference_x"), 0.0);
    trace_free(&trace);
}

Test(force_chain, passes_the_filter_by_bit_by_bit)
{
    run_well(0.5, SETS("ForceSensor.RandomForce=10 1", "ForceSensor.Noise=0.5",
                       "ForceSensor.DriftPerSecond=0.1", "ForceFilter.Bypass=true"));
    size_t in = trace_column(&trace, "ForceSensor.force_x");
    size_t out = trace_column(&trace, "ForceFilter.filtered_x");
    for (size_t i = 0; i < trace.n_rows; i++) {
        for (size_t axis = 0; axis < 6; axis++) {
            cr_assert_eq(trace_at(&trace, i, in + axis), trace_at(&trace, i, out + axis));
        }
    }
    cr_assert_neq(trace_at(&trace, 7, in), trace_at(&trace, 8, in));
    trace_free(&trace);
}

static char *trace_of(const char *set, size_t *ret_bytes)
{
    const char *const *sets = SETS("ForceSensor.RandomForce=10 1", "ForceSensor.Noise=0.5", set);
    cr_assert_eq(run(0.5, sets), DPL_EXIT_DONE);
    return trace_read_file(folder, ret_bytes);
}

Test(force_chain, repeats_byte_by_byte_and_differs_by_the_seed)
{
    size_t n[3];
    char *first = trace_of("ForceSensor.Seed=1", &n[0]);
    char *second = trace_of("ForceSensor.Seed=1", &n[1]);
    char *other = trace_of("ForceSensor.Seed=2", &n[2]);
    cr_assert_gt(n[0], 10000);
    cr_assert(n[0] == n[1] && memcmp(first, second, n[0]) == 0);
    cr_assert(n[0] != n[2] || memcmp(first, other, n[0]) != 0);
    free(first);
    free(second);
    free(other);
}

/* ---- sensors as they are ---- */

static double summary(const char *key)
{
    return bench_summary(folder, key);
}

Test(force_chain, counts_readings_at_the_end_of_the_range)
{
    run_well(0.5, SETS("ForceSensor.Source=0 0; 0.5 100", "ForceSensor.Range=50 5"));
    cr_assert_float_eq(summary("ForceSensor.saturated"), 400.0, 2.0);
    cr_assert_eq(value(0.4, "ForceSensor.force_x"), 50.0);
    cr_assert_float_eq(value(0.4, "ForceSensor.applied_x"), 80.0, 1e-9);
    trace_free(&trace);
}

Test(force_chain, takes_the_first_reading_for_zero_when_asked_to)
{
    run_well(0.2, SETS("ForceSensor.Offset=3 0.5", "ForceSensor.Tare=true",
                       "ForceSensor.Source=0 0; 0.1 0; 0.1 7"));
    cr_assert_eq(value(0.05, "ForceSensor.force_x"), 0.0);
    cr_assert_eq(value(0.05, "ForceSensor.torque_z"), 0.0);
    cr_assert_eq(value(0.15, "ForceSensor.force_x"), 7.0);
    trace_free(&trace);
}

/* A dead sensor's force is held for 16 samples, then it is none: the model swings back. */
Test(force_chain, knows_a_stuck_sensor_and_lets_go_of_its_force)
{
    run_well(3.0,
             SETS("ForceSensor.ApiName=mock", "ForceSensor.Source=0 100", "ForceSensor.Noise=0.1",
                  "ForceSensor.StuckAfter=20", "ForceSensor.Faults=1 stuck 1.5"));
    cr_assert_eq(value(0.9, "ForceFilter.valid"), 1.0);
    cr_assert_eq(value(1.0 + 0.020 + 17 * SERVO_S, "ForceFilter.valid"), 0.0);
    cr_assert_eq(value(1.1, "ForceFilter.filtered_x"), 0.0);
    cr_assert_float_eq(value(2.4, "DynamicModel.reference_x"), 0.0, 2e-3);
    cr_assert_eq(value(2.9, "ForceFilter.valid"), 1.0);
    cr_assert_float_eq(summary("ForceSensor.stuck"), 1.48 * 1600.0, 2.0);
    cr_assert_eq(summary("ForceFilter.outages"), 1.0);
    cr_assert_float_eq(summary("DynamicModel.invalid"), (1.48 - 0.010625) * 400.0, 2.0);
    trace_free(&trace);
}

Test(force_chain, bridges_short_gaps_and_bad_readings)
{
    run_well(2.0, SETS("ForceSensor.ApiName=mock", "ForceSensor.Source=0 100",
                       "ForceSensor.Faults=1 dropout 0.005; 1.2 nan 0.005; 1.4 spike 0.001 50 x"));
    cr_assert_float_eq(value(1.0045, "ForceFilter.filtered_x"), 100.0, 1e-6);
    cr_assert_float_eq(value(1.2045, "ForceFilter.filtered_x"), 100.0, 1e-6);
    cr_assert_gt(value(1.405, "ForceFilter.filtered_x"), 101.0);
    cr_assert_eq(summary("ForceSensor.not_finite"), 8.0);
    cr_assert_eq(summary("ForceSensor.stale"), 0.0);
    cr_assert_eq(summary("ForceFilter.invalid"), 16.0);
    cr_assert_eq(summary("ForceFilter.outages"), 0.0);
    cr_assert_eq(summary("DynamicModel.invalid"), 0.0);
    trace_free(&trace);
}

Test(force_chain, calls_a_silent_sensor_stale)
{
    run_well(2.0, SETS("ForceSensor.ApiName=mock", "ForceSensor.Faults=1 dropout 0.5",
                       "ForceSensor.StaleAfter=100"));
    cr_assert_float_eq(summary("ForceSensor.stale"), 0.4 * 1600.0, 2.0);
    cr_assert_float_eq(summary("ForceSensor.samples"), 1.5 * 1600.0, 2.0);
    trace_free(&trace);
}

Test(force_chain, fails_when_the_sensor_is_lost)
{
    const char *const *sets = SETS("ForceSensor.ApiName=mock", "ForceSensor.Faults=0.1 lost");
    cr_assert_eq(run(0.5, sets), DPL_EXIT_DEVICE);
    cr_assert_gt(summary("faults"), 0.0);
}

Test(force_chain, goes_on_when_the_sensor_is_found_again)
{
    run_well(1.0, SETS("ForceSensor.ApiName=mock", "ForceSensor.Faults=0.1 lost 0.2"));
    cr_assert_gt(summary("ForceSensor.samples"), 0.5 * 1600.0);
    cr_assert_lt(summary("ForceSensor.samples"), 0.81 * 1600.0);
    trace_free(&trace);
}

Test(force_chain, injects_faults_between_two_components)
{
    run_well(1.0, SETS("FaultInjector.Faults=0.5 spike 3 x 0.05; 0.6 dropout 10; 0.7 delay 4 2"));
    cr_assert_eq(summary("FaultInjector.changed"), 3.0);
    cr_assert_eq(summary("FaultInjector.dropped"), 12.0);
    cr_assert_eq(summary("FaultInjector.delayed"), 4.0);
    cr_assert_eq(summary("FaultInjector.passed"), 400.0 - 12.0);
    cr_assert_eq(value(0.5, "FaultInjector.active"), 1.0);
    cr_assert_eq(value(0.51, "FaultInjector.active"), 0.0);
    trace_free(&trace);
}

/* ---- what is refused ---- */

static void refuse(const char *expected, const char *set, const char *set2)
{
    struct bench bench = {
        .file = UNIT "/components/motion/data/chain.xml", .sets = {set, set2}, .duration_s = 1.0};
    cr_assert_lt(bench_create_error(&bench), 0, "%s was taken", set);
    cr_assert_not_null(strstr(bench_error(), expected), "%s", bench_error());
}

Test(force_chain, says_what_is_wrong_with_its_properties)
{
    refuse("Source: character 6", "ForceSensor.Source=0 1; x", NULL);
    refuse("Impulses: character 5", "ForceSensor.Impulses=0.1 w 1 2", NULL);
    refuse("Noise: -1 of x is out of range, expected 0..1e+06", "ForceSensor.Noise=-1", NULL);
    refuse("Range: character 1", "ForceSensor.Range=1 2 3", NULL);
    refuse("Faults: character 3", "ForceSensor.ApiName=mock", "ForceSensor.Faults=1 dead");
    refuse("Faults: character 3", "FaultInjector.Faults=1 dead", NULL);
    refuse("both Source and File", "ForceSensor.Source=0 1", "ForceSensor.File=/dev/null");
    refuse("there is no file", "ForceSensor.File=/nonexistent/forces", NULL);
    refuse("there is no file", "ForceSensor.File=/tmp", NULL);
}
