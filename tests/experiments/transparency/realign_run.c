/* SPDX-License-Identifier: Apache-2.0 */
/* The reference is the sum of a sine and the model's exact answer to an impulse: both are
 * linear. */
#include "realign_run.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>

#include <doppel/math/geometry.h>

#include "planner_reference.h"
#include "spring_mass_damper.h"

#define TICK_S        0.0025
#define AMPLITUDE_MAX 0.09 /* m: with the answer to the impulse still inside the soft ellipsoid */
#define RAMP_TICKS    800  /* of the planner: 2 s */
#define LEAD_S        1.5  /* of the sine after it */
#define TAIL_S        12.0 /* after it, and two periods of the sine */
#define TICKS_MAX     16384

struct scene {
    const struct realign_case *what;
    double limit, amplitude, scale;
    int begin, end, n; /* first and last tick of the event, and number of all ticks */
    struct dpl_smd model;
    struct dpl_smd_state state;
    struct dpl_traj_planner planner;
    /* on x, from the centre; without the parts that are not a motion */
    double reference[TICKS_MAX];
    double output[TICKS_MAX];
    bool exact[TICKS_MAX]; /* the output is the reference */
    bool acted[TICKS_MAX];
};

static int window_ticks(double hz)
{
    return (int)lround(fmax(1.0, ceil(hz)) / hz / TICK_S);
}

static int ticks_of(double seconds)
{
    return (int)lround(seconds / TICK_S);
}

static int set_planner(struct scene *scene)
{
    struct dpl_traj_config config;
    planner_machine_config(&config, scene->scale, DPL_TRAJ_ALL_STAGES);
    config.saturation.feedforward = !scene->what->published;
    int r = dpl_traj_planner_init(&scene->planner, &config);
    return r < 0 ? r : dpl_traj_planner_start(&scene->planner, planner_machine_centre);
}

static int begin(struct scene *scene, const struct realign_case *what)
{
    double omega = 2.0 * DPL_PI * what->hz, full = planner_machine_accel[0];
    scene->what = what;
    scene->limit = fmin(full, omega * omega * AMPLITUDE_MAX / what->share);
    scene->scale = scene->limit / full;
    scene->amplitude = what->share * scene->limit / (omega * omega);
    scene->begin = RAMP_TICKS + ticks_of(LEAD_S) + window_ticks(what->hz);
    scene->end = scene->begin + what->event->n_ticks;
    scene->n = scene->end + ticks_of(TAIL_S + 2.0 / what->hz);
    scene->state = (struct dpl_smd_state){0};
    double model_hz = what->event->model_hz > 0.0 ? what->event->model_hz : 3.0;
    struct dpl_smd_config config = dpl_smd_paper_config(model_hz, TICK_S, DPL_HOLD_ZERO);
    int r = scene->n < TICKS_MAX ? dpl_smd_init(&scene->model, &config) : -ERANGE;
    return r < 0 ? r : set_planner(scene);
}

/* The wanted motion in a tick, on x from the centre. */
static double motion_at(struct scene *scene, int k)
{
    const struct realign_event *event = scene->what->event;
    bool on = k >= scene->begin && k < scene->end;
    double cycles = scene->what->hz * (k - scene->begin) * TICK_S + scene->what->phase;
    double x = scene->amplitude * sin(2.0 * DPL_PI * cycles), size = scene->scale * event->size;
    if (event->kind == REALIGN_BLOW) {
        double wrench[DPL_SIX] = {on ? size : 0.0};
        x += scene->state.x[0][0];
        dpl_smd_step(&scene->model, &scene->state, wrench);
    }
    return x + (event->kind == REALIGN_STEP && k >= scene->begin ? size : 0.0);
}

/* The disturbed input that replaces it and is not a motion. False: no input. */
static bool disturb(const struct scene *scene, int k, double *x)
{
    const struct realign_event *event = scene->what->event;
    if (k < scene->begin || k >= scene->end) {
        return true;
    }
    *x += event->kind == REALIGN_SPIKE ? scene->scale * event->size : 0.0;
    *x = event->kind == REALIGN_ZERO ? 0.0 : *x;
    return event->kind != REALIGN_DROPOUT;
}

static void step(struct scene *scene, int k)
{
    struct dpl_traj_reference r = {.stamp = 2500000 * (dpl_ns)k};
    struct dpl_traj_trace trace;
    double y[DPL_SIX], x = motion_at(scene, k), wanted = planner_machine_centre[0] + x;
    scene->reference[k] = x;
    bool there = disturb(scene, k, &x);
    dpl_traj_copy(r.pose, planner_machine_centre);
    r.pose[0] += x;
    dpl_traj_planner_step(&scene->planner, there ? &r : NULL, r.stamp, &trace, y);
    scene->output[k] = y[0] - planner_machine_centre[0];
    scene->exact[k] = y[0] == wanted;
    scene->acted[k] = trace.acted != 0;
}

/* ---- results -------------------------------------------------------------------------------- */

/* Gain and delay of the sine over whole periods from a tick on. */
static void fit(const struct scene *scene, int from, double *ret_db, double *ret_ms)
{
    double hz = scene->what->hz, rr = 0.0, ri = 0.0, yr = 0.0, yi = 0.0;
    for (int k = from; k < from + window_ticks(hz); k++) {
        double angle = 2.0 * DPL_PI * hz * k * TICK_S;
        rr += scene->reference[k] * cos(angle);
        ri -= scene->reference[k] * sin(angle);
        yr += scene->output[k] * cos(angle);
        yi -= scene->output[k] * sin(angle);
    }
    *ret_db = 20.0 * log10(hypot(yr, yi) / hypot(rr, ri));
    *ret_ms = -1e3 * atan2(yi * rr - yr * ri, yr * rr + yi * ri) / (2.0 * DPL_PI * hz);
}

/* The shortest time in which the axis moves a distance from one speed to another: with the largest
 * acceleration in one direction, then in the other. */
static double least_between(double limit, double way, double v0, double v1)
{
    double best = (double)INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        double a = sign * limit, peak_squared = a * way + 0.5 * (v0 * v0 + v1 * v1);
        double peak = sign * sqrt(fmax(peak_squared, 0.0));
        double t0 = (peak - v0) / a, t1 = (peak - v1) / a;
        if (peak_squared >= 0.0 && t0 >= 0.0 && t1 >= 0.0) {
            best = fmin(best, t0 + t1);
        }
    }
    return best;
}

static double least(const struct scene *scene, double can_follow_s)
{
    const double *r = scene->reference, *y = scene->output;
    double from = y[scene->end - 1], speed = (from - y[scene->end - 2]) / TICK_S;
    for (int k = scene->end; k < scene->n; k++) {
        double t = (k + 1 - scene->end) * TICK_S, r_speed = (r[k] - r[k - 1]) / TICK_S;
        if (t >= can_follow_s && least_between(scene->limit, r[k] - from, speed, r_speed) <= t) {
            return t;
        }
    }
    return (double)INFINITY;
}

static double since_end(const struct scene *scene, int k)
{
    return fmax(0.0, (k + 1 - scene->end) * TICK_S);
}

static void measure(const struct scene *scene, struct realign_result *ret_result)
{
    struct realign_result result = {.limit = scene->limit};
    const double *r = scene->reference;
    for (int k = scene->begin; k < scene->n; k++) {
        double accel = fabs(r[k] - 2.0 * r[k - 1] + r[k - 2]) / (TICK_S * TICK_S);
        result.deviation = fmax(result.deviation, fabs(scene->output[k] - r[k]));
        result.aligned_s = scene->exact[k] ? result.aligned_s : since_end(scene, k);
        result.can_follow_s = accel > scene->limit ? since_end(scene, k) : result.can_follow_s;
    }
    result.least_s = least(scene, result.can_follow_s);
    result.deadline_s = fmin(fmax(REALIGN_DEADLINE_S, 1.5 * result.least_s), TAIL_S);
    int deadline = scene->end + ticks_of(result.deadline_s);
    for (int k = deadline; k < scene->n; k++) {
        result.n_acted += scene->acted[k];
    }
    fit(scene, scene->begin - window_ticks(scene->what->hz), &result.before_db, &result.before_ms);
    fit(scene, deadline, &result.gain_db, &result.delay_ms);
    *ret_result = result;
}

int realign_run(const struct realign_case *what, struct realign_result *ret_result)
{
    static struct scene scene; /* too large for the stack */
    int r = begin(&scene, what);
    for (int k = 0; r == 0 && k < scene.n; k++) {
        step(&scene, k);
    }
    if (r == 0) {
        measure(&scene, ret_result);
    }
    return r;
}

bool realign_met(const struct realign_result *result)
{
    return result->aligned_s <= result->deadline_s && result->n_acted == 0 &&
           fabs(result->gain_db - result->before_db) <= REALIGN_GAIN_DB &&
           fabs(result->delay_ms - result->before_ms) <= REALIGN_DELAY_MS;
}

static void lift(double *worst, double value)
{
    *worst = fabs(value) > fabs(*worst) || isnan(value) ? value : *worst;
}

void realign_worst(struct realign_result *worst, const struct realign_result *result)
{
    lift(&worst->limit, result->limit);
    lift(&worst->aligned_s, result->aligned_s);
    lift(&worst->can_follow_s, result->can_follow_s);
    lift(&worst->least_s, result->least_s);
    lift(&worst->deadline_s, result->deadline_s);
    lift(&worst->gain_db, result->gain_db);
    lift(&worst->delay_ms, result->delay_ms);
    lift(&worst->before_db, result->before_db);
    lift(&worst->before_ms, result->before_ms);
    lift(&worst->deviation, result->deviation);
    worst->n_acted = result->n_acted > worst->n_acted ? result->n_acted : worst->n_acted;
}
