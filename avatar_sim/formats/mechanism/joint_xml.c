/* SPDX-License-Identifier: Apache-2.0 */
/* Joints of a mechanism from XML: see object_xml.h. */
#include <stdio.h>
#include <string.h>

#include "coupling_xml.h"

struct joint_spec {
    char name[DPL_SIM_NAME_SIZE], parent[DPL_SIM_NAME_SIZE], child[DPL_SIM_NAME_SIZE];
    int type;
    double friction, break_force, break_torque;
    bool loop;
};

/* In the order of enum dpl_sim_joint_type. */
#define JOINT_TYPES "fixed|hinge|slider|ball|universal|cylindrical|planar|gear|belt|rope|free"

static const struct dpl_field joint_fields[] = {
    DPL_TEXT(struct joint_spec, name, "name", NULL, "name of the joint"),
    DPL_CHOICE(struct joint_spec, type, "type", NULL, JOINT_TYPES, "what it lets move"),
    DPL_TEXT(struct joint_spec, parent, "parent", "world", "a body, or world"),
    DPL_TEXT(struct joint_spec, child, "child", NULL, "a body, or world"),
    DPL_NUMBER(struct joint_spec, friction, "friction", NULL, "0", 0.0, 1e12,
               "N of a travel, N m of a turn; against its first freedom"),
    DPL_NUMBER(struct joint_spec, break_force, "breakForce", "N", "0", 0.0, 1e12,
               "at which it breaks; 0: never"),
    DPL_NUMBER(struct joint_spec, break_torque, "breakTorque", "N m", "0", 0.0, 1e12,
               "at which it breaks; 0: never"),
    DPL_BOOL(struct joint_spec, loop, "loop", "false",
             "a solver in joint coordinates shall cut its loop here"),
};

/* ---- frames and axes ------------------------------------------------------------------------- */

static const struct dpl_element_table frame_table = {NULL, 0, dpl__place_kinds, DPL_PLACE_KINDS};

static void read_frame(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__joint_part *part = reader->target;
    struct dpl__part place = {.pose.orientation.w = 1.0};
    bool of_child = strcmp(node->name, "childFrame") == 0;
    dpl_element_fields(reader, node, NULL, 0, &place);
    dpl__element_children_into(reader, node, &frame_table, &place);
    part->frame[of_child] = place.pose;
    part->has_child_frame |= of_child;
}

static const struct dpl_field axis_fields[] = {
    DPL_NUMBER(struct dpl_vector3, x, "x", NULL, "0", -1e6, 1e6, "of a direction"),
    DPL_NUMBER(struct dpl_vector3, y, "y", NULL, "0", -1e6, 1e6, "of a direction"),
    DPL_NUMBER(struct dpl_vector3, z, "z", NULL, "0", -1e6, 1e6, "of a direction"),
};

static void read_axis(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__joint_part *part = reader->target;
    bool second = strcmp(node->name, "axis2") == 0;
    struct dpl_vector3 axis = {0};
    if (!dpl_element_fields(reader, node, axis_fields, DPL_COUNT(axis_fields), &axis)) {
        return;
    }
    if (axis.x == 0.0 && axis.y == 0.0 && axis.z == 0.0) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place, "<%s> has no direction",
                      node->name);
    }
    *(second ? &part->axis2 : &part->axis) = axis;
}

/* ---- limits and springs ---------------------------------------------------------------------- */

struct freedom_spec {
    int64_t freedom;
    struct dpl_sim_limit limit;
    struct dpl_sim_spring spring;
};

/* The first field of limits and springs. */
#define FREEDOM_FIELD                                                                              \
    DPL_INT(struct freedom_spec, freedom, "freedom", "1", 1, 2, "1: the first one, 2: the second")
/* A number of m or rad: its unit depends on the type of the joint. */
#define VALUE_FIELD(member_, name_, default_, summary_)                                            \
    {                                                                                              \
        .name = name_, .type = DPL_FIELD_DOUBLE, .flags = DPL_ELEMENT_ANY_UNIT,                    \
        DPL_MEMBER(struct freedom_spec, member_), .default_text = default_, .min = -1e9,           \
        .max = 1e9, .summary = summary_,                                                           \
    }

static const struct dpl_field limit_fields[] = {
    FREEDOM_FIELD,
    VALUE_FIELD(limit.lower, "lower", NULL, "lower end, m or rad"),
    VALUE_FIELD(limit.upper, "upper", NULL, "upper end, m or rad"),
    DPL_NUMBER(struct freedom_spec, limit.stiffness, "stiffness", NULL, "0", 0.0, 1e15,
               "beyond an end, N/m or N m/rad; 0: a hard stop"),
    DPL_NUMBER(struct freedom_spec, limit.damping, "damping", NULL, "0", 0.0, 1e15,
               "beyond an end, N s/m or N m s/rad"),
};

static const struct dpl_field spring_fields[] = {
    FREEDOM_FIELD,
    DPL_NUMBER(struct freedom_spec, spring.stiffness, "stiffness", NULL, NULL, 0.0, 1e15,
               "N/m or N m/rad"),
    DPL_NUMBER(struct freedom_spec, spring.damping, "damping", NULL, "0", 0.0, 1e15,
               "N s/m or N m s/rad"),
    VALUE_FIELD(spring.rest, "rest", "0", "value without force, m or rad"),
};

/* Which of the joint's freedoms an element is about; -1 with an error when it has none such. Before
 * the other attributes: their unit depends on it. */
static int freedom_of(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                      const struct dpl_field *field)
{
    const struct dpl__joint_part *part = reader->target;
    const struct dpl_xml_attribute *given = dpl_xml_attribute_like(node, field->name);
    struct freedom_spec spec = {.freedom = 1};
    struct dpl_diag diag;
    if (given) {
        struct dpl_field_text text = {.text = given->value, .place = given->value_place};
        if (dpl_field_parse(field, &text, &spec, &diag)) {
            dpl_diags_add_diag(reader->diags, &diag);
            return -1;
        }
    }
    int i = (int)spec.freedom - 1;
    if (i < dpl_sim_joint_freedoms(part->joint.type)) {
        return i;
    }
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, given ? given->value_place : node->place,
                  "<%s>: a joint of type %s has no freedom %d", node->name,
                  dpl_sim_joint_words[part->joint.type], i + 1);
    return -1;
}

/* Reads by a table whose values have the unit of the freedom; its number, or -1 after an error. */
static int read_freedom(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        const struct dpl_field *fields, size_t n, struct freedom_spec *ret_spec)
{
    const struct dpl__joint_part *part = reader->target;
    struct dpl_field with_units[8];
    int i = freedom_of(reader, node, &fields[0]);
    for (size_t k = 0; k < n; k++) {
        with_units[k] = fields[k];
        if (fields[k].flags & DPL_ELEMENT_ANY_UNIT) {
            with_units[k].unit = dpl_sim_joint_turns(part->joint.type, i) ? "rad" : "m";
        }
    }
    return i >= 0 && dpl_element_fields(reader, node, with_units, n, ret_spec) ? i : -1;
}
_Static_assert(DPL_COUNT(limit_fields) <= 8 && DPL_COUNT(spring_fields) <= 8, "read_freedom");

static bool is_second(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                      bool is_there, int freedom)
{
    if (is_there) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "freedom %d of the joint has another <%s>", freedom + 1, node->name);
    }
    return is_there;
}

static void read_limit(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__joint_part *part = reader->target;
    struct freedom_spec spec = {0};
    int i = read_freedom(reader, node, limit_fields, DPL_COUNT(limit_fields), &spec);
    if (i < 0 || is_second(reader, node, part->joint.limits[i].is_there, i)) {
        return;
    }
    if (spec.limit.lower > spec.limit.upper) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "the limit's lower end %g is above its upper end %g", spec.limit.lower,
                      spec.limit.upper);
    }
    part->joint.limits[i] = spec.limit;
    part->joint.limits[i].is_there = true;
}

static void read_spring(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__joint_part *part = reader->target;
    struct freedom_spec spec = {0};
    int i = read_freedom(reader, node, spring_fields, DPL_COUNT(spring_fields), &spec);
    if (i >= 0 && !is_second(reader, node, part->joint.springs[i].is_there, i)) {
        part->joint.springs[i] = spec.spring;
        part->joint.springs[i].is_there = true;
    }
}

/* ---- the joint ------------------------------------------------------------------------------- */

static const struct dpl_element_table axis_table = DPL_ELEMENT_TABLE(axis_fields);
static const struct dpl_element_table limit_table = DPL_ELEMENT_TABLE(limit_fields);
static const struct dpl_element_table spring_table = DPL_ELEMENT_TABLE(spring_fields);

static const struct dpl_element_kind joint_kinds[] = {
    {"frame", read_frame, 1, &frame_table, "the joint's place in the parent"},
    {"childFrame", read_frame, 1, &frame_table,
     "its place in the child; where the bodies start if not given"},
    {"axis", read_axis, 1, &axis_table, "its axis, in the axes of the frame; z if not given"},
    {"axis2", read_axis, 1, &axis_table, "its second axis; of a gear: that of the child"},
    {"limit", read_limit, 2, &limit_table, "ends of a freedom"},
    {"spring", read_spring, 2, &spring_table, "a spring on a freedom"},
    {"gear", dpl__coupling_read, 1, &dpl__gear_coupling_table, "of a joint of type gear"},
    {"belt", dpl__coupling_read, 1, &dpl__belt_coupling_table, "of a joint of type belt"},
    {"rope", dpl__coupling_read, 1, &dpl__rope_coupling_table, "of a joint of type rope"},
};

const struct dpl_element_table dpl__joint_table = DPL_ELEMENT_TABLE_OF(joint_fields, joint_kinds);

void dpl__node_complain(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        const char *attribute, const char *what, const char *near)
{
    const struct dpl_xml_attribute *given = dpl_xml_attribute_like(node, attribute);
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, given ? given->value_place : node->place,
                  "%s: %s%s%s%s", attribute, what, near ? ", did you mean '" : "", near ? near : "",
                  near ? "'?" : "");
}

int dpl__node_body(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                   const char *attribute, const char *name)
{
    const struct dpl__mechanism_target *target = reader->target;
    const struct dpl_sim_mechanism *mechanism = target->mechanism;
    int number = dpl_mechanism_find_body(mechanism, name);
    if (number >= 0) {
        return number;
    }
    const char **names = dpl_arena_alloc(reader->arena, (mechanism->n_bodies + 1) * sizeof *names);
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        names[i] = mechanism->bodies[i].name;
    }
    dpl__node_complain(reader, node, attribute,
                       dpl_arena_printf(reader->arena, "there is no body '%s'", name),
                       dpl_nearest(name, names, mechanism->n_bodies));
    return -1;
}

/* Turns both frames so that their z is the axis and their x the second one. */
static int place_frames(const struct dpl__mechanism_target *target, struct dpl__joint_part *part,
                        struct dpl_diag *reterr)
{
    static const struct dpl_vector3 none;
    struct dpl_sim_joint *joint = &part->joint;
    bool is_gear = joint->type == DPL_JOINT_GEAR;
    bool has_axis2 = part->axis2.x != 0.0 || part->axis2.y != 0.0 || part->axis2.z != 0.0;
    if (!part->has_child_frame) {
        part->frame[1] = dpl_pose3_relative(
            dpl_mechanism_place(target->mechanism, joint->child,
                                (struct dpl_pose3){.orientation.w = 1.0}),
            dpl_mechanism_place(target->mechanism, joint->parent, part->frame[0]));
    }
    int err = dpl_sim_joint_align(&part->frame[0], part->axis, is_gear ? none : part->axis2,
                                  &joint->in_parent, reterr);
    return err ? err
               : dpl_sim_joint_align(&part->frame[1],
                                     is_gear && has_axis2 ? part->axis2 : part->axis,
                                     is_gear ? none : part->axis2, &joint->in_child, reterr);
}

void dpl__joint_read(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__mechanism_target *target = reader->target;
    struct dpl__joint_part part = {.frame = {{.orientation.w = 1.0}, {.orientation.w = 1.0}},
                                   .axis.z = 1.0};
    struct dpl_sim_joint *joint = &part.joint;
    struct joint_spec spec = {0};
    struct dpl_diag diag;
    size_t errors = reader->diags->n_errors;
    if (!dpl_element_fields(reader, node, joint_fields, DPL_COUNT(joint_fields), &spec)) {
        return;
    }
    snprintf(joint->name, sizeof joint->name, "%s", spec.name);
    joint->type = (enum dpl_sim_joint_type)spec.type;
    joint->friction = spec.friction;
    joint->break_force = spec.break_force;
    joint->break_torque = spec.break_torque;
    joint->cuts_loop = spec.loop;
    bool has_parent = !dpl_name_equal(spec.parent, "world");
    bool has_child = !dpl_name_equal(spec.child, "world");
    joint->parent = has_parent ? dpl__node_body(reader, node, "parent", spec.parent) : -1;
    joint->child = has_child ? dpl__node_body(reader, node, "child", spec.child) : -1;
    dpl__element_children_into(reader, node, &dpl__joint_table, &part);
    if (reader->diags->n_errors > errors || !dpl__coupling_has_all(reader, node, &part) ||
        !dpl__coupling_find(reader, node, &part)) {
        return;
    }
    if (place_frames(target, &part, &diag) ||
        dpl_mechanism_add_joint(target->mechanism, joint, &diag)) {
        dpl_element_error(reader, node, &diag);
        return;
    }
    dpl__node_keep(reader, &target->joint_nodes, node);
}
