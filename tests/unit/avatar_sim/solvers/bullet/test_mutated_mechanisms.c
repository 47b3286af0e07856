/* SPDX-License-Identifier: Apache-2.0 */
/* A thousand damaged copies of the mechanisms that Doppel ships: each gives a diagnostic, or a
 * world that steps. */
#include <stdlib.h>

#include <doppel/math/random.h>
#include <doppel/sim/load.h>

#include "mechanism_rig.h"

enum { MUTANTS = 1000, STEPS = 10, BODIES_MAX = 300, BYTES_MAX = 1 << 16 };

static const char *const files[] = {
    PROFILES "/robots/elevator.xml",
    PROFILES "/robots/delta.xml",
    PROFILES "/../docs/reference/mechanisms/barrier.xml",
    PROFILES "/../docs/reference/mechanisms/chain.xml",
    PROFILES "/../docs/reference/mechanisms/door.xml",
    PROFILES "/../docs/reference/mechanisms/frame.xml",
};

static size_t read_file(const char *path, char *ret_text)
{
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s", path);
    size_t n = fread(ret_text, 1, BYTES_MAX / 2, file);
    fclose(file);
    return n;
}

static size_t one_of(struct dpl_random *random, size_t n)
{
    size_t i = (size_t)dpl_random_uniform(random, 0.0, (double)n);
    return i < n ? i : n - 1;
}

/* Puts `what` in the place of n bytes. */
static size_t replace(char *text, size_t size, size_t at, size_t n, const char *what, size_t length)
{
    if (at + n > size || size + length >= BYTES_MAX) {
        return size;
    }
    memmove(text + at + length, text + at + n, size - at - n);
    memcpy(text + at, what, length);
    return size - n + length;
}

/* The number that begins at or behind `at`: its length, and where it begins. */
static size_t number_behind(const char *text, size_t size, size_t *inout_at)
{
    static const char digits[] = "0123456789.";
    size_t at = *inout_at, n = 0;
    while (at < size && !strchr("0123456789", text[at])) {
        at++;
    }
    while (at + n < size && strchr(digits, text[at + n])) {
        n++;
    }
    *inout_at = at;
    return n;
}

static size_t line_at(const char *text, size_t size, size_t *inout_at)
{
    size_t begin = *inout_at, end = *inout_at;
    while (begin > 0 && text[begin - 1] != '\n') {
        begin--;
    }
    while (end < size && text[end] != '\n') {
        end++;
    }
    *inout_at = begin;
    return end - begin;
}

static size_t mutate(char *text, size_t size, struct dpl_random *random)
{
    static const char *const numbers[] = {"0",   "-1",   "1e9", "1e-9", "nan", "7",
                                          "-0.", "1e99", "2",   "0.5",  "",    "100"};
    size_t at = one_of(random, size), n;
    switch (one_of(random, 4)) {
    case 0:
    case 1: { /* another number */
        const char *number = numbers[one_of(random, DPL_COUNT(numbers))];
        n = number_behind(text, size, &at);
        return replace(text, size, at, n, number, strlen(number));
    }
    case 2: /* a line less */
        n = line_at(text, size, &at);
        return replace(text, size, at, n, "", 0);
    default: { /* another byte */
        char byte = (char)one_of(random, 128);
        return replace(text, size, at, 1, &byte, 1);
    }
    }
}

/* True: it ran. */
static bool try_it(const char *text, size_t size)
{
    struct dpl_arena arena = {0};
    struct dpl_sim_objects objects;
    struct dpl_diags diags = {0};
    struct dpl_diag diag;
    struct dpl_world *world = NULL;
    struct dpl_sim_model *model = dpl_sim_model_create();
    int err = dpl_sim_read_objects_text(&arena, "mutant.xml", text, size, NULL, &objects, &diags);
    cr_assert(err == 0 || diags.n_errors > 0, "refused without a word");
    if (err == 0 && objects.mechanism.n_bodies <= BODIES_MAX) {
        model->step = 2 * DPL_MS;
        err = dpl_sim_model_add_objects(model, "m", (struct dpl_pose2){0}, &objects, &diag);
        err = err ? err : dpl_world_create(model, &world, &diag);
    }
    if (world) {
        dpl_world_step(world, STEPS);
    }
    bool ran = world != NULL;
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    return ran;
}

Test(mutated_mechanisms, each_is_refused_or_runs)
{
    static char whole[BYTES_MAX], text[BYTES_MAX];
    size_t ran = 0;
    for (size_t i = 0; i < MUTANTS; i++) {
        struct dpl_random random = dpl_random_seeded(i, 7);
        size_t whole_size = read_file(files[i % DPL_COUNT(files)], whole), size = whole_size;
        memcpy(text, whole, whole_size);
        for (size_t k = 1 + one_of(&random, 3); k > 0 && size > 0; k--) {
            size = mutate(text, size, &random);
        }
        ran += try_it(text, size);
    }
    cr_expect_gt(ran, MUTANTS / 20, "%zu ran", ran);
    cr_expect_lt(ran, MUTANTS - MUTANTS / 20, "%zu ran", ran);
}
