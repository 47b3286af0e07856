/* SPDX-License-Identifier: Apache-2.0 */
/* A world that was restored goes on as the one that never stopped, to the last bit. */
#include <errno.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "snapshot_scene.h"

enum { N_STEPS = 10000, N_AGAIN = 1500, N_SNAPSHOTS = 10, N_BOXES = 100 };

struct snapshot {
    void *bytes;
    size_t size;
    int step; /* that comes next */
};

static struct dpl_sim_model *model;
static struct dpl_world *world;
static struct snapshot_view *views; /* [N_STEPS] of the run that never stops */
static struct snapshot snapshots[N_SNAPSHOTS];

static struct dpl_world *create(void)
{
    struct dpl_world *made = NULL;
    struct dpl_diag diag;
    cr_assert_eq(dpl_world_create(model, &made, &diag), 0, "%s", diag.text);
    return made;
}

static void begin(void)
{
    model = snapshot_model(N_BOXES);
    world = create();
    views = calloc(N_STEPS, sizeof *views);
}

static void end(void)
{
    for (int i = 0; i < N_SNAPSHOTS; i++) {
        free(snapshots[i].bytes);
    }
    free(views);
    dpl_world_destroy(world);
    dpl_sim_model_destroy(model);
}

TestSuite(snapshot, .init = begin, .fini = end, .timeout = 120);

static struct snapshot save(int step)
{
    struct snapshot made = {.size = dpl_world_snapshot_size(world), .step = step};
    made.bytes = malloc(made.size);
    cr_assert_not_null(made.bytes);
    cr_assert_eq(dpl_world_save(world, made.bytes, made.size), 0);
    return made;
}

/* All steps, with snapshots at random ones. */
static void run_through(void)
{
    struct dpl_random rng = dpl_random_seeded(5, 0);
    int at[N_SNAPSHOTS], next = 0;
    for (int i = 0; i < N_SNAPSHOTS; i++) {
        double share = (i + dpl_random_uniform(&rng, 0.0, 1.0)) / N_SNAPSHOTS;
        at[i] = (int)(share * (N_STEPS - N_AGAIN));
    }
    for (int step = 0; step < N_STEPS; step++) {
        if (next < N_SNAPSHOTS && at[next] == step) {
            snapshots[next++] = save(step);
        }
        snapshot_step(world, step, &views[step]);
    }
    cr_assert_eq(next, N_SNAPSHOTS);
}

/* The first step that is not as in the run that never stopped; n: none of those. */
static int first_difference(const struct snapshot *from, int n)
{
    cr_assert_eq(dpl_world_restore(world, from->bytes, from->size), 0);
    for (int i = 0; i < n; i++) {
        struct snapshot_view view;
        snapshot_step(world, from->step + i, &view);
        if (memcmp(&view, &views[from->step + i], sizeof view) != 0) {
            return i;
        }
    }
    return n;
}

Test(snapshot, run_from_any_snapshot_equals_the_run_that_never_stopped_any_number_of_times)
{
    run_through();
    struct dpl_random rng = dpl_random_seeded(6, 0);
    for (int i = 0; i < 2 * N_SNAPSHOTS; i++) {
        const struct snapshot *from = &snapshots[(7 * i + 3) % N_SNAPSHOTS];
        /* the rest of the last round is left at any point */
        int n = i % 2 ? N_AGAIN : (int)dpl_random_uniform(&rng, 1.0, 500.0);
        cr_assert_eq(first_difference(from, n), n, "from step %d", from->step);
    }
}

Test(snapshot, the_world_of_these_tests_has_something_to_remember)
{
    run_through();
    const struct snapshot_view *last = &views[N_STEPS - 1];
    uint64_t contacts = 0;
    for (int i = 0; i < SNAPSHOT_ROBOTS; i++) {
        contacts += last->robots[i].contacts;
        cr_assert_gt(last->scan_sequences[i], 50);
        cr_assert_gt(fabs(last->encoders[2 * i].angle_rad), 1.0);
    }
    cr_assert_gt(contacts, 10, "%d contacts", (int)contacts);
    /* other setpoints are another run */
    struct snapshot_view view;
    cr_assert_eq(dpl_world_restore(world, snapshots[0].bytes, snapshots[0].size), 0);
    for (int i = 0; i < 500; i++) {
        dpl_world_set_motor(world, 0, 3.0);
        snapshot_step(world, snapshots[0].step + i, &view);
    }
    cr_assert_neq(memcmp(&view, &views[snapshots[0].step + 499], sizeof view), 0);
}

Test(snapshot, process_that_was_forked_goes_on_like_its_parent)
{
    run_through();
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        _exit(first_difference(&snapshots[4], N_AGAIN) == N_AGAIN ? 0 : 1);
    }
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert_eq(status, 0);
}

Test(snapshot, buffer_that_is_too_small_and_snapshot_of_another_world_are_refused)
{
    struct snapshot_view before, after;
    snapshot_step(world, 0, &before);
    struct snapshot made = save(1);
    memset(made.bytes, 0x55, made.size);
    cr_assert_eq(dpl_world_save(world, made.bytes, made.size - 1), -ENOSPC);
    for (size_t i = 0; i < made.size; i++) {
        cr_assert_eq(((unsigned char *)made.bytes)[i], 0x55);
    }
    cr_assert_eq(dpl_world_restore(world, made.bytes, made.size), -EINVAL, "these are no snapshot");
    cr_assert_eq(dpl_world_save(world, made.bytes, made.size), 0);
    struct dpl_world *other = create();
    cr_assert_eq(dpl_world_restore(other, made.bytes, made.size), -EINVAL, "of its twin");
    cr_assert_eq(dpl_world_now(other), 0);
    cr_assert_eq(dpl_world_restore(world, made.bytes, made.size - 1), -EINVAL, "cut short");
    snapshot_see(world, &after);
    cr_assert_eq(memcmp(&before, &after, sizeof before), 0);
    dpl_world_destroy(other);
    free(made.bytes);
}
