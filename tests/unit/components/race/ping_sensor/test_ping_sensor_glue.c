/* SPDX-License-Identifier: Apache-2.0 */
/* PingSensor over a board that has no timed outputs (any real one): its echo is made edge by edge,
 * by the cycles that are due. The board is a fake that writes down what it is told. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/msg/pins.h>
#include <doppel/msg/race.h>
#include <doppel/plugin.h>

static struct dpl_component self;
static char told[512]; /* what the board was told, in order */
static dpl_ns now, pending[4];
static size_t n_pending;
static double range_m;
static size_t n_ranges = 1;

int dpl_service_call(struct dpl_component *component, unsigned port, unsigned method,
                     const void *request, void *response)
{
    (void)component;
    (void)port;
    size_t used = strlen(told);
    if (method == DPL_PINS_SET_MODE) {
        bool out = ((const Doppel__PinSetup *)request)->mode == DOPPEL__PIN_MODE__PIN_OUTPUT;
        snprintf(told + used, sizeof told - used, "%s ", out ? "out" : "in");
    } else if (method == DPL_PINS_WRITE_DIGITAL) {
        const Doppel__PinLevel *level = request;
        if (level->at_ns > now) {
            return -ENOTSUP;
        }
        snprintf(told + used, sizeof told - used, "%s@%lld ", level->level ? "high" : "low",
                 (long long)now);
    } else if (method == DPL_PINS_READ_EDGES) {
        Doppel__PinEdges *edges = response;
        cr_assert_geq(edges->n_at_ns, n_pending);
        for (size_t i = 0; i < n_pending; i++) {
            edges->at_ns[i] = pending[i];
            edges->level[i] = i % 2 == 0;
        }
        edges->n_at_ns = edges->n_level = n_pending;
        n_pending = 0;
    }
    return 0;
}

const struct dpl_message *dpl_port_latest(struct dpl_component *component, unsigned port)
{
    (void)component;
    (void)port;
    static Doppel__Ranges ranges;
    static struct dpl_message message;
    doppel__ranges__init(&ranges);
    ranges.ranges = &range_m;
    ranges.n_ranges = n_ranges;
    message.body = &ranges;
    return &message;
}

static struct dpl_verdict verdict;

void dpl_component_give_verdict(struct dpl_component *component, const struct dpl_verdict *given)
{
    (void)component;
    verdict = *given;
}

uint64_t dpl_component_seed(const struct dpl_component *component)
{
    (void)component;
    return 1;
}

dpl_ns dpl_component_now(const struct dpl_component *component)
{
    (void)component;
    return now;
}

bool dpl_component_clock_is_simulated(const struct dpl_component *component)
{
    (void)component;
    return false;
}

static void begin(void)
{
    const struct dpl_component_class *class = dpl_plugin.component;
    void *properties = calloc(1, class->properties_size);
    self = (struct dpl_component){.name = "Ping",
                                  .class_ = class,
                                  .properties = properties,
                                  .state = calloc(1, class->state_size)};
    cr_assert(properties && self.state);
    for (size_t i = 0; i < class->n_properties; i++) {
        if (class->properties[i].default_text) {
            dpl_fields_set_defaults(&class->properties[i], 1, properties);
        }
    }
    struct dpl_diag error = {0};
    cr_assert_eq(class->ops->initialize(&self, &error), 0);
    cr_assert_eq(class->ops->start(&self, &error), 0, "%s", error.text);
    told[0] = '\0';
    n_pending = 0;
    range_m = 0.1; /* 577.5 us */
}

static void cycle(dpl_ns at)
{
    now = at;
    struct dpl_tick tick = {.now = at, .period = 100 * DPL_US};
    cr_assert_eq(self.class_->ops->execute(&self, &tick), 0);
}

static void trigger(dpl_ns at)
{
    pending[0] = at;
    pending[1] = at + 5000;
    n_pending = 2;
}

TestSuite(ping_sensor_glue, .init = begin);

Test(ping_sensor_glue, makes_its_echo_edge_by_edge_where_the_board_has_no_timed_outputs)
{
    trigger(1000);
    cycle(100000);
    cr_assert_str_eq(told, "out in ", "%s", told);
    cycle(700000);
    cr_assert_str_eq(told, "out in ", "%s", told);
    cycle(800000);
    cr_assert_str_eq(told, "out in out high@800000 ", "%s", told);
    cycle(1377499); /* 577.5 us after the edge that came late */
    cr_assert_str_eq(told, "out in out high@800000 ", "%s", told);
    cycle(1377500);
    cr_assert_str_eq(told, "out in out high@800000 low@1377500 in ", "%s", told);
}

Test(ping_sensor_glue, does_not_ask_for_timed_outputs_again)
{
    trigger(1000);
    cycle(800000); /* the rise is late and can be now, the fall cannot */
    cr_assert_str_eq(told, "out high@800000 ", "%s", told);
    cycle(3000000);
    cr_assert_str_eq(told, "out high@800000 low@3000000 in ", "%s", told);
    told[0] = '\0';
    trigger(4000000);
    cycle(4000100);
    cr_assert_str_eq(told, "", "%s", told);
    cycle(4750000);
    cr_assert_str_eq(told, "out high@4750000 ", "%s", told);
}

Test(ping_sensor_glue, makes_no_edge_where_nothing_is_in_range)
{
    range_m = 11.0;
    trigger(1000);
    cycle(100000);
    cycle(10000000);
    cr_assert_str_eq(told, "", "%s", told);
}

Test(ping_sensor_glue, ends_the_run_when_the_car_has_no_such_sensor)
{
    cycle(100);
    cr_assert_str_eq(verdict.name, "");
    n_ranges = 0;
    cycle(200);
    cr_assert_str_eq(verdict.name, "fault");
    cr_assert_not(verdict.expected);
    cr_assert_str_eq(verdict.text, "Ping: Sensor is 0, but the car has 0 sensors");
}
