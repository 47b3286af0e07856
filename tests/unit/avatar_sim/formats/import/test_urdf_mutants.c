/* SPDX-License-Identifier: Apache-2.0 */
/* Files that went wrong: each is refused with a finding, or its robot moves; nothing crashes. */
#include <ctype.h>
#include <stdlib.h>

#include <doppel/math/random.h>

#include "import.h"
#include "urdf_rig.h"

enum { BYTES_MAX = 65536, MUTANTS_OF_ONE = 20, MESHES_OF_ONE = 20, MUTANTS = 5 * MUTANTS_OF_ONE };

static size_t read_bytes(const char *path, char *ret_bytes)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file);
    size_t n = fread(ret_bytes, 1, BYTES_MAX / 2, file);
    fclose(file);
    return n;
}

static size_t below(struct dpl_random *random, size_t n)
{
    return (size_t)(dpl_random_uniform(random, 0.0, (double)n));
}

/* Removes n bytes at `at`, and puts text there. */
static size_t replace(char *bytes, size_t n, size_t at, size_t removed, const char *text)
{
    size_t added = strlen(text);
    removed = removed < n - at ? removed : n - at;
    memmove(bytes + at + added, bytes + at + removed, n - at - removed);
    memcpy(bytes + at, text, added);
    return n - removed + added;
}

/* Another number in place of one, a byte that is another, lines left out, an attribute's name that
 * is misspelled. */
static size_t mutate(struct dpl_random *random, char *bytes, size_t n)
{
    static const char *const numbers[] = {"0",    "-1", "1e9", "1e-12", "nan", "-3.5",
                                          "1e30", "",   "1 2", "abc",   "100", "-0.0"};
    size_t at = below(random, n);
    switch (below(random, 4)) {
    case 0:
        while (at < n && !isdigit((unsigned char)bytes[at])) {
            at++;
        }
        size_t length = 0;
        while (at + length < n &&
               (isdigit((unsigned char)bytes[at + length]) || bytes[at + length] == '.')) {
            length++;
        }
        return replace(bytes, n, at, length, numbers[below(random, DPL_COUNT(numbers))]);
    case 1: bytes[at] = (char)(' ' + (int)below(random, 95)); return n;
    case 2: {
        char *line = memchr(bytes + at, '\n', n - at);
        char *next = line ? memchr(line + 1, '\n', n - (size_t)(line + 1 - bytes)) : NULL;
        return next ? replace(bytes, n, (size_t)(line - bytes), (size_t)(next - line), "") : n;
    }
    default:
        while (at < n && !isalpha((unsigned char)bytes[at])) {
            at++;
        }
        return replace(bytes, n, at, 1, "x");
    }
}

/* What a mutant became. */
struct tally {
    int refused, moved;
};

static bool is_finite(const struct dpl_sim_state *state, size_t n_bodies)
{
    for (size_t i = 0; i < n_bodies; i++) {
        for (int k = 0; k < 3; k++) {
            if (!isfinite(state->bodies.position[i][k])) {
                return false;
            }
        }
    }
    return true;
}

static void run(struct dpl_sim_objects *objects, struct tally *tally, int seed)
{
    struct dpl_sim_model *model = dpl_sim_model_create();
    struct dpl_world *world = NULL;
    struct dpl_diag diag = {0};
    model->step = dpl_ns_from_s(1e-3);
    int err = dpl_sim_model_add_objects(model, "r", (struct dpl_pose2){0}, objects, &diag);
    err = err ? err : dpl_world_create(model, &world, &diag);
    if (err == 0) {
        dpl_world_step(world, 50);
        cr_assert(is_finite(&world->state, objects->mechanism.n_bodies), "mutant %d", seed);
        dpl_world_destroy(world);
    } else {
        cr_assert_neq(diag.text[0], '\0', "mutant %d is refused without a word", seed);
    }
    tally->moved += err == 0;
    tally->refused += err != 0;
    dpl_sim_model_destroy(model);
}

static void try_mutants(const char *name, int n, struct tally *tally)
{
    static char original[BYTES_MAX], bytes[BYTES_MAX];
    char path[512];
    snprintf(path, sizeof path, UNIT "/avatar_sim/fixtures/%s", name);
    size_t n_original = read_bytes(path, original);
    for (int seed = 0; seed < n; seed++) {
        struct dpl_random random;
        struct dpl_arena arena = {0};
        struct dpl_diags diags = {0};
        struct dpl_sim_objects objects;
        size_t n_bytes = n_original;
        random = dpl_random_seeded((uint64_t)seed, 0);
        memcpy(bytes, original, n_original);
        for (size_t i = 0; i < 1 + (size_t)seed % 3; i++) {
            n_bytes = mutate(&random, bytes, n_bytes);
        }
        int err = dpl_sim_read_import_text(&arena, path, bytes, n_bytes, NULL, &objects, &diags);
        cr_assert_eq(err != 0, diags.n_errors > 0, "%s, mutant %d", name, seed);
        if (err == 0) {
            run(&objects, tally, seed);
        } else {
            cr_assert_gt(diags.items[0].place.line, 0, "%s, mutant %d has no place", name, seed);
            tally->refused++;
        }
        dpl_diags_finish(&diags);
        dpl_arena_finish(&arena);
    }
}

Test(urdf_mutants, mutants_are_refused_or_move)
{
    static const char *const names[] = {"urdf/six_axis.urdf", "urdf/gripper.urdf", "urdf/base.urdf",
                                        "urdf/meshes.urdf", "sdf/room.world"};
    struct tally tally = {0};
    for (size_t i = 0; i < DPL_COUNT(names); i++) {
        try_mutants(names[i], MUTANTS_OF_ONE, &tally);
    }
    cr_assert_eq(tally.refused + tally.moved, MUTANTS);
    cr_assert_gt(tally.refused, MUTANTS / 10, "%d refused", tally.refused);
    cr_assert_gt(tally.moved, MUTANTS / 10, "%d moved", tally.moved);
}

/* Reads the bytes as a mesh of that format: it is refused with a reason, or its faces name points
 * that are there. True when it was read. */
static bool read_mesh(const char *folder, const char *format, const char *bytes, size_t n)
{
    struct dpl_arena arena = {0};
    struct dpl__mesh_file mesh = {0};
    struct dpl_diag diag = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/mutant%s", folder, format);
    FILE *file = fopen(path, "wb");
    cr_assert(file);
    cr_assert_eq(fwrite(bytes, 1, n, file), n);
    fclose(file);
    int err = dpl__mesh_read(&arena, path, &mesh, &diag);
    cr_assert(err == 0 || diag.text[0] != '\0');
    for (size_t i = 0; err == 0 && i < mesh.n_faces; i++) {
        for (int k = 0; k < 3; k++) {
            cr_assert_lt(mesh.faces[i][k], mesh.n_points);
        }
    }
    remove(path);
    dpl_arena_finish(&arena);
    return err == 0;
}

Test(urdf_mutants, meshes_that_went_wrong_are_refused_or_read)
{
    static const char *const names[] = {"wedge.stl", "wedge_binary.stl", "wedge.obj", "wedge.dae"};
    static char original[BYTES_MAX], bytes[BYTES_MAX];
    char folder[] = "/tmp/doppel-meshes-XXXXXX";
    int n_read = 0, n_refused = 0;
    cr_assert(mkdtemp(folder));
    for (size_t i = 0; i < DPL_COUNT(names); i++) {
        char path[512];
        snprintf(path, sizeof path, UNIT "/avatar_sim/fixtures/urdf/meshes/%s", names[i]);
        size_t n = read_bytes(path, original);
        for (int seed = 0; seed < MESHES_OF_ONE; seed++) {
            struct dpl_random random = dpl_random_seeded((uint64_t)seed, 1);
            memcpy(bytes, original, n);
            size_t n_bytes = mutate(&random, bytes, n);
            n_bytes = seed % 4 == 0 ? 1 + below(&random, n_bytes) : n_bytes; /* cut short */
            bool good = read_mesh(folder, strrchr(names[i], '.'), bytes, n_bytes);
            n_read += good;
            n_refused += !good;
        }
    }
    remove(folder);
    cr_assert_gt(n_read, MESHES_OF_ONE, "%d read", n_read);
    cr_assert_gt(n_refused, MESHES_OF_ONE / 10, "%d refused", n_refused);
}
