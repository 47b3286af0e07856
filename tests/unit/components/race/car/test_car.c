/* SPDX-License-Identifier: Apache-2.0 */
/* Car, Track and Referee in whole runs: the published tests, verdicts, variations, and what is said
 * about bad properties. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "bench.h"
#include "published_race.h"

#define LOG_MAX 65536

struct outcome {
    enum dpl_exit code;
    char log[LOG_MAX];
};

static char folder[256];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "%s", bench_make_folder());
}

static void remove_folder(void)
{
    bench_remove_folder(folder);
}

static void read_log(char *ret_text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/log.csv", folder);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "no log.csv");
    size_t n = fread(ret_text, 1, LOG_MAX - 1, file);
    ret_text[n] = '\0';
    fclose(file);
}

static void run(struct bench *bench, struct outcome *ret_outcome)
{
    bench->file = UNIT "/components/race/data/race.xml";
    bench->duration_s = 60.0;
    bench->out_dir = folder;
    ret_outcome->code = bench_run(bench);
    cr_assert_eq(ret_outcome->code, DPL_EXIT_DONE, "%s", bench_error());
    read_log(ret_outcome->log);
}

static double summary(const char *key)
{
    return bench_summary(folder, key);
}

static struct outcome first, second;

static void expect_rows(const char *log, const char *const *rows, size_t n)
{
    char expected[LOG_MAX];
    size_t at =
        (size_t)snprintf(expected, sizeof expected, "tick,x,y,vel,dir,s0,s1,s2,s3,s4,s5,s6\n");
    for (size_t i = 0; i < n; i++) {
        at += (size_t)snprintf(expected + at, sizeof expected - at, "%s\n", rows[i]);
    }
    cr_assert_str_eq(log, expected);
}

static void expect_end(double x_mm, double y_mm, double tick)
{
    cr_assert_eq(summary("Referee.x_mm"), x_mm);
    cr_assert_eq(summary("Referee.y_mm"), y_mm);
    cr_assert_eq(summary("Referee.tick"), tick);
    cr_assert_eq(summary("Referee.lost"), 0.0);
}

Test(car, logs_the_first_published_test_row_for_row, .init = make_folder, .fini = remove_folder)
{
    struct bench bench = {.sets = {"Car.Script=0 90 1000"}};
    run(&bench, &first);
    expect_rows(first.log, published_test1, PUBLISHED_TEST1_ROWS);
    expect_end(1500.0, 2000.0, 19.0);
    cr_assert_eq(summary("Referee.expected"), 1.0);
    cr_assert_float_eq(summary("Referee.time"), 1.9, 1e-9);
}

Test(car, logs_the_second_published_test_row_for_row, .init = make_folder, .fini = remove_folder)
{
    struct bench bench = {.sets = {"Car.Script=0 135 1000", "Referee.Expect=hit"}};
    run(&bench, &first);
    expect_rows(first.log, published_test2, PUBLISHED_TEST2_ROWS);
    expect_end(940.0, 560.0, 7.0);
    cr_assert_eq(summary("Referee.expected"), 1.0);
}

/* Rows and moves use a row of the script at once, the sensors a row later. */
Test(car, lets_sensors_follow_a_script_a_row_late, .init = make_folder, .fini = remove_folder)
{
    struct bench bench = {.sets = {"Car.Script=0 90 1000; 4 60 1000; 8 90 800"}};
    run(&bench, &first);
    cr_assert_not_null(strstr(first.log, "\n4,1500,400,1000,60,999,MAX,999,707,MAX,MAX,707\n"));
    cr_assert_not_null(strstr(first.log, "\n5,1550,486,1000,60,MAX,"));
    cr_assert_not_null(strstr(first.log, "\n8,1700,744,800,90,MAX,"));
    cr_assert_not_null(strstr(first.log, "\n9,1700,824,800,90,1399,MAX,"));
}

Test(car, ends_in_time_and_says_what_was_not_expected, .init = make_folder, .fini = remove_folder)
{
    struct bench bench = {.sets = {"Car.Script=0 90 10", "Referee.MaxTicks=30"}};
    run(&bench, &first);
    cr_assert_eq(summary("Referee.rows"), 30.0);
    cr_assert_eq(summary("Referee.expected"), 0.0);
    cr_assert_eq(summary("Car.y"), 0.03);
}

Test(car, is_silent_where_nobody_drives, .init = make_folder, .fini = remove_folder)
{
    struct bench bench = {.sets = {"Referee.SilentAfter=1", "Referee.Expect=silent"}};
    run(&bench, &first);
    cr_assert_eq(summary("Referee.expected"), 1.0);
    cr_assert_eq(summary("Referee.tick"), 10.0);
    cr_assert_eq(summary("Car.undriven"), 11.0);
    cr_assert_eq(summary("Car.y"), 0.0);
}

Test(car, finishes_with_each_body, .init = make_folder, .fini = remove_folder)
{
    static const char *const models[] = {"Car.Model=differential", "Car.Model=ackermann"};
    for (size_t i = 0; i < DPL_COUNT(models); i++) {
        struct bench bench = {.sets = {models[i], "Car.Script=0 90 1000", "Car.Start=1500 300"}};
        run(&bench, &first);
        cr_assert_eq(summary("Referee.expected"), 1.0);
        cr_assert_float_eq(summary("Referee.y_mm"), 2000.0, 1e-6);
    }
}

Test(car, hits_with_the_outline_of_a_body, .init = make_folder, .fini = remove_folder)
{
    struct bench bench = {.sets = {"Car.Model=differential", "Car.Script=0 0 1000",
                                   "Car.Start=1500 300", "Referee.Expect=hit"}};
    run(&bench, &first);
    cr_assert_eq(summary("Referee.expected"), 1.0);
    cr_assert_float_eq(summary("Referee.x_mm"), 2000.0 - 150.0, 0.11);
}

Test(car, varies_its_start_by_the_seed_and_only_when_told, .init = make_folder,
     .fini = remove_folder)
{
    struct bench bench = {.sets = {"Car.Script=0 90 1000", "Car.Model=differential",
                                   "Car.Start=1500 500", "Car.Vary=true"}};
    run(&bench, &first);
    double x = summary("Car.start_x"), y = summary("Car.start_y");
    cr_assert(x != 1500.0 && fabs(x - 1500.0) <= 30.0 && fabs(y - 500.0) <= 30.0, "%g %g", x, y);
    cr_assert(fabs(summary("Car.battery") - 1.0) <= 0.05 && summary("Car.battery") != 1.0);
    run(&bench, &second);
    cr_assert_str_eq(first.log, second.log);
    cr_assert_eq(summary("Car.start_x"), x);
    bench.sets[3] = NULL;
    run(&bench, &second);
    cr_assert_eq(summary("Car.start_x"), 1500.0);
    cr_assert_eq(summary("Car.battery"), 1.0);
}

Test(car, starts_where_the_track_says_unless_told_otherwise, .init = make_folder,
     .fini = remove_folder)
{
    struct bench bench = {
        .sets = {"Track.Start=1400 700 45", "Car.Start=", "Referee.Expect=timeout"}};
    run(&bench, &first);
    cr_assert_eq(summary("Car.start_x"), 1400.0);
    cr_assert_eq(summary("Car.start_y"), 700.0);
    cr_assert_eq(summary("Car.start_heading"), 45.0);
    bench.sets[1] = "Car.Start=1300 100 30";
    run(&bench, &first);
    cr_assert_eq(summary("Car.start_x"), 1300.0);
    cr_assert_eq(summary("Car.start_heading"), 30.0);
    bench.sets[1] = "Car.Start=1300 100";
    bench.sets[2] = "Car.StartHeading=60";
    run(&bench, &first);
    cr_assert_eq(summary("Car.start_heading"), 60.0);
}

static void refuse(const char *set, const char *other, const char *reason)
{
    struct bench bench = {
        .file = UNIT "/components/race/data/race.xml", .duration_s = 1.0, .sets = {set, other}};
    enum dpl_exit code = bench_create_error(&bench) < 0 ? DPL_EXIT_BAD_INPUT : bench_run(&bench);
    cr_assert_neq(code, DPL_EXIT_DONE, "%s was taken", set);
    cr_assert_not_null(strstr(bench_error(), reason), "%s: %s", set, bench_error());
}

Test(car, says_what_is_wrong_with_its_properties)
{
    refuse("Car.Script=0 90", NULL, "Script: character 5");
    refuse("Car.Script=0 90 1; 0 9 1", NULL, "ticks must increase");
    refuse("Car.SensorOffsets=0 90 left", NULL, "SensorOffsets: character 6");
    refuse("Car.SensorOffsets=0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", NULL, "too many numbers");
    refuse("Car.SensorMounts=0 0; 1", NULL, "SensorMounts: character 7");
    refuse("Car.SensorMounts=0 0; 1 1", NULL, "places 2 sensors, but SensorOffsets has 7");
    refuse("Car.Start=1500", NULL, "expected two numbers, x and y in mm");
    refuse("Car.Start=", NULL, "the track has no start");
    refuse("Car.RearOverhang=1", NULL, "RearOverhang (1 m)");
}

Test(car, says_which_walls_the_paper_does_not_know)
{
    refuse("Track.Walls=1000 0 1000 5000; 2000 0 2001 5000", NULL,
           "wall 2 runs from (2000, 0) to (2001, 5000) mm");
    refuse("Track.FinishY=", "Track.Finish=1 2 3 4", "the finish runs from (1, 2) to (3, 4) mm");
}

Test(car, hears_what_is_wrong_with_the_track)
{
    refuse("Track.Walls=1000 0 1000", NULL, "Walls: character 12");
    refuse("Track.Walls=1000 0 1000 5000 7", NULL, "Walls: character 18");
    refuse("Track.Walls=1e9 0 1000 5000", NULL, "+-100 km");
    refuse("Track.Finish=0 0 1 0", NULL, "both Finish and FinishY");
    refuse("Track.FinishY=two", NULL, "FinishY: character 1");
    refuse("Track.FinishY=2000; 3000", NULL, "a single row");
    refuse("Track.Start=1", NULL, "Start: character 2");
}

Test(car, takes_as_many_walls_as_a_track_may_have)
{
    static char walls[24000] = "Track.Walls=";
    size_t at = strlen(walls);
    for (int i = 0; i < 512; i++) {
        at += (size_t)snprintf(walls + at, sizeof walls - at, "%d 9000 %d 9000;", i, i + 1);
    }
    make_folder();
    struct bench bench = {.sets = {walls, "Car.Script=0 90 1000"}};
    run(&bench, &first);
    cr_assert_eq(summary("Track.walls"), 512.0);
    remove_folder();
    snprintf(walls + at, sizeof walls - at, "0 0 0 0");
    refuse(walls, NULL, "too many walls");
}
