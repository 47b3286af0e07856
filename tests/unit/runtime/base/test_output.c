/* SPDX-License-Identifier: Apache-2.0 */
/* Files that get their name when they are whole. */
#include <doppel/output.h>

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/doppel-output-XXXXXX";
static char file[64], part[80], link_name[64];
static struct dpl_output output;
static struct dpl_diag diag;

static void setup(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/trace.csv", folder);
    snprintf(part, sizeof part, "%s.part", file);
    snprintf(link_name, sizeof link_name, "%s/link", folder);
}

static void teardown(void)
{
    unlink(file);
    unlink(part);
    unlink(link_name);
    rmdir(folder);
}

TestSuite(output, .init = setup, .fini = teardown);

static void put(const char *name, const char *text)
{
    cr_assert_eq(dpl_output_open(&output, name, &diag), 0, "%s", diag.text);
    fputs(text, output.stream);
}

static void expect(const char *name, const char *text)
{
    char got[64] = "";
    FILE *stream = fopen(name, "r");
    cr_assert_not_null(stream, "%s", name);
    got[fread(got, 1, sizeof got - 1, stream)] = '\0';
    fclose(stream);
    cr_assert_str_eq(got, text);
}

static bool is_there(const char *name)
{
    return access(name, F_OK) == 0;
}

Test(output, gets_its_name_when_it_is_whole)
{
    put(file, "one\n");
    cr_assert(!is_there(file) && is_there(part));
    cr_assert_eq(dpl_output_close(&output, &diag), 0);
    cr_assert_null(output.stream);
    cr_assert_not(is_there(part));
    expect(file, "one\n");
}

Test(output, stands_in_place_of_an_older_file_only_at_its_end)
{
    put(file, "one\n");
    cr_assert_eq(dpl_output_close(&output, &diag), 0);
    chmod(file, 0640);
    put(file, "two\n");
    fflush(output.stream);
    expect(file, "one\n");
    cr_assert_eq(dpl_output_close(&output, &diag), 0);
    expect(file, "two\n");
    struct stat info;
    cr_assert_eq(stat(file, &info), 0);
    cr_assert_eq(info.st_mode & 0777, 0640, "the mode of the older file");
}

Test(output, that_is_abandoned_leaves_what_was_there)
{
    put(file, "one\n");
    cr_assert_eq(dpl_output_close(&output, &diag), 0);
    put(file, "two\n");
    dpl_output_abandon(&output);
    expect(file, "one\n");
    cr_assert_not(is_there(part));
    dpl_output_abandon(&output);
    cr_assert_eq(dpl_output_close(&output, &diag), 0, "not open: nothing");
}

/* The cause comes from a write in the middle; stdio has forgotten it by the end. */
Test(output, without_room_tells_file_and_cause_and_leaves_its_part)
{
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {100000, RLIM_INFINITY};
    put(file, "one\n");
    cr_assert_eq(dpl_output_close(&output, &diag), 0);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert_eq(dpl_output_open(&output, file, &diag), 0);
    for (int i = 0; i < 50000; i++) {
        fprintf(output.stream, "%d\n", i);
    }
    cr_assert_eq(output.error, EFBIG, "it can be seen before the end");
    errno = 0;
    cr_assert_eq(dpl_output_close(&output, &diag), -EFBIG);
    cr_assert_not_null(strstr(diag.text, "/trace.csv': File too large; "), "%s", diag.text);
    expect(file, "one\n");
    struct stat info;
    cr_assert_eq(stat(part, &info), 0);
    cr_assert_eq(info.st_size, 100000);
}

Test(output, that_is_set_aside_gets_another_name)
{
    put(file, "one\n");
    cr_assert_eq(dpl_output_close(&output, &diag), 0);
    put(file, "two\n");
    cr_assert_eq(dpl_output_set_aside(&output, link_name, &diag), 0);
    cr_assert_null(output.stream);
    expect(file, "one\n");
    expect(link_name, "two\n");
    put(file, "three\n");
    cr_assert_eq(dpl_output_set_aside(&output, "/nowhere/file", &diag), -ENOENT);
    cr_assert_not_null(strstr(diag.text, "No such file"), "%s", diag.text);
}

Test(output, writes_a_device_directly_and_tells_that_it_is_full)
{
    put("/dev/full", "one\n");
    cr_assert_not(is_there("/dev/full.part"));
    cr_assert_eq(dpl_output_close(&output, &diag), -ENOSPC);
    cr_assert_str_eq(diag.text, "cannot write '/dev/full': No space left on device");
    put("/dev/null", "one\n");
    cr_assert_eq(dpl_output_close(&output, &diag), 0);
}

Test(output, through_a_link_replaces_the_file_and_not_the_link)
{
    put(file, "one\n");
    cr_assert_eq(dpl_output_close(&output, &diag), 0);
    cr_assert_eq(symlink(file, link_name), 0);
    put(link_name, "two\n");
    cr_assert_eq(dpl_output_close(&output, &diag), 0);
    struct stat info;
    cr_assert_eq(lstat(link_name, &info), 0);
    cr_assert(S_ISLNK(info.st_mode));
    expect(file, "two\n");
}

Test(output, that_cannot_be_opened_tells_why)
{
    char absent[64], too_long[5000];
    snprintf(absent, sizeof absent, "%s/absent/file", folder);
    cr_assert_eq(dpl_output_open(&output, absent, &diag), -ENOENT);
    cr_assert_not_null(strstr(diag.text, "No such file or directory"), "%s", diag.text);
    cr_assert_null(output.stream);
    snprintf(too_long, sizeof too_long, "%04999d", 0);
    cr_assert_eq(dpl_output_open(&output, too_long, NULL), -ENAMETOOLONG);
    cr_assert_eq(dpl_output_open(&output, folder, &diag), -EISDIR);
}
