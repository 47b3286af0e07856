/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a run is whole with all there can be and with next to nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "page.h"

static char folder[64];

static struct result read_run(const char *label, const char *summary, const char *trace)
{
    static char spec[4][128];
    static int n;
    struct result result;
    struct dpl_diag diag = {0};
    folder_write(folder, "summary.json", summary);
    folder_write(folder, "trace.csv", trace);
    snprintf(spec[n], sizeof spec[n], "%s=%s", label, folder);
    cr_assert_eq(result_read(spec[n++], &result, &diag), 0, "%s", diag.text);
    return result;
}

static void begin(void)
{
    strcpy(folder, "/tmp/doppel-page-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void end(void)
{
    folder_remove(folder);
}

TestSuite(page, .init = begin, .fini = end);

static char *write_page(const struct page *page)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    page_write(out, page);
    fclose(out);
    return text;
}

Test(page, is_whole_for_a_run_without_anything)
{
    struct result empty = read_run("empty", "{}", "");
    struct page page = {.title = "<&>", .main = &empty};
    char *text = write_page(&page);
    cr_assert_not_null(strstr(text, "<title>&lt;&amp;&gt;</title>"));
    cr_assert_not_null(strstr(text, "</html>"));
    cr_assert_null(strstr(text, "nan"));
    free(text);
    result_finish(&empty);
}

Test(page, shows_figures_ways_and_the_comparison)
{
    struct result ours =
        read_run("ours",
                 "{\"duration_s\": 12.34, \"sync.true_rms_mm\": 1.5, \"executors\": "
                 "{\"10 ms\": {\"cycles\": 99}}}",
                 "t,WheelController.x,WheelController.y,WheelController.simulation_x,"
                 "WheelController.simulation_y,sync.true_mm\n0,0,0,0,0,1\n1,1,0,1,0.1,2\n");
    struct result none =
        read_run("none<", "{\"sync.strategy\": \"none\"}", "t,sync.distance_mm\n0,10\n1,100\n");
    struct page page = {.title = "run", .main = &ours, .compared = &none, .n_compared = 1};
    char *text = write_page(&page);
    cr_assert_not_null(strstr(text, "12.3 s"));
    cr_assert_not_null(strstr(text, "none&lt;"));
    cr_assert_not_null(strstr(text, "avatar"));
    cr_assert_not_null(strstr(text, "10 ms"));
    cr_assert_not_null(strstr(text, "stroke-dasharray=\"6 4\""));
    free(text);
    result_finish(&ours);
    result_finish(&none);
}
