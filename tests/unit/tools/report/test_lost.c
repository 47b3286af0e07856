/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a robot whose place was not known at times, or never. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "charts.h"
#include "folder.h"
#include "map_series.h"
#include "page.h"
#include "ways.h"

static char folder[64], spec[96];

static void begin(void)
{
    strcpy(folder, "/tmp/doppel-lost-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(spec, sizeof spec, "run=%s", folder);
}

static void end(void)
{
    folder_remove(folder);
}

TestSuite(lost, .init = begin, .fini = end);

static struct result read_run(const char *summary, const char *trace)
{
    struct result result;
    struct dpl_diag diag = {0};
    folder_write(folder, "summary.json", summary);
    folder_write(folder, "trace.csv", trace);
    cr_assert_eq(result_read(spec, &result, &diag), 0, "%s", diag.text);
    return result;
}

static char *page_of(const struct result *result)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    page_write(out, &(struct page){.title = "run", .main = result});
    fclose(out);
    return text;
}

#define COLUMNS                                                                                    \
    "t,Base.x,Base.y,Base.theta,sync.real_x,sync.real_y,sync.real_theta,sync.avatar_x,"            \
    "sync.avatar_y,sync.avatar_theta,sync.error_sigma_mm,sync.localizer,sync.state,"               \
    "sync.distance_mm,sync.true_mm,Base.true_x,Base.true_y,Base.true_theta\n"

/* It starts 2 m beside where the run believes; that is noticed, and it is lost to the end. */
static const char wrong_start[] = COLUMNS "0,0,0,0,1,0,0,1,0,0,4,TRACKING,OK,1,2000,1,2,0\n"
                                          "1,1,0,0,2,0,0,2,0,0,4,LOST,UNKNOWN,2,2000,2,2,0\n"
                                          "2,2,0,0,3,0,0,3,0,0,4,LOST,UNKNOWN,3,2000,3,2,0\n";

Test(lost, is_said_before_the_figures)
{
    struct result run = read_run("{\"duration_s\": 2, \"sync.relocations\": 3}", wrong_start);
    char *text = page_of(&run);
    char *told = strstr(text, "The robot was lost</b> for 2.0 s of 2.0 s, also at the end");
    cr_assert_not_null(told, "%s", text);
    cr_assert_lt(told, strstr(text, "<div class=\"figures\">"));
    cr_assert_not_null(strstr(text, "2.0 s</b><span>place not known"));
    cr_assert_not_null(strstr(text, "3</b><span>found elsewhere"));
    free(text);
    result_finish(&run);
}

Test(lost, a_place_that_nothing_has_proven_is_called_told)
{
    static const char *const bases[] = {"told", "proven"};
    for (int i = 0; i < 2; i++) {
        char summary[64];
        snprintf(spec, sizeof spec, "run=%s", folder);
        snprintf(summary, sizeof summary, "{\"loc.basis\": \"%s\"}", bases[i]);
        struct result run = read_run(summary, wrong_start);
        char *text = page_of(&run);
        cr_expect_eq(strstr(text, "its start as it was told") != NULL, i == 0, "%s", bases[i]);
        free(text);
        result_finish(&run);
    }
}

static double published[3], truth[3];

static void keep_distance(void *user, const struct plot *plot)
{
    (void)user;
    for (size_t i = 0; strcmp(plot->name, "distance") == 0 && i < 3; i++) {
        truth[i] = plot->series[0].y[i];
        published[i] = plot->series[1].y[i];
    }
}

Test(lost, publishes_no_distance_to_a_place_that_nobody_knows)
{
    struct result run = read_run("{}", wrong_start);
    charts_give_robots(&(struct plot_sink){keep_distance, NULL}, &run);
    cr_assert(published[0] == 1.0 && isnan(published[1]) && isnan(published[2]));
    cr_assert(truth[0] == 2000.0 && truth[2] == 2000.0);
    result_finish(&run);
}

/* A covered laser: the Localizer has no scan, and the distances are those of the odometry. */
static const char covered[] = COLUMNS "0,0,0,0,1,0,0,1,0,0,nan,INIT,INIT,1,1,1,0,0\n"
                                      "1,1,0,0,2,0,0,2,0,0,nan,INIT,OK,2,2,2,0,0\n";

Test(lost, a_localizer_that_never_knew_is_not_one_that_did_not_run)
{
    struct result run = read_run("{\"duration_s\": 1}", covered);
    char *text = page_of(&run);
    cr_assert_null(strstr(text, "No Localizer ran"), "%s", text);
    cr_assert_not_null(strstr(text, "A Localizer ran, but never knew where the robot was"));
    free(text);
    result_finish(&run);
}

Test(lost, tracking_does_not_promise_that_the_pose_was_right)
{
    struct result run = read_run("{\"sync.tracking\": 1}", wrong_start);
    char *text = page_of(&run);
    cr_assert_null(strstr(text, "encoders"), "%s", text);
    cr_assert_not_null(strstr(text, "be that right or wrong"));
    free(text);
    result_finish(&run);
}

Test(lost, a_plan_that_is_wrong_tells_no_place)
{
    struct result run =
        read_run("{}", COLUMNS "0,0,0,0,1,0,0,1,0,0,4,MAP_WRONG,UNKNOWN,1,1,1,0,0\n");
    struct ways ways;
    ways_init(&ways, &run.trace);
    cr_assert_not(ways_known(&ways, 0));
    result_finish(&run);
}

/* Carried by 3 m within 50 ms; the counters of the trace say nothing yet. */
Test(lost, nobody_drove_where_a_robot_or_an_avatar_jumped)
{
    struct result run =
        read_run("{}", COLUMNS "0,0,0,0,1,0,0,1,0,0,4,TRACKING,OK,1,1,1,0,0\n"
                               "0.05,0,0,0,1.01,0,0,1.01,0,0,4,TRACKING,OK,1,1,4,0,0\n"
                               "0.10,0,0,0,1.02,0,0,4.00,0,0,4,TRACKING,OK,1,1,4.01,0,0\n"
                               "0.15,0,0,0,1.03,0,0,4.01,0,0,4,TRACKING,OK,1,1,4.02,0,0\n");
    struct robot_ways ways = robot_ways_read(&run, &run.robots[0]);
    cr_assert(isnan(ways.truth.x[1]) && ways.truth.x[2] == 4.01);
    cr_assert(isnan(ways.avatar.x[2]) && ways.avatar.x[1] == 1.01 && ways.avatar.x[3] == 4.01);
    cr_assert_eq(ways.robot.x[2], 1.02);
    robot_ways_finish(&ways);
    result_finish(&run);
}
