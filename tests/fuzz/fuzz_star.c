/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds in STAR's format from arbitrary bytes. Whatever is read can be written in both dialects,
 * and what was written is read as the same: its text does not change any more. The first byte
 * chooses whether comments may be there ('C'). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/sim/star.h>

static struct dpl_star_world *read_bytes(const char *bytes, size_t n, bool allow_comments)
{
    const struct dpl_star_options options = {.allow_comments = allow_comments};
    struct dpl_diags diags = {0};
    struct dpl_star_world *world = NULL;
    int err = dpl_star_read_text("fuzz.json", bytes, n, &options, &world, &diags);
    if ((err != 0) != (diags.n_errors > 0) || (err == 0) != (world != NULL)) {
        abort();
    }
    if (diags.n_errors > DPL_STAR_ERRORS_MAX) {
        abort();
    }
    dpl_diags_finish(&diags);
    return world;
}

static void write_text(const struct dpl_star_world *world, enum dpl_star_dialect dialect,
                       char **ret_text, size_t *ret_n)
{
    if (dpl_star_write_text(world, dialect, ret_text, ret_n)) {
        abort();
    }
}

/* What the two graphs must agree in after writing. */
static void compare(const struct dpl_mb_graph *a, const struct dpl_mb_graph *b)
{
    if (a->n_assemblies != b->n_assemblies || a->n_bodies != b->n_bodies ||
        a->n_frames != b->n_frames || a->n_joints != b->n_joints || a->n_gears != b->n_gears ||
        a->n_restraints != b->n_restraints) {
        abort();
    }
    for (size_t i = 0; i < a->n_bodies; i++) {
        if (memcmp(a->bodies[i].inertia, b->bodies[i].inertia, sizeof a->bodies[i].inertia) != 0 ||
            memcmp(a->bodies[i].centre, b->bodies[i].centre, sizeof a->bodies[i].centre) != 0) {
            abort();
        }
    }
    for (size_t i = 0; i < a->n_joints; i++) {
        const struct dpl_mb_joint *x = &a->joints[i], *y = &b->joints[i];
        if (x->type != y->type || memcmp(x->velocity, y->velocity, sizeof x->velocity) != 0 ||
            memcmp(x->displacement, y->displacement, sizeof x->displacement) != 0 ||
            memcmp(&x->place, &y->place, sizeof x->place) != 0) {
            abort();
        }
    }
}

static void compare_shapes(const struct dpl_star_world *a, const struct dpl_star_world *b)
{
    if (a->n_shapes != b->n_shapes) {
        abort();
    }
    for (size_t i = 0; i < a->n_shapes; i++) {
        const struct dpl_star_shape *x = &a->shapes[i], *y = &b->shapes[i];
        if (x->kind != y->kind || x->n_points != y->n_points ||
            memcmp(x->size, y->size, sizeof x->size) != 0 ||
            memcmp(&x->place, &y->place, sizeof x->place) != 0 ||
            (x->n_points > 0 &&
             memcmp(x->points, y->points, x->n_points * sizeof *x->points) != 0)) {
            abort();
        }
    }
}

static void check(const struct dpl_star_world *world, enum dpl_star_dialect dialect)
{
    char *one, *two;
    size_t n_one, n_two;
    write_text(world, dialect, &one, &n_one);
    struct dpl_star_world *again = read_bytes(one, n_one, false);
    if (!again) {
        abort();
    }
    compare(world->graph, again->graph);
    compare_shapes(world, again);
    write_text(again, dialect, &two, &n_two);
    if (n_one != n_two || memcmp(one, two, n_one) != 0) {
        abort();
    }
    dpl_star_destroy(again);
    free(one);
    free(two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    struct dpl_star_world *world = read_bytes((const char *)data + 1, size - 1, data[0] == 'C');
    if (world) {
        for (size_t i = 0; i < world->n_devices; i++) {
            (void)dpl_star_device_is_active(world, i);
        }
        check(world, DPL_STAR_A);
        check(world, DPL_STAR_C);
    }
    dpl_star_destroy(world);
    return 0;
}
