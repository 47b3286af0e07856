/* SPDX-License-Identifier: Apache-2.0 */
/* StateMachine with a fake device: what it reads and puts, what it tells, and that it lets go. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <doppel/drv/channels.h>
#include <doppel/msg/controllers.h>

#include "fake_runtime.h"

enum { TRANSITION, REPORT, UP = 0, MOTOR = 1 };

static char path[] = "/tmp/dpl_machine_XXXXXX";
static char names[DPL_CHANNELS_MAX][DPL_CHANNELS_NAME_MAX];
static double values[DPL_CHANNELS_MAX], put[DPL_CHANNELS_MAX];
static int n_released, get_error, execute_error;
static dpl_ns now;

static int find(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_channels_find *find = in;
    if (strcmp(find->name, "absent") == 0) {
        snprintf(find->reterr->text, sizeof find->reterr->text, "did you mean 'present'?");
        return -ENOENT;
    }
    snprintf(names[find->number], sizeof names[0], "%s", find->name);
    return 0;
}

static int put_value(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_channels_put *from = in;
    put[from->number] = from->value;
    return 0;
}

static int release(struct dpl_device *device, const void *in, void *out)
{
    n_released++;
    put[MOTOR] = (double)NAN;
    return 0;
}

static int execute(struct dpl_device *device, const void *in, void *out)
{
    return execute_error;
}

static int get(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_channels_get *from = in;
    ((struct dpl_channels_value *)out)->value = values[from->number];
    return get_error;
}

static const dpl_device_call_fn api[DPL_DRV_CHANNELS_N_CALLS] = {
    [DPL_DRV_CHANNELS_FIND] = find,       [DPL_DRV_CHANNELS_PUT] = put_value,
    [DPL_DRV_CHANNELS_RELEASE] = release, [DPL_DRV_CHANNELS_EXECUTE] = execute,
    [DPL_DRV_CHANNELS_GET] = get,
};
static struct dpl_driver driver = {.name = "fake", .device_class = &dpl_channels_class, .api = api};
static struct dpl_device device = {.driver = &driver};

static void write_machine(const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static const char lift[] =
    "<state_machine name='lift'>\n"
    "<state name='down'><entry><put channel='motor' value='0'/></entry>\n"
    "  <transition to='up' when='[up] > 2'/></state>\n"
    "<state name='up'><entry><put channel='motor' value='24/([up] - 4)'/></entry>\n"
    "  <transition to='down' after='1 s'/></state>\n"
    "</state_machine>\n";

static void begin(void)
{
    fake_begin();
    fake.device = &device;
    cr_assert_geq(close(mkstemp(path)), 0);
    write_machine(lift);
    fake_set("File", path);
}

static void finish(void)
{
    const struct dpl_component_ops *ops = fake.self.class_->ops;
    ops->destroy(&fake.self);
    unlink(path);
    fake_end();
}

TestSuite(state_machine_glue, .init = begin, .fini = finish);

static void cycle(double up)
{
    values[0] = values[1] = up; /* whichever number it has */
    fake_cycle(now, 10 * DPL_MS);
    now += 10 * DPL_MS;
}

static double motor(void)
{
    return put[strcmp(names[0], "motor") == 0 ? 0 : 1];
}

Test(state_machine_glue, puts_what_its_states_say_and_tells_of_transitions)
{
    cr_assert_eq(fake_start(10 * DPL_MS, NULL), 0);
    cycle(0.0);
    cr_assert_eq(motor(), 0.0);
    cr_assert_eq(fake.ports[TRANSITION].n_sent, 0);
    cycle(6.0);
    cr_assert_eq(motor(), 12.0);
    const Doppel__StateTransition *event = fake_sent(TRANSITION);
    cr_assert_str_eq(event->from, "down");
    cr_assert_str_eq(event->to, "up");
    cr_assert_str_eq(event->when, "[up] > 2");
    cr_assert_float_eq(event->stayed, 0.01, 1e-12);
    cr_assert_eq(event->number, 1);
    cr_assert_not_null(strstr(fake.log, "down -> up after 0.010 s (line 3: [up] > 2)"), "%s",
                       fake.log);
    cr_assert_eq(fake_export("transitions"), 1.0);
    const Doppel__StateReport *report = fake_sent(REPORT);
    cr_assert_eq(fake.ports[REPORT].n_sent, 2, "at its begin and at the transition");
    cr_assert_str_eq(report->states, "down|up");
    cr_assert_str_eq(report->present, "up");
    for (int i = 0; i < 100; i++) {
        cycle(6.0);
    }
    cr_assert_eq(fake.ports[REPORT].n_sent, 3, "and each second");
}

Test(state_machine_glue, puts_again_in_each_cycle_what_a_lost_device_has_forgotten)
{
    fake_start(10 * DPL_MS, NULL);
    cycle(0.0);
    cycle(6.0);
    put[0] = put[1] = -1.0;
    cycle(6.0);
    cr_assert_eq(motor(), 12.0);
}

Test(state_machine_glue, lets_go_and_begins_anew_when_the_application_halts)
{
    fake_start(10 * DPL_MS, NULL);
    cycle(0.0);
    cycle(6.0);
    struct dpl_tick halt = {.now = now, .period = 10 * DPL_MS, .halt = DPL_HALT_LOST};
    fake_execute(&halt);
    fake_execute(&halt);
    cr_assert_eq(n_released, 1);
    cr_assert_eq(fake_export("interruptions"), 1.0);
    cycle(1.0);
    cr_assert_eq(motor(), 0.0, "it is in 'down' again");
}

Test(state_machine_glue, lets_go_while_a_channel_has_no_value)
{
    fake_start(10 * DPL_MS, NULL);
    get_error = -EAGAIN;
    cycle(0.0);
    cr_assert_eq(n_released, 0, "nothing was put");
    get_error = 0;
    cycle(0.0);
    cycle(6.0);
    get_error = -ENODEV;
    cycle(6.0);
    cr_assert_eq(n_released, 1);
    get_error = 0;
    cycle((double)NAN);
    cycle(0.0);
    cr_assert_eq(motor(), 0.0);
    cr_assert_eq(fake_export("interruptions"), 1.0);
}

Test(state_machine_glue, stops_until_a_reset_where_an_expression_has_no_value)
{
    fake_start(10 * DPL_MS, NULL);
    cycle(0.0);
    cr_assert_null(fake.fault);
    cycle(4.0);
    cr_assert_not_null(fake.fault);
    cr_assert_eq(n_released, 1);
    cr_assert_not_null(strstr(fake.errors, ":4:"), "%s", fake.errors);
    cr_assert_not_null(strstr(fake.errors, "division by zero"), "%s", fake.errors);
    cycle(6.0);
    cycle(6.0);
    cr_assert_eq(fake.ports[TRANSITION].n_sent, 0);
    fake.self.class_->ops->start(&fake.self, NULL);
    cr_assert_null(fake.fault);
    cycle(0.0);
    cycle(6.0);
    cr_assert_eq(motor(), 12.0);
}

Test(state_machine_glue, lets_go_when_it_is_stopped)
{
    fake_start(10 * DPL_MS, NULL);
    cycle(0.0);
    fake.self.class_->ops->stop(&fake.self);
    cr_assert_eq(n_released, 1);
    fake.self.class_->ops->stop(&fake.self);
    cr_assert_eq(n_released, 1);
}

Test(state_machine_glue, names_a_channel_that_there_is_not_with_its_place_and_the_nearest_one)
{
    struct dpl_diag error = {.text = ""};
    write_machine("<state_machine name='m'>\n<state name='a'>"
                  "<transition to='a' when='1 + [absent]'/></state></state_machine>");
    cr_assert_eq(fake_start(10 * DPL_MS, &error), -EINVAL);
    cr_assert_str_eq(error.place.file, path);
    cr_assert_eq(error.place.line, 2);
    cr_assert_eq(error.place.column, 47, "%d", error.place.column);
    cr_assert_str_eq(error.text,
                     "there is no channel 'absent' that can be read: did you mean 'present'?");
}

Test(state_machine_glue, says_where_its_file_is_wrong)
{
    struct dpl_diag error = {.text = ""};
    write_machine("<state_machine name='m'>\n<state name='a'><exit><put channel='o' value='2*'/>"
                  "</exit></state></state_machine>");
    cr_assert_eq(fake_start(10 * DPL_MS, &error), -EINVAL);
    cr_assert_eq(error.place.line, 2);
    cr_assert_eq(fake.self.class_->check(fake.self.properties, &error), -EINVAL);
    cr_assert_not_null(strstr(error.text, ":2:"), "%s", error.text);
}
