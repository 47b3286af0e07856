/* SPDX-License-Identifier: Apache-2.0 */
/* Criteria A4 and A5: the effect of blended moves and cubic B-spline on poses, and the planner's
 * delay. */
#include "acceptance.h"
#include "chain.h"
#include "response.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/random.h>

#include "path.h"

#define PI      3.14159265358979323846
#define MOVE_S  2.5e-3
#define N_POSES 4000
#define FINE    64 /* samples per move, for the blend's spectrum */

static double poses[N_POSES][DPL_SIX];

static void draw_poses(void)
{
    struct dpl_random rng = dpl_random_seeded(4, 5);
    for (int k = 0; k < N_POSES; k++) {
        for (int i = 0; i < DPL_SIX; i++) {
            bool rest = k < 4 || k >= N_POSES - 4;
            poses[k][i] = rest ? 0.0 : dpl_random_uniform(&rng, -1.0, 1.0);
        }
    }
}

/* The distance a triangular velocity profile of two move times has covered, of 1. */
static double triangle(double moves)
{
    double rest = 2.0 - moves;
    if (moves <= 0.0 || rest <= 0.0) {
        return moves <= 0.0 ? 0.0 : 1.0;
    }
    return moves < 1.0 ? 0.5 * moves * moves : 1.0 - 0.5 * rest * rest;
}

/* The position of the axis after `part` of move k, as the superposition of the moves; poses up to
 * number k are taken at the starts of moves 0 to k. */
static double superposed(int axis, int k, double part)
{
    double x = poses[k - 3][axis];
    for (int j = k - 2; j <= k; j++) {
        x += (poses[j][axis] - poses[j - 1][axis]) * triangle(k - j + part);
    }
    return x;
}

/* The uniform B-spline of order `order` (degree + 1) with knots 0, 1, ... by de Boor's recursion.
 */
static double basis(int order, double t)
{
    if (order == 1) {
        return t >= 0.0 && t < 1.0;
    }
    return (t * basis(order - 1, t) + (order - t) * basis(order - 1, t - 1.0)) / (order - 1);
}

static void a4_blend(void)
{
    struct dpl_blend blend;
    double by_moves = 0.0, by_basis = 0.0;
    dpl_blend_reset(&blend, poses[0]);
    for (int k = 1; k < N_POSES; k++) {
        dpl_blend_push(&blend, poses[k]);
        for (int s = 0; k >= 3 && s < 4; s++) {
            double part = 0.25 * s, pose[DPL_SIX];
            dpl_blend_at(&blend, part, pose);
            for (int i = 0; i < DPL_SIX; i++) {
                double x = 0.0;
                for (int j = 0; j < 3; j++) {
                    x += poses[k - j][i] * basis(3, j + part);
                }
                by_moves = fmax(by_moves, fabs(pose[i] - superposed(i, k, part)));
                by_basis = fmax(by_basis, fabs(pose[i] - x));
            }
        }
    }
    row_at_most("A4 blend against superposed triangular moves", by_moves, 1e-12, "");
    row_at_most("A4 blend against de Boor's quadratic B-spline", by_basis, 1e-12, "");
}

/* The blend's answer to a single pose of 1, from the start of its move. */
static double blend_spectrum(double frequency_hz, double *ret_phase_deg)
{
    const double none[DPL_SIX] = {0.0}, one[DPL_SIX] = {1.0};
    struct dpl_blend blend;
    double re = 0.0, im = 0.0;
    dpl_blend_reset(&blend, none);
    for (int k = 0; k < 3; k++) {
        dpl_blend_push(&blend, k == 0 ? one : none);
        for (int s = 0; s < FINE; s++) {
            double pose[DPL_SIX], part = (double)s / FINE;
            double angle = 2.0 * PI * frequency_hz * MOVE_S * (k + part);
            dpl_blend_at(&blend, part, pose);
            re += pose[0] * cos(angle) / FINE;
            im -= pose[0] * sin(angle) / FINE;
        }
    }
    *ret_phase_deg = atan2(im, re) * 180.0 / PI;
    return 20.0 * log10(hypot(re, im));
}

/* The spline's answer to a single knot of 1, at knots, from the knot's own time. */
static double spline_spectrum(double frequency_hz)
{
    const double none[DPL_AXES_N] = {0.0}, one[DPL_AXES_N] = {1.0};
    struct dpl_spline spline;
    double re = 0.0, im = 0.0;
    dpl_spline_reset(&spline, none);
    for (int k = 0; k < 4; k++) {
        struct dpl_spline_point point;
        double angle = 2.0 * PI * frequency_hz * 0.5 * MOVE_S * (k - 2);
        dpl_spline_push(&spline, k == 0 ? one : none);
        dpl_spline_at(&spline, 0.0, &point);
        re += point.position[0] * cos(angle);
        im -= point.position[0] * sin(angle);
    }
    return 20.0 * log10(hypot(re, im));
}

static void a4_stages(void)
{
    static const struct {
        double f_hz, blend_db, spline_db;
    } rows[] = {{3, -0.00241, -0.00080},
                {7, -0.01313, -0.00438},
                {11, -0.03242, -0.01081},
                {20, -0.10725, -0.03572}};
    double f[70], phase[70], blend = 0.0, spline = 0.0;
    for (int i = 0; i < 70; i++) {
        f[i] = 0.1 * (i + 1);
        blend_spectrum(f[i], &phase[i]);
    }
    row_near("A4 blend, group delay ms", phase_fit_line(f, phase, 70, true).delay_ms, 3.75, 1e-3);
    for (int i = 0; i < 4; i++) {
        double unused;
        blend = fmax(blend, fabs(blend_spectrum(rows[i].f_hz, &unused) - rows[i].blend_db));
        spline = fmax(spline, fabs(spline_spectrum(rows[i].f_hz) - rows[i].spline_db));
    }
    row_at_most("A4 blend, gain 3 to 20 Hz, error dB", blend, 1e-5, "");
    row_at_most("A4 cubic B-spline, gain 3 to 20 Hz, error dB", spline, 1e-5, "");
}

/* The values of section 1.4 for the chain, for the stages that exist here. Its gains without the
 * filter are valid for one start of the impulses within a move only; the stages' own gains are used
 * instead. */
struct chain_row {
    bool filtered;
    double delay_ms, tolerance_ms, gain_7_db, gain_11_db, rest_7_deg, rest_11_deg;
};

static double least_gain(const struct chain_response *response, double to_hz)
{
    double least, unused;
    response_gain_range(response, to_hz, &least, &unused);
    return least;
}

static double sinc(double x)
{
    return x == 0.0 ? 1.0 : sin(PI * x) / (PI * x);
}

/* The gain of blend, cubic B-spline and the model's hold together at the last bin up to `to_hz`,
 * relative to the ideal's hold of order one at the servo period. */
static double expected_gain(const struct chain_response *response, double to_hz)
{
    double f = response->frequency_hz[chain_bins_to(response, to_hz) - 1], move = f * MOVE_S;
    double gain = pow(sinc(move), 3.0) * (2.0 + cos(PI * move)) / 3.0 * sinc(move) /
                  pow(sinc(0.25 * move), 2.0);
    return 20.0 * log10(gain);
}

static int a4_chain(double natural_hz, const struct chain_row *row)
{
    struct chain_response response;
    struct chain_spec spec = {.natural_hz = natural_hz, .filtered = row->filtered};
    int r = chain_measure(&spec, &response);
    if (r < 0) {
        return r;
    }
    struct phase_fit fits[2];
    for (int i = 0; i < 2; i++) {
        fits[i] = phase_fit_line(response.frequency_hz, response.phase_deg,
                                 chain_bins_to(&response, i == 0 ? 7.0 : 11.0), false);
    }
    double gains[2] = {row->gain_7_db, row->gain_11_db};
    if (!row->filtered) {
        gains[0] = expected_gain(&response, 7.0);
        gains[1] = expected_gain(&response, 11.0);
    }
    const struct {
        const char *what;
        double value, expected, tolerance;
    } rows[] = {
        {"delay 0-7 Hz ms", fits[0].delay_ms, row->delay_ms, row->tolerance_ms},
        {"least gain 0-7 Hz dB", least_gain(&response, 7.0), gains[0], 1e-3},
        {"least gain 0-11 Hz dB", least_gain(&response, 11.0), gains[1], 1e-3},
        {"phase residual 0-7 Hz deg", fits[0].max_abs_deg, row->rest_7_deg, 1e-3},
        {"phase residual 0-11 Hz deg", fits[1].max_abs_deg, row->rest_11_deg, 2e-3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[80];
        snprintf(name, sizeof name, "A4 planner%s, %g Hz model: %s",
                 row->filtered ? " and filter" : "", natural_hz, rows[i].what);
        row_near(name, rows[i].value, rows[i].expected, rows[i].tolerance);
    }
    printf("    gain at 0 Hz, taken out of the above: %.4f dB\n", response.static_gain_db);
    return 0;
}

static void no_brake(void *context, const double pose[DPL_SIX], const double step[DPL_SIX],
                     double ret_pose[DPL_SIX])
{
    memcpy(ret_pose, pose, DPL_SIX * sizeof ret_pose[0]);
}

/* The largest acceleration of a whole run of the poses, for each axis. */
static int served_acceleration(double ret_greatest[DPL_AXES_N])
{
    struct dpl_path path;
    struct dpl_path_config config = {.servo_period_s = 0.25 * MOVE_S,
                                     .time_base = dpl_time_base_default(),
                                     .brake.next = no_brake};
    int r = dpl_path_reset(&path, &config, poses[0]);
    for (int i = 0; i < DPL_AXES_N; i++) {
        ret_greatest[i] = 0.0;
    }
    for (int tick = 0; r == 0 && tick < 4 * N_POSES; tick++) {
        struct dpl_axis_reference reference;
        double last[2][DPL_SIX];
        if (tick % 4 == 0) {
            uint64_t sequence = dpl_pose_buffer_resume(&path.buffer, last);
            dpl_pose_buffer_write(&path.buffer, sequence, poses[tick / 4]);
        }
        r = dpl_path_step(&path, &reference);
        for (int i = 0; i < DPL_AXES_N; i++) {
            ret_greatest[i] = fmax(ret_greatest[i], fabs(reference.acceleration[i]));
        }
    }
    return r;
}

static double planned_acceleration(int axis)
{
    double greatest = 0.0;
    for (int k = 2; k < N_POSES; k++) {
        double second = poses[k][axis] - 2.0 * poses[k - 1][axis] + poses[k - 2][axis];
        greatest = fmax(greatest, fabs(second) / (MOVE_S * MOVE_S));
    }
    return greatest;
}

static int a5_acceleration(void)
{
    double served[DPL_AXES_N], over = -1.0, under = 1.0;
    int r = served_acceleration(served);
    for (int i = 0; i < DPL_AXES_N; i++) {
        double ratio = served[i] / planned_acceleration(i);
        over = fmax(over, ratio - 1.0);
        under = fmin(under, ratio - 1.0);
    }
    row_at_most("A5 served over planned acceleration, less 1", over, 1e-9, "");
    row_at_least("A5 the same, least of the axes", under, -1e-9, "");
    return r;
}

static double along(const double direction[], const double pose[])
{
    double sum = 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        sum += direction[i] * pose[i];
    }
    return sum;
}

/* The distance of a point outside of the hull of the poses `from` to `from` + 3, along a
 * direction. */
static double outside(const double direction[], int from, const double point[])
{
    double furthest = -HUGE_VAL;
    for (int j = 0; j < 4; j++) {
        furthest = fmax(furthest, along(direction, poses[from + j]));
    }
    return along(direction, point) - furthest;
}

/* A spline through its knots, for comparison (Catmull and Rom, 1974), in the middle of a segment.
 */
static void interpolate(const struct dpl_spline *spline, double ret_position[DPL_AXES_N])
{
    for (int i = 0; i < DPL_AXES_N; i++) {
        ret_position[i] = (9.0 * (spline->knot[1][i] + spline->knot[2][i]) - spline->knot[0][i] -
                           spline->knot[3][i]) /
                          16.0;
    }
}

/* Both splines, each quarter of each segment, in 16 directions. */
static void a5_hull(void)
{
    struct dpl_random rng = dpl_random_seeded(4, 6);
    struct dpl_blend blend;
    struct dpl_spline spline;
    double worst = -HUGE_VAL, worst_interpolated = -HUGE_VAL;
    dpl_blend_reset(&blend, poses[0]);
    dpl_spline_reset(&spline, poses[0]);
    for (int k = 3; k < N_POSES; k++) {
        double knot[DPL_SIX], direction[DPL_SIX], through[DPL_SIX];
        dpl_blend_push(&blend, poses[k]);
        for (int half = 1; half <= 2; half++) {
            dpl_blend_at(&blend, 0.5 * half, knot);
            dpl_spline_push(&spline, knot);
        }
        if (k <= 6) {
            continue; /* the splines still contain their start */
        }
        for (int s = 0; s < 64; s++) {
            struct dpl_spline_point point;
            for (int i = 0; i < DPL_SIX; i++) {
                direction[i] = dpl_random_uniform(&rng, -1.0, 1.0);
            }
            dpl_spline_at(&spline, 0.25 * (s % 4), &point);
            worst = fmax(worst, outside(direction, k - 3, point.position));
        }
        struct dpl_spline through_poses;
        memcpy(through_poses.knot, poses[k - 3], sizeof through_poses.knot);
        interpolate(&through_poses, through);
        worst_interpolated = fmax(worst_interpolated, outside(direction, k - 3, through));
    }
    row_at_most("A5 furthest out of the hull of four poses", worst, 1e-12, "");
    row_at_least("A5 the same, an interpolating spline (must fail)", worst_interpolated, 1e-3, "");
}

int acceptance_moves_and_delay(void)
{
    static const struct chain_row chains[] = {
        {false, 10.0, 0.01, 0.0, 0.0, 0.0, 0.0},
        {true, 15.649, 0.002, -0.024, -0.075, 0.050, 0.197},
    };
    draw_poses();
    puts("A4  blended moves and the planner's delay");
    a4_blend();
    a4_stages();
    for (int i = 0; i < 4; i++) {
        int r = a4_chain(i % 2 == 0 ? 3.0 : 6.0, &chains[i / 2]);
        if (r < 0) {
            return r;
        }
    }
    puts("A5  both splines keep the limits of the poses");
    int r = a5_acceleration();
    a5_hull();
    return r;
}
