/* SPDX-License-Identifier: Apache-2.0 */
/* What a robot touches is counted, named, and felt on the side where it is. */
#include "robot_world.h"

TestSuite(world_touches, .init = robot_world_begin, .fini = robot_world_end);

Test(world_touches, driving_into_a_box_is_one_contact_however_long_it_pushes)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(scene_box(1.0, 0.0, 0.4));
    world = create();
    drive_profile(world, 0.2, 0.0, 8.0);
    struct dpl_world_robot robot = robot_of(world);
    cr_assert_eq(robot.contacts, 1);
    cr_assert_float_eq(robot.pose.x, 0.6, 0.01, "stopped by the box at %g", robot.pose.x);
}

Test(world_touches, backing_off_and_driving_in_again_is_a_second_contact)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(scene_box(1.0, 0.0, 0.4));
    world = create();
    drive_profile(world, 0.2, 0.0, 4.0);
    drive_profile(world, -0.2, 0.0, 2.0);
    cr_assert_eq(robot_of(world).contacts, 1);
    drive_profile(world, 0.2, 0.0, 4.0);
    cr_assert_eq(robot_of(world).contacts, 2);
}

static void expect_contact(size_t i, const char *with, uint64_t n, double first_s)
{
    struct dpl_world_contact contacts[DPL_WORLD_CONTACTS_MAX];
    cr_assert_gt(dpl_world_get_contacts(world, 0, contacts, DPL_WORLD_CONTACTS_MAX), i);
    cr_expect_str_eq(contacts[i].with, with);
    cr_expect_eq(contacts[i].n, n, "%s: %d", with, (int)contacts[i].n);
    cr_expect_float_eq(dpl_ns_to_s(contacts[i].first), first_s, 0.3, "%s: %g s", with,
                       dpl_ns_to_s(contacts[i].first));
}

Test(world_touches, contacts_are_told_by_the_names_of_what_touched)
{
    struct dpl_sim_obstacle ahead = scene_box(1.0, 0.0, 0.4), behind = scene_box(-1.0, 0.0, 0.4);
    snprintf(ahead.name, sizeof ahead.name, "crate");
    snprintf(behind.name, sizeof behind.name, "bench");
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(ahead);
    add_obstacle(behind);
    world = create();
    struct dpl_world_contact none[1];
    cr_assert_eq(dpl_world_get_contacts(world, 0, none, 1), 0);
    drive_profile(world, 0.2, 0.0, 4.0);
    drive_profile(world, -0.2, 0.0, 2.0);
    drive_profile(world, 0.2, 0.0, 4.0);
    drive_profile(world, -0.2, 0.0, 8.0);
    expect_contact(0, "crate", 2, 3.0);
    expect_contact(1, "bench", 1, 16.0);
    cr_assert_eq(dpl_world_get_contacts(world, 0, none, 1), 1, "no more than asked for");
    cr_assert_eq(dpl_world_get_contacts(world, 7, none, 1), 0);
}

/* Sectors that have a part of what lies between `from` and `to` degrees. */
static uint32_t sectors(int from_deg, int to_deg)
{
    uint32_t mask = 0;
    for (int i = (int)floor(from_deg * DPL_SIM_SECTORS / 360.0); i * 360 < to_deg * DPL_SIM_SECTORS;
         i++) {
        mask |= 1u << (unsigned)(i + DPL_SIM_SECTORS) % DPL_SIM_SECTORS;
    }
    return mask;
}

Test(world_touches, a_body_is_touched_as_long_as_it_pushes_and_on_the_side_where_it_does)
{
    static const double speeds[] = {0.1, 0.25, 0.3, 0.5, 0.7};
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(scene_box(1.0, 0.0, 0.4));
    for (size_t s = 0; s < sizeof speeds / sizeof speeds[0]; s++) {
        world = create();
        unsigned steps = 0, pushes = 0;
        for (; steps < 12000; steps++) {
            drive(world, speeds[s], 0.0);
            dpl_world_step(world, 1);
            uint32_t touched = robot_of(world).touched;
            cr_assert_eq(touched & ~sectors(-15, 15), 0, "%g m/s: %#x", speeds[s], touched);
            pushes += touched != 0;
            bool pushed_before = pushes > 0 && touched == 0;
            cr_assert_not(pushed_before && steps > 10000, "%g m/s: let go while it pushes",
                          speeds[s]);
        }
        cr_assert_gt(pushes, 1000, "%g m/s: %u", speeds[s], pushes);
        dpl_world_destroy(world);
    }
    world = NULL;
}

Test(world_touches, a_touch_ends_when_the_robot_backs_off)
{
    add_robot(scene_robot("r", 0.0, 0.0));
    add_obstacle(scene_box(1.0, 0.0, 0.4));
    world = create();
    drive_profile(world, 0.2, 0.0, 4.0);
    cr_assert_neq(robot_of(world).touched, 0);
    drive_profile(world, -0.2, 0.0, 0.6);
    cr_assert_eq(robot_of(world).touched, 0);
}

Test(world_touches, a_touch_is_felt_from_its_own_direction)
{
    static const struct {
        double heading;
        int from_deg, to_deg;
    } rows[] = {{DPL_PI / 4, -60, -30}, {-DPL_PI / 4, 30, 60}, {DPL_PI, 165, 195}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene_robot robot = scene_robot("r", 0.0, 0.0);
        struct dpl_diag diag;
        robot_world_end();
        robot_world_begin();
        robot.start.theta = rows[i].heading;
        cr_assert_eq(scene_add(model, &robot, &diag), 0);
        struct dpl_sim_obstacle wall = scene_box(5.5, 0.0, 10.0);
        add_obstacle(wall);
        world = create();
        double along = fabs(rows[i].heading) > 3.0 ? -0.3 : 0.3;
        uint32_t first = 0;
        for (int step = 0; step < 8000 && first == 0; step++) {
            drive(world, along, 0.0);
            dpl_world_step(world, 1);
            first = robot_of(world).touched;
        }
        cr_assert_neq(first & sectors(rows[i].from_deg, rows[i].to_deg), 0, "row %zu: %#x", i,
                      first);
        cr_assert_eq(first & ~sectors(rows[i].from_deg, rows[i].to_deg), 0, "row %zu: %#x", i,
                     first);
    }
}

Test(world_touches, two_robots_that_meet_both_count_it)
{
    add_robot(scene_robot("a", 0.0, 0.0));
    add_robot(scene_robot("b", 1.0, 0.0));
    world = create();
    drive_profile(world, 0.2, 0.0, 4.0);
    struct dpl_world_robot other;
    dpl_world_get_robot(world, 1, &other);
    cr_assert_eq(robot_of(world).contacts, 1);
    cr_assert_eq(other.contacts, 1);
}

Test(world_touches, driving_into_something_at_full_speed_is_no_ejection)
{
    make_box_ahead();
    for (int i = 0; i < 4000; i++) {
        drive(world, 1.3, i < 2000 ? 0.0 : 3.0);
        dpl_world_step(world, 1);
    }
    cr_assert_gt(robot_of(world).contacts, 0);
    cr_assert_eq(robot_of(world).ejections, 0);
}
