/* SPDX-License-Identifier: Apache-2.0 */
/* Checks each broken file of a folder against expected.txt: exactly one error, at that line and
 * column, with those words; in the mode "warn" exactly one warning and no error. Arguments: folder
 * of the files, folder of the test plugins, how many files there are at least. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/app.h>
#include <doppel/sim/check.h>
#include <doppel/sim/load.h>

#include "arena.h"

struct row {
    char mode[16], file[128], text[256];
    int line, column;
};

static bool read_row(const char *line, struct row *ret)
{
    return sscanf(line, "%15[^\t]\t%127[^\t]\t%d\t%d\t%255[^\n]", ret->mode, ret->file, &ret->line,
                  &ret->column, ret->text) == 5;
}

struct finder {
    struct dpl_catalog *catalog;
    struct dpl_arena arena; /* names in the findings */
    struct dpl_diags diags;
};

static void check(const char *folder, const struct row *row, struct finder *finder)
{
    char path[4096], good[4096], root[64];
    snprintf(path, sizeof(path), "%s/%s", folder, row->file);
    snprintf(good, sizeof(good), "%s/good.xml", folder);
    const char *bindings[] = {path};
    bool bind = strcmp(row->mode, "bind") == 0;
    unsigned flags = DPL_CHECK_RESOLVE;
    flags |= strcmp(row->mode, "strict") == 0 ? DPL_CHECK_STRICT : 0;
    struct dpl_app_options options = {.bindings = bindings, .n_bindings = bind};
    int error = dpl_check_profile(bind ? good : path, &options, flags, finder->catalog,
                                  &finder->diags, root);
    if (error == -EMEDIUMTYPE) {
        struct dpl_sim_load_options load = {.catalog = finder->catalog};
        const char *about;
        dpl_sim_check(&finder->arena, path, root, &load, &finder->diags, &about);
    }
}

static const struct dpl_diag *first_of(enum dpl_severity severity, const struct dpl_diags *diags)
{
    for (size_t i = 0; i < diags->n; i++) {
        if (diags->items[i].severity == severity) {
            return &diags->items[i];
        }
    }
    return NULL;
}

static bool is_as_expected(const struct row *row, const struct dpl_diags *diags)
{
    bool warn = strcmp(row->mode, "warn") == 0;
    const struct dpl_diag *diag = first_of(warn ? DPL_SEVERITY_WARNING : DPL_SEVERITY_ERROR, diags);
    bool one = warn ? diags->n == 1 : diags->n_errors == 1;
    if (!one || !diag || !diag->place.file) {
        return false;
    }
    size_t n = strlen(diag->place.file), length = strlen(row->file);
    return diag->place.line == row->line && diag->place.column == row->column && n > length &&
           strcmp(diag->place.file + n - length, row->file) == 0 && strstr(diag->text, row->text);
}

/* One line of the TAP protocol for one row. */
static bool run_row(const char *folder, const struct row *row, struct dpl_catalog *catalog,
                    size_t number)
{
    struct finder finder = {.catalog = catalog};
    struct dpl_diags *diags = &finder.diags;
    check(folder, row, &finder);
    bool good = is_as_expected(row, diags);
    printf("%sok %zu - %s\n", good ? "" : "not ", number, row->file);
    if (!good) {
        printf("# expected one error at %d:%d: %s\n", row->line, row->column, row->text);
        for (size_t i = 0; i < diags->n; i++) {
            printf("# ");
            dpl_diag_print(stdout, &diags->items[i]);
        }
    }
    dpl_diags_finish(diags);
    dpl_arena_finish(&finder.arena);
    return good;
}

static int run(const char *folder, FILE *table, struct dpl_catalog *catalog, size_t least)
{
    char line[1024];
    size_t n = 0, n_failed = 0;
    while (fgets(line, sizeof(line), table)) {
        struct row row;
        if (line[0] == '#') {
            continue;
        }
        if (!read_row(line, &row)) {
            printf("Bail out! malformed row: %s", line);
            return 1;
        }
        n_failed += !run_row(folder, &row, catalog, ++n);
    }
    printf("1..%zu\n", n);
    return n_failed > 0 || n < least;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: run_broken FOLDER PLUGINS LEAST\n", stderr);
        return 2;
    }
    char path[4096];
    snprintf(path, sizeof(path), "%s/expected.txt", argv[1]);
    FILE *table = fopen(path, "r");
    struct dpl_catalog_options options = {.plugin_path = argv[2], .profile_path = argv[1]};
    struct dpl_catalog *catalog;
    if (!table || dpl_catalog_create(&options, &catalog, NULL) != 0) {
        perror(path);
        return 2;
    }
    int result = run(argv[1], table, catalog, strtoul(argv[3], NULL, 10));
    dpl_catalog_destroy(catalog);
    fclose(table);
    return result;
}
