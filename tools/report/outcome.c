/* SPDX-License-Identifier: Apache-2.0 */
#include "outcome.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define TAG_BYTES 96

__attribute__((format(printf, 2, 3))) static void add(char text[OUTCOME_BYTES], const char *format,
                                                      ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, OUTCOME_BYTES - used, format, args);
    va_end(args);
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* The largest "TAG.LEAF" and its TAG; NAN: there is none. */
static double largest(const json_t *summary, const char *leaf, char ret_tag[TAG_BYTES])
{
    json_t *all = (json_t *)(uintptr_t)summary, *value; /* iterators take no const */
    const char *key;
    double found = (double)NAN;
    json_object_foreach(all, key, value)
    {
        const char *dot = strrchr(key, '.');
        bool is_it = dot && strcmp(dot + 1, leaf) == 0 && json_is_number(value);
        if (is_it && !(json_number_value(value) <= found)) {
            found = json_number_value(value);
            snprintf(ret_tag, TAG_BYTES, "%.*s", (int)(dot - key), key);
        }
    }
    return found;
}

static double of_tag(const json_t *summary, const char *tag, const char *leaf)
{
    char key[TAG_BYTES + 32];
    snprintf(key, sizeof key, "%s.%s", tag, leaf);
    return number(summary, key);
}

static const char *length(double mm, char ret_text[24])
{
    snprintf(ret_text, 24, mm >= 1000.0 ? "%.2f m" : "%.0f mm", mm >= 1000.0 ? mm * 1e-3 : mm);
    return ret_text;
}

/* The true distance where it is known, else that by the poses which the run knew. */
static void add_distance(char text[OUTCOME_BYTES], const json_t *summary, const char *before)
{
    char tag[TAG_BYTES], rms_text[24], most_text[24];
    double most = largest(summary, "measured_max_mm", tag);
    if (!isfinite(most)) {
        return;
    }
    bool is_true = isfinite(of_tag(summary, tag, "true_max_mm"));
    most = is_true ? of_tag(summary, tag, "true_max_mm") : most;
    double rms = of_tag(summary, tag, is_true ? "true_rms_mm" : "measured_rms_mm");
    if (isfinite(rms)) {
        add(text, "%srobot and avatar %s apart RMS, at most %s (%s)", before, length(rms, rms_text),
            length(most, most_text), is_true ? "true distance" : "by the poses that the run knew");
    }
}

/* Whether a device counts contacts: without a world nothing does. */
static bool counts_contacts(const json_t *summary)
{
    json_t *devices = json_object_get(summary, "devices"), *device;
    const char *name;
    json_object_foreach(devices, name, device)
    {
        if (json_object_get(device, "contacts")) {
            return true;
        }
    }
    return false;
}

/* Of a test plan. */
static void add_steps(char text[OUTCOME_BYTES], const json_t *summary)
{
    static const char *const others[] = {"failed", "errors", "skipped"};
    static const char *const words[] = {"failed", "could not be judged", "skipped"};
    add(text, "%.0f steps passed", number(summary, "passed"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        double n = number(summary, others[i]);
        if (n > 0.0) {
            add(text, ", %.0f %s", n, words[i]);
        }
    }
}

void outcome_describe(const json_t *summary, char ret_text[OUTCOME_BYTES])
{
    const char *before = ": ";
    char tag[TAG_BYTES];
    double duration = number(summary, "duration_s");
    double driven = largest(summary, "distance_m", tag);
    double contacts = number(summary, "world.contacts");
    ret_text[0] = '\0';
    if (isfinite(number(summary, "passed"))) {
        add_steps(ret_text, summary);
        return;
    }
    if (isfinite(duration)) {
        add(ret_text, "ran %.1f s", duration);
    }
    if (isfinite(driven)) {
        add(ret_text, "%sdrove %.2f m", before, driven);
        before = ", ";
    }
    if (contacts > 0.0) {
        add(ret_text, "%s%.0f contact%s", before, contacts, contacts > 1.0 ? "s" : "");
        before = ", ";
    } else if (counts_contacts(summary)) {
        add(ret_text, "%sno contacts", before);
        before = ", ";
    }
    add_distance(ret_text, summary, before);
}
