/* SPDX-License-Identifier: Apache-2.0 */
/* Services that steer a run, asked for as a gateway does; the run's thread serves its mailbox. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "rig.h"
#include "services.h"

static const struct dpl_component_ops calls = {.execute = rig_on_update};
static const struct dpl_component_class class_ = {.name = "Node", .ops = &calls, .state_size = 8};
static struct rig rig;
static struct dpl__services services;

static unsigned n_stops;

void dpl_runtime_request_stop(struct dpl_runtime *runtime) /* a fake: the host's */
{
    (void)runtime;
    n_stops++;
}

/* The last answer; n: how many there were. */
static struct {
    unsigned n;
    int err;
    char text[256];
} told;

static void hear(void *self, const struct dpl_answer *answer)
{
    (void)self;
    told.n++;
    told.err = answer->err;
    snprintf(told.text, sizeof told.text, "%.*s%s", (int)answer->n_value,
             answer->n_value > 0 ? (const char *)answer->value : "", answer->why);
}

static void setup(void)
{
    rig_init(&rig);
    rig_add(&rig, "A", &class_);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    rig.runtime.began = true;
    dpl__pacing_begin(&rig.runtime.pacing, 0.0, 0);
    services = (struct dpl__services){.runtime = &rig.runtime};
    cr_assert_eq(dpl__run_services_add(&services, &rig.diag), 0);
}

static void teardown(void)
{
    dpl__services_finish(&services);
    rig_finish(&rig);
}

TestSuite(run_service, .init = setup, .fini = teardown);

static void ask(const char *name, const char *request, enum dpl_role role)
{
    static const struct dpl_gateway gateway = {.name = "test", .answer = hear};
    struct dpl_asked asked = {.what = DPL_ASK_CALL,
                              .who = "somebody",
                              .role = role,
                              .name = name,
                              .value = request,
                              .n_value = strlen(request)};
    told.n = 0;
    dpl__services_call(&services, (struct dpl__asker){&gateway, NULL, role}, &asked);
    dpl__mailbox_serve(&rig.runtime.executors[0]->mailbox);
    dpl__errands_turn(&services.errands, false);
}

/* What is refused, and why. */
static const struct {
    const char *name, *request, *why;
    enum dpl_role role;
    int err;
} refused[] = {
    {"/run/none", "{}", "there is no service '/run/none'", DPL_ROLE_CONTROL, -ENOENT},
    {"/run/pause", "{}", "control", DPL_ROLE_LOOK, -EACCES},
    {"/run/pause", "{\"a\":1}", "/run/pause takes no 'a'", DPL_ROLE_CONTROL, -EINVAL},
    {"/run/pause", "[]", "the request is no JSON object", DPL_ROLE_CONTROL, -EINVAL},
    {"/run/step", "", "/run/step needs 'cycles'", DPL_ROLE_CONTROL, -EINVAL},
    {"/run/step", "{\"cycles\":\"2\"}", "cycles: a number is expected", DPL_ROLE_CONTROL, -EINVAL},
    {"/run/step", "{\"cycles\":0}", "cycles", DPL_ROLE_CONTROL, -ERANGE},
    {"/run/step", "{\"cycles\":2.5}", "cycles", DPL_ROLE_CONTROL, -EINVAL},
    {"/run/run_for", "{\"seconds\":-1}", "seconds", DPL_ROLE_CONTROL, -ERANGE},
    {"/component/stop", "{\"component\":\"B\"}", "there is no component 'B'", DPL_ROLE_CONTROL,
     -ENOENT},
};

Test(run_service, refuses_in_words)
{
    for (size_t i = 0; i < DPL_COUNT(refused); i++) {
        ask(refused[i].name, refused[i].request, refused[i].role);
        cr_assert_eq(told.n, 1, "%s %s", refused[i].name, refused[i].request);
        cr_assert_lt(told.err, 0, "%s %s", refused[i].name, refused[i].request);
        cr_assert(strstr(told.text, refused[i].why), "%s", told.text);
    }
}

Test(run_service, pauses_steps_and_runs_for_exactly_so_long_and_answers_then)
{
    static const struct {
        const char *name, *request;
        dpl_ns hold; /* where time pauses: it is at 1 s */
    } rows[] = {{"/run/pause", "{}", DPL_S},
                {"/run/step", "{\"cycles\":7}", DPL_S + 70 * DPL_MS},
                {"/run/step", "{\"cycles\":2.0}", DPL_S + 20 * DPL_MS},
                {"/run/run_for", "{\"seconds\":0.123}", DPL_S + 123 * DPL_MS}};
    struct dpl__pacing *pacing = &rig.runtime.pacing;
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        atomic_store(&rig.runtime.sim_now, DPL_S);
        ask(rows[i].name, rows[i].request, DPL_ROLE_CONTROL);
        cr_assert_eq(told.n, 0, "it has not come there yet");
        cr_assert_eq(atomic_load(&pacing->hold), rows[i].hold);
        atomic_store(&rig.runtime.sim_now, rows[i].hold);
        atomic_store(&pacing->paused, true);
        dpl__errands_turn(&services.errands, false);
        cr_assert_eq(told.n, 1);
        cr_assert_eq(told.err, 0, "%s", told.text);
        cr_assert(strstr(told.text, "\"ok\":true,\"time_s\":1."), "%s", told.text);
    }
}

Test(run_service, a_pause_is_given_up_when_another_request_comes_before_its_end)
{
    ask("/run/step", "{\"cycles\":9}", DPL_ROLE_CONTROL);
    ask("/run/resume", "{}", DPL_ROLE_CONTROL);
    cr_assert_eq(told.n, 2);
    cr_assert_eq(atomic_load(&rig.runtime.pacing.hold), DPL__NO_HOLD);
    ask("/run/rate", "{\"rate\":2}", DPL_ROLE_CONTROL);
    cr_assert_eq(told.n, 1);
    cr_assert_eq(atomic_load(&rig.runtime.pacing.rate), 2.0);
}

Test(run_service, of_the_real_clock_is_not_paused)
{
    rig.runtime.options.simulated = false;
    ask("/run/pause", "{}", DPL_ROLE_CONTROL);
    cr_assert_eq(told.err, -EPERM);
    cr_assert(strstr(told.text, "the run is on the real clock"), "%s", told.text);
}

Test(run_service, stops_and_starts_a_component)
{
    ask("/component/stop", "{\"component\":\"A\"}", DPL_ROLE_CONTROL);
    cr_assert_eq(told.err, 0, "%s", told.text);
    cr_assert_neq(atomic_load(&rig_component(&rig, 0)->state), DPL__ACTIVE);
    ask("/component/start", "{\"component\":\"A\"}", DPL_ROLE_CONTROL);
    cr_assert_eq(told.err, 0, "%s", told.text);
    cr_assert_eq(atomic_load(&rig_component(&rig, 0)->state), DPL__ACTIVE);
}

Test(run_service, who_may_only_look_stops_a_run_that_moves_nothing)
{
    ask("/run/stop", "", DPL_ROLE_LOOK);
    cr_assert_eq(told.err, 0, "%s", told.text);
    cr_assert_eq(n_stops, 1);
    services.has_hardware = true;
    ask("/run/stop", "", DPL_ROLE_LOOK);
    cr_assert_eq(told.err, -EACCES);
    cr_assert_eq(n_stops, 1);
}
