/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the monitor beside a Localizer, with a robot that drives on an arc in a small room. */
#include "integrity.h"

#include <criterion/criterion.h>

#include "localizer.h"
#include "plan.h"

static struct localizer *localizer;
static const struct dpl_raycast_index *room;
static struct dpl_pose2 at;
static double now_s, left_m, right_m;

static void begin_with(struct dpl_pose2 start, bool judged, bool trust)
{
    struct localizer_config config = plan_room_config(start);
    config.judged = judged;
    config.start_trust = trust;
    room = plan_index(plan_room, 9);
    at = (struct dpl_pose2){2.2, 1.5, 0.0};
    now_s = left_m = right_m = 0.0;
    cr_assert_eq(localizer_create(&config, &localizer), 0);
}

static void begin(void)
{
    begin_with((struct dpl_pose2){2.2, 1.5, 0.0}, true, false);
}

static void end(void)
{
    localizer_destroy(localizer);
}

static void drive(double seconds, bool scans)
{
    static const double left_m_s = 0.12, right_m_s = 0.20, axle_m = 0.25, step_s = 0.02;
    for (long i = 0; i < lround(seconds / step_s); i++) {
        struct dpl_pose2 moved = {0.5 * (left_m_s + right_m_s) * step_s, 0.0,
                                  (right_m_s - left_m_s) * step_s / axle_m};
        at = dpl_pose2_compose(at, moved);
        now_s += step_s;
        left_m += left_m_s * step_s;
        right_m += right_m_s * step_s;
        localizer_odometry(localizer, &(struct localizer_odometry){
                                          .stamp_s = now_s, .left_m = left_m, .right_m = right_m});
        if (scans && i % 5 == 0) {
            struct localizer_scan scan = plan_scan(room, at, now_s);
            localizer_scan(localizer, &scan);
        }
        localizer_step(localizer, now_s);
    }
}

static struct integrity_verdict verdict(void)
{
    struct integrity_verdict v;
    localizer_integrity(localizer, &v);
    return v;
}

static struct localizer_estimate estimate(void)
{
    struct localizer_estimate e;
    localizer_estimate(localizer, now_s, &e);
    return e;
}

Test(integrity, right_place_is_proven, .init = begin, .fini = end)
{
    cr_expect_eq(verdict().state, INTEGRITY_INIT);
    drive(1.0, true);
    cr_expect_eq(verdict().state, INTEGRITY_AMBIGUOUS);
    cr_expect(isinf(verdict().level_m));
    drive(14.0, true);
    struct integrity_verdict v = verdict();
    cr_expect_eq(v.state, INTEGRITY_OK, "%s", rules_reason_name(v.reason));
    cr_expect_neq(v.basis, INTEGRITY_TOLD);
    cr_expect(v.level_m > 0.0 && v.level_m < 0.3, "%g", v.level_m);
}

Test(integrity, carried_robot_is_not_ok_with_the_next_scan, .init = begin, .fini = end)
{
    drive(15.0, true);
    cr_assert_eq(verdict().state, INTEGRITY_OK);
    at = (struct dpl_pose2){at.x + (at.x < 3.0 ? 0.8 : -0.8), at.y, at.theta + 0.5};
    drive(0.2, true);
    cr_expect_neq(verdict().state, INTEGRITY_OK);
    cr_expect(isinf(verdict().level_m));
}

Test(integrity, without_scans_it_is_not_ok, .init = begin, .fini = end)
{
    drive(15.0, true);
    cr_assert_eq(verdict().state, INTEGRITY_OK);
    drive(0.5, false);
    cr_expect_eq(verdict().state, INTEGRITY_COASTING);
    cr_expect_eq(estimate().state, LOCALIZER_COASTING);
    drive(1.0, false);
    drive(0.2, true);
    cr_expect_eq(verdict().reason, INTEGRITY_RETURNED);
}

static bool claims(enum localizer_state state)
{
    return state == LOCALIZER_TRACKING || state == LOCALIZER_DEGRADED;
}

Test(integrity, wrong_start_is_never_ok)
{
    for (int trust = 0; trust < 2; trust++) {
        begin_with((struct dpl_pose2){4.0, 1.0, 2.0}, true, trust);
        for (int i = 0; i < 100; i++) {
            drive(0.1, true);
            bool right = dpl_pose2_distance(estimate().pose, at) < 0.3;
            cr_assert(right || verdict().state != INTEGRITY_OK, "at %g s", now_s);
            cr_assert(right || !claims(estimate().state), "at %g s", now_s);
        }
        end();
    }
}

Test(integrity, told_start_is_ok_with_the_second_scan)
{
    begin_with((struct dpl_pose2){2.2, 1.5, 0.0}, true, true);
    drive(0.1, true);
    cr_expect_eq(estimate().state, LOCALIZER_INIT);
    drive(0.1, true);
    cr_expect_eq(verdict().state, INTEGRITY_OK, "%s", rules_reason_name(verdict().reason));
    cr_expect_eq(verdict().basis, INTEGRITY_TOLD);
    cr_expect(claims(estimate().state));
    end();
}

Test(integrity, where_none_judges_it_says_nothing)
{
    begin_with((struct dpl_pose2){2.2, 1.5, 0.0}, false, true);
    drive(2.0, true);
    cr_expect_eq(verdict().state, INTEGRITY_INIT);
    cr_expect(claims(estimate().state));
    end();
}

/* The estimate is the same to the last bit with the monitor and without. */
Test(integrity, monitor_does_not_touch_the_pose)
{
    struct localizer_estimate with, without;
    for (int monitors = 0; monitors < 2; monitors++) {
        begin_with((struct dpl_pose2){2.25, 1.5, 0.02}, monitors != 0, true);
        drive(5.0, true);
        at.x += 0.5;
        drive(5.0, true);
        localizer_estimate(localizer, now_s, monitors ? &with : &without);
        end();
    }
    cr_expect_eq(with.pose.x, without.pose.x);
    cr_expect_eq(with.pose.y, without.pose.y);
    cr_expect_eq(with.pose.theta, without.pose.theta);
    cr_expect_eq(with.covariance[0], without.covariance[0]);
    cr_expect_eq(with.doubt_m, without.doubt_m);
}

Test(integrity, its_state_is_published)
{
    begin_with((struct dpl_pose2){2.2, 1.5, 0.0}, true, false);
    drive(1.0, true);
    cr_expect_eq(estimate().state, LOCALIZER_AMBIGUOUS);
    drive(14.0, true);
    cr_expect(claims(estimate().state));
    at = (struct dpl_pose2){at.x + (at.x < 3.0 ? 0.8 : -0.8), at.y, at.theta + 0.5};
    drive(0.2, true);
    cr_expect_eq(estimate().state, LOCALIZER_AMBIGUOUS);
    end();
}

/* A square room is the same after each quarter turn. */
static const struct dpl_raycast_outline square[] = {
    {0.0, 0.0, 4.0, 0.0, 0.0, DPL_RAYCAST_NO_OWNER},
    {4.0, 0.0, 0.0, 4.0, 0.0, DPL_RAYCAST_NO_OWNER},
    {4.0, 4.0, -4.0, 0.0, 0.0, DPL_RAYCAST_NO_OWNER},
    {0.0, 4.0, 0.0, -4.0, 0.0, DPL_RAYCAST_NO_OWNER},
};

static bool has_rival(const struct integrity_verdict *v, struct dpl_pose2 pose)
{
    for (size_t i = 0; i < v->n_rivals; i++) {
        struct dpl_pose2 rival = dpl_pose2_compose(v->rivals[i], estimate().pose);
        if (dpl_pose2_distance(rival, pose) < 0.1 &&
            fabs(dpl_wrap_angle(rival.theta - pose.theta)) < 0.05) {
            return true;
        }
    }
    return false;
}

Test(integrity, rivals_of_a_square_room_are_its_turns)
{
    struct localizer_config config = plan_room_config((struct dpl_pose2){1.0, 1.5, 0.0});
    config.outlines = square;
    config.n_outlines = 4;
    config.n_objects = 0;
    config.judged = true;
    room = plan_index(square, 4);
    at = (struct dpl_pose2){1.0, 1.5, 0.0};
    now_s = left_m = right_m = 0.0;
    cr_assert_eq(localizer_create(&config, &localizer), 0);
    drive(3.0, true);
    struct integrity_verdict v = verdict();
    cr_expect_eq(v.basis, INTEGRITY_TOLD);
    for (int turns = 1; turns < 4; turns++) {
        struct dpl_pose2 centre = {2.0, 2.0, turns * DPL_PI / 2}, from = {2.0, 2.0, 0.0};
        struct dpl_pose2 pose = dpl_pose2_compose(centre, dpl_pose2_relative(from, at));
        cr_expect(has_rival(&v, pose), "%d quarter turns", turns);
    }
    cr_expect(!has_rival(&v, at));
    end();
}

Test(integrity, proven_place_has_no_rivals_far_away, .init = begin, .fini = end)
{
    drive(15.0, true);
    struct integrity_verdict v = verdict();
    cr_assert_eq(v.state, INTEGRITY_OK);
    for (size_t i = 0; i < v.n_rivals; i++) {
        struct dpl_pose2 rival = dpl_pose2_compose(v.rivals[i], estimate().pose);
        cr_expect_lt(dpl_pose2_distance(rival, at), 0.6);
    }
}
