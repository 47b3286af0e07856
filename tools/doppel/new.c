/* SPDX-License-Identifier: Apache-2.0 */
/* doppel new: writes a small project that builds, passes its tests and runs outside of Doppel's
 * tree. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "commands.h"
#include "common.h"
#include "entries.h"
#include "new_driver.h"
#include "new_project.h"

#define USUAL_CLASS "wheel_controller"

struct values {
    const char *device_class;
    bool commander;
};

static const char *const kinds[] = {
    "component", "driver", "device-class", "application", "world",
    "bench",     "sensor", "actuator",     "subsystem",
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static const struct option options[] = {
    {
        .name = "class",
        .argument = "CLASS",
        .type = OPTION_STRING,
        .offset = offsetof(struct values, device_class),
        .help = "device class of a driver (default: " USUAL_CLASS ")",
        .values = new_class_names,
    },
    {
        .name = "commander",
        .type = OPTION_FLAG,
        .offset = offsetof(struct values, commander),
        .help = "the component commands a wheel base, by range finders and a bumper",
    },
};

static bool has_class(struct dpl_catalog *catalog, const char *name)
{
    const struct dpl_component_class *class;
    struct dpl_diag unused;
    return dpl_catalog_class(catalog, name, &class, &unused) == 0;
}

/* The device class of the name, of Doppel or of a driver that is installed. */
static bool has_device_class(struct dpl_catalog *catalog, const char *name)
{
    bool has = new_class_find(name) != NULL;
    for (size_t i = 0; i < dpl_catalog_n_drivers(catalog) && !has; i++) {
        has = strcmp(dpl_catalog_driver_at(catalog, i)->device_class->name, name) == 0;
    }
    return has;
}

/* A plugin of this name that Doppel finds would hide the new one, or be hidden by it. */
static int check_unused(struct dpl_catalog *catalog, const char *kind,
                        const struct new_words *words, struct dpl_diag *reterr)
{
    const struct dpl_driver *driver;
    struct dpl_diag unused;
    bool has_component = strcmp(kind, "component") == 0 || strcmp(kind, "bench") == 0 ||
                         strcmp(kind, "device-class") == 0;
    if (strcmp(kind, "device-class") == 0 && has_device_class(catalog, words->name)) {
        return dpl_fail(reterr, -EEXIST, (struct dpl_place){0},
                        "there is a device class %s already", words->name);
    }
    if (has_component && has_class(catalog, words->title)) {
        return dpl_fail(reterr, -EEXIST, (struct dpl_place){0},
                        "there is a component class %s already", words->title);
    }
    if (strcmp(kind, "driver") == 0 &&
        dpl_catalog_driver(catalog, words->device_class, words->name, &driver, &unused) == 0) {
        return dpl_fail(reterr, -EEXIST, (struct dpl_place){0}, "there is a driver %s/%s already",
                        words->device_class, words->name);
    }
    struct entries entries;
    char part[128];
    snprintf(part, sizeof part, "%s/%s", kind, words->name);
    entries_open(&entries, catalog, NULL);
    bool has_part = entries_have(&entries, part);
    entries_close(&entries);
    return has_part ? dpl_fail(reterr, -EEXIST, (struct dpl_place){0}, "there is a %s %s already",
                               kind, words->name)
                    : 0;
}

/* "`A`, `B`" of the component classes that have a device of the class. */
static char *users_of(struct dpl_catalog *catalog, const char *device_class)
{
    char *text = NULL;
    size_t size = 0, n = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < dpl_catalog_n_classes(catalog); i++) {
        const struct dpl_component_class *class = dpl_catalog_class_at(catalog, i);
        if (class->device_class && strcmp(class->device_class, device_class) == 0) {
            fprintf(out, "%s`%s`", n++ > 0 ? ", " : "", class->name);
        }
    }
    if (out && n == 0) {
        fprintf(out, "none");
    }
    if (out && fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

/* The template: a folder of tools/new/templates; for drivers "driver", "driver-CLASS", or
 * "driver-any" with the parts that the class's table gives. */
static int choose_template(struct dpl_catalog *catalog, const char *kind, struct new_words *words,
                           const char **ret_template, struct dpl_diag *reterr)
{
    static char own[NEW_NAME_MAX + sizeof "driver-"];
    *ret_template = kind;
    if (strcmp(kind, "driver") != 0 || strcmp(words->device_class, USUAL_CLASS) == 0) {
        return 0;
    }
    *ret_template = own;
    snprintf(own, sizeof own, "driver-%s", words->device_class);
    if (new_project_has(own)) {
        return 0;
    }
    *ret_template = "driver-any";
    char *users = users_of(catalog, words->device_class);
    int err =
        !users ? -ENOMEM : new_driver_parts(words, new_class_find(words->device_class), users);
    free(users);
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0}, "out of memory") : 0;
}

static int write_project(const char *kind, bool commander, struct new_words *words,
                         const char *folder, struct dpl_diag *reterr)
{
    struct dpl_catalog *catalog;
    const char *template = NULL;
    int err = dpl_catalog_create(NULL, &catalog, reterr);
    if (err < 0) {
        return err;
    }
    dpl_catalog_load_all(catalog, NULL);
    err = check_unused(catalog, kind, words, reterr);
    err = err < 0 ? err : choose_template(catalog, kind, words, &template, reterr);
    template = commander ? "component-commander" : template;
    err = err < 0 ? err : new_project_write(template, words, folder, reterr);
    dpl_catalog_destroy(catalog);
    return err;
}

/* The name of the class as its table has it; NULL after an error. */
static const char *device_class_of(const char *wanted, struct dpl_diag *reterr)
{
    char known[256] = "";
    size_t n = 0;
    for (size_t i = 0; i < n_new_classes; i++) {
        const char *name = new_classes[i]->name;
        if (dpl_name_equal(name, wanted)) {
            return name;
        }
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", i > 0 ? ", " : "", name);
        n = n < sizeof known ? n : sizeof known - 1;
    }
    dpl_fail(reterr, -ENOENT, (struct dpl_place){0},
             "there is no device class '%.60s' of Doppel, only: %s; for a class of your own, copy "
             "the driver of its project",
             wanted, known);
    return NULL;
}

static int complain(const struct dpl_diag *error)
{
    fprintf(stderr, "doppel new: ");
    dpl_diag_print(stderr, error);
    return DPL_EXIT_BAD_INPUT;
}

static int run(int argc, char **argv)
{
    struct values values = {.device_class = NULL};
    int n = options_parse(&command_new, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? DPL_EXIT_DONE : DPL_EXIT_USAGE;
    }
    int kind = cli_choose("new", argv[1], kinds, N_KINDS);
    if (kind < 0) {
        return DPL_EXIT_USAGE;
    }
    bool is_driver = strcmp(kinds[kind], "driver") == 0;
    if (values.device_class && !is_driver) {
        fprintf(stderr, "doppel new: --class is for drivers only\n");
        return DPL_EXIT_USAGE;
    }
    if (values.commander && strcmp(kinds[kind], "component") != 0) {
        fprintf(stderr, "doppel new: --commander is for components only\n");
        return DPL_EXIT_USAGE;
    }
    const char *name = argv[2], *folder = n > 2 ? argv[3] : name;
    struct new_words words;
    struct dpl_diag error;
    const char *device_class =
        device_class_of(values.device_class ? values.device_class : USUAL_CLASS, &error);
    if (!device_class || new_words_init(&words, name, device_class, &error) < 0) {
        return complain(&error);
    }
    int err = write_project(kinds[kind], values.commander, &words, folder, &error);
    new_words_finish(&words);
    if (err < 0) {
        return complain(&error);
    }
    printf("%s: a new %s; README.md says how to build and run it\n", folder, kinds[kind]);
    return DPL_EXIT_DONE;
}

const struct command command_new = {
    .name = "new",
    .operands = "KIND NAME [DIR]",
    .summary = "writes a project of one's own: a component, a driver, a bench and others",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 2,
    .max_operands = 3,
    .more =
        "KIND: component, driver, device-class, application, world, bench; sensor, actuator and\n"
        "subsystem of worlds. DIR (default: NAME) must not exist, or be empty. The project has a\n"
        "meson.build, profiles, sources, tests and a README; it builds outside of Doppel's tree\n"
        "and finds Doppel by pkg-config (doppel.pc).\n"
        "A driver of wheel_controller or imu has a codec and an emulator; one of another class "
        "has\n"
        "a function for each call of the class, in memory.\n",
    .run = run,
};
