/* SPDX-License-Identifier: Apache-2.0 */
/* Linear models: see sim_linear.h. */
#include "sim_linear.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <doppel/output.h>
#include <doppel/sim/multibody_world.h>

#include "eigenvalues.h"
#include "sim_multibody.h"

static const struct dpl_place nowhere;

/* A linear model of n independent coordinates. */
struct linear {
    size_t n;
    int *joints, *coordinates;
    double *a, *b;            /* [2n][2n], [2n][n] */
    double *real, *imaginary; /* [2n] eigenvalues of a */
};

static void finish(struct linear *linear)
{
    free(linear->joints);
    free(linear->coordinates);
    free(linear->a);
    free(linear->b);
    free(linear->real);
    free(linear->imaginary);
}

static int make_room(struct linear *linear)
{
    size_t n = linear->n;
    linear->joints = calloc(n, sizeof *linear->joints);
    linear->coordinates = calloc(n, sizeof *linear->coordinates);
    linear->a = calloc(4 * n * n, sizeof *linear->a);
    linear->b = calloc(2 * n * n, sizeof *linear->b);
    linear->real = calloc(2 * n, sizeof *linear->real);
    linear->imaginary = calloc(2 * n, sizeof *linear->imaginary);
    bool good = linear->joints && linear->coordinates && linear->a && linear->b && linear->real &&
                linear->imaginary;
    return good ? 0 : -ENOMEM;
}

/* Slowest first; of a pair the one that turns on first. */
static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;
    double slow_a = hypot(a[0], a[1]), slow_b = hypot(b[0], b[1]);
    if (slow_a != slow_b) {
        return slow_a < slow_b ? -1 : 1;
    }
    return a[1] > b[1] ? -1 : a[1] < b[1];
}

static int find_eigenvalues(struct linear *linear, struct dpl_diag *reterr)
{
    size_t n = 2 * linear->n;
    double *copy = malloc(n * n * sizeof *copy), (*pairs)[2] = calloc(n, sizeof *pairs);
    int err = copy && pairs ? 0 : dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    if (err == 0) {
        memcpy(copy, linear->a, n * n * sizeof *copy);
        err = eigenvalues_of(copy, n, linear->real, linear->imaginary, reterr);
    }
    for (size_t i = 0; i < n && err == 0; i++) {
        pairs[i][0] = linear->real[i];
        pairs[i][1] = linear->imaginary[i];
    }
    if (err == 0) {
        qsort(pairs, n, sizeof *pairs, compare);
        for (size_t i = 0; i < n; i++) {
            linear->real[i] = pairs[i][0];
            linear->imaginary[i] = pairs[i][1];
        }
    }
    free(copy);
    free(pairs);
    return err;
}

static int linearize(const struct dpl_mb_system *system, struct linear *linear,
                     struct dpl_diag *reterr)
{
    linear->n = dpl_mb_independent(system, NULL, NULL, 0);
    if (linear->n == 0) {
        return dpl_fail(reterr, -ENOTSUP, nowhere,
                        "--linearize: not with nothing that moves, floating bodies, or spherical "
                        "joints in the tree");
    }
    int err = make_room(linear);
    if (err == 0) {
        dpl_mb_independent(system, linear->joints, linear->coordinates, linear->n);
        err = dpl_mb_linearize(system, linear->a, linear->b);
    }
    if (err) {
        return dpl_fail(reterr, err, nowhere, "--linearize: %s", strerror(-err));
    }
    struct dpl_diag why = {.text = ""};
    err = find_eigenvalues(linear, &why);
    return err ? dpl_fail(reterr, err, nowhere, "--linearize: %s", why.text) : 0;
}

/* ---- as JSON ---- */

static json_t *numbers(const double *values, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_array_append_new(list, json_real(values[i]));
    }
    return list;
}

static json_t *matrix(const double *values, size_t rows, size_t columns)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rows; i++) {
        json_array_append_new(list, numbers(values + i * columns, columns));
    }
    return list;
}

/* y are the displacements. */
static json_t *outputs(size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *row = json_array();
        for (size_t k = 0; k < 2 * n; k++) {
            json_array_append_new(row, json_real(i == k ? 1.0 : 0.0));
        }
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *zeroes(size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *row = json_array();
        for (size_t k = 0; k < n; k++) {
            json_array_append_new(row, json_real(0.0));
        }
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *coordinates_of(const struct linear *linear, const struct dpl_mb_graph *graph)
{
    json_t *list = json_array();
    for (size_t i = 0; i < linear->n; i++) {
        char path[1024];
        dpl_mb_path(graph, DPL_MB_JOINT, linear->joints[i], path, sizeof path);
        bool turns =
            dpl_mb_joint_turns(graph->joints[linear->joints[i]].type, linear->coordinates[i]);
        json_array_append_new(list,
                              json_pack("{s:s, s:i, s:s}", "joint", path, "coordinate",
                                        linear->coordinates[i] + 1, "unit", turns ? "rad" : "m"));
    }
    return list;
}

/* The damping ratio of a mode that swings. */
static double damping_of(double real, double imaginary)
{
    return real == 0.0 ? 0.0 : -real / hypot(real, imaginary);
}

/* Of a pair the one with the positive imaginary part stands for both. */
static json_t *modes_of(const struct linear *linear)
{
    json_t *list = json_array();
    for (size_t i = 0; i < 2 * linear->n; i++) {
        double re = linear->real[i], im = linear->imaginary[i], size = hypot(re, im);
        json_t *mode = json_pack("{s:f, s:f}", "real", re, "imaginary", im);
        if (im > 0.0) {
            json_object_set_new(mode, "frequency_hz", json_real(size / (2.0 * DPL_PI)));
            json_object_set_new(mode, "damping_ratio", json_real(damping_of(re, im)));
        }
        json_array_append_new(list, mode);
    }
    return list;
}

static int write_model(const struct linear *linear, const struct dpl_mb_graph *graph, double time,
                       const char *file, struct dpl_diag *reterr)
{
    struct dpl_output out = {0};
    size_t n = linear->n;
    int err = dpl_output_open(&out, file, reterr);
    if (err < 0) {
        return err;
    }
    json_t *model = json_pack("{s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "time_s", time, "coordinates",
                              coordinates_of(linear, graph), "A", matrix(linear->a, 2 * n, 2 * n),
                              "B", matrix(linear->b, 2 * n, n), "C", outputs(n), "D", zeroes(n),
                              "eigenvalues", modes_of(linear));
    json_dumpf(model, out.stream, JSON_INDENT(1));
    fprintf(out.stream, "\n");
    json_decref(model);
    return dpl_output_close(&out, reterr);
}

static void print_modes(const struct linear *linear)
{
    printf("%-14s %-14s %-14s %s\n", "real 1/s", "imaginary 1/s", "frequency Hz", "damping");
    for (size_t i = 0; i < 2 * linear->n; i++) {
        double re = linear->real[i], im = linear->imaginary[i], size = hypot(re, im);
        if (im > 0.0) {
            printf("%-14.6g %-14.6g %-14.6g %.6g\n", re, im, size / (2.0 * DPL_PI),
                   damping_of(re, im));
        } else if (im == 0.0) {
            printf("%-14.6g %-14.6g %-14s %s\n", re, im, "-", re > 0.0 ? "unstable" : "-");
        }
    }
}

int sim_linearize(const struct sim_loaded *loaded, const char *file, struct dpl_diag *reterr)
{
    const struct dpl_mb_graph *graph = NULL;
    const struct dpl_mb_system *system =
        dpl_world_multibody(loaded->world, sim_star_robot(loaded), &graph);
    struct linear linear = {0};
    int err = linearize(system, &linear, reterr);
    err = err ? err : write_model(&linear, graph, dpl_mb_time(system), file, reterr);
    if (err == 0) {
        print_modes(&linear);
    }
    finish(&linear);
    return err;
}

int sim_settle(const struct sim_loaded *loaded, struct dpl_diag *reterr)
{
    struct dpl_diag why = {.text = ""};
    int err = dpl_world_settle(loaded->world, sim_star_robot(loaded), &why);
    return err ? dpl_fail(reterr, err, nowhere, "--equilibrium: %s",
                          why.text[0] ? why.text : strerror(-err))
               : 0;
}
