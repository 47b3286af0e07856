/* SPDX-License-Identifier: Apache-2.0 */
/* delta_machine: a delta robot in a world, controlled along its pick-and-place path with exact
 * measurements and torques, held against closed forms: how far the loops gape, how far joints and
 * platform are from the kinematics and from the path, and the balance of energy. Prints a
 * table. Exit 0; 1: a limit is missed or the world cannot be used; 2 on wrong usage. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/number_rows.h>
#include <doppel/sim/audit.h>

#include "delta_control.h"
#include "machine_results.h"
#include "motor_table.h"

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
    machine_read_joints(machine, q, after);
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
        machine_read_joints(&run->machine, q, qd);
        int err = dpl_delta_control_reference(&run->control, at_s, &reference);
        err = err ? err : dpl_delta_control_torque(&run->control, &reference, q, qd, torque);
        err = err ? err : dpl_delta_torque(&run->control.delta, &reference, feed_forward);
        if (err) {
            fprintf(stderr, "delta_machine: at %g s the arms stand as no delta can\n", at_s);
            return -1;
        }
        if (at_s >= run->control.approach_s) {
            results_measure(&run->machine, &run->control, &reference, q, &run->results);
            for (int k = 0; k < DPL_DELTA_ARMS; k++) {
                results_add(&run->results.correction, torque[k] - feed_forward[k]);
            }
        }
        if (drive(run, torque, qd, at_s - run->control.approach_s) < 0) {
            fprintf(stderr, "delta_machine: out of memory\n");
            return -1;
        }
    }
    return 0;
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

static int parse_parameter(struct arguments *arguments, const char *text)
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
        case 'p': code = parse_parameter(arguments, optarg); break;
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
    if (machine_load(&run->machine, world, &arguments->params, arguments->step_s) < 0) {
        return 1;
    }
    machine_read_joints(&run->machine, q, qd);
    if (dpl_delta_control_start(&run->control, q, &what) < 0) {
        fprintf(stderr, "delta_machine: the path cannot be followed: %s\n", what);
        return 1;
    }
    return follow(run, arguments->seconds) == 0 ? results_print(&run->results, &run->machine) : 1;
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
        machine_unload(&run.machine);
    }
    return code;
}
