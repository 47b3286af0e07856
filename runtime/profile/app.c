/* SPDX-License-Identifier: Apache-2.0 */
/* Loads an application for a run, and checks a profile of any kind without running it. */
#include <doppel/host/app.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"

/* The public struct with its arena. */
struct loaded_app {
    struct dpl_app app; /* must be first: dpl_app_destroy converts back */
    struct dpl_arena arena;
};

/* ---- bindings -------------------------------------------------------------------------------- */

enum { BINDINGS_MAX = 32, SUGGESTIONS_MAX = 64 };

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "APPLICATION/", of the application's file name: the folder of bindings that are for it alone. */
static const char *own_folder(struct dpl__builder *builder, const char *application)
{
    const char *base = base_name(application), *dot = strrchr(base, '.');
    int length = dot ? (int)(dot - base) : (int)strlen(base);
    return dpl_arena_printf(builder->arena, "%.*s/", length, base);
}

/* Of the application's own bindings and the general ones; NULL: none is similar. */
static const char *nearest_binding(struct dpl__builder *builder, const char *application,
                                   const char *name)
{
    size_t n_paths, n = 0;
    const char *const *paths = dpl_catalog_profiles(builder->catalog, "bindings", &n_paths);
    const char *folder = own_folder(builder, application);
    const char *names[SUGGESTIONS_MAX];
    for (size_t i = 0; i < n_paths && n < SUGGESTIONS_MAX; i++) {
        const char *rest = dpl_catalog_profile_name(paths[i], "bindings");
        rest += strncmp(rest, folder, strlen(folder)) == 0 ? strlen(folder) : 0;
        if (!strchr(rest, '/')) {
            names[n++] = dpl_arena_strndup(builder->arena, rest, strlen(rest) - strlen(".xml"));
        }
    }
    return dpl_nearest(name, names, n);
}

/* bindings/APPLICATION/NAME.xml; NULL: there is none. */
static const char *own_binding(struct dpl__builder *builder, const char *application,
                               const char *name)
{
    const char *tail = dpl_arena_printf(builder->arena, "/bindings/%s%s.xml",
                                        own_folder(builder, application), name);
    size_t n, n_tail = strlen(tail);
    const char *const *paths = dpl_catalog_profiles(builder->catalog, "bindings", &n);
    for (size_t i = 0; i < n; i++) {
        size_t n_path = strlen(paths[i]);
        if (n_path >= n_tail && strcmp(paths[i] + n_path - n_tail, tail) == 0) {
            return paths[i];
        }
    }
    return NULL;
}

/* A binding of the application itself has priority over a general one with the same name. */
static const char *find_binding(struct dpl__builder *builder, const char *application,
                                const char *name)
{
    bool bare = !strpbrk(name, "/.");
    const char *own = bare ? own_binding(builder, application, name) : NULL;
    return own ? own : dpl_catalog_find_profile(builder->catalog, "bindings", name, NULL);
}

static const struct dpl__file *read_binding(struct dpl__builder *builder, const char *application,
                                            const char *name)
{
    struct dpl_place place = {.file = dpl_arena_printf(builder->arena, "--bind %s", name)};
    const char *path = find_binding(builder, application, name);
    if (!path) {
        const char *near = nearest_binding(builder, application, name);
        dpl__build_error(builder, place, "unknown binding%s",
                         near ? dpl__build_hint(builder, near)
                              : "; `doppel list bindings` shows what there is");
        return NULL;
    }
    const char *root_name = NULL;
    const struct dpl__file *file = dpl__build_read(builder, path, &root_name);
    if (file && file->kind != DPL__KIND_BINDING) {
        root_name = file->root->name;
    }
    if (root_name && (!file || file->kind != DPL__KIND_BINDING)) {
        dpl__build_error(builder, place, "%s contains <%.40s>, expected <binding_profile>", path,
                         root_name);
        return NULL;
    }
    return file;
}

/* ---- stages ---------------------------------------------------------------------------------- */

static void build_properties(struct dpl__builder *builder, bool complete)
{
    for (struct dpl__instance *i = builder->instances; i; i = i->next) {
        dpl__build_properties(builder, i, complete);
    }
}

/* After errors in names and values, connections are not checked, to avoid subsequent errors. */
static void build_application(struct dpl__builder *builder, const struct dpl__file *file,
                              const struct dpl_app_options *options)
{
    size_t n_errors = builder->diags->n_errors;
    const struct dpl__file *bindings[BINDINGS_MAX];
    size_t n_bindings = options ? options->n_bindings : 0;
    if (n_bindings > BINDINGS_MAX) {
        dpl__build_error(builder, (struct dpl_place){0}, "more than %d bindings", BINDINGS_MAX);
        return;
    }
    builder->top = dpl__build_scope(builder, file, NULL, "");
    dpl__build_rates(builder);
    dpl__build_world(builder, file->root, file->path);
    for (size_t i = 0; i < n_bindings; i++) {
        bindings[i] = read_binding(builder, file->path, options->bindings[i]);
        if (bindings[i]) {
            dpl__build_binding(builder, bindings[i]);
        }
    }
    if (builder->world_changes && !builder->world) {
        dpl__build_absent(builder, builder->world_changes->property.place,
                          "the application has no world to be changed");
    }
    for (size_t i = 0; options && i < options->n_sets; i++) {
        dpl__build_set(builder, options->sets[i]);
    }
    bool incomplete = options && options->incomplete;
    bool complete = builder->resolve && file->kind == DPL__KIND_APPLICATION && !incomplete &&
                    builder->diags->n_errors == n_errors;
    build_properties(builder, complete);
    if (builder->diags->n_errors != n_errors) {
        return;
    }
    dpl__build_wiring(builder, builder->top);
    for (size_t i = 0; i < n_bindings; i++) {
        if (bindings[i]) {
            dpl__build_connections(builder, builder->top, bindings[i]->root, false);
        }
    }
    if (!incomplete && builder->diags->n_errors == n_errors) {
        dpl__build_open_ports(builder);
        dpl__build_agreements(builder);
        dpl__build_commanders(builder);
        dpl__build_results(builder);
    }
}

static void check_methods(struct dpl__builder *builder, const struct dpl_xml_node *type)
{
    const struct dpl_xml_node *first = dpl_xml_child(type, "method");
    for (const struct dpl_xml_node *m = first; m; m = dpl_xml_next(m, "method")) {
        const struct dpl_xml_attribute *name = dpl_xml_attribute(m, "name");
        for (const struct dpl_xml_node *o = first; name && o != m; o = dpl_xml_next(o, "method")) {
            const struct dpl_xml_attribute *other = dpl_xml_attribute(o, "name");
            if (other && strcmp(other->value, name->value) == 0) {
                dpl__build_error(builder, name->value_place,
                                 "duplicate method '%.60s'; the first is at %d:%d", name->value,
                                 o->place.line, o->place.column);
            }
        }
    }
}

static void check_items(struct dpl__builder *builder, const struct dpl_xml_node *structure)
{
    const struct dpl_xml_node *first = dpl_xml_child(structure, "item");
    for (const struct dpl_xml_node *m = first; m; m = dpl_xml_next(m, "item")) {
        for (const struct dpl_xml_node *o = first; o != m; o = dpl_xml_next(o, "item")) {
            if (m->text[0] != '\0' && strcmp(o->text, m->text) == 0) {
                dpl__build_error(builder, m->text_place,
                                 "duplicate member '%.60s'; the first is at %d:%d", m->text,
                                 o->place.line, o->place.column);
                break;
            }
        }
    }
}

static void check_types(struct dpl__builder *builder, const struct dpl__file *file)
{
    for (const struct dpl_xml_node *node = file->root->children; node; node = node->next) {
        if (!dpl__build_list_is_short(builder, node->children)) {
            return;
        }
        if (strcmp(node->name, "service_port_type") == 0) {
            check_methods(builder, node);
        } else if (strcmp(node->name, "struct") == 0) {
            check_items(builder, node);
        }
    }
}

void dpl__build_check(struct dpl__builder *builder, const struct dpl__file *file,
                      const struct dpl_app_options *options)
{
    switch (file->kind) {
    case DPL__KIND_COMPONENT:
        dpl__build_single(builder, file);
        dpl__build_rates(builder);
        build_properties(builder, false);
        return;
    case DPL__KIND_COMPOSITE:
    case DPL__KIND_APPLICATION: build_application(builder, file, options); return;
    case DPL__KIND_BINDING:
        dpl__build_binding(builder, file);
        build_properties(builder, false);
        dpl__build_connections(builder, builder->top, file->root, true);
        return;
    default: check_types(builder, file); return;
    }
}

/* ---- the model ------------------------------------------------------------------------------- */

static struct dpl_app_component *make_components(struct dpl__builder *builder)
{
    struct dpl_app_component *components =
        dpl_arena_alloc(builder->arena, (builder->n_instances + 1) * sizeof(*components));
    for (const struct dpl__instance *i = builder->instances; i; i = i->next) {
        components[i->index] = (struct dpl_app_component){
            .name = i->name,
            .place = i->place,
            .class_ = i->class_,
            .properties = i->block.base,
            .device = i->device ? i->device->model : NULL,
            .execution = i->execution,
            .ports = i->ports,
            .node_id = i->node_id,
        };
    }
    return components;
}

static const struct dpl_app_world_property *make_world_properties(struct dpl__builder *builder)
{
    struct dpl_app_world_property *all =
        dpl_arena_alloc(builder->arena, (builder->n_world_changes + 1) * sizeof(*all));
    size_t n = 0;
    for (const struct dpl__world_change *c = builder->world_changes; c; c = c->next) {
        all[n++] = c->property;
    }
    return all;
}

static const char *const *keep_texts(struct dpl_arena *arena, const char *const *texts, size_t n)
{
    const char **kept = dpl_arena_alloc(arena, (n + 1) * sizeof *kept);
    for (size_t i = 0; i < n; i++) {
        kept[i] = dpl_arena_strdup(arena, texts[i]);
    }
    return kept;
}

static void make_app(struct dpl__builder *builder, const struct dpl__file *file,
                     const struct dpl_app_options *options, struct dpl_app *app)
{
    struct dpl_app_connection *connections =
        dpl_arena_alloc(builder->arena, (builder->n_links + 1) * sizeof(*connections));
    struct dpl_app_depends *depends =
        dpl_arena_alloc(builder->arena, (builder->n_orders + 1) * sizeof(*depends));
    size_t n_connections = 0, n_depends = 0;
    for (const struct dpl__link *l = builder->links; l; l = l->next) {
        connections[n_connections++] = l->connection;
    }
    for (const struct dpl__order *o = builder->orders; o; o = o->next) {
        depends[n_depends++] = o->depends;
    }
    *app = (struct dpl_app){
        .name = dpl__child_text(file->root, "name"),
        .file = file->path,
        .world = builder->world,
        .world_place = builder->world_place,
        .world_properties = make_world_properties(builder),
        .n_world_properties = builder->n_world_changes,
        .components = make_components(builder),
        .n_components = builder->n_instances,
        .connections = connections,
        .n_connections = n_connections,
        .depends = depends,
        .n_depends = n_depends,
        .catalog = builder->catalog,
    };
    if (options) {
        app->bindings = keep_texts(builder->arena, options->bindings, options->n_bindings);
        app->sets = keep_texts(builder->arena, options->sets, options->n_sets);
        app->n_bindings = options->n_bindings;
        app->n_sets = options->n_sets;
    }
}

/* ---- public ---------------------------------------------------------------------------------- */

/* Diagnostics are used after the loaded data is freed: their file names are moved to the
 * catalogue. */
static void keep_file_names(struct dpl_catalog *catalog, struct dpl_diags *diags, size_t first)
{
    for (size_t i = first; i < diags->n; i++) {
        struct dpl_place *place = &diags->items[i].place;
        if (place->file) {
            place->file = dpl__catalog_intern(catalog, place->file);
        }
    }
}

static const struct dpl__file *read_application(struct dpl__builder *builder, const char *path)
{
    const char *root_name = NULL;
    const struct dpl__file *file = dpl__build_read(builder, path, &root_name);
    if (file && file->kind != DPL__KIND_APPLICATION) {
        root_name = file->root->name;
    }
    if (root_name && (!file || file->kind != DPL__KIND_APPLICATION)) {
        struct dpl_place place = {dpl_arena_strdup(builder->arena, path), 1, 1};
        dpl__build_error(builder, file ? file->root->place : place,
                         "<%.40s> cannot be run, expected <package_profile>", root_name);
        return NULL;
    }
    return file;
}

int dpl_app_load(const char *file, const struct dpl_app_options *options,
                 struct dpl_catalog *catalog, struct dpl_app **ret_app, struct dpl_diags *diags)
{
    struct loaded_app *loaded = calloc(1, sizeof(*loaded));
    if (!loaded) {
        return -ENOMEM;
    }
    struct dpl__builder builder = {
        .arena = &loaded->arena, .catalog = catalog, .diags = diags, .resolve = true};
    size_t first = diags->n, n_errors = diags->n_errors;
    const char *path = dpl_catalog_find_profile(catalog, "apps", file, NULL);
    const struct dpl__file *profile = read_application(&builder, path ? path : file);
    if (profile) {
        build_application(&builder, profile, options);
    }
    keep_file_names(catalog, diags, first);
    if (!profile || diags->n_errors != n_errors) {
        dpl_arena_finish(&loaded->arena);
        free(loaded);
        return -EINVAL;
    }
    make_app(&builder, profile, options, &loaded->app);
    *ret_app = &loaded->app;
    return 0;
}

void dpl_app_destroy(struct dpl_app *app)
{
    if (!app) {
        return;
    }
    struct loaded_app *loaded = (struct loaded_app *)app;
    dpl_arena_finish(&loaded->arena);
    free(loaded);
}

static void make_strict(struct dpl_diags *diags, size_t first)
{
    for (size_t i = first; i < diags->n; i++) {
        if (diags->items[i].severity == DPL_SEVERITY_WARNING) {
            diags->items[i].severity = DPL_SEVERITY_ERROR;
            diags->n_warnings--;
            diags->n_errors++;
        }
    }
}

int dpl_check_profile(const char *file, const struct dpl_app_options *options, unsigned flags,
                      struct dpl_catalog *catalog, struct dpl_diags *diags, char ret_root[64])
{
    struct dpl_arena arena = {0};
    struct dpl__builder builder = {.arena = &arena,
                                   .catalog = catalog,
                                   .diags = diags,
                                   .resolve = (flags & DPL_CHECK_RESOLVE) != 0};
    size_t first = diags->n, n_errors = diags->n_errors;
    const char *root_name = NULL;
    const struct dpl__file *profile = dpl__build_read(&builder, file, &root_name);
    int error = 0;
    if (profile) {
        dpl__build_check(&builder, profile, options);
    } else if (root_name) {
        error = -EMEDIUMTYPE;
    }
    if (root_name && ret_root) {
        snprintf(ret_root, 64, "%s", root_name);
    }
    if ((flags & DPL_CHECK_STRICT) != 0) {
        make_strict(diags, first);
    }
    keep_file_names(catalog, diags, first);
    dpl_arena_finish(&arena);
    if (error == 0 && diags->n_errors != n_errors) {
        error = -EINVAL;
    }
    return error;
}
