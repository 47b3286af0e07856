/* SPDX-License-Identifier: Apache-2.0 */
/* SDF: joints, and names of parts. */
#include <string.h>

#include <doppel/math/vector3.h>

#include "arena.h"
#include "sdf.h"

static const double no_limit = 1e15; /* the format writes 1e16 or inf */

/* ---- names ----------------------------------------------------------------------------------- */

const char *dpl__sdf_full_name(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                               const struct dpl_xml_node *node)
{
    const struct dpl_xml_attribute *given = dpl__import_required(import, node, "name");
    return given ? dpl_arena_printf(import->reader->arena, "%s%.200s", scope->prefix, given->value)
                 : NULL;
}

const char *dpl__sdf_short_name(struct dpl__import *import, const char *full)
{
    const char *colons = strstr(full, "::");
    char *made = dpl_arena_strdup(import->reader->arena,
                                  colons && !import->names_models ? colons + 2 : full);
    char *to = made;
    for (const char *from = made; *from; from++) {
        bool is_pair = from[0] == ':' && from[1] == ':';
        *to++ = is_pair ? '_' : *from;
        from += is_pair;
    }
    *to = '\0';
    return made;
}

/* ---- joints ---------------------------------------------------------------------------------- */

static bool read_type(struct dpl__import *import, const struct dpl_xml_node *node,
                      enum dpl__import_type *ret_type)
{
    static const char *const words[] = {"fixed",     "revolute", "continuous",
                                        "prismatic", "ball",     "universal"};
    static const enum dpl__import_type types[] = {DPL__IMPORT_FIXED,      DPL__IMPORT_REVOLUTE,
                                                  DPL__IMPORT_CONTINUOUS, DPL__IMPORT_PRISMATIC,
                                                  DPL__IMPORT_BALL,       DPL__IMPORT_UNIVERSAL};
    const struct dpl_xml_attribute *given = dpl__import_required(import, node, "type");
    for (size_t i = 0; given && i < DPL_COUNT(words); i++) {
        if (strcmp(words[i], given->value) == 0) {
            *ret_type = types[i];
            return true;
        }
    }
    if (given) {
        dpl__import_fail(import, given->value_place,
                         "type: '%.60s' is not simulated, only fixed, revolute, continuous, "
                         "prismatic, ball and universal",
                         given->value);
    }
    return false;
}

/* The link of what an end names: of the model, or of a model in it; -1: the world. -2 after an
 * error.
 */
static int read_end(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                    const struct dpl_xml_node *joint, const char *which)
{
    const struct dpl_xml_node *node = dpl_xml_child(joint, which);
    if (!node || node->text[0] == '\0') {
        dpl__import_fail(import, joint->place, "<joint> needs <%s>", which);
        return -2;
    }
    int number = dpl__sdf_link_of(import, scope->node, scope->prefix, node->text, 0);
    if (number < 0 && strcmp(node->text, "world") == 0) {
        return -1;
    }
    if (number < 0) {
        dpl__import_fail(import, node->text_place,
                         "there is no link, and no frame of one, '%.100s' in this model",
                         node->text);
        return -2;
    }
    return number;
}

/* An axis in the axes of the joint. */
static bool read_axis(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                      const struct dpl_xml_node *axis, const struct dpl_pose3 *joint,
                      struct dpl_vector3 *ret_axis)
{
    const struct dpl_xml_node *xyz = dpl_xml_child(axis, "xyz");
    const struct dpl_xml_attribute *in = xyz ? dpl_xml_attribute(xyz, "expressed_in") : NULL;
    double v[3] = {0.0, 0.0, 1.0};
    struct dpl_pose3 frame = *joint;
    if (!dpl__sdf_numbers(import, axis, "xyz", 3, v)) {
        return false;
    }
    if (in && in->value[0] != '\0' && !dpl__sdf_frame(import, scope, in->value, xyz, 0, &frame)) {
        return false;
    }
    bool in_model = scope->version < 105;
    if (!dpl__sdf_flag(import, axis, "use_parent_model_frame", &in_model)) {
        return false;
    }
    if (!in && in_model) {
        frame = scope->pose;
    }
    struct dpl_quaternion turn =
        dpl_quaternion_multiply(dpl_quaternion_conjugate(joint->orientation), frame.orientation);
    *ret_axis = dpl_quaternion_turn(turn, (struct dpl_vector3){v[0], v[1], v[2]});
    if (!(dpl_vector3_length(*ret_axis) > 1e-9)) {
        return dpl__import_fail(import, axis->place, "the axis has no direction");
    }
    return true;
}

static bool read_limits(struct dpl__import *import, const struct dpl_xml_node *axis,
                        struct dpl__import_joint *joint)
{
    const struct dpl_xml_node *limit = dpl_xml_child(axis, "limit");
    const struct dpl_xml_node *dynamics = dpl_xml_child(axis, "dynamics");
    joint->lower = -1e16;
    joint->upper = 1e16;
    joint->effort = joint->velocity = 1e16;
    dpl__sdf_leave_out(import, axis, "xyz|limit|dynamics|use_parent_model_frame");
    if (limit) {
        dpl__sdf_leave_out(import, limit, "lower|upper|effort|velocity");
    }
    if (limit && (!dpl__sdf_numbers(import, limit, "lower", 1, &joint->lower) ||
                  !dpl__sdf_numbers(import, limit, "upper", 1, &joint->upper) ||
                  !dpl__sdf_numbers(import, limit, "effort", 1, &joint->effort) ||
                  !dpl__sdf_numbers(import, limit, "velocity", 1, &joint->velocity))) {
        return false;
    }
    if (dynamics &&
        (!dpl__sdf_numbers(import, dynamics, "damping", 1, &joint->damping) ||
         !dpl__sdf_numbers(import, dynamics, "friction", 1, &joint->friction) ||
         !dpl__sdf_numbers(import, dynamics, "spring_stiffness", 1, &joint->stiffness) ||
         !dpl__sdf_numbers(import, dynamics, "spring_reference", 1, &joint->rest))) {
        return false;
    }
    bool may_range = joint->type == DPL__IMPORT_REVOLUTE || joint->type == DPL__IMPORT_PRISMATIC;
    joint->has_range = may_range && (joint->lower > -no_limit || joint->upper < no_limit);
    if (joint->has_range && joint->lower > joint->upper) {
        dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, axis->place,
                      "the limit's lower end %g is above its upper end %g: joint '%.200s' moves "
                      "without limits",
                      joint->lower, joint->upper, joint->own_name);
        joint->has_range = false;
    }
    joint->lower = fmax(joint->lower, -1e6);
    joint->upper = fmin(joint->upper, 1e6);
    joint->has_drive = joint->effort > 0.0 && joint->effort < 1e12 && joint->velocity > 0.0 &&
                       joint->velocity < 1e6;
    return true;
}

void dpl__sdf_joint(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                    const struct dpl_xml_node *node)
{
    const char *name = dpl__sdf_full_name(import, scope, node);
    const struct dpl_xml_node *axis = dpl_xml_child(node, "axis");
    const struct dpl_xml_node *axis2 = dpl_xml_child(node, "axis2");
    enum dpl__import_type type = DPL__IMPORT_FIXED;
    struct dpl_pose3 at;
    if (!name || !read_type(import, node, &type)) {
        return;
    }
    int parent = read_end(import, scope, node, "parent");
    int child = read_end(import, scope, node, "child");
    if (parent == -2 || child == -2 || !dpl__sdf_place(import, scope, node, 0, &at)) {
        return;
    }
    struct dpl__import_joint *joint =
        dpl__import_add_joint(import, node, name, dpl__sdf_short_name(import, name));
    if (!joint) {
        return;
    }
    struct dpl_pose3 ground = {.orientation.w = 1.0};
    joint->type = type;
    joint->parent = parent;
    joint->child = child;
    joint->in_parent =
        dpl_pose3_relative(parent < 0 ? ground : dpl__import_link(import, parent)->pose, at);
    joint->in_child =
        dpl_pose3_relative(child < 0 ? ground : dpl__import_link(import, child)->pose, at);
    joint->axis = (struct dpl_vector3){.z = 1.0};
    dpl__sdf_leave_out(import, node, "pose|parent|child|axis|axis2");
    bool has_axis = type != DPL__IMPORT_FIXED && type != DPL__IMPORT_BALL;
    if (has_axis && axis &&
        (!read_axis(import, scope, axis, &at, &joint->axis) || !read_limits(import, axis, joint))) {
        return;
    }
    if (type == DPL__IMPORT_UNIVERSAL && axis2) {
        read_axis(import, scope, axis2, &at, &joint->axis2);
    }
}
