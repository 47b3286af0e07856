/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds on two threads at once, on one model: each is built, run, restored again and again, and
 * taken down. Neither gets into the other's memory, and each goes on as the one that never
 * stopped. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "snapshot_scene.h"

enum { N_THREADS = 2, N_WORLDS = 2, N_RESTORES = 4, N_BEFORE = 300, N_AFTER = 400 };

static const struct dpl_sim_model *model;

/* A snapshot after N_BEFORE steps, and what the world shows in the N_AFTER steps from there. */
struct course {
    void *snapshot;
    size_t size;
    struct snapshot_view views[N_AFTER];
};

static bool begin(struct dpl_world *world, struct course *course)
{
    for (int step = 0; step < N_BEFORE; step++) {
        snapshot_step(world, step, &course->views[0]);
    }
    course->size = dpl_world_snapshot_size(world);
    course->snapshot = malloc(course->size);
    if (!course->snapshot || dpl_world_save(world, course->snapshot, course->size) < 0) {
        return false;
    }
    for (int i = 0; i < N_AFTER; i++) {
        snapshot_step(world, N_BEFORE + i, &course->views[i]);
    }
    return true;
}

static bool repeat(struct dpl_world *world, const struct course *course)
{
    if (dpl_world_restore(world, course->snapshot, course->size) < 0) {
        return false;
    }
    for (int i = 0; i < N_AFTER; i++) {
        struct snapshot_view view;
        snapshot_step(world, N_BEFORE + i, &view);
        if (memcmp(&view, &course->views[i], sizeof view) != 0) {
            return false;
        }
    }
    return true;
}

static bool use_world(struct course *course)
{
    struct dpl_world *world = NULL;
    bool good = dpl_world_create(model, &world, NULL) == 0 && begin(world, course);
    for (int i = 0; i < N_RESTORES && good; i++) {
        good = repeat(world, course);
    }
    free(course->snapshot);
    course->snapshot = NULL;
    dpl_world_destroy(world);
    return good;
}

/* NULL, or the argument: something was wrong. */
static void *use_worlds(void *argument)
{
    struct course *course = argument;
    for (int i = 0; i < N_WORLDS; i++) {
        if (!use_world(course)) {
            return argument;
        }
    }
    return NULL;
}

int main(void)
{
    static struct course courses[N_THREADS];
    pthread_t threads[N_THREADS];
    struct dpl_sim_model *made = snapshot_model(60);
    const char *fault = NULL;
    model = made;
    for (int i = 0; i < N_THREADS; i++) {
        if (pthread_create(&threads[i], NULL, use_worlds, &courses[i]) != 0) {
            return 2;
        }
    }
    for (int i = 0; i < N_THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        fault = result ? "a world that was restored went on otherwise" : fault;
    }
    /* one thread knows nothing of the other: both worlds have done the same */
    if (!fault && memcmp(courses[0].views, courses[1].views, sizeof courses[0].views) != 0) {
        fault = "two worlds on one model went on differently";
    }
    if (fault) {
        fprintf(stderr, "%s\n", fault);
    }
    dpl_sim_model_destroy(made);
    return fault != NULL;
}
