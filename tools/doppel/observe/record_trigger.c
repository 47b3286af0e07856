/* SPDX-License-Identifier: Apache-2.0 */
#include "record_trigger.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field_path.h"
#include "fields.h"

#define LOG       "foxglove.Log"
#define DIAGNOSIS "doppel.Diagnosis"

static atomic_bool was_signalled;

static void on_signal(int number)
{
    (void)number;
    atomic_store(&was_signalled, true);
}

/* ---- texts ---- */

static void trim(const char *from, size_t n, char *ret, size_t size)
{
    while (n > 0 && from[0] == ' ') {
        from++;
        n--;
    }
    while (n > 0 && from[n - 1] == ' ') {
        n--;
    }
    snprintf(ret, size, "%.*s", (int)n, from);
}

/* "Component.field" is a value of "/Component/values", as in trace.csv. */
static void name_path(struct record_trigger *trigger, const char *from, size_t n)
{
    char given[sizeof trigger->path];
    trim(from, n, given, sizeof given);
    const char *dot = strchr(given, '.');
    if (strchr(given, '/') || !dot) {
        snprintf(trigger->path, sizeof trigger->path, "%s%.250s", given[0] == '/' ? "" : "/",
                 given);
    } else {
        snprintf(trigger->path, sizeof trigger->path, "/%.*s/values%.200s", (int)(dot - given),
                 given, dot);
    }
}

static bool read_condition(struct record_trigger *trigger)
{
    const char *text = trigger->text;
    size_t at = strcspn(text, "<>=!");
    const char *value = text + at + 1;
    bool has_equal = text[at] != '\0' && *value == '=';
    trigger->kind = RECORD_ON_CONDITION;
    trigger->operation = !has_equal || strchr("=!", text[at]) ? text[at]
                         : text[at] == '<'                    ? 'l'
                                                              : 'g';
    if (at == 0 || text[at] == '\0' || (text[at] == '!' && !has_equal)) {
        return false;
    }
    name_path(trigger, text, at);
    value += has_equal;
    trim(value, strlen(value), trigger->value, sizeof trigger->value);
    return trigger->value[0] != '\0' && strchr(strrchr(trigger->path, '/'), '.');
}

static bool read_one(struct record_trigger *trigger, const char *text)
{
    static const char *const words[] = {"fault", "verdict", "event", "signal"};
    *trigger = (struct record_trigger){.text = text};
    for (size_t i = 0; i < DPL_COUNT(words); i++) {
        if (strcmp(text, words[i]) == 0) {
            trigger->kind = (enum record_trigger_kind)i;
            return true;
        }
    }
    if (strncmp(text, "event=", 6) == 0) {
        trigger->kind = RECORD_ON_EVENT;
        snprintf(trigger->value, sizeof trigger->value, "%s", text + 6);
        return trigger->value[0] != '\0';
    }
    if (text[0] == '/' && !strpbrk(text, "<>=! ")) {
        trigger->kind = RECORD_ON_MESSAGE;
        snprintf(trigger->path, sizeof trigger->path, "%s", text);
        return true;
    }
    return read_condition(trigger);
}

/* ---- topics ---- */

/* Where the field begins if the path is of this topic, else NULL. */
static const char *field_of(const struct record_trigger *trigger, const struct dpl_topic *topic)
{
    size_t n = strlen(topic->name);
    bool is_message = trigger->kind == RECORD_ON_MESSAGE;
    return strncmp(trigger->path, topic->name, n) == 0 &&
                   trigger->path[n] == (is_message ? '\0' : '.')
               ? trigger->path + n + !is_message
               : NULL;
}

static bool is_of(const struct record_trigger *trigger, const struct dpl_topic *topic)
{
    bool is_event = strcmp(topic->name, "/events") == 0;
    switch (trigger->kind) {
    case RECORD_ON_FAULT: return is_event || strcmp(topic->name, "/log") == 0;
    case RECORD_ON_VERDICT: return strcmp(topic->schema_name, DIAGNOSIS) == 0;
    case RECORD_ON_EVENT: return is_event;
    case RECORD_ON_SIGNAL: return false;
    default: return trigger->topic == topic;
    }
}

static bool wants(void *user, const struct dpl_topic *topic)
{
    struct record_triggers *triggers = user;
    bool is_wanted = false;
    for (size_t i = 0; i < triggers->n; i++) {
        struct record_trigger *trigger = &triggers->items[i];
        const char *field = field_of(trigger, topic);
        if (trigger->path[0] && field &&
            (!trigger->topic || strlen(topic->name) > strlen(trigger->topic->name))) {
            trigger->topic = topic;
            trigger->field = field;
        }
        is_wanted = is_wanted || is_of(trigger, topic);
    }
    return is_wanted;
}

/* ---- messages ---- */

static json_t *decode(const struct dpl_topic *topic, const struct dpl_sample *sample)
{
    struct wire_schema schema = {.encoding = strdup(topic->encoding),
                                 .name = strdup(topic->schema_name),
                                 .language = strdup(topic->schema_encoding)};
    struct dpl_diag why = {0};
    dpl_bytes_add(&schema.bytes, topic->schema, topic->n_schema);
    bool all = schema.encoding && schema.name && schema.language && !schema.bytes.failed;
    json_t *message = all ? wire_decode(&schema, sample->data, sample->n, &why) : NULL;
    wire_schema_finish(&schema);
    return message;
}

static bool compare(const struct record_trigger *trigger, const json_t *value)
{
    char *end, text[128] = "";
    double limit = strtod(trigger->value, &end), number = (double)NAN;
    bool is_number = *end == '\0' && json_is_number(value);
    if (is_number) {
        number = json_number_value(value);
    } else if (json_is_string(value)) {
        snprintf(text, sizeof text, "%s", json_string_value(value));
    } else if (json_is_boolean(value)) {
        snprintf(text, sizeof text, "%s", json_is_true(value) ? "true" : "false");
    } else {
        return false;
    }
    switch (trigger->operation) {
    case '<': return number < limit;
    case '>': return number > limit;
    case 'l': return number <= limit;
    case 'g': return number >= limit;
    case '=': return is_number ? number == limit : strcmp(text, trigger->value) == 0;
    default: return is_number ? number != limit : strcmp(text, trigger->value) != 0;
    }
}

/* Whether it begins to hold. */
static bool holds_now(struct record_triggers *triggers, struct record_trigger *trigger,
                      json_t *message)
{
    struct dpl_diag why = {0};
    json_t *value = field_path_find(message, trigger->field, &why);
    bool holds = value && compare(trigger, value), began = holds && !trigger->held;
    trigger->held = holds;
    if (!value && !trigger->was_told) {
        trigger->was_told = true;
        fprintf(stderr, "doppel %s: warning: '%s': %s\n", triggers->command,
                cli_clean(trigger->text), why.text);
    }
    return began;
}

static const char *text_of(const json_t *message, const char *key)
{
    const char *text = json_string_value(json_object_get(message, key));
    return text ? text : "";
}

static bool is_one(struct record_triggers *triggers, struct record_trigger *trigger,
                   json_t *message)
{
    const char *line = text_of(message, "message"), *name = text_of(message, "name");
    bool is_own = strcmp(name, "mcap") == 0; /* what the recorder says itself */
    switch (trigger->kind) {
    case RECORD_ON_FAULT:
        return !is_own && (strcmp(text_of(message, "level"), "ERROR") == 0 ||
                           strcmp(text_of(message, "level"), "FATAL") == 0);
    case RECORD_ON_VERDICT: return json_is_true(json_object_get(message, "rise"));
    case RECORD_ON_EVENT:
        return !is_own && (strstr(line, trigger->value) || strcmp(name, trigger->value) == 0);
    case RECORD_ON_CONDITION: return holds_now(triggers, trigger, message);
    default: return true;
    }
}

static void tell_why(struct record_triggers *triggers, const struct record_trigger *trigger,
                     const json_t *message)
{
    const char *line = text_of(message, "message"), *name = text_of(message, "name");
    const char *verdict = text_of(message, "verdict");
    snprintf(triggers->why, sizeof triggers->why, "%.120s%s%.100s%s%.200s", trigger->text,
             *line || *verdict ? ": " : "", *line ? name : verdict, *line ? ": " : "", line);
}

static const char *holds(void *user, const struct dpl_topic *topic, const struct dpl_sample *sample)
{
    struct record_triggers *triggers = user;
    json_t *message = NULL;
    const char *why = NULL;
    if (atomic_exchange(&was_signalled, false)) {
        snprintf(triggers->why, sizeof triggers->why, "signal");
        why = triggers->why;
    }
    for (size_t i = 0; i < triggers->n; i++) { /* all: each must see whether it holds */
        struct record_trigger *trigger = &triggers->items[i];
        if (is_of(trigger, topic)) {
            message = message ? message : decode(topic, sample);
            if (message && is_one(triggers, trigger, message) && !why) {
                tell_why(triggers, trigger, message);
                why = triggers->why;
            }
        }
    }
    json_decref(message);
    return why;
}

/* ---- all of them ---- */

int record_triggers_parse(struct record_triggers *triggers, const char *command,
                          const struct option_list *texts)
{
    static const struct option_list usual = {{"fault", "verdict", "signal"}, 3};
    const struct option_list *list = texts->n > 0 ? texts : &usual;
    *triggers = (struct record_triggers){.command = command, .gateway = {wants, holds, triggers}};
    for (size_t i = 0; i < list->n; i++) {
        struct record_trigger *trigger = &triggers->items[triggers->n];
        if (triggers->n == RECORD_TRIGGERS_MAX || !read_one(trigger, list->items[i])) {
            fprintf(stderr,
                    "doppel %s: found '%s', expected fault, verdict, event[=TEXT], signal, a topic "
                    "(/Base/bumper) or a condition (RobotControl.nearest_m < 0.3)%s\n",
                    command, cli_clean(list->items[i]),
                    triggers->n == RECORD_TRIGGERS_MAX ? ": at most 32 of them" : "");
            return -1;
        }
        triggers->n++;
        if (trigger->kind == RECORD_ON_SIGNAL) {
            signal(SIGUSR1, on_signal);
        }
    }
    return 0;
}

int record_triggers_check(const struct record_triggers *triggers)
{
    for (size_t i = 0; i < triggers->n; i++) {
        const struct record_trigger *trigger = &triggers->items[i];
        if (trigger->path[0] && !trigger->topic) {
            fprintf(stderr,
                    "doppel %s: '%s': there is no topic '%s': `doppel topic list` lists them\n",
                    triggers->command, cli_clean(trigger->text), cli_clean(trigger->path));
            return -1;
        }
    }
    return 0;
}
