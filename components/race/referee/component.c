/* SPDX-License-Identifier: Apache-2.0 */
/* Referee: observes a car, stores the rows of its race, measures the driving and gives the verdict.
 * Memory for the rows is allocated in initialize; log.csv is written at the stop. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/drv/pins_client.h>
#include <doppel/msg/device.h>
#include <doppel/msg/pins.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/race.h>
#include <doppel/output.h>
#include <doppel/plugin.h>

#include "judge.h"
#include "measure.h"

#define TICKS_MAX 100000

enum port {
    PORT_CAR,
    PORT_BOARD,
};

struct properties {
    int expect; /* enum judge_verdict - 1 */
    int64_t max_ticks;
    double silent_after_s;
    int keep_to; /* enum measure_side */
    struct measure_limits limits;
    bool show_rows;
    double rows_every_s;
};

struct state {
    struct judge judge;
    struct measure measure;
    struct judge_row *rows; /* max_ticks of them */
    int64_t n;
    int verdict; /* enum judge_verdict */
    bool expected;
    int64_t tick, lost;
    dpl_ns next_shown; /* with ShowRows */
};

static int check(const void *properties, struct dpl_diag *reterr)
{
    const struct properties *props = properties;
    if (props->expect + 1 == JUDGE_SILENT && props->silent_after_s <= 0.0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "Expect=silent needs SilentAfter: without it no controller is silent");
    }
    if (props->limits.max_wrong_side_s >= 0.0 && props->keep_to == MEASURE_ANY_SIDE) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "MaxWrongSide needs KeepTo: without it no side is the wrong one");
    }
    return 0;
}

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    state->rows = calloc((size_t)props->max_ticks, sizeof *state->rows);
    return state->rows
               ? 0
               : dpl_fail(reterr, -ENOMEM, (struct dpl_place){0},
                          "no memory for the log of %lld ticks", (long long)props->max_ticks);
}

/* Each start begins a new race. */
static int start(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    if (props->limits.max_refused >= 0 && !dpl_port_is_connected(self, PORT_BOARD)) {
        return dpl_fail(reterr, -ENOTCONN, (struct dpl_place){0},
                        "MaxRefused: no board tells how many calls it refused; connect the port "
                        "PinsService with the controller's board");
    }
    state->judge = (struct judge){
        .max_ticks = (uint32_t)props->max_ticks,
        .silent_after = dpl_ns_from_s(props->silent_after_s),
    };
    measure_begin(&state->measure, (enum measure_side)props->keep_to);
    state->n = state->tick = state->lost = state->next_shown = 0;
    state->verdict = JUDGE_NONE;
    state->expected = false;
    return 0;
}

static struct judge_tick read_tick(const struct dpl_message *message)
{
    static const enum judge_verdict outcome[] = {
        [DOPPEL__CAR_OUTCOME__CAR_DRIVES] = JUDGE_NONE,
        [DOPPEL__CAR_OUTCOME__CAR_FINISHED] = JUDGE_FINISHED,
        [DOPPEL__CAR_OUTCOME__CAR_HIT] = JUDGE_HIT,
    };
    const Doppel__CarState *car = message->body;
    struct judge_tick tick = {
        .row = {car->tick, car->x_mm, car->y_mm, car->velocity_mm_s, car->heading_deg},
        .at = message->stamp,
        .outcome = (size_t)car->outcome < DPL_COUNT(outcome) ? outcome[car->outcome] : JUDGE_NONE,
        .end_x_m = car->pose->x,
        .end_y_m = car->pose->y,
        .driven = car->driven,
        .no_finish = car->no_finish,
    };
    if (tick.outcome != JUDGE_NONE) {
        tick.end_x_m = car->outcome_x;
        tick.end_y_m = car->outcome_y;
    }
    tick.row.n_ranges = car->n_ranges < JUDGE_RANGES_MAX ? car->n_ranges : JUDGE_RANGES_MAX;
    for (size_t i = 0; i < tick.row.n_ranges; i++) {
        tick.row.ranges_m[i] = car->ranges[i];
    }
    return tick;
}

static void measure(struct state *state, const struct dpl_message *message, bool ends)
{
    const Doppel__CarState *car = message->body;
    struct measure_tick tick = {
        .at = message->stamp,
        .pose = dpl_pose2_get(car->pose),
        .from_x = (double)car->x_mm / 1e3,
        .from_y = (double)car->y_mm / 1e3,
        .clearance_m = car->clearance,
        .left_m = car->left,
        .right_m = car->right,
        .ends = ends,
    };
    measure_add(&state->measure, &tick);
}

/* Reads the number of calls that the controller's board refused, if the board is connected. */
static void ask_board(struct dpl_component *self)
{
    struct state *state = self->state;
    Doppel__ErrorState answer;
    doppel__error_state__init(&answer);
    if (dpl_port_is_connected(self, PORT_BOARD) &&
        dpl_pins_call_get_error(self, PORT_BOARD, &answer) == 0) {
        state->measure.refused = answer.refused;
    }
}

static void add_measure(struct dpl_verdict *verdict, const char *name, const char *unit,
                        double value)
{
    struct dpl_measure *measure = &verdict->measures[verdict->n_measures++];
    snprintf(measure->name, sizeof measure->name, "%s", name);
    snprintf(measure->unit, sizeof measure->unit, "%s", unit);
    measure->value = value;
}

static void add_measures(const struct state *state, struct dpl_verdict *verdict)
{
    const struct measure *m = &state->measure;
    add_measure(verdict, "time", "s", state->judge.time_s);
    if (isfinite(m->clearance_m)) {
        add_measure(verdict, "clearance", "m", m->clearance_m);
    }
    add_measure(verdict, "path", "m", m->path_m);
    add_measure(verdict, "roughness", "rad/s^2", m->roughness);
    if (m->keep_to != MEASURE_ANY_SIDE) {
        add_measure(verdict, "wrong_side", "s", m->wrong_side_s);
    }
    if (m->refused >= 0) {
        add_measure(verdict, "refused", "", (double)m->refused);
    }
}

/* After a race with the expected end, checks the limits of the measures too. */
static bool within_limits(struct dpl_component *self, char *ret_text, size_t size)
{
    const struct properties *props = self->properties;
    const struct state *state = self->state;
    int expected = props->expect + 1;
    bool asked = (state->verdict == JUDGE_FINISHED || state->verdict == JUDGE_TIMEOUT) &&
                 (expected == state->verdict || expected == JUDGE_LIMIT);
    return !asked || measure_holds(&state->measure, &props->limits, ret_text, size);
}

static void give_verdict(struct dpl_component *self)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    struct dpl_verdict verdict = {0};
    state->verdict = (int)state->judge.verdict;
    ask_board(self);
    judge_sentence(&state->judge, verdict.text, sizeof verdict.text);
    size_t n = strlen(verdict.text);
    if (!within_limits(self, verdict.text + n, sizeof verdict.text - n)) {
        state->verdict = JUDGE_LIMIT;
    }
    state->expected = verdict.expected = state->verdict == props->expect + 1;
    const char *word = judge_word((enum judge_verdict)state->verdict);
    memcpy(verdict.name, word, strlen(word) + 1);
    add_measures(state, &verdict);
    dpl_component_give_verdict(self, &verdict);
}

static void show_row(struct dpl_component *self, const struct judge_tick *tick)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    if (!props->show_rows || tick->at < state->next_shown) {
        return;
    }
    state->next_shown = tick->at + dpl_ns_from_s(props->rows_every_s);
    char text[JUDGE_ROW_TEXT_MAX];
    judge_format_row(&tick->row, text, sizeof text);
    dpl_component_log(self, DPL_LOG_INFO, "%s", text);
}

static int execute(struct dpl_component *self, const struct dpl_tick *now)
{
    (void)now;
    const struct properties *props = self->properties;
    struct state *state = self->state;
    const struct dpl_message *message;
    while (state->verdict == JUDGE_NONE && (message = dpl_port_take(self, PORT_CAR))) {
        struct judge_tick tick = read_tick(message);
        state->lost += (int64_t)tick.row.tick - (state->n > 0 ? state->tick + 1 : 0);
        state->tick = tick.row.tick;
        show_row(self, &tick);
        if (state->n < props->max_ticks) {
            state->rows[state->n++] = tick.row;
        }
        measure(state, message, tick.outcome != JUDGE_NONE);
        if (judge_step(&state->judge, &tick) != JUDGE_NONE) {
            give_verdict(self);
        }
    }
    return 0;
}

static int stop(struct dpl_component *self)
{
    const struct state *state = self->state;
    if (!dpl_component_keeps_results(self)) {
        return 0;
    }
    struct dpl_output output;
    struct dpl_diag error = {0};
    int err = dpl_component_open_result(self, "log.csv", &output, &error);
    if (err == 0) {
        judge_write_header(output.stream, state->n > 0 ? state->rows[0].n_ranges : 0);
        for (int64_t i = 0; i < state->n; i++) {
            judge_write_row(output.stream, &state->rows[i]);
        }
        err = dpl_output_close(&output, &error);
    }
    if (err < 0) {
        dpl_component_log(self, DPL_LOG_ERROR, "%s", error.text);
    }
    return err;
}

static void destroy(struct dpl_component *self)
{
    struct state *state = self->state;
    free(state->rows);
    state->rows = NULL;
}

static const struct dpl_port_desc ports[] = {
    [PORT_CAR] =
        {
            .name = "car",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__car_state__descriptor,
            .policy = DPL_QUEUE_FIFO,
            .depth = 64,
            .required = true,
            .summary = "each tick of the car",
        },
    [PORT_BOARD] =
        {
            .name = "PinsService",
            .aliases = "Pins",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__pins_service__descriptor,
            .summary = "the controller's board, which is asked how many calls it refused",
        },
};

static const struct dpl_field properties[] = {
    DPL_CHOICE(struct properties, expect, "Expect", "finished", "finished|hit|timeout|silent|limit",
               "the bench passes with this verdict"),
    DPL_INT(struct properties, max_ticks, "MaxTicks", "100", 1, TICKS_MAX,
            "the race ends after this number of ticks; the memory for their log is allocated at "
            "the start"),
    DPL_NUMBER(struct properties, silent_after_s, "SilentAfter", "s", "0", 0, 3600,
               "a controller that does not drive for this long is silent; 0: never"),
    DPL_NUMBER(struct properties, limits.min_clearance_m, "MinClearance", "m", "0", 0, 1000,
               "smallest distance to a wall; less breaks the limit; 0: no limit. Limits apply to "
               "races that finish or run out of time, as Expect says"),
    DPL_NUMBER(struct properties, limits.max_path_m, "MaxPath", "m", "0", 0, 1e6,
               "longest path; more breaks the limit; 0: no limit"),
    DPL_NUMBER(struct properties, limits.max_roughness, "MaxRoughness", "rad/s^2", "0", 0, 1e6,
               "largest effective yaw acceleration; more breaks the limit; 0: no limit"),
    DPL_CHOICE(struct properties, keep_to, "KeepTo", "any", "any|left|right",
               "the side of the lane on which it should drive"),
    DPL_NUMBER(struct properties, limits.max_wrong_side_s, "MaxWrongSide", "s", "-1", -1, 1e6,
               "longest time on the other side; more breaks the limit; below 0: no limit"),
    DPL_INT(struct properties, limits.max_refused, "MaxRefused", "-1", -1, INT32_MAX,
            "largest number of calls that the controller's board refuses; more breaks the limit; "
            "below 0: no limit"),
    DPL_BOOL(struct properties, show_rows, "ShowRows", "false",
             "rows of the log are shown while it runs (doppel bench sets it for one run)"),
    DPL_NUMBER(struct properties, rows_every_s, "RowsEvery", "s", "0.1", 0, 3600,
               "how often at most"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_CHOICE(struct state, verdict, "verdict", "none|finished|hit|timeout|silent|limit",
                      DPL_FIELD_SUMMARY | DPL_FIELD_STATUS, "how the race ended"),
    DPL_EXPORT_BOOL(struct state, expected, "expected", DPL_FIELD_SUMMARY,
                    "the verdict is what Expect says"),
    DPL_EXPORT_INT(struct state, tick, "tick", NULL, DPL_FIELD_SUMMARY | DPL_FIELD_STATUS,
                   "of the car, of the verdict"),
    DPL_EXPORT_NUMBER(struct state, judge.time_s, "time", "s", DPL_FIELD_SUMMARY,
                      "of that tick, since the first"),
    DPL_EXPORT_NUMBER(struct state, judge.x_mm, "x_mm", "mm", DPL_FIELD_SUMMARY,
                      "of the car at the verdict"),
    DPL_EXPORT_NUMBER(struct state, judge.y_mm, "y_mm", "mm", DPL_FIELD_SUMMARY,
                      "of the car at the verdict"),
    DPL_EXPORT_NUMBER(struct state, measure.clearance_m, "clearance", "m", DPL_FIELD_SUMMARY,
                      "smallest distance of the outline from a wall"),
    DPL_EXPORT_NUMBER(struct state, measure.path_m, "path", "m", DPL_FIELD_SUMMARY,
                      "length of the path"),
    DPL_EXPORT_NUMBER(struct state, measure.roughness, "roughness", "rad/s^2", DPL_FIELD_SUMMARY,
                      "effective yaw acceleration"),
    DPL_EXPORT_NUMBER(struct state, measure.wrong_side_s, "wrong_side", "s", DPL_FIELD_SUMMARY,
                      "time on the side that is not KeepTo"),
    DPL_EXPORT_INT(struct state, measure.refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "calls that the controller's board refused; -1: not counted"),
    DPL_EXPORT_INT(struct state, n, "rows", NULL, DPL_FIELD_SUMMARY, "of the log"),
    DPL_EXPORT_INT(struct state, lost, "lost", NULL, DPL_FIELD_SUMMARY,
                   "ticks of the car that were not received"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .start = start,
    .execute = execute,
    .stop = stop,
    .destroy = destroy,
};

static const struct dpl_component_class class = {
    .name = "Referee",
    .summary = "watches a car's race, logs it and gives the verdict",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .default_period = 100 * DPL_MS,
    .check = check,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
