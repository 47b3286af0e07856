/* SPDX-License-Identifier: Apache-2.0 */
#include "mcap_series.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static char folder[] = "/tmp/mcap_series-XXXXXX", name[256];

static const char *path(const char *of)
{
    static char text[256];
    snprintf(text, sizeof text, "%s/%s", folder, of);
    return text;
}

static int make(const char *of)
{
    int fd = open(path(of), O_CREAT | O_WRONLY, 0600);
    cr_assert_geq(fd, 0);
    return fd;
}

static void setup(void)
{
    static const char *const others[] = {"run-0002.mcap",   "run-0010.mcap",  "run-0003.mcap",
                                         "run-12.mcap",     "run-0099.mcapx", "runs-0098.mcap",
                                         "run-0097-1.mcap", "run.mcap"};
    cr_assert(mkdtemp(folder));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        close(make(others[i]));
    }
}

static void teardown(void)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(mcap_series, .init = setup, .fini = teardown);

static int next(const char *of)
{
    char file[256];
    snprintf(file, sizeof file, "%s", path(of));
    return mcap_series_next(file, name, sizeof name);
}

Test(mcap_series, goes_on_behind_the_highest_number)
{
    cr_assert_eq(next("run.mcap"), 0);
    cr_assert_str_eq(name, path("run-0011.mcap"));
    cr_assert_eq(next("other.mcap"), 0);
    cr_assert_str_eq(name, path("other-0001.mcap"));
    cr_assert_eq(next("run"), 0);
    cr_assert_str_eq(name, path("run-0001"), "its names have no end");
}

Test(mcap_series, tells_that_no_number_is_left)
{
    char small[8];
    close(make("run-999999.mcap"));
    cr_assert_eq(next("run.mcap"), -EMFILE);
    cr_assert_eq(mcap_series_next("longer.mcap", small, sizeof small), -ENAMETOOLONG);
}

Test(mcap_series, removes_the_lowest_numbers)
{
    char file[256];
    snprintf(file, sizeof file, "%s", path("run.mcap"));
    mcap_series_prune(file, 3);
    cr_assert_eq(access(path("run-0002.mcap"), F_OK), 0);
    mcap_series_prune(file, 1);
    cr_assert_lt(access(path("run-0002.mcap"), F_OK), 0);
    cr_assert_lt(access(path("run-0003.mcap"), F_OK), 0);
    cr_assert_eq(access(path("run-0010.mcap"), F_OK), 0);
    cr_assert_eq(access(path("run-12.mcap"), F_OK), 0, "another file");
    cr_assert_eq(access(path("run-0097-1.mcap"), F_OK), 0, "another file");
}

Test(mcap_series, leaves_what_is_being_recorded)
{
    char file[256];
    snprintf(file, sizeof file, "%s", path("run.mcap"));
    int fd = make("run-0002.mcap");
    cr_assert_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
    mcap_series_prune(file, 0);
    cr_assert_eq(access(path("run-0002.mcap"), F_OK), 0);
    cr_assert_lt(access(path("run-0010.mcap"), F_OK), 0);
    close(fd);
}
