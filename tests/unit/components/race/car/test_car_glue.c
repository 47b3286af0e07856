/* SPDX-License-Identifier: Apache-2.0 */
/* Car with a fake of the runtime: what its actuators are told, tick by tick. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/msg/geometry.h>
#include <doppel/msg/race.h>
#include <doppel/msg/track.h>

#include "fake_runtime.h"
#include "tables.h"

#define NEAR(value, expected, tolerance)                                                           \
    cr_assert_float_eq(value, expected, tolerance, "%.9g, not %.9g", value, (double)(expected))

/* In the order of the class's ports. */
enum port {
    PORT_TRACK,
    PORT_STEERING,
    PORT_LEFT,
    PORT_RIGHT,
    PORT_STATE,
    PORT_RANGES,
};

static struct car_state *state;
static struct dpl_diag error;
static struct dpl_tick now;

/* ---- the track ---- */

static int track_error, n_shown;
static Doppel__Pose2 shown;

static int answer(unsigned port, unsigned method, const void *request, void *response)
{
    if (method == DPL_TRACK_PLACE_CAR) {
        shown = *(const Doppel__Pose2 *)request;
        n_shown++;
        return -ENODEV;
    }
    Doppel__Track *track = response;
    cr_assert_geq(track->n_walls, 2048);
    memcpy(track->walls, (double[8]){-1, -9, -1, 9, 1, -9, 1, 9}, 8 * sizeof(double));
    track->n_walls = 8;
    memcpy(track->finish, (double[4]){-1, 2, 1, 2}, 4 * sizeof(double));
    track->n_finish = 4;
    track->has_start = true;
    track->start->theta = DPL_PI / 2.0;
    return track_error;
}

/* ---- the component ---- */

static void prepare(void)
{
    fake_begin();
    fake.ports[PORT_RIGHT].is_open = true;
    fake.service = answer;
    fake.folder = "/nonexistent";
    state = fake.self.state;
    track_error = 0;
    fake_set("MotorLag", "0");
    now = (struct dpl_tick){.period = 100 * DPL_MS};
}

static int begin(void)
{
    return fake_start(now.period, &error);
}

static void actuate(unsigned port, double value, bool active)
{
    static Doppel__Actuation told[PORT_RIGHT + 1];
    doppel__actuation__init(&told[port]);
    told[port].value = value;
    told[port].active = active;
    fake_receive(port, &told[port], now.now);
}

static const Doppel__CarState *car(void)
{
    return fake_sent(PORT_STATE);
}

static const Doppel__Ranges *ranges(void)
{
    return fake_sent(PORT_RANGES);
}

static void step(void)
{
    fake_execute(&now);
    now.cycle++;
    now.now += now.period;
}

TestSuite(car_glue, .fini = fake_end);

Test(car_glue, stands_until_its_motor_is_driven)
{
    prepare();
    cr_assert_eq(begin(), 0, "%s", error.text);
    step();
    cr_assert_eq(fake.ports[PORT_STATE].n_sent, 1);
    cr_assert_not(car()->driven);
    actuate(PORT_LEFT, 0.5, false);
    step();
    cr_assert_not(car()->driven);
    NEAR(car()->pose->y, 0.0, 0.0);
    actuate(PORT_LEFT, 0.5, true);
    step();
    cr_assert(car()->driven);
    cr_assert_eq(car()->tick, 2);
    NEAR(car()->pose->y, 0.05, 1e-12);
    cr_assert_eq(state->undriven, 2);
}

Test(car_glue, stops_when_its_controller_falls_silent)
{
    prepare();
    begin();
    actuate(PORT_LEFT, 0.5, true);
    step();
    actuate(PORT_LEFT, 0.5, false);
    step();
    cr_assert_not(car()->driven);
    NEAR(car()->pose->y, 0.05, 1e-12);
    cr_assert_eq(car()->velocity_mm_s, 0);
}

Test(car_glue, stops_when_the_actuator_itself_is_dead)
{
    prepare();
    begin();
    actuate(PORT_LEFT, 0.1, true);
    for (int i = 0; i < 6; i++) {
        step();
        cr_assert(car()->driven, "%d", i);
    }
    double y = car()->pose->y;
    step(); /* 0.6 s after its last word */
    cr_assert_not(car()->driven);
    NEAR(car()->pose->y, y, 0.0);
    actuate(PORT_LEFT, 0.1, true);
    step();
    cr_assert(car()->driven);
}

Test(car_glue, takes_no_command_that_is_no_number)
{
    prepare();
    begin();
    actuate(PORT_LEFT, (double)NAN, true);
    step();
    cr_assert_not(car()->driven);
    NEAR(car()->pose->y, 0.0, 0.0);
}

Test(car_glue, drives_two_wheels_and_lets_the_one_that_is_not_driven_stand)
{
    prepare();
    fake.ports[PORT_RIGHT].is_open = false;
    begin();
    actuate(PORT_LEFT, 0.3, true);
    actuate(PORT_RIGHT, 0.5, true);
    step();
    NEAR(car()->twist->linear, 0.4, 1e-12);
    NEAR(car()->twist->angular, 0.2 / 0.16, 1e-9);
    actuate(PORT_RIGHT, 0.5, false);
    step();
    cr_assert(car()->driven);
    NEAR(car()->twist->linear, 0.15, 1e-12);
}

Test(car_glue, steers_and_has_one_motor_as_ackermann)
{
    prepare();
    fake_set("Model", "ackermann");
    fake_set("SteeringLag", "0");
    fake.ports[PORT_RIGHT].is_open = false;
    begin();
    actuate(PORT_LEFT, 0.4, true);
    actuate(PORT_RIGHT, -9.0, true);
    actuate(PORT_STEERING, 0.2, true);
    step();
    NEAR(car()->twist->linear, 0.4, 1e-12);
    NEAR(car()->twist->angular, 0.4 * tan(0.2) / 0.2, 1e-9);
}

Test(car_glue, runs_on_its_battery)
{
    prepare();
    fake_set("Battery", "0.5");
    begin();
    actuate(PORT_LEFT, 0.4, true);
    step();
    NEAR(car()->twist->linear, 0.2, 1e-12);
}

Test(car_glue, stands_still_while_the_application_halts_even_with_a_script)
{
    prepare();
    fake_set("Script", "0 90 500");
    begin();
    step();
    NEAR(car()->pose->y, 0.05, 1e-12);
    now.halt = 1;
    step();
    NEAR(car()->pose->y, 0.05, 1e-12);
    cr_assert_not(car()->driven);
}

Test(car_glue, says_how_its_race_ended_and_then_nothing_more)
{
    prepare();
    fake_set("Script", "0 90 10000");
    begin();
    step();
    step();
    cr_assert_eq(car()->outcome, DOPPEL__CAR_OUTCOME__CAR_FINISHED);
    NEAR(car()->outcome_y, 2.0, 1e-9);
    NEAR(shown.y, 2.0, 1e-9);
    int n = fake.ports[PORT_STATE].n_sent;
    step();
    cr_assert_eq(fake.ports[PORT_STATE].n_sent, n);
    cr_assert_eq(state->ticks, 2);
}

Test(car_glue, begins_a_new_race_when_it_is_started_again)
{
    prepare();
    fake_set("Script", "0 90 10000");
    begin();
    step();
    step();
    cr_assert(state->over);
    cr_assert_eq(fake.self.class_->ops->start(&fake.self, &error), 0);
    step();
    cr_assert_eq(car()->tick, 0);
    NEAR(car()->pose->y, 1.0, 1e-9);
}

Test(car_glue, tells_what_sensors_see_after_the_move_and_in_its_row_before_it)
{
    prepare();
    fake_set("SensorOffsets", "0 90");
    fake_set("Script", "0 0 500; 1 45 500");
    begin();
    step();
    NEAR(ranges()->ranges[0], 0.95, 1e-9);
    NEAR(car()->ranges[0], 1.0, 1e-9);
    cr_assert(isinf(ranges()->ranges[1]));
    cr_assert_eq(ranges()->n_ranges, 2);
    cr_assert_eq(car()->n_ranges, 2);
    step();
    NEAR(car()->ranges[0], 0.95, 1e-9);
    cr_assert_eq(car()->heading_deg, 45);
}

Test(car_glue, goes_on_when_a_message_finds_no_room)
{
    prepare();
    begin();
    fake.ports[PORT_STATE].is_full = true;
    actuate(PORT_LEFT, 0.5, true);
    step();
    fake.ports[PORT_STATE].is_full = false;
    step();
    cr_assert_eq(car()->tick, 1);
    cr_assert_eq(fake.ports[PORT_RANGES].n_sent, 2);
}

Test(car_glue, varies_by_seed_and_name_within_its_spreads)
{
    double x[3];
    for (uint64_t i = 0; i < 3; i++) {
        prepare();
        fake_set("Vary", "true");
        fake.seed = i < 2 ? i : 0;
        fake.self.name = i < 2 ? "Car" : "Car2";
        begin();
        x[i] = state->start_x_mm;
        cr_assert_leq(fabs(x[i]), 30.0);
        cr_assert_leq(fabs(state->start_heading_deg - 90.0), 5.0);
    }
    cr_assert(x[0] != x[1] && x[0] != x[2]);
}

Test(car_glue, does_not_start_without_a_track_or_a_period)
{
    prepare();
    track_error = -ENODEV;
    cr_assert_eq(begin(), -ENODEV);
    prepare();
    now.period = 0;
    cr_assert_eq(begin(), -EINVAL);
    cr_assert_not_null(strstr(error.text, "periodic"));
}

Test(car_glue, says_when_its_scene_cannot_be_written)
{
    prepare();
    begin();
    cr_assert_eq(fake.self.class_->ops->stop(&fake.self), -ENOENT);
}
