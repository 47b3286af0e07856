/* SPDX-License-Identifier: Apache-2.0 */
/* The drivers of device class floor_plan (doppel/drv/floor_plan.h) in whole runs: plans of an
 * embedded world, of a served one that is larger than a frame of the link, and of a property. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/drv/floor_plan.h>
#include <doppel/sim/server.h>

#include "bench.h"

static struct dpl_floor_plan plan;
static char names[8][48];
static struct dpl_floor_plan_outline outlines[16];
static int answer, n_plans;

/* What is borrowed is copied: the device closes before the test looks. */
static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    (void)tick;
    answer = dpl_floor_plan_get(dpl_component_device(self), &plan);
    if (answer < 0) {
        return 0;
    }
    n_plans++;
    for (size_t i = 0; i < 8 && i < plan.n_objects; i++) {
        snprintf(names[i], sizeof names[i], "%s", plan.names[i]);
    }
    for (size_t i = 0; i < 16 && i < plan.n_outlines; i++) {
        outlines[i] = plan.outlines[i];
    }
    return 0;
}

static const struct dpl_component_ops ops = {.execute = execute};
static const struct dpl_component_class plan_bench = {
    .name = "PlanBench", .ops = &ops, .device_class = DPL_FLOOR_PLAN_CLASS};

static struct bench bench_of(void)
{
    return (struct bench){.file = UNIT "/drivers/floor_plan/data/plan.xml",
                          .plugins = MORE_PLUGINS,
                          .sets = {"Plan.ApiName=avatar"},
                          .duration_s = 0.1,
                          .instead = &plan_bench};
}

static void expect_plan(const struct bench *bench)
{
    cr_assert_eq(bench_run(bench), DPL_EXIT_DONE, "%s", bench_error());
    cr_assert_eq(answer, 0);
    cr_assert_gt(n_plans, 0);
}

Test(floor_plan_contract, a_world_gives_what_is_at_the_height_of_the_first_laser)
{
    struct bench bench = bench_of();
    expect_plan(&bench);
    /* the shelf is above the laser, which looks through the glass */
    cr_assert_eq(plan.n_outlines, 5);
    cr_assert_eq(plan.n_objects, 4);
    cr_assert_str_eq(names[0], "wall 1");
    cr_assert_str_eq(names[1], "pillar");
    cr_assert_str_eq(names[2], "shelf");
    cr_assert_str_eq(names[3], "glass");
    cr_assert_float_eq(plan.height_m, 0.17, 1e-12);
    cr_assert(plan.has_mount);
    cr_assert_float_eq(plan.mount.x, 0.0, 1e-12);
    cr_assert_eq(outlines[3].object, 0);
    cr_assert_eq(outlines[4].object, 1);
    cr_assert_eq(outlines[4].radius, 0.25);
    cr_assert_eq(outlines[4].x, 2.0);
}

Test(floor_plan_contract, a_height_that_is_given_counts_instead_of_the_laser_s)
{
    struct bench bench = bench_of();
    bench.sets[1] = "Plan.Height=1.5";
    expect_plan(&bench);
    cr_assert_eq(plan.n_outlines, 9);
    cr_assert_eq(plan.height_m, 1.5);
}

Test(floor_plan_contract, a_robot_without_a_laser_needs_a_height)
{
    struct bench bench = bench_of();
    bench.sets[1] = "Plan.RobotName=other";
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "'other' has no laser"), "%s", bench_error());
    bench.sets[2] = "Plan.Height=0.3";
    expect_plan(&bench);
    cr_assert_not(plan.has_mount);
    cr_assert_eq(plan.n_outlines, 5);
}

Test(floor_plan_contract, a_laser_that_is_not_there_is_an_error_with_its_name)
{
    struct bench bench = bench_of();
    bench.sets[1] = "Plan.Laser=lidar";
    cr_assert_lt(bench_create_error(&bench), 0);
    cr_assert_not_null(strstr(bench_error(), "avatar/lidar/mount"), "%s", bench_error());
}

Test(floor_plan_contract, hil_takes_the_plan_from_its_hardware_side)
{
    struct bench bench = bench_of();
    bench.sets[0] = "Plan.ApiName=hil";
    expect_plan(&bench);
    cr_assert_eq(plan.n_outlines, 5);
}

Test(floor_plan_contract, the_mock_has_the_segments_and_circles_of_its_property)
{
    struct bench bench = bench_of();
    bench.sets[0] = "Plan.ApiName=mock";
    bench.sets[1] = "Plan.Outlines=0 0 2 1; 5 6 0.5";
    bench.sets[2] = "Plan.MountX=0.1";
    expect_plan(&bench);
    cr_assert_eq(plan.n_outlines, 2);
    cr_assert_eq(outlines[0].dx, 2.0);
    cr_assert_eq(outlines[0].dy, 1.0);
    cr_assert_eq(outlines[1].radius, 0.5);
    cr_assert_eq(outlines[1].object, 1);
    cr_assert_str_eq(names[1], "circle 2");
    cr_assert_eq(plan.mount.x, 0.1);
}

Test(floor_plan_contract, a_bad_row_of_the_mock_is_reported_with_its_place)
{
    static const char *const rows[][2] = {{"Plan.Outlines=0 0 2 1; 5 6", "character 13"},
                                          {"Plan.Outlines=0 0 2 1; 5 6 -1", "character 10"},
                                          {"Plan.Outlines=1 1 1 1", "ends where it starts"},
                                          {"Plan.Outlines=0 0 2 x", "character 7"}};
    for (size_t i = 0; i < 4; i++) {
        struct bench bench = bench_of();
        bench.sets[0] = "Plan.ApiName=mock";
        bench.sets[1] = rows[i][0];
        cr_assert_lt(bench_create_error(&bench), 0, "%s", rows[i][0]);
        cr_assert_not_null(strstr(bench_error(), rows[i][1]), "%s: %s", rows[i][0], bench_error());
    }
}

/* ---- a served world ---- */

static void *serve(void *server)
{
    dpl_sim_server_run(server, NULL);
    return NULL;
}

static void write_world(const char *file, int n_boxes)
{
    FILE *world = fopen(file, "w");
    cr_assert_not_null(world);
    fprintf(world, "<world name='many' step_ms='5'><ground/>");
    for (int i = 0; i < n_boxes; i++) {
        fprintf(world, "<box x='%d' y='%d' size_x='0.5' size_y='0.5'/>", i % 50, i / 50 + 5);
    }
    fprintf(world, "<robot name='avatar' model='%s/robots/kobuki_urg.xml'/></world>", PROFILES);
    fclose(world);
}

Test(floor_plan_contract, a_served_world_of_2000_obstacles_gives_all_of_them, .timeout = 60)
{
    char file[] = "/tmp/doppel-plan-XXXXXX", port[32];
    close(mkstemp(file));
    write_world(file, 2000);
    struct dpl_sim_server_options options = {.world = file, .seed = 1};
    struct dpl_sim_server *server;
    struct dpl_diag error = {0};
    pthread_t thread;
    cr_assert_eq(dpl_sim_server_create(&options, &server, &error), 0, "%s", error.text);
    cr_assert_eq(pthread_create(&thread, NULL, serve, server), 0);
    snprintf(port, sizeof port, "Plan.port=%u", dpl_sim_server_port(server));
    struct bench bench = bench_of();
    bench.sets[1] = "Plan.ip=127.0.0.1";
    bench.sets[2] = port;
    bench.real_clock = true;
    bench.duration_s = 2.0;
    expect_plan(&bench);
    dpl_sim_server_stop(server);
    pthread_join(thread, NULL);
    dpl_sim_server_destroy(server);
    unlink(file);
    cr_assert_eq(plan.n_objects, 2000);
    cr_assert_eq(plan.n_outlines, 8000);
    cr_assert_str_eq(names[7], "box 8");
}
