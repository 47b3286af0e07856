/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "top_table.h"

static struct dpl_bytes table, out;

static void setup(void)
{
    json_t *seen = json_loads(
        "{\"run\":\"Patrol\",\"time_s\":12.34,\"state\":{\"state\":\"running\",\"clock\":\"sim\","
        "\"real_time_factor\":4},\"executors\":[{\"name\":\"base\",\"period_ms\":50,\"cycles\":7,"
        "\"overruns\":1,\"missed\":2,\"p50_ms\":0.25,\"p99_ms\":0.5,\"max_ms\":1.5}],"
        "\"components\":[{\"name\":\"Base\",\"state\":\"ACTIVE\",\"class\":\"C\",\"executor\":"
        "\"base\"}],\"topics\":[{\"name\":\"/Base/odometry\",\"rate_hz\":20,\"bytes_per_s\":2000}],"
        "\"devices\":[{\"name\":\"Base\",\"values\":{\"volt\":12.5}}],\"log\":{\"level\":\"INFO\","
        "\"name\":\"Base\",\"message\":\"a\\u001b[2Jb\"}}",
        0, NULL);
    cr_assert_not_null(seen);
    top_table(seen, &table);
    dpl_bytes_number(&table, 0, 1);
    table.n--;
    json_decref(seen);
}

static void teardown(void)
{
    dpl_bytes_finish(&table);
    dpl_bytes_finish(&out);
}

TestSuite(top_table, .init = setup, .fini = teardown);

static size_t cut(size_t first, size_t rows, size_t columns)
{
    out.n = 0;
    size_t n = top_table_cut(&table, first, rows, columns, "\n", &out);
    dpl_bytes_number(&out, 0, 1);
    return n;
}

Test(top_table, shows_run_executors_components_topics_devices_and_log)
{
    static const char *const rows[] = {
        "Patrol  12.3 s  running  sim clock x 4.00\n",
        "base                  50.000         7        1      2   0.250   0.500   1.500\n",
        "Base                     ACTIVE     C                      base\n",
        "/Base/odometry                                         20.0        2.0\n",
        "Base                     {\"volt\":12.5}\n",
        "LOG  INFO Base: a [2Jb\n",
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert(strstr((const char *)table.data, rows[i]), "row %zu of\n%s", i,
                  (const char *)table.data);
    }
}

Test(top_table, cuts_to_the_screen_and_says_how_many_lines_are_more)
{
    size_t n = cut(0, 4, 20);
    cr_assert_eq(n, 10);
    const char *at = (const char *)out.data;
    for (int i = 0; i < 4; i++) {
        const char *end = strchr(at, '\n');
        cr_assert(end && end - at <= 20, "%s", at);
        at = end + 1;
    }
    cr_assert_str_empty(at);
    cr_assert(strstr((const char *)out.data, "\n7 lines more"), "%s", (const char *)out.data);
    cut(7, 4, 80);
    cr_assert(strncmp((const char *)out.data, "DEVICE\n", 7) == 0, "%s", (const char *)out.data);
    cr_assert_null(strstr((const char *)out.data, "lines more"));
}
