/* SPDX-License-Identifier: Apache-2.0 */
/* SDF: links with their shapes. */
#include <stdio.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "arena.h"
#include "sdf.h"

/* ---- inertia --------------------------------------------------------------------------------- */

static bool read_inertial(struct dpl__import *import, struct dpl__import_link *link,
                          const struct dpl_xml_node *node)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const struct dpl_xml_node *inertial = dpl_xml_child(node, "inertial");
    struct dpl_mass about = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
    struct dpl_pose3 pose = {.orientation.w = 1.0};
    if (!inertial && !link->is_static) {
        dpl__import_note(import, node->place,
                         "link '%s' has no <inertial>: 1 kg and 1 kg m^2, as the format says",
                         link->own_name);
    } else if (inertial) {
        const struct dpl_xml_node *tensor = dpl_xml_child(inertial, "inertia");
        if (!dpl__sdf_pose(import, inertial, &pose) ||
            !dpl__sdf_numbers(import, inertial, "mass", 1, &about.mass)) {
            return false;
        }
        for (int i = 0; i < 6 && tensor; i++) {
            if (!dpl__sdf_numbers(import, tensor, names[i], 1, &about.inertia[i])) {
                return false;
            }
        }
        link->mass_node = inertial;
    }
    link->mass = dpl_mass_move(&about, &pose);
    return true;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* A plane as z = 0 of its pose. The ground of the world is there already: false, with a note. */
static bool read_plane(struct dpl__import *import, const struct dpl__import_link *link,
                       const struct dpl_xml_node *node, const struct dpl_pose3 *pose,
                       struct dpl_sim_solid *inout)
{
    double normal[3] = {0.0, 0.0, 1.0};
    struct dpl_pose3 identity = {.orientation.w = 1.0};
    struct dpl_diag diag;
    if (!dpl__sdf_numbers(import, node, "normal", 3, normal)) {
        return false;
    }
    if (dpl_sim_joint_align(&identity, (struct dpl_vector3){normal[0], normal[1], normal[2]},
                            (struct dpl_vector3){0}, &inout->pose, &diag)) {
        return dpl__import_fail(import, node->place, "the normal has no direction");
    }
    struct dpl_pose3 at = dpl_pose3_compose(link->pose, dpl_pose3_compose(*pose, inout->pose));
    struct dpl_vector3 up = dpl_quaternion_turn(at.orientation, (struct dpl_vector3){.z = 1.0});
    if (!link->is_static || (fabs(at.position.z) < 1e-9 && up.z > 1.0 - 1e-12)) {
        dpl__import_note(import, node->place, "the plane of link '%s' is left out: %s",
                         link->own_name,
                         link->is_static ? "the ground of the world is there"
                                         : "only links that stand still may have one");
        return false;
    }
    inout->kind = DPL_SOLID_PLANE;
    return true;
}

static bool read_mesh(struct dpl__import *import, const struct dpl_xml_node *node, bool is_look,
                      struct dpl__import_solid *ret_solid)
{
    double scale[3] = {1.0, 1.0, 1.0};
    const struct dpl_xml_node *uri = dpl_xml_child(node, "uri");
    const char *outer = import->file;
    if (!uri) {
        return dpl__import_fail(import, node->place, "<mesh> needs <uri>");
    }
    const struct dpl_xml_node *given = dpl_xml_child(node, "scale");
    if (given && !dpl__import_scale(import, given->text, given->text_place, scale)) {
        return false;
    }
    dpl__sdf_leave_out(import, node, "uri|scale");
    import->file = node->place.file;
    bool good = dpl__import_mesh(import, uri->text, uri->text_place, scale, is_look, ret_solid);
    import->file = outer;
    return good;
}

static bool read_round(struct dpl__import *import, const struct dpl_xml_node *node,
                       struct dpl_sim_solid *inout)
{
    bool is_sphere = strcmp(node->name, "sphere") == 0;
    inout->kind = is_sphere                            ? DPL_SOLID_SPHERE
                  : strcmp(node->name, "capsule") == 0 ? DPL_SOLID_CAPSULE
                                                       : DPL_SOLID_CYLINDER;
    inout->radius = is_sphere ? 1.0 : 0.5; /* of the format */
    inout->height = is_sphere ? 0.0 : 1.0;
    return dpl__sdf_numbers(import, node, "radius", 1, &inout->radius) &&
           (is_sphere || dpl__sdf_numbers(import, node, "length", 1, &inout->height));
}

static bool read_geometry(struct dpl__import *import, const struct dpl__import_link *link,
                          const struct dpl_xml_node *geometry, const struct dpl_pose3 *pose,
                          bool is_look, struct dpl__import_solid *ret_solid)
{
    const struct dpl_xml_node *node = geometry->children;
    struct dpl__import_solid made = {.uri = "", .friction = -1.0};
    bool good = false;
    made.solid.pose.orientation.w = 1.0;
    if (!node || strcmp(node->name, "empty") == 0) {
        return false;
    }
    made.place = node->place;
    if (strcmp(node->name, "box") == 0) {
        made.solid.kind = DPL_SOLID_BOX;
        made.solid.size[0] = made.solid.size[1] = made.solid.size[2] = 1.0; /* of the format */
        good = dpl__sdf_numbers(import, node, "size", 3, made.solid.size);
    } else if (strcmp(node->name, "sphere") == 0 || strcmp(node->name, "cylinder") == 0 ||
               strcmp(node->name, "capsule") == 0) {
        good = read_round(import, node, &made.solid);
    } else if (strcmp(node->name, "mesh") == 0) {
        good = read_mesh(import, node, is_look, &made);
    } else if (strcmp(node->name, "plane") == 0 && !is_look) {
        good = read_plane(import, link, node, pose, &made.solid);
    } else {
        dpl__import_leave_out(import, node);
    }
    good = good && dpl__import_size(import, node, is_look, &made.solid);
    made.solid.pose = dpl_pose3_compose(*pose, made.solid.pose);
    *ret_solid = made;
    return good;
}

static double friction_of(struct dpl__import *import, const struct dpl_xml_node *collision)
{
    static const char *const path[] = {"surface", "friction", "ode"};
    const struct dpl_xml_node *node = collision;
    double mu = 1.0;
    for (size_t i = 0; i < DPL_COUNT(path) && node; i++) {
        if (i > 0) {
            dpl__sdf_leave_out(import, node, path[i]);
        }
        node = dpl_xml_child(node, path[i]);
    }
    if (node) {
        dpl__sdf_leave_out(import, node, "mu|mu2");
        dpl__sdf_numbers(import, node, "mu", 1, &mu);
    }
    return dpl__import_friction(import, node ? node->place : collision->place, mu);
}

static void read_color(struct dpl__import *import, const struct dpl_xml_node *visual,
                       struct dpl_sim_solid *inout)
{
    const struct dpl_xml_node *material = dpl_xml_child(visual, "material");
    const struct dpl_xml_node *diffuse = material ? dpl_xml_child(material, "diffuse") : NULL;
    if (material) {
        dpl__sdf_leave_out(import, material, "diffuse|ambient|specular");
    }
    inout->has_color = diffuse && dpl__import_color(import, diffuse->text, diffuse->text_place,
                                                    "diffuse", inout->color);
}

static void read_shape(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                       struct dpl__import_link *link, const struct dpl_xml_node *node)
{
    bool is_look = strcmp(node->name, "visual") == 0;
    const struct dpl_xml_node *geometry = dpl_xml_child(node, "geometry");
    const struct dpl_xml_node *pose = dpl_xml_child(node, "pose");
    const struct dpl_xml_attribute *to = pose ? dpl_xml_attribute(pose, "relative_to") : NULL;
    struct dpl__import_solid solid;
    struct dpl_pose3 at, around;
    if (!geometry || !dpl__sdf_pose(import, node, &at)) {
        return;
    }
    if (to && to->value[0] != '\0') {
        if (!dpl__sdf_frame(import, scope, to->value, pose, 0, &around)) {
            return;
        }
        at = dpl_pose3_relative(link->pose, dpl_pose3_compose(around, at));
    }
    dpl__sdf_leave_out(import, node, is_look ? "pose|geometry|material" : "pose|geometry|surface");
    if (!read_geometry(import, link, geometry, &at, is_look, &solid)) {
        return;
    }
    if (is_look) {
        read_color(import, node, &solid.solid);
    } else {
        solid.friction = friction_of(import, node);
    }
    *(struct dpl__import_solid *)dpl__list_add(
        import->reader->arena, is_look ? &link->looks : &link->solids, sizeof solid) = solid;
}

/* ---- links ----------------------------------------------------------------------------------- */

void dpl__sdf_link(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                   const struct dpl_xml_node *node)
{
    const char *name = dpl__sdf_full_name(import, scope, node);
    struct dpl_pose3 pose;
    if (!name || !dpl__sdf_place(import, scope, node, 0, &pose)) {
        return;
    }
    struct dpl__import_link *link =
        dpl__import_add_link(import, node, name, dpl__sdf_short_name(import, name));
    if (!link) {
        return;
    }
    link->pose = pose;
    link->is_static = scope->is_static;
    link->model = scope->touches_itself ? 0 : scope->group;
    dpl__sdf_leave_out(import, node, "pose|inertial|visual|collision");
    if (!read_inertial(import, link, node)) {
        return;
    }
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        if (strcmp(child->name, "visual") == 0 || strcmp(child->name, "collision") == 0) {
            read_shape(import, scope, link, child);
        }
    }
}
