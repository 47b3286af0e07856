/* SPDX-License-Identifier: Apache-2.0 */
/* What the profile tests share: a catalogue over the test plugins and data, loading, checking. */
#ifndef PROFILES_FIXTURE_H
#define PROFILES_FIXTURE_H

#include <string.h>

#include <criterion/criterion.h>

#include <doppel/host/app.h>

struct fixture {
    struct dpl_catalog *catalog;
    struct dpl_app *app;
    struct dpl_diags diags;
};

static struct fixture fixture;

static void setup_fixture(void)
{
    struct dpl_catalog_options options = {PLUGIN_FOLDER, UNIT "/runtime/profile/data"};
    struct dpl_diag diag;
    cr_assert_eq(dpl_catalog_create(&options, &fixture.catalog, &diag), 0, "%s", diag.text);
}

static void finish_fixture(void)
{
    dpl_app_destroy(fixture.app);
    dpl_diags_finish(&fixture.diags);
    dpl_catalog_destroy(fixture.catalog);
    fixture = (struct fixture){0};
}

__attribute__((unused)) static void print_diags(void)
{
    for (size_t i = 0; i < fixture.diags.n; i++) {
        dpl_diag_print(stderr, &fixture.diags.items[i]);
    }
}

__attribute__((unused)) static int load(const char *file, const char *binding, const char *set)
{
    const char *bindings[] = {binding}, *sets[] = {set};
    struct dpl_app_options options = {bindings, binding != NULL, sets, set != NULL};
    dpl_app_destroy(fixture.app);
    fixture.app = NULL;
    return dpl_app_load(file, &options, fixture.catalog, &fixture.app, &fixture.diags);
}

__attribute__((unused)) static int check(const char *file, unsigned flags)
{
    return dpl_check_profile(file, NULL, flags, fixture.catalog, &fixture.diags, NULL);
}

/* The only diagnostic, at this place of a file with this end of its name, says this. `name` is of
 * the test's row. */
__attribute__((unused)) static void assert_only_of(const char *name, const char *file, int line,
                                                   int column, const char *text)
{
    if (fixture.diags.n != 1) {
        print_diags();
    }
    cr_assert_eq(fixture.diags.n, 1, "%s: %zu findings", name, fixture.diags.n);
    const struct dpl_diag *diag = &fixture.diags.items[0];
    size_t n = strlen(diag->place.file);
    cr_assert(n >= strlen(file), "%s: %s", name, diag->place.file);
    cr_assert_str_eq(diag->place.file + n - strlen(file), file, "%s: %s", name, diag->place.file);
    cr_assert_eq(diag->place.line, line, "%s: line %d", name, diag->place.line);
    cr_assert_eq(diag->place.column, column, "%s: column %d", name, diag->place.column);
    cr_assert_not_null(strstr(diag->text, text), "%s: %s", name, diag->text);
}

__attribute__((unused)) static void assert_only(const char *file, int line, int column,
                                                const char *text)
{
    assert_only_of(text, file, line, column, text);
}

#endif
