/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of tools/doppel/observe/record_trigger.h: which messages are worth a recording. */
#include "record_trigger.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <signal.h>
#include <string.h>

static struct record_triggers triggers;

#define TOPIC(topic_name, type)                                                                    \
    {                                                                                              \
        .name = topic_name, .encoding = "json", .schema_name = type,                               \
        .schema_encoding = "jsonschema", .schema = "{}", .n_schema = 2                             \
    }

static const struct dpl_topic values = TOPIC("/Base/values", "/Base/values"),
                              longer = TOPIC("/Base/values.front", "front"),
                              bumper = TOPIC("/Base/bumper", "Bumper"),
                              events = TOPIC("/events", "foxglove.Log"),
                              diagnosis = TOPIC("/Localizer/diagnosis", "doppel.Diagnosis");
static const struct dpl_topic *const all[] = {&values, &longer, &bumper, &events, &diagnosis};

static int parse(const char *text)
{
    struct option_list list = {{text}, text != NULL};
    int r = record_triggers_parse(&triggers, "run: --record-on", &list);
    for (size_t i = 0; r == 0 && i < DPL_COUNT(all); i++) {
        triggers.gateway.wants(triggers.gateway.user, all[i]);
    }
    return r;
}

/* Why a message is one; "": it is none. */
static const char *say(const struct dpl_topic *topic, const char *message)
{
    struct dpl_sample sample = {.data = message, .n = strlen(message)};
    const char *why = triggers.gateway.holds(triggers.gateway.user, topic, &sample);
    return why ? why : "";
}

Test(record_trigger, is_a_condition_that_begins_to_hold)
{
    cr_assert_eq(parse("Base.near_m < 0.5"), 0);
    cr_assert_str_eq(say(&values, "{\"near_m\": 0.7}"), "");
    cr_assert_str_eq(say(&values, "{\"near_m\": 0.4}"), "Base.near_m < 0.5");
    cr_assert_str_eq(say(&values, "{\"near_m\": 0.3}"), "", "it holds still");
    cr_assert_str_eq(say(&values, "{\"near_m\": null}"), "");
    cr_assert_str_eq(say(&values, "{\"near_m\": 0.4}"), "Base.near_m < 0.5", "again");
    cr_assert_str_eq(say(&bumper, "{\"near_m\": 0}"), "", "another topic");
    cr_assert_str_eq(say(&values, "no message"), "");
}

Test(record_trigger, compares_numbers_and_words)
{
    static const struct {
        const char *condition, *no, *yes;
    } rows[] = {
        {"Base.x>=2", "{\"x\":1.9}", "{\"x\":2}"},
        {"/Base/values.x <= 2", "{\"x\":2.1}", "{\"x\":2}"},
        {"Base/values.x == 2", "{\"x\":2.1}", "{\"x\":2}"},
        {"Base.x != 2", "{\"x\":2}", "{\"x\":1}"},
        {"Base.x > -1e1", "{\"x\":-10}", "{\"x\":-9}"},
        {"Base.state = LOST", "{\"state\":\"FOUND\"}", "{\"state\":\"LOST\"}"},
        {"Base.state != FOUND", "{\"state\":\"FOUND\"}", "{\"state\":\"LOST\"}"},
        {"Base.on=true", "{\"on\":false}", "{\"on\":true}"},
        {"Base.pose.x[1] > 3", "{\"pose\":{\"x\":[9,1]}}", "{\"pose\":{\"x\":[0,4]}}"},
    };
    for (size_t i = 0; i < DPL_COUNT(rows); i++) {
        cr_assert_eq(parse(rows[i].condition), 0, "%s", rows[i].condition);
        cr_assert_str_eq(say(&values, rows[i].no), "", "%s", rows[i].condition);
        cr_assert_str_eq(say(&values, rows[i].yes), rows[i].condition);
    }
}

Test(record_trigger, is_a_message_or_an_event)
{
    cr_assert_eq(parse("/Base/bumper"), 0);
    cr_assert_str_eq(say(&bumper, "{}"), "/Base/bumper");
    cr_assert_eq(parse("event=lost"), 0);
    cr_assert_str_eq(say(&events, "{\"name\":\"A\",\"message\":\"found\"}"), "");
    cr_assert_str_eq(say(&events, "{\"name\":\"A\",\"message\":\"is lost\"}"),
                     "event=lost: A: is lost");
}

Test(record_trigger, is_a_fault_a_verdict_or_a_signal_unless_told_otherwise)
{
    cr_assert_eq(parse(NULL), 0);
    cr_assert_str_eq(say(&events, "{\"level\":\"WARNING\",\"name\":\"A\",\"message\":\"x\"}"), "");
    cr_assert_str_eq(say(&events, "{\"level\":\"ERROR\",\"name\":\"A\",\"message\":\"x\"}"),
                     "fault: A: x");
    cr_assert_str_eq(say(&events, "{\"level\":\"ERROR\",\"name\":\"mcap\",\"message\":\"x\"}"), "",
                     "the recorder's own");
    cr_assert_str_eq(say(&diagnosis, "{\"verdict\":\"SLIP\",\"rise\":false}"), "");
    cr_assert_str_eq(say(&diagnosis, "{\"verdict\":\"SLIP\",\"rise\":true}"), "verdict: SLIP");
    raise(SIGUSR1);
    cr_assert_str_eq(say(&bumper, "{}"), "signal");
    cr_assert_str_eq(say(&bumper, "{}"), "");
}

Test(record_trigger, refuses_what_is_none, .init = cr_redirect_stderr)
{
    static const char *const none[] = {
        "faults", "event=", "Base.x <", "Base.x ! 3", "< 3", "Base < 3", "/Base/values.x near 3",
        ""};
    for (size_t i = 0; i < DPL_COUNT(none); i++) {
        cr_assert_eq(parse(none[i]), -1, "%s", none[i]);
    }
    cr_assert_eq(parse("Bas.x < 3"), 0);
    cr_assert_eq(record_triggers_check(&triggers), -1, "there is no such topic");
    cr_assert_eq(parse("Base.x < 3"), 0);
    cr_assert_eq(record_triggers_check(&triggers), 0);
}

Test(record_trigger, means_the_topic_with_the_longest_name)
{
    cr_assert_eq(parse("/Base/values.front.x > 1"), 0);
    cr_assert_str_eq(say(&values, "{\"front\":{\"x\":2}}"), "");
    cr_assert_str_eq(say(&longer, "{\"x\":2}"), "/Base/values.front.x > 1");
}
