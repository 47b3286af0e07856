/* SPDX-License-Identifier: Apache-2.0 */
#include "record_files.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

static struct record_plan plan;

static int read_split(const char *text)
{
    struct record_files files = RECORD_FILES_NONE;
    files.split = text;
    return record_files_read("run", &files, true, &plan);
}

Test(record_files, splits_by_size_and_time)
{
    cr_assert_eq(read_split("100MB"), 0);
    cr_assert_eq(plan.split_mb, 100);
    cr_assert_eq(plan.split_s, 0.0);
    cr_assert_eq(read_split("2GB"), 0);
    cr_assert_eq(plan.split_mb, 2000);
    cr_assert_eq(read_split("1.5min"), 0);
    cr_assert_eq(plan.split_mb, 0);
    cr_assert_eq(plan.split_s, 90.0);
    cr_assert(!plan.is_triggered);
}

Test(record_files, refuses_what_has_no_meaning, .init = cr_redirect_stderr)
{
    static const char *const none[] = {"100", "MB", "0s", "-5s", "5 s", "5kB", "nanMB", "1e9s", ""};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        cr_assert_eq(read_split(none[i]), -1, "%s", none[i]);
    }
    struct record_files files = RECORD_FILES_NONE;
    files.most = 3;
    cr_assert_eq(record_files_read("run", &files, true, &plan), -1, "of what");
    files.split = "1s";
    cr_assert_eq(record_files_read("run", &files, false, &plan), -1, "nothing is recorded");
    files.before_s = 1.0;
    cr_assert_eq(record_files_read("run", &files, true, &plan), -1, "both");
}

Test(record_files, has_a_usual_time_before_and_after_a_trigger)
{
    struct record_files files = RECORD_FILES_NONE;
    struct dpl_mcap_options options = {.ring_mib = 1};
    files.on.items[files.on.n++] = "fault";
    cr_assert_eq(record_files_read("run", &files, true, &plan), 0);
    record_plan_apply(&plan, &options);
    cr_assert_eq(options.before_s, 10.0);
    cr_assert_eq(options.after_s, 5.0);
    cr_assert_eq(options.trigger, &plan.triggers.gateway);
    cr_assert_eq(record_files_read("run", &(struct record_files)RECORD_FILES_NONE, true, &plan), 0);
    record_plan_apply(&plan, &options);
    cr_assert_null(options.trigger);
}
