/* SPDX-License-Identifier: Apache-2.0 */
/* Checking files by reading them. */
#include <doppel/sim/check.h>

#include <errno.h>
#include <string.h>

#include <doppel/host/catalog.h>

#include "arena.h"
#include "formats.h"
#include "xml_reader.h"

/* Files that are near to what is read here, and what makes one of them; NULL: none of these. */
static const char *what_it_is(const struct dpl_xml_node *root)
{
    static const struct {
        const char *root, *text;
    } known[] = {
        {"gazebo", "this is SDF before version 1.3, convert it: gz sdf -p FILE > new.sdf"},
        {"gazebo:world",
         "this is a world of Gazebo before SDF: no program converts it, write it as SDF"},
        {"launch", "this is a launch file of ROS; the robot's file is named in it"},
        {"mujoco", "this is MuJoCo's MJCF, which is not read; URDF and SDF are"},
        {"model", "a <model> of SDF has to be in <sdf version=\"...\">"},
        {"COLLADA", "this is a mesh; a URDF or SDF names it in <mesh>"},
    };
    bool is_xacro = strncmp(root->name, "xacro:", 6) == 0;
    for (size_t i = 0; i < root->n_attributes; i++) {
        is_xacro |= strcmp(root->attributes[i].name, "xmlns:xacro") == 0;
    }
    if (is_xacro) {
        return "this is a xacro file, expand it first: xacro FILE > robot.urdf";
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(root->name, known[i].root) == 0) {
            return known[i].text;
        }
    }
    return NULL;
}

/* ---- the list ---- */

/* The words of the <robot> of a world that names such a file: not those that each <robot> has. */
static int check_words(const struct dpl_catalog_part *part, const struct dpl_format *format,
                       struct dpl_diag *reterr)
{
    const struct dpl_sim_settings *all = &dpl__robot_settings, *own = &format->settings;
    const char *taken =
        dpl_field_find(all->fields, all->n, format->attribute) ? format->attribute : NULL;
    for (size_t i = 0; !taken && i < own->n; i++) {
        const char *name = own->fields[i].name;
        bool is_taken =
            dpl_field_find(all->fields, all->n, name) || dpl_name_equal(name, format->attribute);
        taken = is_taken ? name : NULL;
    }
    return taken ? dpl_fail(reterr, -ENOEXEC, (struct dpl_place){.file = part->file},
                            "format '%.60s': a <robot> has an attribute '%.60s' already",
                            part->name, taken)
                 : 0;
}

static int check_plugin(const struct dpl_catalog_part *part, const void *const *all,
                        struct dpl_diag *reterr)
{
    const struct dpl_format *format = part->table;
    const struct dpl_place place = {.file = part->file};
    if (!format->is_mine || !format->attribute || !format->summary || !format->read) {
        return dpl_fail(reterr, -ENOEXEC, place,
                        "format '%.60s': is_mine, attribute, summary or read is missing",
                        part->name);
    }
    for (; *all; all++) {
        const struct dpl_format *other = *all;
        if (dpl_name_equal(other->name, format->name) ||
            (other->attribute && dpl_name_equal(other->attribute, format->attribute))) {
            return dpl_fail(reterr, -ENOEXEC, place,
                            "the format '%s' has the same name or attribute",
                            other->attribute ? other->attribute : other->name);
        }
    }
    int err = dpl_catalog_check_word(part, "attribute", format->attribute, reterr);
    err = err < 0 ? err
                  : dpl_catalog_check_fields(part, format->settings.fields, format->settings.n,
                                             format->settings.size, reterr);
    err = err < 0 ? err : check_words(part, format, reterr);
    if (err == 0 && strcmp(format->attribute, format->name) != 0) {
        return dpl_fail(reterr, -ENOEXEC, place,
                        "format '%.60s': its attribute is '%.60s', expected its name", part->name,
                        format->attribute);
    }
    return err;
}

const struct dpl_format *const *
dpl_sim_formats(struct dpl_arena *arena, struct dpl_catalog *catalog, struct dpl_diags *diags)
{
    const struct dpl__part_kind kind = {"format", sizeof(struct dpl_format), check_plugin};
    return (const struct dpl_format *const *)dpl__parts_list(
        arena, (const void *const *)dpl__formats, &kind, catalog, diags);
}

const struct dpl_format *dpl__format_of(const struct dpl_format *const *formats, const char *file,
                                        const char *root, const struct dpl_xml_node *node)
{
    while (*formats && !(*formats)->is_mine(file, root, node)) {
        formats++;
    }
    return *formats;
}

bool dpl_sim_knows_file(const char *file, struct dpl_catalog *catalog)
{
    struct dpl_arena arena = {0};
    bool knows = dpl__format_of(dpl_sim_formats(&arena, catalog, NULL), file, "", NULL);
    dpl_arena_finish(&arena);
    return knows;
}

/* ---- checks ---- */

/* The root that was probably meant; NULL: none is near. */
static const char *nearest(const char *root)
{
    const char *roots[32] = {
        "component_profile",   "composite_component_profile", "package_profile",
        "application_profile", "service_port_type_profile",   "data_type",
        "binding_profile",
    };
    size_t n = 7;
    for (size_t i = 0; dpl__formats[i] && n < DPL_COUNT(roots); i++) {
        roots[n++] = dpl__formats[i]->name;
    }
    return dpl_nearest(root, roots, n);
}

int dpl_sim_check(struct dpl_arena *diags_arena, const char *file, const char *root,
                  const struct dpl_sim_load_options *options, struct dpl_diags *diags,
                  const char **ret_about)
{
    *ret_about = NULL;
    const struct dpl_xml_node *node = NULL;
    struct dpl_place place = {file, 1, 1};
    const struct dpl_format *const *formats =
        dpl_sim_formats(diags_arena, options ? options->catalog : NULL, NULL);
    const struct dpl_format *format = dpl__format_of(formats, file, root, NULL);
    if (!format && dpl_xml_read_file(diags_arena, file, &node, NULL) == 0) {
        place = node->place;
        format = dpl__format_of(formats, file, root, node);
    }
    if (format && !format->check) {
        return dpl__format_check(format, diags_arena, file, diags, ret_about);
    }
    if (format) {
        return format->check(diags_arena, file, options, diags, ret_about);
    }
    const char *cause = node ? what_it_is(node) : NULL;
    if (cause) {
        dpl_diags_add(diags, DPL_SEVERITY_ERROR, place, "found root element <%.60s>: %s", root,
                      cause);
        return -EINVAL;
    }
    const char *near = nearest(root);
    dpl_diags_add(diags, DPL_SEVERITY_ERROR, place,
                  "found root element <%s>, expected that of a profile, a world, a robot, a "
                  "mechanism or a test plan%s%s%s",
                  root, near ? ", did you mean <" : "", near ? near : "", near ? ">?" : "");
    return -EINVAL;
}
