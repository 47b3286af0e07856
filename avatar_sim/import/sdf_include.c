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

/* The model in the file that a URI names; NULL after an error. */
static const struct dpl_xml_node *model_of(struct dpl__import *import,
                                           const struct dpl_xml_node *include, const char *uri)
{
    const char *outer = import->file, *path;
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag;
    import->file = include->place.file;
    path = dpl__import_path(import, uri);
    if (!path) {
        dpl__import_fail(import, include->place, "model '%.200s' is not there, looked %s", uri,
                         dpl__import_places(import, uri));
    }
    import->file = outer;
    if (!path) {
        return NULL;
    }
    path = ends_with(path, ".sdf") || ends_with(path, ".world") ? path : file_in(import, path);
    if (dpl_xml_read_file(import->reader->arena, path, &root, &diag)) {
        dpl_diags_add_diag(import->reader->diags, &diag);
        return NULL;
    }
    const struct dpl_xml_node *model =
        strcmp(root->name, "sdf") == 0 ? dpl_xml_child(root, "model") : NULL;
    if (!model) {
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

static const struct dpl_xml_node *include_model(struct inclusion *all,
                                                const struct dpl_xml_node *include)
{
    struct dpl__import *import = all->import;
    const char *uri = dpl__sdf_text(include, "uri");
    if (*uri == '\0') {
        dpl__import_fail(import, include->place, "<include> needs <uri>");
        return NULL;
    }
    if (++all->n > INCLUDES_MAX || all->depth >= DPL__SDF_DEPTH_MAX) {
        dpl__import_fail(import, include->place,
                         "more than %d models are included, or more than %d deep", INCLUDES_MAX,
                         DPL__SDF_DEPTH_MAX);
        return NULL;
    }
    dpl__sdf_leave_out(import, include, "uri|name|pose|static");
    const struct dpl_xml_node *model = model_of(import, include, uri);
    if (!model) {
        return NULL;
    }
    all->depth++;
    model = expand(all, dress(import, model, include));
    all->depth--;
    return model;
}

/* A copy of an element with all in it expanded. */
static const struct dpl_xml_node *expand(struct inclusion *all, const struct dpl_xml_node *node)
{
    struct dpl_arena *arena = all->import->reader->arena;
    struct dpl_xml_node *made = dpl_arena_alloc(arena, sizeof *made);
    const struct dpl_xml_node **last = &made->children;
    *made = *node;
    made->next = NULL;
    made->children = NULL;
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        bool holds = strcmp(child->name, "model") == 0 || strcmp(child->name, "world") == 0;
        const struct dpl_xml_node *kept = child;
        if (strcmp(child->name, "include") == 0) {
            kept = include_model(all, child);
        } else if (holds) {
            kept = expand(all, child);
        }
        if (!kept) {
            return NULL;
        }
        struct dpl_xml_node *copy = dpl_arena_alloc(arena, sizeof *copy);
        *copy = *kept;
        copy->next = NULL;
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
