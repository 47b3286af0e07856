/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a run is whole with all there can be and with next to nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "charts.h"
#include "folder.h"
#include "page.h"
#include "ways.h"

static char folder[64];

static struct result read_run(const char *label, const char *summary, const char *trace)
{
    static char spec[4][128];
    static int n;
    struct result result;
    struct dpl_diag diag = {0};
    folder_write(folder, "summary.json", summary);
    folder_write(folder, "trace.csv", trace);
    snprintf(spec[n], sizeof spec[n], "%s=%s", label, folder);
    cr_assert_eq(result_read(spec[n++], &result, &diag), 0, "%s", diag.text);
    return result;
}

static void begin(void)
{
    strcpy(folder, "/tmp/doppel-page-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void end(void)
{
    folder_remove(folder);
}

TestSuite(page, .init = begin, .fini = end);

static char *write_page(const struct page *page)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    page_write(out, page);
    fclose(out);
    return text;
}

Test(page, is_whole_for_a_run_without_anything)
{
    struct result empty = read_run("empty", "{}", "");
    struct page page = {.title = "<&>", .main = &empty};
    char *text = write_page(&page);
    cr_assert_not_null(strstr(text, "<title>&lt;&amp;&gt;</title>"));
    cr_assert_not_null(strstr(text, "</html>"));
    cr_assert_null(strstr(text, "nan"));
    free(text);
    result_finish(&empty);
}

Test(page, shows_figures_ways_and_the_comparison)
{
    struct result ours =
        read_run("ours",
                 "{\"duration_s\": 12.34, \"sync.true_rms_mm\": 1.5, \"executors\": "
                 "{\"10 ms\": {\"cycles\": 99}}}",
                 "t,WheelController.x,WheelController.y,WheelController.simulation_x,"
                 "WheelController.simulation_y,sync.true_mm\n0,0,0,0,0,1\n1,1,0,1,0.1,2\n");
    struct result none =
        read_run("none<", "{\"sync.strategy\": \"none\"}", "t,sync.distance_mm\n0,10\n1,100\n");
    struct page page = {.title = "run", .main = &ours, .compared = &none, .n_compared = 1};
    char *text = write_page(&page);
    cr_assert_not_null(strstr(text, "<b>ours</b> ran 12.3 s.</p>"));
    cr_assert_not_null(strstr(text, "none&lt;"));
    cr_assert_not_null(strstr(text, "avatar"));
    cr_assert_not_null(strstr(text, "10 ms"));
    cr_assert_not_null(strstr(text, "stroke-dasharray=\"6 4\""));
    free(text);
    result_finish(&ours);
    result_finish(&none);
}

Test(page, names_the_runs_that_are_compared)
{
    struct result ours = read_run("ours", "{}", "t\n0\n");
    struct result others[] = {read_run("gain 2", "{}", "t\n0\n"),
                              read_run("gain<3", "{\"error\": \"lost & gone\"}", "t\n0\n")};
    struct page page = {.title = "run", .main = &ours, .compared = others, .n_compared = 2};
    char *text = write_page(&page);
    cr_assert_not_null(strstr(text, "<h2>gain 2, gain&lt;3</h2>"), "%s", text);
    cr_assert_not_null(strstr(text, "gain&lt;3: the run failed: lost &amp; gone."), "%s", text);
    free(text);
    result_finish(&ours);
    result_finish(&others[0]);
    result_finish(&others[1]);
}

/* The frame of the odometry is at (2, 1), turned left. The robot drives to (2, 3), but its odometry
 * says 1 m; the Localizer knows from t = 1 on. */
static const char localized[] =
    "t,WheelController.x,WheelController.y,WheelController.theta,sync.real_x,sync.real_y,"
    "sync.real_theta,sync.avatar_x,sync.avatar_y,sync.avatar_theta,sync.error_sigma_mm\n"
    "0,0,0,0,nan,nan,nan,nan,nan,nan,nan\n"
    "1,0,0,0,2,1,1.5707963267948966,2,1,1.5707963267948966,4\n"
    "2,1,0,0,2,3,1.5707963267948966,2,3,1.5707963267948966,4\n";

Test(page, draws_robot_avatar_and_odometry_apart_where_a_localizer_tells_them_apart)
{
    struct result run = read_run("run", "{\"sync.tracking\": 0.875}", localized);
    struct page page = {.title = "run", .main = &run};
    char *text = write_page(&page);
    cr_assert_not_null(strstr(text, ">robot<"), "%s", text);
    cr_assert_not_null(strstr(text, ">avatar<"));
    cr_assert_not_null(strstr(text, ">robot by odometry alone<"));
    cr_assert_not_null(strstr(text, "0.875</b><span>tracking at the end"));
    cr_assert_null(strstr(text, "fidelity at the end"));
    free(text);
    result_finish(&run);
}

Test(page, puts_odometry_and_scans_into_the_avatars_world)
{
    struct result run = read_run("run", "{}", localized);
    struct ways ways;
    double *y = NULL;
    ways_init(&ways, &run.trace);
    cr_assert(ways.in_world && ways.localized);
    double *x = ways_odometry(&ways, &y);
    cr_assert_float_eq(x[2], 2.0, 1e-9);
    cr_assert_float_eq(y[2], 2.0, 1e-9);
    free(x);
    free(y);
    cr_assert_float_eq(ways_frame_at(&ways, 0.5).y, 1.0, 1e-9, "nothing better is known");
    cr_assert_float_eq(ways_frame_at(&ways, 1.5).y, 1.0, 1e-9);
    cr_assert_float_eq(ways_frame_at(&ways, 2.0).y, 2.0, 1e-9, "what odometry missed");
    cr_assert_float_eq(ways_frame_at(&ways, 9.0).x, 2.0, 1e-9);
    result_finish(&run);
}

Test(page, without_a_localizer_the_odometry_keeps_its_frame)
{
    struct result run =
        read_run("run", "{}",
                 "t,WheelController.x,WheelController.y,WheelController.theta,sync.real_x,"
                 "sync.real_y,sync.real_theta,sync.avatar_x,sync.avatar_y,sync.avatar_theta,"
                 "sync.error_sigma_mm\n0,1,0,0,5,0,0,5,0,0,nan\n1,2,0,0,6.1,0,0,6,0,0,nan\n");
    struct ways ways;
    ways_init(&ways, &run.trace);
    cr_assert(ways.in_world && !ways.localized);
    cr_assert_float_eq(ways_frame_at(&ways, 1.0).x, 4.0, 1e-9);
    struct page page = {.title = "run", .main = &run};
    char *text = write_page(&page);
    cr_assert_null(strstr(text, "by odometry alone"));
    free(text);
    result_finish(&run);
}

Test(page, without_a_localizer_the_robots_way_is_its_odometry_beside_the_true_one)
{
    struct result run =
        read_run("run", "{\"sync.measured_rms_mm\": 3, \"sync.true_rms_mm\": 90}",
                 "t,WheelController.x,WheelController.y,WheelController.theta,sync.real_x,"
                 "sync.real_y,sync.real_theta,sync.avatar_x,sync.avatar_y,sync.avatar_theta,"
                 "WheelController.hardware.true_x,WheelController.hardware.true_y\n"
                 "0,1,0,0,5,0,0,5,0,0,5,0\n1,2,0,0,6,0,0,6,0,0,5.9,0.1\n");
    struct page page = {.title = "run", .main = &run};
    char *text = write_page(&page);
    cr_assert_not_null(strstr(text, ">robot by odometry<"), "%s", text);
    cr_assert_not_null(strstr(text, ">robot, true way<"), "%s", text);
    cr_assert_null(strstr(text, ">robot<"), "%s", text);
    cr_assert_not_null(strstr(text, "the avatar followed the robot's odometry"), "%s", text);
    cr_assert_not_null(strstr(text, "Measured: by the poses that the run knew (of odometry)"));
    free(text);
    result_finish(&run);
}

/* A wrong start: lost from t = 1 on, found 4 m away at t = 3. */
static const char relocated[] =
    "t,WheelController.x,WheelController.y,WheelController.theta,sync.real_x,sync.real_y,"
    "sync.real_theta,sync.avatar_x,sync.avatar_y,sync.avatar_theta,sync.error_sigma_mm,"
    "sync.localizer,sync.relocations,sync.teleports\n"
    "0,0,0,0,1,0,0,1,0,0,4,TRACKING,0,0\n"
    "1,1,0,0,2,0,0,2,0,0,4,LOST,0,0\n"
    "2,2,0,0,3,0,0,3,0,0,4,AMBIGUOUS,0,0\n"
    "3,3,0,0,8,0,0,8,0,0,4,TRACKING,1,1\n"
    "4,4,0,0,9,0,0,9,0,0,4,TRACKING,1,1\n";

Test(page, draws_no_way_and_no_scan_while_the_robot_is_lost)
{
    folder_write(folder, "scans.csv",
                 "t,x,y,theta,mount_x,mount_y,mount_theta,start_angle,step_angle,ranges...\n"
                 "0.5,0,0,0,0,0,0,0,0.1,1\n1.5,1,0,0,0,0,0,0,0.1,1\n"
                 "2.5,2,0,0,0,0,0,0,0.1,1\n4.0,4,0,0,0,0,0,0,0.1,1\n");
    struct result run = read_run("run", "{}", relocated);
    struct ways ways;
    ways_init(&ways, &run.trace);
    double robot[5] = {1, 2, 3, 8, 9}, avatar[5] = {1, 2, 3, 8, 9}, *x, *y;
    ways_break_robot(&ways, robot);
    ways_break_avatar(&ways, avatar);
    cr_assert(robot[0] == 1.0 && isnan(robot[1]) && isnan(robot[2]) && isnan(robot[3]));
    cr_assert(robot[4] == 9.0 && avatar[2] == 3.0 && isnan(avatar[3]) && avatar[4] == 9.0);
    cr_assert_eq(result_scan_points(&run, &x, &y), 2, "of four scans two are of a known pose");
    cr_assert_float_eq(x[0], 2.0, 1e-9);
    cr_assert_float_eq(x[1], 10.0, 1e-9);
    free(x);
    free(y);
    result_finish(&run);
}

static const char with_sync[] = "t,WheelController.x,WheelController.y,sync.true_mm\n"
                                "0,0,0,1\n1,1,0,2\n";
static const char with_way[] = "t,WheelController.x,WheelController.y\n0,0,0\n1,1,0\n";

static char *write_svg(const struct result *results, size_t n)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    charts_write_svg(out, "chart", results, n, NULL);
    fclose(out);
    return text;
}

Test(page, draws_distances_of_the_runs_that_have_one)
{
    struct result runs[] = {read_run("way", "{}", with_way), read_run("sync", "{}", with_sync)};
    cr_assert_eq(charts_kind_of(runs, 2), CHARTS_DISTANCE);
    cr_assert_not(charts_has(&runs[0], CHARTS_DISTANCE));
    char *text = write_svg(runs, 2);
    cr_assert_not_null(strstr(text, ">sync<"), "%s", text);
    cr_assert_null(strstr(text, ">way<"), "%s", text);
    cr_assert_not_null(strstr(text, "true distance, mm"));
    free(text);
    result_finish(&runs[0]);
    result_finish(&runs[1]);
}

Test(page, draws_ways_where_nothing_was_synchronized)
{
    struct result runs[] = {read_run("a", "{}", with_way), read_run("b", "{}", with_way),
                            read_run("c", "{}", "t,MotionPath.q1\n0,0\n")};
    cr_assert_eq(charts_kind_of(runs, 3), CHARTS_WAY);
    char *text = write_svg(runs, 3);
    cr_assert_not_null(strstr(text, "<svg xmlns="), "%s", text);
    cr_assert_not_null(strstr(text, ">a<"), "%s", text);
    cr_assert_not_null(strstr(text, ">b<"), "%s", text);
    cr_assert_not_null(strstr(text, "<polyline"), "%s", text);
    free(text);
    cr_assert_eq(charts_kind_of(&runs[2], 1), CHARTS_NOTHING);
    for (size_t i = 0; i < 3; i++) {
        result_finish(&runs[i]);
    }
}
