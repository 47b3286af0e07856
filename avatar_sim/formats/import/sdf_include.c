/* SPDX-License-Identifier: Apache-2.0 */
/* SDF: an <include> is replaced by the model that it names, with the name, pose and stillness that
 * the include gives. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "sdf.h"
#include "xml_reader.h"

enum { INCLUDES_MAX = 256 };

struct inclusion {
    struct dpl__import *import;
    int n, depth;
    bool failed;
};

/* The file of a model's folder: as model.config says, else model.sdf. */
static const char *file_in(struct dpl__import *import, const char *folder)
{
    struct dpl_arena *arena = import->reader->arena;
    const char *config = dpl_arena_printf(arena, "%s/model.config", folder);
    const struct dpl_xml_node *root = NULL;
    const char *name = "model.sdf";
    if (access(config, R_OK) == 0 && dpl_xml_read_file(arena, config, &root, NULL) == 0) {
        for (const struct dpl_xml_node *sdf = dpl_xml_child(root, "sdf"); sdf;
             sdf = dpl_xml_next(sdf, "sdf")) {
            name = sdf->text; /* the last is that of the newest version */
        }
    }
    return dpl_arena_printf(arena, "%s/%s", folder, name);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* What a world has without Gazebo's models of that name. */
static bool is_in_every_world(const char *uri)
{
    const char *slash = strrchr(uri, '/');
    const char *name = slash ? slash + 1 : uri;
    return dpl_name_equal(name, "sun") || dpl_name_equal(name, "ground plane");
}

/* Where the file of an <include> is; NULL: nowhere, which is an error in a model, and in a world,
 * of which it is one thing of many, a warning. */
static const char *file_of(struct inclusion *all, const struct dpl_xml_node *include,
                           const char *uri, bool is_in_model)
{
    struct dpl__import *import = all->import;
    const char *outer = import->file;
    import->file = include->place.file;
    const char *path = dpl__import_path(import, uri);
    if (!path && !is_in_model && is_in_every_world(uri)) {
        dpl__import_note(import, include->place, "'%.200s' is left out: a world has its own", uri);
    } else if (!path) {
        all->failed |= is_in_model;
        dpl_diags_add(import->reader->diags,
                      is_in_model ? DPL_SEVERITY_ERROR : DPL_SEVERITY_WARNING, include->place,
                      "model '%.200s' is not there, looked %s%s", uri,
                      dpl__import_places(import, uri), is_in_model ? "" : "; it is left out");
    }
    import->file = outer;
    return path && (ends_with(path, ".sdf") || ends_with(path, ".world")) ? path
           : path                                                         ? file_in(import, path)
                                                                          : NULL;
}

/* The model in a file; NULL: there is none, which is an error unless a light or an actor is there.
 */
static const struct dpl_xml_node *model_of(struct inclusion *all,
                                           const struct dpl_xml_node *include, const char *path)
{
    struct dpl__import *import = all->import;
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag;
    if (dpl_xml_read_file(import->reader->arena, path, &root, &diag)) {
        dpl_diags_add_diag(import->reader->diags, &diag);
        all->failed = true;
        return NULL;
    }
    bool is_sdf = strcmp(root->name, "sdf") == 0;
    const struct dpl_xml_node *model = is_sdf ? dpl_xml_child(root, "model") : NULL;
    if (!model && is_sdf && (dpl_xml_child(root, "light") || dpl_xml_child(root, "actor"))) {
        dpl__import_leave_out(import, include);
    } else if (!model) {
        all->failed = true;
        dpl__import_fail(import, root->place,
                         "found root element <%.60s>, expected <sdf> with a "
                         "<model>",
                         root->name);
    }
    return model;
}

static const struct dpl_xml_node *expand(struct inclusion *all, const struct dpl_xml_node *node);

/* The model with what the include says in place of its own. */
static const struct dpl_xml_node *dress(struct dpl__import *import,
                                        const struct dpl_xml_node *model,
                                        const struct dpl_xml_node *include)
{
    static const char *const taken[] = {"pose", "static"};
    struct dpl_arena *arena = import->reader->arena;
    struct dpl_xml_node *made = dpl_arena_alloc(arena, sizeof *made);
    const char *name = dpl__sdf_text(include, "name");
    *made = *model;
    made->next = NULL;
    for (size_t i = 0; i < DPL_COUNT(taken); i++) {
        const struct dpl_xml_node *given = dpl_xml_child(include, taken[i]);
        if (given) { /* the first of a name counts */
            struct dpl_xml_node *copy = dpl_arena_alloc(arena, sizeof *copy);
            *copy = *given;
            copy->next = made->children;
            made->children = copy;
        }
    }
    if (*name) {
        struct dpl_xml_attribute *attribute = dpl_arena_alloc(arena, sizeof *attribute);
        const struct dpl_xml_node *child = dpl_xml_child(include, "name");
        *attribute = (struct dpl_xml_attribute){
            .name = "name", .value = name, .place = child->place, .value_place = child->text_place};
        made->attributes = attribute;
        made->n_attributes = 1;
    }
    return made;
}

/* The model that an <include> means; NULL: none, or an error. */
static const struct dpl_xml_node *
include_model(struct inclusion *all, const struct dpl_xml_node *include, bool is_in_model)
{
    struct dpl__import *import = all->import;
    const char *uri = dpl__sdf_text(include, "uri");
    if (*uri == '\0') {
        all->failed = true;
        dpl__import_fail(import, include->place, "<include> needs <uri>");
        return NULL;
    }
    if (++all->n > INCLUDES_MAX || all->depth >= DPL__SDF_DEPTH_MAX) {
        all->failed = true;
        dpl__import_fail(import, include->place,
                         "more than %d models are included, or more than %d deep", INCLUDES_MAX,
                         DPL__SDF_DEPTH_MAX);
        return NULL;
    }
    dpl__sdf_leave_out(import, include, "uri|name|pose|static");
    const char *path = file_of(all, include, uri, is_in_model);
    const struct dpl_xml_node *model = path ? model_of(all, include, path) : NULL;
    if (!model) {
        return NULL;
    }
    all->depth++;
    model = expand(all, dress(import, model, include));
    all->depth--;
    return model;
}

static bool has_model(const struct dpl_xml_node *first, const char *name)
{
    for (const struct dpl_xml_node *node = first; node; node = node->next) {
        const struct dpl_xml_attribute *given = dpl_xml_attribute(node, "name");
        if (strcmp(node->name, "model") == 0 && given && strcmp(given->value, name) == 0) {
            return true;
        }
    }
    return false;
}

/* A model whose name an earlier one of the same parent has gets "_2", "_3" ... behind it. */
static void tell_apart(struct inclusion *all, const struct dpl_xml_node *earlier,
                       struct dpl_xml_node *model)
{
    struct dpl_arena *arena = all->import->reader->arena;
    const struct dpl_xml_attribute *given = dpl_xml_attribute(model, "name");
    if (strcmp(model->name, "model") != 0 || !given || !has_model(earlier, given->value)) {
        return;
    }
    struct dpl_xml_attribute *made =
        dpl_arena_alloc(arena, model->n_attributes * sizeof *model->attributes);
    struct dpl_xml_attribute *named = made + (given - model->attributes);
    memcpy(made, model->attributes, model->n_attributes * sizeof *made);
    for (int i = 2; has_model(earlier, named->value); i++) {
        named->value = dpl_arena_printf(arena, "%.200s_%d", given->value, i);
    }
    dpl__import_note(all->import, model->place,
                     "model '%.100s' is there twice: this one is '%.110s'", given->value,
                     named->value);
    model->attributes = made;
}

/* A copy of an element with all in it expanded; NULL after an error. */
static const struct dpl_xml_node *expand(struct inclusion *all, const struct dpl_xml_node *node)
{
    struct dpl_arena *arena = all->import->reader->arena;
    struct dpl_xml_node *made = dpl_arena_alloc(arena, sizeof *made);
    const struct dpl_xml_node **last = &made->children;
    bool is_model = strcmp(node->name, "model") == 0;
    *made = *node;
    made->next = NULL;
    made->children = NULL;
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        bool holds = strcmp(child->name, "model") == 0 || strcmp(child->name, "world") == 0;
        bool is_include = strcmp(child->name, "include") == 0;
        const struct dpl_xml_node *kept = is_include ? include_model(all, child, is_model)
                                          : holds    ? expand(all, child)
                                                     : child;
        if (all->failed) {
            return NULL;
        }
        if (!kept) {
            continue;
        }
        struct dpl_xml_node *copy = dpl_arena_alloc(arena, sizeof *copy);
        *copy = *kept;
        copy->next = NULL;
        tell_apart(all, made->children, copy);
        *last = copy;
        last = &copy->next;
    }
    return made;
}

const struct dpl_xml_node *dpl__sdf_include(struct dpl__import *import,
                                            const struct dpl_xml_node *root)
{
    struct inclusion all = {.import = import};
    return expand(&all, root);
}
