/* SPDX-License-Identifier: Apache-2.0 */
/* What a run's summary says of what went wrong. */
#include "findings.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "folder.h"
#include "page.h"

static struct findings findings;

static void read_text(const char *text)
{
    json_error_t error;
    json_t *summary = json_loads(text, 0, &error);
    cr_assert_not_null(summary, "%s", error.text);
    findings_read(summary, &findings);
    json_decref(summary);
}

static bool says(const char *text)
{
    for (size_t i = 0; i < findings.n; i++) {
        if (strstr(findings.items[i].text, text)) {
            return true;
        }
    }
    return false;
}

/* As written by a run: `more` changes or adds values. */
static void read_sync(const char *more)
{
    char text[2048];
    snprintf(text, sizeof text,
             "{\"duration_s\": 40.0, \"faults\": 0, \"exit\": 0, \"trace.dropped_rows\": 0, "
             "\"sync.safe_radius_mm\": 300.0, \"sync.ticks\": 400, \"sync.state\": \"OK\", "
             "\"sync.true_max_mm\": 6.0, \"sync.true_final_mm\": 2.0, "
             "\"sync.true_heading_max_deg\": 1.0, \"sync.measured_max_mm\": 5.0, "
             "\"sync.measured_heading_max_deg\": 1.0, \"sync.fidelity\": 0.97, "
             "\"sync.fidelity_cause\": \"none\", \"sync.diverged_ticks\": 0, "
             "\"sync.diverged_heading_ticks\": 0, \"sync.unknown_ticks\": 0, "
             "\"sync.lost_ticks\": 0, \"sync.localizer_refused\": 0, \"sync.refused_places\": 0, "
             "\"contacts\": {}, \"devices\": {\"Base\": {\"losses\": 0, \"lost\": false, "
             "\"contacts\": 0}}, \"components\": {\"Base\": {\"state\": \"INACTIVE\"}}%s%s}",
             *more ? ", " : "", more);
    read_text(text);
}

Test(findings, a_sound_run_has_none)
{
    read_sync("");
    cr_assert_eq(findings.n, 0, "%s", findings.items[0].text);
    read_text("{}");
    cr_assert_eq(findings.n, 0);
    read_text("{\"cart.speed\": 1.0, \"faults\": 0}");
    cr_assert_eq(findings.n, 0);
}

Test(findings, metres_off_come_first)
{
    read_sync("\"sync.true_max_mm\": 3333.5, \"sync.true_final_mm\": 3210.0, "
              "\"sync.unknown_ticks\": 285, \"sync.state\": \"UNKNOWN\", "
              "\"contacts\": {\"office/avatar\": {\"wall 3\": {\"n\": 2, \"first_s\": 12.34}}}");
    cr_assert_str_eq(
        findings.items[0].text,
        "the avatar was up to 3.33 m from the real robot, 3.21 m at the end (true distance)");
    cr_assert_str_eq(findings.items[1].text, "UNKNOWN for 28.5 s of 40.0 s, also at the end: it "
                                             "was not known where the real robot is");
    cr_assert(findings.items[1].of_place && !findings.items[0].of_place);
    cr_assert_str_eq(findings.items[2].text, "'avatar' touched 'wall 3' in the world 'office' 2 "
                                             "times, first at 12.3 s");
    cr_assert_eq(findings.n, 3);
}

Test(findings, a_distance_by_the_known_poses_counts_where_no_truth_is_known)
{
    read_sync("\"sync.true_max_mm\": null, \"sync.true_final_mm\": null, "
              "\"sync.measured_max_mm\": 412.0");
    cr_assert(says("up to 412 mm from the real robot (by the poses that the run knew)"), "%s",
              findings.items[0].text);
    read_sync("\"sync.safe_radius_mm\": 5.0");
    cr_assert(says("up to 6 mm from the real robot, 2 mm at the end"));
}

Test(findings, the_heading_is_named_where_it_is_the_cause)
{
    read_sync("\"sync.true_heading_max_deg\": 171.0, \"sync.diverged_ticks\": 30, "
              "\"sync.diverged_heading_ticks\": 30");
    cr_assert(says("heading was up to 171 deg off (true heading)"));
    cr_assert(says("DIVERGED for 3.0 s of 40.0 s: the avatar was turned too far from the robot"));
    read_sync("\"sync.diverged_ticks\": 30, \"sync.diverged_heading_ticks\": 4");
    cr_assert(says("too far from the robot, or turned too far"));
    read_sync("\"sync.diverged_ticks\": 30, \"sync.state\": \"DIVERGED\"");
    cr_assert(says("DIVERGED for 3.0 s of 40.0 s, also at the end: the avatar was too far from"));
    read_sync("\"sync.fidelity\": 0.12, \"sync.fidelity_cause\": \"heading\"");
    cr_assert(says("fidelity 0.12 at the end: the avatar is turned against the robot"));
}

Test(findings, states_in_which_the_avatar_stands_for_nothing_are_told)
{
    read_sync("\"sync.lost_ticks\": 10");
    cr_assert(says("LOST for 1.0 s of 40.0 s: no pose of"));
    read_sync("\"sync.state\": \"INIT\"");
    cr_assert(says("INIT at the end"));
    read_sync("\"sync.state\": \"STALE\"");
    cr_assert(says("STALE at the end"));
    read_sync("\"sync.localizer_refused\": 285");
    cr_assert(says("refused in 285 corrections"));
    read_sync("\"sync.refused_places\": 2");
    cr_assert(says("could not be put where the robot was found, 2 times"));
}

Test(findings, an_interval_that_did_not_hold_the_truth_is_told)
{
    read_sync("\"sync.interval_held\": 0.17, \"sync.interval_judged\": 798");
    cr_assert(says("outside of the published limit in 83 % of the corrections"));
    read_sync("\"sync.interval_held\": 0.9, \"sync.interval_judged\": 798");
    cr_assert_eq(findings.n, 0);
    read_sync("\"sync.interval_held\": 0.0, \"sync.interval_judged\": 3");
    cr_assert_eq(findings.n, 0);
}

Test(findings, of_several_robots_each_is_named)
{
    read_text("{\"duration_s\": 10, \"left.diverged_ticks\": 1, \"left.ticks\": 100, "
              "\"left.state\": \"OK\", \"right.diverged_ticks\": 0, \"right.ticks\": 100, "
              "\"right.state\": \"LOST\"}");
    cr_assert(says("left: DIVERGED for 0.1 s"));
    cr_assert(says("right: LOST, also at the end"));
    cr_assert_eq(findings.n, 2);
}

Test(findings, a_localizer_without_an_avatar_tells_that_it_was_lost)
{
    read_text("{\"loc.state\": \"AMBIGUOUS\", \"loc.lost_cycles\": 80}");
    cr_assert(says("did not know where the robot was, also at the end: AMBIGUOUS"));
    read_text("{\"loc.state\": \"TRACKING\", \"loc.lost_cycles\": 80}");
    cr_assert(says("did not know where the robot was for a time"));
    read_text("{\"loc.state\": \"TRACKING\", \"loc.lost_cycles\": 0}");
    cr_assert_eq(findings.n, 0);
}

Test(findings, devices_components_faults_and_rows_are_told)
{
    read_sync("\"devices\": {\"Laser\": {\"losses\": 2, \"lost\": true}, \"Base\": {\"losses\": 1, "
              "\"lost\": false, \"contacts\": 3}}, \"components\": {\"Laser\": {\"state\": "
              "\"ERROR\"}}, \"faults\": 2, \"trace.dropped_rows\": 7");
    cr_assert(says("the device 'Laser' was lost 2 times, also at the end"));
    cr_assert(says("the device 'Base' was lost 1 time"));
    cr_assert(says("the robot of the device 'Base' touched something 3 times"));
    cr_assert(says("the component 'Laser' ended in ERROR"));
    cr_assert(says("2 faults"));
    cr_assert(says("7 rows are missing"));
}

Test(findings, a_device_that_lost_a_side_is_told_once)
{
    read_sync("\"devices\": {\"Base.hardware\": {\"losses\": 1, \"lost\": true}, \"Base\": "
              "{\"losses\": 1, \"lost\": true}, \"Baser\": {\"losses\": 0, \"lost\": false}}");
    cr_assert_eq(findings.n, 1);
    cr_assert(says("'Base.hardware' was lost 1 time, also at the end"));
}

Test(findings, have_no_control_characters)
{
    read_sync("\"contacts\": {\"w/avatar\": {\"box \\u001b[2J\\u0085\\n\\u00fc\": {\"n\": 1, "
              "\"first_s\": 1.0}}}");
    cr_assert_str_eq(findings.items[0].text, "'avatar' touched 'box ?[2J???\xc3\xbc' in the world "
                                             "'w' 1 time, first at 1.0 s");
}

Test(findings, more_than_there_is_room_for_are_counted)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "{\"contacts\": {\"w/a\": {");
    for (int i = 0; i < FINDINGS_MAX + 5; i++) {
        fprintf(out, "%s\"box %d\": {\"n\": 1, \"first_s\": 1.0}", i > 0 ? "," : "", i);
    }
    fprintf(out, "}}}");
    fclose(out);
    read_text(text);
    free(text);
    cr_assert_eq(findings.n, FINDINGS_MAX);
    cr_assert_eq(findings.n_more, 5);
}

/* First on the page, in red. */
Test(findings, are_the_first_words_of_the_page)
{
    char folder[] = "/tmp/doppel-findings-XXXXXX", spec[64], *text;
    size_t size;
    struct result run;
    struct dpl_diag diag = {0};
    cr_assert_not_null(mkdtemp(folder));
    folder_write(folder, "summary.json",
                 "{\"duration_s\": 2, \"sync.ticks\": 20, \"sync.state\": \"DIVERGED\", "
                 "\"sync.diverged_ticks\": 10, \"sync.true_max_mm\": 2500.0}");
    folder_write(folder, "trace.csv", "t,sync.true_mm,sync.state\n0,1,OK\n1,2500,DIVERGED\n");
    snprintf(spec, sizeof spec, "run=%s", folder);
    cr_assert_eq(result_read(spec, &run, &diag), 0, "%s", diag.text);
    FILE *out = open_memstream(&text, &size);
    page_write(out, &(struct page){.title = "run", .main = &run});
    fclose(out);
    char *told = strstr(text, "<p class=\"trouble\"><b>run</b>: the avatar was up to 2.50 m");
    cr_assert_not_null(told, "%s", text);
    cr_assert_lt(told, strstr(text, "<div class=\"figures\">"));
    cr_assert_not_null(strstr(text, "DIVERGED for 1.0 s of 2.0 s, also at the end"));
    free(text);
    result_finish(&run);
    folder_remove(folder);
}

/* A run that was killed has no summary: its rows tell. */
Test(findings, of_a_run_that_was_killed_are_told_from_its_rows)
{
    char folder[] = "/tmp/doppel-findings-XXXXXX", spec[64];
    struct result run;
    struct dpl_diag diag = {0};
    cr_assert_not_null(mkdtemp(folder));
    folder_write(folder, "trace.csv.part",
                 "t,sync.true_mm,sync.distance_mm,sync.state\n0,1,1,OK\n1,2500,1,OK\n2,2600,1,"
                 "UNKNOWN\n3,2600,1,UNKNOWN\n");
    snprintf(spec, sizeof spec, "run=%s", folder);
    cr_assert_eq(result_read(spec, &run, &diag), 0, "%s", diag.text);
    findings_read(run.summary, &findings);
    cr_assert(says("the avatar was up to 2.60 m"), "%zu", findings.n);
    cr_assert(says("UNKNOWN for 1.5 s of 3.0 s"), "%zu", findings.n);
    result_finish(&run);
    folder_remove(folder);
}
