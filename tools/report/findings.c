/* SPDX-License-Identifier: Apache-2.0 */
#include "findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define TAG_BYTES      96
#define KEY_BYTES      (TAG_BYTES + 64)
#define SAFE_RADIUS_MM 300.0 /* where the run does not tell its own */
#define SAFE_TURN_DEG  35.0  /* a Synchronizer's bound of DIVERGED */
#define LOW_FIDELITY   0.5
#define LOW_HELD       0.8 /* an interval that is a little too narrow is no wrong one */
#define LEAST_JUDGED   20.0

static bool is_control(const unsigned char *c)
{
    return c[0] < 0x20 || c[0] == 0x7f || (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0);
}

/* Names in worlds and texts of peers may have bytes that a terminal obeys. */
static void clean(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c != '\0'; c++) {
        if (is_control(c)) {
            c[1] = c[0] == 0xc2 ? '?' : c[1];
            c[0] = '?';
        }
    }
}

__attribute__((format(printf, 2, 3))) static void add(struct findings *findings, const char *format,
                                                      ...)
{
    if (findings->n == FINDINGS_MAX) {
        findings->n_more++;
        return;
    }
    va_list args;
    va_start(args, format);
    char *text = findings->items[findings->n++].text;
    vsnprintf(text, FINDING_BYTES, format, args);
    va_end(args);
    clean(text);
}

/* ---- values of one component ---- */

struct part {
    const json_t *summary;
    const char *tag;
    char before[TAG_BYTES + 2]; /* "TAG: " where there are several */
};

static const json_t *value_of(const struct part *part, const char *leaf)
{
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "%s.%s", part->tag, leaf);
    return json_object_get(part->summary, key);
}

static double number_of(const struct part *part, const char *leaf)
{
    const json_t *value = value_of(part, leaf);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static const char *text_of(const struct part *part, const char *leaf)
{
    const char *text = json_string_value(value_of(part, leaf));
    return text ? text : "";
}

static double plain_number(const json_t *summary, const char *key)
{
    const json_t *value = json_object_get(summary, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* "3.33 m" or "54 mm". */
static const char *length(double mm, char ret_text[24])
{
    snprintf(ret_text, 24, mm >= 1000.0 ? "%.2f m" : "%.0f mm", mm >= 1000.0 ? mm * 1e-3 : mm);
    return ret_text;
}

/* ---- robot and avatar ---- */

/* The true distance where it is known, else that by the poses which the run knew. */
static void add_distance(struct findings *findings, const struct part *part)
{
    char most_text[24], end_text[24], end[64] = "";
    double most = number_of(part, "true_max_mm"), radius = number_of(part, "safe_radius_mm");
    double at_end = number_of(part, "true_final_mm");
    bool is_true = isfinite(most);
    most = is_true ? most : number_of(part, "measured_max_mm");
    if (!(most > (isfinite(radius) ? radius : SAFE_RADIUS_MM))) {
        return;
    }
    if (isfinite(at_end)) {
        snprintf(end, sizeof end, ", %s at the end", length(at_end, end_text));
    }
    add(findings, "%sthe avatar was up to %s from the real robot%s (%s)", part->before,
        length(most, most_text), end, is_true ? "true distance" : "by the poses that the run knew");
}

static void add_heading(struct findings *findings, const struct part *part)
{
    double most = number_of(part, "true_heading_max_deg");
    bool is_true = isfinite(most);
    most = is_true ? most : number_of(part, "measured_heading_max_deg");
    if (most > SAFE_TURN_DEG) {
        add(findings, "%sthe avatar's heading was up to %.0f deg off (%s)", part->before, most,
            is_true ? "true heading" : "by the poses that the run knew");
    }
}

/* "DIVERGED for 3.2 s, also at the end". */
static bool describe_state(const struct part *part, const char *state, const char *leaf,
                           char *ret_text, size_t size)
{
    double n = number_of(part, leaf), ticks = number_of(part, "ticks");
    double duration_s = plain_number(part->summary, "duration_s");
    bool at_end = strcmp(text_of(part, "state"), state) == 0;
    char time[48] = "";
    if (!(n > 0.0) && !at_end) {
        return false;
    }
    if (n > 0.0 && ticks > 0.0 && isfinite(duration_s)) {
        snprintf(time, sizeof time, " for %.1f s of %.1f s", n / ticks * duration_s, duration_s);
    }
    snprintf(ret_text, size, "%s%s%s", state, time, at_end ? ", also at the end" : "");
    return true;
}

static void add_states(struct findings *findings, const struct part *part)
{
    char text[96];
    if (describe_state(part, "DIVERGED", "diverged_ticks", text, sizeof text)) {
        double by_heading = number_of(part, "diverged_heading_ticks");
        double n = number_of(part, "diverged_ticks");
        add(findings, "%s%s: the avatar %s", part->before, text,
            by_heading > 0.0 && by_heading >= n
                ? "was turned too far from the robot; the distance was small"
            : by_heading > 0.0 ? "was too far from the robot, or turned too far"
                               : "was too far from the robot");
    }
    if (describe_state(part, "UNKNOWN", "unknown_ticks", text, sizeof text)) {
        size_t i = findings->n;
        add(findings, "%s%s: it was not known where the real robot is", part->before, text);
        findings->items[i < FINDINGS_MAX ? i : 0].of_place |= i < FINDINGS_MAX;
    }
    if (describe_state(part, "LOST", "lost_ticks", text, sizeof text)) {
        add(findings, "%s%s: no pose of the real robot or of the avatar came", part->before, text);
    }
    const char *state = text_of(part, "state");
    if (strcmp(state, "INIT") == 0 || strcmp(state, "STALE") == 0 ||
        strcmp(state, "DEGRADED") == 0) {
        add(findings, "%s%s at the end: %s", part->before, state,
            state[0] == 'I' ? "the avatar has never followed the robot"
                            : "the newest pose of the robot or of the avatar is old");
    }
}

static const char *words_of_cause(const char *cause)
{
    static const char *const words[][2] = {
        {"distance", "the avatar is away from the robot"},
        {"heading", "the avatar is turned against the robot"},
        {"unsure_position", "the robot's position is not sure"},
        {"unsure_heading", "the robot's heading is not sure"},
        {"scan", "the scan fits worse at the avatar"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i][0], cause) == 0) {
            return words[i][1];
        }
    }
    return NULL;
}

static void add_fidelity(struct findings *findings, const struct part *part)
{
    double fidelity = number_of(part, "fidelity");
    bool known = isfinite(fidelity);
    double value = known ? fidelity : number_of(part, "tracking");
    const char *cause = words_of_cause(text_of(part, "fidelity_cause"));
    if (value < LOW_FIDELITY && strcmp(text_of(part, "state"), "OK") == 0) {
        add(findings, "%s%s %.2f at the end%s%s", part->before, known ? "fidelity" : "tracking",
            value, cause ? ": " : "", cause ? cause : "");
    }
}

/* Where the true distance is known: what the run published of it was wrong. */
static void add_interval(struct findings *findings, const struct part *part)
{
    double held = number_of(part, "interval_held");
    if (held < LOW_HELD && number_of(part, "interval_judged") >= LEAST_JUDGED) {
        add(findings,
            "%sthe true distance was outside of the published limit in %.0f %% of the "
            "corrections",
            part->before, 100.0 * (1.0 - held));
    }
}

static void add_sync(struct findings *findings, const struct part *part)
{
    double refused = number_of(part, "localizer_refused");
    double places = number_of(part, "refused_places");
    add_distance(findings, part);
    add_heading(findings, part);
    add_states(findings, part);
    if (refused > 0.0) {
        add(findings,
            "%smessages of the Localizer were refused in %.0f corrections, for their numbers "
            "cannot be",
            part->before, refused);
    }
    if (places > 0.0) {
        add(findings, "%sthe avatar could not be put where the robot was found, %.0f times",
            part->before, places);
    }
    add_interval(findings, part);
    add_fidelity(findings, part);
}

/* A Localizer alone: where a Synchronizer ran, that tells it. */
static void add_localizer(struct findings *findings, const struct part *part)
{
    const char *state = text_of(part, "state");
    bool lost = strcmp(state, "LOST") == 0 || strcmp(state, "AMBIGUOUS") == 0 ||
                strcmp(state, "MAP_WRONG") == 0;
    double cycles = number_of(part, "lost_cycles");
    if (lost || cycles > 0.0) {
        add(findings, "%sthe Localizer did not know where the robot was%s%s", part->before,
            lost ? ", also at the end: " : " for a time", lost ? state : "");
    }
}

/* The tag of a key "TAG.LEAF". */
static bool tag_of(const char *key, const char *leaf, char ret_tag[TAG_BYTES])
{
    const char *dot = strrchr(key, '.');
    if (!dot || strcmp(dot + 1, leaf) != 0 || dot - key >= TAG_BYTES) {
        return false;
    }
    snprintf(ret_tag, TAG_BYTES, "%.*s", (int)(dot - key), key);
    return true;
}

static size_t count_parts(json_t *summary, const char *leaf)
{
    char tag[TAG_BYTES];
    const char *key;
    json_t *value;
    size_t n = 0;
    json_object_foreach(summary, key, value)
    {
        n += tag_of(key, leaf, tag);
    }
    return n;
}

/* For each component that has this value. */
static size_t add_parts(struct findings *findings, const json_t *summary, const char *leaf,
                        void (*add_part)(struct findings *findings, const struct part *part))
{
    json_t *all = (json_t *)(uintptr_t)summary, *value; /* iterators take no const */
    const char *key;
    size_t n = count_parts(all, leaf);
    json_object_foreach(all, key, value)
    {
        char tag[TAG_BYTES];
        if (tag_of(key, leaf, tag)) {
            struct part part = {.summary = summary, .tag = tag};
            snprintf(part.before, sizeof part.before, "%s%s", n > 1 ? tag : "", n > 1 ? ": " : "");
            add_part(findings, &part);
        }
    }
    return n;
}

/* ---- the run ---- */

static void add_contacts(struct findings *findings, const json_t *summary)
{
    const char *robot, *with;
    json_t *contacts, *contact;
    json_object_foreach(json_object_get(summary, "contacts"), robot, contacts)
    {
        const char *slash = strrchr(robot, '/');
        json_object_foreach(contacts, with, contact)
        {
            double n = plain_number(contact, "n");
            add(findings, "'%s' touched '%s' in the world '%.*s' %.0f time%s, first at %.1f s",
                slash ? slash + 1 : robot, with, slash ? (int)(slash - robot) : 0, robot, n,
                n > 1.0 ? "s" : "", plain_number(contact, "first_s"));
        }
    }
}

static bool is_lost(const json_t *device)
{
    return plain_number(device, "losses") > 0.0 || json_is_true(json_object_get(device, "lost"));
}

/* Whether one of its sides was lost, which is told: "NAME.hardware". */
static bool has_lost_side(json_t *devices, const char *name)
{
    const char *other;
    json_t *one;
    size_t n = strlen(name);
    bool any = false;
    json_object_foreach(devices, other, one)
    {
        any |= strncmp(other, name, n) == 0 && other[n] == '.' && is_lost(one);
    }
    return any;
}

static void add_devices(struct findings *findings, const json_t *summary)
{
    const char *name;
    json_t *one, *devices = json_object_get(summary, "devices");
    bool told = json_object_size(json_object_get(summary, "contacts")) > 0;
    json_object_foreach(devices, name, one)
    {
        double losses = plain_number(one, "losses"), contacts = plain_number(one, "contacts");
        bool lost = json_is_true(json_object_get(one, "lost"));
        if (is_lost(one) && !has_lost_side(devices, name)) {
            add(findings, "the device '%s' was lost %.0f time%s%s", name, fmax(losses, 1.0),
                losses > 1.0 ? "s" : "", lost ? ", also at the end" : "");
        }
        if (contacts > 0.0 && !told) {
            add(findings, "the robot of the device '%s' touched something %.0f times", name,
                contacts);
        }
    }
    json_object_foreach(json_object_get(summary, "components"), name, one)
    {
        const char *state = json_string_value(json_object_get(one, "state"));
        if (state && strcmp(state, "ERROR") == 0) {
            add(findings, "the component '%s' ended in ERROR", name);
        }
    }
}

void findings_read(const json_t *summary, struct findings *ret_findings)
{
    *ret_findings = (struct findings){.n = 0};
    double faults = plain_number(summary, "faults");
    double rows = plain_number(summary, "trace.dropped_rows");
    bool failed = json_is_string(json_object_get(summary, "error"));
    if (add_parts(ret_findings, summary, "diverged_ticks", add_sync) == 0) {
        add_parts(ret_findings, summary, "lost_cycles", add_localizer);
    }
    add_contacts(ret_findings, summary);
    add_devices(ret_findings, summary);
    if (faults > 0.0 && !failed) {
        add(ret_findings, "%.0f fault%s; the log says which", faults, faults > 1.0 ? "s" : "");
    }
    if (rows > 0.0) {
        add(ret_findings, "%.0f rows are missing in trace.csv", rows);
    }
}
