/* SPDX-License-Identifier: Apache-2.0 */
/* RobotControl with scans, odometry and halts as the test says: what is fresh, and what it says of
 * it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/math/geometry.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>

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
static struct dpl_message messages[4]; /* by port */
static bool by_service;
static char said[1024];
static double commanded_m_s;

/* ---- the runtime, as far as the component meets it ---- */

int dpl_service_call(struct dpl_component *component, unsigned port, unsigned method,
                     const void *request, void *response)
{
    if (port == WHEEL && method == DPL_WHEEL_CONTROLLER_DRIVE_WHEEL) {
        commanded_m_s = ((const Doppel__Drive *)request)->linear_velocity;
    } else if (port == WHEEL && method == DPL_WHEEL_CONTROLLER_GET_ODOMETRY) {
        Doppel__StampedOdometry *answer = response;
        answer->valid = true;
        answer->stamp_ns = messages[ODOMETRY].stamp;
    }
    return 0;
}

bool dpl_port_is_connected(const struct dpl_component *component, unsigned port)
{
    return port == SCAN || !by_service;
}

const struct dpl_message *dpl_port_latest(struct dpl_component *component, unsigned port)
{
    return &messages[port];
}

uint64_t dpl_component_seed(const struct dpl_component *component)
{
    return 1;
}

void dpl_component_log(struct dpl_component *component, enum dpl_log_level level,
                       const char *format, ...)
{
    size_t used = strlen(said);
    va_list args;
    va_start(args, format);
    vsnprintf(said + used, sizeof said - used, format, args);
    va_end(args);
    strncat(said, "\n", sizeof said - strlen(said) - 1);
}

/* ---- the component, in the middle of nowhere ---- */

static struct dpl_component self;
static dpl_ns now;

static void begin(void)
{
    const struct dpl_component_class *class = dpl_plugin.component;
    void *properties = calloc(1, class->properties_size);
    dpl_fields_set_defaults(class->properties, class->n_properties, properties);
    self = (struct dpl_component){.name = "RobotControl",
                                  .class_ = class,
                                  .properties = properties,
                                  .state = calloc(1, class->state_size)};
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
    messages[SCAN].body = &scan;
    messages[ODOMETRY].body = &odometry;
    cr_assert_eq(class->ops->initialize(&self, NULL), 0);
    cr_assert_eq(class->ops->period_changed(&self, PERIOD), 0);
}

static void end(void)
{
    free((void *)(uintptr_t)self.properties);
    free(self.state);
}

TestSuite(robot_control_glue, .init = begin, .fini = end);

enum fresh {
    NOTHING = 0,
    SCANS = 1,
    POSES = 2,
    BOTH = 3,
};

static void run(double duration_s, enum fresh fresh, bool halt)
{
    for (dpl_ns until = now + dpl_ns_from_s(duration_s); now < until; now += PERIOD) {
        messages[SCAN].stamp = fresh & SCANS ? now : messages[SCAN].stamp;
        messages[ODOMETRY].stamp = fresh & POSES ? now : messages[ODOMETRY].stamp;
        struct dpl_tick tick = {.now = now, .period = PERIOD, .halt = halt};
        cr_assert_eq(self.class_->ops->execute(&self, &tick), 0);
    }
}

Test(robot_control_glue, stands_when_the_pose_is_old_however_fresh_the_scans_are)
{
    for (int service = 0; service < 2; service++) {
        by_service = service;
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
    cr_assert_str_eq(said, "no fresh scan or pose: standing still\n");
    run(0.5, BOTH, true);
    cr_assert_str_eq(said, "no fresh scan or pose: standing still\n");
    run(0.5, BOTH, false);
    cr_assert_str_eq(said, "no fresh scan or pose: standing still\n"
                           "scans and pose are fresh: going on\n");
    cr_assert_gt(commanded_m_s, 0.0);
}
