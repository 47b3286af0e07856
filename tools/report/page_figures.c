/* SPDX-License-Identifier: Apache-2.0 */
/* Key figures, each with a sentence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/field.h>

#include "page_parts.h"
#include "ways.h"

struct figure {
    const char *key; /* of the summary; of a robot: behind its tag */
    const char *label, *format, *meaning;
};

static const struct figure of_run[] = {
    {"duration_s", "duration", "%.1f s", "In the run's own time."},
    {"world.contacts", "contacts in the avatar's world", "%.0f",
     "How often a robot touched something there."},
    {"faults", "faults", "%.0f", "Errors of components and devices during the run."},
    {"first_cycle_ms", "time to the first cycle", "%.0f ms", "Since the program was started."},
    {"cpu_s", "processor time", "%.2f s", "Of all threads of the program."},
    {"passed", "steps passed", "%.0f", "Of the test plan, in all runs."},
    {"failed", "steps failed", "%.0f", "A requirement of the step was not met."},
    {"errors", "errors", "%.0f", "Steps that could not be judged."},
    {"skipped", "steps skipped", "%.0f", "Not done because of an earlier one."},
};

static const struct figure of_robot[] = {
    {"distance_m", "distance driven", "%.1f m", "Length of the robot's path by its odometry."},
};

static const struct figure of_sync[] = {
    {"measured_rms_mm", "distance of robot and avatar, measured RMS", "%.1f mm",
     "Root mean square over the run, by the poses that the run knew."},
    {"true_rms_mm", "true RMS", "%.1f mm",
     "The same by the true poses, which only a simulated or emulated robot has."},
    {"true_max_mm", "true largest", "%.1f mm", "The largest true distance of the run."},
    {"tracking", "tracking at the end", "%.3f",
     "1: the avatar is at the pose of the robot that the run knew, be that right or wrong; 0: far "
     "from it."},
    {"fidelity", "fidelity at the end", "%.3f",
     "1: the avatar is certainly where the robot is, by the Localizer; 0: it is not, or it is not "
     "known."},
};

/* Where a Localizer ran. */
static const struct figure of_search[] = {
    {"", "place not known", "%.1f s",
     "How long the Localizer did not know where the robot was. This time does not count in the "
     "measured distance."},
    {"relocations", "found elsewhere", "%.0f",
     "How often the Localizer found the robot in another pose than it had followed: in another "
     "place, or turned."},
};

static void write_figure(FILE *out, const char *of, const struct figure *figure, double value)
{
    if (!isfinite(value)) {
        return;
    }
    fprintf(out, "<div><b>");
    fprintf(out, figure->format, value);
    xml_print(out, "</b><span>%s", of);
    fprintf(out, "%s%s</span><p>%s</p></div>\n", *of ? ": " : "", figure->label, figure->meaning);
}

static void write_robot(FILE *out, const struct result *result, const struct robot *robot)
{
    const char *of = result->n_robots > 1 ? robot->name : "";
    for (size_t i = 0; i < DPL_COUNT(of_robot); i++) {
        write_figure(out, of, &of_robot[i], result_number_of(result, robot->tag, of_robot[i].key));
    }
    for (size_t i = 0; *robot->sync && i < DPL_COUNT(of_sync); i++) {
        write_figure(out, of, &of_sync[i], result_number_of(result, robot->sync, of_sync[i].key));
    }
    struct ways ways;
    bool at_end;
    ways_init_robot(&ways, &result->trace, robot);
    if (ways.searched) {
        write_figure(out, of, &of_search[0], ways_unknown_s(&ways, &at_end));
        write_figure(out, of, &of_search[1],
                     result_number_of(result, robot->sync, of_search[1].key));
    }
}

/* What the figures below do not say by themselves. */
static void write_lost(FILE *out, const struct result *result, const struct robot *robot)
{
    struct ways ways;
    bool at_end;
    ways_init_robot(&ways, &result->trace, robot);
    double time = ways_unknown_s(&ways, &at_end);
    if (!(time > 0.0)) {
        return;
    }
    xml_print(out, "<p class=\"trouble\"><b>%s", result->n_robots > 1 ? robot->name : "The robot");
    fprintf(out, " was lost</b> for %.1f s", time);
    double whole = result_number(result, "duration_s");
    if (whole > 0.0) {
        fprintf(out, " of %.1f s", whole);
    }
    fprintf(out,
            "%s: the Localizer did not know where it was. Meanwhile the avatar went on from the "
            "last place that was known, which may be metres from the robot; distances by the poses "
            "that the run knew do not tell.</p>\n",
            at_end ? ", also at the end" : "");
}

bool page_shows_unknown_place(const struct result *result)
{
    bool told = false;
    for (size_t i = 0; i < result->n_robots; i++) {
        struct ways ways;
        bool at_end;
        ways_init_robot(&ways, &result->trace, &result->robots[i]);
        told |= ways_unknown_s(&ways, &at_end) > 0.0;
    }
    return told;
}

/* That a Localizer's integrity monitor has not proven the place. */
static bool is_as_told(const struct result *result)
{
    const char *key;
    json_t *value;
    bool told = false;
    json_object_foreach(result->summary, key, value)
    {
        const char *dot = strrchr(key, '.'), *text = json_string_value(value);
        told |= dot && text && strcmp(dot, ".basis") == 0 && strcmp(text, "told") == 0;
    }
    return told;
}

/* What the figures and the map mean in this run. */
static void write_notes(FILE *out, const struct result *result)
{
    const struct robot *robot = result_main_robot(result);
    struct ways ways;
    if (result_was_interrupted(result)) {
        fprintf(out, "<p>The user ended this run before its end.</p>\n");
    }
    if (!robot) {
        return;
    }
    ways_init_robot(&ways, &result->trace, robot);
    if (ways.in_world && !ways.localized) {
        fprintf(out,
                "<p>%s: the avatar followed the robot's odometry, and the laser is drawn by it. "
                "Odometry drifts away from the true path.</p>\n",
                ways.searched ? "A Localizer ran, but never knew where the robot was"
                              : "No Localizer ran");
    }
    if (is_as_told(result)) {
        fprintf(out, "<p>Where the robot is follows from its start as it was told: scans do not "
                     "contradict it, and have not proven it.</p>\n");
    }
    if (isfinite(result_number_of(result, robot->sync, "measured_rms_mm"))) {
        fprintf(out,
                "<p>Measured: by the poses that the run knew (%s). True: by the true poses, "
                "which only a simulated robot has. An error of the measured poses is in the "
                "true distance only.</p>\n",
                ways.localized ? "of the Localizer" : "of odometry");
    }
}

static void write_verdict(FILE *out, const struct result *result)
{
    const char *verdict = result_text(result, "verdict");
    const json_t *expected = json_object_get(result->summary, "verdict.expected");
    if (*verdict) {
        fprintf(out, "<p class=\"%s\"><b>Verdict: ", json_is_true(expected) ? "good" : "trouble");
        xml_escape(out, verdict);
        fprintf(out, "</b>%s. ", json_is_true(expected) ? ", as expected" : ", not as expected");
        xml_print(out, "%s</p>\n", result_text(result, "verdict.text"));
    }
}

void page_write_figures(FILE *out, const struct result *result)
{
    write_verdict(out, result);
    for (size_t i = 0; i < result->n_robots; i++) {
        write_lost(out, result, &result->robots[i]);
    }
    fprintf(out, "<div class=\"figures\">\n");
    write_figure(out, "", &of_run[0], result_number(result, of_run[0].key));
    for (size_t i = 0; i < result->n_robots; i++) {
        write_robot(out, result, &result->robots[i]);
    }
    for (size_t i = 1; i < DPL_COUNT(of_run); i++) {
        write_figure(out, "", &of_run[i], result_number(result, of_run[i].key));
    }
    fprintf(out, "</div>\n");
    write_notes(out, result);
}
