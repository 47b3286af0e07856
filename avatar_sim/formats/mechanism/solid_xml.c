/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of bodies, and places: see object_xml.h. */
#include <stdio.h>
#include <string.h>

#include "object_xml.h"
#include "shape_files.h"

/* ---- places ---------------------------------------------------------------------------------- */

static const struct dpl_field vector_fields[] = {
    DPL_NUMBER(struct dpl_vector3, x, "x", "m", "0", -1e6, 1e6, "along x"),
    DPL_NUMBER(struct dpl_vector3, y, "y", "m", "0", -1e6, 1e6, "along y"),
    DPL_NUMBER(struct dpl_vector3, z, "z", "m", "0", -1e6, 1e6, "along z"),
};

struct orientation_spec {
    struct dpl_quaternion q;
    double roll, pitch, yaw;
};

static const struct dpl_field orientation_fields[] = {
    DPL_NUMBER(struct orientation_spec, q.x, "x", NULL, "0", -1.001, 1.001, "of a quaternion"),
    DPL_NUMBER(struct orientation_spec, q.y, "y", NULL, "0", -1.001, 1.001, "of a quaternion"),
    DPL_NUMBER(struct orientation_spec, q.z, "z", NULL, "0", -1.001, 1.001, "of a quaternion"),
    DPL_NUMBER(struct orientation_spec, q.w, "w", NULL, "1", -1.001, 1.001, "of a quaternion"),
    DPL_NUMBER(struct orientation_spec, roll, "roll", "rad", "0", -10.0, 10.0,
               "about x, first; in place of a quaternion"),
    DPL_NUMBER(struct orientation_spec, pitch, "pitch", "rad", "0", -10.0, 10.0, "about y, second"),
    DPL_NUMBER(struct orientation_spec, yaw, "yaw", "rad", "0", -10.0, 10.0, "about z, third"),
};

struct color_spec {
    double color[4], opacity;
};

static const struct dpl_field color_fields[] = {
    DPL_NUMBER(struct color_spec, color[0], "r", NULL, NULL, 0.0, 1.0, "red"),
    DPL_NUMBER(struct color_spec, color[1], "g", NULL, NULL, 0.0, 1.0, "green"),
    DPL_NUMBER(struct color_spec, color[2], "b", NULL, NULL, 0.0, 1.0, "blue"),
    DPL_NUMBER(struct color_spec, color[3], "a", NULL, "0", 0.0, 1.0,
               "transparency: 0 is opaque, 1 cannot be seen"),
    DPL_NUMBER_OPTIONAL(struct color_spec, opacity, "opacity", NULL, 0.0, 1.0, "in place of a"),
};

static void read_position(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__part *part = reader->target;
    dpl_element_fields(reader, node, vector_fields, DPL_COUNT(vector_fields), &part->pose.position);
}

static bool any_of(const struct dpl_xml_node *node, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (dpl_xml_attribute_like(node, names[i])) {
            return true;
        }
    }
    return false;
}

static void read_orientation(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    static const char *const quaternion[] = {"x", "y", "z", "w"};
    static const char *const angles[] = {"roll", "pitch", "yaw"};
    struct dpl__part *part = reader->target;
    struct orientation_spec spec = {0};
    if (!dpl_element_fields(reader, node, orientation_fields, DPL_COUNT(orientation_fields),
                            &spec)) {
        return;
    }
    bool has_angles = any_of(node, angles, DPL_COUNT(angles));
    if (has_angles && any_of(node, quaternion, DPL_COUNT(quaternion))) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "the orientation is given twice: as a quaternion x y z w and as roll, pitch, "
                      "yaw");
        return;
    }
    struct dpl_quaternion q =
        has_angles ? dpl_quaternion_from_rpy(spec.roll, spec.pitch, spec.yaw) : spec.q;
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(fabs(length - 1.0) <= 1e-3)) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "the quaternion (x %g, y %g, z %g, w %g) has the length %.6g, expected 1",
                      q.x, q.y, q.z, q.w, length);
        return;
    }
    part->pose.orientation = dpl_quaternion_normalise(q);
}

static void read_color(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__part *part = reader->target;
    struct color_spec spec = {.opacity = -1.0};
    if (!dpl_element_fields(reader, node, color_fields, DPL_COUNT(color_fields), &spec)) {
        return;
    }
    memcpy(part->color, spec.color, sizeof part->color);
    part->color[3] = spec.opacity >= 0.0 ? spec.opacity : 1.0 - spec.color[3];
    part->has_color = true;
}

const struct dpl_element_table dpl__vector_table = DPL_ELEMENT_TABLE(vector_fields);
static const struct dpl_element_table orientation_table = DPL_ELEMENT_TABLE(orientation_fields);
static const struct dpl_element_table color_table = DPL_ELEMENT_TABLE(color_fields);

#define PLACE_KINDS                                                                                \
    {"position", read_position, 1, &dpl__vector_table, "where its origin is"},                     \
    {                                                                                              \
        "orientation", read_orientation, 1, &orientation_table,                                    \
            "how it is turned: a unit quaternion, w last, or roll, pitch, yaw"                     \
    }
#define LOOK_KINDS                                                                                 \
    PLACE_KINDS,                                                                                   \
    {                                                                                              \
        "color", read_color, 1, &color_table, "of the shapes in pictures"                          \
    }

const struct dpl_element_kind dpl__place_kinds[] = {PLACE_KINDS};
const struct dpl_element_kind dpl__look_kinds[] = {LOOK_KINDS};
_Static_assert(DPL_COUNT(dpl__look_kinds) == DPL_LOOK_KINDS, "all are listed");

/* ---- shapes ---------------------------------------------------------------------------------- */

struct solid_spec {
    struct dpl_sim_solid solid;
    int64_t material;
    struct dpl__shape_file from;
};

#define MATERIAL_FIELD                                                                             \
    DPL_INT(struct solid_spec, material, "materialIndex", "0", 0, DPL_MECHANISM_MATERIALS_MAX - 1, \
            "number of a Material, from 0 in the order of the file")
#define LENGTH_FIELD(member, name, summary)                                                        \
    DPL_NUMBER(struct solid_spec, solid.member, name, "m", NULL, 1e-6, 1e6, summary)

static const struct dpl_field box_fields[] = {
    LENGTH_FIELD(size[0], "x", "edge"),
    LENGTH_FIELD(size[1], "y", "edge"),
    LENGTH_FIELD(size[2], "z", "edge"),
    MATERIAL_FIELD,
};
static const struct dpl_field sphere_fields[] = {
    LENGTH_FIELD(radius, "radius", "radius"),
    MATERIAL_FIELD,
};
static const struct dpl_field capsule_fields[] = {
    LENGTH_FIELD(radius, "radius", "radius"),
    LENGTH_FIELD(height, "height", "length along z, without the caps"),
    MATERIAL_FIELD,
};
static const struct dpl_field cylinder_fields[] = {
    LENGTH_FIELD(radius, "radius", "radius"),
    LENGTH_FIELD(height, "height", "length along z"),
    MATERIAL_FIELD,
};
static const struct dpl_field plane_fields[] = {MATERIAL_FIELD};

#define MESH_FILE_FIELDS                                                                           \
    DPL_TEXT(struct solid_spec, from.file, "file", "",                                             \
             "a mesh (STL, OBJ, DAE) beside this file, in place of points"),                       \
        DPL_NUMBER(struct solid_spec, from.scale, "scale", NULL, "1", 1e-9, 1e9,                   \
                   "m for each unit of the file")

static const struct dpl_field hull_fields[] = {MESH_FILE_FIELDS, MATERIAL_FIELD};
static const struct dpl_field mesh_fields[] = {
    MESH_FILE_FIELDS,
    DPL_CHOICE(struct solid_spec, from.convex, "convex", "auto", "auto|true|parts",
               "counts as its convex hull, or as one for each connected part; auto: the latter, of "
               "a body that moves"),
    MATERIAL_FIELD,
};
static const struct dpl_field height_fields[] = {
    DPL_TEXT(struct solid_spec, from.file, "file", NULL,
             "a graymap (PGM) beside this file, seen from above: x to the right, y upwards"),
    LENGTH_FIELD(field.cell, "cell", "between two pixels"),
    DPL_NUMBER(struct solid_spec, from.height, "height", "m", NULL, -1e6, 1e6,
               "of white over black, which is at z = 0"),
    MATERIAL_FIELD,
};

struct face_spec {
    int64_t corners[3];
};

static const struct dpl_field face_fields[] = {
    DPL_INT(struct face_spec, corners[0], "a", NULL, 0, DPL_SOLID_POINTS_MAX - 1, "a corner"),
    DPL_INT(struct face_spec, corners[1], "b", NULL, 0, DPL_SOLID_POINTS_MAX - 1, "a corner"),
    DPL_INT(struct face_spec, corners[2], "c", NULL, 0, DPL_SOLID_POINTS_MAX - 1, "a corner"),
};

static void read_point(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__part *part = reader->target;
    dpl_element_fields(reader, node, vector_fields, DPL_COUNT(vector_fields),
                       dpl__list_add(reader->arena, &part->points, sizeof(struct dpl_vector3)));
}

static void read_face(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__part *part = reader->target;
    struct face_spec spec = {0};
    dpl_element_fields(reader, node, face_fields, DPL_COUNT(face_fields), &spec);
    unsigned *corners = dpl__list_add(reader->arena, &part->faces, 3 * sizeof *corners);
    for (int i = 0; i < 3; i++) {
        corners[i] = (unsigned)spec.corners[i];
    }
}

static const struct dpl_element_table face_table = DPL_ELEMENT_TABLE(face_fields);

static const struct dpl_element_kind hull_kinds[] = {
    LOOK_KINDS,
    {"point", read_point, 0, &dpl__vector_table, "a point that the hull is around"},
};
static const struct dpl_element_kind mesh_kinds[] = {
    LOOK_KINDS,
    {"point", read_point, 0, &dpl__vector_table, "a corner of faces; the first has the number 0"},
    {"face", read_face, 0, &face_table,
     "a triangle: numbers of points, counter-clockwise as seen from outside"},
};

static const struct dpl_element_table box_table = DPL_ELEMENT_TABLE_OF(box_fields, dpl__look_kinds);
static const struct dpl_element_table sphere_table =
    DPL_ELEMENT_TABLE_OF(sphere_fields, dpl__look_kinds);
static const struct dpl_element_table capsule_table =
    DPL_ELEMENT_TABLE_OF(capsule_fields, dpl__look_kinds);
static const struct dpl_element_table cylinder_table =
    DPL_ELEMENT_TABLE_OF(cylinder_fields, dpl__look_kinds);
static const struct dpl_element_table plane_table =
    DPL_ELEMENT_TABLE_OF(plane_fields, dpl__look_kinds);
static const struct dpl_element_table hull_table = DPL_ELEMENT_TABLE_OF(hull_fields, hull_kinds);
static const struct dpl_element_table mesh_table = DPL_ELEMENT_TABLE_OF(mesh_fields, mesh_kinds);
static const struct dpl_element_table field_table =
    DPL_ELEMENT_TABLE_OF(height_fields, dpl__look_kinds);

/* Makes the materials up to `index` when the file has none; else an error when there is none with
 * that number. */
static bool take_material(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                          size_t index)
{
    struct dpl__part *body = reader->target;
    struct dpl_sim_mechanism *mechanism = body->all->mechanism;
    while (body->all->default_materials && mechanism->n_materials <= index) {
        struct dpl_sim_material material = dpl_sim_material_default;
        snprintf(material.name, sizeof material.name, "default %zu", mechanism->n_materials);
        (void)dpl_mechanism_add_material(mechanism, &material, NULL);
    }
    if (index < mechanism->n_materials) {
        return true;
    }
    const struct dpl_xml_attribute *given = dpl_xml_attribute_like(node, "materialIndex");
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, given ? given->value_place : node->place,
                  "materialIndex: there is no material %zu, the file has the numbers 0 to %zu",
                  index, mechanism->n_materials - 1);
    return false;
}

static void read_shape(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__part *body = reader->target;
    struct dpl__part part = {.all = body->all, .pose.orientation.w = 1.0};
    struct solid_spec spec = {0};
    struct dpl_sim_solid *solid = &spec.solid;
    size_t errors = reader->diags->n_errors, kind = 0;
    while (strcmp(dpl__body_kinds[kind].name, node->name) != 0) {
        kind++;
    }
    const struct dpl_element_table *table = dpl__body_kinds[kind].table;
    solid->kind = (enum dpl_sim_solid_kind)kind;
    dpl_element_fields(reader, node, table->fields, table->n, &spec);
    dpl__element_children_into(reader, node, table, &part);
    if (reader->diags->n_errors > errors || !take_material(reader, node, (size_t)spec.material)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        solid->size[i] *= body->all->half_extents ? 2.0 : 1.0;
    }
    solid->pose = part.pose;
    solid->material = (size_t)spec.material;
    solid->points = part.points.items;
    solid->n_points = part.points.n;
    solid->faces = part.faces.items;
    solid->n_faces = part.faces.n;
    memcpy(solid->color, part.color, sizeof solid->color);
    solid->has_color = part.has_color;
    if (dpl__shape_file_take(reader, node, body->all, &spec.from, solid)) {
        dpl__shape_add(reader, node, body, &spec.from, solid);
    }
}

/* Shapes first, in the order of enum dpl_sim_solid_kind. */
const struct dpl_element_kind dpl__body_kinds[] = {
    {"BoxShape", read_shape, 0, &box_table, "a box with these edges"},
    {"SphereShape", read_shape, 0, &sphere_table, "a ball"},
    {"CapsuleShape", read_shape, 0, &capsule_table, "a cylinder along z with round caps"},
    {"CylinderShape", read_shape, 0, &cylinder_table, "a cylinder along z"},
    {"PlaneShape", read_shape, 0, &plane_table, "all below z = 0 of its place; static bodies only"},
    {"HullShape", read_shape, 0, &hull_table, "the convex hull of points"},
    {"MeshShape", read_shape, 0, &mesh_table,
     "a body of triangles; it must be closed to have a mass. Of a body that moves its hulls count"},
    {"HeightFieldShape", read_shape, 0, &field_table,
     "a surface over a grid of heights; static bodies only"},
    LOOK_KINDS,
    {"velocity", dpl__velocity_read, 1, &dpl__velocity_table,
     "how it moves at the start, in the axes of the mechanism"},
    {"inertia", dpl__inertia_read, 1, &dpl__inertia_table,
     "about the centre of mass in the body's axes, in place of that of its shapes"},
    {"visual", dpl__visual_read, 0, &dpl__visual_table,
     "a mesh that is drawn in place of the shapes; nothing touches it"},
};
_Static_assert(DPL_COUNT(dpl__body_kinds) == DPL_BODY_KINDS, "all are listed");
_Static_assert(DPL_SOLID_FIELD == DPL_SHAPE_KINDS - 1, "one element for each kind of solid");
