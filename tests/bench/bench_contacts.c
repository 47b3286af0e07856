/* SPDX-License-Identifier: Apache-2.0 */
/* What contacts of bodies in STAR's format cost: ten free bodies that rest on the ground or on
 * boxes, against the same bodies without shapes. CPU time of a step by the classical Runge-Kutta
 * method (four evaluations), the least of many short runs. Prints a table; fails where a body does
 * not rest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <doppel/sim/channels.h>
#include <doppel/sim/load.h>
#include <doppel/sim/world.h>

enum { BODIES = 10, RUNS = 40, STEPS = 100, EVALUATIONS = 4 };

struct row {
    const char *name, *shape;
    double rest; /* m: of its origin over what it rests on */
    bool on_box;
};

static const struct row rows[] = {
    {"sphere on the ground", "{\"type\": \"sphere\", \"radius\": 0.1}", 0.1, false},
    {"box on the ground", "{\"type\": \"box\", \"x\": 0.2, \"y\": 0.2, \"z\": 0.2}", 0.1, false},
    {"cylinder on the ground", "{\"type\": \"cylinder\", \"radius\": 0.1, \"height\": 0.2}", 0.1,
     false},
    {"hull of 6 points on it",
     "{\"type\": \"hull\", \"points\": [[-0.1, -0.1, -0.1], [0.1, -0.1, -0.1], [0.1, 0.1, -0.1], "
     "[-0.1, 0.1, -0.1], [-0.05, 0, 0.1], [0.05, 0, 0.1]]}",
     0.1, false},
    {"sphere on a box", "{\"type\": \"sphere\", \"radius\": 0.1}", 0.1, true},
    {"box on a box", "{\"type\": \"box\", \"x\": 0.2, \"y\": 0.2, \"z\": 0.2}", 0.1, true},
    {"plate on a smaller box", "{\"type\": \"box\", \"x\": 1, \"y\": 1, \"z\": 0.2}", 0.1, true},
};

static char json[64], xml[64];

static double cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static FILE *open_file(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

static void write_world(const struct row *row, bool has_shapes)
{
    FILE *file = open_file(json);
    fprintf(file,
            "{\"model_parameters\": {\"star_version\": \"2.0.1\", \"units\": {\"length\": "
            "\"meters\", \"mass\": \"kilograms\", \"time\": \"seconds\", \"angle\": \"radians\"}, "
            "\"gravity\": [0, 0, -9.81], \"include_worlds\": [\"boxes.xml\"]}, \"assembly\": "
            "{\"a\": {\"bodies\": {");
    for (int i = 0; i < BODIES; i++) {
        fprintf(file,
                "%s\"b%d\": {\"mass\": 2, \"moment_of_inertia\": {\"Ixx\": 0.02, \"Iyy\": 0.02, "
                "\"Izz\": 0.02}%s%s%s}",
                i > 0 ? ", " : "", i, has_shapes ? ", \"shapes\": [" : "",
                has_shapes ? row->shape : "", has_shapes ? "]" : "");
    }
    fprintf(file, "}, \"joints\": {");
    for (int i = 0; i < BODIES; i++) {
        fprintf(file,
                "%s\"f%d\": {\"type\": \"float\", \"body_frame_pairs\": [[\"fixed\", \"origin\"], "
                "[\"b%d\", \"origin\"]], \"initial_displacement\": {\"T\": [%d, %g, %g]}}",
                i > 0 ? ", " : "", i, i, 2 * i, row->on_box ? 0.0 : 3.0,
                row->rest + (row->on_box ? 0.5 : 0.0));
    }
    fprintf(file, "}}}}\n");
    fclose(file);
}

static struct dpl_world *open_world(struct dpl_sim_model **ret_model)
{
    struct dpl_diag diag = {.text = ""};
    struct dpl_world *world = NULL;
    if (dpl_sim_load_world(json, 1, NULL, ret_model, &diag) ||
        dpl_world_create(*ret_model, &world, &diag)) {
        fprintf(stderr, "%s\n", diag.text);
        exit(1);
    }
    return world;
}

/* us a step; also the points and the force of the first body. */
static double measure(bool has_shapes, double *ret_points, double *ret_force)
{
    struct dpl_sim_model *model;
    struct dpl_world *world = open_world(&model);
    double best = 1e12;
    dpl_world_run_until(world, dpl_ns_from_s(1.0));
    for (int run = 0; run < RUNS; run++) {
        double begin = cpu_us();
        dpl_world_step(world, STEPS);
        best = fmin(best, cpu_us() - begin);
    }
    if (has_shapes) {
        struct dpl_world_channels *channels;
        struct dpl_diag diag;
        int64_t points = 0;
        double force[3] = {0.0};
        dpl_ns stamp;
        if (dpl_world_channels_create(world, &channels)) {
            exit(1);
        }
        int of = dpl_world_channels_find(channels,
                                         &(struct dpl_channel_want){.path = "a/b0/contact"}, &diag);
        dpl_world_channels_get(channels, (size_t)of, &points, &stamp);
        of = dpl_world_channels_find(
            channels, &(struct dpl_channel_want){.path = "a/b0/contact_force"}, &diag);
        dpl_world_channels_get(channels, (size_t)of, force, &stamp);
        *ret_points = (double)points;
        *ret_force = force[2];
        dpl_world_channels_destroy(channels);
    }
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    return best / STEPS;
}

static int print_row(const struct row *row)
{
    double points = 0.0, force = 0.0;
    write_world(row, false);
    double without = measure(false, &points, &force);
    write_world(row, true);
    double with = measure(true, &points, &force);
    double each = 1e3 * (with - without) / BODIES / EVALUATIONS;
    printf("%-24s %8.2f %8.2f %10.0f %8.0f %10.0f\n", row->name, without, with, each, points,
           each / points);
    return fabs(force - 2.0 * 9.81) > 0.02;
}

int main(void)
{
    char folder[] = "/tmp/doppel_bench_XXXXXX";
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    snprintf(json, sizeof json, "%s/world.json", folder);
    snprintf(xml, sizeof xml, "%s/boxes.xml", folder);
    FILE *file = open_file(xml);
    fprintf(file, "<world name=\"boxes\">");
    for (int i = 0; i < BODIES; i++) {
        fprintf(file, "<box x=\"%d\" y=\"0\" size_x=\"0.6\" size_y=\"0.6\" size_z=\"0.5\"/>",
                2 * i);
    }
    fprintf(file, "</world>\n");
    fclose(file);
    int bad = 0;
    printf("%d bodies, %d boxes: us a step without and with shapes; ns for a body and an "
           "evaluation, points, ns for a point\n",
           BODIES, BODIES);
    printf("%-24s %8s %8s %10s %8s %10s\n", "world", "without", "with", "ns", "points", "ns/point");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bad += print_row(&rows[i]);
    }
    unlink(json);
    unlink(xml);
    rmdir(folder);
    if (bad > 0) {
        printf("%d bodies do not rest with their weight\n", bad);
    }
    return bad > 0;
}
