/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/recorded/log_player.h on small logs that are written here. */
#include "log_player.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[32];

static FILE *begin(void)
{
    strcpy(path, "/tmp/doppel-log-XXXXXX");
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    return fdopen(fd, "w");
}

static void write_row(FILE *stream, long time_us, int left, int right, int range)
{
    fprintf(stream, "%ld 0 %d %d", time_us, left, right);
    for (int column = 4; column < 706; column++) {
        fprintf(stream, " %d", column < 24 ? 0 : range);
    }
    fprintf(stream, " 0\n");
}

/* Three rows, 100 ms apart: forward, then a turn. */
static struct log_player make(void)
{
    FILE *stream = begin();
    write_row(stream, 5000000, 100, 200, 1000);
    write_row(stream, 5100000, 300, 400, 2000);
    write_row(stream, 5200000, 300, 600, 3000);
    fclose(stream);
    struct log_player player;
    struct dpl_diag error;
    cr_assert_eq(log_player_load(path, &player, &error), 0);
    unlink(path);
    return player;
}

static int load_text(const char *text, struct dpl_diag *reterr)
{
    FILE *stream = begin();
    fputs(text, stream);
    fclose(stream);
    struct log_player player;
    int err = log_player_load(path, &player, reterr);
    unlink(path);
    return err;
}

static const double per_tick = 2 * 3.14159265358979323846 * 0.077 / 2000;

Test(log_player, starts_at_nought_and_interpolates_between_rows)
{
    struct log_player player = make();
    cr_assert_eq(player.n, 3);
    cr_assert_eq(player.period, 100 * DPL_MS);
    cr_assert_float_eq(log_player_motion(&player, -DPL_S).left_rad, 0.0, 1e-12);
    struct log_motion half = log_player_motion(&player, 50 * DPL_MS);
    cr_assert_float_eq(half.left_rad, 100 * per_tick / 0.035, 1e-9);
    cr_assert_float_eq(half.right_rad, 100 * per_tick / 0.035, 1e-9);
    log_player_finish(&player);
}

Test(log_player, a_kobuki_would_have_gone_the_same_way_and_turned_as_much)
{
    struct log_player player = make();
    struct log_motion end = log_player_motion(&player, 200 * DPL_MS);
    double left = 200 * per_tick, right = 400 * per_tick;
    double forward = (end.left_rad + end.right_rad) * 0.035 / 2;
    double heading = (end.right_rad - end.left_rad) * 0.035 / 0.230;
    cr_assert_float_eq(forward, (left + right) / 2, 1e-12);
    cr_assert_float_eq(heading, (right - left) / 0.33, 1e-12);
    cr_assert_float_eq(end.heading_rad, heading, 1e-12);
    struct log_motion turning = log_player_motion(&player, 150 * DPL_MS);
    cr_assert_float_eq(turning.rate_rad_s, 200 * per_tick / 0.33 / 0.1, 1e-9);
    log_player_finish(&player);
}

Test(log_player, stands_still_behind_its_end_and_goes_on_scanning)
{
    struct log_player player = make();
    struct log_motion end = log_player_motion(&player, 200 * DPL_MS);
    struct log_motion later = log_player_motion(&player, 10 * DPL_S);
    cr_assert_eq(later.left_rad, end.left_rad);
    cr_assert_eq(later.rate_rad_s, 0.0);
    dpl_ns time;
    uint64_t number = log_player_scan_number(&player, 550 * DPL_MS);
    cr_assert_eq(number, 5);
    cr_assert_eq(log_player_scan(&player, number, &time)[0], 3000);
    cr_assert_eq(time, 500 * DPL_MS);
    cr_assert(log_player_is_over(&player, 201 * DPL_MS));
    cr_assert_not(log_player_is_over(&player, 200 * DPL_MS));
    log_player_finish(&player);
}

Test(log_player, a_loop_begins_again_without_a_leap_of_the_wheels)
{
    struct log_player player = make();
    player.loops = true;
    struct log_motion end = log_player_motion(&player, 299 * DPL_MS);
    struct log_motion again = log_player_motion(&player, 300 * DPL_MS);
    cr_assert_float_eq(again.left_rad, end.left_rad, 1e-9);
    dpl_ns time;
    uint64_t number = log_player_scan_number(&player, 450 * DPL_MS);
    cr_assert_eq(number, 4);
    cr_assert_eq(log_player_scan(&player, number, &time)[681], 2000);
    cr_assert_eq(time, 400 * DPL_MS);
    cr_assert_not(log_player_is_over(&player, 100 * DPL_S));
    log_player_finish(&player);
}

Test(log_player, speed_makes_everything_earlier)
{
    struct log_player player = make();
    player.speed = 2.0;
    dpl_ns time;
    cr_assert_eq(log_player_scan_number(&player, 50 * DPL_MS), 1);
    log_player_scan(&player, 1, &time);
    cr_assert_eq(time, 50 * DPL_MS);
    struct log_motion turning = log_player_motion(&player, 75 * DPL_MS);
    cr_assert_float_eq(turning.rate_rad_s, 2 * 200 * per_tick / 0.33 / 0.1, 1e-9);
    log_player_finish(&player);
}

Test(log_player, says_where_a_log_is_wrong)
{
    struct dpl_diag error = {0};
    cr_assert_eq(load_text("1 2 x", &error), -EINVAL);
    cr_assert_eq(error.place.line, 1);
    cr_assert_eq(error.place.column, 5);
    cr_assert_not_null(strstr(error.text, "found 'x', expected a number"), "%s", error.text);
    cr_assert_eq(load_text("1 2 3\n", &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "706 columns"));
    cr_assert_eq(load_text("", &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "found 0 rows"));
    cr_assert_eq(load_text("1 2 inf", &error), -EINVAL);
}

Test(log_player, time_must_go_on)
{
    FILE *stream = begin();
    write_row(stream, 2000, 0, 0, 0);
    write_row(stream, 2000, 0, 0, 0);
    fclose(stream);
    struct log_player player;
    struct dpl_diag error;
    cr_assert_eq(log_player_load(path, &player, &error), -EINVAL);
    cr_assert_eq(error.place.line, 2);
    unlink(path);
}

Test(log_player, a_file_that_is_not_there_is_named)
{
    struct log_player player;
    struct dpl_diag error;
    cr_assert_eq(log_player_load("/nonexistent/log.dat", &player, &error), -ENOENT);
    cr_assert_str_eq(error.place.file, "/nonexistent/log.dat");
}
