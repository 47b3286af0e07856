/* SPDX-License-Identifier: Apache-2.0 */
/* One axis from force to position, at 1.6 kHz. */
#include "chain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <doppel/math/random.h>

#include "butterworth.h"
#include "path.h"
#include "spring_mass_damper.h"

/* Each shape begins at each of the four ticks of a move, so that the aliasing of the planner's
 * lower rate cancels in the mean. */
#define N_ONSETS  4
#define N_WINDOWS (CHAIN_N_SHAPES * N_ONSETS)
#define N_HISTORY 64 /* number of stored ticks of the ideal answer */

struct chain {
    const struct chain_spec *spec;
    struct dpl_butterworth filter;
    struct dpl_butterworth_state filter_state;
    struct dpl_smd ideal, model;
    struct dpl_smd_state ideal_state, model_state;
    struct dpl_path path;
    struct dpl_servo servo;
    struct dpl_axis_plant plant;
    double pending_m_s2[3]; /* commands, the newest first */
    double measured_m;      /* of the cycle before */
};

struct chain_axis chain_axis_default(void)
{
    struct chain_axis axis = {
        .servo = dpl_servo_default,
        .plant = {.motor_kg = 1.0, .lag_s = 0.3e-3},
        .output_delay = 2,
        .measure_delay = 1,
    };
    axis.servo.accel_max_m_s2 = 1e3;
    return axis;
}

static void no_brake(void *context, const double pose[DPL_SIX], const double step[DPL_SIX],
                     double ret_pose[DPL_SIX])
{
    for (int i = 0; i < DPL_SIX; i++) {
        ret_pose[i] = pose[i];
    }
}

static int open_chain(const struct chain_spec *spec, struct chain *chain)
{
    const double home[DPL_SIX] = {0.0};
    struct dpl_path_config path = {.servo_period_s = CHAIN_PERIOD_S,
                                   .time_base = dpl_time_base_default(),
                                   .brake.next = no_brake};
    struct dpl_smd_config model =
        dpl_smd_paper_config(spec->natural_hz, 4.0 * CHAIN_PERIOD_S, DPL_HOLD_ZERO);
    struct dpl_smd_config ideal =
        dpl_smd_paper_config(spec->natural_hz, CHAIN_PERIOD_S, DPL_HOLD_FIRST);
    *chain = (struct chain){.spec = spec};
    int r = dpl_butterworth_design(2, 40.0, CHAIN_RATE_HZ, &chain->filter);
    r = r == 0 ? dpl_smd_init(&chain->model, &model) : r;
    r = r == 0 ? dpl_smd_init(&chain->ideal, &ideal) : r;
    r = r == 0 && spec->axis ? dpl_axis_plant_check(&spec->axis->plant, CHAIN_PERIOD_S) : r;
    return r == 0 ? dpl_path_reset(&chain->path, &path, home) : r;
}

static void semi_implicit_step(struct chain *chain, double force)
{
    double *x = chain->model_state.x[0], period = 4.0 * CHAIN_PERIOD_S;
    double mass = chain->model.mass[0];
    x[1] += period * (force - 5000.0 * x[0] - chain->model.damping[0] * x[1]) / mass;
    x[0] += period * x[1];
}

/* The model's deflection is the one at the planner's own time: it is written before the wrench of
 * that time changes it. */
static void plan(struct chain *chain, const double wrench[DPL_SIX])
{
    double last[2][DPL_SIX], pose[DPL_SIX];
    uint64_t sequence = dpl_pose_buffer_resume(&chain->path.buffer, last);
    for (int i = 0; i < DPL_SIX; i++) {
        pose[i] = chain->model_state.x[i][0];
    }
    dpl_pose_buffer_write(&chain->path.buffer, sequence, pose);
    if (chain->spec->semi_implicit) {
        semi_implicit_step(chain, wrench[0]);
    } else {
        dpl_smd_step(&chain->model, &chain->model_state, wrench);
    }
}

/* Servo and axis: the recorded position of this tick. */
static double follow(struct chain *chain, const struct dpl_axis_reference *path)
{
    const struct chain_axis *axis = chain->spec->axis;
    double position = chain->plant.load_position_m;
    double recorded = axis->measure_delay > 0 ? chain->measured_m : position;
    struct dpl_servo_reference reference = {path->position[0], path->velocity[0],
                                            path->acceleration[0]};
    double wanted =
        dpl_servo_step(&axis->servo, &chain->servo, CHAIN_PERIOD_S, &reference, position);
    chain->pending_m_s2[0] = wanted;
    double given = chain->pending_m_s2[axis->output_delay];
    double mass = axis->plant.motor_kg + axis->plant.load_kg;
    dpl_axis_plant_step(&axis->plant, &chain->plant, given * mass, CHAIN_PERIOD_S);
    chain->pending_m_s2[2] = chain->pending_m_s2[1];
    chain->pending_m_s2[1] = wanted;
    chain->measured_m = position;
    return recorded;
}

/* Both answers at this tick: the ideal one and that of the chain. */
static void run_tick(struct chain *chain, double force, bool planner, double ret_x[2])
{
    double wrench[DPL_SIX] = {force};
    struct dpl_axis_reference reference;
    dpl_smd_step(&chain->ideal, &chain->ideal_state, wrench);
    if (chain->spec->filtered) {
        wrench[0] = dpl_butterworth_step(&chain->filter, &chain->filter_state, force);
    }
    if (planner) {
        plan(chain, wrench);
    }
    dpl_path_step(&chain->path, &reference);
    ret_x[0] = chain->ideal_state.x[0][0];
    ret_x[1] = chain->spec->axis ? follow(chain, &reference) : reference.position[0];
}

int chain_measure(const struct chain_spec *spec, struct chain_response *ret_response)
{
    struct ratio_mean mean = {.n = 0};
    struct chain chain;
    int r = open_chain(spec, &chain);
    double *cosines = spectrum_cosines();
    if (r < 0 || !cosines) {
        free(cosines);
        return r < 0 ? r : -ENOMEM;
    }
    for (int window = 0; window < N_WINDOWS; window++) {
        struct spectrum spectra[2] = {0};
        int shape = window % CHAIN_N_SHAPES, onset = CHAIN_ONSET + window / CHAIN_N_SHAPES;
        for (int tick = 0; tick < CHAIN_WINDOW; tick++) {
            double x[2];
            run_tick(&chain, impulse_at(shape, tick - onset), tick % 4 == 0, x);
            spectrum_add(&spectra[0], cosines, tick, x[0]);
            spectrum_add(&spectra[1], cosines, tick, x[1]);
        }
        ratio_add(&mean, &spectra[0], &spectra[1]);
    }
    free(cosines);
    ratio_response(&mean, 0.0, ret_response);
    return 0;
}

/* The ideal answer `ticks` before the newest: the cubic through the four samples around. */
static double earlier(const double *history, int newest, double ticks)
{
    int whole = (int)ticks;
    double part = ticks - whole, at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = history[(newest - whole + 1 - i + 2 * N_HISTORY) % N_HISTORY];
    }
    double p = part * (1.0 - part);
    return at[1] * (1.0 - part) * (1.0 + part) * (2.0 - part) / 2.0 +
           at[2] * part * (1.0 + part) * (2.0 - part) / 2.0 - at[0] * p * (2.0 - part) / 6.0 -
           at[3] * p * (1.0 + part) / 6.0;
}

/* Sums of one run with a random force. */
struct comparison {
    double history[N_HISTORY], wrong, right;
};

static void compare(struct comparison *comparison, int tick, double delay_ticks, const double x[2])
{
    int at = tick % N_HISTORY;
    comparison->history[at] = x[0];
    if (tick < 4 * N_HISTORY) {
        return;
    }
    double ideal = earlier(comparison->history, at, delay_ticks);
    comparison->wrong += (x[1] - ideal) * (x[1] - ideal);
    comparison->right += ideal * ideal;
}

int chain_random_error(const struct chain_spec *spec, const struct chain_random *random,
                       double *ret_share)
{
    struct dpl_random rng = dpl_random_seeded(4, 7);
    struct dpl_butterworth band = {0};
    struct dpl_butterworth_state state = {0};
    struct comparison comparison = {0};
    struct chain chain;
    double delay = random->delay_s / CHAIN_PERIOD_S;
    bool white = random->band_hz == 0.0;
    int r = open_chain(spec, &chain);
    r = r == 0 && !white ? dpl_butterworth_design(4, random->band_hz, CHAIN_RATE_HZ, &band) : r;
    if (r < 0 || !(delay >= 1.0) || delay > N_HISTORY - 4) {
        return r < 0 ? r : -EINVAL;
    }
    for (int tick = 0; tick < random->n_ticks; tick++) {
        double x[2], force = 10.0 * dpl_random_normal(&rng);
        force = white ? force : dpl_butterworth_step(&band, &state, force);
        run_tick(&chain, force, tick % 4 == 0, x);
        compare(&comparison, tick, delay, x);
    }
    *ret_share = sqrt(comparison.wrong / comparison.right);
    return 0;
}
