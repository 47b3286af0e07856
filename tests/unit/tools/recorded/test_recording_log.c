/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/recorded/recording_log.h: the wheels of a log that go where the odometry went. */
#include "recording_log.h"

#include <criterion/criterion.h>
#include <doppel/protocol/kobuki.h>
#include <errno.h>
#include <string.h>

#define HEADER "t,x,y,theta,mount_x,mount_y,mount_theta,start_angle,step_angle,ranges...\n"

static struct log_player make(const char *rows)
{
    char text[1024];
    struct recording recording = {0};
    struct log_player player = {.n = 0};
    snprintf(text, sizeof text, "%s%s", HEADER, rows);
    cr_assert_eq(recording_parse_csv("scans.csv", text, strlen(text), false, &recording, NULL), 0);
    cr_assert_eq(recording_log_make(&recording, &player), 0);
    recording_finish(&recording);
    return player;
}

Test(recording_log, has_wheels_that_go_the_way_of_the_odometry)
{
    /* a metre ahead, then a quarter of a circle of 1 m radius to the left */
    struct log_player player = make("5,0,0,0,0,0,0,-1,1,1\n6,1,0,0,0,0,0,-1,1,1\n"
                                    "8,2,1,1.5707963267948966,0,0,0,-1,1,1\n");
    struct log_motion ahead = log_player_motion(&player, DPL_S);
    cr_assert_float_eq(ahead.left_rad, 1.0 / DPL_KOBUKI_WHEEL_RADIUS_M, 1e-9);
    cr_assert_float_eq(ahead.right_rad, ahead.left_rad, 1e-9);
    struct log_motion end = log_player_motion(&player, 3 * DPL_S);
    cr_assert_float_eq(end.heading_rad, DPL_PI / 2.0, 1e-9);
    cr_assert_float_eq(0.5 * (end.left_rad + end.right_rad) * DPL_KOBUKI_WHEEL_RADIUS_M,
                       1.0 + DPL_PI / 2.0, 1e-9);
    log_player_finish(&player);
}

Test(recording_log, has_ranges_in_the_directions_of_its_laser)
{
    struct log_player player = make("5,0,0,0,0,0,0,-0.5,0.25,1,2,3,0.01,70\n6,0,0,0,0,0,0,0,1,1\n");
    const double step = 2.0 * DPL_PI / 1024.0;
    static const struct {
        double angle;
        uint16_t mm;
    } rays[] = {{-0.5, 1000}, {-0.25, 2000}, {0.02, 3000}, {0.25, 0},
                {0.5, 0},     {-0.7, 0},     {0.7, 0}};
    for (size_t i = 0; i < sizeof rays / sizeof rays[0]; i++) {
        int k = (int)(rays[i].angle / step + 384.5) - LOG_FIRST_STEP;
        cr_assert_eq(player.rows[0].ranges_mm[k], rays[i].mm, "at %g rad: %d", rays[i].angle,
                     player.rows[0].ranges_mm[k]);
    }
    cr_assert_eq(player.rows[1].time, DPL_S);
    log_player_finish(&player);
}

Test(recording_log, needs_two_scans)
{
    struct recording recording = {.n = 1};
    struct log_player player;
    cr_assert_eq(recording_log_make(&recording, &player), -EINVAL);
}
