/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies and materials of a mechanism, and the roots of its files: see object_xml.h. */
#include "object_xml.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/sim/load.h>
#include <doppel/sim/modbus.h>

#include "entry_xml.h"
#include "modbus_xml.h"
#include "params.h"
#include "shape_files.h"

void dpl__node_keep(struct dpl_element_reader *reader, struct dpl__list *list,
                    const struct dpl_xml_node *node)
{
    *(const struct dpl_xml_node **)dpl__list_add(reader->arena, list, sizeof node) = node;
}

/* ---- materials ------------------------------------------------------------------------------- */

static const struct dpl_field material_fields[] = {
    DPL_TEXT(struct dpl_sim_material, name, "name", NULL, "name of the material"),
    DPL_NUMBER(struct dpl_sim_material, friction, "friction", NULL, "0.5", 0.0, 10.0,
               "coefficient; that of a pair is the product of both"),
    DPL_NUMBER(struct dpl_sim_material, restitution, "restitution", NULL, "0", 0.0, 1.0,
               "of a pair: the product of both"),
    DPL_NUMBER(struct dpl_sim_material, rolling_friction, "rollingFriction", "m", "0", 0.0, 10.0,
               "resisting torque per contact force"),
};

static void read_material(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__mechanism_target *target = reader->target;
    struct dpl_sim_material material = {0};
    struct dpl_diag diag;
    if (dpl__element_fields(reader, node, material_fields, DPL_COUNT(material_fields), &material) &&
        dpl_mechanism_add_material(target->mechanism, &material, &diag)) {
        dpl__element_error(reader, node, &diag);
    }
}

/* ---- bodies ---------------------------------------------------------------------------------- */

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
        dpl__element_fields(reader, node, inertia_fields, DPL_COUNT(inertia_fields), &part->mass);
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
    dpl__element_fields(reader, node, velocity_fields, DPL_COUNT(velocity_fields), &part->velocity);
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
        dpl__element_error(reader, shapes[wrong], &diag);
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

static void read_object(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__mechanism_target *target = reader->target;
    struct dpl__part part = {.all = target, .pose.orientation.w = 1.0};
    struct object_spec spec = {0};
    size_t errors = reader->diags->n_errors;
    struct dpl_diag diag;
    dpl__element_fields(reader, node, object_fields, DPL_COUNT(object_fields), &spec);
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
        dpl__element_error(reader, node, &diag);
        return;
    }
    dpl__node_keep(reader, &target->body_nodes, node);
}

/* ---- roots ----------------------------------------------------------------------------------- */

static void keep_material(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl__node_keep(reader, &((struct dpl__mechanism_target *)reader->target)->materials, node);
}

static void keep_object(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl__node_keep(reader, &((struct dpl__mechanism_target *)reader->target)->bodies, node);
}

static void keep_joint(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl__node_keep(reader, &((struct dpl__mechanism_target *)reader->target)->joints, node);
}

static void keep_entry(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl__node_keep(reader, &((struct dpl__mechanism_target *)reader->target)->entries, node);
}

static void keep_unit(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl__node_keep(reader, &((struct dpl__mechanism_target *)reader->target)->units, node);
}

struct root_spec {
    char name[DPL_SIM_NAME_SIZE];
    int extents; /* 1: half */
    double step_ms;
    bool allow_mass_ratio;
};

static const struct dpl_field root_fields[] = {
    DPL_TEXT(struct root_spec, name, "name", "", "name of the mechanism"),
    DPL_CHOICE(struct root_spec, extents, "extents", "full", "full|half",
               "whether the edges of boxes are full or half edges"),
    DPL_NUMBER(struct root_spec, step_ms, "step_ms", "ms", "1", 0.01, 100.0,
               "step of the solver for which the mechanism is checked"),
    DPL_BOOL(struct root_spec, allow_mass_ratio, "allow_mass_ratio", "false",
             "a mass ratio that no contact carries is a warning, not an error"),
};

static const struct dpl_element_table material_table = DPL_ELEMENT_TABLE(material_fields);

static const struct dpl_element_kind root_kinds[] = {
    {"Material", keep_material, DPL_MECHANISM_MATERIALS_MAX, &material_table,
     "what shapes are made of; the first has the number 0"},
    {"RigidObject", keep_object, DPL_MECHANISM_BODIES_MAX, &dpl__object_root.table, "a body"},
    {"Joint", keep_joint, DPL_MECHANISM_JOINTS_MAX, &dpl__joint_table, "between two bodies"},
    {"Modbus", keep_unit, DPL_MODBUS_UNITS_MAX, &dpl__modbus_table,
     "a Modbus unit: addresses that stand for channels"},
};

const struct dpl_element_root dpl__object_root = {
    .name = "RigidObject",
    .table = {object_fields, DPL_COUNT(object_fields), dpl__body_kinds, DPL_BODY_KINDS},
    .summary = "a body",
    .takes_float = true,
};

static const char mechanism_name[] = "mechanism";

struct dpl_element_root dpl__mechanism_root(struct dpl_arena *arena,
                                            const struct dpl__classes *classes)
{
    struct dpl_element_table *tables = dpl_arena_alloc(arena, 3 * sizeof *tables);
    struct dpl__list kinds = {0};
    tables[0] = dpl__entry_table(arena, classes, DPL_SIM_ACTUATOR);
    tables[1] = dpl__entry_table(arena, classes, DPL_SIM_SENSOR);
    tables[2] = dpl__entry_table(arena, classes, DPL_SIM_SIGNAL);
    const struct dpl_element_kind entries[] = {
        {"Motor", keep_entry, DPL_MECHANISM_ENTRIES_MAX, &tables[0], "drives or holds a joint"},
        {"Sensor", keep_entry, DPL_MECHANISM_ENTRIES_MAX, &tables[1], "measures a joint or a body"},
        {"Signal", keep_entry, DPL_MECHANISM_ENTRIES_MAX, &tables[2], "works on channels"},
    };
    dpl__element_add_kinds(arena, &kinds, root_kinds, DPL_COUNT(root_kinds));
    dpl__element_add_kinds(arena, &kinds, entries, DPL_COUNT(entries));
    return (struct dpl_element_root){
        .name = mechanism_name,
        .table = {root_fields, DPL_COUNT(root_fields), kinds.items, kinds.n},
        .summary = "bodies, the joints between them, motors, sensors and signals",
        .takes_float = true,
    };
}

bool dpl_sim_is_objects(const struct dpl_xml_node *root)
{
    return strcmp(root->name, mechanism_name) == 0 ||
           strcmp(root->name, dpl__object_root.name) == 0 ||
           dpl_xml_child(root, dpl__object_root.name);
}

/* Reads what was kept, unless there were errors before: they would cause others. */
static void read_kept(struct dpl_element_reader *reader, const struct dpl__list *list,
                      void (*read)(struct dpl_element_reader *, const struct dpl_xml_node *),
                      size_t errors)
{
    const struct dpl_xml_node *const *nodes = list->items;
    bool is_good = reader->diags->n_errors == errors;
    for (size_t i = 0; i < list->n && is_good; i++) {
        dpl__element_read(reader, nodes[i], read);
    }
}

struct places {
    struct dpl_element_reader *reader;
    const struct dpl__mechanism_target *target;
};

static void report(void *user, const struct dpl_mechanism_finding *finding)
{
    const struct places *places = user;
    bool is_body = finding->body >= 0;
    const struct dpl_xml_node *const *nodes =
        is_body ? places->target->body_nodes.items : places->target->joint_nodes.items;
    const struct dpl_xml_node *node = nodes[is_body ? finding->body : finding->joint];
    size_t first = places->reader->diags->n;
    dpl_diags_add(places->reader->diags, finding->severity, node->place, "%s", finding->text);
    dpl_xml_say_within(node, places->reader->diags, first);
}

static void read_root(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                      struct root_spec *ret_spec)
{
    const struct dpl__mechanism_target *target = reader->target;
    if (strcmp(root->name, dpl__object_root.name) == 0) {
        dpl_fields_set_defaults(root_fields, DPL_COUNT(root_fields), ret_spec);
        keep_object(reader, root);
        return;
    }
    struct dpl_element_root mechanism = dpl__mechanism_root(reader->arena, target->classes);
    dpl__element_fields(reader, root, root_fields, DPL_COUNT(root_fields), ret_spec);
    dpl__element_children(reader, root, &mechanism.table);
}

static void read_parts(struct dpl_element_reader *reader, struct dpl__mechanism_target *target)
{
    size_t errors = reader->diags->n_errors;
    target->default_materials = target->materials.n == 0;
    read_kept(reader, &target->materials, read_material, errors);
    read_kept(reader, &target->bodies, read_object, errors);
    read_kept(reader, &target->joints, dpl__joint_read, errors);
    read_kept(reader, &target->entries, dpl__entry_read, errors);
    if (reader->diags->n_errors == errors) {
        dpl__entries_check_channels(reader);
    }
    read_kept(reader, &target->units, dpl__modbus_read, errors);
}

/* Reads all into `target`, and finds what is wrong with it. */
static void read_and_check(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                           const struct dpl__objects_how *how, struct dpl__mechanism_target *target,
                           struct dpl_sim_objects *inout)
{
    size_t errors = reader->diags->n_errors;
    struct root_spec spec = {0};
    read_root(reader, root, &spec);
    target->half_extents = spec.extents == 1;
    if (reader->diags->n_errors == errors) {
        read_parts(reader, target);
    }
    snprintf(inout->name, sizeof inout->name, "%s", spec.name);
    inout->step_s = how->step_s > 0.0 ? how->step_s : spec.step_ms * 1e-3;
    inout->mechanism.allows_mass_ratios = spec.allow_mass_ratio;
    if (reader->diags->n_errors > errors) {
        return;
    }
    struct places places = {reader, target};
    dpl_mechanism_check(&inout->mechanism, inout->step_s, report, &places);
    if (how->check) {
        how->check(&inout->mechanism, report, &places);
    }
}

bool dpl__objects_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                       const struct dpl__objects_how *how, struct dpl_sim_objects *ret_objects)
{
    struct dpl_sim_objects objects = {.mechanism.memory = reader->arena};
    struct dpl__mechanism_target target = {
        .mechanism = &objects.mechanism, .file = how->file, .classes = how->classes};
    size_t errors = reader->diags->n_errors;
    void *outer = reader->target;
    bool took_float = reader->takes_float;
    reader->target = &target;
    reader->takes_float = true;
    read_and_check(reader, root, how, &target, &objects);
    reader->target = outer;
    reader->takes_float = took_float;
    objects.entries = target.made.items;
    objects.n_entries = target.made.n;
    objects.modbus = target.modbus.items;
    objects.n_modbus = target.modbus.n;
    objects.default_materials = target.default_materials;
    objects.notes = dpl__notes_text(reader->arena, &target.notes);
    *ret_objects = objects;
    return reader->diags->n_errors == errors;
}

static int read_objects(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                        const char *file, const struct dpl_sim_load_options *options,
                        struct dpl_sim_objects *ret_objects)
{
    struct dpl_sim_objects objects;
    struct dpl__classes classes;
    const struct dpl__objects_how how = {.file = file, .classes = &classes};
    dpl__classes_make(reader->arena, options, &classes);
    root = dpl__params_expand(reader, root, options, NULL);
    if (!root || !dpl__objects_read(reader, root, &how, &objects)) {
        return -EINVAL;
    }
    *ret_objects = objects;
    return 0;
}

int dpl_sim_read_objects(struct dpl_arena *arena, const char *file,
                         const struct dpl_sim_load_options *options,
                         struct dpl_sim_objects *ret_objects, struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    const struct dpl_xml_node *root = dpl__root_of_file(&reader, file);
    return root ? read_objects(&reader, root, file, options, ret_objects) : -EINVAL;
}

int dpl_sim_read_objects_text(struct dpl_arena *arena, const char *name, const void *bytes,
                              size_t n, const struct dpl_sim_load_options *options,
                              struct dpl_sim_objects *ret_objects, struct dpl_diags *diags)
{
    struct dpl_element_reader reader = {.arena = arena, .diags = diags};
    const struct dpl_xml_node *root = dpl__root_of_text(&reader, name, bytes, n);
    return root ? read_objects(&reader, root, name, options, ret_objects) : -EINVAL;
}
