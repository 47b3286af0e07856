/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of worlds: what it is when there is none, and that it is given back. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include <criterion/criterion.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/world.h>

#include "scene.h"
#include "world_state.h"

enum { MIB = 1 << 20 };

static struct dpl_sim_model *model;

static void begin(void)
{
    struct scene_robot robot = scene_robot("robot", 0.0, 0.0);
    model = dpl_sim_model_create();
    cr_assert_eq(scene_add(model, &robot, NULL), 0);
}

static void end(void)
{
    dpl_sim_model_destroy(model);
}

TestSuite(world_memory, .init = begin, .fini = end);

static struct dpl_world *create(void)
{
    struct dpl_world *made = NULL;
    struct dpl_diag diag;
    cr_assert_eq(dpl_world_create(model, &made, &diag), 0, "%s", diag.text);
    return made;
}

static void add_boxes(int n, double x, double distance)
{
    for (int i = 0; i < n; i++) {
        struct dpl_sim_obstacle box = scene_box(x + i * distance, 0.0, 0.3);
        cr_assert_eq(dpl_sim_model_add_obstacle(model, &box, NULL), 0);
    }
}

static long bytes_of_addresses(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    cr_assert_not_null(file);
    cr_assert_eq(fscanf(file, "%ld", &pages), 1);
    fclose(file);
    return pages * 4096;
}

Test(world_memory, thousand_worlds_leave_nothing_behind)
{
    long after_ten = 0;
    add_boxes(20, 1.0, 0.5);
    for (int i = 0; i < 1000; i++) {
        struct dpl_world *made = create();
        dpl_world_enable_laser(made, 0, true);
        dpl_world_step(made, 30);
        dpl_world_destroy(made);
        after_ten = i == 9 ? bytes_of_addresses() : after_ten;
    }
    long more = bytes_of_addresses() - after_ten;
    cr_assert_lt(more, MIB, "%ld bytes more", more); /* a single world has 64 MiB of addresses */
}

static void fill(struct dpl_heap *heap)
{
    for (size_t size = MIB; size > 0; size -= 16) {
        while (dpl__heap_alloc(heap, size)) {
        }
    }
}

/* More boxes than the solver has room for pairs of, all where the robot drives to. */
Test(world_memory, world_that_needs_more_than_it_has_ends_the_process_with_a_message,
     .exit_code = 3)
{
    add_boxes(60, 1.0, 0.0);
    struct dpl_world *world = create();
    fill(world->heap);
    dpl_world_set_motor(world, 0, 10.0);
    dpl_world_set_motor(world, 1, 10.0);
    dpl_world_step(world, 3000);
}

Test(world_memory, world_with_room_takes_what_it_needs_in_a_step_and_keeps_it)
{
    add_boxes(60, 1.0, 0.0);
    struct dpl_world *world = create();
    size_t before = dpl_world_snapshot_size(world);
    dpl_world_set_motor(world, 0, 10.0);
    dpl_world_set_motor(world, 1, 10.0);
    dpl_world_step(world, 3000);
    size_t at_boxes = dpl_world_snapshot_size(world);
    cr_assert_gt(at_boxes, before + 10000);
    /* away from the boxes and back: what they took is used again */
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){-1.0, 0.0, 0.0}), 0);
    dpl_world_step(world, 5000);
    struct dpl_world_robot robot;
    dpl_world_get_robot(world, 0, &robot);
    cr_assert_gt(robot.pose.x, 0.5);
    cr_assert_lt(dpl_world_snapshot_size(world), at_boxes + 5000);
    dpl_world_destroy(world);
}

#ifndef DPL_HEAP_WATCHED /* which needs more addresses than any limit */

Test(world_memory, model_that_does_not_fit_is_refused_in_words)
{
    struct dpl_world *world = NULL;
    struct dpl_diag diag = {0};
    add_boxes(2000, 1.0, 1.0);
    struct rlimit limit = {.rlim_cur = (rlim_t)bytes_of_addresses() + 3 * MIB,
                           .rlim_max = RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    int rc = dpl_world_create(model, &world, &diag);
    limit.rlim_cur = RLIM_INFINITY;
    setrlimit(RLIMIT_AS, &limit);
    cr_assert_eq(rc, -ENOMEM);
    cr_assert_not_null(strstr(diag.text, "out of memory"), "%s", diag.text);
    cr_assert_null(world);
}

#endif
