/* SPDX-License-Identifier: Apache-2.0 */
/* doppel list: lists component classes, drivers and profiles of this machine. */
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "commands.h"
#include "common.h"
#include "entries.h"
#include "fields.h"

static const char *const backends[] = {
    [DPL_BACKEND_HARDWARE] = "hardware", [DPL_BACKEND_SIMULATOR] = "simulator",
    [DPL_BACKEND_HIL] = "hil",           [DPL_BACKEND_REPLAY] = "replay",
    [DPL_BACKEND_MOCK] = "mock",
};

static void list_classes(struct dpl_catalog *catalog)
{
    for (size_t i = 0; i < dpl_catalog_n_classes(catalog); i++) {
        const struct dpl_component_class *class = dpl_catalog_class_at(catalog, i);
        printf("%-32s %s\n", cli_clean(class->name), cli_clean(class->summary));
    }
}

static void list_drivers(struct dpl_catalog *catalog)
{
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog); i++) {
        const struct dpl_driver *driver = dpl_catalog_driver_at(catalog, i);
        char name[96];
        snprintf(name, sizeof name, "%s/%s", driver->device_class->name, driver->name);
        printf("%-32s %-10s %s\n", cli_clean(name), backends[driver->backend],
               cli_clean(driver->summary));
    }
}

static void list_profiles(struct dpl_catalog *catalog, const char *kind)
{
    size_t n;
    const char *const *files = dpl_catalog_profiles(catalog, kind, &n);
    for (size_t i = 0; i < n; i++) {
        const char *name = dpl_catalog_profile_name(files[i], kind);
        char stem[128];
        snprintf(stem, sizeof stem, "%.*s", (int)strcspn(name, "."), name);
        printf("%-32s %s\n", cli_clean(stem), cli_clean(files[i]));
    }
}

/* Classes, drivers, kinds of profiles, then those of entries.h. */
static const char *const kinds[] = {"classes",    "drivers", "bindings", "apps",      "benches",
                                    "components", "worlds",  "plans",    "studies",   "robots",
                                    "services",   "types",   "sensors",  "actuators", "signals",
                                    "subsystems", "formats", "gates"};
enum { N_KINDS = sizeof kinds / sizeof kinds[0], FIRST_PROFILE = 2, FIRST_ENTRY = 12 };

static void list_kind(struct dpl_catalog *catalog, const struct entries *entries, size_t kind)
{
    if (kind == 0) {
        list_classes(catalog);
    } else if (kind == 1) {
        list_drivers(catalog);
    } else if (kind >= FIRST_ENTRY) {
        entries_list(entries, kind - FIRST_ENTRY);
    } else {
        list_profiles(catalog, kinds[kind]);
    }
}

/* For the name of a class or driver, refers to `doppel info`. */
static void complain(const struct dpl_catalog *catalog, const char *name)
{
    char known[128];
    const char *near = dpl_nearest(name, kinds, N_KINDS);
    fprintf(stderr, "doppel list: unknown kind '%s'", name);
    if (near) {
        fprintf(stderr, ", did you mean '%s'?\n", near);
    } else if (dpl_catalog_suggest(catalog, name, known, sizeof known)) {
        fprintf(stderr, ", did you mean `doppel info %s`?\n", known);
    } else {
        fprintf(stderr, "; %s", command_list.more);
    }
}

static int list_some(struct dpl_catalog *catalog, const struct entries *entries, int n,
                     char **names)
{
    for (int i = 0; i < n; i++) {
        size_t kind = 0;
        while (kind < N_KINDS && strcmp(names[i], kinds[kind]) != 0) {
            kind++;
        }
        if (kind == N_KINDS) {
            complain(catalog, names[i]);
            return DPL_EXIT_USAGE;
        }
        list_kind(catalog, entries, kind);
    }
    return DPL_EXIT_DONE;
}

/* An installation without plugins or profiles is broken: says so instead of listing nothing. */
static bool is_whole(struct dpl_catalog *catalog)
{
    bool has_plugins = dpl_catalog_n_classes(catalog) + dpl_catalog_n_drivers(catalog) > 0;
    size_t n_profiles = 0;
    for (size_t kind = FIRST_PROFILE; kind < FIRST_ENTRY; kind++) {
        size_t n;
        dpl_catalog_profiles(catalog, kinds[kind], &n);
        n_profiles += n;
    }
    if (!has_plugins) {
        fprintf(stderr, "doppel list: no plugins in %s; DOPPEL_PLUGIN_PATH names further folders\n",
                dpl_catalog_plugin_path(catalog));
    }
    if (n_profiles == 0) {
        fprintf(stderr,
                "doppel list: no profiles in %s; DOPPEL_PROFILE_PATH names further folders\n",
                dpl_catalog_profile_path(catalog));
    }
    return has_plugins && n_profiles > 0;
}

static int run(int argc, char **argv)
{
    int none = 0;
    int n = options_parse(&command_list, argc, argv, &none);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("list");
    if (!catalog) {
        return DPL_EXIT_BAD_INPUT;
    }
    struct dpl_diags diags = {0};
    struct entries entries;
    dpl_catalog_load_all(catalog, &diags);
    entries_open(&entries, catalog, &diags);
    cli_print_diags(&diags);
    int code = DPL_EXIT_DONE;
    if (n > 0) {
        code = list_some(catalog, &entries, n, argv + 1);
    }
    for (size_t kind = 0; n == 0 && kind < N_KINDS; kind++) {
        printf("%s%s:\n", kind ? "\n" : "", kinds[kind]);
        list_kind(catalog, &entries, kind);
    }
    if (code == DPL_EXIT_DONE && (!is_whole(catalog) || diags.n_errors > 0)) {
        code = DPL_EXIT_BAD_INPUT;
    }
    entries_close(&entries);
    dpl_diags_finish(&diags);
    dpl_catalog_destroy(catalog);
    return code;
}

const struct command command_list = {
    .name = "list",
    .operands = "[KIND...]",
    .summary = "lists component classes, drivers, profiles, and what worlds are made of",
    .max_operands = 16,
    .more = "kinds: classes drivers bindings apps benches components worlds plans robots services "
            "types;\n"
            "of what worlds are made: sensors actuators signals subsystems formats gates\n",
    .run = run,
};
