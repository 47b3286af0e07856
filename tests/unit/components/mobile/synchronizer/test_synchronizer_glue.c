/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronizer through its life cycle, with the poses of both robots as the test says. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/msg/device.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>

#include "fake_runtime.h"
#include "tables.h"

#define PORT_REAL_POSE 3
#define PORT_TRUTH     4

static struct dpl_pose2 robots[2];    /* by port: real, avatar */
static struct dpl_pose2 avatar_drift; /* of its odometry */
static bool gone[2];                  /* by port */
static dpl_ns now;
static bool knows_truth;
static dpl_ns truth_late; /* that of PORT_TRUTH */
static int n_takes, n_drives, n_releases, n_stops, n_puts;
static int answer_to_take;
static int answer_after; /* GetError of the avatar's port: so many times EINPROGRESS, then */
static int verdict;      /* this */

/* What a driver tells; NULL: it has no such property. */
struct told {
    const char *velocity, *angular, *acceleration, *axle;
};
static struct told drivers[2]; /* by port */

static int read_parameter(unsigned port, const char *name, char *ret_value)
{
    const struct told *told = &drivers[port];
    const char *value = strcmp(name, "MaximumVelocity") == 0          ? told->velocity
                        : strcmp(name, "MaximumAngularVelocity") == 0 ? told->angular
                        : strcmp(name, "Acceleration") == 0           ? told->acceleration
                        : strcmp(name, "AxleDistance") == 0           ? told->axle
                                                                      : NULL;
    if (!value) {
        return -ENOENT;
    }
    strcpy(ret_value, value);
    return 0;
}

static struct {
    bool has, pressed;
} bumpers[2]; /* by port */

static struct dpl_pose2 asked_place; /* of the avatar */

static struct dpl_pose2 odometry_of(unsigned port)
{
    return port == 1 ? dpl_pose2_compose(robots[1], avatar_drift) : robots[port];
}

static int answer(unsigned port, unsigned method, const void *request, void *response)
{
    n_takes += method == DPL_WHEEL_CONTROLLER_TAKE_WHEEL;
    n_drives += method == DPL_WHEEL_CONTROLLER_DRIVE_WHEEL;
    n_releases += method == DPL_WHEEL_CONTROLLER_RELEASE_WHEEL;
    n_stops += method == DPL_WHEEL_CONTROLLER_STOP_WHEEL;
    if (port < 2 && gone[port]) {
        return -ENODEV;
    }
    if (method == DPL_WHEEL_CONTROLLER_GET_PARAMETER) {
        return read_parameter(port, ((const Doppel__Parameter *)request)->name,
                              ((Doppel__Parameter *)response)->value);
    }
    if (method == DPL_WHEEL_CONTROLLER_TAKE_WHEEL) {
        return answer_to_take;
    }
    if (method == DPL_WHEEL_CONTROLLER_GET_TRUTH && knows_truth) {
        Doppel__StampedPose *stamped = response;
        stamped->valid = true;
        stamped->stamp_ns = port == PORT_TRUTH ? now - truth_late : now;
        dpl_pose2_set(stamped->pose,
                      port == PORT_TRUTH ? (struct dpl_pose2){5.0, 0.0, 0.0} : robots[port]);
        return 0;
    }
    if (method == DPL_WHEEL_CONTROLLER_GET_POSITION) {
        Doppel__StampedPose *stamped = response;
        stamped->valid = true;
        stamped->stamp_ns = now;
        dpl_pose2_set(stamped->pose, odometry_of(port));
    }
    if (method == DPL_WHEEL_CONTROLLER_GET_ODOMETRY) {
        Doppel__StampedOdometry *stamped = response;
        stamped->valid = true;
        stamped->odometry->has_bumper = bumpers[port].has;
        stamped->odometry->pressed = bumpers[port].pressed;
    }
    if (method == DPL_WHEEL_CONTROLLER_SET_POSITION) {
        n_puts++;
        asked_place = dpl_pose2_get(request);
        answer_after = 2;
    }
    if (method == DPL_WHEEL_CONTROLLER_GET_ERROR) {
        ((Doppel__ErrorState *)response)->code = answer_after-- > 0 ? EINPROGRESS : verdict;
        if (answer_after < 0 && verdict == 0) {
            robots[1] = asked_place;
        }
    }
    return method == DPL_WHEEL_CONTROLLER_GET_TRUTH ? -ENOTSUP : 0;
}

/* ---- the component ---- */

static struct sync_state *state;

static void begin(void)
{
    fake_begin();
    fake.service = answer;
    drivers[0] = (struct told){"0.2", "120", "0.5", "0.3"};
    drivers[1] = (struct told){"0.3", "120", "0.5", "0.3"};
    fake.ports[PORT_REAL_POSE].is_open = fake.ports[PORT_TRUTH].is_open = true;
    state = fake.self.state;
    ((struct sync_properties *)(uintptr_t)fake.self.properties)->align = DPL_SYNC_ALIGN_NONE;
    cr_assert_eq(fake.self.class_->ops->initialize(&fake.self, NULL), 0);
}

TestSuite(synchronizer_glue, .init = begin, .fini = fake_end);

static void go_on(double duration_s)
{
    for (dpl_ns until = now + dpl_ns_from_s(duration_s); now < until; now += 10 * DPL_MS) {
        struct dpl_tick tick = {.now = now, .period = 10 * DPL_MS};
        fake_execute(&tick);
    }
}

static void start_and_run(double duration_s)
{
    const struct dpl_component_ops *ops = fake.self.class_->ops;
    struct dpl_diag why = {0};
    cr_assert_eq(ops->start ? ops->start(&fake.self, &why) : 0, 0, "%s", why.text);
    go_on(duration_s);
}

/* Both were carried away meanwhile: that is no jump, and nothing to catch up with. */
Test(synchronizer_glue, begins_anew_after_a_stop_and_a_start)
{
    start_and_run(3.0);
    int64_t n_ticks = state->view.ticks;
    cr_assert_gt(n_ticks, 10);
    cr_assert_eq(fake.self.class_->ops->stop(&fake.self), 0);
    cr_assert_eq(n_releases, 1);
    robots[0] = robots[1] = (struct dpl_pose2){5.0, -3.0, 1.5};
    now += 20 * DPL_S;
    start_and_run(0.5);
    cr_assert_lt(state->view.ticks, n_ticks);
    cr_assert_float_eq(state->view.real.x, 5.0, 1e-3, "%g", state->view.real.x);
    cr_assert_float_eq(state->view.avatar.y, -3.0, 1e-3, "%g", state->view.avatar.y);
    cr_assert_eq(state->view.real.jumps + state->view.avatar.jumps, 0);
    cr_assert_eq(state->view.real.rejected + state->view.avatar.rejected, 0);
    cr_assert_eq(state->view.overruns, 0);
    cr_assert_lt(state->view.max_mm, 1.0, "%g", state->view.max_mm);
}

Test(synchronizer_glue, corrects_no_more_often_than_it_runs_and_says_so)
{
    ((struct sync_properties *)(uintptr_t)fake.self.properties)->period_ms = 1.0;
    cr_assert_eq(fake.self.class_->ops->period_changed(&fake.self, 10 * DPL_MS), 0);
    start_and_run(1.0);
    cr_assert_eq(fake.n_warnings, 1);
    cr_assert_eq(state->view.ticks, 100);
    cr_assert_eq(state->view.overruns, 0);
    cr_assert_float_eq(state->sync.config.period_s, 0.01, 1e-12);
}

Test(synchronizer_glue, takes_the_avatar_before_it_drives_it_and_releases_it_when_it_stops)
{
    start_and_run(1.0);
    cr_assert_gt(n_drives, 5);
    cr_assert_eq(n_takes, 100, "in each cycle from the first command on");
    cr_assert_eq(fake.self.class_->ops->stop(&fake.self), 0);
    cr_assert_eq(n_releases, 1);
    cr_assert_eq(n_stops, 0, "it follows the application");
    cr_assert_eq(fake.self.class_->ops->stop(&fake.self), 0);
    cr_assert_eq(n_releases, 1, "once");
}

Test(synchronizer_glue, leaves_an_avatar_alone_that_another_component_has_taken)
{
    answer_to_take = -EBUSY;
    start_and_run(1.0);
    cr_assert_eq(n_drives, 0);
    cr_assert_eq(state->refused, n_takes);
    cr_assert_eq(fake.n_warnings, 1, "told once");
    cr_assert_eq(fake.self.class_->ops->stop(&fake.self), 0);
    cr_assert_eq(n_releases + n_stops, 0);
}

Test(synchronizer_glue, drives_and_stops_an_avatar_that_is_a_base_of_its_own)
{
    answer_to_take = -ENOTSUP;
    start_and_run(1.0);
    cr_assert_gt(n_drives, 5);
    cr_assert_eq(state->refused, 0);
    cr_assert_eq(fake.self.class_->ops->stop(&fake.self), 0);
    cr_assert_eq(n_stops, 1);
    cr_assert_eq(n_releases, 0);
}

Test(synchronizer_glue, keeps_what_it_came_to_when_it_is_stopped)
{
    robots[1].x = 0.02;
    start_and_run(3.0);
    fake.self.class_->ops->stop(&fake.self);
    cr_assert_gt(state->view.max_mm, 10.0, "%g", state->view.max_mm);
    cr_assert_gt(state->view.ticks, 10);
}

/* An absent value is no number: "-" in the status line, nan in the trace, null in the summary. */
Test(synchronizer_glue, publishes_no_distance_while_a_pose_is_missing)
{
    const struct sync_view *view = &state->view;
    knows_truth = true;
    robots[1].x = 0.02;
    cr_assert(isnan(view->distance_mm) && isnan(view->tracking), "before the first");
    start_and_run(1.0);
    cr_assert_float_eq(view->distance_mm, 20.0, 1.0);
    cr_assert_float_eq(state->truth.distance_mm, 20.0, 1e-9);
    cr_assert_gt(view->tracking, 0.5);
    gone[1] = true;
    go_on(0.2);
    cr_assert(isnan(view->distance_mm) && isnan(view->heading_deg) && isnan(view->tracking));
    cr_assert(isnan(view->ex) && isnan(view->ey) && isnan(view->et_deg));
    cr_assert(isnan(state->truth.distance_mm) && isnan(state->truth.heading_deg) &&
              isnan(state->truth.final_mm));
    cr_assert_float_eq(view->max_mm, 20.0, 1.0, "what was measured stays measured");
    gone[1] = false;
    go_on(0.2);
    cr_assert_float_eq(view->distance_mm, 20.0, 2.0);
    cr_assert_float_eq(state->truth.final_mm, 20.0, 1e-9);
}

/* Its wheels slipped: the odometry says that it is 1 m ahead. */
Test(synchronizer_glue, takes_the_true_pose_of_an_avatar_whose_world_knows_it)
{
    knows_truth = true;
    avatar_drift.x = 1.0;
    start_and_run(1.0);
    cr_assert_lt(state->view.distance_mm, 0.1, "%g mm", state->view.distance_mm);
}

Test(synchronizer_glue, takes_the_odometry_of_an_avatar_that_is_hardware)
{
    avatar_drift.x = 0.02;
    start_and_run(1.0);
    cr_assert_float_eq(state->view.distance_mm, 20.0, 1.0, "%g mm", state->view.distance_mm);
}

/* SetPosition of a base of its own moves its odometry, and would look like a place. */
Test(synchronizer_glue, puts_no_simulated_base_of_its_own)
{
    knows_truth = true;
    answer_to_take = -ENOTSUP;
    ((struct sync_properties *)(uintptr_t)fake.self.properties)->teleport = true;
    start_and_run(1.0);
    robots[0].x = 1.0;
    go_on(3.0);
    cr_assert_eq(n_puts, 0);
    cr_assert_eq(state->view.teleports, 0);
    cr_assert_gt(state->view.refused_places, 1);
    cr_assert_eq(state->view.state, DPL_SYNC_DIVERGED);
}

/* ---- with a Localizer ---- */

static Doppel__LocalizedPose found;
static Doppel__Pose2 found_correction;
static double found_covariance[6];

/* The real odometry's frame is at x, and the robot that surely. */
static void connect_localizer(double x)
{
    fake.ports[PORT_REAL_POSE].is_open = false;
    found = (Doppel__LocalizedPose)DOPPEL__LOCALIZED_POSE__INIT;
    found_correction = (Doppel__Pose2)DOPPEL__POSE2__INIT;
    found_correction.x = x;
    found.correction = &found_correction;
    found.state = DOPPEL__LOCALIZER_STATE__LOCALIZER_TRACKING;
    found.covariance = found_covariance;
    found.n_covariance = 6;
    found_covariance[0] = found_covariance[2] = 1e-4;
    found_covariance[5] = 1e-6;
    found.protection_level = 0.04;
    found.agreement = 0.9;
    found.has_avatar = true;
    found.avatar_agreement = 0.45;
    knows_truth = true;
}

static void go_on_localized(double duration_s)
{
    for (dpl_ns until = now + dpl_ns_from_s(duration_s); now < until;) {
        found.scan_stamp_ns = now - 50 * DPL_MS;
        fake_receive(PORT_REAL_POSE, &found, now);
        go_on(0.01);
    }
}

Test(synchronizer_glue, follows_the_localized_pose_and_publishes_what_it_is_made_of)
{
    const struct sync_view *view = &state->view;
    connect_localizer(3.0);
    now = DPL_S;
    robots[1].x = 3.02;
    start_and_run(0.01);
    go_on_localized(8.0);
    cr_assert_float_eq(view->real.x, 3.0, 1e-3, "%g", view->real.x);
    cr_assert_float_eq(view->distance_mm, 20.0, 1.0, "%g", view->distance_mm);
    cr_assert_eq(view->pose_source, SYNC_POSE_LOCALIZER);
    cr_assert_eq(view->localizer, SYNC_LOCALIZER_TRACKING);
    cr_assert_float_eq(view->error_sigma_mm, 10.0, 1e-6);
    cr_assert_float_eq(view->error_limit_mm, view->distance_mm + 40.0, 1e-2);
    cr_assert_float_eq(view->fidelity_agreement, 0.5, 1e-9);
    cr_assert(view->scan_age_s >= 0.05 - 1e-9 && view->scan_age_s < 0.2, "%g", view->scan_age_s);
    cr_assert_float_eq(view->fidelity,
                       view->tracking * view->fidelity_covariance * view->fidelity_agreement, 1e-2);
    cr_assert_eq(state->interval_held, 0.0, "the fake's truth is 3 m off");
}

Test(synchronizer_glue, falls_back_to_odometry_when_the_localizer_is_silent_and_says_so_once)
{
    connect_localizer(0.0);
    found.avatar_agreement = 0.9;
    now = DPL_S;
    start_and_run(0.01);
    go_on_localized(2.0);
    cr_assert(strstr(fake.log, "follows the Localizer's pose"), "%s", fake.log);
    int n_told = fake.n_logged;
    go_on_localized(2.0);
    cr_assert_eq(fake.n_logged, n_told, "%s", fake.log);
    found.state = DOPPEL__LOCALIZER_STATE__LOCALIZER_LOST;
    go_on_localized(0.3);
    cr_assert_eq(state->view.fidelity, 0.0);
    go_on(1.5);
    cr_assert(strstr(fake.log, "no message from the Localizer"), "%s", fake.log);
    cr_assert_eq(state->view.pose_source, SYNC_POSE_ODOMETRY);
    cr_assert_eq(state->view.fidelity, 0.0);
    cr_assert(isnan(state->view.error_limit_mm));
    cr_assert_gt(state->view.tracking, 0.9);
    cr_assert_eq(state->view.min_fidelity, 0.0);
    cr_assert_eq(state->view.state, DPL_SYNC_UNKNOWN);
}

Test(synchronizer_glue, says_why_a_message_of_the_localizer_is_refused_and_counts_them)
{
    connect_localizer(0.0);
    now = DPL_S;
    start_and_run(0.01);
    go_on_localized(2.0);
    cr_assert_eq(state->view.state, DPL_SYNC_OK);
    cr_assert_eq(state->view.localizer_refused, 0);
    int n_told = fake.n_logged;
    found_covariance[5] = -1e-6;
    go_on_localized(2.0);
    cr_assert(strstr(fake.log, "a message of the Localizer is refused (1 so far): its heading has "
                               "a negative variance; the avatar follows the odometry\n"),
              "%s", fake.log);
    cr_assert(strstr(fake.log, "OK -> UNKNOWN, the Localizer says nothing that can be used"), "%s",
              fake.log);
    cr_assert_eq(fake.n_logged, n_told + 2, "%s", fake.log);
    cr_assert_eq(state->view.state, DPL_SYNC_UNKNOWN);
    cr_assert_eq(state->view.localizer, SYNC_LOCALIZER_NONE);
    cr_assert_geq(state->view.localizer_refused, 19);
    found_covariance[5] = 1e-6;
    found.n_covariance = 5;
    go_on_localized(0.2);
    cr_assert_eq(state->view.state, DPL_SYNC_UNKNOWN, "it is not complete");
}

/* The word "found" is said when it is found. */
Test(synchronizer_glue, says_once_that_it_is_not_known_where_the_robot_is_and_when_it_is_found)
{
    connect_localizer(0.0);
    found.avatar_agreement = 0.9;
    now = DPL_S;
    start_and_run(0.01);
    go_on_localized(2.0);
    int n_told = fake.n_logged;
    found.state = DOPPEL__LOCALIZER_STATE__LOCALIZER_LOST;
    found_correction.x = 6.4;
    found.relocations = 2;
    go_on_localized(3.0);
    cr_assert_eq(state->view.state, DPL_SYNC_UNKNOWN);
    cr_assert_gt(state->view.unknown_ticks, 25);
    cr_assert_eq(state->view.relocations, 0);
    cr_assert(strstr(fake.log, "OK -> UNKNOWN, the Localizer does not know"), "%s", fake.log);
    cr_assert_not(strstr(fake.log, "found the real robot in another place"), "%s", fake.log);
    cr_assert_eq(fake.n_logged, n_told + 1, "%s", fake.log);
    found.state = DOPPEL__LOCALIZER_STATE__LOCALIZER_TRACKING;
    found.relocations = 3;
    go_on_localized(0.5);
    cr_assert_eq(state->view.relocations, 1);
    cr_assert(strstr(fake.log, "found the real robot in another place, 6.40 m away\n"), "%s",
              fake.log);
}

/* As when a robot was turned by hand where it stands. */
Test(synchronizer_glue, says_whether_the_robot_was_only_turned)
{
    connect_localizer(0.0);
    now = DPL_S;
    start_and_run(0.01);
    go_on_localized(2.0);
    found_correction.theta = dpl_deg_to_rad(45.0);
    found.relocations = 1;
    go_on_localized(0.5);
    cr_assert_eq(state->view.relocations, 1);
    cr_assert(strstr(fake.log, "found the real robot at the same place, turned by 45 deg\n"), "%s",
              fake.log);
    cr_assert_not(strstr(fake.log, "another place"), "%s", fake.log);
    found_correction.x = 1.0;
    found_correction.theta = dpl_deg_to_rad(15.0);
    found.relocations = 2;
    go_on_localized(0.5);
    cr_assert_eq(state->view.relocations, 2);
    cr_assert(strstr(fake.log, "in another place, 1.00 m away, turned by -30 deg\n"), "%s",
              fake.log);
}

/* The Localizer has doubted, and all was well. */
Test(synchronizer_glue, a_robot_that_is_found_where_it_was_followed_is_no_relocation)
{
    connect_localizer(0.0);
    now = DPL_S;
    start_and_run(0.01);
    go_on_localized(2.0);
    found.state = DOPPEL__LOCALIZER_STATE__LOCALIZER_LOST;
    found_correction.x = 6.4;
    found.relocations = 1;
    go_on_localized(1.0);
    found.state = DOPPEL__LOCALIZER_STATE__LOCALIZER_TRACKING;
    found_correction.x = 0.005;
    found.relocations = 2;
    go_on_localized(0.5);
    cr_assert_eq(state->view.state, DPL_SYNC_OK);
    cr_assert_eq(state->view.relocations, 0);
    cr_assert_not(strstr(fake.log, "found the real robot"), "%s", fake.log);
}

/* As true_heading_deg: of the robot against the avatar. */
Test(synchronizer_glue, the_measured_difference_of_headings_has_a_sign)
{
    connect_localizer(0.0);
    now = DPL_S;
    start_and_run(0.01);
    go_on_localized(2.0);
    found_correction.theta = dpl_deg_to_rad(-4.0);
    found.relocations = 1;
    go_on_localized(0.1);
    cr_assert_lt(state->view.heading_deg, -1.0, "%g", state->view.heading_deg);
    cr_assert_eq(state->view.heading_deg, state->view.et_deg);
}

/* The time before the first scan is no bad time. */
Test(synchronizer_glue, the_lowest_fidelity_is_of_the_time_in_which_there_is_one)
{
    connect_localizer(0.0);
    found.avatar_agreement = 0.9;
    found.state = DOPPEL__LOCALIZER_STATE__LOCALIZER_INIT;
    now = DPL_S;
    start_and_run(0.01);
    go_on_localized(0.5);
    cr_assert_eq(state->view.state, DPL_SYNC_INIT);
    cr_assert_eq(state->view.fidelity, 0.0);
    cr_assert(isnan(state->view.min_fidelity));
    found.state = DOPPEL__LOCALIZER_STATE__LOCALIZER_TRACKING;
    go_on_localized(1.0);
    cr_assert_gt(state->view.min_fidelity, 0.9, "%g", state->view.min_fidelity);
    found.state = DOPPEL__LOCALIZER_STATE__LOCALIZER_LOST;
    go_on_localized(0.2);
    cr_assert_eq(state->view.min_fidelity, 0.0);
}

/* A base that knows the truth of the real robot may tell it late: it is compared with where the
 * avatar was then. */
Test(synchronizer_glue, measures_the_true_distance_by_a_truth_that_comes_late)
{
    fake.ports[PORT_TRUTH].is_open = false;
    knows_truth = true;
    truth_late = 200 * DPL_MS;
    start_and_run(0.3);
    for (int i = 0; i < 100; i++) {
        robots[1].x += 0.01;
        go_on(0.01);
    }
    /* PORT_TRUTH tells x = 5 m; 0.2 s ago the avatar was 0.2 m behind where it is */
    cr_assert_float_eq(state->truth.distance_mm, 1e3 * (5.0 - (robots[1].x - 0.2)), 11.0, "%g",
                       state->truth.distance_mm);
}

Test(synchronizer_glue, aligns_the_odometry_when_a_localizer_says_nothing)
{
    fake.ports[PORT_REAL_POSE].is_open = false;
    start_and_run(0.9);
    cr_assert_eq(state->view.state, DPL_SYNC_INIT);
    go_on(1.0);
    cr_assert_eq(state->view.state, DPL_SYNC_UNKNOWN);
    cr_assert_gt(state->view.tracking, 0.9);
    cr_assert_eq(state->view.fidelity, 0.0);
}

Test(synchronizer_glue, leaves_out_a_message_without_a_whole_covariance)
{
    connect_localizer(3.0);
    found.n_covariance = 5;
    now = DPL_S;
    start_and_run(0.01);
    go_on_localized(2.0);
    cr_assert_eq(state->view.pose_source, SYNC_POSE_ODOMETRY);
    cr_assert_float_eq(state->view.real.x, 0.0, 1e-3);
}

static void diverge(int answer_of_the_world, double duration_s)
{
    ((struct sync_properties *)(uintptr_t)fake.self.properties)->teleport = true;
    verdict = answer_of_the_world;
    robots[0] = robots[1] = (struct dpl_pose2){0};
    start_and_run(2.0);
    robots[0].x = 1.0;
    go_on(duration_s);
}

Test(synchronizer_glue, asks_what_came_of_a_place_and_counts_it_only_then)
{
    diverge(0, 4.0);
    cr_assert_eq(n_puts, 1);
    cr_assert_eq(state->view.teleports, 1);
    cr_assert_eq(state->view.refused_places, 0);
    cr_assert_lt(state->view.distance_mm, 10.0);
}

Test(synchronizer_glue, a_place_that_the_world_refuses_is_counted_told_once_and_asked_for_again)
{
    diverge(EBUSY, 6.0);
    cr_assert(n_puts > 3 && n_puts < 12, "%d", n_puts);
    cr_assert_eq(state->view.teleports, 0);
    cr_assert_geq(state->view.refused_places, n_puts - 1);
    cr_assert_eq(state->view.state, DPL_SYNC_DIVERGED);
    cr_assert_float_eq(state->view.avatar.x, 0.0, 0.02);
    /* tracking, DIVERGED, and one for all refusals */
    cr_assert_eq(fake.n_warnings, 3, "%d warnings", fake.n_warnings);
}

/* The world answers later, and until then the avatar is taken to be there. */
Test(synchronizer_glue, an_avatar_that_cannot_be_put_where_the_robot_is_found_is_put_there_later)
{
    connect_localizer(0.0);
    now = DPL_S;
    start_and_run(0.01);
    go_on_localized(2.0);
    verdict = EBUSY;
    found_correction.x = 7.608;
    found.relocations = 1;
    go_on_localized(6.0);
    cr_assert(n_puts > 5 && n_puts < 14, "%d", n_puts);
    cr_assert(strstr(fake.log, "7608 mm away: something stands there"), "%s", fake.log);
    cr_assert_eq(state->view.state, DPL_SYNC_DIVERGED);
    cr_assert_eq(state->view.relocations, 1);
    int n_told = fake.n_logged;
    go_on_localized(10.0);
    cr_assert_eq(fake.n_logged, n_told + 1, "again after 10 s: %s", fake.log);
    verdict = 0;
    go_on_localized(3.0);
    cr_assert_eq(state->view.teleports, 1);
    cr_assert_lt(state->view.distance_mm, 10.0);
    int n_asked = n_puts;
    go_on_localized(3.0);
    cr_assert_eq(n_puts, n_asked, "it is there");
}

Test(synchronizer_glue, a_place_that_is_refused_at_the_start_is_asked_for_again)
{
    ((struct sync_properties *)(uintptr_t)fake.self.properties)->align = DPL_SYNC_ALIGN_SNAP;
    verdict = EBUSY;
    robots[0].x = 1.0;
    start_and_run(6.0);
    cr_assert_gt(n_puts, 3, "%d", n_puts);
    cr_assert(strstr(fake.log, "1000 mm away: something stands there"), "%s", fake.log);
    verdict = 0;
    go_on(3.0);
    cr_assert_eq(state->view.teleports, 1);
    cr_assert_lt(state->view.distance_mm, 10.0);
}

Test(synchronizer_glue, says_why_an_avatar_is_not_put)
{
    answer_to_take = -ENOTSUP;
    knows_truth = true;
    diverge(0, 3.0);
    cr_assert(strstr(fake.log, "its base cannot be placed"), "%s", fake.log);
    verdict = EIO;
    answer_to_take = 0;
    go_on(12.0);
    cr_assert(strstr(fake.log, "its base answers with error 5"), "%s", fake.log);
}

/* ---- the limits ---- */

Test(synchronizer_glue, takes_the_limits_of_each_robot_from_its_own_driver_and_logs_them)
{
    const struct dpl_sync_config *config = &state->sync.config;
    drivers[0] = (struct told){"3", "180", "2.5", "0.23"};
    drivers[1] = (struct told){"4.5", "180", "4", "0.33"};
    start_and_run(0.01);
    cr_assert_eq(config->max_velocity, 3.0);
    cr_assert_float_eq(config->max_angular, DPL_PI, 1e-12);
    cr_assert_eq(config->acceleration, 2.5);
    cr_assert_eq(config->axle_m, 0.23);
    cr_assert_eq(config->avatar_acceleration, 4.0);
    cr_assert_eq(config->avatar_axle_m, 0.33);
    cr_assert_float_eq(state->sync.avatar_limits.linear, 4.5, 1e-12);
    cr_assert_eq(fake.n_warnings, 0, "%s", fake.log);
    cr_assert(strstr(fake.log, "3 m/s, 3.142 rad/s, 2.5 m/s^2, axle 0.23 m"), "%s", fake.log);
}

Test(synchronizer_glue, takes_given_limits_instead_of_those_of_the_drivers)
{
    const struct dpl_sync_config *config = &state->sync.config;
    fake_set("MaximumVelocity", "0.1");
    fake_set("MaximumAngularVelocity", "1");
    fake_set("Acceleration", "0.25");
    fake_set("AxleDistance", "0.4");
    start_and_run(0.01);
    cr_assert_eq(config->max_velocity, 0.1);
    cr_assert_eq(config->max_angular, 1.0);
    cr_assert(config->acceleration == 0.25 && config->avatar_acceleration == 0.25);
    cr_assert(config->axle_m == 0.4 && config->avatar_axle_m == 0.4);
    cr_assert_eq(fake.n_warnings, 0, "%s", fake.log);
}

Test(synchronizer_glue, warns_of_each_limit_that_nobody_tells_and_takes_the_usual_one)
{
    const struct dpl_sync_config usual = dpl_sync_config_default();
    drivers[0] = drivers[1] = (struct told){0};
    start_and_run(0.01);
    cr_assert_eq(fake.n_warnings, 4, "%s", fake.log);
    cr_assert(strstr(fake.log, "has no MaximumVelocity"), "%s", fake.log);
    cr_assert_eq(state->sync.config.max_velocity, usual.max_velocity);
    cr_assert_eq(state->sync.config.avatar_axle_m, usual.axle_m);
}

Test(synchronizer_glue, warns_of_an_avatar_that_cannot_catch_up_with_its_robot)
{
    drivers[1] = (struct told){"0.29", "100", "0.4", "0.3"};
    start_and_run(0.01);
    cr_assert_eq(fake.n_warnings, 3, "%s", fake.log);
    cr_assert(strstr(fake.log, "it needs 0.3"), "%s", fake.log);
    cr_assert(strstr(fake.log, "avatar's MaximumAngularVelocity"), "%s", fake.log);
    cr_assert(strstr(fake.log, "avatar's Acceleration is 0.4"), "%s", fake.log);
}

Test(synchronizer_glue, compares_bumpers_where_both_robots_have_one)
{
    bumpers[0].has = bumpers[0].pressed = true;
    start_and_run(2.0);
    cr_assert_not(state->view.contact_mismatch, "the avatar cannot feel it");
    bumpers[1].has = true;
    go_on(1.0);
    cr_assert(state->view.contact_mismatch);
    cr_assert_gt(state->view.contact_mismatch_ticks, 0);
    bumpers[1].pressed = true;
    go_on(0.2);
    cr_assert_not(state->view.contact_mismatch);
    bumpers[0].pressed = false;
    go_on(1.0);
    cr_assert(state->view.contact_mismatch, "the avatar alone");
}
