/* SPDX-License-Identifier: Apache-2.0 */
/* A world's <robot> whose file is of a foreign format. */
#include <string.h>

#include <doppel/sim/import.h>

#include "arena.h"
#include "mechanism_robot.h"
#include "world_xml.h"

/* Folders of packages that are relative to the world's file. */
static const char *packages_of(struct dpl_element_reader *reader, const char *list)
{
    const struct dpl__world_target *target = reader->target;
    const char *slash = strrchr(target->file, '/'), *made = "";
    int folder = slash ? (int)(slash + 1 - target->file) : 0;
    while (*list) {
        size_t n = strcspn(list, ":");
        made = dpl_arena_printf(reader->arena, "%s%.*s%.*s:", made, *list == '/' ? 0 : folder,
                                target->file, (int)n, list);
        list += n + (list[n] == ':');
    }
    return made;
}

/* A <robot urdf="..."/> or <robot sdf="..."/>. */
void dpl__world_import(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    struct dpl__import_spec *spec = dpl__settings_make(reader->arena, &dpl__import_settings);
    const struct dpl_xml_attribute *joints = dpl_xml_attribute_like(node, "joints");
    const char *path = NULL;
    struct dpl_sim_robot robot;
    if (!dpl_element_fields(reader, node, dpl__import_settings.fields, dpl__import_settings.n,
                             spec)) {
        return;
    }
    const struct dpl_sim_import_options options = {
        .fixed_base = spec->fixed_base,
        .self_collision = spec->self_collision,
        .mesh_parts = spec->meshes == 1,
        .drive = (enum dpl_sim_import_drive)spec->drive,
        .z = spec->z,
        .friction = spec->friction,
        .packages = packages_of(reader, spec->packages),
        .joints = spec->joints,
        .joints_place = joints ? joints->value_place : node->place,
    };
    bool is_sdf = spec->robot.sdf[0] != '\0';
    const char *name = is_sdf ? spec->robot.sdf : spec->robot.urdf;
    if (name[0] == '\0' || (is_sdf && spec->robot.urdf[0] != '\0')) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "<robot> needs one of the attributes 'model', 'urdf', 'sdf' and 'star'");
        return;
    }
    const struct dpl_xml_node *root = dpl__world_file(reader, node, name, &path);
    if (root && strcmp(root->name, is_sdf ? "sdf" : "robot") != 0) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, root->place,
                      "found root element <%.60s>, expected <%s>", root->name,
                      is_sdf ? "sdf" : "robot");
        return;
    }
    if (root && dpl__import_robot_read(reader, root, path, &target->classes, &options,
                                       target->model, &robot)) {
        dpl__world_add_robot(reader, node, &spec->robot, &robot);
    }
}
