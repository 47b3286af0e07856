/* SPDX-License-Identifier: Apache-2.0 */
/* Values and frames of SDF: see sdf.h. Poses follow sdformat.org, "Pose frame semantics": a pose is
 * relative to what `relative_to` names; else that of a joint to its child, that of a frame to what
 * it is attached to, and others to the model. */
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "sdf.h"

/* ---- values ---------------------------------------------------------------------------------- */

const char *dpl__sdf_text(const struct dpl_xml_node *node, const char *child)
{
    const struct dpl_xml_node *found = dpl_xml_child(node, child);
    return found ? found->text : "";
}

bool dpl__sdf_flag(struct dpl__import *import, const struct dpl_xml_node *node, const char *child,
                   bool *inout)
{
    const struct dpl_xml_node *found = dpl_xml_child(node, child);
    return !found || found->text[0] == '\0' ||
           dpl__import_bool(import, found->text, found->text_place, child, inout);
}

bool dpl__sdf_numbers(struct dpl__import *import, const struct dpl_xml_node *node,
                      const char *child, size_t n, double *inout_numbers)
{
    const struct dpl_xml_node *found = dpl_xml_child(node, child);
    const struct dpl_xml_attribute *wrong = found || !node ? NULL : dpl_xml_attribute(node, child);
    if (wrong) {
        return dpl__import_fail(import, wrong->place,
                                "'%s' is an attribute of <%.60s>, expected <%s>%.60s</%s> in it",
                                child, node->name, child, wrong->value, child);
    }
    if (!found) {
        return true;
    }
    if (n == 1) {
        return dpl__import_wide(import, found->text, found->text_place, child, inout_numbers);
    }
    return dpl__import_numbers(import, found->text, found->text_place, child, n, inout_numbers);
}

void dpl__sdf_leave_out(struct dpl__import *import, const struct dpl_xml_node *node,
                        const char *known)
{
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        size_t n = strlen(child->name);
        bool is_known = false;
        for (const char *at = known; *at; at += strcspn(at, "|"), at += *at == '|') {
            is_known |= strcspn(at, "|") == n && strncmp(at, child->name, n) == 0;
        }
        if (!is_known) {
            dpl__import_leave_out(import, child);
        }
    }
}

/* ---- poses ----------------------------------------------------------------------------------- */

bool dpl__sdf_pose(struct dpl__import *import, const struct dpl_xml_node *node,
                   struct dpl_pose3 *ret_pose)
{
    const struct dpl_xml_node *pose = dpl_xml_child(node, "pose");
    double v[7] = {0};
    *ret_pose = (struct dpl_pose3){.orientation.w = 1.0};
    if (!pose || pose->text[0] == '\0') {
        return true;
    }
    const struct dpl_xml_attribute *format = dpl_xml_attribute(pose, "rotation_format");
    const struct dpl_xml_attribute *degrees = dpl_xml_attribute(pose, "degrees");
    const struct dpl_xml_attribute *frame = dpl_xml_attribute(pose, "frame");
    if (frame && frame->value[0] != '\0') {
        dpl__import_note(
            import, frame->place,
            "the pose is not relative to frame '%.60s': SDF 1.7 says it by relative_to",
            frame->value);
    }
    bool is_quaternion = format && strcmp(format->value, "quat_xyzw") == 0;
    if (!dpl__import_numbers(import, pose->text, pose->text_place, "pose", is_quaternion ? 7 : 6,
                             v)) {
        return false;
    }
    ret_pose->position = (struct dpl_vector3){v[0], v[1], v[2]};
    if (is_quaternion) {
        struct dpl_quaternion q = {.w = v[6], .x = v[3], .y = v[4], .z = v[5]};
        double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        if (!(fabs(length - 1.0) <= 1e-3)) {
            return dpl__import_fail(import, pose->text_place,
                                    "the quaternion has the length %.6g, expected 1", length);
        }
        ret_pose->orientation = dpl_quaternion_normalise(q);
        return true;
    }
    bool in_degrees = false;
    if (degrees &&
        !dpl__import_bool(import, degrees->value, degrees->value_place, "degrees", &in_degrees)) {
        return false;
    }
    double unit = in_degrees ? DPL_PI / 180.0 : 1.0;
    ret_pose->orientation = dpl_quaternion_from_rpy(unit * v[3], unit * v[4], unit * v[5]);
    return true;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static bool is_named(const struct dpl_xml_node *node, const char *name, size_t n)
{
    const struct dpl_xml_attribute *given = dpl_xml_attribute(node, "name");
    bool has_frame = strcmp(node->name, "link") == 0 || strcmp(node->name, "joint") == 0 ||
                     strcmp(node->name, "frame") == 0 || strcmp(node->name, "model") == 0;
    return has_frame && given && strlen(given->value) == n && strncmp(given->value, name, n) == 0;
}

static const struct dpl_xml_node *find(const struct dpl__sdf_scope *scope, const char *name,
                                       size_t n)
{
    const struct dpl_xml_node *node = scope->node->children;
    while (node && !is_named(node, name, n)) {
        node = node->next;
    }
    return node;
}

bool dpl__sdf_frame(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                    const char *name, const struct dpl_xml_node *node, int depth,
                    struct dpl_pose3 *ret_pose)
{
    const char *colons = strstr(name, "::");
    size_t n = colons ? (size_t)(colons - name) : strlen(name);
    if (strcmp(name, "__model__") == 0) {
        *ret_pose = scope->pose;
        return true;
    }
    const struct dpl_xml_node *found = find(scope, name, n);
    if (!found && strcmp(name, "world") == 0) {
        *ret_pose = (struct dpl_pose3){{0.0, 0.0, import->options->z}, {.w = 1.0}};
        return true;
    }
    if (!found || depth > DPL__SDF_CHAIN_MAX || (colons && strcmp(found->name, "model") != 0)) {
        return dpl__import_fail(import, node->place,
                                found && !colons
                                    ? "frames are relative to each other in a circle: '%.100s'"
                                    : "there is no frame '%.100s'",
                                name);
    }
    if (!colons) {
        return dpl__sdf_place(import, scope, found, depth + 1, ret_pose);
    }
    struct dpl__sdf_scope inner = {.node = found, .outer = scope, .is_model = true};
    return dpl__sdf_place(import, scope, found, depth + 1, &inner.pose) &&
           dpl__sdf_frame(import, &inner, colons + 2, node, depth + 1, ret_pose);
}

bool dpl__sdf_place(struct dpl__import *import, const struct dpl__sdf_scope *scope,
                    const struct dpl_xml_node *node, int depth, struct dpl_pose3 *ret_pose)
{
    const struct dpl_xml_node *pose = dpl_xml_child(node, "pose");
    const struct dpl_xml_attribute *to = pose ? dpl_xml_attribute(pose, "relative_to") : NULL;
    const struct dpl_xml_attribute *attached = dpl_xml_attribute(node, "attached_to");
    const char *base = to ? to->value : "";
    struct dpl_pose3 around = scope->pose, own;
    if (*base == '\0' && strcmp(node->name, "joint") == 0) {
        base = dpl__sdf_text(node, "child");
    } else if (*base == '\0' && strcmp(node->name, "frame") == 0 && attached) {
        base = attached->value;
    }
    if (!dpl__sdf_pose(import, node, &own) ||
        (*base && !dpl__sdf_frame(import, scope, base, pose ? pose : node, depth, &around))) {
        return false;
    }
    *ret_pose = dpl_pose3_compose(around, own);
    return true;
}
