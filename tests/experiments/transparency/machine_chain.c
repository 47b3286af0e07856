/* SPDX-License-Identifier: Apache-2.0 */
/* The chain of six degrees of freedom, one servo tick at a time. */
#include "machine_chain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "butterworth.h"
#include "hexa_fk.h"
#include "hexa_ik.h"
#include "path.h"
#include "planner_reference.h"
#include "spring_mass_damper.h"

#define N_ONSETS    4 /* as in the chain of one axis */
#define N_WINDOWS   (CHAIN_N_SHAPES * N_ONSETS)
#define RAMP_TICKS  4000 /* the planner's synchronisation at rest */
#define TICK_NS     (625 * DPL_US)
#define ANGLE_ARM_M 0.25 /* length by which an angle is multiplied for comparison with a length */

struct machine {
    const struct machine_spec *spec;
    struct machine_result *result;
    struct dpl_butterworth filter;
    struct dpl_butterworth_state filter_state[DPL_SIX];
    struct dpl_smd ideal, model;
    struct dpl_smd_state ideal_state, model_state;
    struct dpl_traj_planner planner;
    struct dpl_path path;
    struct dpl_servo servo[DPL_AXES_N];
    struct dpl_axis_plant plant[DPL_AXES_N];
    double pending_m_s2[DPL_AXES_N][3]; /* commands of each axis, the newest first */
    struct dpl_hexa_tracker tracker;
    double measured[DPL_SIX]; /* pose of the cycle before */
    dpl_ns now;
    double cross, main; /* largest deflections, m */
};

static void brake(void *context, const double pose[DPL_SIX], const double step[DPL_SIX],
                  double ret_pose[DPL_SIX])
{
    struct machine *machine = context;
    struct dpl_traj_motion motion;
    dpl_traj_copy(motion.y, pose);
    dpl_traj_copy(motion.d, step);
    dpl_traj_brake_step(&machine->planner.config.axes, &motion, ret_pose);
}

static int to_axes(void *context, const double pose[DPL_SIX], double ret_q[DPL_AXES_N])
{
    return dpl_hexa_ik(&dpl_hexa_reference, pose, ret_q);
}

static int open_signals(struct machine *machine, double natural_hz)
{
    struct dpl_smd_config model =
        dpl_smd_paper_config(natural_hz, 4.0 * CHAIN_PERIOD_S, DPL_HOLD_ZERO);
    struct dpl_smd_config ideal = dpl_smd_paper_config(natural_hz, CHAIN_PERIOD_S, DPL_HOLD_FIRST);
    int r = dpl_butterworth_design(2, 40.0, CHAIN_RATE_HZ, &machine->filter);
    r = r == 0 ? dpl_smd_init(&machine->model, &model) : r;
    return r == 0 ? dpl_smd_init(&machine->ideal, &ideal) : r;
}

static int open_motion(struct machine *machine)
{
    const double *home = dpl_hexa_reference.home;
    struct dpl_traj_config config;
    struct dpl_path_config path = {.servo_period_s = CHAIN_PERIOD_S,
                                   .time_base = dpl_time_base_default(),
                                   .brake = {brake, machine},
                                   .map = {to_axes, NULL}};
    double q_m[DPL_AXES_N];
    dpl_traj_config_set(&config, home, dpl_hexa_reference.half_range, planner_machine_accel);
    int r = dpl_traj_planner_init(&machine->planner, &config);
    r = r == 0 ? dpl_traj_planner_start(&machine->planner, home) : r;
    r = r == 0 ? dpl_path_reset(&machine->path, &path, home) : r;
    r = r == 0 ? dpl_hexa_ik(&dpl_hexa_reference, home, q_m) : r;
    for (int i = 0; r == 0 && i < DPL_AXES_N; i++) {
        dpl_servo_reset(&machine->servo[i], q_m[i]);
        dpl_axis_plant_reset(&machine->plant[i], q_m[i]);
    }
    dpl_hexa_tracker_init(&machine->tracker, &dpl_hexa_reference);
    dpl_traj_copy(machine->measured, home);
    return r;
}

/* Model, planner, buffer: each fourth tick. */
static void plan(struct machine *machine, const double wrench[DPL_SIX])
{
    struct dpl_traj_reference reference = {.stamp = machine->now};
    struct dpl_traj_trace trace;
    double last[2][DPL_SIX], pose[DPL_SIX];
    for (int i = 0; i < DPL_SIX; i++) {
        reference.pose[i] = dpl_hexa_reference.home[i] + machine->model_state.x[i][0];
    }
    dpl_traj_planner_step(&machine->planner, &reference, machine->now, &trace, pose);
    machine->result->n_acted += machine->now >= RAMP_TICKS * TICK_NS && trace.acted != 0;
    uint64_t sequence = dpl_pose_buffer_resume(&machine->path.buffer, last);
    dpl_pose_buffer_write(&machine->path.buffer, sequence, pose);
    dpl_smd_step(&machine->model, &machine->model_state, wrench);
}

static void follow_axis(struct machine *machine, int i, const struct dpl_axis_reference *path)
{
    const struct chain_axis *axis = machine->spec->axis;
    struct dpl_axis_plant *plant = &machine->plant[i];
    struct dpl_servo_reference reference = {path->position[i], path->velocity[i],
                                            path->acceleration[i]};
    double *pending = machine->pending_m_s2[i];
    pending[0] = dpl_servo_step(&axis->servo, &machine->servo[i], CHAIN_PERIOD_S, &reference,
                                plant->motor_position_m);
    double force = pending[axis->output_delay] * (axis->plant.motor_kg + axis->plant.load_kg);
    dpl_axis_plant_step(&axis->plant, plant, force, CHAIN_PERIOD_S);
    pending[2] = pending[1];
    pending[1] = pending[0];
    machine->result->accel_m_s2 = fmax(machine->result->accel_m_s2, fabs(pending[0]));
}

/* Servo, axes and forward kinematics: the recorded pose of this tick. */
static void follow(struct machine *machine, const struct dpl_axis_reference *path,
                   double ret_pose[DPL_SIX])
{
    double q_m[DPL_AXES_N], pose[DPL_SIX];
    for (int i = 0; i < DPL_AXES_N; i++) {
        q_m[i] = machine->plant[i].load_position_m;
        follow_axis(machine, i, path);
    }
    machine->result->n_faults += dpl_hexa_tracker_step(&machine->tracker, q_m, pose) < 0;
    dpl_traj_copy(ret_pose, machine->spec->axis->measure_delay > 0 ? machine->measured : pose);
    dpl_traj_copy(machine->measured, pose);
}

static void record_crosstalk(struct machine *machine, const double pose[DPL_SIX])
{
    for (int i = 0; i < DPL_SIX; i++) {
        double way = fabs(pose[i] - dpl_hexa_reference.home[i]) * (i < 3 ? 1.0 : ANGLE_ARM_M);
        double *greatest = i == machine->spec->excited ? &machine->main : &machine->cross;
        *greatest = fmax(*greatest, way);
    }
}

/* Both answers of the excited degree of freedom at this tick: the ideal one and the machine's. */
static void run_tick(struct machine *machine, double force, bool planner, double ret_x[2])
{
    int excited = machine->spec->excited;
    double wrench[DPL_SIX] = {0.0}, pose[DPL_SIX];
    struct dpl_axis_reference reference;
    wrench[excited] = force * machine->spec->newtons;
    dpl_smd_step(&machine->ideal, &machine->ideal_state, wrench);
    for (int i = 0; i < DPL_SIX; i++) {
        wrench[i] = dpl_butterworth_step(&machine->filter, &machine->filter_state[i], wrench[i]);
    }
    if (planner) {
        plan(machine, wrench);
    }
    machine->result->n_faults += dpl_path_step(&machine->path, &reference) < 0;
    follow(machine, &reference, pose);
    machine->now += TICK_NS;
    record_crosstalk(machine, pose);
    ret_x[0] = machine->ideal_state.x[excited][0];
    ret_x[1] = pose[excited] - dpl_hexa_reference.home[excited];
    machine->result->deflection = fmax(machine->result->deflection, fabs(ret_x[0]));
}

static void run_window(struct machine *machine, const double *cosines, int window,
                       struct ratio_mean *mean)
{
    struct spectrum spectra[2] = {0};
    int shape = window % CHAIN_N_SHAPES, onset = CHAIN_ONSET + window / CHAIN_N_SHAPES;
    for (int tick = 0; tick < CHAIN_WINDOW; tick++) {
        double x[2];
        run_tick(machine, impulse_at(shape, tick - onset), tick % 4 == 0, x);
        spectrum_add(&spectra[0], cosines, tick, x[0]);
        spectrum_add(&spectra[1], cosines, tick, x[1]);
    }
    ratio_add(mean, &spectra[0], &spectra[1]);
}

int machine_measure(const struct machine_spec *spec, struct machine_result *ret_result)
{
    struct machine_result result = {0};
    struct machine machine = {.spec = spec, .result = &result};
    struct ratio_mean mean = {.n = 0};
    int r = dpl_axis_plant_check(&spec->axis->plant, CHAIN_PERIOD_S);
    r = r == 0 ? open_signals(&machine, spec->natural_hz) : r;
    r = r == 0 ? open_motion(&machine) : r;
    double *cosines = spectrum_cosines();
    if (r < 0 || !cosines) {
        free(cosines);
        return r < 0 ? r : -ENOMEM;
    }
    for (int tick = 0; tick < RAMP_TICKS; tick++) {
        double x[2];
        run_tick(&machine, 0.0, tick % 4 == 0, x);
    }
    for (int window = 0; window < N_WINDOWS; window++) {
        run_window(&machine, cosines, window, &mean);
    }
    free(cosines);
    ratio_response(&mean, 1.0, &result.response);
    result.crosstalk = machine.cross / machine.main;
    *ret_result = result;
    return 0;
}
