/* SPDX-License-Identifier: Apache-2.0 */
/* Checking files by reading them. */
#include <doppel/sim/check.h>

#include <errno.h>
#include <string.h>

#include "format.h"
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

static const struct dpl_format *format_of(const char *file, const char *root,
                                          const struct dpl_xml_node *node)
{
    size_t i = 0;
    while (dpl__formats[i] && !dpl__formats[i]->is_mine(file, root, node)) {
        i++;
    }
    return dpl__formats[i];
}

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
        roots[n++] = dpl__formats[i]->root;
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
    const struct dpl_format *format = format_of(file, root, NULL);
    if (!format && dpl_xml_read_file(diags_arena, file, &node, NULL) == 0) {
        place = node->place;
        format = format_of(file, root, node);
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
