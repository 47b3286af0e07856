/* SPDX-License-Identifier: Apache-2.0 */
/* LaserScanner's service over a mock laser: the window of a sweep that it passes on. */
#include <errno.h>
#include <string.h>

#include "probe.h"

#define ROOM 64

static Doppel__Scan taken;
static float ranges[ROOM];
static bool valid;
static size_t room = ROOM;

static void call_scan(struct dpl_component *from, const struct dpl_tick *tick)
{
    static Doppel__Pose2 mount;
    Doppel__Empty request = DOPPEL__EMPTY__INIT;
    Doppel__StampedScan response = DOPPEL__STAMPED_SCAN__INIT;
    doppel__scan__init(&taken);
    doppel__pose2__init(&mount);
    taken.ranges = ranges;
    taken.n_ranges = room;
    taken.mount = &mount;
    response.scan = &taken;
    cr_assert_eq(dpl_service_call(from, PROBE_LASER, DPL_LASER_SCANNER_GET_SENSOR_VALUE, &request,
                                  &response),
                 0);
    valid = response.valid;
}

static void run(double at_s, const char *a, const char *b, const char *c)
{
    static const struct bench_wire wires[] = {{PROBE_LASER, "LaserScanner", "LaserScannerService"}};
    struct bench_step step = {at_s, call_scan};
    struct bench bench = {.file = UNIT "/components/mobile/data/base.xml",
                          .sets = {"LaserScanner.Beams=41", "LaserScanner.FieldOfView=40",
                                   "LaserScanner.Yaw=90", a, b, c},
                          .duration_s = at_s + 0.1,
                          .added = &probe_class,
                          .wires = wires,
                          .n_wires = 1,
                          .steps = &step,
                          .n_steps = 1};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
}

#define DEG(value, expected)                                                                       \
    cr_assert_float_eq(dpl_rad_to_deg(value), expected, 1e-6, "%g deg", dpl_rad_to_deg(value))

Test(laser_scanner, gives_the_whole_sweep_with_its_mount)
{
    run(0.5, NULL, NULL, NULL);
    cr_assert(valid);
    cr_assert_eq(taken.n_ranges, 41, "%zu", taken.n_ranges);
    DEG(taken.start_angle, -20.0);
    DEG(taken.step_angle, 1.0);
    DEG(taken.mount->theta, 90.0);
    cr_assert_float_eq((double)ranges[20], 3.0, 1e-4);
}

Test(laser_scanner, is_not_valid_before_the_first_scan)
{
    run(0.5, "LaserScanner.SilentTo=10", NULL, NULL);
    cr_assert_not(valid);
}

Test(laser_scanner, passes_on_the_part_of_the_sweep_that_was_asked_for)
{
    run(0.5, "LaserScanner.ScanPoints=5", "LaserScanner.StartAngle=-10",
        "LaserScanner.DeltaAngle=2");
    cr_assert_eq(taken.n_ranges, 5, "%zu", taken.n_ranges);
    DEG(taken.start_angle, -10.0);
    DEG(taken.step_angle, 2.0);
}

Test(laser_scanner, ends_with_the_sweep_when_more_was_asked_for)
{
    run(0.5, "LaserScanner.ScanPoints=100", "LaserScanner.StartAngle=18", NULL);
    cr_assert_eq(taken.n_ranges, 3, "%zu", taken.n_ranges);
    run(0.5, "LaserScanner.ScanPoints=100", "LaserScanner.StartAngle=60", NULL);
    cr_assert_eq(taken.n_ranges, 0, "%zu", taken.n_ranges);
    run(0.5, "LaserScanner.ScanPoints=100", "LaserScanner.StartAngle=-90", NULL);
    cr_assert_eq(taken.n_ranges, 41, "%zu", taken.n_ranges);
}

Test(laser_scanner, writes_no_more_than_there_is_room_for)
{
    room = 7;
    ranges[7] = -1.0f;
    run(0.5, NULL, NULL, NULL);
    cr_assert_eq(taken.n_ranges, 7, "%zu", taken.n_ranges);
    cr_assert_eq((double)ranges[7], -1.0);
}
