/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronizer over two Bullet worlds that differ, with the odometry of the data sheet's wheels,
 * and a component in the place of the Localizer that knows where the real robot is, up to noise. */
#include <math.h>

#include <doppel/math/random.h>
#include <doppel/msg/mobile.h>

#include "probe.h"

enum { HARDWARE, POSE };

#define NOISE_M   0.002
#define NOISE_RAD 0.0005

static const struct dpl_port_desc ports[] = {
    [HARDWARE] = PROBE_WHEEL("hardware"),
    [POSE] =
        {
            .name = "pose",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__localized_pose__descriptor,
            .capacity = 6,
        },
};

static struct dpl_random noise;
static struct dpl_pose2 correction;
static double lies_from_s, carried_at_s;
static uint64_t relocations;

/* Ten times a second the correction is found anew. */
static void find_robot(struct dpl_component *self, double now_s)
{
    struct dpl_pose2 truth, odometry;
    bool valid, known;
    probe_pose(self, HARDWARE, DPL_WHEEL_CONTROLLER_GET_TRUTH, &known, &truth);
    probe_pose(self, HARDWARE, DPL_WHEEL_CONTROLLER_GET_POSITION, &valid, &odometry);
    if (!known || !valid) {
        return;
    }
    truth.x += NOISE_M * dpl_random_normal(&noise);
    truth.y += NOISE_M * dpl_random_normal(&noise);
    truth.theta += NOISE_RAD * dpl_random_normal(&noise);
    if (now_s >= lies_from_s) {
        truth.x += 1.0;
    }
    correction = dpl_pose2_compose(truth, dpl_pose2_relative(odometry, (struct dpl_pose2){0}));
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    double now_s = dpl_ns_to_s(tick->now);
    if (tick->now % (100 * DPL_MS) == 0) {
        find_robot(self, now_s);
    }
    Doppel__LocalizedPose *message = dpl_port_loan(self, POSE);
    if (!message) {
        return 0;
    }
    message->state = DOPPEL__LOCALIZER_STATE__LOCALIZER_TRACKING;
    message->correction->x = correction.x;
    message->correction->y = correction.y;
    message->correction->theta = correction.theta;
    relocations += fabs(now_s - carried_at_s) < 0.005;
    message->relocations = relocations;
    message->n_covariance = 6;
    for (size_t i = 0; i < 6; i++) {
        message->covariance[i] = 0.0;
    }
    message->covariance[0] = message->covariance[2] = NOISE_M * NOISE_M;
    message->covariance[5] = NOISE_RAD * NOISE_RAD;
    message->protection_level = 3.72 * NOISE_M;
    message->agreement = 0.9;
    message->has_avatar = false;
    message->scan_stamp_ns = tick->now;
    dpl_port_publish(self, POSE, message, tick->now);
    return 0;
}

static const struct dpl_component_ops ops = {.execute = execute};
static const struct dpl_component_class localizer = {
    .name = "Finder",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
};

static const char *folder;

static double figure(const char *name)
{
    return bench_summary(folder, name);
}

static void run(bool with_localizer)
{
    static const struct bench_wire wires[] = {{HARDWARE, "WheelController", "HardwareService"},
                                              {POSE, "Synchronizer", "real_pose"}};
    struct bench bench = {
        .file = PROFILES "/apps/sync_experiment.xml",
        .sets = {"WheelController.HardwareDriver=avatar", "WheelController.SimulationDriver=avatar",
                 "WheelController.hardware.World=" PROFILES "/worlds/empty_truth.xml",
                 "WheelController.hardware.RobotName=robot",
                 "WheelController.simulation.World=" PROFILES "/worlds/empty.xml",
                 "WheelController.WheelDiameter=0.07", "WheelController.AxleDistance=0.23",
                 "WheelController.R_Motor_Name=RightWheel",
                 "WheelController.L_Motor_Name=LeftWheel",
                 "VelocityScript.Script=0 0.2 0; 10 0.15 0.3; 20 0.2 -0.2; 30 0.1 0.1; 40 0 0"},
        .duration_s = 42.0,
        .out_dir = folder,
        .added = &localizer,
        .wires = wires,
        .n_wires = with_localizer ? 2 : 1};
    noise = dpl_random_seeded(7, 0);
    correction = (struct dpl_pose2){0};
    relocations = 0;
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

static void begin(void)
{
    folder = bench_make_folder();
    lies_from_s = carried_at_s = (double)INFINITY;
}

static void end(void)
{
    bench_remove_folder(folder);
}

TestSuite(localized_run, .init = begin, .fini = end);

/* What it is for: odometry by the data sheet takes the avatar half a metre away, and all measured
 * figures are fine. */
Test(localized_run, the_avatar_is_where_an_uncalibrated_robot_is)
{
    run(false);
    cr_assert_gt(figure("sync.true_rms_mm"), 400.0, "%g mm", figure("sync.true_rms_mm"));
    cr_assert_lt(figure("sync.measured_rms_mm"), 5.0);
    cr_assert_gt(figure("sync.tracking"), 0.99);
    cr_assert(isnan(figure("sync.fidelity")));
    run(true);
    cr_assert_lt(figure("sync.true_rms_mm"), 5.0, "%g mm", figure("sync.true_rms_mm"));
    cr_assert_lt(figure("sync.true_max_mm"), 20.0, "%g mm", figure("sync.true_max_mm"));
    cr_assert_lt(figure("sync.true_heading_rms_deg"), 0.5);
    cr_assert_gt(figure("sync.fidelity"), 0.98);
    cr_assert_gt(figure("sync.interval_held"), 0.95, "%g", figure("sync.interval_held"));
    cr_assert_eq(figure("sync.teleports"), 0.0);
    cr_assert_eq(figure("sync.relocations"), 0.0);
}

Test(localized_run, the_avatar_goes_where_the_robot_is_said_to_be_at_once)
{
    lies_from_s = 20.0;
    run(true);
    cr_assert_eq(figure("sync.relocations"), 1.0, "beyond the safe radius");
    cr_assert_eq(figure("sync.teleports"), 1.0, "and Teleport is off");
    cr_assert_float_eq(figure("sync.true_final_mm"), 1000.0, 15.0);
    cr_assert_lt(figure("sync.measured_max_mm"), 20.0, "%g mm", figure("sync.measured_max_mm"));
    cr_assert_lt(figure("sync.interval_held"), 0.6, "and the interval is told to be wrong");
}

/* The Localizer counts one, and the robot is where it was followed. */
Test(localized_run, a_relocation_that_moves_nothing_disturbs_nothing_and_is_none)
{
    carried_at_s = 20.0;
    run(true);
    cr_assert_eq(figure("sync.relocations"), 0.0);
    cr_assert_eq(figure("sync.teleports"), 0.0);
    cr_assert_lt(figure("sync.true_max_mm"), 20.0, "%g mm", figure("sync.true_max_mm"));
}
