/* SPDX-License-Identifier: Apache-2.0 */
/* The map of a run: walls and objects of its world, ways, outlines, marks, the error; and the page
 * around it, which is well-formed and asks for nothing outside. */
#include <expat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "map.h"
#include "page.h"
#include "result.h"

static char folder[64], spec[4][128], world_file[96], robot_file[96];
static size_t n_specs;
static struct report_plan plan;

static const char world[] =
    "<?xml version=\"1.0\"?>\n<world name=\"yard &lt;1&gt;\" step_ms=\"1\">\n"
    "<wall x1=\"-1\" y1=\"2\" x2=\"3\" y2=\"2\" thickness=\"0.2\"/>\n"
    "<cylinder x=\"2\" y=\"1\" radius=\"0.25\" height=\"1\"/>\n"
    "<robot name=\"ghost\" model=\"robot.xml\"/>\n</world>\n";

static void begin(void)
{
    strcpy(folder, "/tmp/doppel-map-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    char model[4096], command[8400];
    snprintf(model, sizeof model, "%s/robots/kobuki_urg.xml", PROFILES);
    snprintf(robot_file, sizeof robot_file, "%s/robot.xml", folder);
    snprintf(command, sizeof command, "cp '%s' '%s'", model, robot_file);
    cr_assert_eq(system(command), 0);
    folder_write(folder, "world.xml", world);
    snprintf(world_file, sizeof world_file, "%s/world.xml", folder);
}

static void end(void)
{
    report_plan_finish(&plan);
    unlink(world_file);
    unlink(robot_file);
    folder_remove(folder);
}

TestSuite(map, .init = begin, .fini = end);

static struct result read_run(const char *summary, const char *record, const char *trace)
{
    struct result result;
    struct dpl_diag diag = {0};
    folder_write(folder, "summary.json", summary);
    folder_write(folder, "run.json", record);
    folder_write(folder, "trace.csv", trace);
    snprintf(spec[n_specs], sizeof spec[0], "run=%s", folder);
    cr_assert_eq(result_read(spec[n_specs++], &result, &diag), 0, "%s", diag.text);
    return result;
}

static void read_plan(void)
{
    struct dpl_diag diag = {0};
    cr_assert_eq(report_plan_read(world_file, NULL, &plan, &diag), 0, "%s", diag.text);
}

static char *page_text(const struct result *result, const char *title)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct page page = {.title = title, .main = result, .plan = plan.name[0] ? &plan : NULL};
    page_write(out, &page);
    fclose(out);
    return text;
}

static void check_well_formed(const char *text)
{
    XML_Parser parser = XML_ParserCreate(NULL);
    enum XML_Status status = XML_Parse(parser, text, (int)strlen(text), 1);
    cr_assert_eq(status, XML_STATUS_OK, "%s in line %lu: %.200s",
                 XML_ErrorString(XML_GetErrorCode(parser)), XML_GetCurrentLineNumber(parser),
                 text + XML_GetCurrentByteIndex(parser));
    XML_ParserFree(parser);
}

/* Namespaces are names, not addresses that a browser opens. */
static void check_asks_for_nothing(const char *text)
{
    for (const char *c = text; (c = strstr(c, "://")); c++) {
        cr_assert_eq(strncmp(c, "://www.w3.org/", 14), 0, "%.60s", c - 10);
    }
    static const char *const words[] = {" src=", " href=", "url(", "@import", "<script", "<link"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        cr_assert_null(strstr(text, words[i]), "%s", words[i]);
    }
}

static size_t count(const char *text, const char *wanted)
{
    size_t n = 0;
    for (; (text = strstr(text, wanted)); text += strlen(wanted)) {
        n++;
    }
    return n;
}

#define ROBOT(name)                                                                                \
    "{\"name\": \"" name "\", \"tag\": \"" name                                                    \
    "\", \"device_class\": \"wheel_controller\", \"device\": {\"name\": \"" name                   \
    "\", \"class\": \"wheel_controller\", \"driver\": \"avatar\", \"properties\": {"               \
    "\"RobotName\": {\"value\": \"ghost\"}, \"WheelDiameter\": {\"value\": \"0.07\", \"unit\": "   \
    "\"m\"}}, \"sides\": []}}"
#define WATCH "{\"name\": \"Watch\", \"tag\": \"watch\"}"
#define CONNECTED                                                                                  \
    "\"connections\": [{\"source\": {\"component\": \"Watch\"}, \"target\": {\"component\": "      \
    "\"Chassis\"}}]"

static const char synchronized[] =
    "t,Chassis.x,Chassis.y,Chassis.theta,watch.distance_mm,watch.real_x,watch.real_y,"
    "watch.real_theta,watch.avatar_x,watch.avatar_y,watch.avatar_theta\n"
    "0,0,0,0,2,0,0,0,0.002,0,0\n1,1,0,0,2,1,0,0,1.002,0,0\n2,2,0,0,1,2,0,0,2,0.001,0\n";

Test(map, has_the_world_of_a_robot_of_any_name)
{
    struct result run = read_run(
        "{\"duration_s\": 2}", "{\"components\": [" ROBOT("Chassis") ", " WATCH "], " CONNECTED "}",
        synchronized);
    read_plan();
    cr_assert_eq(plan.n_objects, 2);
    cr_assert_eq(plan.n_footprints, 1);
    char *text = page_text(&run, "a run");
    check_well_formed(text);
    check_asks_for_nothing(text);
    cr_assert_not_null(strstr(text, "<figure id=\"map\">"));
    cr_assert_not_null(strstr(text, ">walls and objects of the world<"));
    cr_assert_not_null(strstr(text, ">avatar<"));
    cr_assert_not_null(strstr(text, ">start<"));
    cr_assert_not_null(strstr(text, ">end<"));
    cr_assert_not_null(strstr(text, "&#215;: published error"));
    cr_assert_not_null(strstr(text, "'yard &lt;1&gt;', with 2 objects"));
    cr_assert_not_null(strstr(text, "<figure id=\"distance\">"));
    free(text);
    result_finish(&run);
}

static const struct plot *kept;
static double low[2], high[2], error_mm[2];
static size_t n_corners, n_areas;

/* The first series is the world. */
static void keep_plot(void *user, const struct plot *plot)
{
    (void)user;
    const struct series *walls = &plot->series[0];
    kept = plot;
    low[0] = low[1] = (double)INFINITY;
    high[0] = high[1] = -(double)INFINITY;
    for (size_t i = 0; i < walls->n; i++) {
        low[0] = fmin(low[0], walls->x[i]);
        high[0] = fmax(high[0], walls->x[i]);
        low[1] = fmin(low[1], walls->y[i]);
        high[1] = fmax(high[1], walls->y[i]);
        n_corners += isfinite(walls->x[i]);
    }
    for (size_t i = 1; i < plot->n; i++) {
        n_areas += plot->series[i].fill && strcmp(plot->series[i].fill, "none") != 0;
    }
    const struct series *errors = plot->chart.inset ? &plot->chart.inset->series[0] : NULL;
    error_mm[0] = errors ? errors->x[0] * 1000.0 : (double)NAN;
    error_mm[1] = errors ? errors->y[2] * 1000.0 : (double)NAN;
}

Test(map, draws_objects_to_scale_and_the_error)
{
    struct result run = read_run(
        "{\"duration_s\": 2}", "{\"components\": [" ROBOT("Chassis") ", " WATCH "], " CONNECTED "}",
        synchronized);
    read_plan();
    map_give(&(struct plot_sink){keep_plot, NULL}, "map", &run, &plan);
    cr_assert_not_null(kept);
    cr_assert_float_eq(low[1], 0.75, 3e-3, "the cylinder, %g", low[1]);
    cr_assert_float_eq(high[1], 2.1, 1e-9, "the wall, %g", high[1]);
    cr_assert_geq(n_corners, 4 + 16);
    cr_assert_eq(n_areas, 2, "outlines of the robot and of the avatar");
    cr_assert_float_eq(error_mm[0], 2.0, 1e-9);
    cr_assert_float_eq(error_mm[1], 1.0, 1e-9);
    result_finish(&run);
}

/* The Localizer is 10 mm off: the avatar is on the localized pose, and 10 mm from the robot. */
#define WITH_TRUTH(mm)                                                                             \
    "t,Chassis.x,Chassis.y,Chassis.theta,watch.distance_mm,watch.real_x,watch.real_y,"             \
    "watch.real_theta,watch.avatar_x,watch.avatar_y,watch.avatar_theta,watch.true_mm,"             \
    "Chassis.hardware.true_x,Chassis.hardware.true_y\n"                                            \
    "0,0,0,0,0,0,0,0,0,0,0," mm ",-0.01,0\n1,1,0,0,0,1,0,0,1,0,0," mm                              \
    ",0.99,0\n2,2,0,0,0,2,0,0,2,0,0," mm ",1.99,0\n"

Test(map, shows_the_true_error_where_it_is_known)
{
    static const char record[] =
        "{\"components\": [" ROBOT("Chassis") ", " WATCH "], " CONNECTED "}";
    struct result run = read_run("{\"duration_s\": 2}", record, WITH_TRUTH("10"));
    map_give(&(struct plot_sink){keep_plot, NULL}, "map", &run, NULL);
    cr_assert_float_eq(error_mm[0], 10.0, 1e-9);
    char *text = page_text(&run, "a run");
    cr_assert_not_null(strstr(text, "&#215;: true error"));
    free(text);
    result_finish(&run);
    /* poses in a frame of their own are not those of the world */
    run = read_run("{\"duration_s\": 2}", record, WITH_TRUTH("50"));
    map_give(&(struct plot_sink){keep_plot, NULL}, "map", &run, NULL);
    cr_assert_float_eq(error_mm[0], 0.0, 1e-9);
    text = page_text(&run, "a run");
    cr_assert_not_null(strstr(text, "&#215;: published error"));
    free(text);
    result_finish(&run);
}

Test(map, has_no_world_where_the_ways_are_in_another_frame)
{
    struct result run = read_run("{}", "{\"components\": [" ROBOT("Chassis") "]}",
                                 "t,Chassis.x,Chassis.y\n0,0,0\n1,1,0\n");
    read_plan();
    char *text = page_text(&run, "a run");
    cr_assert_not_null(strstr(text, "<figure id=\"map\">"));
    cr_assert_null(strstr(text, "walls and objects"));
    free(text);
    result_finish(&run);
}

Test(map, has_several_robots_each_with_its_name)
{
    struct result run = read_run(
        "{\"A.distance_m\": 1.25, \"B.distance_m\": 2.5}",
        "{\"components\": [" ROBOT("A") ", " ROBOT("B") "]}",
        "t,A.x,A.y,A.theta,A.true_x,A.true_y,A.true_theta,B.x,B.y,B.theta,B.true_x,B.true_y,"
        "B.true_theta\n0,0,0,0,0,1,0,0,0,0,0,-1,0\n1,1,0,0,1,1,0,1,0,0,1,-1,0\n");
    read_plan();
    char *text = page_text(&run, "a run");
    check_well_formed(text);
    cr_assert_not_null(strstr(text, ">A: robot by odometry<"));
    cr_assert_not_null(strstr(text, ">B: robot by odometry<"));
    cr_assert_not_null(strstr(text, "1.2 m</b><span>A: distance driven"));
    cr_assert_eq(count(text, "<figure id=\"map\">"), 1);
    cr_assert_not_null(strstr(text, ">walls and objects of the world<"));
    free(text);
    result_finish(&run);
}

Test(map, page_says_where_the_run_comes_from)
{
    struct result run = read_run(
        "{\"application\": \"Yard\", \"seed\": 7, \"clock\": \"simulated\"}",
        "{\"date\": \"2026-01-02T03:04:05Z\", \"host\": \"bench-3\", \"version\": \"9.8.7\", "
        "\"command\": [\"doppel\", \"run\", \"two words\"], \"components\": [" ROBOT(
            "Chassis") "]}",
        "t,Chassis.x,Chassis.y\n0,0,0\n1,1,0\n");
    char *text = page_text(&run, "a run");
    check_well_formed(text);
    static const char *const wanted[] = {"2026-01-02T03:04:05Z",
                                         "<td>bench-3</td>",
                                         "<td>9.8.7</td>",
                                         "<td>7</td>",
                                         "<code>doppel run 'two words'</code>",
                                         "Calibration in force",
                                         "<td>WheelDiameter</td><td>0.07</td><td>m</td>"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        cr_assert_not_null(strstr(text, wanted[i]), "%s", wanted[i]);
    }
    free(text);
    result_finish(&run);
}

#define HOSTILE "</style><script>x()</script>&\\\"'\\u0001]]>"

Test(map, hostile_names_stay_text)
{
    struct result run = read_run(
        "{\"application\": \"" HOSTILE "\", \"verdict\": \"" HOSTILE "\", \"" HOSTILE
        ".x\": \"" HOSTILE "\", \"error\": \"" HOSTILE "\"}",
        "{\"host\": \"" HOSTILE "\", \"command\": [\"" HOSTILE "\", 3, null], \"components\": [{"
        "\"name\": \"<b>\", \"tag\": \"<b>\", \"device_class\": \"wheel_controller\", \"device\": "
        "{\"name\": \"<i>\", \"class\": \"imu\", \"properties\": {\"Bias<u>\": {\"value\": "
        "\"<u>\"}, \"ScaleX\": 3}}}], \"columns\": [{\"name\": \"<b>.v<&\", \"unit\": \"<m>\", "
        "\"summary\": \"a & b\"}]}",
        "t,<b>.x,<b>.y,<b>.v<&,<b>.w\n0,0,0,1,\"<i>\"\n1,1,0,2,\"a<b\"\n2,2,0,3,\"b&c\"\n");
    char *text = page_text(&run, "<title>&");
    check_well_formed(text);
    check_asks_for_nothing(text);
    cr_assert_null(strstr(text, "<b>."), "a name became an element");
    free(text);
    result_finish(&run);
}

Test(map, page_of_a_test_plan_has_its_steps)
{
    struct result result;
    struct dpl_diag diag = {0};
    folder_write(folder, "summary.json",
                 "{\"plan\": \"lift\", \"passed\": 1, \"failed\": 1, \"runs\": [{\"seed\": 4, "
                 "\"steps\": [{\"name\": \"up\", \"verdict\": \"passed\", \"duration_s\": 2.5}, "
                 "{\"name\": \"down\", \"verdict\": \"failed\", \"failures\": [\"too slow: 3 > "
                 "2\"], \"measures\": [{\"name\": \"time, s\", \"value\": 3, \"max\": 2, \"good\": "
                 "false}]}]}]}");
    snprintf(spec[n_specs], sizeof spec[0], "%s", folder);
    cr_assert_eq(result_read(spec[n_specs++], &result, &diag), 0, "%s", diag.text);
    char *text = page_text(&result, "plan");
    check_well_formed(text);
    cr_assert_not_null(strstr(text, "Steps, seed 4"));
    cr_assert_not_null(strstr(text, "too slow: 3 &gt; 2"));
    cr_assert_not_null(strstr(text, "<td>not met</td><td>3</td><td>&#8211;</td><td>2</td>"));
    free(text);
    result_finish(&result);
}
