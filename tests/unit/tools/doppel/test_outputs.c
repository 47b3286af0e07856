/* SPDX-License-Identifier: Apache-2.0 */
/* No command overwrites what it reads, or one of its outputs with another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "outputs.h"

static char folder[64];

static const char *in_folder(const char *name)
{
    static char paths[8][128];
    static int n;
    char *path = paths[n++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put(const char *name)
{
    FILE *file = fopen(in_folder(name), "w");
    cr_assert_not_null(file);
    fclose(file);
}

static void begin(void)
{
    strcpy(folder, "/tmp/doppel-outputs-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(mkdir(in_folder("run"), 0700), 0);
    put("run/scans.csv");
    put("robot.log");
}

static void end(void)
{
    unlink(in_folder("run/link.xml"));
    unlink(in_folder("run/scans.csv"));
    unlink(in_folder("robot.log"));
    rmdir(in_folder("run"));
    rmdir(folder);
}

TestSuite(outputs, .init = begin, .fini = end);

static int check(const char *output, const char *second, const char *input)
{
    struct cli_path outputs[] = {{"--output", output}, {"--picture", second}};
    struct cli_path inputs[] = {{"RECORDING", input}, {"--robot", NULL}};
    return cli_check_outputs("map", outputs, 2, inputs, 2);
}

Test(outputs, may_be_new_files_and_older_outputs)
{
    cr_assert_eq(check(in_folder("map.xml"), in_folder("map.svg"), in_folder("robot.log")), 0);
    cr_assert_eq(check(in_folder("run/map.xml"), NULL, in_folder("run")), 0);
    cr_assert_eq(check(NULL, NULL, in_folder("run")), 0);
}

Test(outputs, are_not_the_input)
{
    cr_assert_eq(check(in_folder("robot.log"), NULL, in_folder("robot.log")), -1);
    cr_assert_eq(check(in_folder("run/../robot.log"), NULL, in_folder("robot.log")), -1);
    cr_assert_eq(check(in_folder("map.xml"), in_folder("robot.log"), in_folder("robot.log")), -1);
}

Test(outputs, are_not_another_name_of_the_input)
{
    cr_assert_eq(symlink(in_folder("robot.log"), in_folder("run/link.xml")), 0);
    cr_assert_eq(check(in_folder("run/link.xml"), NULL, in_folder("robot.log")), -1);
    unlink(in_folder("run/link.xml"));
    cr_assert_eq(link(in_folder("robot.log"), in_folder("run/link.xml")), 0);
    cr_assert_eq(check(in_folder("run/link.xml"), NULL, in_folder("robot.log")), -1);
}

Test(outputs, are_no_result_in_the_folder_of_a_run)
{
    cr_assert_eq(check(in_folder("run/scans.csv"), NULL, in_folder("run")), -1);
    cr_assert_eq(check(in_folder("run/../run/scans.csv"), NULL, in_folder("run/")), -1);
    cr_assert_eq(check(in_folder("run/trace.csv"), NULL, in_folder("run")), -1,
                 "its part is a result that is read");
}

Test(outputs, are_not_each_other)
{
    cr_assert_eq(check(in_folder("m.xml"), in_folder("m.xml"), in_folder("robot.log")), -1);
    cr_assert_eq(check(in_folder("m.xml"), in_folder("run/../m.xml"), in_folder("robot.log")), -1);
    cr_assert_eq(check(in_folder("m.xml"), in_folder("m.xml.part"), in_folder("robot.log")), -1);
    cr_assert_eq(check("m.xml", "./m.xml", in_folder("robot.log")), -1);
}

Test(outputs, may_all_go_to_one_device)
{
    cr_assert_eq(check("/dev/null", "/dev/null", in_folder("robot.log")), 0);
}
