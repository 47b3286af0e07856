/* SPDX-License-Identifier: Apache-2.0 */
/* The example controller: what it reads from its pins and what it does about it. */
#include <math.h>

#include <criterion/criterion.h>

#include "follow.h"

static const struct follow_config config = {
    .gain = 1.6,
    .reach = 1.2,
    .near = 0.35,
    .brake = 1.2,
    .least = 0.3,
    .stuck = 0.25,
    .stuck_s = 0.4,
    .backward_s = 1.0,
};
static struct follow self;

/* left, front, right at 30 degrees; side left, rear left, rear right, side right */
static struct follow_demand step(double left, double front, double right, double side_left,
                                 double side_right)
{
    double ranges[FOLLOW_SENSORS] = {left, front, right, side_left, 0.0, 0.0, side_right};
    return follow_step(&self, &config, ranges, 0.05);
}

Test(wall_follower, goes_straight_at_full_speed_in_the_middle_of_a_lane)
{
    struct follow_demand demand = step(1.0, 0.0, 1.0, 0.0, 0.0);
    cr_assert_eq(demand.speed, 1.0);
    cr_assert_eq(demand.yaw, 0.0);
}

Test(wall_follower, turns_to_where_there_is_more_room)
{
    cr_assert_gt(step(1.2, 3.0, 0.8, 0.0, 0.0).yaw, 0.1);
    cr_assert_lt(step(0.8, 3.0, 1.2, 0.0, 0.0).yaw, -0.1);
}

Test(wall_follower, turns_away_from_a_wall_beside_it)
{
    cr_assert_lt(step(1.0, 3.0, 1.0, 0.26, 0.0).yaw, 0.0);
    cr_assert_gt(step(1.0, 3.0, 1.0, 0.0, 0.26).yaw, 0.0);
}

Test(wall_follower, slows_down_and_turns_harder_before_a_wall)
{
    struct follow_demand far = step(1.2, 1.2, 0.9, 0.0, 0.0);
    struct follow_demand near = step(1.2, 0.6, 0.9, 0.0, 0.0);
    cr_assert_lt(near.speed, far.speed);
    cr_assert_gt(near.yaw, far.yaw);
}

Test(wall_follower, stands_at_a_wall_then_goes_back_turning_to_the_open_side)
{
    struct follow_demand demand = {0};
    for (int i = 0; i < 7; i++) {
        demand = step(0.4, 0.2, 0.8, 0.0, 0.0);
        cr_assert_eq(demand.speed, 0.0, "step %d", i);
        cr_assert_eq(self.state, FOLLOW_FORWARD);
    }
    for (int i = 0; i < 2 && self.state == FOLLOW_FORWARD; i++) {
        step(0.4, 0.2, 0.8, 0.0, 0.0);
    }
    cr_assert_eq(self.state, FOLLOW_BACKWARD);
    demand = step(0.4, 0.2, 0.8, 0.0, 0.0);
    cr_assert_lt(demand.speed, 0.0);
    cr_assert_lt(demand.yaw, 0.0);
}

Test(wall_follower, goes_back_no_further_than_there_is_room)
{
    double ranges[FOLLOW_SENSORS] = {0.4, 0.2, 0.8, 0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 10; i++) {
        follow_step(&self, &config, ranges, 0.05);
    }
    cr_assert_eq(self.state, FOLLOW_BACKWARD);
    ranges[FOLLOW_REAR_LEFT] = 0.2;
    cr_assert_eq(follow_step(&self, &config, ranges, 0.05).speed, 0.0);
    cr_assert_eq(self.state, FOLLOW_FORWARD);
}

Test(wall_follower, reads_its_infrared_sensors_by_its_own_calibration)
{
    cr_assert_float_eq(sense_infrared_m(1.0 - 0.316), 0.10, 1e-9);
    cr_assert_float_eq(sense_infrared_m(1.0 - 0.732), 0.30, 1e-9);
    cr_assert_float_eq(sense_infrared_m(1.0 - 0.846), 0.60, 1e-9);
    cr_assert_eq(sense_infrared_m(1.0), 0.0);
    cr_assert_eq(sense_infrared_m(0.0), 0.0);
}

Test(wall_follower, times_echoes_and_takes_each_once)
{
    struct sense_echo echo = {0};
    cr_assert_eq(sense_echo_m(&echo, 345.2), 0.0);
    sense_edge(&echo, 1000, false); /* a fall without a rise is none */
    cr_assert_eq(sense_echo_m(&echo, 345.2), 0.0);
    sense_edge(&echo, 5000000, true);
    cr_assert_eq(sense_echo_m(&echo, 345.2), 0.0);
    sense_edge(&echo, 5000000 + 5793743, false);
    cr_assert_float_eq(sense_echo_m(&echo, 345.2), 1.0, 1e-6);
    cr_assert_eq(sense_echo_m(&echo, 345.2), 0.0);
}
