/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of hostile size or shape end in one clear error, and soon. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "fixture.h"

static char folder[64];

static void setup(void)
{
    setup_fixture();
    snprintf(folder, sizeof(folder), "/tmp/doppel-limits-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

static void finish(void)
{
    char command[128];
    finish_fixture();
    snprintf(command, sizeof(command), "rm -r '%s'", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(limits, .init = setup, .fini = finish);

static FILE *create(const char *name, char ret_path[128])
{
    snprintf(ret_path, 128, "%s/%s", folder, name);
    FILE *stream = fopen(ret_path, "w");
    cr_assert_not_null(stream);
    return stream;
}

static double seconds_of_check(const char *path, int expected)
{
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    cr_assert_eq(check(path, DPL_CHECK_RESOLVE), expected);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

static void assert_first_error(const char *text)
{
    cr_assert_gt(fixture.diags.n_errors, 0);
    cr_assert_not_null(strstr(fixture.diags.items[0].text, text), "%s",
                       fixture.diags.items[0].text);
}

static void write_composite(const char *name, const char *reference)
{
    char path[128];
    FILE *stream = create(name, path);
    fprintf(stream,
            "<composite_component_profile><name>c</name><subcomponents><subcomponent><name>In"
            "</name><reference>%s</reference></subcomponent></subcomponents>"
            "</composite_component_profile>",
            reference);
    fclose(stream);
}

Test(limits, finds_a_cycle_of_references_over_several_files)
{
    char path[128];
    write_composite("a.xml", "b.xml");
    write_composite("b.xml", "c.xml");
    write_composite("c.xml", "a.xml");
    snprintf(path, sizeof(path), "%s/a.xml", folder);
    cr_assert_eq(check(path, 0), -EINVAL);
    assert_only("c.xml", 1, 99, "a cycle of references");
}

Test(limits, bounds_the_nesting_of_composites)
{
    char name[16], next[16], path[128];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof(name), "n%d.xml", i);
        snprintf(next, sizeof(next), "n%d.xml", i + 1);
        write_composite(name, next);
    }
    snprintf(path, sizeof(path), "%s/n0.xml", folder);
    cr_assert_eq(check(path, 0), -EINVAL);
    assert_only("n15.xml", 1, 99, "nested too deeply (at most 16)");
}

Test(limits, bounds_composites_that_multiply)
{
    char name[16], path[128];
    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof(name), "m%d.xml", i);
        FILE *stream = create(name, path);
        fputs("<composite_component_profile><name>c</name><subcomponents>", stream);
        for (int k = 0; k < 10 && i < 11; k++) {
            fprintf(stream,
                    "<subcomponent><name>c%d</name><reference>m%d.xml</reference></subcomponent>",
                    k, i + 1);
        }
        fputs("</subcomponents></composite_component_profile>", stream);
        fclose(stream);
    }
    snprintf(path, sizeof(path), "%s/m0.xml", folder);
    cr_assert_lt(seconds_of_check(path, -EINVAL), 1.0);
    assert_first_error("more than 999 components");
}

static void write_large_application(FILE *stream, int n)
{
    fputs("<package_profile><name>a</name><subcomponents>", stream);
    for (int i = 0; i < n; i++) {
        fprintf(stream,
                "<subcomponent><name>c%d</name><reference>Logger.xml</reference></subcomponent>\n",
                i);
    }
    fputs("</subcomponents><coordination>", stream);
    for (int i = 0; i + 1 < n; i++) {
        fprintf(stream, "<depends source='c%d' target='c%d'/>\n", i, i + 1);
    }
    fputs("</coordination></package_profile>", stream);
}

Test(limits, loads_hundreds_of_components)
{
    char path[128];
    FILE *stream = create("large.xml", path);
    write_large_application(stream, 500);
    fclose(stream);
    cr_assert_lt(seconds_of_check(path, 0), 2.0);
    cr_assert_eq(fixture.diags.n, 0);
}

Test(limits, bounds_the_number_of_components)
{
    char path[128];
    FILE *stream = create("larger.xml", path);
    write_large_application(stream, 5000);
    fclose(stream);
    cr_assert_lt(seconds_of_check(path, -EINVAL), 2.0);
    assert_only("larger.xml", 1000, 1, "more than 999 components");
}

Test(limits, bounds_the_number_of_properties)
{
    char path[128];
    FILE *stream = create("properties.xml", path);
    fputs("<component_profile><name>Logger</name><properties>\n", stream);
    for (int i = 0; i < 50000; i++) {
        fprintf(stream, "<property name='p%d'>1</property>\n", i);
    }
    fputs("</properties></component_profile>", stream);
    fclose(stream);
    cr_assert_lt(seconds_of_check(path, -EINVAL), 2.0);
    assert_only("properties.xml", 1002, 1, "more than 1000 elements here");
}
