/* SPDX-License-Identifier: Apache-2.0 */
/* doppel new: writes a small project that builds, passes its tests and runs outside of Doppel's
 * tree. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>

#include "commands.h"
#include "common.h"
#include "new_project.h"

#define USUAL_CLASS "wheel_controller"

struct values {
    const char *device_class;
};

static const char *const kinds[] = {
    "component",
    "driver",
    "application",
    "world",
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static const struct option options[] = {
    {
        .name = "class",
        .argument = "CLASS",
        .type = OPTION_STRING,
        .offset = offsetof(struct values, device_class),
        .help = "device class of a driver: wheel_controller (default), imu",
        .values = "wheel_controller|imu",
    },
};

/* A plugin of this name that Doppel finds would hide the new one, or be hidden by it. */
static int check_unused(const char *kind, const struct new_words *words, struct dpl_diag *reterr)
{
    struct dpl_catalog *catalog;
    int err = dpl_catalog_create(NULL, &catalog, reterr);
    if (err < 0) {
        return err;
    }
    const struct dpl_component_class *class;
    const struct dpl_driver *driver;
    struct dpl_diag unused;
    if (strcmp(kind, "component") == 0 &&
        dpl_catalog_class(catalog, words->title, &class, &unused) == 0) {
        err = dpl_fail(reterr, -EEXIST, (struct dpl_place){0},
                       "there is a component class %s already", class->name);
    }
    if (strcmp(kind, "driver") == 0 &&
        dpl_catalog_driver(catalog, words->device_class, words->name, &driver, &unused) == 0) {
        err = dpl_fail(reterr, -EEXIST, (struct dpl_place){0}, "there is a driver %s/%s already",
                       words->device_class, words->name);
    }
    dpl_catalog_destroy(catalog);
    return err;
}

/* The template: a folder of tools/new/templates, for drivers "driver" or "driver-CLASS". */
static int find_template(const char *kind, const char *device_class, char *ret, size_t size,
                         struct dpl_diag *reterr)
{
    bool is_other = strcmp(kind, "driver") == 0 && strcmp(device_class, USUAL_CLASS) != 0;
    snprintf(ret, size, "%s%s%s", kind, is_other ? "-" : "", is_other ? device_class : "");
    if (new_project_has(ret)) {
        return 0;
    }
    return dpl_fail(reterr, -ENOENT, (struct dpl_place){0},
                    "there is no template for drivers of class '%.60s', only for: " USUAL_CLASS
                    ", imu; `doppel list drivers` names drivers of all classes",
                    device_class);
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
    const char *device_class = values.device_class ? values.device_class : USUAL_CLASS;
    const char *name = argv[2], *folder = n > 2 ? argv[3] : name;
    char template[64];
    struct new_words words;
    struct dpl_diag error;
    if (find_template(kinds[kind], device_class, template, sizeof template, &error) < 0 ||
        new_words_init(&words, name, device_class, &error) < 0 ||
        check_unused(kinds[kind], &words, &error) < 0 ||
        new_project_write(template, &words, folder, &error) < 0) {
        return complain(&error);
    }
    printf("%s: a new %s; README.md says how to build and run it\n", folder, kinds[kind]);
    return DPL_EXIT_DONE;
}

const struct command command_new = {
    .name = "new",
    .operands = "KIND NAME [DIR]",
    .summary = "writes a project of one's own: a component, driver, application or world",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 2,
    .max_operands = 3,
    .more =
        "KIND: component, driver, application, world. DIR (default: NAME) must not exist, or be\n"
        "empty. The project has a meson.build, profiles, sources, tests and a README; it builds\n"
        "outside of Doppel's tree and finds Doppel by pkg-config (doppel.pc).\n",
    .run = run,
};
