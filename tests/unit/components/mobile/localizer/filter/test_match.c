/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of residuals, their information, and what they teach. */
#include "loc_match.h"

#include <criterion/criterion.h>

#include "plan.h"
#include <doppel/math/random.h>

static struct loc_match match;
static struct loc_scan scan;
static const struct dpl_raycast_index *plan;
static const struct loc_kernel whole = {1, 1.0, (double)INFINITY};
static const struct dpl_pose2 truth = {2.5, 1.4, 0.3};

static void begin(const struct dpl_raycast_outline *outlines, size_t n, struct dpl_pose2 laser)
{
    bool equal;
    plan = plan_index(outlines, n);
    cr_assert(loc_match_init(&match, plan, n, 2) && loc_scan_init(&scan, PLAN_BEAMS));
    struct localizer_scan taken = plan_scan(plan, laser, 1.0);
    cr_assert(loc_scan_take(&scan, &taken, &equal));
}

static void end(void)
{
    loc_match_finish(&match);
    loc_scan_finish(&scan);
}

static void in_room(void)
{
    begin(plan_room, 9, truth);
}

static struct loc_laser laser_at(const double q[LOC_DIMS])
{
    return (struct loc_laser){{q[0], q[1], q[2]}, q[3], q[4]};
}

/* Half the weighted square of all residuals, with the weights and beams of `from`. */
static double residual_of(const struct loc_laser *laser, size_t i)
{
    return scan.range[i] - laser->bias - (1.0 + laser->scale) * scan.hit[i].range;
}

/* b = J' W e: J by differences of the exact casts must give the same. */
Test(loc_match, jacobian_is_that_of_finite_differences, .init = in_room, .fini = end)
{
    enum { STEPS = LOC_DIMS };
    static double e[2 * STEPS + 1][PLAN_BEAMS];
    const double h = 1e-6;
    double q[LOC_DIMS] = {truth.x + 0.003, truth.y - 0.002, truth.theta + 0.001, 0.004, 0.001};
    for (int k = 0; k < 2 * STEPS + 1; k++) {
        double at[LOC_DIMS];
        memcpy(at, q, sizeof at);
        if (k > 0) {
            at[(k - 1) / 2] += k % 2 == 1 ? h : -h;
        }
        struct loc_laser laser = laser_at(at);
        loc_scan_cast(&scan, plan, &laser.pose, 1);
        for (size_t i = 0; i < scan.n; i++) {
            e[k][i] = residual_of(&laser, i);
        }
    }
    /* One beam at a time: all others do not return. */
    for (size_t i = 20; i < scan.n - 20; i += 17) {
        struct loc_information one;
        struct loc_laser laser = laser_at(q);
        match.map_error_m = 1e-6;
        double kept[PLAN_BEAMS];
        memcpy(kept, scan.range, sizeof kept);
        memset(scan.range, 0, sizeof kept);
        scan.range[i] = kept[i];
        loc_match_evaluate(&match, &scan, &laser, &whole, &one);
        memcpy(scan.range, kept, sizeof kept);
        if (one.n_used == 0) {
            continue;
        }
        double we = one.b[LOC_BIAS]; /* its J is 1 */
        for (int k = 0; k < LOC_SCALE; k++) {
            double slope = -(e[2 * k + 1][i] - e[2 * k + 2][i]) / (2.0 * h);
            double j = one.b[k] / we;
            cr_assert(fabs(j - slope) < 2e-3 * fmax(1.0, fabs(slope)), "beam %zu, %d: %g, not %g",
                      i, k, j, slope);
        }
    }
}

Test(loc_match, at_the_true_pose_all_beams_agree, .init = in_room, .fini = end)
{
    struct loc_information information;
    struct loc_judgement judged;
    struct loc_laser laser = {truth, 0.0, 0.0};
    loc_match_evaluate(&match, &scan, &laser, &whole, &information);
    loc_match_judge(&match, &scan, &laser, 1, &judged);
    cr_assert(judged.agreement == 1.0 && judged.openness == 1.0, "%g", judged.agreement);
    cr_assert(judged.n_judged > 300 && information.n_used > 250);
}

Test(loc_match, information_is_symmetric_and_positive, .init = in_room, .fini = end)
{
    struct loc_information information;
    struct loc_laser laser = {{2.51, 1.39, 0.305}, 0.0, 0.0};
    loc_match_evaluate(&match, &scan, &laser, &whole, &information);
    for (int i = 0; i < LOC_DIMS; i++) {
        cr_assert(information.a[i][i] > 0.0);
        for (int j = 0; j < LOC_DIMS; j++) {
            cr_assert(information.a[i][j] == information.a[j][i]);
        }
    }
}

Test(loc_match, a_wall_of_many_beams_is_one_wall, .init = in_room, .fini = end)
{
    struct loc_information sharp, blunt;
    struct loc_laser laser = {truth, 0.0, 0.0};
    match.map_error_m = 1e-5;
    loc_match_evaluate(&match, &scan, &laser, &whole, &sharp);
    match.map_error_m = 0.02;
    loc_match_evaluate(&match, &scan, &laser, &whole, &blunt);
    /* 1 sigma of x by the scan. Three surfaces or so of 20 mm: no better than about 10 mm. */
    double fine = 1.0 / sqrt(sharp.a[LOC_X][LOC_X]), coarse = 1.0 / sqrt(blunt.a[LOC_X][LOC_X]);
    cr_assert(fine < 0.003 && coarse > 0.006 && coarse < 0.03, "%g, %g m", fine, coarse);
}

/* A wall that the plan does not have, 0.1 m before one that it has: each of its beams counts
 * little, but there are many. */
Test(loc_match, a_surface_that_is_far_off_does_not_outvote_the_others, .init = in_room, .fini = end)
{
    struct loc_information all, near;
    struct loc_laser laser = {truth, 0.0, 0.0};
    struct loc_kernel kernel = {1, 1.0, 0.0};
    match.map_error_m = 0.002;
    loc_match_cast(&match, &scan, &truth, 1);
    size_t before = 0;
    for (size_t i = 0; i < scan.n; i++) {
        double ahead = scan.hit[i].outline == 0 ? 0.1 : 0.0;
        scan.range[i] -= ahead;
        before += ahead > 0.0;
    }
    loc_match_evaluate(&match, &scan, &laser, &whole, &all);
    loc_match_evaluate(&match, &scan, &laser, &kernel, &near);
    cr_assert(before > 30 && near.n_used == all.n_used, "%zu beams", before);
    double of_all = hypot(all.b[LOC_X], all.b[LOC_Y]),
           of_near = hypot(near.b[LOC_X], near.b[LOC_Y]);
    cr_assert(of_near < 0.2 * of_all, "%g, %g", of_near, of_all);
    /* What may be an error of the pose speaks as loud as ever. */
    kernel.pose_error_m = 10.0;
    loc_match_evaluate(&match, &scan, &laser, &kernel, &near);
    cr_assert(fabs(near.b[LOC_X] - all.b[LOC_X]) < 1e-3 * of_all);
}

Test(loc_match, people_are_short_and_a_wrong_place_is_open, .init = in_room, .fini = end)
{
    struct loc_judgement judged;
    struct loc_laser laser = {truth, 0.0, 0.0};
    for (size_t i = 100; i < 200; i++) {
        scan.range[i] = 0.4;
    }
    loc_scan_cast(&scan, plan, &laser.pose, 1);
    loc_match_judge(&match, &scan, &laser, 1, &judged);
    cr_assert(judged.openness == 1.0 && judged.too_short > 0.25 && judged.agreement < 0.75);
    laser.pose = (struct dpl_pose2){1.0, 3.4, 2.0};
    loc_scan_cast(&scan, plan, &laser.pose, 1);
    loc_match_judge(&match, &scan, &laser, 1, &judged);
    cr_assert(judged.openness < 0.7, "%g", judged.openness);
}

/* The box, and the pillar, are gone. */
Test(loc_match, beams_through_what_is_gone_end_behind_it, .init = in_room, .fini = end)
{
    struct loc_judgement judged;
    struct loc_laser laser = {truth, 0.0, 0.0};
    loc_scan_cast(&scan, plan, &truth, 1);
    cr_assert(loc_match_behind(&match, &scan, &laser, 1) == 0.0);
    const struct dpl_raycast_index *walls = plan_index(plan_room, 4);
    struct localizer_scan empty = plan_scan(walls, truth, 0.0);
    for (size_t i = 0; i < empty.n; i++) {
        scan.range[i] = (double)empty.ranges[i];
    }
    loc_scan_cast(&scan, plan, &truth, 1);
    loc_match_judge(&match, &scan, &laser, 1, &judged);
    double behind = loc_match_behind(&match, &scan, &laser, 1);
    cr_assert(behind > 0.05 && behind == judged.too_long, "%g of %g", behind, judged.too_long);
    laser.pose = (struct dpl_pose2){1.0, 3.4, 2.0};
    loc_scan_cast(&scan, plan, &laser.pose, 1);
    loc_match_judge(&match, &scan, &laser, 1, &judged);
    behind = loc_match_behind(&match, &scan, &laser, 1);
    cr_assert(behind < 0.2 * judged.too_long, "%g of %g", behind, judged.too_long);
}

/* From the same scan, again and again. */
static void learn(const struct loc_laser *laser, int n, bool objects)
{
    struct loc_information information;
    for (int i = 0; i < n; i++) {
        loc_match_evaluate(&match, &scan, laser, &whole, &information);
        loc_match_learn(&match, &scan, laser, objects);
    }
}

Test(loc_match, an_object_that_is_gone_is_found_out, .init = in_room, .fini = end)
{
    /* The plan has the box; the scan is of the room without it. */
    struct dpl_raycast_outline without[5];
    bool equal;
    memcpy(without, plan_room, 4 * sizeof *without);
    without[4] = plan_room[8];
    struct dpl_pose2 near = {3.0, 1.5, 0.5};
    struct localizer_scan taken = plan_scan(plan_index(without, 5), near, 2.0);
    cr_assert(loc_scan_take(&scan, &taken, &equal));
    struct loc_laser laser = {near, 0.0, 0.0};
    learn(&laser, 10, true);
    cr_assert(match.reliability[0] < 0.5, "box %g", match.reliability[0]);
    cr_assert(match.reliability[1] == 1.0, "pillar %g", match.reliability[1]);
}

/* Beams along a screen that stands 40 mm off its place are up to 0.2 m too long. */
Test(loc_match, an_object_that_stands_a_little_off_its_place_is_no_moved_one, .fini = end)
{
    struct dpl_raycast_outline screen[5], off[5];
    bool equal;
    memcpy(screen, plan_room, 4 * sizeof *screen);
    screen[4] = (struct dpl_raycast_outline){2.0, 1.0, 2.0, 0.0, 0.0, 0};
    memcpy(off, screen, sizeof off);
    off[4].y += 0.04;
    struct dpl_pose2 beside = {1.5, 0.6, 0.5};
    begin(screen, 5, beside);
    struct localizer_scan taken = plan_scan(plan_index(off, 5), beside, 2.0);
    cr_assert(loc_scan_take(&scan, &taken, &equal));
    struct loc_laser laser = {beside, 0.0, 0.0};
    learn(&laser, 20, true);
    cr_assert_gt(match.reliability[0], 0.8, "screen %g", match.reliability[0]);
}

static void learn_from(const struct dpl_raycast_outline *outlines)
{
    bool equal;
    struct localizer_scan taken = plan_scan(plan_index(outlines, 9), truth, 2.0);
    struct loc_laser laser = {truth, 0.0, 0.0};
    cr_assert(loc_scan_take(&scan, &taken, &equal));
    learn(&laser, 400, false);
}

Test(loc_match, errors_of_the_plan_are_learnt, .init = in_room, .fini = end)
{
    struct dpl_raycast_outline room[9];
    memcpy(room, plan_room, sizeof room);
    for (int i = 0; i < 9; i++) { /* each surface 10 mm off, to either side */
        room[i].x += i % 2 ? 0.010 : -0.010;
        room[i].y += i % 2 ? 0.010 : -0.010;
    }
    learn_from(room);
    cr_assert(match.map_error_m > 0.007 && match.map_error_m < 0.016, "%g m", match.map_error_m);
}

/* The four walls as they are: pieces of half a metre that go in and out by 15 mm, on the average
 * where the plan has them. */
#define PIECES 40

static size_t uneven_walls(struct dpl_raycast_outline ret[PIECES])
{
    size_t n = 0;
    for (int wall = 0; wall < 4; wall++) {
        const struct dpl_raycast_outline *w = &plan_room[wall];
        double length = hypot(w->dx, w->dy), tx = w->dx / length, ty = w->dy / length;
        int pieces = (int)(length / 0.5);
        for (int i = 0; i < pieces; i++) {
            double a = i % 2 ? 0.015 : -0.015;
            struct dpl_raycast_outline *o = &ret[n++];
            o->x = w->x + i * 0.5 * tx - a * ty;
            o->y = w->y + i * 0.5 * ty + a * tx;
            o->dx = 0.5 * tx + 2.0 * a * ty;
            o->dy = 0.5 * ty - 2.0 * a * tx;
            o->owner = DPL_RAYCAST_NO_OWNER;
        }
    }
    return n;
}

static void learn_from_noisy(const struct dpl_raycast_index *seen)
{
    struct loc_laser laser = {truth, 0.0, 0.0};
    struct dpl_random random = dpl_random_named(7, "ranges");
    float ranges[PLAN_BEAMS];
    bool equal;
    for (int i = 0; i < 100; i++) {
        struct localizer_scan taken = plan_scan(seen, truth, 2.0 + 0.1 * i);
        for (size_t k = 0; k < PLAN_BEAMS; k++) {
            ranges[k] = taken.ranges[k] + (float)(0.010 * dpl_random_normal(&random));
        }
        taken.ranges = ranges;
        cr_assert(loc_scan_take(&scan, &taken, &equal));
        learn(&laser, 1, false);
    }
}

/* Their offsets as wholes do not show it, for the pose lies between what they say. */
Test(loc_match, uneven_walls_are_told, .init = in_room, .fini = end)
{
    struct dpl_raycast_outline walls[PIECES];
    learn_from_noisy(plan_index(walls, uneven_walls(walls)));
    cr_assert(match.told_error_m > 0.007 && match.told_error_m < 0.016, "%g m", match.told_error_m);
}

Test(loc_match, noise_of_ranges_is_no_error_of_the_plan, .init = in_room, .fini = end)
{
    learn_from_noisy(plan);
    cr_assert(match.told_error_m < 0.003, "%g m", match.told_error_m);
}

/* One surface that was moved is no error of the others: they are believed as before. */
Test(loc_match, what_was_moved_is_no_error_of_the_plan, .init = in_room, .fini = end)
{
    struct dpl_raycast_outline room[9];
    memcpy(room, plan_room, sizeof room);
    room[0].y -= 0.030; /* the nearest wall */
    learn_from(room);
    cr_assert(match.map_error_m < 0.006, "%g m", match.map_error_m);
}

/* A robot that stands where the plan has an object that is gone still sees the walls. */
Test(loc_match, what_is_behind_an_object_that_is_gone_counts, .init = in_room, .fini = end)
{
    struct dpl_raycast_outline without[5];
    bool equal;
    memcpy(without, plan_room, 4 * sizeof *without);
    without[4] = plan_room[8];
    const struct dpl_raycast_outline *box = &plan_room[4];
    struct dpl_pose2 inside = {box[0].x + 0.5 * (box[0].dx + box[1].dx),
                               box[0].y + 0.5 * (box[0].dy + box[1].dy), 0.5};
    struct localizer_scan taken = plan_scan(plan_index(without, 5), inside, 2.0);
    cr_assert(loc_scan_take(&scan, &taken, &equal));
    struct loc_laser laser = {inside, 0.0, 0.0};
    struct loc_information information;
    struct loc_judgement judged;
    match.reliability[0] = 0.1;
    loc_match_evaluate(&match, &scan, &laser, &whole, &information);
    loc_match_judge(&match, &scan, &laser, 1, &judged);
    cr_assert(information.n_used > PLAN_BEAMS / 2, "%zu", information.n_used);
    cr_assert(judged.agreement < 0.1 && judged.too_long > 0.9, "what the plan says: %g",
              judged.agreement);
    cr_assert(judged.trusted_agreement > 0.95, "without the box: %g", judged.trusted_agreement);
    loc_match_learn(&match, &scan, &laser, true);
    cr_assert(match.reliability[0] < 0.1 && match.reliability[1] == 1.0);
}

static void in_corridor(void)
{
    begin(plan_corridor, 2, (struct dpl_pose2){0.0, 0.2, 0.1});
}

Test(loc_match, a_corridor_does_not_show_the_way_along_it, .init = in_corridor, .fini = end)
{
    struct loc_information information;
    struct loc_laser laser = {{0.3, 0.21, 0.1}, 0.0, 0.0};
    double direction = 9.0;
    loc_match_evaluate(&match, &scan, &laser, &whole, &information);
    cr_assert(loc_information_project(&information, &direction));
    cr_assert(fabs(direction) < 1e-6, "%g rad", direction);
    cr_assert(fabs(information.b[LOC_X]) < 1e-9 && fabs(information.a[LOC_X][LOC_YAW]) < 1e-6);
    cr_assert(information.a[LOC_Y][LOC_Y] > 1.0 / (0.05 * 0.05));
}

Test(loc_match, a_room_shows_all_directions, .init = in_room, .fini = end)
{
    struct loc_information information;
    struct loc_laser laser = {truth, 0.0, 0.0};
    double direction;
    loc_match_evaluate(&match, &scan, &laser, &whole, &information);
    cr_assert(!loc_information_project(&information, &direction));
}
