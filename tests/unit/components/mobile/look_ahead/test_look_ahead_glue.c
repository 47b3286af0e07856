/* SPDX-License-Identifier: Apache-2.0 */
/* LookAhead with a fake driver: what it asks for, what it says, what it vetoes, and what it does
 * without answers. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/drv/rollouts.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/wheel_controller.h>

#include "fake_runtime.h"

enum { LOOK, SAFETY, COMMAND, ODOMETRY, POSE, CALIBRATION, PLAN };

static struct dpl_rollouts_request asked;
static struct dpl_rollouts_want wants[DPL_ROLLOUTS_MAX];
static struct dpl_rollouts_twist twists[DPL_ROLLOUTS_TWISTS_MAX];
static struct dpl_rollouts_answer answer;
static int answer_error;
static int64_t device_state;
static int n_asked;
static dpl_ns now;

static int ask(struct dpl_device *device, const void *in, void *out)
{
    asked = *(const struct dpl_rollouts_request *)in;
    memcpy(wants, asked.wants, (size_t)asked.n * sizeof wants[0]);
    memcpy(twists, asked.twists, asked.n_twists * sizeof twists[0]);
    answer.number++;
    answer.stamp = now;
    answer.n = asked.n;
    n_asked++;
    return device_state == DPL_ROLLOUTS_WORKS ? 0 : -ENODEV;
}

static int give_answer(struct dpl_device *device, const void *in, void *out)
{
    *(const struct dpl_rollouts_answer **)out = &answer;
    return answer_error;
}

static int status(struct dpl_device *device, const void *in, void *out)
{
    ((struct dpl_rollouts_status *)out)->state = device_state;
    return 0;
}

static const dpl_device_call_fn api[DPL_DRV_ROLLOUTS_N_CALLS] = {
    [DPL_DRV_ROLLOUTS_ASK] = ask,
    [DPL_DRV_ROLLOUTS_ANSWER] = give_answer,
    [DPL_DRV_ROLLOUTS_STATUS] = status,
};
static struct dpl_driver driver = {
    .name = "fake", .device_class = &dpl_rollouts_class, .api = api, .n_calls = DPL_COUNT(api)};
static struct dpl_device device = {.driver = &driver};

/* Straight ahead for 3 s, and no contact. */
static void clear_way(void)
{
    for (int i = 0; i < DPL_ROLLOUTS_MAX; i++) {
        struct dpl_rollouts_outcome *outcome = &answer.outcomes[i];
        *outcome = (struct dpl_rollouts_outcome){
            .valid = true, .clearance_m = 1.5, .n_poses = 3, .poses = {{0}, {0.3}, {0.6}}};
        outcome->pose_s[1] = 1.5, outcome->pose_s[2] = 3.0;
    }
}

static void block_way(double way_m)
{
    struct dpl_rollouts_outcome *outcome = &answer.outcomes[3];
    outcome->touched = true;
    outcome->touched_s = 1.0;
    outcome->x = way_m + 0.2;
    outcome->n_poses = 2;
    outcome->poses[1].x = way_m;
    snprintf(outcome->object, sizeof outcome->object, "bench");
}

static void begin(void)
{
    fake_begin();
    fake.device = &device;
    fake.ports[POSE].is_open = fake.ports[PLAN].is_open = fake.ports[CALIBRATION].is_open = true;
    device_state = DPL_ROLLOUTS_WORKS;
    answer_error = 0;
    answer = (struct dpl_rollouts_answer){0};
    n_asked = 0;
    now = 100 * DPL_MS;
    clear_way();
}

TestSuite(look_ahead_glue, .init = begin, .fini = fake_end);

static void start(void)
{
    cr_assert_eq(fake_start(100 * DPL_MS, NULL), 0);
}

static const Doppel__Look *cycle(void)
{
    fake.now = now;
    fake_cycle(now, 100 * DPL_MS);
    now += 100 * DPL_MS;
    return fake_sent(LOOK);
}

static double given_x[16], given_y[16];

static Doppel__SafetyAnswer check(double v, double w)
{
    const struct dpl_component_class *class = fake.self.class_;
    Doppel__SafetyQuestion question = DOPPEL__SAFETY_QUESTION__INIT;
    Doppel__SafetyAnswer given = DOPPEL__SAFETY_ANSWER__INIT;
    question.linear_velocity = v, question.angular_velocity = w;
    given.contact_x = given_x, given.n_contact_x = 16;
    given.contact_y = given_y, given.n_contact_y = 16;
    fake.now = now;
    cr_assert_eq(
        class->ports[SAFETY].methods[DPL_SAFETY_CHECK](&fake.self, SAFETY, &question, &given), 0);
    return given;
}

Test(look_ahead_glue, asks_for_the_held_command_and_the_way_to_rest)
{
    start();
    check(0.2, 0.3);
    cycle();
    cr_assert_eq(n_asked, 1);
    cr_assert_eq(asked.n, 9);
    cr_assert_eq(asked.n_twists, 9);
    cr_assert_eq(wants[0].start, DPL_ROLLOUTS_HERE);
    cr_assert_eq(wants[1].start, DPL_ROLLOUTS_OFFSET);
    cr_assert_eq(wants[0].duration_s, 3.0);
    cr_assert_eq(wants[8].duration_s, 1.0);
    cr_assert_eq(twists[7].rollout, 7);
    cr_assert_eq(twists[7].twist.linear, 0.2);
    cr_assert_eq(twists[8].twist.linear, 0.0);
}

Test(look_ahead_glue, nothing_is_vetoed_before_the_first_answer)
{
    start();
    answer_error = -EINPROGRESS;
    cr_assert_eq((int)cycle()->state, DPL_LOOK_WAITING);
    cr_assert_eq((int)cycle()->state, DPL_LOOK_WAITING);
    cr_assert_eq(n_asked, 1, "one at a time");
    Doppel__SafetyAnswer given = check(0.2, 0.0);
    cr_assert_not(given.vetoed);
    cr_assert_eq(given.linear_velocity, 0.2);
    cr_assert_eq((int)given.state, DPL_LOOK_WAITING);
}

Test(look_ahead_glue, a_free_way_is_not_slowed)
{
    start();
    check(0.2, 0.0);
    cycle();
    const Doppel__Look *look = cycle();
    cr_assert_eq((int)look->state, DPL_LOOK_OK);
    cr_assert_not(look->contact);
    cr_assert_eq(look->rollouts, 8);
    cr_assert_float_eq(look->predicted->x, 0.6, 1e-12);
    cr_assert_eq(look->clearance, 1.5);
    Doppel__SafetyAnswer given = check(0.2, 0.0);
    cr_assert_not(given.vetoed);
    cr_assert_eq(given.n_contact_x, 0);
    cr_assert_eq(fake_export("looks"), 1.0);
}

Test(look_ahead_glue, a_contact_to_come_slows_down_and_tells_where_it_is)
{
    start();
    check(0.2, 0.0);
    cycle();
    block_way(0.12);
    const Doppel__Look *look = cycle();
    cr_assert(look->contact);
    cr_assert_str_eq(look->contact_object, "bench");
    cr_assert_float_eq(look->probability, 0.125, 1e-12);
    Doppel__SafetyAnswer given = check(0.2, 0.4);
    cr_assert(given.vetoed);
    cr_assert_lt(given.linear_velocity, 0.2);
    cr_assert_eq(given.angular_velocity, 0.4);
    cr_assert_eq(given.n_contact_x, 1);
    cr_assert_float_eq(given_x[0], 0.32, 1e-12);
    cr_assert_not(check(-0.2, 0.0).vetoed);
    cr_assert_eq(fake_export("vetoes"), 1.0);
}

Test(look_ahead_glue, an_unlikely_contact_is_no_reason)
{
    fake_set("MinimumProbability", "0.2");
    start();
    check(0.2, 0.0);
    cycle();
    block_way(0.12);
    cycle();
    cr_assert_not(check(0.2, 0.0).vetoed);
    cr_assert_eq(fake_export("contact_s"), -1.0);
}

Test(look_ahead_glue, record_vetoes_nothing_and_hides_places)
{
    fake_set("Mode", "record");
    start();
    check(0.2, 0.0);
    cycle();
    block_way(0.01);
    cr_assert(cycle()->contact);
    Doppel__SafetyAnswer given = check(0.2, 0.0);
    cr_assert_not(given.vetoed);
    cr_assert_eq(given.linear_velocity, 0.2);
    cr_assert_eq(given.n_contact_x, 0);
}

Test(look_ahead_glue, a_look_that_is_too_old_vetoes_nothing)
{
    start();
    check(0.2, 0.0);
    cycle();
    block_way(0.01);
    cycle();
    answer_error = -EINPROGRESS;
    for (int i = 0; i < 6; i++) {
        cycle();
    }
    Doppel__SafetyAnswer given = check(0.2, 0.0);
    cr_assert_eq((int)given.state, DPL_LOOK_OLD);
    cr_assert_not(given.vetoed);
}

Test(look_ahead_glue, a_worker_that_ends_is_said_once_and_counted)
{
    start();
    check(0.2, 0.0);
    cycle();
    block_way(0.01);
    cycle();
    device_state = DPL_ROLLOUTS_DEAD;
    answer_error = -ENODEV;
    cr_assert_eq((int)cycle()->state, DPL_LOOK_DEAD);
    cycle();
    cr_assert_not_null(strstr(fake.errors, "has ended"));
    cr_assert_eq(strchr(fake.errors, '\n')[1], '\0', "said twice");
    cr_assert_eq(fake_export("lost"), 1.0);
    Doppel__SafetyAnswer given = check(0.2, 0.0);
    cr_assert_not(given.vetoed);
    cr_assert_eq(given.linear_velocity, 0.2);
}

Test(look_ahead_glue, a_silent_worker_may_come_back)
{
    start();
    check(0.2, 0.0);
    cycle();
    device_state = DPL_ROLLOUTS_SILENT;
    answer_error = -ENODEV;
    for (int i = 0; i < 6; i++) {
        cr_assert_eq((int)cycle()->state, DPL_LOOK_SILENT);
    }
    cr_assert_eq(fake_export("lost"), 1.0);
    device_state = DPL_ROLLOUTS_WORKS;
    answer_error = 0;
    cr_assert_eq((int)cycle()->state, DPL_LOOK_OLD); /* its answer is of before */
    cr_assert_eq((int)cycle()->state, DPL_LOOK_OK);
    cr_assert_not_null(strstr(fake.log, "works again"));
}

static void localize(Doppel__LocalizerState state)
{
    static Doppel__Pose2 pose = DOPPEL__POSE2__INIT, correction = DOPPEL__POSE2__INIT,
                         odometry_pose = DOPPEL__POSE2__INIT;
    static Doppel__Twist2 twist = DOPPEL__TWIST2__INIT;
    static Doppel__LocalizedPose message = DOPPEL__LOCALIZED_POSE__INIT;
    static Doppel__Odometry odometry = DOPPEL__ODOMETRY__INIT;
    static double covariance[6] = {0.0004, 0.0, 0.0004, 0.0, 0.0, 0.0001};
    message.pose = &pose, message.correction = &correction;
    message.covariance = covariance, message.n_covariance = 6, message.state = state;
    correction.x = 2.0, correction.y = 1.0, correction.theta = DPL_PI / 2.0;
    odometry.pose = &odometry_pose, odometry.twist = &twist;
    odometry_pose.x = 0.5, twist.linear = 0.2;
    fake.ports[POSE].is_open = false;
    fake_receive(POSE, &message, now);
    fake_receive(ODOMETRY, &odometry, now - 100 * DPL_MS);
}

Test(look_ahead_glue, begins_where_the_localizer_finds_the_robot_now)
{
    start();
    localize(DOPPEL__LOCALIZER_STATE__LOCALIZER_TRACKING);
    cycle();
    cr_assert_eq(wants[0].start, DPL_ROLLOUTS_AT);
    cr_assert_float_eq(wants[0].pose.x, 2.0, 1e-12);
    cr_assert_float_eq(wants[0].pose.y, 1.52, 1e-12); /* and 0.1 s of its speed */
    cr_assert_float_eq(wants[0].pose.theta, DPL_PI / 2.0, 1e-12);
    cr_assert_neq(wants[1].pose.x, wants[0].pose.x);
}

Test(look_ahead_glue, wheels_turn_as_the_localizer_has_found_them_to)
{
    static double value[3] = {0.97, 1.02, 1.01}, sigma[3] = {0.001, 0.001, 0.001};
    static protobuf_c_boolean identified[3] = {true, false, true};
    static Doppel__LocalizerCalibration message = DOPPEL__LOCALIZER_CALIBRATION__INIT;
    message.value = value, message.n_value = 3;
    message.sigma = sigma, message.n_sigma = 3;
    message.identified = identified, message.n_identified = 3;
    start();
    localize(DOPPEL__LOCALIZER_STATE__LOCALIZER_TRACKING);
    fake.ports[CALIBRATION].is_open = false;
    fake_receive(CALIBRATION, &message, now);
    cycle();
    cr_assert_eq(wants[0].scale_left, 0.97);
    cr_assert_eq(wants[0].scale_right, 1.0, "what is not identified is not known");
    cr_assert_float_eq(wants[1].scale_left, 0.97, 0.005);
    cr_assert_neq(wants[1].scale_left, 0.97);
}

/* The world has grown beyond the room for copies: the worker is well, and this look was not made.
 */
Test(look_ahead_glue, a_look_that_is_not_made_is_counted_and_the_next_one_asked_for)
{
    start();
    check(0.2, 0.0);
    cycle();
    cycle();
    answer_error = -ENODEV;
    for (int i = 0; i < 7; i++) {
        cycle();
    }
    cr_assert_eq(fake_export("refused"), 7.0);
    cr_assert_eq(n_asked, 9);
    cr_assert_eq((int)check(0.2, 0.0).state, DPL_LOOK_OLD);
    answer_error = 0;
    cr_assert_eq((int)cycle()->state, DPL_LOOK_OK);
}

/* At the believed pose stands something: nobody knows what comes, and that is no free way. */
Test(look_ahead_glue, rollouts_of_which_none_could_begin_are_no_look)
{
    start();
    check(0.2, 0.0);
    cycle();
    for (int i = 0; i < 8; i++) {
        answer.outcomes[i] = (struct dpl_rollouts_outcome){.valid = false};
    }
    for (int i = 0; i < 7; i++) {
        cycle();
    }
    cr_assert_eq((int)check(0.2, 0.0).state, DPL_LOOK_WAITING);
    cr_assert_eq(fake_export("refused"), 7.0);
    answer.outcomes[5] = (struct dpl_rollouts_outcome){.valid = true, .n_poses = 1};
    cr_assert_eq((int)cycle()->state, DPL_LOOK_OK);
}

Test(look_ahead_glue, does_not_look_from_a_place_that_nobody_knows)
{
    start();
    localize(DOPPEL__LOCALIZER_STATE__LOCALIZER_LOST);
    cr_assert_eq((int)cycle()->state, DPL_LOOK_UNLOCALIZED);
    cr_assert_eq(n_asked, 0);
    cr_assert_not(check(0.2, 0.0).vetoed);
}

static int plan(unsigned port, unsigned method, const void *request, void *response)
{
    Doppel__PlannedMotion *motion = response;
    motion->n_time = motion->n_linear_velocity = motion->n_angular_velocity = 2;
    motion->time[0] = 0.0, motion->linear_velocity[0] = 0.1, motion->angular_velocity[0] = 0.2;
    motion->time[1] = 1.5, motion->linear_velocity[1] = 0.3, motion->angular_velocity[1] = 0.0;
    return 0;
}

Test(look_ahead_glue, looks_at_the_plan_too)
{
    fake.ports[PLAN].is_open = false;
    fake.service = plan;
    start();
    check(0.2, 0.0);
    cycle();
    cr_assert_eq(asked.n, 17);
    cr_assert_eq(asked.n_twists, 9 + 16);
    cr_assert_eq(twists[10].at_s, 1.5);
    cr_assert_eq(twists[10].twist.linear, 0.3);
    answer.outcomes[9].touched = true;
    answer.outcomes[9].touched_s = 2.0;
    const Doppel__Look *look = cycle();
    cr_assert(look->plan_known);
    cr_assert(look->plan_contact);
    cr_assert_eq(look->plan_contact_time, 2.0);
    cr_assert_not(look->contact);
}
