/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of whether there is room for results. No disk has an exabyte. */
#include "results_room.h"

#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include <doppel/component.h>
#include <doppel/host/app.h>

#define EXABYTE 1e18

Test(results_room, is_missed_where_less_is_free)
{
    struct dpl_diag error = {0};
    cr_assert_eq(results_room_check("--out", "/tmp", EXABYTE, &error), -ENOSPC);
    cr_assert(strstr(error.text, "--out: /tmp: about 1000000000000.0 MB are needed there, "), "%s",
              error.text);
    cr_assert_eq(results_room_check("--out", "/tmp", 1.0, &error), 0);
}

Test(results_room, of_a_file_that_is_not_there_yet_is_that_of_its_folder)
{
    struct dpl_diag error = {0};
    cr_assert_eq(results_room_check("--output", "/tmp/no_such_file.xml", EXABYTE, &error), -ENOSPC);
    cr_assert_eq(results_room_check("--output", "no_such_file.xml", EXABYTE, &error), -ENOSPC);
    cr_assert_eq(results_room_check("--output", "/no_such_file.xml", 1.0, &error), 0);
}

Test(results_room, is_enough_where_nobody_knows)
{
    struct dpl_diag error = {0};
    cr_assert_eq(results_room_check("--out", "/no/such/folder", EXABYTE, &error), 0);
    cr_assert_eq(results_room_check("--out", "/proc/self/stat", EXABYTE, &error), 0);
}

/* Two columns of a component, one of its device, and the time. */
Test(results_room, of_a_run_is_that_of_its_trace)
{
    static const struct dpl_field exports[] = {
        {.name = "a", .flags = DPL_FIELD_TRACE},
        {.name = "b", .flags = DPL_FIELD_TRACE | DPL_FIELD_SUMMARY},
        {.name = "c", .flags = DPL_FIELD_SUMMARY},
    };
    static const struct dpl_component_class class = {.exports = exports, .n_exports = 3};
    static const struct dpl_component_class quiet = {.exports = NULL};
    static const struct dpl_driver driver = {.exports = exports, .n_exports = 1};
    const struct dpl_app_device device = {.driver = &driver};
    const struct dpl_app_component components[] = {
        {.class_ = &class, .device = &device, .execution = {.period = 20 * DPL_MS}},
        {.class_ = &quiet, .execution = {.period = 10 * DPL_MS}},
    };
    const struct dpl_app app = {.components = components, .n_components = 2};
    double once = results_room_of_run(&app, 100.0), twice = results_room_of_run(&app, 200.0);
    double values = 100.0 * 50.0 * 4.0;
    cr_assert_geq(twice - once, 8.0 * values);
    cr_assert_leq(twice - once, 20.0 * values);
    cr_assert_gt(once, twice - once, "and the other files");
}
