/* SPDX-License-Identifier: Apache-2.0 */
/* doppel schema: writes the XML schemas of all files that Doppel reads, for editors. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/host/schema.h>
#include <doppel/output.h>
#include <doppel/sim/schema.h>

#include "commands.h"
#include "common.h"
#include "entries.h"

/* One schema: its file, and what writes it. */
struct schema {
    const char *folder, *name;
    struct dpl_catalog *catalog;
    const struct dpl_component_class *class_;
    int (*write)(const struct schema *schema, FILE *stream);
};

static int write_sim(const struct schema *schema, FILE *stream)
{
    return dpl_sim_write_schema(stream, schema->name, schema->catalog);
}

static int write_dialect(const struct schema *schema, FILE *stream)
{
    return dpl_schema_write(stream, schema->name);
}

static int write_known(const struct schema *schema, FILE *stream)
{
    return dpl_schema_write_known(stream, schema->name);
}

static int write_properties(const struct schema *schema, FILE *stream)
{
    return dpl_schema_write_properties(stream, schema->catalog);
}

static int write_class(const struct schema *schema, FILE *stream)
{
    return dpl_schema_write_class(stream, schema->class_);
}

/* A folder that cannot be written is bad input; a full disk is a fault. */
static enum dpl_exit write_file(const char *root, const struct schema *schema,
                                struct dpl_diag *reterr)
{
    char path[DPL_OUTPUT_PATH_MAX];
    struct dpl_output output = {0};
    int n = snprintf(path, sizeof path, "%s/%s%s.xsd", root, schema->folder, schema->name);
    if (n < 0 || (size_t)n >= sizeof path) {
        dpl_fail(reterr, -ENAMETOOLONG, (struct dpl_place){0}, "%s: the name is too long", root);
        return DPL_EXIT_BAD_INPUT;
    }
    if (dpl_output_open(&output, path, reterr) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    int err = schema->write(schema, output.stream);
    if (err < 0 && !output.error) {
        dpl_output_abandon(&output);
        dpl_fail(reterr, err, (struct dpl_place){.file = path}, "%s", strerror(-err));
        return DPL_EXIT_FAULT;
    }
    return dpl_output_close(&output, reterr) < 0 ? DPL_EXIT_FAULT : DPL_EXIT_DONE;
}

static enum dpl_exit write_kinds(const char *root, struct dpl_catalog *catalog,
                                 struct dpl_diag *reterr)
{
    static const char *const roots[] = {"world", "robot_model", "mechanism", "RigidObject",
                                        "test_plan"};
    enum dpl_exit code = DPL_EXIT_DONE;
    for (size_t i = 0; code == DPL_EXIT_DONE && i < sizeof roots / sizeof roots[0]; i++) {
        struct schema schema = {
            .folder = "", .name = roots[i], .catalog = catalog, .write = write_sim};
        code = write_file(root, &schema, reterr);
    }
    for (size_t i = 0; code == DPL_EXIT_DONE && dpl_schema_kind(i); i++) {
        struct schema schema = {.folder = "", .name = dpl_schema_kind(i), .write = write_dialect};
        code = write_file(root, &schema, reterr);
        schema.folder = "classes/";
        schema.write = write_known;
        if (code == DPL_EXIT_DONE && dpl_schema_has_properties(schema.name)) {
            code = write_file(root, &schema, reterr);
        }
    }
    return code;
}

static enum dpl_exit write_classes(const char *root, struct dpl_catalog *catalog,
                                   struct dpl_diag *reterr)
{
    struct schema all = {
        .folder = "classes/", .name = "properties", .catalog = catalog, .write = write_properties};
    enum dpl_exit code = write_file(root, &all, reterr);
    for (size_t i = 0; code == DPL_EXIT_DONE && i < dpl_catalog_n_classes(catalog); i++) {
        const struct dpl_component_class *class_ = dpl_catalog_class_at(catalog, i);
        struct schema schema = {
            .folder = "classes/", .name = class_->name, .class_ = class_, .write = write_class};
        code = write_file(root, &schema, reterr);
    }
    return code;
}

/* Plugins that cannot be loaded would be missing in the schemas: an error. */
static int write_all(struct dpl_catalog *catalog, const char *root)
{
    struct dpl_diags diags = {0};
    char folder[DPL_OUTPUT_PATH_MAX];
    struct entries entries;
    dpl_catalog_load_all(catalog, &diags);
    entries_open(&entries, catalog, &diags);
    entries_close(&entries);
    bool failed = diags.n_errors > 0;
    cli_print_diags(&diags);
    dpl_diags_finish(&diags);
    snprintf(folder, sizeof folder, "%.4000s/classes", root);
    if (failed || cli_make_dir("schema", folder) != 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    struct dpl_diag error = {0};
    enum dpl_exit code = write_kinds(root, catalog, &error);
    code = code != DPL_EXIT_DONE ? code : write_classes(root, catalog, &error);
    if (code != DPL_EXIT_DONE) {
        dpl_diag_print(stderr, &error);
    }
    return code;
}

static int run(int argc, char **argv)
{
    int none = 0;
    int n = options_parse(&command_schema, argc, argv, &none);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    struct dpl_catalog *catalog = cli_open_catalog("schema");
    int code = catalog ? write_all(catalog, argv[1]) : DPL_EXIT_BAD_INPUT;
    dpl_catalog_destroy(catalog);
    return code;
}

const struct command command_schema = {
    .name = "schema",
    .operands = "FOLDER",
    .summary = "writes the XML schemas of profiles, worlds and plans into a folder, for editors",
    .min_operands = 1,
    .max_operands = 1,
    .more = "The names, units and ranges of properties are those of the classes and drivers that "
            "`doppel list` shows.\n",
    .run = run,
};
