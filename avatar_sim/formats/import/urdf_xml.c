/* SPDX-License-Identifier: Apache-2.0 */
/* URDF: links and joints of a <robot>. Elements are those of wiki.ros.org/urdf/XML. */
#include <stdio.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "arena.h"
#include "urdf.h"

/* ---- places ---------------------------------------------------------------------------------- */

bool dpl__urdf_origin(struct dpl__import *import, const struct dpl_xml_node *node,
                      struct dpl_pose3 *ret_pose)
{
    const struct dpl_xml_node *origin = dpl_xml_child(node, "origin");
    double at[3] = {0}, turn[3] = {0};
    *ret_pose = (struct dpl_pose3){.orientation.w = 1.0};
    if (!origin) {
        return true;
    }
    if (!dpl__urdf_known(import, origin, "xyz|rpy") ||
        !dpl__import_attribute(import, origin, "xyz", 3, at) ||
        !dpl__import_attribute(import, origin, "rpy", 3, turn)) {
        return false;
    }
    ret_pose->position = (struct dpl_vector3){at[0], at[1], at[2]};
    ret_pose->orientation = dpl_quaternion_from_rpy(turn[0], turn[1], turn[2]);
    return true;
}

void dpl__urdf_no_text(struct dpl__import *import, const struct dpl_xml_node *node)
{
    if (node->text[0] != '\0') {
        dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, node->text_place,
                      "<%.60s>: the text '%.60s' is not read: URDF has values in attributes",
                      node->name, node->text);
    }
}

bool dpl__urdf_known(struct dpl__import *import, const struct dpl_xml_node *node, const char *names)
{
    const char *list[16];
    size_t n = 0;
    dpl__urdf_no_text(import, node);
    while (*names && n < DPL_COUNT(list)) {
        size_t length = strcspn(names, "|");
        list[n++] = dpl_arena_strndup(import->reader->arena, names, length);
        names += length + (names[length] == '|');
    }
    for (size_t i = 0; i < node->n_attributes; i++) {
        const struct dpl_xml_attribute *given = &node->attributes[i];
        bool is_known = false;
        for (size_t k = 0; k < n; k++) {
            is_known |= strcmp(list[k], given->name) == 0;
        }
        if (!is_known) {
            dpl__element_unknown(import->reader, given->place, given->name,
                                 dpl_nearest(given->name, list, n));
        }
    }
    return true;
}

/* ---- inertia --------------------------------------------------------------------------------- */

struct mass_spec {
    double value;
};

static const struct dpl_field mass_fields[] = {
    DPL_NUMBER(struct mass_spec, value, "value", "kg", NULL, 0.0, 1e9, "of the link"),
};

static const struct dpl_field inertia_fields[] = {
    DPL_NUMBER(struct dpl_mass, inertia[0], "ixx", NULL, NULL, -1e12, 1e12, "kg m^2"),
    DPL_NUMBER(struct dpl_mass, inertia[1], "iyy", NULL, NULL, -1e12, 1e12, "kg m^2"),
    DPL_NUMBER(struct dpl_mass, inertia[2], "izz", NULL, NULL, -1e12, 1e12, "kg m^2"),
    DPL_NUMBER(struct dpl_mass, inertia[3], "ixy", NULL, "0", -1e12, 1e12, "kg m^2"),
    DPL_NUMBER(struct dpl_mass, inertia[4], "ixz", NULL, "0", -1e12, 1e12, "kg m^2"),
    DPL_NUMBER(struct dpl_mass, inertia[5], "iyz", NULL, "0", -1e12, 1e12, "kg m^2"),
};

/* The tensor is given in the axes of <origin>, which may be turned. */
static bool read_inertial(struct dpl__import *import, struct dpl__import_link *link,
                          const struct dpl_xml_node *node)
{
    const struct dpl_xml_node *mass = dpl_xml_child(node, "mass");
    const struct dpl_xml_node *inertia = dpl_xml_child(node, "inertia");
    struct mass_spec spec = {0};
    struct dpl_mass about = {0};
    struct dpl_pose3 pose;
    if (!mass) {
        dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, node->place,
                      "<inertial> of link '%.200s' has no <mass>: the link has none",
                      link->own_name);
        return true;
    }
    bool good = dpl__urdf_origin(import, node, &pose);
    good &= dpl_element_fields(import->reader, mass, mass_fields, DPL_COUNT(mass_fields), &spec);
    good &= !inertia || dpl_element_fields(import->reader, inertia, inertia_fields,
                                           DPL_COUNT(inertia_fields), &about);
    if (good && spec.value > 0.0) {
        about.mass = spec.value;
        link->mass = dpl_mass_move(&about, &pose);
        link->mass_node = node;
    } else if (good) {
        dpl__import_note(import, node->place, "link '%s' has the mass 0: it has none",
                         link->own_name);
    }
    return good;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static bool read_box(struct dpl__import *import, const struct dpl_xml_node *node,
                     struct dpl_sim_solid *inout)
{
    inout->kind = DPL_SOLID_BOX;
    return dpl__urdf_known(import, node, "size") && dpl__import_required(import, node, "size") &&
           dpl__import_attribute(import, node, "size", 3, inout->size);
}

static bool read_round(struct dpl__import *import, const struct dpl_xml_node *node,
                       struct dpl_sim_solid *inout)
{
    bool is_sphere = strcmp(node->name, "sphere") == 0;
    bool is_capsule = strcmp(node->name, "capsule") == 0;
    inout->kind = is_sphere    ? DPL_SOLID_SPHERE
                  : is_capsule ? DPL_SOLID_CAPSULE
                               : DPL_SOLID_CYLINDER;
    return dpl__urdf_known(import, node, is_sphere ? "radius" : "radius|length") &&
           dpl__import_required(import, node, "radius") &&
           (is_sphere || dpl__import_required(import, node, "length")) &&
           dpl__import_attribute(import, node, "radius", 1, &inout->radius) &&
           dpl__import_attribute(import, node, "length", 1, &inout->height);
}

static bool read_mesh(struct dpl__import *import, const struct dpl_xml_node *node, bool is_look,
                      struct dpl__import_solid *ret_solid)
{
    double scale[3] = {1.0, 1.0, 1.0};
    const struct dpl_xml_attribute *file = dpl__import_required(import, node, "filename");
    const struct dpl_xml_attribute *given = dpl_xml_attribute(node, "scale");
    return file && dpl__urdf_known(import, node, "filename|scale") &&
           (!given || dpl__import_scale(import, given->value, given->value_place, scale)) &&
           dpl__import_mesh(import, file->value, file->value_place, scale, is_look, ret_solid);
}

/* What is in <geometry>. False: it is no shape, or an error. */
static bool read_geometry(struct dpl__import *import, const struct dpl_xml_node *geometry,
                          bool is_look, struct dpl__import_solid *ret_solid)
{
    const struct dpl_xml_node *node = geometry->children;
    if (!node) {
        dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, geometry->place,
                      "<geometry> is empty: the shape is left out");
        return false;
    }
    struct dpl__import_solid made = {.place = node->place, .uri = "", .friction = -1.0};
    bool good = false;
    if (strcmp(node->name, "box") == 0) {
        good = read_box(import, node, &made.solid);
    } else if (strcmp(node->name, "sphere") == 0 || strcmp(node->name, "cylinder") == 0 ||
               strcmp(node->name, "capsule") == 0) {
        good = read_round(import, node, &made.solid);
    } else if (strcmp(node->name, "mesh") == 0) {
        good = read_mesh(import, node, is_look, &made);
    } else {
        dpl__import_leave_out(import, node);
        return false;
    }
    good = good && dpl__import_size(import, node, is_look, &made.solid);
    *ret_solid = made;
    return good;
}

/* The colour of a material that is given here, or by name at the root or before. */
static void read_color(struct dpl__import *import, const struct dpl_xml_node *root,
                       const struct dpl_xml_node *material, struct dpl_sim_solid *inout)
{
    const struct dpl_xml_node *color = material ? dpl_xml_child(material, "color") : NULL;
    const struct dpl_xml_attribute *name = material ? dpl_xml_attribute(material, "name") : NULL;
    const struct dpl_xml_node *other = root->children;
    while (material && !color && name && other) {
        const struct dpl_xml_attribute *given = dpl_xml_attribute(other, "name");
        if (strcmp(other->name, "material") == 0 && given &&
            strcmp(given->value, name->value) == 0) {
            color = dpl_xml_child(other, "color");
        }
        other = other->next;
    }
    if (color) {
        dpl__urdf_no_text(import, color);
    }
    const struct dpl_xml_attribute *rgba = color ? dpl_xml_attribute(color, "rgba") : NULL;
    inout->has_color =
        rgba && dpl__import_color(import, rgba->value, rgba->value_place, "rgba", inout->color);
}

/* A <visual> or a <collision>. */
static void read_shape(struct dpl__import *import, const struct dpl_xml_node *root,
                       struct dpl__import_link *link, const struct dpl_xml_node *node)
{
    bool is_look = strcmp(node->name, "visual") == 0;
    const struct dpl_xml_node *geometry = dpl_xml_child(node, "geometry");
    struct dpl__import_solid solid;
    struct dpl_pose3 pose;
    if (!geometry) {
        dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, node->place,
                      "<%s> needs <geometry>: it is left out", node->name);
        return;
    }
    if (!dpl__urdf_origin(import, node, &pose) ||
        !read_geometry(import, geometry, is_look, &solid)) {
        return;
    }
    solid.solid.pose = pose;
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        if (strcmp(child->name, "origin") != 0 && strcmp(child->name, "geometry") != 0 &&
            (!is_look || strcmp(child->name, "material") != 0)) {
            dpl__import_leave_out(import, child);
        }
    }
    if (is_look) {
        read_color(import, root, dpl_xml_child(node, "material"), &solid.solid);
    }
    *(struct dpl__import_solid *)dpl__list_add(
        import->reader->arena, is_look ? &link->looks : &link->solids, sizeof solid) = solid;
}

/* ---- links ----------------------------------------------------------------------------------- */

static void read_link(struct dpl__import *import, const struct dpl_xml_node *root,
                      const struct dpl_xml_node *node)
{
    const struct dpl_xml_attribute *name = dpl__import_required(import, node, "name");
    struct dpl__import_link *link =
        name ? dpl__import_add_link(import, node, name->value, name->value) : NULL;
    bool has_inertia = false;
    if (!link) {
        return;
    }
    link->model = 1;
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        if (strcmp(child->name, "inertial") == 0 && has_inertia) {
            dpl__import_fail(import, child->place, "link '%s' has <inertial> twice",
                             link->own_name);
        } else if (strcmp(child->name, "inertial") == 0) {
            has_inertia = true;
            read_inertial(import, link, child);
        } else if (strcmp(child->name, "visual") == 0 || strcmp(child->name, "collision") == 0) {
            read_shape(import, root, link, child);
        } else {
            dpl__import_leave_out(import, child);
        }
    }
    link->is_static = dpl_name_equal(link->own_name, "world");
}

/* Of what is there for Gazebo only the friction of a link is read. */
static void read_gazebo(struct dpl__import *import, const struct dpl_xml_node *node)
{
    const struct dpl_xml_attribute *link = dpl_xml_attribute(node, "reference");
    int number = link ? dpl__import_find_link(import, link->value) : -1;
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        const struct dpl_xml_attribute *value = dpl_xml_attribute(child, "value");
        bool is_text = child->text[0] != '\0' || !value;
        double friction = 0.0;
        bool is_friction = strcmp(child->name, "mu1") == 0 || strcmp(child->name, "mu2") == 0;
        if (number < 0 || !is_friction) {
            dpl__import_leave_out(import, child);
        } else if (strcmp(child->name, "mu1") == 0 &&
                   dpl__import_wide(import, is_text ? child->text : value->value,
                                    is_text ? child->text_place : value->value_place, "mu1",
                                    &friction)) {
            dpl__import_link(import, number)->friction =
                dpl__import_friction(import, child->place, friction);
        }
    }
    if (!node->children) {
        dpl__import_leave_out(import, node);
    }
}

/* ---- the root -------------------------------------------------------------------------------- */

/* Links first: joints name them, wherever they are. */
static void read_links(struct dpl__import *import, const struct dpl_xml_node *root)
{
    for (const struct dpl_xml_node *node = root->children; node; node = node->next) {
        if (strcmp(node->name, "link") == 0) {
            read_link(import, root, node);
        }
    }
}

static void read_rest(struct dpl__import *import, const struct dpl_xml_node *root)
{
    for (const struct dpl_xml_node *node = root->children; node; node = node->next) {
        if (strcmp(node->name, "joint") == 0) {
            dpl__urdf_joint(import, node);
        } else if (strcmp(node->name, "gazebo") == 0) {
            read_gazebo(import, node);
        } else if (strcmp(node->name, "link") != 0 && strcmp(node->name, "material") != 0) {
            dpl__import_leave_out(import, node);
        }
    }
}

bool dpl__urdf_read(struct dpl__import *import, const struct dpl_xml_node *root)
{
    size_t errors = import->reader->diags->n_errors;
    const struct dpl_xml_attribute *name = dpl_xml_attribute(root, "name");
    snprintf(import->objects->name, sizeof import->objects->name, "%.47s", name ? name->value : "");
    read_links(import, root);
    if (import->links.n == 0) {
        return dpl__import_fail(import, root->place, "this robot has no <link>");
    }
    read_rest(import, root);
    dpl__urdf_mimics(import);
    return import->reader->diags->n_errors == errors && dpl__urdf_place(import);
}
