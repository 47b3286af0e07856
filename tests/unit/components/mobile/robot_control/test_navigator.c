/* SPDX-License-Identifier: Apache-2.0 */
/* The navigator in the loop with a plant, a laser and a world. */
#include "navigator.h"
#include "sim_robot.h"

#include <errno.h>

#include <criterion/criterion.h>

static struct sim_world world;
static struct dpl_nav nav;

static struct sim_run run_in_world(double radius, double duration_s)
{
    struct sim_run run = {
        .world = &world,
        .plant = sim_plant_ideal(radius),
        .nav = dpl_nav_config_default(),
        .start = {1.0, 1.0, 0.3},
        .duration_s = duration_s,
    };
    run.nav.robot_radius_m = radius;
    return run;
}

static void add_waypoint(struct sim_run *run, double x, double y)
{
    run->nav.mode = DPL_NAV_WAYPOINTS;
    run->nav.route.waypoints[run->nav.route.count++] = (struct dpl_nav_waypoint){x, y};
}

static struct sim_result drive(const struct sim_run *run)
{
    struct sim_result result;
    cr_assert_eq(sim_run(run, &result), 0);
    return result;
}

/* An input that lets the robot drive, with walls 3 m away all around. */
static struct dpl_nav_input open_input(double now_s)
{
    static float ranges[SIM_BEAMS];
    for (int i = 0; i < SIM_BEAMS; i++) {
        ranges[i] = 3.0F;
    }
    return (struct dpl_nav_input){.now_s = now_s,
                                  .pose_valid = true,
                                  .scan = {.ranges_m = ranges,
                                           .count = SIM_BEAMS,
                                           .start_rad = -2.086,
                                           .step_rad = 0.006136,
                                           .range_min_m = 0.02,
                                           .range_max_m = 5.6,
                                           .stamp_s = now_s}};
}

static struct dpl_nav_output step(const struct dpl_nav_input *input)
{
    struct dpl_nav_output output;
    dpl_nav_step(&nav, input, &output);
    return output;
}

static void begin(void)
{
    struct dpl_nav_config config = dpl_nav_config_default();
    cr_assert_eq(dpl_nav_init(&nav, &config), 0);
}

static bool stands(const struct dpl_nav_output *output)
{
    return output->command.linear == 0.0 && output->command.angular == 0.0;
}

Test(navigator, refuses_a_configuration_that_makes_no_sense)
{
    struct dpl_nav_config good = dpl_nav_config_default(), bad = good;
    bad.safe_radius_m = 0.1;
    cr_assert_eq(dpl_nav_init(&nav, &bad), -EINVAL);
    bad = good;
    bad.max_linear_m_s = (double)NAN;
    cr_assert_eq(dpl_nav_init(&nav, &bad), -EINVAL);
    bad = good;
    bad.route.count = DPL_NAV_MAX_WAYPOINTS + 1;
    cr_assert_eq(dpl_nav_init(&nav, &bad), -EINVAL);
    bad = good;
    bad.route.count = 1;
    bad.route.waypoints[0].x = (double)NAN;
    cr_assert_eq(dpl_nav_init(&nav, &bad), -EINVAL);
}

Test(navigator, stands_while_there_is_no_scan_or_an_old_one)
{
    begin();
    struct dpl_nav_input input = open_input(1.0);
    cr_assert_gt(step(&input).command.linear, 0.0);
    input.now_s = 1.29;
    cr_assert_eq(step(&input).state == DPL_NAV_STALE, false);
    input.now_s = 1.31;
    struct dpl_nav_output output = step(&input);
    cr_assert_eq(output.state, DPL_NAV_STALE);
    cr_assert(stands(&output));
    input.scan.ranges_m = NULL;
    output = step(&input);
    cr_assert_eq(output.state, DPL_NAV_STALE);
}

Test(navigator, stands_when_no_beam_has_returned_for_a_while)
{
    static float nothing[SIM_BEAMS];
    double now_s = 1.0;
    begin();
    struct dpl_nav_input input = open_input(now_s);
    input.scan.ranges_m = nothing;
    struct dpl_nav_output output = step(&input);
    cr_assert(stands(&output) && output.is_blind, "nothing has been seen yet");
    for (int i = 0; i < 20; i++) {
        input = open_input(now_s += 0.1);
        output = step(&input);
    }
    cr_assert(!stands(&output) && !output.is_blind);
    for (int i = 0; i < 12; i++) {
        input = open_input(now_s += 0.1);
        input.scan.ranges_m = nothing;
        nothing[100 + i] = 2.0F; /* a beam returns by chance */
        output = step(&input);
        nothing[100 + i] = 0.0F;
        cr_assert(i > 8 || !output.is_blind, "after %d scans", i);
    }
    cr_assert(stands(&output) && output.is_blind);
    cr_assert_eq(output.state, DPL_NAV_STALE);
    for (int i = 0; i < 3; i++) {
        cr_assert(output.is_blind, "one scan may show something by chance");
        input = open_input(now_s += 0.1);
        output = step(&input);
    }
    cr_assert(!output.is_blind);
}

Test(navigator, may_be_told_to_drive_where_nothing_is_in_sight)
{
    static float nothing[SIM_BEAMS];
    struct dpl_nav_config config = dpl_nav_config_default();
    struct dpl_nav_output output = {0};
    config.blind_after_s = 0.0;
    cr_assert_eq(dpl_nav_init(&nav, &config), 0);
    for (int i = 0; i < 20; i++) {
        struct dpl_nav_input input = open_input(1.0 + 0.1 * i);
        input.scan.ranges_m = nothing;
        output = step(&input);
    }
    cr_assert(!stands(&output));
}

Test(navigator, carries_on_when_scans_return)
{
    begin();
    struct dpl_nav_input input = open_input(1.0);
    step(&input);
    input.now_s = 5.0;
    step(&input);
    input.scan.stamp_s = 5.0;
    cr_assert_gt(step(&input).command.linear, 0.0);
}

Test(navigator, stands_when_the_pose_is_invalid_or_not_a_number)
{
    begin();
    struct dpl_nav_input input = open_input(1.0);
    input.pose_valid = false;
    struct dpl_nav_output output = step(&input);
    cr_assert(stands(&output));
    input = open_input(1.1);
    input.pose.x = (double)NAN;
    output = step(&input);
    cr_assert(stands(&output));
    cr_assert_eq(output.state, DPL_NAV_STALE);
    input = open_input(1.2);
    input.now_s = (double)NAN;
    output = step(&input);
    cr_assert(stands(&output));
    input = open_input(1.3);
    cr_assert_gt(step(&input).command.linear, 0.0);
}

Test(navigator, survives_twists_and_ranges_that_are_not_numbers)
{
    begin();
    static float ranges[SIM_BEAMS];
    for (int i = 0; i < SIM_BEAMS; i++) {
        ranges[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -1.0F;
    }
    for (int i = 0; i < 50; i++) {
        struct dpl_nav_input input = open_input(1.0 + 0.1 * i);
        input.twist = (struct dpl_twist2){(double)NAN, (double)INFINITY};
        input.scan.ranges_m = ranges;
        struct dpl_nav_output output = step(&input);
        cr_assert(isfinite(output.command.linear) && isfinite(output.command.angular));
    }
}

Test(navigator, halts_by_order)
{
    begin();
    struct dpl_nav_input input = open_input(1.0);
    step(&input);
    input = open_input(1.1);
    input.halt = true;
    struct dpl_nav_output output = step(&input);
    cr_assert(stands(&output));
    cr_assert_eq(output.state, DPL_NAV_HALTED);
}

Test(navigator, forgets_places_when_the_pose_jumps)
{
    begin();
    struct dpl_nav_input input = open_input(1.0);
    step(&input);
    cr_assert(nav.has_goal);
    struct dpl_pose2 goal = nav.goal;
    input = open_input(1.1);
    input.pose.x = 20.0;
    cr_assert_gt(step(&input).command.linear, 0.0);
    cr_assert_gt(fabs(nav.goal.x - goal.x), 10.0);
}

Test(navigator, is_quick_in_an_empty_room_and_touches_nothing)
{
    sim_world_make_room(&world, 6.0, 5.0);
    struct sim_run run = run_in_world(0.2, 120.0);
    struct sim_result result = drive(&run);
    cr_assert_eq(result.contacts, 0);
    cr_assert_gt(result.mean_m_s, 0.12);
    cr_assert_gt(result.covered, 0.3);
    cr_assert_gt(result.nearest_m, 0.04);
}

Test(navigator, drives_out_of_a_dead_end)
{
    sim_world_make_room(&world, 6.0, 4.0);
    sim_world_add_wall(&world, 2.5, 1.7, 4.0, 1.7);
    sim_world_add_wall(&world, 4.0, 1.7, 4.0, 2.3);
    sim_world_add_wall(&world, 4.0, 2.3, 2.5, 2.3);
    struct sim_run run = run_in_world(0.2, 60.0);
    run.start = (struct dpl_pose2){3.6, 2.0, 0.0};
    struct sim_result result = drive(&run);
    cr_assert_eq(result.contacts, 0);
    cr_assert_gt(result.distance_m, 5.0);
}

Test(navigator, passes_a_narrow_gap_to_a_waypoint)
{
    sim_world_make_room(&world, 6.0, 4.0);
    sim_world_add_wall(&world, 3.0, 0.0, 3.0, 1.75);
    sim_world_add_wall(&world, 3.0, 2.25, 3.0, 4.0);
    struct sim_run run = run_in_world(0.2, 60.0);
    add_waypoint(&run, 5.0, 2.0);
    struct sim_result result = drive(&run);
    cr_assert_eq(result.reached, 1);
    cr_assert_eq(result.contacts, 0);
    cr_assert_eq(result.state, DPL_NAV_ARRIVED);
}

Test(navigator, goes_around_a_wall_between_it_and_its_waypoint)
{
    sim_world_make_room(&world, 6.0, 5.0);
    sim_world_add_wall(&world, 3.0, 1.0, 3.0, 5.0);
    struct sim_run run = run_in_world(0.2, 120.0);
    run.start = (struct dpl_pose2){1.5, 3.5, 0.0};
    add_waypoint(&run, 4.5, 3.5);
    struct sim_result result = drive(&run);
    cr_assert_eq(result.reached, 1);
    cr_assert_eq(result.contacts, 0);
}

Test(navigator, leaves_a_concave_corner_towards_its_waypoint)
{
    sim_world_make_room(&world, 6.0, 5.0);
    sim_world_add_wall(&world, 3.0, 1.5, 3.0, 3.5);
    sim_world_add_wall(&world, 3.0, 1.5, 2.0, 1.5);
    sim_world_add_wall(&world, 3.0, 3.5, 2.0, 3.5);
    struct sim_run run = run_in_world(0.2, 150.0);
    run.start = (struct dpl_pose2){2.4, 2.4, 0.0};
    add_waypoint(&run, 4.5, 2.5);
    struct sim_result result = drive(&run);
    cr_assert_eq(result.reached, 1);
    cr_assert_eq(result.contacts, 0);
}

Test(navigator, gives_up_a_waypoint_inside_a_box_and_goes_on_to_the_next)
{
    sim_world_make_room(&world, 6.0, 5.0);
    sim_world_add_box(&world, (struct dpl_pose2){3.0, 2.5, 0.0}, 1.0, 1.0);
    struct sim_run run = run_in_world(0.2, 240.0);
    run.nav.route.patience_s = 20.0;
    add_waypoint(&run, 3.0, 2.5);
    add_waypoint(&run, 5.0, 4.0);
    struct sim_result result = drive(&run);
    cr_assert_eq(result.abandoned, 1);
    cr_assert_eq(result.reached, 1);
    cr_assert_eq(result.contacts, 0);
}

Test(navigator, stops_soon_after_the_scans_cease)
{
    sim_world_make_room(&world, 6.0, 5.0);
    struct sim_run run = run_in_world(0.2, 4.0);
    run.blind_from_s = 3.0;
    run.blind_until_s = 9.0;
    struct sim_result result = drive(&run);
    cr_assert_eq(result.state, DPL_NAV_STALE);
    struct sim_result later;
    run.duration_s = 8.0;
    cr_assert_eq(sim_run(&run, &later), 0);
    cr_assert_lt(dpl_pose2_distance(result.pose, later.pose), 1e-3);
}

static void sum_up(void *context, double now_s, struct dpl_pose2 truth,
                   const struct dpl_nav_input *input, const struct dpl_nav_output *output)
{
    (void)input;
    double *sum = context;
    *sum =
        *sum * 0.999 + now_s * truth.x + truth.y + output->command.linear + output->command.angular;
}

Test(navigator, the_same_seed_drives_the_same_way)
{
    sim_world_make_office(&world, 4);
    double sums[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        struct sim_run run = run_in_world(0.177, 60.0);
        run.plant = sim_plant_random(4, 0.177);
        run.start = sim_world_random_pose(&world, 4, 0.3);
        run.watcher = sum_up;
        run.context = &sums[i];
        drive(&run);
    }
    cr_assert_eq(sums[0], sums[1]);
}
