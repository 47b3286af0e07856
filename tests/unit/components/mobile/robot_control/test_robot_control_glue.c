/* SPDX-License-Identifier: Apache-2.0 */
/* RobotControl with scans, odometry and halts as the test says: what is fresh, and what it says of
 * it. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/math/geometry.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/mobile.h>
#include <doppel/msg/wheel_controller.h>

#include "fake_runtime.h"

#define N_BEAMS 181
#define PERIOD  (50 * DPL_MS)

enum port {
    WHEEL,
    LASER,
    SCAN,
    ODOMETRY,
    SAFETY,
};

static Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
static Doppel__Twist2 twist = DOPPEL__TWIST2__INIT;
static Doppel__Odometry odometry = DOPPEL__ODOMETRY__INIT;
static Doppel__Scan scan = DOPPEL__SCAN__INIT;
static float ranges[N_BEAMS];
static double commanded_m_s, commanded_rad_s;
static double asked_m_s; /* by SafetyService */
static Doppel__SafetyAnswer safety;
static double place_x, place_y; /* of its one contact */
static int safety_error;

static int answer_safety(const Doppel__SafetyQuestion *question, Doppel__SafetyAnswer *given)
{
    asked_m_s = question->linear_velocity;
    given->state = safety.state;
    given->vetoed = safety.vetoed;
    given->stamp_ns = safety.stamp_ns;
    given->linear_velocity = safety.vetoed ? safety.linear_velocity : question->linear_velocity;
    given->angular_velocity = question->angular_velocity;
    given->contact_x[0] = place_x;
    given->contact_y[0] = place_y;
    given->n_contact_x = given->n_contact_y = safety.vetoed ? 1 : 0;
    return safety_error;
}

static int answer(unsigned port, unsigned method, const void *request, void *response)
{
    if (port == WHEEL && method == DPL_WHEEL_CONTROLLER_DRIVE_WHEEL) {
        commanded_m_s = ((const Doppel__Drive *)request)->linear_velocity;
        commanded_rad_s = ((const Doppel__Drive *)request)->angular_velocity;
    } else if (port == WHEEL && method == DPL_WHEEL_CONTROLLER_GET_ODOMETRY) {
        Doppel__StampedOdometry *stamped = response;
        stamped->valid = true;
        stamped->stamp_ns = fake.ports[ODOMETRY].latest.stamp;
    } else if (port == SAFETY) {
        return answer_safety(request, response);
    }
    return 0;
}

/* ---- the component, in the middle of nowhere ---- */

static dpl_ns now;

static void begin(void)
{
    fake_begin();
    fake.service = answer;
    fake.ports[SAFETY].is_open = true;
    safety = (Doppel__SafetyAnswer)DOPPEL__SAFETY_ANSWER__INIT;
    safety_error = 0;
    for (size_t i = 0; i < N_BEAMS; i++) {
        ranges[i] = 4.0f;
    }
    scan.ranges = ranges;
    scan.n_ranges = N_BEAMS;
    scan.start_angle = -DPL_PI / 2.0;
    scan.step_angle = DPL_PI / (N_BEAMS - 1);
    scan.range_min = 0.02;
    scan.range_max = 5.0;
    odometry.pose = &pose;
    odometry.twist = &twist;
    fake.ports[SCAN].latest.body = &scan;
    fake.ports[ODOMETRY].latest.body = &odometry;
    cr_assert_eq(fake_start(PERIOD, NULL), 0);
}

TestSuite(robot_control_glue, .init = begin, .fini = fake_end);

enum { WAITS = 7 }; /* of the export "task" */

enum fresh {
    NOTHING = 0,
    SCANS = 1,
    POSES = 2,
    BOTH = 3,
};

static void run(double duration_s, enum fresh fresh, bool halt)
{
    for (dpl_ns until = now + dpl_ns_from_s(duration_s); now < until; now += PERIOD) {
        if (fresh & SCANS) {
            fake.ports[SCAN].latest.stamp = now;
        }
        if (fresh & POSES) {
            fake.ports[ODOMETRY].latest.stamp = now;
        }
        struct dpl_tick tick = {.now = now, .period = PERIOD, .halt = halt};
        fake_execute(&tick);
    }
}

Test(robot_control_glue, stands_when_the_pose_is_old_however_fresh_the_scans_are)
{
    for (int service = 0; service < 2; service++) {
        fake.ports[ODOMETRY].is_open = service == 1;
        run(1.0, BOTH, false);
        cr_assert_gt(commanded_m_s, 0.0);
        run(1.0, SCANS, false);
        cr_assert_eq(commanded_m_s, 0.0, "%g", commanded_m_s);
        run(1.0, POSES, false);
        cr_assert_eq(commanded_m_s, 0.0, "%g", commanded_m_s);
    }
}

/* The first cycles of every run come before the first scan. */
Test(robot_control_glue, does_not_complain_while_the_first_scan_may_be_on_its_way)
{
    fake.ports[SCAN].latest.stamp = -DPL_S; /* none has come */
    run(1.9, POSES, false);
    cr_assert_str_empty(fake.log, "%s", fake.log);
    cr_assert_eq(fake_export("task"), WAITS, "nor does the status");
    run(0.5, BOTH, false);
    cr_assert_eq(fake_export("task"), fake_export("state"));
    cr_assert_str_empty(fake.log, "%s", fake.log);
    run(0.5, NOTHING, false);
    cr_assert_str_eq(fake.log, "no fresh scan or pose: the robot stops\n");
}

Test(robot_control_glue, complains_when_the_first_scan_does_not_come)
{
    fake.ports[SCAN].latest.stamp = -DPL_S; /* none comes */
    run(1.9, POSES, false);
    cr_assert_str_empty(fake.log, "%s", fake.log);
    run(0.3, POSES, false);
    cr_assert_str_eq(fake.log, "no fresh scan or pose: the robot stops\n");
    cr_assert_eq(fake_export("task"), fake_export("state"));
}

/* The devices go to ERROR some time after they fell silent: the halt makes nothing fresh. */
Test(robot_control_glue, says_that_it_goes_on_when_it_goes_on_and_not_when_it_is_halted)
{
    run(1.0, BOTH, false);
    run(1.0, NOTHING, false);
    run(1.0, NOTHING, true);
    cr_assert_str_eq(fake.log, "no fresh scan or pose: the robot stops\n");
    run(0.5, BOTH, true);
    cr_assert_str_eq(fake.log, "no fresh scan or pose: the robot stops\n");
    run(0.5, BOTH, false);
    cr_assert_str_eq(fake.log, "no fresh scan or pose: the robot stops\n"
                               "scans and pose are fresh: the robot drives on\n");
    cr_assert_gt(commanded_m_s, 0.0);
}

/* ---- somebody looks ahead ---- */

Test(robot_control_glue, gives_the_command_that_is_left_of_its_own)
{
    fake.ports[SAFETY].is_open = false;
    safety.state = DOPPEL__LOOK_STATE__LOOK_OK;
    run(1.0, BOTH, false);
    cr_assert_gt(asked_m_s, 0.1);
    cr_assert_eq(commanded_m_s, asked_m_s);
    safety.vetoed = true;
    safety.linear_velocity = 0.03;
    place_x = 0.0, place_y = 30.0; /* too far to matter */
    run(0.05, BOTH, false);
    cr_assert_eq(commanded_m_s, 0.03);
    cr_assert_eq(fake_export("vetoes"), 1.0);
}

Test(robot_control_glue, turns_away_from_what_only_the_other_one_sees)
{
    fake.ports[SAFETY].is_open = false;
    safety.state = DOPPEL__LOOK_STATE__LOOK_OK;
    run(1.0, BOTH, false);
    safety.vetoed = true;
    safety.stamp_ns = now;
    place_x = 0.35, place_y = -0.02;
    run(0.05, BOTH, false);
    safety.vetoed = false; /* told once is enough */
    run(0.5, BOTH, false);
    cr_assert(commanded_m_s < 0.02 || commanded_rad_s > 0.05 || commanded_rad_s < -0.05,
              "it drives on: %g m/s, %g rad/s", commanded_m_s, commanded_rad_s);
}

Test(robot_control_glue, drives_as_before_and_says_so_when_nobody_looks_any_more)
{
    fake.ports[SAFETY].is_open = false;
    safety.state = DOPPEL__LOOK_STATE__LOOK_OK;
    run(1.0, BOTH, false);
    safety.state = DOPPEL__LOOK_STATE__LOOK_DEAD;
    run(1.0, BOTH, false);
    cr_assert_gt(commanded_m_s, 0.1);
    cr_assert_not_null(strstr(fake.log, "driving by the laser alone"));
    safety_error = -EDEADLK;
    run(1.0, BOTH, false);
    cr_assert_gt(commanded_m_s, 0.1);
}
