/* SPDX-License-Identifier: Apache-2.0 */
/* A world's <robot> whose file is of a foreign format. */
#include <string.h>

#include <doppel/sim/import.h>

#include "arena.h"
#include "formats.h"
#include "mechanism_robot.h"
#include "world_xml.h"

/* A <robot> with `urdf` or `sdf`. */
struct import_spec {
    struct dpl__robot_spec robot;
    char urdf[256], sdf[256];
    double z, friction;
    bool fixed_base, self_collision;
    int drive;  /* enum dpl_sim_import_drive */
    int meshes; /* 1: by parts */
    char packages[1024], joints[2048];
};

/* Attributes with `urdf` or `sdf`. Others have them as parameters of their files. */
static const struct dpl_field import_fields[] = {
    DPL_TEXT(struct import_spec, robot.name, "name", NULL, "name of the robot"),
    DPL_TEXT(struct import_spec, urdf, "urdf", "", "file of URDF"),
    DPL_TEXT(struct import_spec, sdf, "sdf", "", "file of SDF"),
    DPL_NUMBER(struct import_spec, robot.start.x, "x", "m", "0", -10000.0, 10000.0, "start"),
    DPL_NUMBER(struct import_spec, robot.start.y, "y", "m", "0", -10000.0, 10000.0, "start"),
    DPL_NUMBER(struct import_spec, z, "z", "m", "0", -10000.0, 10000.0, "start"),
    DPL_NUMBER(struct import_spec, robot.start.theta, "yaw", "rad", "0", -10.0, 10.0, "start"),
    DPL_BOOL(struct import_spec, fixed_base, "fixed_base", "false", "its first link stands still"),
    DPL_CHOICE(struct import_spec, drive, "drive", "auto", "auto|position|speed|effort|none",
               "what its joints are commanded; auto: continuous ones a speed, others a position"),
    DPL_BOOL(struct import_spec, self_collision, "self_collision", "false",
             "its links touch each other"),
    DPL_CHOICE(
        struct import_spec, meshes, "meshes", "hull", "hull|parts",
        "a collision mesh that moves counts as its convex hull, or as one for each connected "
        "part"),
    DPL_NUMBER(struct import_spec, friction, "friction", NULL, "0.8", 0.0, 10.0,
               "of its shapes, where the file has no mu1"),
    DPL_TEXT(struct import_spec, packages, "packages", "",
             "folders of packages, ':' between; relative to the world's file"),
    DPL_TEXT(struct import_spec, joints, "joints", "",
             "positions at the start, such as \"elbow=1.2 wrist=-0.3\""),
};

static const struct dpl_element_table import_table = DPL_ELEMENT_TABLE(import_fields);

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
static void read_robot(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    struct import_spec *spec = dpl_arena_alloc(reader->arena, sizeof *spec);
    const struct dpl_xml_attribute *joints = dpl_xml_attribute_like(node, "joints");
    const char *path = NULL;
    struct dpl_sim_robot robot;
    if (!dpl_element_fields(reader, node, import_fields, DPL_COUNT(import_fields), spec)) {
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
    bool is_sdf = spec->sdf[0] != '\0';
    const char *name = is_sdf ? spec->sdf : spec->urdf;
    if (name[0] == '\0' || (is_sdf && spec->urdf[0] != '\0')) {
        dpl__world_say_needs_file(reader, node);
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

/* ---- the formats ---- */

static bool is_urdf(const char *file, const char *root, const struct dpl_xml_node *node)
{
    (void)file;
    return strcmp(root, "robot") == 0 && node && dpl_sim_is_import(node);
}

static bool is_sdf(const char *file, const char *root, const struct dpl_xml_node *node)
{
    (void)file;
    return strcmp(root, "sdf") == 0 && node && dpl_sim_is_import(node);
}

static int check(struct dpl_arena *arena, const char *file,
                 const struct dpl_sim_load_options *options, struct dpl_diags *diags,
                 const char **ret_about)
{
    struct dpl_sim_objects objects;
    (void)options;
    int err = dpl_sim_read_import(arena, file, NULL, &objects, diags);
    *ret_about = err ? NULL : dpl_sim_describe_objects(arena, &objects);
    return err;
}

const struct dpl_format dpl__urdf_format = {.name = "robot",
                                            .is_mine = is_urdf,
                                            .attribute = "urdf",
                                            .summary = "in place of model: a file of URDF",
                                            .check = check,
                                            .read_robot = read_robot,
                                            .table = &import_table};

const struct dpl_format dpl__sdf_format = {.name = "sdf",
                                           .is_mine = is_sdf,
                                           .attribute = "sdf",
                                           .summary = "in place of model: a file of SDF",
                                           .check = check,
                                           .read_robot = read_robot,
                                           .table = &import_table};
