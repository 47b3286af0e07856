/* SPDX-License-Identifier: Apache-2.0 */
/* Car with fakes for the runtime: what its actuators are told, tick by tick. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/msg/geometry.h>
#include <doppel/msg/race.h>
#include <doppel/msg/track.h>
#include <doppel/output.h>
#include <doppel/plugin.h>

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

/* ---- the runtime, as far as the component meets it ---- */

static struct {
    Doppel__Actuation value[PORT_RIGHT + 1];
    struct dpl_message message[PORT_RIGHT + 1];
    bool told[PORT_RIGHT + 1];
    bool right_is_connected, state_is_full;
    int track_error;
    uint64_t seed;

    Doppel__CarState state;
    Doppel__Pose2 pose;
    Doppel__Twist2 twist;
    double state_ranges[CAR_SENSORS_MAX];
    Doppel__Ranges ranges;
    double ranges_ranges[CAR_SENSORS_MAX];
    int n_states, n_ranges, n_shown;
    Doppel__Pose2 shown;
} fake;

const struct dpl_message *dpl_port_latest(struct dpl_component *component, unsigned port)
{
    return fake.told[port] ? &fake.message[port] : NULL;
}

bool dpl_port_is_connected(const struct dpl_component *component, unsigned port)
{
    return port != PORT_RIGHT || fake.right_is_connected;
}

void *dpl_port_loan(struct dpl_component *component, unsigned port)
{
    if (port == PORT_RANGES) {
        doppel__ranges__init(&fake.ranges);
        fake.ranges.ranges = fake.ranges_ranges;
        return &fake.ranges;
    }
    doppel__car_state__init(&fake.state);
    doppel__pose2__init(&fake.pose);
    doppel__twist2__init(&fake.twist);
    fake.state.pose = &fake.pose;
    fake.state.twist = &fake.twist;
    fake.state.ranges = fake.state_ranges;
    return fake.state_is_full ? NULL : &fake.state;
}

int dpl_port_publish(struct dpl_component *component, unsigned port, void *body, dpl_ns stamp)
{
    fake.n_states += port == PORT_STATE;
    fake.n_ranges += port == PORT_RANGES;
    return 0;
}

int dpl_service_call(struct dpl_component *component, unsigned port, unsigned method,
                     const void *request, void *response)
{
    if (method == DPL_TRACK_PLACE_CAR) {
        fake.shown = *(const Doppel__Pose2 *)request;
        fake.n_shown++;
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
    return fake.track_error;
}

uint64_t dpl_component_seed(const struct dpl_component *component)
{
    return fake.seed;
}

bool dpl_component_keeps_results(const struct dpl_component *component)
{
    return true;
}

int dpl_component_open_result(struct dpl_component *component, const char *name,
                              struct dpl_output *output, struct dpl_diag *reterr)
{
    return dpl_output_open(output, "/nonexistent/scene.json", reterr);
}

void dpl_component_log(struct dpl_component *component, enum dpl_log_level level,
                       const char *format, ...)
{
}

/* ---- the component ---- */

static struct car_properties props;
static struct car_state state;
static struct dpl_component self = {.name = "Car", .properties = &props, .state = &state};
static struct dpl_diag error;
static struct dpl_tick now;

static void set(const char *name, const char *text)
{
    const struct dpl_field *field = dpl_field_find(car_property_table, CAR_N_PROPERTIES, name);
    cr_assert_not_null(field, "%s", name);
    struct dpl_field_text value = {.text = text};
    cr_assert_eq(dpl_field_parse(field, &value, &props, &error), 0, "%s", error.text);
}

static void prepare(void)
{
    memset(&fake, 0, sizeof fake);
    memset(&state, 0, sizeof state);
    dpl_fields_set_defaults(car_property_table, CAR_N_PROPERTIES, &props);
    set("MotorLag", "0");
    self.class_ = dpl_plugin.component;
    now = (struct dpl_tick){.period = 100 * DPL_MS};
}

static int begin(void)
{
    const struct dpl_component_ops *ops = self.class_->ops;
    int err = ops->initialize(&self, &error);
    err = err ? err : ops->period_changed(&self, now.period);
    return err ? err : ops->start(&self, &error);
}

static void tell(unsigned port, double value, bool active)
{
    fake.value[port] = (Doppel__Actuation)DOPPEL__ACTUATION__INIT;
    fake.value[port].value = value;
    fake.value[port].active = active;
    fake.message[port] = (struct dpl_message){.stamp = now.now, .body = &fake.value[port]};
    fake.told[port] = true;
}

static void step(void)
{
    cr_assert_eq(self.class_->ops->execute(&self, &now), 0);
    now.cycle++;
    now.now += now.period;
}

Test(car_glue, stands_until_its_motor_is_driven)
{
    prepare();
    cr_assert_eq(begin(), 0, "%s", error.text);
    step();
    cr_assert_eq(fake.n_states, 1);
    cr_assert_not(fake.state.driven);
    tell(PORT_LEFT, 0.5, false);
    step();
    cr_assert_not(fake.state.driven);
    NEAR(fake.pose.y, 0.0, 0.0);
    tell(PORT_LEFT, 0.5, true);
    step();
    cr_assert(fake.state.driven);
    cr_assert_eq(fake.state.tick, 2);
    NEAR(fake.pose.y, 0.05, 1e-12);
    cr_assert_eq(state.undriven, 2);
}

Test(car_glue, stops_when_its_controller_falls_silent)
{
    prepare();
    begin();
    tell(PORT_LEFT, 0.5, true);
    step();
    tell(PORT_LEFT, 0.5, false);
    step();
    cr_assert_not(fake.state.driven);
    NEAR(fake.pose.y, 0.05, 1e-12);
    cr_assert_eq(fake.state.velocity_mm_s, 0);
}

Test(car_glue, stops_when_the_actuator_itself_is_dead)
{
    prepare();
    begin();
    tell(PORT_LEFT, 0.1, true);
    for (int i = 0; i < 6; i++) {
        step();
        cr_assert(fake.state.driven, "%d", i);
    }
    double y = fake.pose.y;
    step(); /* 0.6 s after its last word */
    cr_assert_not(fake.state.driven);
    NEAR(fake.pose.y, y, 0.0);
    tell(PORT_LEFT, 0.1, true);
    step();
    cr_assert(fake.state.driven);
}

Test(car_glue, takes_no_command_that_is_no_number)
{
    prepare();
    begin();
    tell(PORT_LEFT, (double)NAN, true);
    step();
    cr_assert_not(fake.state.driven);
    NEAR(fake.pose.y, 0.0, 0.0);
}

Test(car_glue, drives_two_wheels_and_lets_the_one_that_is_not_driven_stand)
{
    prepare();
    fake.right_is_connected = true;
    begin();
    tell(PORT_LEFT, 0.3, true);
    tell(PORT_RIGHT, 0.5, true);
    step();
    NEAR(fake.twist.linear, 0.4, 1e-12);
    NEAR(fake.twist.angular, 0.2 / 0.16, 1e-9);
    tell(PORT_RIGHT, 0.5, false);
    step();
    cr_assert(fake.state.driven);
    NEAR(fake.twist.linear, 0.15, 1e-12);
}

Test(car_glue, steers_and_has_one_motor_as_ackermann)
{
    prepare();
    set("Model", "ackermann");
    set("SteeringLag", "0");
    fake.right_is_connected = true;
    begin();
    tell(PORT_LEFT, 0.4, true);
    tell(PORT_RIGHT, -9.0, true);
    tell(PORT_STEERING, 0.2, true);
    step();
    NEAR(fake.twist.linear, 0.4, 1e-12);
    NEAR(fake.twist.angular, 0.4 * tan(0.2) / 0.2, 1e-9);
}

Test(car_glue, runs_on_its_battery)
{
    prepare();
    set("Battery", "0.5");
    begin();
    tell(PORT_LEFT, 0.4, true);
    step();
    NEAR(fake.twist.linear, 0.2, 1e-12);
}

Test(car_glue, stands_still_while_the_application_halts_even_with_a_script)
{
    prepare();
    set("Script", "0 90 500");
    begin();
    step();
    NEAR(fake.pose.y, 0.05, 1e-12);
    now.halt = 1;
    step();
    NEAR(fake.pose.y, 0.05, 1e-12);
    cr_assert_not(fake.state.driven);
}

Test(car_glue, says_how_its_race_ended_and_then_nothing_more)
{
    prepare();
    set("Script", "0 90 10000");
    begin();
    step();
    step();
    cr_assert_eq(fake.state.outcome, DOPPEL__CAR_OUTCOME__CAR_FINISHED);
    NEAR(fake.state.outcome_y, 2.0, 1e-9);
    NEAR(fake.shown.y, 2.0, 1e-9);
    int n = fake.n_states;
    step();
    cr_assert_eq(fake.n_states, n);
    cr_assert_eq(state.ticks, 2);
}

Test(car_glue, begins_a_new_race_when_it_is_started_again)
{
    prepare();
    set("Script", "0 90 10000");
    begin();
    step();
    step();
    cr_assert(state.over);
    cr_assert_eq(self.class_->ops->start(&self, &error), 0);
    step();
    cr_assert_eq(fake.state.tick, 0);
    NEAR(fake.pose.y, 1.0, 1e-9);
}

Test(car_glue, tells_what_sensors_see_after_the_move_and_in_its_row_before_it)
{
    prepare();
    set("SensorOffsets", "0 90");
    set("Script", "0 0 500; 1 45 500");
    begin();
    step();
    NEAR(fake.ranges_ranges[0], 0.95, 1e-9);
    NEAR(fake.state_ranges[0], 1.0, 1e-9);
    cr_assert(isinf(fake.ranges_ranges[1]));
    cr_assert_eq(fake.ranges.n_ranges, 2);
    cr_assert_eq(fake.state.n_ranges, 2);
    step();
    NEAR(fake.state_ranges[0], 0.95, 1e-9);
    cr_assert_eq(fake.state.heading_deg, 45);
}

Test(car_glue, goes_on_when_a_message_finds_no_room)
{
    prepare();
    begin();
    fake.state_is_full = true;
    tell(PORT_LEFT, 0.5, true);
    step();
    fake.state_is_full = false;
    step();
    cr_assert_eq(fake.state.tick, 1);
    cr_assert_eq(fake.n_ranges, 2);
}

Test(car_glue, varies_by_seed_and_name_within_its_spreads)
{
    double x[3];
    for (uint64_t i = 0; i < 3; i++) {
        prepare();
        set("Vary", "true");
        fake.seed = i < 2 ? i : 0;
        self.name = i < 2 ? "Car" : "Car2";
        begin();
        x[i] = state.start_x_mm;
        cr_assert_leq(fabs(x[i]), 30.0);
        cr_assert_leq(fabs(state.start_heading_deg - 90.0), 5.0);
    }
    cr_assert(x[0] != x[1] && x[0] != x[2]);
}

Test(car_glue, does_not_start_without_a_track_or_a_period)
{
    prepare();
    fake.track_error = -ENODEV;
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
    cr_assert_eq(self.class_->ops->stop(&self), -ENOENT);
}
