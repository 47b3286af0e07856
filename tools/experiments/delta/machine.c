/* SPDX-License-Identifier: Apache-2.0 */
/* delta_machine: a delta robot in a world, controlled along its pick-and-place path with exact
 * measurements and torques, held against closed forms: how far the loops gape, how far joints and
 * platform are from the kinematics and from the path, and the balance of energy. Prints a
 * table. Exit 0; 1: a limit is missed or the world cannot be used; 2 on wrong usage. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/number_rows.h>
#include <doppel/math/vector3.h>
#include <doppel/sim/audit.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>

#include "delta_control.h"
#include "motor_table.h"

enum { RODS = 2 * DPL_DELTA_ARMS };

static const double erp = 0.8; /* of the solver: the share of a gap that it closes in a step */

/* ---- the robot ---- */

struct machine {
    struct dpl_sim_model *model;
    struct dpl_world *world;
    struct dpl_world_channels *channels;
    size_t current[DPL_DELTA_ARMS], position[DPL_DELTA_ARMS], velocity[DPL_DELTA_ARMS];
    size_t rod[RODS], platform, base;
    double dt;
};

/* The channel "delta/" + a name with a number; -1: there is none, and it has been told. */
static int find(const struct machine *machine, const char *format, int number, bool put,
                size_t *ret_channel)
{
    char name[64], path[96];
    struct dpl_diag error = {0};
    snprintf(name, sizeof name, format, number);
    snprintf(path, sizeof path, "delta/%s", name);
    struct dpl_channel_want want = {.path = path, .put = put};
    int found = dpl_world_channels_find(machine->channels, &want, &error);
    if (found < 0) {
        dpl_diag_print(stderr, &error);
        return -1;
    }
    *ret_channel = (size_t)found;
    return 0;
}

static int find_all(struct machine *machine)
{
    int err = find(machine, "platform/pose", 0, false, &machine->platform);
    err = err ? err : find(machine, "base/pose", 0, false, &machine->base);
    for (int i = 0; i < DPL_DELTA_ARMS && !err; i++) {
        err = find(machine, "motor%d/current", i, true, &machine->current[i]);
        err = err ? err : find(machine, "arm%d/position", i, false, &machine->position[i]);
        err = err ? err : find(machine, "arm%d/velocity", i, false, &machine->velocity[i]);
        err = err ? err : find(machine, "rod%02d/pose", 10 * i, false, &machine->rod[2 * i]);
        err =
            err ? err : find(machine, "rod%02d/pose", 10 * i + 1, false, &machine->rod[2 * i + 1]);
    }
    return err;
}

/* Parameters of the robot, in the world and here. */
struct params {
    struct dpl_sim_set sets[DPL_DELTA_N_PARAMETERS];
    size_t n;
};

static int load(struct machine *machine, const char *file, const struct params *params,
                double step_s)
{
    /* currents of any size: the torques are exact */
    static const struct dpl_sim_set sets[] = {{.text = "delta.motor0.resolution=0"},
                                              {.text = "delta.motor1.resolution=0"},
                                              {.text = "delta.motor2.resolution=0"}};
    struct dpl_sim_load_options options = {
        .sets = sets, .n_sets = 3, .params = params->sets, .n_params = params->n};
    struct dpl_diag error = {0};
    int err = dpl_sim_load_world_with(file, &options, &machine->model, &error);
    if (err == 0 && step_s > 0.0) {
        machine->model->step = dpl_ns_from_s(step_s);
    }
    err = err ? err : dpl_world_create(machine->model, &machine->world, &error);
    if (err) {
        dpl_diag_print(stderr, &error);
        return -1;
    }
    machine->dt = dpl_ns_to_s(machine->model->step);
    err = dpl_world_channels_create(machine->world, &machine->channels);
    return err ? -1 : find_all(machine);
}

static void unload(struct machine *machine)
{
    dpl_world_channels_destroy(machine->channels);
    dpl_world_destroy(machine->world);
    dpl_sim_model_destroy(machine->model);
}

static double number(const struct machine *machine, size_t channel)
{
    double value = 0.0;
    dpl_ns stamp;
    dpl_world_channels_get(machine->channels, channel, &value, &stamp);
    return value;
}

static struct dpl_pose3 pose(const struct machine *machine, size_t channel)
{
    double v[7] = {0};
    dpl_ns stamp;
    dpl_world_channels_get(machine->channels, channel, v, &stamp);
    return (struct dpl_pose3){{v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]}};
}

/* ---- what is measured ---- */

struct sums {
    double square, max;
    long n;
};

static void add(struct sums *sums, double value)
{
    sums->square += value * value;
    sums->max = fmax(sums->max, fabs(value));
    sums->n++;
}

static double rms(const struct sums *sums)
{
    return sqrt(sums->square / (double)(sums->n > 0 ? sums->n : 1));
}

struct results {
    struct sums gap, kinematics, joint, platform, tilt, correction;
    double audit_j_s; /* most energy that comes from nowhere, per second */
    double world_j_s; /* the same as `doppel sim --audit` has it */
    double law_m;     /* bound of the gap */
};

/* How much further apart than the rod is long its joints are: at the elbow and at the platform. */
static double gap_of(const struct machine *machine, const struct dpl_delta *delta, int rod,
                     const struct dpl_pose3 *platform)
{
    struct dpl_pose3 elbow = pose(machine, machine->rod[rod]);
    const double *e = dpl_delta_azimuth[rod / 2];
    double side = rod % 2 ? delta->half_pair_m : -delta->half_pair_m;
    struct dpl_vector3 on_platform = {delta->platform_radius_m * e[0] - side * e[1],
                                      delta->platform_radius_m * e[1] + side * e[0], 0.0};
    struct dpl_vector3 joint = dpl_vector3_add(
        platform->position, dpl_quaternion_turn(platform->orientation, on_platform));
    return dpl_vector3_length(dpl_vector3_minus(joint, elbow.position)) - delta->rod_m;
}

/* Speed of the lower end of a rod against its upper end, the fastest of the three. */
static double end_speed(const struct dpl_delta *delta, const struct dpl_delta_motion *motion)
{
    double most = 0.0;
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        const double *e = dpl_delta_azimuth[i];
        double out = -delta->arm_m * sin(motion->q[i]) * motion->qd[i];
        double down = -delta->arm_m * cos(motion->q[i]) * motion->qd[i];
        double way[3] = {motion->v[0] - e[0] * out, motion->v[1] - e[1] * out, motion->v[2] - down};
        most = fmax(most, sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
    }
    return most;
}

static void measure(const struct machine *machine, const struct dpl_delta_control *control,
                    const struct dpl_delta_motion *reference, const double *q,
                    struct results *results)
{
    struct dpl_pose3 base = pose(machine, machine->base);
    struct dpl_pose3 platform = pose(machine, machine->platform);
    struct dpl_vector3 p = dpl_vector3_minus(platform.position, base.position);
    double at[3] = {p.x, p.y, p.z}, ik[DPL_DELTA_ARMS], off = 0.0;
    for (int rod = 0; rod < RODS; rod++) {
        add(&results->gap, gap_of(machine, &control->delta, rod, &platform));
    }
    bool reached = dpl_delta_ik(&control->delta, at, ik) == 0;
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        add(&results->kinematics, reached ? q[i] - ik[i] : (double)INFINITY);
        add(&results->joint, q[i] - reference->q[i]);
        off += (at[i] - reference->p[i]) * (at[i] - reference->p[i]);
    }
    add(&results->platform, sqrt(off));
    add(&results->tilt, 2.0 * hypot(platform.orientation.x, platform.orientation.y));
    double v = end_speed(&control->delta, reference) * machine->dt;
    results->law_m = fmax(results->law_m, v * v / (2.0 * control->delta.rod_m * erp));
}

/* ---- the run ---- */

struct run {
    struct machine machine;
    struct dpl_delta_control control;
    struct dpl_motor_table motor;
    struct results results;
    double work_j, energy_j; /* by the torques since the approach; at its end */
    struct dpl_audit *audit; /* since then; NULL: not yet */
};

static void make_motor(struct dpl_motor_table *motor)
{
    static const double rows[][2] = {{0, 0},     {2, 0.120},  {4, 0.240}, {6, 0.358},
                                     {8, 0.468}, {10, 0.560}, {12, 0.630}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        dpl_motor_table_add(motor, rows[i][0], rows[i][1], 0.0, NULL);
    }
}

static void read_joints(const struct machine *machine, double *q, double *qd)
{
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        q[i] = number(machine, machine->position[i]);
        qd[i] = number(machine, machine->velocity[i]);
    }
}

/* Kinetic and potential energy as the joints say, for a delta whose loops are closed. */
static double energy_of(const struct run *run, const double *q, const double *qd)
{
    struct dpl_delta_motion motion = {0};
    memcpy(motion.q, q, sizeof motion.q);
    memcpy(motion.qd, qd, sizeof motion.qd);
    if (dpl_delta_motion_of_platform(&run->control.delta, &motion)) {
        return (double)NAN;
    }
    struct dpl_delta_energy energy = dpl_delta_energy(&run->control.delta, &motion);
    return energy.kinetic + energy.potential;
}

/* Most that is missing or too much in the world's own balance since the approach. */
static void audit_step(struct run *run, double on_path_s)
{
    struct dpl_audit_balance balance;
    dpl_audit_step(run->audit);
    dpl_audit_balance(run->audit, 0, &balance);
    if (on_path_s > 0.5) {
        run->results.world_j_s = fmax(run->results.world_j_s, fabs(balance.lost) / on_path_s);
    }
}

/* A step with these torques. The work is that of the mean speed in the step. 0 or -ENOMEM. */
static int drive(struct run *run, const double *torque, const double *qd, double on_path_s)
{
    const struct machine *machine = &run->machine;
    int err = 0;
    double q[DPL_DELTA_ARMS], after[DPL_DELTA_ARMS];
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        double current = dpl_motor_current(&run->motor, torque[i] / run->control.delta.gear, 0.0);
        dpl_world_channels_put(machine->channels, machine->current[i], &current);
    }
    if (on_path_s >= 0.0 && !run->audit) {
        err = dpl_audit_create(machine->world, &run->audit);
    }
    dpl_world_step(machine->world, 1);
    read_joints(machine, q, after);
    if (on_path_s < 0.0 || err) {
        run->energy_j = energy_of(run, q, after);
        return err;
    }
    audit_step(run, on_path_s);
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        run->work_j += torque[i] * 0.5 * (qd[i] + after[i]) * machine->dt;
    }
    double lost = run->work_j - (energy_of(run, q, after) - run->energy_j);
    if (on_path_s > 0.5) {
        run->results.audit_j_s = fmax(run->results.audit_j_s, fabs(lost) / on_path_s);
    }
    return 0;
}

static int follow(struct run *run, double seconds)
{
    double q[DPL_DELTA_ARMS], qd[DPL_DELTA_ARMS];
    long steps = lround((run->control.approach_s + seconds) / run->machine.dt);
    for (long i = 0; i < steps; i++) {
        struct dpl_delta_motion reference;
        double torque[DPL_DELTA_ARMS], feed_forward[DPL_DELTA_ARMS];
        double at_s = (double)i * run->machine.dt;
        read_joints(&run->machine, q, qd);
        int err = dpl_delta_control_reference(&run->control, at_s, &reference);
        err = err ? err : dpl_delta_control_torque(&run->control, &reference, q, qd, torque);
        err = err ? err : dpl_delta_torque(&run->control.delta, &reference, feed_forward);
        if (err) {
            fprintf(stderr, "delta_machine: at %g s the arms stand as no delta can\n", at_s);
            return -1;
        }
        if (at_s >= run->control.approach_s) {
            measure(&run->machine, &run->control, &reference, q, &run->results);
            for (int k = 0; k < DPL_DELTA_ARMS; k++) {
                add(&run->results.correction, torque[k] - feed_forward[k]);
            }
        }
        if (drive(run, torque, qd, at_s - run->control.approach_s) < 0) {
            fprintf(stderr, "delta_machine: out of memory\n");
            return -1;
        }
    }
    return 0;
}

/* ---- the table ---- */

static bool print_row(const char *what, const char *unit, double value, double limit)
{
    bool holds = value <= limit;
    printf("%-44s %12.4g  %-5s %10.3g  %s\n", what, value, unit, limit, holds ? "ok" : "MISSED");
    return holds;
}

static int print_table(const struct run *run)
{
    const struct results *r = &run->results;
    double scale = run->machine.dt / 5e-4; /* errors of the integrator grow with the step */
    bool all = true;
    printf("%g s of pick and place, steps of %g ms\n",
           dpl_ns_to_s(dpl_world_now(run->machine.world)), 1e3 * run->machine.dt);
    printf("%-44s %12s  %-5s %10s\n", "", "measured", "", "limit");
    all &= print_row("length of a rod from joint to joint, error", "um", 1e6 * r->gap.max,
                     1.15e6 * r->law_m);
    all &= print_row("joints against kinematics of the platform", "rad", r->kinematics.max,
                     1.5e-5 * scale * scale);
    all &= print_row("joints against the path, rms", "rad", rms(&r->joint), 2e-4 * scale);
    all &= print_row("joints against the path, max", "rad", r->joint.max, 5e-4 * scale);
    all &=
        print_row("platform against the path, rms", "um", 1e6 * rms(&r->platform), 100.0 * scale);
    all &= print_row("tilt of the platform, max", "rad", r->tilt.max, 1e-9);
    all &= print_row("torque that the feedback adds, rms", "Nm", rms(&r->correction),
                     0.02 * fmax(1.0, 1.5 * scale - 0.5));
    all &= print_row("energy from nowhere", "mJ/s", 1e3 * r->audit_j_s,
                     5.0 * fmax(1.0, 2 * scale - 1));
    all &= print_row("the same by the audit of the world", "mJ/s", 1e3 * r->world_j_s,
                     5.0 * fmax(1.0, 2 * scale - 1));
    return all ? 0 : 1;
}

static const char usage_text[] =
    "usage: delta_machine [--seconds S] [--step S] [--param NAME=VALUE ...] WORLD.xml\n"
    "  --seconds S          on the path (default 12)\n"
    "  --step S             of the world, s (default: the world's)\n"
    "  --param NAME=VALUE   of the robot, as delta_kinematics --help lists them; and Z0 of the "
    "path\n"
    "  WORLD.xml            with a robot 'delta', as profiles/worlds/delta_cell.xml\n";

struct arguments {
    double seconds, step_s;
    struct params params;
    struct dpl_delta_control *control;
};

static int take_parameter(struct arguments *arguments, const char *text)
{
    struct params *params = &arguments->params;
    char name[16] = "";
    double value;
    const char *equals = strchr(text, '=');
    bool is_given = equals && (size_t)(equals - text) < sizeof name &&
                    dpl_rows_only(equals + 1, 1, &value) && params->n < DPL_DELTA_N_PARAMETERS;
    memcpy(name, text, is_given ? (size_t)(equals - text) : 0);
    if (is_given && strcmp(name, "Z0") == 0) {
        arguments->control->path.pick_m[2] = arguments->control->path.place_m[2] = value;
        return 0;
    }
    if (!is_given || dpl_delta_set(&arguments->control->delta, name, value)) {
        fprintf(stderr, "delta_machine: --param '%s': expected NAME=VALUE of a parameter\n", text);
        return 2;
    }
    params->sets[params->n++] = (struct dpl_sim_set){.text = text, .place = {.file = "--param"}};
    return 0;
}

/* The exit code, or -1: continue. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
    static const struct option options[] = {
        {"seconds", required_argument, NULL, 's'},
        {"step", required_argument, NULL, 't'},
        {"param", required_argument, NULL, 'p'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    int option, code = 0;
    while (code == 0 && (option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        double *number = option == 's' ? &arguments->seconds : &arguments->step_s;
        switch (option) {
        case 's':
        case 't': code = dpl_rows_only(optarg, 1, number) && *number > 0.0 ? 0 : 2; break;
        case 'p': code = take_parameter(arguments, optarg); break;
        case 'h': fputs(usage_text, stdout); return 0;
        default: code = 2;
        }
    }
    code = code == 0 && optind + 1 != argc ? 2 : code;
    fputs(code ? usage_text : "", stderr);
    return code ? code : -1;
}

static int run_on(struct run *run, const char *world, const struct arguments *arguments)
{
    double q[DPL_DELTA_ARMS], qd[DPL_DELTA_ARMS];
    const char *what = "";
    if (load(&run->machine, world, &arguments->params, arguments->step_s) < 0) {
        return 1;
    }
    read_joints(&run->machine, q, qd);
    if (dpl_delta_control_start(&run->control, q, &what) < 0) {
        fprintf(stderr, "delta_machine: the path cannot be followed: %s\n", what);
        return 1;
    }
    return follow(run, arguments->seconds) == 0 ? print_table(run) : 1;
}

int main(int argc, char **argv)
{
    static struct run run;
    struct arguments arguments = {.seconds = 12.0, .control = &run.control};
    run.control = (struct dpl_delta_control){.delta = dpl_delta_reference,
                                             .path = dpl_pick_place_reference,
                                             .bandwidth_rad_s = 200.0,
                                             .approach_s = 1.0};
    make_motor(&run.motor);
    int code = parse(argc, argv, &arguments);
    if (code < 0) {
        code = run_on(&run, argv[optind], &arguments);
        dpl_audit_destroy(run.audit);
        unload(&run.machine);
    }
    return code;
}
