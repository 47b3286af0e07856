/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs of a hand-made application: two components, Robot and Base, of which Base comes second
 * in the profile, is depended on by Robot, and has a device. Each callback leaves a word. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "component.h"
#include "device.h"
#include "runtime.h"

static char events[1024];
static const char *failing; /* the word whose callback fails; NULL: none */
static struct dpl_runtime *runtime;
static struct dpl_device *base_device;
static uint64_t lose_at, stop_at, fault_at; /* cycles of Base; 0: never */
static uint64_t good_at = UINT64_MAX;
static bool judged;
static dpl_ns find_at; /* 0: never */
static int n_stops = 1;
static bool stuck;                   /* Base's execute never returns */
static int moves_for = -1;           /* cycles of halt until Base is at rest; -1: it never moves */
static int n_endings, n_other_halts; /* cycles in which Base was told so */

static int note(const char *what, const char *who)
{
    char word[64];
    snprintf(word, sizeof word, "%s:%s", what, who);
    if (strlen(events) + strlen(word) + 2 < sizeof events) {
        strcat(strcat(events, word), " ");
    }
    return failing && strcmp(word, failing) == 0 ? -EIO : 0;
}

/* ---- the driver ---- */

static int driver_open(struct dpl_device *device, struct dpl_diag *reterr)
{
    return note("open", device->name);
}

static void driver_close(struct dpl_device *device)
{
    note("close", device->name);
}

static const struct dpl_driver driver = {
    .name = "fake",
    .backend = DPL_BACKEND_MOCK,
    .open = driver_open,
    .close = driver_close,
};

/* ---- the components ---- */

static int on_initialize(struct dpl_component *c, struct dpl_diag *reterr)
{
    int r = note("init", c->name);
    return r < 0 ? dpl_fail(reterr, r, (struct dpl_place){0}, "no luck") : 0;
}

static int on_start(struct dpl_component *c, struct dpl_diag *reterr)
{
    int r = note("start", c->name);
    return r < 0 ? dpl_fail(reterr, r, (struct dpl_place){0}, "no luck") : 0;
}

static int on_execute(struct dpl_component *c, const struct dpl_tick *tick)
{
    return 0;
}

static int on_execute_base(struct dpl_component *c, const struct dpl_tick *tick)
{
    if (lose_at > 0 && tick->cycle == lose_at) {
        dpl_device_lost(base_device, "unplugged");
    }
    if (stop_at > 0 && tick->cycle == stop_at) {
        for (int i = 0; i < n_stops; i++) {
            dpl_runtime_request_stop(runtime);
        }
    }
    n_endings += tick->halt == DPL_HALT_ENDING;
    n_other_halts += tick->halt == DPL_HALT_LOST;
    dpl_component_set_moving(c, n_endings < moves_for);
    if (fault_at > 0 && tick->cycle >= fault_at) {
        dpl_component_set_fault(c, tick->cycle < good_at ? "stuck in the mud" : NULL);
    }
    if (judged && tick->cycle == fault_at) {
        dpl_component_give_verdict(c, &(struct dpl_verdict){.expected = true, .name = "stuck"});
    }
    if (stuck) {
        for (;;) {
            pause();
        }
    }
    return failing && strcmp(failing, "execute:Base") == 0 && tick->cycle == 2 ? -EIO : 0;
}

static int on_stop(struct dpl_component *c)
{
    return note("stop", c->name);
}

static int on_error(struct dpl_component *c, int cause)
{
    return note("error", c->name);
}

static int on_recover(struct dpl_component *c)
{
    return note("recover", c->name);
}

static void on_destroy(struct dpl_component *c)
{
    note("destroy", c->name);
}

static const struct dpl_component_ops robot_ops = {
    .initialize = on_initialize,
    .start = on_start,
    .execute = on_execute,
    .stop = on_stop,
    .error = on_error,
    .recover = on_recover,
    .destroy = on_destroy,
};
static const struct dpl_component_ops base_ops = {
    .initialize = on_initialize,
    .start = on_start,
    .execute = on_execute_base,
    .stop = on_stop,
    .error = on_error,
    .recover = on_recover,
    .destroy = on_destroy,
};
static const struct dpl_component_ops plain_ops = {.execute = on_execute};
static const struct dpl_component_class robot_class = {.name = "Robot", .ops = &robot_ops};
static const struct dpl_component_class base_class = {.name = "Base", .ops = &base_ops};
static const struct dpl_component_class plain_class = {.name = "Plain", .ops = &plain_ops};

/* ---- the application ---- */

static char no_properties[1];
static const struct dpl_app_device base_model = {.name = "Base", .driver = &driver};
static const struct dpl_app_device extra_model = {.name = "Extra", .driver = &driver};
static const struct dpl_app_component components[] = {
    {.name = "Robot",
     .class_ = &robot_class,
     .properties = no_properties,
     .execution = {.type = DPL_EXECUTION_PERIODIC_SHARED, .period = DPL_MS}},
    {.name = "Base",
     .class_ = &base_class,
     .properties = no_properties,
     .device = &base_model,
     .execution = {.type = DPL_EXECUTION_PERIODIC_SHARED, .period = DPL_MS}},
    {.name = "Extra",
     .class_ = &plain_class,
     .properties = no_properties,
     .device = &extra_model,
     .execution = {.type = DPL_EXECUTION_PERIODIC_SHARED, .period = DPL_MS}},
};
static const struct dpl_app_depends depends[] = {{.source = 1, .target = 0}};
static struct dpl_app app = {
    .name = "test",
    .file = "test.xml",
    .components = components,
    .n_components = 2,
    .depends = depends,
    .n_depends = 1,
};
static struct dpl_runtime_options options = {
    .simulated = true,
    .duration = 20 * DPL_MS,
    .seed = 1,
    .log_level = DPL_LOG_DEBUG,
};
static char log_text[16384];

static void begin(void)
{
    options.log = fmemopen(log_text, sizeof log_text, "w");
    cr_assert_not_null(options.log);
}

static void end(void)
{
    fclose(options.log);
}

static void create(void)
{
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_runtime_create(&app, &options, &runtime, &diag), 0, "%s", diag.text);
    base_device = runtime->components[1]->device;
}

static enum dpl_exit run_whole(struct dpl_diag *reterr)
{
    create();
    enum dpl_exit r = dpl_runtime_run(runtime, reterr);
    dpl_runtime_destroy(runtime);
    return r;
}

TestSuite(runtime, .init = begin, .fini = end, .timeout = 20);

Test(runtime, takes_down_in_the_reverse_order_of_building_up)
{
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_str_eq(events, "open:Base init:Base init:Robot start:Base start:Robot stop:Robot "
                             "stop:Base destroy:Robot destroy:Base close:Base ");
}

Test(runtime, does_the_same_under_the_real_clock)
{
    options.simulated = false;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_str_eq(events, "open:Base init:Base init:Robot start:Base start:Robot stop:Robot "
                             "stop:Base destroy:Robot destroy:Base close:Base ");
}

Test(runtime, goes_on_until_what_moves_is_at_rest)
{
    options.simulated = false;
    moves_for = 50;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_geq(n_endings, 50);
    cr_assert_lt(n_endings, 1000); /* far less than the patience */
    cr_assert_eq(n_other_halts, 0);
    fflush(options.log);
    cr_assert_null(strstr(log_text, "not at rest"));
}

Test(runtime, does_not_wait_for_ever_for_what_moves)
{
    options.simulated = false;
    moves_for = 1000000;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_gt(n_endings, 100);
    fflush(options.log);
    cr_assert_not_null(strstr(log_text, "although the application is not at rest"), "%s", log_text);
}

Test(runtime, does_not_wait_after_a_second_stop_request)
{
    options.simulated = false;
    moves_for = 1000000;
    stop_at = 5;
    n_stops = 2;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_leq(n_endings, 5);
}

Test(runtime, ends_a_simulated_run_where_it_is)
{
    moves_for = 1000000;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_eq(n_endings, 0);
}

Test(runtime, closes_what_is_open_when_a_device_does_not_open)
{
    struct dpl_diag diag = {0};
    app.n_components = 3;
    failing = "open:Extra";
    cr_assert_eq(dpl_runtime_create(&app, &options, &runtime, &diag), -EIO);
    cr_assert_not_null(strstr(diag.text, "Extra: driver 'fake' cannot be opened"));
    cr_assert_null(runtime);
    cr_assert_not_null(strstr(events, "open:Base open:Extra "));
    cr_assert_not_null(strstr(events, "close:Base "));
    cr_assert_null(strstr(events, "close:Extra "));
    cr_assert_null(strstr(events, "init:"));
}

Test(runtime, closes_everything_when_a_component_does_not_initialize)
{
    struct dpl_diag diag = {0};
    failing = "init:Robot";
    cr_assert_eq(dpl_runtime_create(&app, &options, &runtime, &diag), -EIO);
    cr_assert_not_null(strstr(diag.text, "Robot"), "%s", diag.text);
    cr_assert_not_null(strstr(diag.text, "no luck"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "init:Base init:Robot "));
    cr_assert_not_null(strstr(events, "destroy:Base close:Base "));
    cr_assert_null(strstr(events, "start:"));
}

Test(runtime, stops_what_has_started_when_a_component_does_not_start)
{
    struct dpl_diag diag = {0};
    failing = "start:Robot";
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(diag.text, "Robot"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "start:Base start:Robot stop:Base "), "%s", events);
    cr_assert_null(strstr(events, "stop:Robot"));
    cr_assert_not_null(strstr(events, "close:Base "));
}

Test(runtime, ends_with_a_fault_when_a_callback_failed_and_nothing_recovered_it)
{
    struct dpl_diag diag = {0};
    failing = "execute:Base";
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(diag.text, "Base was in ERROR when the run ended"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "error:Base "));
    cr_assert_not_null(strstr(events, "close:Base "));
}

Test(runtime, ends_with_a_fault_while_a_device_is_lost)
{
    struct dpl_diag diag = {0};
    lose_at = 3;
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(diag.text, "its device is lost"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "error:Base "));
    fflush(options.log);
    cr_assert_not_null(strstr(log_text, "error Base: lost: unplugged"));
}

Test(runtime, ends_with_a_fault_while_a_component_says_so)
{
    struct dpl_diag diag = {0};
    fault_at = 3;
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_str_eq(diag.text, "Base was in FAULT when the run ended: stuck in the mud");
}

Test(runtime, ends_well_when_the_fault_is_gone)
{
    fault_at = 3;
    good_at = 6;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
}

Test(runtime, lets_a_verdict_judge_a_fault)
{
    fault_at = 3;
    judged = true;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
}

Test(runtime, reports_a_component_that_does_not_stop_and_stops_the_rest)
{
    struct dpl_diag diag = {0};
    failing = "stop:Robot";
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(diag.text, "Robot"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "stop:Robot stop:Base "));
    cr_assert_not_null(strstr(events, "close:Base "));
}

Test(runtime, ends_in_order_when_a_stop_is_requested_from_an_executor)
{
    options.simulated = false;
    options.duration = 0;
    stop_at = 3;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_not_null(strstr(events, "stop:Robot stop:Base "));
}

Test(runtime, stops_devices_first_after_a_second_request)
{
    options.simulated = false;
    options.duration = 0;
    stop_at = 3;
    n_stops = 2;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_not_null(strstr(events, "stop:Base stop:Robot "), "%s", events);
    cr_assert_not_null(strstr(events, "close:Base "));
}

Test(runtime, does_not_run_when_a_stop_was_requested_before)
{
    create();
    dpl_runtime_request_stop(runtime);
    cr_assert_eq(dpl_runtime_run(runtime, NULL), DPL_EXIT_DONE);
    cr_assert_leq(runtime->ended, 1 * DPL_MS);
    dpl_runtime_destroy(runtime);
}

Test(runtime, leaves_a_stuck_callback_behind_and_stops_and_closes_the_rest)
{
    struct dpl_app_component apart[2] = {components[0], components[1]};
    struct dpl_diag diag = {0};
    apart[0].execution.type = DPL_EXECUTION_PERIODIC;
    apart[1].execution.type = DPL_EXECUTION_PERIODIC;
    app.components = apart;
    options.simulated = false;
    stuck = true;
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(diag.text, "a callback is stuck"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "stop:Robot destroy:Robot close:Base "), "%s", events);
    cr_assert_null(strstr(events, "stop:Base"));
}

/* ---- worlds ---- */

static dpl_ns world_epoch;

static int world_start(void *self, dpl_ns real_epoch, struct dpl_diag *reterr)
{
    world_epoch = real_epoch;
    int r = note("start", "world");
    return r < 0 ? dpl_fail(reterr, r, (struct dpl_place){0}, "no ground") : 0;
}

static int world_advance(void *self, dpl_ns to, struct dpl_diag *reterr)
{
    if (find_at > 0 && to == find_at) {
        dpl_device_found(base_device);
    }
    if (failing && strcmp(failing, "advance:world") == 0 && to >= 5 * DPL_MS) {
        return dpl_fail(reterr, -ETIMEDOUT, (struct dpl_place){0}, "robot 'k' does not follow");
    }
    return 0;
}

static void world_stop(void *self)
{
    note("stop", "world");
}

static const struct dpl_run_services *services;

static void world_attend(void *self, const struct dpl_run_services *offered)
{
    services = offered;
}

static const struct dpl_world_host_ops world_ops = {
    .attend = world_attend,
    .start = world_start,
    .advance = world_advance,
    .stop = world_stop,
};

Test(runtime, starts_worlds_before_components_and_stops_them_after)
{
    options.world.ops = &world_ops;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_not_null(strstr(events, "start:world start:Base start:Robot "), "%s", events);
    cr_assert_not_null(strstr(events, "stop:Robot stop:Base stop:world "), "%s", events);
    cr_assert_eq(world_epoch, 0);
}

static void world_tells(void *self,
                        void (*tell)(void *user, const struct dpl_world_host_contact *contact),
                        void *user)
{
    static const struct dpl_world_host_contact contacts[] = {
        {"hall", "avatar", "bench", 2, 3500 * DPL_MS},
        {"hall", "avatar", "glass", 1, 7 * DPL_S},
        {"hall", "avatar", "bench", 1, 2 * DPL_S}, /* of another world of that name */
        {"hall", "other", "avatar", 4, DPL_S},
    };
    (void)self;
    for (size_t i = 0; i < sizeof contacts / sizeof contacts[0]; i++) {
        tell(user, &contacts[i]);
    }
}

/* The file without blanks and line ends; it is removed. */
static void read_file(const char *path, char *ret_text, size_t size)
{
    FILE *file = fopen(path, "r");
    size_t n = 0;
    cr_assert_not_null(file);
    for (int c = fgetc(file); c != EOF && n + 1 < size; c = fgetc(file)) {
        ret_text[n] = (char)c;
        n += c != ' ' && c != '\n';
    }
    ret_text[n] = '\0';
    fclose(file);
    unlink(path);
}

Test(runtime, summary_says_what_touched_which_robot)
{
    char folder[] = "/tmp/doppel-contacts-XXXXXX", path[64], text[16384];
    cr_assert_not_null(mkdtemp(folder));
    struct dpl_world_host_ops telling = world_ops;
    telling.tell_contacts = world_tells;
    options.world.ops = &telling;
    options.out_dir = folder;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    for (int i = 2; i >= 0; i--) {
        static const char *const names[] = {"summary.json", "trace.csv", "run.json"};
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (access(path, F_OK) == 0) {
            read_file(path, text, sizeof text);
        }
    }
    cr_expect_eq(rmdir(folder), 0);
    cr_assert_not_null(strstr(text,
                              "\"contacts\":{\"hall/avatar\":{\"bench\":{\"n\":3,\"first_s\":2.0},"
                              "\"glass\":{\"n\":1,\"first_s\":7.0}},"
                              "\"hall/other\":{\"avatar\":{\"n\":4,\"first_s\":1.0}}}"),
                       "%s", text);
}

Test(runtime, gives_worlds_its_epoch_under_the_real_clock)
{
    options.world.ops = &world_ops;
    options.simulated = false;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_gt(world_epoch, 0);
}

Test(runtime, offers_worlds_to_be_threads_of_the_run_and_says_when_it_is_stopping)
{
    options.world.ops = &world_ops;
    create();
    cr_assert_eq(dpl_runtime_run(runtime, NULL), DPL_EXIT_DONE);
    cr_assert_not_null(services);
    cr_assert_not(services->is_stopping(services->run));
    dpl_runtime_request_stop(runtime);
    cr_assert(services->is_stopping(services->run));
    struct dpl_run_thread *thread = NULL;
    int n = 0;
    while ((thread = services->enter(services->run, "world", DPL_MS))) {
        services->woke(thread, 10 * DPL_US);
        cr_assert_leq(++n, 1000, "there is a limit");
    }
    cr_assert_gt(n, 4);
    services->woke(NULL, DPL_MS);
    dpl_runtime_destroy(runtime);
}

Test(runtime, starts_nothing_in_a_world_that_does_not_start)
{
    struct dpl_diag diag = {0};
    options.world.ops = &world_ops;
    failing = "start:world";
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_str_eq(diag.text, "no ground");
    cr_assert_null(strstr(events, "start:Base"));
    cr_assert_not_null(strstr(events, "close:Base "));
}

Test(runtime, ends_with_a_fault_when_the_world_does_not_follow)
{
    struct dpl_diag diag = {0};
    options.world.ops = &world_ops;
    failing = "advance:world";
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(diag.text, "does not follow"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "stop:Robot stop:Base "));
}

Test(runtime, ends_well_when_a_lost_device_was_found_again)
{
    options.world.ops = &world_ops;
    lose_at = 3;
    find_at = 8 * DPL_MS;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_not_null(strstr(events, "error:Base recover:Base "), "%s", events);
    cr_assert_not_null(strstr(events, "stop:Base "));
}

Test(runtime, has_no_time_before_it_runs)
{
    options.simulated = false;
    create();
    cr_assert_eq(dpl__runtime_now(runtime), 0);
    cr_assert_eq(dpl_device_now(base_device), 0);
    dpl_runtime_destroy(runtime);
}

Test(runtime, destroys_nothing_for_null)
{
    dpl_runtime_destroy(NULL);
    cr_assert_str_eq(events, "");
}
