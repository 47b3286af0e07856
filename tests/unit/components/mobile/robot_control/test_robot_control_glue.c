/* SPDX-License-Identifier: Apache-2.0 */
/* RobotControl with scans, odometry and halts as the test says: what is fresh, and what it says of
 * it. */
#include <criterion/criterion.h>

#include <doppel/math/geometry.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/wheel_controller.h>

#include "fake_runtime.h"

#define N_BEAMS 181
#define PERIOD  (50 * DPL_MS)

enum port {
    WHEEL,
    LASER,
    SCAN,
    ODOMETRY,
};

static Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
static Doppel__Twist2 twist = DOPPEL__TWIST2__INIT;
static Doppel__Odometry odometry = DOPPEL__ODOMETRY__INIT;
static Doppel__Scan scan = DOPPEL__SCAN__INIT;
static float ranges[N_BEAMS];
static double commanded_m_s;

static int answer(unsigned port, unsigned method, const void *request, void *response)
{
    if (port == WHEEL && method == DPL_WHEEL_CONTROLLER_DRIVE_WHEEL) {
        commanded_m_s = ((const Doppel__Drive *)request)->linear_velocity;
    } else if (port == WHEEL && method == DPL_WHEEL_CONTROLLER_GET_ODOMETRY) {
        Doppel__StampedOdometry *stamped = response;
        stamped->valid = true;
        stamped->stamp_ns = fake.ports[ODOMETRY].latest.stamp;
    }
    return 0;
}

/* ---- the component, in the middle of nowhere ---- */

static dpl_ns now;

static void begin(void)
{
    fake_begin();
    fake.service = answer;
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
