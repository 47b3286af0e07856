/* SPDX-License-Identifier: Apache-2.0 */
/* How LaserScanner hangs on its robot: its angles on the robot, by the rotation of its mount. */
#include <doppel/math/pose3.h>

#include "probe.h"

static Doppel__Scan taken;
static float ranges[64];

static void call_scan(struct dpl_component *from, const struct dpl_tick *tick)
{
    static Doppel__Pose2 mount;
    Doppel__Empty request = DOPPEL__EMPTY__INIT;
    Doppel__StampedScan response = DOPPEL__STAMPED_SCAN__INIT;
    (void)tick;
    doppel__scan__init(&taken);
    doppel__pose2__init(&mount);
    taken.ranges = ranges;
    taken.n_ranges = 64;
    taken.mount = &mount;
    response.scan = &taken;
    cr_assert_eq(dpl_service_call(from, PROBE_LASER, DPL_LASER_SCANNER_GET_SENSOR_VALUE, &request,
                                  &response),
                 0);
    cr_assert(response.valid);
}

static void run(const char *roll, const char *pitch)
{
    static const struct bench_wire wires[] = {{PROBE_LASER, "LaserScanner", "LaserScannerService"}};
    struct bench_step step = {0.5, call_scan};
    struct bench bench = {.file = UNIT "/components/mobile/data/base.xml",
                          .sets = {"LaserScanner.Beams=41", "LaserScanner.FieldOfView=40",
                                   "LaserScanner.Yaw=30", "LaserScanner.ScanPoints=30",
                                   "LaserScanner.StartAngle=-20", roll, pitch},
                          .duration_s = 0.6,
                          .added = &probe_class,
                          .wires = wires,
                          .n_wires = 1,
                          .steps = &step,
                          .n_steps = 1};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

/* Beam i of the device, at -20 + i deg, turned by the mount, and where the message says it is. */
static void expect_turned(double roll_deg, double pitch_deg, const char *roll, const char *pitch)
{
    run(roll, pitch);
    struct dpl_quaternion mount = dpl_quaternion_from_rpy(
        dpl_deg_to_rad(roll_deg), dpl_deg_to_rad(pitch_deg), dpl_deg_to_rad(30.0));
    cr_assert_eq(taken.n_ranges, 30);
    for (int i = 0; i < 30; i++) {
        double at = dpl_deg_to_rad(-20.0 + i);
        struct dpl_vector3 beam =
            dpl_quaternion_turn(mount, (struct dpl_vector3){cos(at), sin(at)});
        double said = taken.mount->theta + taken.start_angle + i * taken.step_angle;
        cr_expect_float_eq(beam.x, cos(said), 1e-9, "%s %s: beam %d", roll, pitch, i);
        cr_expect_float_eq(beam.y, sin(said), 1e-9, "%s %s: beam %d", roll, pitch, i);
        cr_expect_float_eq(beam.z, 0.0, 1e-9);
    }
}

Test(laser_mount, upside_down_turns_the_beams_with_it)
{
    expect_turned(0, 0, "LaserScanner.Roll=0", "LaserScanner.Pitch=0");
    expect_turned(180, 0, "LaserScanner.Roll=180", "LaserScanner.Pitch=0");
    expect_turned(-180, 0, "LaserScanner.Roll=-180 deg", "LaserScanner.Pitch=0");
    expect_turned(180, 0, "LaserScanner.Roll=3.14159265 rad", "LaserScanner.Pitch=0");
    expect_turned(0, 180, "LaserScanner.Roll=0", "LaserScanner.Pitch=180");
    expect_turned(180, 180, "LaserScanner.Roll=180", "LaserScanner.Pitch=180");
    expect_turned(360, 0, "LaserScanner.Roll=360", "LaserScanner.Pitch=0");
}
