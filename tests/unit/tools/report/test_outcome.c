/* SPDX-License-Identifier: Apache-2.0 */
/* What a run did, in one line. */
#include <stdio.h>

#include <criterion/criterion.h>

#include "outcome.h"

static const char *described(const char *summary)
{
    static char text[OUTCOME_BYTES];
    json_t *object = json_loads(summary, 0, NULL);
    cr_assert_not_null(object);
    outcome_describe(object, text);
    json_decref(object);
    return text;
}

Test(outcome, tells_metres_contacts_and_the_true_distance)
{
    cr_assert_str_eq(
        described("{\"duration_s\": 40.0, \"Wheels.distance_m\": 7.312, \"world.contacts\": 0,"
                  " \"devices\": {\"Wheels\": {\"contacts\": 0}},"
                  " \"sync.measured_rms_mm\": 1.0, \"sync.measured_max_mm\": 2.0,"
                  " \"sync.true_rms_mm\": 4.2, \"sync.true_max_mm\": 1234.0}"),
        "ran 40.0 s: drove 7.31 m, no contacts, robot and avatar 4 mm apart RMS, at most 1.23 m "
        "(true distance)");
}

Test(outcome, takes_no_error_of_a_localizer_for_a_distance)
{
    cr_assert_str_eq(
        described("{\"duration_s\": 4.0, \"loc.true_rms_mm\": 900.0, \"loc.true_max_mm\": 999.0,"
                  " \"sync.measured_rms_mm\": 1.0, \"sync.measured_max_mm\": 2.0}"),
        "ran 4.0 s: robot and avatar 1 mm apart RMS, at most 2 mm (by the poses that the run "
        "knew)");
}

Test(outcome, says_nothing_of_contacts_where_nothing_counts_them)
{
    cr_assert_str_eq(described("{\"duration_s\": 1.0, \"world.contacts\": 0}"), "ran 1.0 s");
    cr_assert_str_eq(described("{\"duration_s\": 1.0, \"world.contacts\": 2}"),
                     "ran 1.0 s: 2 contacts");
}

Test(outcome, of_a_test_plan_counts_the_steps)
{
    cr_assert_str_eq(
        described("{\"duration_s\": 9.0, \"passed\": 54, \"failed\": 1, \"errors\": 0}"),
        "54 steps passed, 1 failed");
}
