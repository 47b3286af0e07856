/* SPDX-License-Identifier: Apache-2.0 */
/* Bases by kinematics: exact motion, and nothing is entered. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>
#include <doppel/sim/channels.h>
#include <doppel/sim/devices.h>
#include <doppel/sim/load.h>
#include <doppel/sim/state.h>

#include "footprint.h"
#include "planar_drive.h"
#include "world_reading.h"

#define NEAR(a, b, e) cr_assert_float_eq(a, b, e, "%.15g instead of %.15g", a, b)

TestSuite(planar, .fini = reading_end);

static int read_text(const char *contents)
{
    char *text =
        dpl_arena_printf(&arena, "<world name='test'><ground friction='1'/>%s</world>", contents);
    return dpl_sim_read_world_text(&arena, UNIT "/avatar_sim/fixtures/test.xml", text, strlen(text),
                                   NULL, &model, &diags);
}

static void make(const char *contents)
{
    struct dpl_diag error = {0};
    cr_assert_eq(read_text(contents), 0, "%s", reading_first());
    cr_assert_eq(dpl_world_create(model, &world, &error), 0, "%s", error.text);
}

static void refused(const char *contents, const char *said)
{
    cr_assert_eq(read_text(contents), -EINVAL, "%s", contents);
    cr_assert_not_null(strstr(diags.items[0].text, said), "%s", diags.items[0].text);
    cr_assert_gt(diags.items[0].place.line, 0);
    reading_end();
}

static struct dpl_pose2 pose_of(int robot)
{
    const struct dpl_sim_state *state = dpl_world_state(world);
    return dpl_sim_body_pose2(state, state->robots[robot].first_body);
}

static void drive(int robot, double left, double right)
{
    dpl_world_set_motor(world, 2 * robot, left);
    dpl_world_set_motor(world, 2 * robot + 1, right);
}

/* ---- kinematics ---- */

Test(planar, two_wheels_have_the_shares_of_the_textbook)
{
    struct dpl_sim_wheel wheels[] = {{.y = 0.15, .radius = 0.05}, {.y = -0.15, .radius = 0.06}};
    struct dpl_sim_mobile base = {.wheels = wheels, .n_wheels = 2};
    struct dpl_planar_twist shares[2];
    cr_assert_eq(dpl__planar_shares(&base, shares), 0);
    NEAR(shares[0].ahead, 0.025, 1e-15);
    NEAR(shares[1].ahead, 0.030, 1e-15);
    NEAR(shares[0].turn, -0.05 / 0.3, 1e-15);
    NEAR(shares[1].turn, 0.06 / 0.3, 1e-15);
    NEAR(shares[0].left, 0.0, 1e-15);
}

Test(planar, axle_behind_the_frame_moves_the_frame_sideways)
{
    struct dpl_sim_wheel wheels[] = {{.x = -0.2, .y = 0.1, .radius = 0.1},
                                     {.x = -0.2, .y = -0.1, .radius = 0.1}};
    struct dpl_sim_mobile base = {.wheels = wheels, .n_wheels = 2};
    struct dpl_planar_twist shares[2];
    cr_assert_eq(dpl__planar_shares(&base, shares), 0);
    NEAR(shares[1].turn, 0.5, 1e-12);
    NEAR(shares[1].left, 0.2 * shares[1].turn, 1e-12);
}

/* The speeds of wheels for a motion, by each wheel's own equation; back to the motion. */
static void go_round(const struct dpl_sim_mobile *base, const struct dpl_planar_twist *wanted)
{
    struct dpl_planar_twist shares[8], got = {0};
    cr_assert_eq(dpl__planar_shares(base, shares), 0);
    for (size_t i = 0; i < base->n_wheels; i++) {
        const struct dpl_sim_wheel *w = &base->wheels[i];
        double vx = wanted->ahead - wanted->turn * w->y, vy = wanted->left + wanted->turn * w->x;
        double angle = w->heading + w->roller_angle;
        double speed = (vx * cos(angle) + vy * sin(angle)) / (w->radius * cos(w->roller_angle));
        got.ahead += shares[i].ahead * speed;
        got.left += shares[i].left * speed;
        got.turn += shares[i].turn * speed;
    }
    NEAR(got.ahead, wanted->ahead, 1e-12);
    NEAR(got.left, wanted->left, 1e-12);
    NEAR(got.turn, wanted->turn, 1e-12);
}

Test(planar, omni_and_mecanum_wheels_move_a_base_in_all_directions)
{
    struct dpl_sim_wheel omni[3], mecanum[4];
    for (int i = 0; i < 3; i++) {
        double at = 2.0 * DPL_PI * i / 3.0;
        omni[i] = (struct dpl_sim_wheel){.x = 0.2 * cos(at),
                                         .y = 0.2 * sin(at),
                                         .heading = at + 0.5 * DPL_PI,
                                         .has_rollers = true,
                                         .radius = 0.04};
    }
    for (int i = 0; i < 4; i++) {
        mecanum[i] =
            (struct dpl_sim_wheel){.x = i < 2 ? 0.25 : -0.25,
                                   .y = i % 2 ? -0.22 : 0.22,
                                   .has_rollers = true,
                                   .roller_angle = (i == 0 || i == 3 ? -1 : 1) * DPL_PI / 4,
                                   .radius = 0.05};
    }
    static const struct dpl_planar_twist motions[] = {
        {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.7, -0.3, 2.0}};
    for (size_t i = 0; i < sizeof motions / sizeof motions[0]; i++) {
        go_round(&(struct dpl_sim_mobile){.wheels = omni, .n_wheels = 3}, &motions[i]);
        go_round(&(struct dpl_sim_mobile){.wheels = mecanum, .n_wheels = 4}, &motions[i]);
    }
    struct dpl_planar_twist shares[8];
    cr_assert_eq(
        dpl__planar_shares(&(struct dpl_sim_mobile){.wheels = omni, .n_wheels = 2}, shares), -EDOM,
        "two omni wheels let it slip");
}

Test(planar, motion_is_along_an_exact_arc)
{
    struct dpl_pose2 from = {1.0, 2.0, 0.5};
    struct dpl_planar_twist twist = {0.6, 0.0, 1.5};
    struct dpl_pose2 to = dpl__planar_along(from, &twist, 1.0);
    double radius = 0.6 / 1.5;
    NEAR(to.x, 1.0 + radius * (sin(2.0) - sin(0.5)), 1e-14);
    NEAR(to.y, 2.0 - radius * (cos(2.0) - cos(0.5)), 1e-14);
    NEAR(to.theta, 2.0, 1e-14);
    /* where the series takes over, both agree */
    for (double turn = 0.5e-4; turn < 3e-4; turn += 0.5e-4) {
        struct dpl_planar_twist slow = {1.0, 0.3, turn};
        struct dpl_pose2 one = dpl__planar_along(from, &slow, 1.0);
        struct dpl_pose2 two = dpl__planar_along(dpl__planar_along(from, &slow, 0.5), &slow, 0.5);
        NEAR(one.x, two.x, 1e-14);
        NEAR(one.y, two.y, 1e-14);
    }
}

/* ---- footprints ---- */

static struct dpl_footprint random_footprint(struct dpl_random *rng)
{
    struct dpl_sim_shape shape = {
        .kind = (enum dpl_sim_kind)(dpl_random_u64(rng) % 4),
        .x = dpl_random_uniform(rng, -1.0, 1.0),
        .y = dpl_random_uniform(rng, -1.0, 1.0),
        .z = 0.5,
        .yaw = dpl_random_uniform(rng, -3.0, 3.0),
        .size_x = dpl_random_uniform(rng, 0.05, 1.0),
        .size_y = dpl_random_uniform(rng, 0.05, 1.0),
        .size_z = 0.4,
        .radius = dpl_random_uniform(rng, 0.05, 0.5),
        .height = dpl_random_uniform(rng, 0.1, 0.8),
        .lying = true,
    };
    return dpl__footprint_of(&shape);
}

/* The distance from a point to a footprint, from its definition. */
static double distance_of(const struct dpl_footprint *f, double x, double y)
{
    double dx = x - f->x, dy = y - f->y;
    double along = fabs(f->cos * dx + f->sin * dy), across = fabs(-f->sin * dx + f->cos * dy);
    double out = hypot(fmax(0.0, along - f->half_x), fmax(0.0, across - f->half_y));
    return fmax(0.0, out - f->radius);
}

/* The least distance over points of the outline of `a`. */
static double searched(const struct dpl_footprint *a, const struct dpl_footprint *b)
{
    enum { POINTS = 4000 };
    double least = distance_of(b, a->x, a->y);
    for (int i = 0; i < POINTS; i++) {
        /* from inside to the outline along a ray of the rectangle's own angle, then rounded */
        double angle = 2.0 * DPL_PI * i / POINTS, share = 8.0 * i / POINTS;
        int side = (int)(share / 2.0);
        double along = share - 2.0 * side - 1.0;
        double x = side % 2 ? (side == 1 ? 1 : -1) : along * (side == 0 ? 1 : -1);
        double y = side % 2 ? along : (side == 0 ? -1 : 1);
        double px = x * a->half_x, py = y * a->half_y;
        for (int k = 0; k < (a->radius > 0.0 ? 24 : 1); k++) {
            double turn = angle + 2.0 * DPL_PI * k / 24;
            double qx = px + a->radius * cos(turn), qy = py + a->radius * sin(turn);
            least = fmin(least, distance_of(b, a->x + a->cos * qx - a->sin * qy,
                                            a->y + a->sin * qx + a->cos * qy));
        }
    }
    return least;
}

Test(planar, gaps_of_footprints_are_those_that_a_search_finds)
{
    struct dpl_random rng = dpl_random_seeded(1, 2);
    int apart = 0;
    for (int i = 0; i < 100; i++) {
        struct dpl_footprint a = random_footprint(&rng), b = random_footprint(&rng);
        double point[2], gap = dpl__footprint_gap(&a, &b, point);
        NEAR(gap, dpl__footprint_gap(&b, &a, NULL), 1e-12);
        NEAR(gap, fmin(searched(&a, &b), searched(&b, &a)), 5e-3);
        cr_assert_leq(distance_of(&b, point[0], point[1]), 1e-9, "the point is on b");
        if (gap > 0.0) {
            NEAR(distance_of(&a, point[0], point[1]), gap, 1e-9);
            apart++;
        }
    }
    cr_assert(apart > 17 && apart < 93, "%d of 100 are apart", apart);
}

Test(planar, what_is_above_is_not_in_the_way)
{
    struct dpl_sim_shape low = {
        .kind = DPL_SIM_BOX, .z = 0.2, .size_x = 1, .size_y = 1, .size_z = 0.4};
    struct dpl_sim_shape high = low;
    high.z = 0.7;
    struct dpl_footprint a = dpl__footprint_of(&low), b = dpl__footprint_of(&high);
    cr_assert(isinf(dpl__footprint_gap(&a, &b, NULL)));
}

/* ---- worlds ---- */

Test(planar, robot_of_a_world_drives_on_the_exact_circle)
{
    make("<robot name='r' model='two_wheels.xml' solver='planar'/>");
    drive(0, 4.0, 6.0);
    dpl_world_step(world, 1);
    struct dpl_pose2 first = pose_of(0);
    dpl_world_step(world, 4999);
    double v = 0.05 * 5.0, w = 0.05 * 2.0 / 0.3, t = 5.0;
    struct dpl_pose2 pose = pose_of(0);
    NEAR(first.x, v / w * sin(w * 0.001), 1e-12);
    NEAR(pose.x, v / w * sin(w * t), 1e-9);
    NEAR(pose.y, v / w * (1.0 - cos(w * t)), 1e-9);
    NEAR(pose.theta, dpl_wrap_angle(w * t), 1e-9);
    NEAR(dpl_world_state(world)->joints.position[1], 6.0 * t, 1e-9);
}

Test(planar, mecanum_base_drives_sideways)
{
    make("<robot name='r' model='mecanum.xml'/>");
    static const double speeds[] = {-4, 4, 4, -4};
    for (int i = 0; i < 4; i++) {
        dpl_world_set_motor(world, i, speeds[i]);
    }
    dpl_world_step(world, 1000);
    NEAR(pose_of(0).x, 0.0, 1e-12);
    NEAR(pose_of(0).y, 0.2, 1e-9);
    NEAR(pose_of(0).theta, 0.0, 1e-12);
}

Test(planar, fast_robot_does_not_pass_through_a_thin_wall)
{
    make("<box name='sheet' x='3' y='0' size_x='0.001' size_y='4' size_z='1'/>"
         "<robot name='r' model='two_wheels.xml' solver='planar'/>");
    model->step = 100 * DPL_MS; /* 5 m a step */
    dpl_world_destroy(world);
    cr_assert_eq(dpl_world_create(model, &world, NULL), 0);
    drive(0, 1000.0, 1000.0);
    dpl_world_step(world, 3);
    NEAR(pose_of(0).x, 3.0 - 0.0005 - 0.2, 1e-3);
    cr_assert_leq(pose_of(0).x, 3.0 - 0.0005 - 0.2);
    struct dpl_world_robot truth;
    dpl_world_get_robot(world, 0, &truth);
    cr_assert_eq(truth.contacts, 1);
    cr_assert(truth.touched & 1 || truth.touched >> (DPL_SIM_SECTORS - 1), "ahead: %x",
              truth.touched);
    NEAR(dpl_world_state(world)->joints.velocity[0], 0.0, 1.0);
    /* and away from it */
    drive(0, -10.0, -10.0);
    dpl_world_step(world, 10);
    NEAR(pose_of(0).x, 2.7995 - 0.5, 1e-3);
}

static const struct dpl_sim_robot *robot_model(int robot)
{
    return &model->robots[robot];
}

/* The least distance of a robot to all others and to all obstacles, each tested. */
static double least_gap(int robot)
{
    double least = (double)INFINITY;
    struct dpl_footprint own = dpl__footprint_of(&robot_model(robot)->shapes[0]);
    own = dpl__footprint_at(&own, pose_of(robot));
    for (size_t i = 0; i < model->n_obstacles; i++) {
        struct dpl_footprint wall = dpl__footprint_of(&model->obstacles[i].shape);
        least = fmin(least, dpl__footprint_gap(&own, &wall, NULL));
    }
    for (int i = 0; i < (int)model->n_robots; i++) {
        struct dpl_footprint other = dpl__footprint_of(&robot_model(i)->shapes[0]);
        other = dpl__footprint_at(&other, pose_of(i));
        least = i == robot ? least : fmin(least, dpl__footprint_gap(&own, &other, NULL));
    }
    return least;
}

static const char crowd[] =
    "<Repeat count='36' index='i'>"
    "<robot name='r{i}' model='two_wheels.xml' solver='planar' x='{i - 6*floor(i/6)}' "
    "y='{floor(i/6)}' "
    "yaw='{sin(7*i)}'/></Repeat>"
    "<wall x1='-0.6' y1='-0.6' x2='5.6' y2='-0.6'/><wall x1='-0.6' y1='5.6' x2='5.6' y2='5.6'/>"
    "<wall x1='-0.6' y1='-0.6' x2='-0.6' y2='5.6'/><wall x1='5.6' y1='-0.6' x2='5.6' y2='5.6'/>"
    "<box name='in the way' x='2.5' y='2.5' yaw='0.4' size_x='0.3' size_y='0.3' size_z='1'/>";

static void shuffle(struct dpl_random *rng)
{
    for (int i = 0; i < 36; i++) {
        drive(i, dpl_random_uniform(rng, -40.0, 40.0), dpl_random_uniform(rng, -40.0, 40.0));
    }
}

Test(planar, crowd_moves_and_nobody_is_ever_in_anything)
{
    struct dpl_random rng = dpl_random_seeded(5, 1);
    make(crowd);
    double moved = 0.0;
    uint64_t contacts = 0;
    for (int k = 0; k < 60; k++) {
        struct dpl_pose2 before = pose_of(7);
        shuffle(&rng);
        for (int s = 0; s < 10; s++) {
            dpl_world_step(world, 20);
            for (int i = 0; i < 36; i++) {
                cr_assert_gt(least_gap(i), 0.0, "robot %d after %d rounds", i, k);
            }
        }
        moved += dpl_pose2_distance(before, pose_of(7));
    }
    for (int i = 0; i < 36; i++) {
        struct dpl_world_robot truth;
        dpl_world_get_robot(world, i, &truth);
        contacts += truth.contacts;
    }
    cr_assert_gt(moved, 2.0, "%g m", moved);
    cr_assert_gt(contacts, 100, "%llu", (unsigned long long)contacts);
}

Test(planar, restored_world_goes_on_with_the_same_bits)
{
    struct dpl_random rng = dpl_random_seeded(6, 1);
    make(crowd);
    shuffle(&rng);
    dpl_world_step(world, 500);
    size_t size = dpl_world_snapshot_size(world);
    void *snapshot = dpl_arena_alloc(&arena, size);
    cr_assert_eq(dpl_world_save(world, snapshot, size), 0);
    struct dpl_pose2 first[36];
    dpl_world_step(world, 500);
    for (int i = 0; i < 36; i++) {
        first[i] = pose_of(i);
    }
    cr_assert_eq(dpl_world_restore(world, snapshot, size), 0);
    dpl_world_step(world, 500);
    for (int i = 0; i < 36; i++) {
        struct dpl_pose2 again = pose_of(i);
        cr_assert_eq(memcmp(&again, &first[i], sizeof again), 0, "robot %d", i);
    }
}

Test(planar, robot_is_put_where_it_fits_only)
{
    make("<box name='box' x='2' y='0' size_x='1' size_y='1' size_z='1'/>"
         "<robot name='a' model='two_wheels.xml' solver='planar'/>"
         "<robot name='b' model='two_wheels.xml' solver='planar' x='-2'/>");
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){1.4, 0, 0}), -EBUSY);
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){-2.3, 0, 0}), -EBUSY);
    cr_assert_eq(dpl_world_set_pose(world, 0, (struct dpl_pose2){-1.55, 0, DPL_PI}), 0);
    drive(0, 10.0, 10.0);
    dpl_world_step(world, 1000);
    NEAR(pose_of(0).x, -1.6, 2e-4);
}

Test(planar, wrong_solvers_and_starts_are_refused)
{
    refused("<robot name='r' model='mecanum.xml' solver='mobile'/>", "solver=\"planar\"");
    refused("<robot name='r' model='two_wheels.xml' solver='plannar'/>",
            "'plannar' does not move a mobile base, did you mean 'planar'?");
    refused("<box x='0.3' y='0' size_x='0.4' size_y='0.4' size_z='1'/>"
            "<robot name='r' model='two_wheels.xml' solver='planar'/>",
            "starts at (0, 0) inside the obstacle");
    refused("<robot name='q' model='two_wheels.xml' solver='planar' x='0.3'/>"
            "<robot name='r' model='two_wheels.xml' solver='planar'/>",
            "inside the robot");
}
