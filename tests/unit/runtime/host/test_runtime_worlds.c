/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs with a world: when it starts and stops, what it tells, and what its faults are. */
#include "runtime_rig.h"

TestSuite(runtime_worlds, .init = runtime_begin, .fini = runtime_end, .timeout = 20);

static dpl_ns world_epoch;
static dpl_ns find_at; /* Base is found again then; 0: never */

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

Test(runtime_worlds, starts_worlds_before_components_and_stops_them_after)
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

Test(runtime_worlds, summary_says_what_touched_which_robot)
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

Test(runtime_worlds, gives_worlds_its_epoch_under_the_real_clock)
{
    options.world.ops = &world_ops;
    options.simulated = false;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_gt(world_epoch, 0);
}

Test(runtime_worlds, offers_worlds_to_be_threads_of_the_run_and_says_when_it_is_stopping)
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

Test(runtime_worlds, starts_nothing_in_a_world_that_does_not_start)
{
    struct dpl_diag diag = {0};
    options.world.ops = &world_ops;
    failing = "start:world";
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_str_eq(diag.text, "no ground");
    cr_assert_null(strstr(events, "start:Base"));
    cr_assert_not_null(strstr(events, "close:Base "));
}

Test(runtime_worlds, ends_with_a_fault_when_the_world_does_not_follow)
{
    struct dpl_diag diag = {0};
    options.world.ops = &world_ops;
    failing = "advance:world";
    cr_assert_eq(run_whole(&diag), DPL_EXIT_FAULT);
    cr_assert_not_null(strstr(diag.text, "does not follow"), "%s", diag.text);
    cr_assert_not_null(strstr(events, "stop:Robot stop:Base "));
}

Test(runtime_worlds, ends_well_when_a_lost_device_was_found_again)
{
    options.world.ops = &world_ops;
    lose_at = 3;
    find_at = 8 * DPL_MS;
    cr_assert_eq(run_whole(NULL), DPL_EXIT_DONE);
    cr_assert_not_null(strstr(events, "error:Base recover:Base "), "%s", events);
    cr_assert_not_null(strstr(events, "stop:Base "));
}
