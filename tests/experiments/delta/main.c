/* SPDX-License-Identifier: Apache-2.0 */
/* delta_kinematics: prints joint angles, torques and condition number of a delta robot at a
 * position, or its motion on the pick-and-place path, as one JSON object. Exit 0; 1 for a bad
 * parameter and for a position that the robot does not reach; 2 on wrong usage. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/number_rows.h>

#include "delta_dynamics.h"
#include "pick_place.h"

static const char usage_text[] =
    "usage: delta_kinematics [--param NAME=VALUE ...] --pose \"X Y Z\"\n"
    "       delta_kinematics [--param NAME=VALUE ...] --path-at T\n"
    "  --pose \"X Y Z\"       platform position, m: inverse kinematics, holding torque, condition\n"
    "                       number of the Jacobian\n"
    "  --path-at T          time on the pick-and-place path, s: inverse kinematics with "
    "velocities\n"
    "                       and accelerations, and the torque that the motion needs\n"
    "  --param NAME=VALUE   a parameter, in SI units:\n";

struct arguments {
    struct dpl_delta delta;
    struct dpl_pick_place path;
    const char *pose, *path_at; /* one of them */
};

static void print_usage(FILE *file)
{
    fputs(usage_text, file);
    for (size_t i = 0; i < DPL_DELTA_N_PARAMETERS; i++) {
        const struct dpl_delta_parameter *parameter = &dpl_delta_parameters[i];
        fprintf(file, "      %-8s %s%s%s\n", parameter->name, parameter->summary,
                parameter->unit[0] ? ", " : "", parameter->unit);
    }
    fprintf(file, "      %-8s %s\n", "Z0", "height of the two places of the path, m");
}

static int bad(const char *what, const char *text, const char *why)
{
    fprintf(stderr, "delta_kinematics: %s '%s': %s\n", what, text, why);
    return 1;
}

/* Takes a NAME=VALUE. Returns the exit code, or 0. */
static int parse_parameter(struct arguments *arguments, const char *text)
{
    char name[16];
    double value;
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    if (!equals) {
        return bad("parameter", text, "it is not of the form NAME=VALUE");
    }
    if (!dpl_rows_only(equals + 1, 1, &value)) {
        return bad("parameter", text, "the value is not a decimal number");
    }
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), text);
    if (strcmp(name, "Z0") == 0) {
        arguments->path.pick_m[2] = arguments->path.place_m[2] = value;
        return 0;
    }
    return dpl_delta_set(&arguments->delta, name, value) == 0
               ? 0
               : bad("parameter", text, "there is no such parameter (--help lists them)");
}

/* Returns the exit code, or -1: continue. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
    static const struct option options[] = {
        {"param", required_argument, NULL, 'p'},
        {"pose", required_argument, NULL, 'x'},
        {"path-at", required_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    int option, code = 0;
    while (code == 0 && (option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 'p': code = parse_parameter(arguments, optarg); break;
        case 'x': arguments->pose = optarg; break;
        case 't': arguments->path_at = optarg; break;
        case 'h': print_usage(stdout); return 0;
        default: print_usage(stderr); return 2;
        }
    }
    if (code != 0) {
        return code;
    }
    if (optind < argc || !arguments->pose == !arguments->path_at) {
        print_usage(stderr);
        return 2;
    }
    return -1;
}

/* The exit code for an error of kinematics at the position p. */
static int refuse_position(const struct dpl_delta *delta, const double *p, int error)
{
    fprintf(stderr, "delta_kinematics: the position (%g, %g, %g) is ", p[0], p[1], p[2]);
    if (error != -EDOM) {
        fprintf(stderr, "singular: no finite torque or speed belongs to it\n");
        return 1;
    }
    unsigned faults = dpl_delta_ik_faults(delta, p);
    fprintf(stderr, "out of reach of arm");
    for (int i = 0; i < DPL_DELTA_ARMS; i++) {
        if (faults >> i & 1) {
            fprintf(stderr, " %d", i);
        }
    }
    fprintf(stderr, "\n");
    return 1;
}

/* Named numbers of the output. */
struct row {
    const char *name;
    const double *values;
    size_t n; /* 1: a number; more: an array */
};

/* Prints the object, unless a number is not finite: JSON has no text for it. */
static int print_object(const struct row *rows, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t k = 0; k < rows[i].n; k++) {
            if (!isfinite(rows[i].values[k])) {
                fprintf(stderr, "delta_kinematics: a result is larger than a double can be\n");
                return 1;
            }
        }
    }
    for (size_t i = 0; i < n_rows; i++) {
        printf("%s\"%s\":%s", i > 0 ? "," : "{", rows[i].name, rows[i].n > 1 ? "[" : "");
        for (size_t k = 0; k < rows[i].n; k++) {
            printf("%s%.17g", k > 0 ? "," : "", rows[i].values[k]);
        }
        printf("%s", rows[i].n > 1 ? "]" : "");
    }
    printf("}\n");
    if (fflush(stdout) != 0) {
        perror("delta_kinematics: standard output");
        return 1;
    }
    return 0;
}

static int print_pose(const struct arguments *arguments)
{
    double p[3], q[DPL_DELTA_ARMS], torque[DPL_DELTA_ARMS], condition;
    const struct dpl_delta *delta = &arguments->delta;
    if (!dpl_rows_only(arguments->pose, 3, p)) {
        return bad("pose", arguments->pose, "it is not three decimal numbers");
    }
    int error = dpl_delta_ik(delta, p, q);
    error = error ? error : dpl_delta_holding_torque(delta, p, torque);
    error = error ? error : dpl_delta_condition(delta, p, q, &condition);
    if (error) {
        return refuse_position(delta, p, error);
    }
    const struct row rows[] = {
        {"q", q, DPL_DELTA_ARMS}, {"torque", torque, DPL_DELTA_ARMS}, {"condition", &condition, 1}};
    return print_object(rows, sizeof rows / sizeof rows[0]);
}

static int print_path_at(const struct arguments *arguments)
{
    double at_s, torque[DPL_DELTA_ARMS];
    struct dpl_delta_motion motion;
    const struct dpl_delta *delta = &arguments->delta;
    if (!dpl_rows_only(arguments->path_at, 1, &at_s)) {
        return bad("time", arguments->path_at, "it is not a decimal number");
    }
    dpl_pick_place_at(&arguments->path, at_s, motion.p, motion.v, motion.a);
    int error = dpl_delta_motion_of_joints(delta, &motion);
    error = error ? error : dpl_delta_torque(delta, &motion, torque);
    if (error) {
        return refuse_position(delta, motion.p, error);
    }
    const struct row rows[] = {{"q", motion.q, DPL_DELTA_ARMS},
                               {"qd", motion.qd, DPL_DELTA_ARMS},
                               {"qdd", motion.qdd, DPL_DELTA_ARMS},
                               {"torque", torque, DPL_DELTA_ARMS}};
    return print_object(rows, sizeof rows / sizeof rows[0]);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.delta = dpl_delta_reference, .path = dpl_pick_place_reference};
    const char *what;
    int code = parse(argc, argv, &arguments);
    if (code >= 0) {
        return code;
    }
    if (dpl_delta_check(&arguments.delta, &what) != 0 ||
        dpl_pick_place_check(&arguments.path, &what) != 0) {
        fprintf(stderr, "delta_kinematics: %s\n", what);
        return 1;
    }
    return arguments.pose ? print_pose(&arguments) : print_path_at(&arguments);
}
