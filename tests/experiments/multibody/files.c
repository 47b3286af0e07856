/* SPDX-License-Identifier: Apache-2.0 */
/* The same worlds from files: in other units and dialects, written and read again, with wrong
 * bytes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/star.h>

#include "rows.h"

static const struct dpl_star_units small_units = {
    .angle = 3.14159265358979323846 / 180.0,
    .length = 1e-3,
    .mass = 1e-3,
    .time = 1e-3,
    .angle_word = "degrees",
    .length_word = "millimeters",
    .mass_word = "grams",
    .time_word = "milliseconds",
};

/* Where a world that was written is read; NULL: it is not. */
static struct dpl_star_world *again(const struct dpl_star_world *world,
                                    enum dpl_star_dialect dialect)
{
    struct dpl_star_world *read = NULL;
    struct dpl_diags diags = {0};
    char *text = NULL;
    size_t n = 0;
    if (dpl_star_write_text(world, dialect, &text, &n) == 0) {
        dpl_star_read_text("again.json", text, n, NULL, &read, &diags);
    }
    free(text);
    dpl_diags_finish(&diags);
    return read;
}

static struct dpl_star_world *read_file(const char *folder, const char *name)
{
    char path[1024];
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    if (dpl_star_read(path, NULL, &world, &diags) != 0) {
        fprintf(stderr, "multibody: %s cannot be read\n", path);
    }
    dpl_diags_finish(&diags);
    return world;
}

/* The largest difference of joints after a second; HUGE_VAL: one of them does not run. */
static double difference(const struct dpl_star_world *a, const struct dpl_star_world *b)
{
    const struct dpl_star_world *worlds[2] = {a, b};
    struct dpl_mb_system *systems[2] = {NULL, NULL};
    const struct dpl_mb_settings settings = {.integrator = DPL_MB_RK4};
    double worst = 0.0;
    for (int k = 0; k < 2; k++) {
        if (!worlds[k] || dpl_mb_system_create(worlds[k]->graph, &settings, NULL, NULL, NULL,
                                               &systems[k], NULL) != 0) {
            worst = HUGE_VAL;
        }
        for (int i = 0; systems[k] && i < 5000; i++) {
            dpl_mb_step(systems[k], 2e-4);
        }
    }
    for (int j = 0; isfinite(worst) && j < (int)a->graph->n_joints; j++) {
        struct dpl_mb_joint_state states[2];
        if (dpl_mb_joint(systems[0], j, &states[0]) || dpl_mb_joint(systems[1], j, &states[1])) {
            worst = HUGE_VAL;
            break;
        }
        for (int i = 0; i < states[0].n; i++) {
            worst = worse(worst, states[0].displacement[i] - states[1].displacement[i]);
            worst = worse(worst, states[0].velocity[i] - states[1].velocity[i]);
        }
    }
    dpl_mb_system_destroy(systems[0]);
    dpl_mb_system_destroy(systems[1]);
    return worst;
}

/* A world whose graph code made is written in small units; it moves alike. */
static void units_of(int number)
{
    struct golden_world golden;
    struct dpl_star_world *world = NULL;
    char name[96];
    golden_loop(number, &golden);
    struct dpl_mb_graph *graph = golden_graph(&golden);
    if (dpl_star_create(graph, &world) != 0) {
        dpl_mb_graph_destroy(graph);
        return;
    }
    struct dpl_star_world *same = again(world, DPL_STAR_A);
    world->units = small_units;
    struct dpl_star_world *small = again(world, DPL_STAR_A);
    snprintf(name, sizeof name, "files: mm, g, ms, degrees, %s", world_names[number]);
    row_at_most(name, difference(world, small), 1e-10, "SI");
    snprintf(name, sizeof name, "files: written and read, %s", world_names[number]);
    row_at_most(name, difference(world, same), 0.0, "SI");
    dpl_star_destroy(small);
    dpl_star_destroy(same);
    dpl_star_destroy(world);
}

static void dialects_of(const char *name)
{
    struct dpl_star_world *a = read_file(STAR_WORLDS, name);
    for (int i = 0; i < 2; i++) {
        char file[64], row[96];
        snprintf(file, sizeof file, "%s_%c", name, "bc"[i]);
        struct dpl_star_world *other = read_file(STAR_FIXTURES, file);
        snprintf(row, sizeof row, "files: dialect %c, %s", "BC"[i], name);
        row_at_most(row, a ? difference(a, other) : HUGE_VAL, 0.0, "SI");
        dpl_star_destroy(other);
    }
    dpl_star_destroy(a);
}

static const char *const shipped[] = {
    "arm",       "bricard",         "bumper",          "delta",   "delta_machine",
    "digger",    "double_pendulum", "excavator",       "factory", "four_bar",
    "free_body", "hexaslide",       "pair_restraints", "scissor", "slider_crank"};

/* A world that is written is read as one that is written with the same bytes. */
static void round_trips(void)
{
    enum { SHIPPED = sizeof shipped / sizeof shipped[0] };
    int others = 0;
    for (int i = 0; i < SHIPPED; i++) {
        struct dpl_star_world *world = read_file(STAR_WORLDS, shipped[i]);
        for (int k = 0; k < 2; k++) {
            enum dpl_star_dialect dialect = k ? DPL_STAR_C : DPL_STAR_A;
            struct dpl_star_world *read = world ? again(world, dialect) : NULL;
            char *texts[2] = {NULL, NULL};
            size_t n[2] = {0, 1};
            if (read) {
                dpl_star_write_text(world, dialect, &texts[0], &n[0]);
                dpl_star_write_text(read, dialect, &texts[1], &n[1]);
            }
            others += !texts[0] || !texts[1] || n[0] != n[1] || memcmp(texts[0], texts[1], n[0]);
            free(texts[0]);
            free(texts[1]);
            dpl_star_destroy(read);
        }
        dpl_star_destroy(world);
    }
    row_at_most("files: shipped worlds that do not come back, A and C", others, 0.0, "worlds");
}

/* Whether a text is refused with a place for each error, or read as a world that comes back. */
static bool is_answered(const char *text, size_t n, bool *ret_read)
{
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    int err = dpl_star_read_text("mutant.json", text, n, NULL, &world, &diags);
    bool good = (err != 0) == (diags.n_errors > 0) && (err == 0) == (world != NULL);
    for (size_t i = 0; i < diags.n; i++) {
        good = good && (diags.items[i].severity != DPL_SEVERITY_ERROR || diags.items[i].place.line);
    }
    if (world) {
        struct dpl_star_world *back = again(world, DPL_STAR_A);
        good = good && back;
        dpl_star_destroy(back);
    }
    *ret_read = world != NULL;
    dpl_star_destroy(world);
    dpl_diags_finish(&diags);
    return good;
}

static void mutants(int every)
{
    static const char bytes[] = "0-e\"]}:, z\x80\n{[9";
    static char text[1 << 16];
    FILE *file = fopen(STAR_FIXTURES "/everything.json", "rb");
    size_t n = file ? fread(text, 1, sizeof text, file) : 0;
    int bad = n == 0, tried = 0, were_read = 0;
    if (file) {
        fclose(file);
    }
    for (size_t i = 0; i < n; i += (size_t)every) {
        char was = text[i];
        bool read;
        text[i] = bytes[i % (sizeof bytes - 1)];
        bad += !is_answered(text, n, &read);
        were_read += read;
        tried++;
        text[i] = was;
    }
    row_at_most("files: mutants without an answer", bad, 0.0, "files");
    remark("%d with another byte: %d refused, %d read", tried, tried - were_read, were_read);
}

void rows_files(void)
{
    for (int number = 2; number <= 6; number++) {
        units_of(number);
    }
    dialects_of("slider_crank");
    dialects_of("double_pendulum");
    round_trips();
    mutants(asked->quick ? 29 : 3);
}
