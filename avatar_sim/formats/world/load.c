/* SPDX-License-Identifier: Apache-2.0 */
/* Loading models from files and memory: see doppel/sim/load.h. */
#include <doppel/sim/load.h>
#include <doppel/sim/multibody_world.h>

#include <errno.h>
#include <string.h>

#include <doppel/host/catalog.h>

#include "formats.h"
#include "multibody_part.h"
#include "robot_xml.h"
#include "world_xml.h"

static const struct dpl_sim_load_options no_options;

/* What both ways of loading share, once there is a tree. */
static int load(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                struct dpl__world_target *target, struct dpl_sim_model **ret_model)
{
    size_t errors = reader->diags->n_errors;
    target->model = dpl_sim_model_create();
    if (!target->model) {
        return -ENOMEM;
    }
    reader->target = target;
    root = dpl__params_expand(reader, root, target->options, &target->work);
    if (root) {
        dpl__world_read(reader, root);
    }
    if (reader->diags->n_errors > errors) {
        dpl_sim_model_destroy(target->model);
        return -EINVAL;
    }
    *ret_model = target->model;
    return 0;
}

int dpl_sim_read_world(struct dpl_arena *arena, const char *file,
                       const struct dpl_sim_load_options *options, struct dpl_sim_model **ret_model,
                       struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    struct dpl__world_target target = {.options = options ? options : &no_options,
                                       .file = dpl_arena_strdup(arena, file)};
    const struct dpl_format *format =
        dpl__format_of(dpl_sim_formats(arena, target.options->catalog, NULL), file, "", NULL);
    const char *text = format ? format->world : NULL;
    const struct dpl_xml_node *root = text ? dpl__root_of_text(&reader, file, text, strlen(text))
                                           : dpl__root_of_file(&reader, file);
    return root ? load(&reader, root, &target, ret_model) : -EINVAL;
}

int dpl_sim_read_world_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                            const struct dpl_sim_load_options *options,
                            struct dpl_sim_model **ret_model, struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    struct dpl__world_target target = {.options = options ? options : &no_options,
                                       .file = dpl_arena_strdup(arena, name)};
    const struct dpl_xml_node *root = dpl__root_of_text(&reader, name, bytes, n);
    return root ? load(&reader, root, &target, ret_model) : -EINVAL;
}

static int load_robot(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                      const struct dpl_sim_load_options *options, struct dpl_sim_robot *ret_robot)
{
    struct dpl__classes classes;
    root = dpl__params_expand(reader, root, options, NULL);
    if (!root) {
        return -EINVAL;
    }
    dpl__classes_make(reader->arena, options, &classes);
    return dpl__robot_read(reader, root, &classes, reader->arena, ret_robot) ? 0 : -EINVAL;
}

int dpl_sim_read_robot(struct dpl_arena *arena, const char *file, struct dpl_sim_robot *ret_robot,
                       struct dpl_diags *diags)
{
    return dpl_sim_read_robot_with(arena, file, NULL, ret_robot, diags);
}

int dpl_sim_read_robot_with(struct dpl_arena *arena, const char *file,
                            const struct dpl_sim_load_options *options,
                            struct dpl_sim_robot *ret_robot, struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    const struct dpl_xml_node *root = dpl__root_of_file(&reader, file);
    return root ? load_robot(&reader, root, options, ret_robot) : -EINVAL;
}

int dpl_sim_read_robot_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                            struct dpl_sim_robot *ret_robot, struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    const struct dpl_xml_node *root = dpl__root_of_text(&reader, name, bytes, n);
    return root ? load_robot(&reader, root, &no_options, ret_robot) : -EINVAL;
}

static const char *name_kept(const char *name, const char *file,
                             const struct dpl_sim_load_options *options)
{
    for (size_t i = 0; i < options->n_sets; i++) {
        if (name == options->sets[i].place.file) {
            return name;
        }
    }
    for (size_t i = 0; i < options->n_params; i++) {
        if (name == options->params[i].place.file) {
            return name;
        }
    }
    if (!name || strcmp(name, file) == 0) {
        return file;
    }
    return options->catalog ? dpl_catalog_find_profile(options->catalog, NULL, name, NULL) : NULL;
}

/* The file names of diagnostics live as long as the arena; this one outlives it: its file is the
 * caller's own name, that of a set, or the catalogue's. Without any the place goes into the text.
 */
static int first_error(const struct dpl_diags *diags, const char *file,
                       const struct dpl_sim_load_options *options, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < diags->n; i++) {
        const struct dpl_diag *diag = &diags->items[i];
        struct dpl_place place = diag->place;
        if (diag->severity != DPL_SEVERITY_ERROR) {
            continue;
        }
        const char *kept = name_kept(place.file, file, options);
        if (kept) {
            place.file = kept;
            return dpl_fail(reterr, -EINVAL, place, "%s", diag->text);
        }
        if (place.line == 0) { /* a plugin */
            return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = file}, "%s: %s", place.file,
                            diag->text);
        }
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = file}, "%s:%d:%d: %s",
                        place.file, place.line, place.column, diag->text);
    }
    return dpl_fail(reterr, -ENOMEM, (struct dpl_place){.file = file}, "out of memory");
}

static void pass_warnings(const struct dpl_diags *diags, const struct dpl_sim_load_options *options)
{
    for (size_t i = 0; i < diags->n && options->warn; i++) {
        if (diags->items[i].severity == DPL_SEVERITY_WARNING) {
            options->warn(&diags->items[i]);
        }
    }
}

static void pass_on(void *user, const struct dpl_diag *diag)
{
    const struct dpl_sim_load_options *options = user;
    options->warn(diag);
}

int dpl_sim_load_world_with(const char *file, const struct dpl_sim_load_options *options,
                            struct dpl_sim_model **ret_model, struct dpl_diag *reterr)
{
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    int rc = dpl_sim_read_world(&arena, file, options, ret_model, &diags);
    if (rc) {
        rc = first_error(&diags, file, options, reterr);
    }
    pass_warnings(&diags, options);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    if (rc == 0 && options->step > 0) {
        (*ret_model)->step = options->step;
    }
    if (rc == 0 && options->warn) {
        struct dpl_sim_load_options copy = *options;
        dpl_sim_check_steps(*ret_model, pass_on, &copy);
    }
    return rc;
}

int dpl_sim_load_world(const char *file, uint64_t seed, struct dpl_catalog *catalog,
                       struct dpl_sim_model **ret_model, struct dpl_diag *reterr)
{
    struct dpl_sim_load_options options = {.has_seed = true, .seed = seed, .catalog = catalog};
    return dpl_sim_load_world_with(file, &options, ret_model, reterr);
}

/* ---- the formats ---- */

struct step_notes {
    struct dpl_arena *arena;
    struct dpl_diags *diags;
};

/* The name of its file is the model's. */
static void note_step(void *user, const struct dpl_diag *diag)
{
    const struct step_notes *notes = user;
    struct dpl_place place = diag->place;
    place.file = dpl_arena_printf(notes->arena, "%s", diag->place.file);
    dpl_diags_add(notes->diags, diag->severity, place, "%s", diag->text);
}

static bool is_world(const char *file, const char *root, const struct dpl_xml_node *node)
{
    (void)file, (void)node;
    return strcmp(root, "world") == 0;
}

int dpl__world_check(struct dpl_arena *arena, const char *file,
                     const struct dpl_sim_load_options *options, struct dpl_diags *diags,
                     const char **ret_about)
{
    struct dpl_sim_model *model = NULL;
    int err = dpl_sim_read_world(arena, file, options, &model, diags);
    if (err == 0) {
        struct step_notes notes = {arena, diags};
        err = dpl__multibody_check(arena, model, diags, ret_about);
        if (err == 0) {
            dpl_sim_check_steps(model, note_step, &notes);
        }
        dpl_sim_model_destroy(model);
    }
    return err;
}

const struct dpl_format dpl__world_format = {
    .name = "world", .is_mine = is_world, .check = dpl__world_check, .schema = dpl__world_root};

static bool is_robot(const char *file, const char *root, const struct dpl_xml_node *node)
{
    (void)file, (void)node;
    return strcmp(root, "robot_model") == 0;
}

static int check_robot(struct dpl_arena *arena, const char *file,
                       const struct dpl_sim_load_options *options, struct dpl_diags *diags,
                       const char **ret_about)
{
    static struct dpl_sim_robot robot; /* large; only looked at */
    (void)ret_about;
    return dpl_sim_read_robot_with(arena, file, options, &robot, diags);
}

const struct dpl_format dpl__robot_format = {
    .name = "robot_model", .is_mine = is_robot, .check = check_robot, .schema = dpl__robot_root};
