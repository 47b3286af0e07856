/* SPDX-License-Identifier: Apache-2.0 */
/* Car: a car on a track. Each cycle is a tick of the bench: it reads its actuators, stores its row,
 * moves, checks for walls and the finish, and publishes the ranges of its sensors. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/math/random.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/race.h>
#include <doppel/msg/track.h>
#include <doppel/output.h>
#include <doppel/plugin.h>

#include "car_scene.h"
#include "service.h"
#include "tables.h"

enum port {
    PORT_TRACK,
    PORT_STEERING,
    PORT_LEFT,
    PORT_RIGHT,
    PORT_STATE,
    PORT_RANGES,
};

/* ---- preparing a race ---------------------------------------------------------------------- */

static int check(const void *properties, struct dpl_diag *reterr)
{
    struct car_config config;
    return car_config_from(properties, &config, reterr);
}

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct car_properties *props = self->properties;
    struct car_state *state = self->state;
    struct car_text_error bad;
    int err = car_script_parse(&state->script, props->script, &bad); /* checked when loading */
    return err < 0 ? err : car_config_from(props, &state->car.config, reterr);
}

static int period_changed(struct dpl_component *self, dpl_ns period)
{
    struct car_state *state = self->state;
    state->period = period;
    return 0;
}

static int choose_start(const struct car_properties *props, const struct car_track *track,
                        struct dpl_pose2 *ret_start, struct dpl_diag *reterr)
{
    double value[3];
    size_t n;
    int err = car_start_from(props, value, &n);
    if (err < 0) {
        return err;
    }
    if (n == 0 && track->has_start) {
        *ret_start = track->start;
        return 0;
    }
    if (n == 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "the track has no start: set Start to \"x y\" in mm");
    }
    *ret_start = (struct dpl_pose2){value[0] / 1000.0, value[1] / 1000.0, dpl_deg_to_rad(value[2])};
    return 0;
}

/* The random stream depends on the name, so that two cars of a run vary independently. */
static void vary(struct dpl_component *self, struct dpl_pose2 *start)
{
    const struct car_properties *props = self->properties;
    struct car_state *state = self->state;
    state->battery = props->battery;
    if (!props->vary) {
        return;
    }
    struct dpl_random rng = dpl_random_named(dpl_component_seed(self), self->name);
    double heading = dpl_deg_to_rad(props->spread_heading_deg);
    start->x += dpl_random_uniform(&rng, -1.0, 1.0) * props->spread_x_m;
    start->y += dpl_random_uniform(&rng, -1.0, 1.0) * props->spread_y_m;
    start->theta += dpl_random_uniform(&rng, -1.0, 1.0) * heading;
    state->battery += dpl_random_uniform(&rng, -1.0, 1.0) * props->spread_battery;
    state->battery = fmax(state->battery, 0.0);
}

static int fail_paper(const struct car_config *config, size_t wall, struct dpl_diag *reterr)
{
    const struct car_surroundings *around = &config->around;
    if (wall > around->n_walls) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "the paper model needs a period of 1 ms to 60 s; it is %g ms",
                        config->tick * 1e3);
    }
    bool finish = wall == around->n_walls;
    const struct car_segment *s = finish ? &around->finish : &around->walls[wall];
    char which[32] = "the finish";
    if (!finish) {
        snprintf(which, sizeof which, "wall %zu", wall + 1);
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                    "the paper model knows only walls parallel to an axis, within 1000 km; %s runs "
                    "from (%g, %g) to (%g, %g) mm",
                    which, s->a.x * 1e3, s->a.y * 1e3, s->b.x * 1e3, s->b.y * 1e3);
}

static void update_trace(struct car_state *state)
{
    struct dpl_pose2 pose = car_pose(&state->car);
    state->x_m = pose.x;
    state->y_m = pose.y;
    state->heading_deg = dpl_rad_to_deg(pose.theta);
    state->velocity_m_s = car_twist(&state->car).linear;
}

/* The sensors at the start use the heading of the script's first row. */
static void place(struct car_state *state, struct dpl_pose2 start)
{
    const struct car_script_row *row = car_script_at(&state->script, 0);
    if (row) {
        start.theta = dpl_deg_to_rad(row->heading_deg);
    }
    car_place(&state->car, start);
    state->next_tick = 0;
    state->over = false;
    state->outcome = DPL_CAR_DRIVES;
    state->ticks = state->undriven = 0;
    update_trace(state);
    state->start_x_mm = state->x_m * 1e3;
    state->start_y_mm = state->y_m * 1e3;
    state->start_heading_deg = state->heading_deg;
}

/* Each start begins a new race. */
static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    struct car_state *state = self->state;
    if (state->period <= 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "a car moves by its period: its execution must be periodic");
    }
    struct car_track track;
    int err = car_track_ask(self, PORT_TRACK, &track, reterr);
    if (err < 0) {
        return err;
    }
    struct car_config config = state->car.config;
    config.tick = dpl_ns_to_s(state->period);
    config.around = track.around;
    struct dpl_pose2 pose;
    err = choose_start(self->properties, &track, &pose, reterr);
    if (err < 0) {
        return err;
    }
    size_t wall;
    if (car_init(&state->car, &config, &wall) < 0) {
        return fail_paper(&config, wall, reterr);
    }
    vary(self, &pose);
    place(state, pose);
    car_track_show(self, PORT_TRACK, car_pose(&state->car));
    return 0;
}

/* ---- a tick --------------------------------------------------------------------------------- */

/* The newest value of an actuator; NULL: there is none, or its controller has become silent, or the
 * sender has failed. */
static const Doppel__Actuation *actuation(struct dpl_component *self, unsigned port)
{
    const struct car_properties *props = self->properties;
    const struct car_state *state = self->state;
    const struct dpl_message *message = dpl_port_latest(self, port);
    const Doppel__Actuation *newest = message ? message->body : NULL;
    if (!newest || !newest->active || !isfinite(newest->value)) {
        return NULL;
    }
    bool is_old = state->now - message->stamp > dpl_ns_from_s(props->silent_after_s);
    return is_old ? NULL : newest;
}

static double value_of(const Doppel__Actuation *actuation, double fallback)
{
    return actuation ? actuation->value : fallback;
}

/* A car with one motor drives as soon as a command for it arrives. A car with two motors drives as
 * soon as a command for either arrives, and the other motor stands, as with a loose cable. If the
 * right motor is not connected, it uses the command of the left. */
static void read_motors(struct dpl_component *self, struct car_command *command)
{
    const struct car_state *state = self->state;
    const Doppel__Actuation *left = actuation(self, PORT_LEFT);
    bool two = dpl_port_is_connected(self, PORT_RIGHT) &&
               state->car.config.model == CAR_MODEL_DIFFERENTIAL;
    const Doppel__Actuation *right = two ? actuation(self, PORT_RIGHT) : left;
    command->driven = left || right;
    command->left = state->battery * value_of(left, 0.0);
    command->right = state->battery * value_of(right, 0.0);
    command->steering = value_of(actuation(self, PORT_STEERING), 0.0);
}

static struct car_command read_command(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct car_state *state = self->state;
    struct car_command command = {0};
    if (tick->halt) {
        return command;
    }
    if (state->script.n > 0) {
        const struct car_script_row *row = car_script_at(&state->script, state->next_tick);
        command.scripted = row != NULL;
        command.heading_deg = row ? row->heading_deg : 0.0;
        command.velocity_mm_s = row ? row->velocity_mm_s : 0.0;
        command.driven = true;
        return command;
    }
    read_motors(self, &command);
    return command;
}

static void fill_row(Doppel__CarState *message, const struct car_row *row)
{
    message->x_mm = row->x_mm;
    message->y_mm = row->y_mm;
    message->velocity_mm_s = row->velocity_mm_s;
    message->heading_deg = row->heading_deg;
    for (size_t i = 0; i < row->n_ranges; i++) {
        message->ranges[i] = row->ranges[i];
    }
    message->n_ranges = row->n_ranges;
}

static void publish_state(struct dpl_component *self, const struct car_row *row, bool driven,
                          dpl_ns now)
{
    const struct car_state *state = self->state;
    Doppel__CarState *message = dpl_port_loan(self, PORT_STATE);
    if (!message) {
        return;
    }
    struct dpl_pose2 pose = car_pose(&state->car);
    struct car_room room = car_room(&state->car);
    dpl_pose2_set(message->pose, pose);
    dpl_twist2_set(message->twist, car_twist(&state->car));
    message->tick = state->next_tick;
    fill_row(message, row);
    message->outcome = (Doppel__CarOutcome)state->outcome;
    message->outcome_x = state->outcome == DPL_CAR_DRIVES ? 0.0 : pose.x;
    message->outcome_y = state->outcome == DPL_CAR_DRIVES ? 0.0 : pose.y;
    message->driven = driven;
    message->no_finish = !state->car.config.around.has_finish;
    message->clearance = room.clearance;
    message->left = room.left;
    message->right = room.right;
    dpl_port_publish(self, PORT_STATE, message, now);
}

static void publish_ranges(struct dpl_component *self, dpl_ns now)
{
    const struct car_state *state = self->state;
    Doppel__Ranges *message = dpl_port_loan(self, PORT_RANGES);
    if (message) {
        message->n_ranges = car_ranges(&state->car, message->ranges);
        dpl_port_publish(self, PORT_RANGES, message, now);
    }
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    struct car_state *state = self->state;
    if (state->over) {
        return 0;
    }
    state->now = tick->now;
    struct car_command command = read_command(self, tick);
    struct car_row row;
    car_command(&state->car, &command);
    car_row(&state->car, &row);
    state->outcome = (int)car_move(&state->car);
    state->over = state->outcome != DPL_CAR_DRIVES;
    state->undriven += !command.driven;
    update_trace(state);
    publish_state(self, &row, command.driven, tick->now);
    publish_ranges(self, tick->now);
    car_track_show(self, PORT_TRACK, car_pose(&state->car));
    state->next_tick++;
    state->ticks = state->next_tick;
    return 0;
}

/* Writes the data that a picture of the race needs in addition to the referee's log. */
static int stop(struct dpl_component *self)
{
    if (!dpl_component_keeps_results(self)) {
        return 0;
    }
    struct dpl_output output;
    struct dpl_diag error = {0};
    int err = dpl_component_open_result(self, "scene.json", &output, &error);
    if (err == 0) {
        car_scene_write(&((const struct car_state *)self->state)->car, output.stream);
        err = dpl_output_close(&output, &error);
    }
    if (err < 0) {
        dpl_component_log(self, DPL_LOG_ERROR, "%s", error.text);
    }
    return err;
}

/* ---- tables --------------------------------------------------------------------------------- */

#define ACTUATION(port_, name_, text_)                                                             \
    [port_] = {                                                                                    \
        .name = name_,                                                                             \
        .kind = DPL_PORT_DATA,                                                                     \
        .dir = DPL_PORT_IN,                                                                        \
        .message = &doppel__actuation__descriptor,                                                 \
        .policy = DPL_QUEUE_LAST,                                                                  \
        .summary = text_,                                                                          \
    }

static const struct dpl_port_desc ports[] = {
    [PORT_TRACK] =
        {
            .name = "TrackService",
            .aliases = "Track",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__track_service__descriptor,
            .required = true,
            .summary = "walls, start and finish",
        },
    ACTUATION(PORT_STEERING, "steering",
              "steering servo: rad; the paper's car turns by it in each tick"),
    ACTUATION(PORT_LEFT, "speed_left", "motor, or the left one of two: m/s"),
    ACTUATION(PORT_RIGHT, "speed_right", "right motor: m/s; open: the same as the left one"),
    [PORT_STATE] =
        {
            .name = "state",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__car_state__descriptor,
            .capacity = CAR_SENSORS_MAX,
            .summary = "each tick: the row of the log, and the path of the car",
        },
    [PORT_RANGES] =
        {
            .name = "ranges",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__ranges__descriptor,
            .capacity = CAR_SENSORS_MAX,
            .summary = "each tick: what perfect sensors see after the move",
        },
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .period_changed = period_changed,
    .stop = stop,
};

static const struct dpl_component_class class = {
    .name = "Car",
    .summary = "a car on a track, driven by a script or by its actuators",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = car_property_table,
    .n_properties = CAR_N_PROPERTIES,
    .properties_size = sizeof(struct car_properties),
    .exports = car_export_table,
    .n_exports = CAR_N_EXPORTS,
    .state_size = sizeof(struct car_state),
    .default_period = 100 * DPL_MS,
    .check = check,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
