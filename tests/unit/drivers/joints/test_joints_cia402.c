/* SPDX-License-Identifier: Apache-2.0 */
/* The driver `cia402` of joints over emulated drives, in real time: modes, stop, and what it has
 * not. (tests/integration/clock/joint_drives.sh has faults and a lost bus.) */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/drv/joints.h>

#include "bench.h"

#define N 3

static const char *folder;
static char link_path[256], address[300];
static pid_t emulator;
static struct dpl_joints_state last, kept;

static void begin(void)
{
    const char *exe = getenv("DOPPEL_EXE");
    cr_assert_not_null(exe, "DOPPEL_EXE is not set");
    folder = bench_make_folder();
    snprintf(link_path, sizeof link_path, "%s/drives", folder);
    snprintf(address, sizeof address, "JointController.Address=%s", link_path);
    emulator = fork();
    if (emulator == 0) {
        execl(exe, exe, "emulate", "cia402", "--pty", link_path, "--axes", "3", "--counts",
              "500000", "--start", "0 0 0", "--ends", "-3 3", "--missing-targets", "0",
              (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < 200 && access(link_path, F_OK) != 0; i++) {
        usleep(20000);
    }
    cr_assert_eq(access(link_path, F_OK), 0);
}

static void end(void)
{
    kill(emulator, SIGINT);
    waitpid(emulator, NULL, 0);
    bench_remove_folder(folder);
}

TestSuite(joints_cia402, .init = begin, .fini = end, .timeout = 60);

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct dpl_device *device = dpl_component_device(self);
    cr_assert_eq(dpl_joints_execute(device, tick), 0);
    cr_assert_eq(dpl_joints_read(device, &last), 0);
    if (last.valid && !last.ready) {
        cr_assert_eq(dpl_joints_enable(device), 0);
    }
    bench_run_steps(self, tick);
    return 0;
}

static const struct dpl_component_ops ops = {.execute = execute};
static const struct dpl_component_class joints_bench = {
    .name = "JointsBench", .ops = &ops, .device_class = DPL_JOINTS_CLASS};

static int send_command(struct dpl_component *from, int64_t mode, int64_t n, double value)
{
    const struct dpl_joints_command command = {.mode = mode, .n = n, .value = {value, -value, 0.0}};
    return dpl_joints_command(dpl_component_device(from), &command);
}

static void expect_ready(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert(last.ready);
    cr_assert_eq(last.n, N);
    cr_assert_eq(send_command(from, DPL_JOINTS_EFFORT, N, 1.0), -EINVAL);
    cr_assert_eq(send_command(from, DPL_JOINTS_POSITION, N - 1, 1.0), -EINVAL);
    cr_assert_eq(send_command(from, DPL_JOINTS_POSITION, N, 0.5), 0);
}

/* Told once, it goes there at 1 rad/s and stays. */
static void expect_half_way(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_float_eq(last.position[0], 0.3, 0.15, "%g", last.position[0]);
    cr_assert_float_eq(last.position[1], -last.position[0], 0.02, "%g", last.position[1]);
}

static void expect_position(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert_float_eq(last.position[0], 0.5, 0.002, "%g", last.position[0]);
    cr_assert_float_eq(last.position[1], -0.5, 0.002, "%g", last.position[1]);
    cr_assert_eq(send_command(from, DPL_JOINTS_VELOCITY, N, -0.4), 0);
}

static void keep(struct dpl_component *from, const struct dpl_tick *tick)
{
    kept = last;
}

static void expect_velocity(struct dpl_component *from, const struct dpl_tick *tick)
{
    double passed_s = dpl_ns_to_s(last.stamp - kept.stamp);
    cr_assert_float_eq((last.position[0] - kept.position[0]) / passed_s, -0.4, 0.03);
    cr_assert_float_eq((last.position[1] - kept.position[1]) / passed_s, 0.4, 0.03);
    kept = last;
    cr_assert_eq(dpl_joints_stop(dpl_component_device(from)), 0);
}

/* After its ramp it holds, with the drives on. */
static void expect_rest(struct dpl_component *from, const struct dpl_tick *tick)
{
    cr_assert(last.ready);
    cr_assert_float_eq(last.position[0], kept.position[0], 0.05);
    cr_assert_float_eq(last.velocity[0], 0.0, 0.005);
    cr_assert_eq(last.fault, 0);
}

Test(joints_cia402, drives_go_to_positions_at_speeds_and_stop)
{
    static const struct bench_step steps[] = {{2.0, expect_ready},    {2.35, expect_half_way},
                                              {3.5, expect_position}, {4.0, keep},
                                              {4.8, expect_velocity}, {6.3, expect_rest}};
    struct bench bench = {
        .file = PROFILES "/apps/joint_arm.xml",
        .sets = {"JointController.ApiName=cia402", address, "JointController.NodeIds=1 2 3",
                 "JointController.CountsPerUnit=500000", "JointController.MaximumSpeed=1",
                 "JointController.SilenceTimeout=400", "JointController.ProcessDataTimeout=400",
                 "JointController.WatchdogTime=400"},
        .duration_s = 6.5,
        .real_clock = true,
        .instead = &joints_bench,
        BENCH_STEPS(steps)};
    cr_assert_eq(bench_run(&bench), DPL_EXIT_DONE, "%s", bench_error());
    cr_assert(last.valid);
}
