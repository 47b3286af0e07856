/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies and materials of a mechanism: see object_xml.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "object_xml.h"
#include "shape_files.h"

static const struct dpl_field material_fields[] = {
    DPL_TEXT(struct dpl_sim_material, name, "name", NULL, "name of the material"),
    DPL_NUMBER(struct dpl_sim_material, friction, "friction", NULL, "0.5", 0.0, 10.0,
               "coefficient; that of a pair is the product of both"),
    DPL_NUMBER(struct dpl_sim_material, restitution, "restitution", NULL, "0", 0.0, 1.0,
               "of a pair: the product of both"),
    DPL_NUMBER(struct dpl_sim_material, rolling_friction, "rollingFriction", "m", "0", 0.0, 10.0,
               "resisting torque per contact force"),
};

void dpl__material_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__mechanism_target *target = reader->target;
    struct dpl_sim_material material = {0};
    struct dpl_diag diag;
    if (dpl_element_fields(reader, node, material_fields, DPL_COUNT(material_fields), &material) &&
        dpl_mechanism_add_material(target->mechanism, &material, &diag)) {
        dpl_element_error(reader, node, &diag);
    }
}

const struct dpl_element_table dpl__material_table = DPL_ELEMENT_TABLE(material_fields);

struct object_spec {
    char name[DPL_SIM_NAME_SIZE], mesh[256];
    double mass, density;
    bool is_static;
};

static const struct dpl_field object_fields[] = {
    DPL_TEXT(struct object_spec, name, "name", NULL, "name of the body"),
    DPL_NUMBER(struct object_spec, mass, "mass", "kg", "0", 0.0, 1e9,
               "of the whole body; 0: from its density"),
    DPL_NUMBER(struct object_spec, density, "density", NULL, "0", 0.0, 1e6,
               "kg/m^3, of its shapes; 0: from its mass"),
    DPL_BOOL(struct object_spec, is_static, "static", "false", "it never moves and has no mass"),
    DPL_TEXT(struct object_spec, mesh, "visualisationMeshFile", "",
             "picture of the body, relative to this file"),
};

static const struct dpl_field inertia_fields[] = {
    DPL_NUMBER(struct dpl_mass, inertia[0], "xx", NULL, NULL, -1e12, 1e12, "kg m^2"),
    DPL_NUMBER(struct dpl_mass, inertia[1], "yy", NULL, NULL, -1e12, 1e12, "kg m^2"),
    DPL_NUMBER(struct dpl_mass, inertia[2], "zz", NULL, NULL, -1e12, 1e12, "kg m^2"),
    DPL_NUMBER(struct dpl_mass, inertia[3], "xy", NULL, "0", -1e12, 1e12,
               "kg m^2, element of the matrix: -(integral of x y dm)"),
    DPL_NUMBER(struct dpl_mass, inertia[4], "xz", NULL, "0", -1e12, 1e12, "kg m^2, as xy"),
    DPL_NUMBER(struct dpl_mass, inertia[5], "yz", NULL, "0", -1e12, 1e12, "kg m^2, as xy"),
    DPL_NUMBER(struct dpl_mass, centre.x, "x", "m", "0", -1e6, 1e6, "centre of mass"),
    DPL_NUMBER(struct dpl_mass, centre.y, "y", "m", "0", -1e6, 1e6, "centre of mass"),
    DPL_NUMBER(struct dpl_mass, centre.z, "z", "m", "0", -1e6, 1e6, "centre of mass"),
};

void dpl__inertia_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__part *part = reader->target;
    part->has_inertia =
        dpl_element_fields(reader, node, inertia_fields, DPL_COUNT(inertia_fields), &part->mass);
}

const struct dpl_element_table dpl__inertia_table = DPL_ELEMENT_TABLE(inertia_fields);

static const struct dpl_field velocity_fields[] = {
    DPL_NUMBER(struct dpl__velocity, linear.x, "x", "m/s", "0", -1e4, 1e4, "of its frame"),
    DPL_NUMBER(struct dpl__velocity, linear.y, "y", "m/s", "0", -1e4, 1e4, "of its frame"),
    DPL_NUMBER(struct dpl__velocity, linear.z, "z", "m/s", "0", -1e4, 1e4, "of its frame"),
    DPL_NUMBER(struct dpl__velocity, angular.x, "wx", "rad/s", "0", -1e5, 1e5, "about x"),
    DPL_NUMBER(struct dpl__velocity, angular.y, "wy", "rad/s", "0", -1e5, 1e5, "about y"),
    DPL_NUMBER(struct dpl__velocity, angular.z, "wz", "rad/s", "0", -1e5, 1e5, "about z"),
};

void dpl__velocity_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__part *part = reader->target;
    dpl_element_fields(reader, node, velocity_fields, DPL_COUNT(velocity_fields), &part->velocity);
}

const struct dpl_element_table dpl__velocity_table = DPL_ELEMENT_TABLE(velocity_fields);

static bool fail(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                 const struct object_spec *spec, const char *why)
{
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place, "body '%s' %s", spec->name, why);
    return false;
}

/* Scales the mass of the shapes as mass or density say. */
static bool scale_mass(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                       const struct object_spec *spec, const struct dpl__part *part,
                       struct dpl_sim_body *body)
{
    const struct dpl_xml_node *const *shapes = part->weight_nodes.items;
    struct dpl_mass of_shapes;
    size_t wrong = 0;
    struct dpl_diag diag;
    if (body->n_solids == 0) {
        return fail(reader, node, spec, "has no shape: its inertia is not known, give <inertia>");
    }
    if (dpl_mass_of_solids(part->weights.items, part->weights.n, 1.0, &of_shapes, &wrong, &diag)) {
        dpl_element_error(reader, shapes[wrong], &diag);
        return false;
    }
    double by_density = of_shapes.mass * spec->density;
    if (spec->mass > 0.0 && spec->density > 0.0 &&
        !(fabs(by_density - spec->mass) <= 1e-3 * spec->mass)) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "body '%s' has the mass %g kg, but by its density of %g kg/m^3 it is %g kg: "
                      "give one of them",
                      spec->name, spec->mass, spec->density, by_density);
        return false;
    }
    body->mass = dpl_mass_scale(&of_shapes, spec->mass > 0.0 ? spec->mass : by_density);
    body->is_mass_of_solids = !part->has_mesh_mass;
    return true;
}

static bool take_mass(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                      const struct object_spec *spec, const struct dpl__part *part,
                      struct dpl_sim_body *body)
{
    bool has_mass = spec->mass > 0.0, has_density = spec->density > 0.0;
    if (spec->is_static) {
        if (has_mass || has_density || part->has_inertia) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_WARNING, node->place,
                          "body '%s' is static: its mass, density and inertia are ignored",
                          spec->name);
        }
        return true;
    }
    if (!has_mass && !has_density) {
        return fail(reader, node, spec, "has neither mass nor density, and is not static");
    }
    if (!part->has_inertia) {
        return scale_mass(reader, node, spec, part, body);
    }
    if (!has_mass || has_density) {
        return fail(reader, node, spec, "has <inertia>: give its mass, and no density");
    }
    body->mass = part->mass;
    body->mass.mass = spec->mass;
    return true;
}

/* The picture that an attribute names; without it the shapes are drawn. */
static void take_mesh(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                      const struct object_spec *spec, struct dpl__part *part)
{
    const struct dpl_xml_attribute *given = dpl_xml_attribute_like(node, "visualisationMeshFile");
    const struct dpl_sim_solid look = {.pose.orientation.w = 1.0};
    if (spec->mesh[0] != '\0') {
        dpl__visual_add(reader, given->value_place, part, spec->mesh, &look, 1.0);
    }
}

/* Shapes and pictures without a colour have that of the body. */
static void color_solids(const struct dpl__part *part, const struct dpl__list *list)
{
    struct dpl_sim_solid *solids = list->items;
    for (size_t i = 0; i < list->n && part->has_color; i++) {
        if (!solids[i].has_color) {
            memcpy(solids[i].color, part->color, sizeof part->color);
            solids[i].has_color = true;
        }
    }
}

void dpl__body_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__mechanism_target *target = reader->target;
    struct dpl__part part = {.all = target, .pose.orientation.w = 1.0};
    struct object_spec spec = {0};
    size_t errors = reader->diags->n_errors;
    struct dpl_diag diag;
    dpl_element_fields(reader, node, object_fields, DPL_COUNT(object_fields), &spec);
    part.is_static = spec.is_static;
    dpl__element_children_into(reader, node, &dpl__object_root.table, &part);
    if (reader->diags->n_errors > errors) {
        return;
    }
    take_mesh(reader, node, &spec, &part);
    color_solids(&part, &part.solids);
    color_solids(&part, &part.looks);
    struct dpl_sim_body body = {.is_static = spec.is_static,
                                .pose = part.pose,
                                .velocity = part.velocity.linear,
                                .angular = part.velocity.angular,
                                .solids = part.solids.items,
                                .n_solids = part.solids.n,
                                .visuals = part.visuals.items,
                                .n_visuals = part.visuals.n,
                                .looks = part.looks.items,
                                .n_looks = part.looks.n};
    snprintf(body.name, sizeof body.name, "%s", spec.name);
    if (!take_mass(reader, node, &spec, &part, &body)) {
        return;
    }
    if (dpl_mechanism_add_body(target->mechanism, &body, &diag)) {
        dpl_element_error(reader, node, &diag);
        return;
    }
    dpl__node_keep(reader, &target->body_nodes, node);
}

const struct dpl_element_root dpl__object_root = {
    .name = "RigidObject",
    .table = {object_fields, DPL_COUNT(object_fields), dpl__body_kinds, DPL_BODY_KINDS},
    .summary = "a body",
    .takes_float = true,
};
