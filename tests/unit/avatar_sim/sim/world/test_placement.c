/* SPDX-License-Identifier: Apache-2.0 */
/* Random places keep their clearance to everything. */
#include <errno.h>
#include <math.h>

#include <criterion/criterion.h>

#include "placement.h"
#include "scene.h"

Test(placement, distance_to_a_turned_box_is_that_to_its_nearest_point)
{
    struct dpl_sim_shape box = {
        .kind = DPL_SIM_BOX, .x = 1.0, .yaw = DPL_PI / 2.0, .size_x = 4.0, .size_y = 2.0};
    cr_assert_float_eq(dpl__placement_distance(&box, 3.0, 0.0), 1.0, 1e-12);
    cr_assert_float_eq(dpl__placement_distance(&box, 1.0, 3.0), 1.0, 1e-12);
    cr_assert_float_eq(dpl__placement_distance(&box, 5.0, 6.0), 5.0, 1e-12);
    cr_assert_float_eq(dpl__placement_distance(&box, 1.5, 1.5), 0.0, 1e-12);
}

Test(placement, distance_to_a_lying_capsule_counts_its_length)
{
    struct dpl_sim_shape log = {
        .kind = DPL_SIM_CAPSULE, .radius = 0.5, .height = 2.0, .lying = true};
    cr_assert_float_eq(dpl__placement_distance(&log, 3.0, 0.0), 1.5, 1e-12);
    cr_assert_float_eq(dpl__placement_distance(&log, 0.0, 3.0), 2.5, 1e-12);
    log.lying = false;
    cr_assert_float_eq(dpl__placement_distance(&log, 3.0, 0.0), 2.5, 1e-12);
}

Test(placement, places_found_keep_the_clearance_to_obstacles_and_robots)
{
    struct dpl_sim_model *model = dpl_sim_model_create();
    struct scene_robot robot = scene_robot("r", 0.0, 0.0);
    struct dpl_sim_obstacle box = scene_box(2.0, 1.0, 1.0);
    scene_add(model, &robot, NULL);
    dpl_sim_model_add_obstacle(model, &box, NULL);
    struct dpl_random rng = dpl_random_seeded(3, 3);
    struct dpl_placement wanted = {-3.0, -3.0, 3.0, 3.0, 0.2, 0.3, -1};
    for (int i = 0; i < 200; i++) {
        double xy[2];
        cr_assert_eq(dpl__placement_find(model, &wanted, &rng, xy), 0);
        cr_assert_geq(hypot(xy[0], xy[1]), 0.2 + 0.3 + 0.2);
        cr_assert_geq(dpl__placement_distance(&box.shape, xy[0], xy[1]), 0.5);
        cr_assert_leq(fmax(fabs(xy[0]), fabs(xy[1])), 3.0);
    }
    dpl_sim_model_destroy(model);
}

Test(placement, no_room_is_reported)
{
    struct dpl_sim_model *model = dpl_sim_model_create();
    struct dpl_sim_obstacle box = scene_box(0.0, 0.0, 2.0);
    dpl_sim_model_add_obstacle(model, &box, NULL);
    struct dpl_random rng = dpl_random_seeded(3, 3);
    struct dpl_placement wanted = {-1.0, -1.0, 1.0, 1.0, 0.2, 0.3, -1};
    double xy[2] = {7.0, 7.0};
    cr_assert_eq(dpl__placement_find(model, &wanted, &rng, xy), -ENOSPC);
    cr_assert_eq(xy[0], 7.0);
    dpl_sim_model_destroy(model);
}
