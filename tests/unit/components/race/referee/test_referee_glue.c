/* SPDX-License-Identifier: Apache-2.0 */
/* Referee with a fake of the runtime: what it makes of the ticks that arrive, and its log. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/msg/device.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/race.h>

#include "fake_runtime.h"

enum port {
    PORT_CAR,
    PORT_BOARD,
};

static struct dpl_diag error;

/* ---- the car and its board ---- */

static struct {
    uint32_t next, n; /* ticks in the queue */
    uint32_t hit_at;
    struct dpl_message message;
    Doppel__CarState state;
    Doppel__Pose2 pose;
    double ranges[2];
    int64_t refused;
} car;

static int answer(unsigned port, unsigned method, const void *request, void *response)
{
    ((Doppel__ErrorState *)response)->refused = car.refused;
    return 0;
}

static const struct dpl_message *next_message(unsigned port)
{
    if (car.next == car.n) {
        return NULL;
    }
    doppel__car_state__init(&car.state);
    doppel__pose2__init(&car.pose);
    car.state.pose = &car.pose;
    car.state.tick = car.next;
    car.state.y_mm = car.next;
    car.ranges[0] = 0.5;
    car.ranges[1] = (double)INFINITY;
    car.state.ranges = car.ranges;
    car.state.n_ranges = 2;
    car.state.driven = true;
    car.pose.y = car.next * 1e-3;
    car.state.clearance = 1.0 - car.next * 1e-3;
    car.state.left = car.state.right = 0.5;
    car.state.outcome =
        car.next == car.hit_at ? DOPPEL__CAR_OUTCOME__CAR_HIT : DOPPEL__CAR_OUTCOME__CAR_DRIVES;
    car.state.outcome_x = 1.0;
    car.message = (struct dpl_message){.stamp = car.next * DPL_MS, .body = &car.state};
    car.next++;
    return &car.message;
}

/* ---- the component ---- */

static void prepare(void)
{
    fake_begin();
    fake.ports[PORT_BOARD].is_open = true;
    fake.service = answer;
    fake.take = next_message;
    memset(&car, 0, sizeof car);
    car.hit_at = UINT32_MAX;
}

static void begin(void)
{
    cr_assert_eq(fake_start(0, &error), 0, "%s", error.text);
}

static void arrive(uint32_t n)
{
    struct dpl_tick tick = {0};
    car.n = car.next + n;
    fake_execute(&tick);
}

static void end(void)
{
    fake.self.class_->ops->destroy(&fake.self);
    fake.self.class_->ops->destroy(&fake.self);
}

TestSuite(referee_glue, .fini = fake_end);

Test(referee_glue, gives_one_verdict_and_keeps_no_row_after_it)
{
    prepare();
    fake_set("Expect", "hit");
    car.hit_at = 5;
    begin();
    arrive(3);
    cr_assert_eq(fake.n_verdicts, 0);
    arrive(20);
    arrive(5);
    cr_assert_eq(fake.n_verdicts, 1);
    cr_assert(fake.verdict.expected);
    cr_assert_str_eq(fake.verdict.name, "hit");
    cr_assert_not_null(strstr(fake.verdict.text, "(1000,0) mm in tick 5"), "%s", fake.verdict.text);
    cr_assert_eq(fake_export("rows"), 6.0);
    cr_assert_eq(fake_export("x_mm"), 1000.0);
    end();
}

Test(referee_glue, says_what_was_not_expected)
{
    prepare();
    fake_set("MaxTicks", "4");
    begin();
    arrive(10);
    cr_assert_not(fake.verdict.expected);
    cr_assert_str_eq(fake.verdict.name, "timeout");
    cr_assert_eq(fake_export("rows"), 4.0);
    end();
}

/* A car that drives 1 mm a tick along y and comes as much nearer to a wall. */
static void race_with(const char *limit, const char *value)
{
    prepare();
    fake_set("Expect", "timeout");
    fake_set("MaxTicks", "101");
    if (limit) {
        fake_set(limit, value);
    }
    fake.ports[PORT_BOARD].is_open = false;
    car.refused = 2;
    begin();
    arrive(101);
    cr_assert_eq(fake.n_verdicts, 1);
    end();
}

static double told(const char *name)
{
    for (size_t i = 0; i < fake.verdict.n_measures; i++) {
        if (strcmp(fake.verdict.measures[i].name, name) == 0) {
            return fake.verdict.measures[i].value;
        }
    }
    return (double)NAN;
}

Test(referee_glue, publishes_what_it_measured)
{
    race_with(NULL, NULL);
    cr_assert(fake.verdict.expected);
    cr_assert_float_eq(told("path"), 0.1, 1e-12);
    cr_assert_float_eq(told("clearance"), 0.9, 1e-12);
    cr_assert_float_eq(told("time"), 0.1, 1e-12);
    cr_assert_eq(told("refused"), 2.0);
    cr_assert(isnan(told("wrong_side")));
    cr_assert_float_eq(fake_export("path"), 0.1, 1e-12);
    cr_assert_eq(fake_export("refused"), 2.0);
}

Test(referee_glue, calls_what_is_worse_than_its_limits_a_limit)
{
    race_with("MinClearance", "0.899");
    cr_assert(fake.verdict.expected);
    race_with("MinClearance", "0.901");
    cr_assert_not(fake.verdict.expected);
    cr_assert_str_eq(fake.verdict.name, "limit");
    cr_assert_not_null(strstr(fake.verdict.text, "TIMEOUT"), "%s", fake.verdict.text);
    cr_assert_not_null(strstr(fake.verdict.text, "; clearance 900 mm, at least 901 mm expected"),
                       "%s", fake.verdict.text);
    race_with("MaxPath", "0.099");
    cr_assert_str_eq(fake.verdict.name, "limit");
    race_with("MaxRefused", "2");
    cr_assert(fake.verdict.expected);
    race_with("MaxRefused", "1");
    cr_assert_str_eq(fake.verdict.name, "limit");
}

Test(referee_glue, asks_no_more_of_a_race_that_ended_otherwise_than_expected)
{
    prepare();
    fake_set("MaxTicks", "4");
    fake_set("MaxPath", "0.001");
    begin();
    arrive(10);
    cr_assert_str_eq(fake.verdict.name, "timeout");
    end();
}

Test(referee_glue, refuses_limits_that_it_cannot_judge)
{
    prepare();
    fake_set("MaxWrongSide", "1");
    cr_assert_eq(fake.self.class_->check(fake.self.properties, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "KeepTo"), "%s", error.text);
    fake_set("KeepTo", "left");
    cr_assert_eq(fake.self.class_->check(fake.self.properties, &error), 0);
    fake_set("MaxRefused", "0");
    cr_assert_eq(fake.self.class_->ops->initialize(&fake.self, &error), 0);
    cr_assert_eq(fake.self.class_->ops->start(&fake.self, &error), -ENOTCONN);
    cr_assert_not_null(strstr(error.text, "no board tells"), "%s", error.text);
    end();
}

Test(referee_glue, refuses_to_expect_a_silence_that_it_cannot_notice)
{
    prepare();
    fake_set("Expect", "silent");
    error.text[0] = '\0';
    cr_assert_eq(fake.self.class_->check(fake.self.properties, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, "SilentAfter"), "%s", error.text);
    fake_set("SilentAfter", "1");
    cr_assert_eq(fake.self.class_->check(fake.self.properties, &error), 0);
}

Test(referee_glue, counts_ticks_that_did_not_arrive)
{
    prepare();
    begin();
    arrive(3);
    car.next = car.n = 7;
    arrive(2);
    cr_assert_eq(fake_export("lost"), 4.0);
    cr_assert_eq(fake_export("tick"), 8.0);
    end();
}

Test(referee_glue, begins_a_new_race_when_it_is_started_again)
{
    prepare();
    car.hit_at = 1;
    begin();
    arrive(2);
    car.next = 0;
    car.hit_at = 2;
    cr_assert_eq(fake.self.class_->ops->start(&fake.self, &error), 0);
    cr_assert_eq(fake_export("rows"), 0.0);
    arrive(4);
    cr_assert_eq(fake.n_verdicts, 2);
    cr_assert_eq(fake_export("rows"), 3.0);
    end();
}

Test(referee_glue, writes_its_log_when_it_stops)
{
    prepare();
    char folder[] = "/tmp/doppel-referee-XXXXXX", path[64], text[256] = "";
    fake.folder = mkdtemp(folder);
    cr_assert_not_null(fake.folder);
    begin();
    arrive(2);
    cr_assert_eq(fake.self.class_->ops->stop(&fake.self), 0);
    snprintf(path, sizeof path, "%s/log.csv", folder);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    cr_assert_gt(fread(text, 1, sizeof text - 1, file), 0);
    fclose(file);
    unlink(path);
    rmdir(folder);
    cr_assert_str_eq(text, "tick,x,y,vel,dir,s0,s1\n0,0,0,0,0,500,MAX\n1,0,1,0,0,500,MAX\n");
    end();
}

Test(referee_glue, says_when_its_log_cannot_be_written)
{
    prepare();
    begin();
    cr_assert_eq(fake.self.class_->ops->stop(&fake.self), 0);
    fake.folder = "/nonexistent";
    cr_assert_eq(fake.self.class_->ops->stop(&fake.self), -ENOENT);
    end();
}
