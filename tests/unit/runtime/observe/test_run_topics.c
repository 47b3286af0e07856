/* SPDX-License-Identifier: Apache-2.0 */
/* How a run goes, as its observers are told: at each change, and each second. */
#include "run_topics.h"

#include <criterion/criterion.h>
#include <string.h>

#include "rig.h"
#include "row_topic.h"

static const struct dpl_component_ops calls = {.execute = rig_on_update};
static const struct dpl_component_class class_ = {.name = "Node", .ops = &calls, .state_size = 8};
static struct rig rig;
static struct dpl__topics topics;
static struct dpl__run_topics *run;
static struct dpl__run_look look;

static void setup(void)
{
    rig_init(&rig);
    rig_add(&rig, "A", &class_);
    cr_assert_eq(rig_start(&rig), 0, "%s", rig.diag.text);
    dpl__pacing_begin(&rig.runtime.pacing, 2.0, 0);
    cr_assert_eq(dpl__run_topics_add(&topics, &rig.runtime, &run, &rig.diag), 0);
    look = (struct dpl__run_look){.may_control = true, .controller = ""};
}

static void teardown(void)
{
    dpl__row_topics_finish(&topics);
    dpl__topics_finish(&topics);
    rig_finish(&rig);
}

TestSuite(run_topics, .init = setup, .fini = teardown);

/* The newest message of each topic, and how many came in a turn. */
static struct {
    const char *name;
    unsigned n;
    char text[512];
} of[] = {{.name = "/run/state"}, {.name = "/run/components"}, {.name = "/executors/"}};

enum { STATE, COMPONENTS, EXECUTORS };

static void note(void *user, const struct dpl__topic *topic, const struct dpl_sample *sample)
{
    (void)user;
    for (size_t i = 0; i < DPL_COUNT(of); i++) {
        if (strncmp(topic->self.name, of[i].name, strlen(of[i].name)) == 0) {
            of[i].n++;
            snprintf(of[i].text, sizeof of[i].text, "%.*s", (int)sample->n,
                     (const char *)sample->data);
        }
    }
}

static void turn(void)
{
    for (size_t i = 0; i < DPL_COUNT(of); i++) {
        of[i].n = 0;
    }
    dpl__run_topics_turn(run, &look);
    dpl__topics_drain(&topics, 8, note, NULL);
}

Test(run_topics, tell_all_at_first_and_are_kept_for_who_joins_late)
{
    turn();
    for (size_t i = 0; i < DPL_COUNT(of); i++) {
        cr_assert_eq(of[i].n, 1, "%s", of[i].name);
    }
    cr_assert(strstr(of[STATE].text, "\"state\":\"running\",\"clock\":\"sim\",\"time_s\":0,"
                                     "\"rate\":2,\"can_pause\":true,\"why_not\":\"\""),
              "%s", of[STATE].text);
    cr_assert(
        strstr(of[COMPONENTS].text, "[{\"name\":\"A\",\"class\":\"Node\",\"state\":\"ACTIVE\""),
        "%s", of[COMPONENTS].text);
    cr_assert(strstr(of[EXECUTORS].text, "\"cycles\":0,\"overruns\":0,\"missed\":0"), "%s",
              of[EXECUTORS].text);
    for (size_t i = 0; i < topics.n; i++) {
        cr_assert(topics.items[i]->self.latched, "%s", topics.items[i]->self.name);
        cr_assert_eq(topics.items[i]->self.source, DPL_TOPIC_PRESENT);
    }
}

Test(run_topics, tell_again_each_second_and_how_fast_it_went)
{
    turn();
    turn();
    cr_assert_eq(of[STATE].n + of[COMPONENTS].n + of[EXECUTORS].n, 0);
    rig_clock_offset += 10 * DPL_S;
    atomic_store(&rig.runtime.sim_now, 5 * DPL_S);
    turn();
    cr_assert_eq(of[STATE].n, 1);
    cr_assert_eq(of[EXECUTORS].n, 1);
    cr_assert_eq(of[COMPONENTS].n, 0, "none has another state");
    const char *factor = strstr(of[STATE].text, "\"real_time_factor\":");
    cr_assert_float_eq(atof(strchr(factor, ':') + 1), 0.5, 0.05, "%s", of[STATE].text);
}

Test(run_topics, tell_each_change_at_once)
{
    static const char *const states[] = {"\"running\"", "\"paused\"", "\"running\"", "\"ended\""};
    for (size_t i = 0; i < DPL_COUNT(states); i++) {
        atomic_store(&rig.runtime.pacing.paused, i == 1);
        look.has_ended = i == 3;
        turn();
        cr_assert_eq(of[STATE].n, 1);
        cr_assert(strstr(of[STATE].text, states[i]), "%s", of[STATE].text);
    }
    look.controller = "somebody";
    turn();
    cr_assert(strstr(of[STATE].text, "\"controller\":\"somebody\""), "%s", of[STATE].text);
    cr_assert_eq(dpl__component_operate(rig_component(&rig, 0), DPL__STOP, 0, &rig.diag), 0);
    turn();
    cr_assert_eq(of[COMPONENTS].n, 1);
    cr_assert_null(strstr(of[COMPONENTS].text, "ACTIVE\""), "%s", of[COMPONENTS].text);
}
