/* SPDX-License-Identifier: Apache-2.0 */
/* Files that components name: where they are looked for, and what is said of one that is not there.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "component.h"
#include "runtime.h"

static char folder[64], in_folder[96], plain[96];
static struct dpl_catalog *catalog;
static struct dpl_diag error;
static struct dpl_app app;
static struct dpl_runtime runtime = {.app = &app};
static struct dpl__component component = {.runtime = &runtime};
static struct dpl_component self = {.runtime = &component};

static void write_file(const char *path)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    fclose(file);
}

/* One file in the folder "robots" of a profile path, and one beside that. */
static void begin(void)
{
    char robots[80];
    snprintf(folder, sizeof folder, "/tmp/find_file.XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(robots, sizeof robots, "%s/robots", folder);
    cr_assert_eq(mkdir(robots, 0700), 0);
    snprintf(in_folder, sizeof in_folder, "%s/robot.xml", robots);
    snprintf(plain, sizeof plain, "%s/plain.data", folder);
    write_file(in_folder);
    write_file(plain);
    const struct dpl_catalog_options options = {.plugin_path = "", .profile_path = folder};
    cr_assert_eq(dpl_catalog_create(&options, &catalog, &error), 0, "%s", error.text);
    app.catalog = catalog;
}

static void end(void)
{
    char robots[80];
    dpl_catalog_destroy(catalog);
    unlink(in_folder);
    unlink(plain);
    snprintf(robots, sizeof robots, "%s/robots", folder);
    rmdir(robots);
    rmdir(folder);
}

TestSuite(find_file, .init = begin, .fini = end);

static int find(const char *name, const char **ret_path)
{
    const struct dpl_file_wanted wanted = {.folder = "robots", .what = "robot model", .name = name};
    return dpl_component_find_file(&self, &wanted, ret_path, &error);
}

static void assert_found(const char *name, const char *expected)
{
    const char *path = NULL;
    cr_assert_eq(find(name, &path), 0, "%s", error.text);
    cr_assert_str_eq(path, expected);
}

Test(find_file, finds_files_of_the_folder_by_name_and_others_by_path)
{
    assert_found("robot.xml", in_folder);
    assert_found("robot", in_folder);
    assert_found(plain, plain);
}

Test(find_file, says_what_is_missing_and_where_it_was_looked_for)
{
    const char *path = "untouched";
    cr_assert_eq(find("robber", &path), -ENOENT);
    cr_assert_str_eq(path, "untouched");
    cr_assert_str_eq(error.text, "there is no robot model 'robber', neither in the folders "
                                 "'robots' of the profile path nor as a file");
}

Test(find_file, knows_paths_only_where_the_application_has_no_catalogue)
{
    const char *path;
    app.catalog = NULL;
    assert_found(plain, plain);
    cr_assert_eq(find("robot.xml", &path), -ENOENT);
}
