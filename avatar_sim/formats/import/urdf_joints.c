/* SPDX-License-Identifier: Apache-2.0 */
/* URDF: joints, and the tree that they make. */
#include <string.h>

#include <doppel/math/vector3.h>

#include "arena.h"
#include "urdf.h"

/* ---- joints ---------------------------------------------------------------------------------- */

static const char type_words[] = "fixed|revolute|continuous|prismatic|floating|planar|spherical";

static const double limit_max = 1e6, effort_max = 1e12; /* beyond, there is none */

struct dynamics_spec {
    double damping, friction;
};

static const struct dpl_field dynamics_fields[] = {
    DPL_NUMBER(struct dynamics_spec, damping, "damping", NULL, "0", 0.0, 1e9, "N m s/rad or N s/m"),
    DPL_NUMBER(struct dynamics_spec, friction, "friction", NULL, "0", 0.0, 1e9, "N m or N"),
};

static bool read_type(struct dpl__import *import, const struct dpl_xml_node *node,
                      enum dpl__import_type *ret_type)
{
    static const char *const words[] = {"fixed",    "revolute", "continuous", "prismatic",
                                        "floating", "planar",   "spherical"}; /* PyBullet's */
    const struct dpl_xml_attribute *given = dpl__import_required(import, node, "type");
    for (size_t i = 0; given && i < DPL_COUNT(words); i++) {
        if (strcmp(words[i], given->value) == 0) {
            *ret_type = (enum dpl__import_type)i;
            return true;
        }
    }
    if (given) {
        const char *near = dpl_nearest(given->value, words, DPL_COUNT(words));
        dpl__import_fail(import, given->value_place, "type: '%.60s' is none of %s%s%s%s",
                         given->value, type_words, near ? ", did you mean '" : "", near ? near : "",
                         near ? "'?" : "");
    }
    return false;
}

/* The link that <parent> or <child> names; -1 after an error. */
static int read_end(struct dpl__import *import, const struct dpl_xml_node *joint, const char *which)
{
    const struct dpl_xml_node *node = dpl_xml_child(joint, which);
    if (!node) {
        dpl__import_fail(import, joint->place, "<joint> needs <%s link=\"...\"/>", which);
        return -1;
    }
    const struct dpl_xml_attribute *given = dpl__import_required(import, node, "link");
    int number = given ? dpl__import_find_link(import, given->value) : -1;
    if (given && number < 0) {
        const char **names =
            dpl_arena_alloc(import->reader->arena, (import->links.n + 1) * sizeof *names);
        for (size_t i = 0; i < import->links.n; i++) {
            names[i] = dpl__import_link(import, (int)i)->own_name;
        }
        const char *near = dpl_nearest(given->value, names, import->links.n);
        dpl__import_fail(import, given->value_place, "there is no link '%.60s'%s%s%s", given->value,
                         near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    return number;
}

static void read_axis(struct dpl__import *import, const struct dpl_xml_node *node,
                      struct dpl__import_joint *joint)
{
    const struct dpl_xml_node *axis = dpl_xml_child(node, "axis");
    double xyz[3] = {1.0, 0.0, 0.0};
    if (axis && dpl__urdf_known(import, axis, "xyz")) {
        dpl__import_attribute(import, axis, "xyz", 3, xyz);
    }
    joint->axis = (struct dpl_vector3){xyz[0], xyz[1], xyz[2]};
    if (axis && !(dpl_vector3_length(joint->axis) > 1e-9)) {
        dpl__import_fail(import, axis->place, "the axis of joint '%s' has no direction",
                         joint->own_name);
    }
}

/* One of the values of <limit>; without the attribute it stays as it is. */
static bool read_bound(struct dpl__import *import, const struct dpl_xml_node *limit,
                       const char *name, double *inout)
{
    const struct dpl_xml_attribute *given = dpl_xml_attribute(limit, name);
    return !given || dpl__import_wide(import, given->value, given->value_place, name, inout);
}

/* The range of a joint: ends beyond all sense are those of files that have no limit. */
static void take_range(struct dpl__import *import, const struct dpl_xml_node *limit, double lower,
                       double upper, struct dpl__import_joint *joint)
{
    bool has_lower = lower >= -limit_max, has_upper = upper <= limit_max;
    if (lower > upper) { /* as Bullet and ODE have it */
        dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, limit->place,
                      "the limit's lower end %g is above its upper end %g: joint '%.200s' moves "
                      "without limits",
                      lower, upper, joint->own_name);
        return;
    }
    if (!has_lower || !has_upper) {
        dpl__import_note(import, limit->place, "joint '%s' has no limit %s", joint->own_name,
                         has_lower   ? "above"
                         : has_upper ? "below"
                                     : "in either direction");
    }
    joint->has_range = has_lower || has_upper;
    joint->lower = fmax(lower, -limit_max);
    joint->upper = fmin(upper, limit_max);
}

static void read_limit(struct dpl__import *import, const struct dpl_xml_node *node,
                       struct dpl__import_joint *joint)
{
    const struct dpl_xml_node *limit = dpl_xml_child(node, "limit");
    bool is_ranged = joint->type == DPL__IMPORT_REVOLUTE || joint->type == DPL__IMPORT_PRISMATIC;
    double lower = 0.0, upper = 0.0, effort = 0.0, velocity = 0.0;
    if (!limit && is_ranged) {
        dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, node->place,
                      "joint '%.200s' of type %s needs <limit>: it moves without limits",
                      joint->own_name,
                      joint->type == DPL__IMPORT_REVOLUTE ? "revolute" : "prismatic");
    }
    if (!limit || !dpl__urdf_known(import, limit, "lower|upper|effort|velocity") ||
        !read_bound(import, limit, "lower", &lower) ||
        !read_bound(import, limit, "upper", &upper) ||
        !read_bound(import, limit, "effort", &effort) ||
        !read_bound(import, limit, "velocity", &velocity)) {
        return;
    }
    if (is_ranged) {
        take_range(import, limit, lower, upper, joint);
    }
    /* Below 0 is SDF's word for: no limit. A drive needs to know how strong it is. */
    joint->effort = effort;
    joint->velocity = velocity;
    joint->has_drive =
        effort > 0.0 && effort <= effort_max && velocity > 0.0 && velocity <= limit_max;
}

static void read_dynamics(struct dpl__import *import, const struct dpl_xml_node *node,
                          struct dpl__import_joint *joint)
{
    const struct dpl_xml_node *dynamics = dpl_xml_child(node, "dynamics");
    struct dynamics_spec spec = {0};
    if (dynamics) {
        dpl__urdf_no_text(import, dynamics);
    }
    if (dynamics && dpl_element_fields(import->reader, dynamics, dynamics_fields,
                                       DPL_COUNT(dynamics_fields), &spec)) {
        joint->damping = spec.damping;
        joint->friction = spec.friction;
    }
}

static void leave_out_rest(struct dpl__import *import, const struct dpl_xml_node *node)
{
    static const char *const known[] = {"origin", "parent",   "child", "axis",
                                        "limit",  "dynamics", "mimic"};
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        bool is_known = false;
        for (size_t i = 0; i < DPL_COUNT(known); i++) {
            is_known |= strcmp(child->name, known[i]) == 0;
        }
        if (!is_known) {
            dpl__import_leave_out(import, child);
        }
    }
}

void dpl__urdf_joint(struct dpl__import *import, const struct dpl_xml_node *node)
{
    const struct dpl_xml_attribute *name = dpl__import_required(import, node, "name");
    enum dpl__import_type type = DPL__IMPORT_FIXED;
    struct dpl__import_joint *joint =
        name && read_type(import, node, &type)
            ? dpl__import_add_joint(import, node, name->value, name->value)
            : NULL;
    if (!joint) {
        return;
    }
    joint->type = type;
    joint->parent = read_end(import, node, "parent");
    joint->child = read_end(import, node, "child");
    dpl__urdf_origin(import, node, &joint->in_parent);
    if (type != DPL__IMPORT_FIXED && type != DPL__IMPORT_FLOATING && type != DPL__IMPORT_BALL) {
        read_axis(import, node, joint);
        read_limit(import, node, joint);
        read_dynamics(import, node, joint);
    }
    leave_out_rest(import, node);
}

/* ---- mimics ---------------------------------------------------------------------------------- */

struct mimic_spec {
    double multiplier, offset;
};

static const struct dpl_field mimic_fields[] = {
    DPL_NUMBER(struct mimic_spec, multiplier, "multiplier", NULL, "1", -1e6, 1e6,
               "position per position of the other joint"),
    DPL_NUMBER(struct mimic_spec, offset, "offset", NULL, "0", -1e6, 1e6, "rad or m"),
};

static bool has_value(const struct dpl__import_joint *joint)
{
    return joint->type == DPL__IMPORT_REVOLUTE || joint->type == DPL__IMPORT_CONTINUOUS ||
           joint->type == DPL__IMPORT_PRISMATIC;
}

/* The element without the attribute that a table does not have. */
static struct dpl_xml_node without(struct dpl__import *import, const struct dpl_xml_node *node,
                                   const char *name)
{
    struct dpl_xml_node copy = *node;
    struct dpl_xml_attribute *kept =
        dpl_arena_alloc(import->reader->arena, (node->n_attributes + 1) * sizeof *kept);
    copy.attributes = kept;
    copy.n_attributes = 0;
    for (size_t i = 0; i < node->n_attributes; i++) {
        if (strcmp(node->attributes[i].name, name) != 0) {
            kept[copy.n_attributes++] = node->attributes[i];
        }
    }
    return copy;
}

static void read_mimic(struct dpl__import *import, struct dpl__import_joint *joint,
                       const struct dpl_xml_node *node)
{
    const struct dpl_xml_attribute *name = dpl__import_required(import, node, "joint");
    struct dpl_xml_node rest = without(import, node, "joint");
    struct mimic_spec spec = {0};
    if (!name ||
        !dpl_element_fields(import->reader, &rest, mimic_fields, DPL_COUNT(mimic_fields), &spec)) {
        return;
    }
    int other = dpl__import_find_joint(import, name->value);
    if (other < 0 || !has_value(joint) || !has_value(dpl__import_joint(import, other))) {
        dpl__import_fail(import, name->value_place, "joint '%s' cannot mimic '%.60s': %s",
                         joint->own_name, name->value,
                         other < 0 ? "there is no such joint"
                                   : "both must be revolute, continuous or prismatic");
        return;
    }
    joint->mimics = other;
    joint->multiplier = spec.multiplier;
    joint->offset = spec.offset;
}

void dpl__urdf_mimics(struct dpl__import *import)
{
    for (size_t i = 0; i < import->joints.n; i++) {
        struct dpl__import_joint *joint = dpl__import_joint(import, (int)i);
        const struct dpl_xml_node *mimic = dpl_xml_child(joint->node, "mimic");
        if (mimic && joint->type == DPL__IMPORT_FIXED) {
            dpl__import_note(import, mimic->place, "joint '%s' is fixed: it mimics nothing",
                             joint->own_name);
        } else if (mimic) {
            read_mimic(import, joint, mimic);
        }
    }
    for (size_t i = 0; i < import->joints.n; i++) {
        struct dpl__import_joint *joint = dpl__import_joint(import, (int)i);
        int at = (int)i;
        for (size_t k = 0; k <= import->joints.n && at >= 0; k++) {
            at = dpl__import_joint(import, at)->mimics;
        }
        if (at >= 0) {
            dpl__import_fail(import, joint->node->place, "joint '%s' mimics itself",
                             joint->own_name);
            return;
        }
    }
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* The pose of a joint's child frame in its frame in the parent. */
static struct dpl_pose3 moved(const struct dpl__import_joint *joint, double position)
{
    struct dpl_vector3 axis = joint->axis;
    double length = dpl_vector3_length(axis);
    struct dpl_pose3 pose = {.orientation.w = 1.0};
    if (!has_value(joint) || !(length > 0.0)) {
        return pose;
    }
    axis = dpl_vector3_times(axis, 1.0 / length);
    if (joint->type == DPL__IMPORT_PRISMATIC) {
        pose.position = dpl_vector3_times(axis, position);
        return pose;
    }
    double s = sin(position / 2.0);
    pose.orientation =
        (struct dpl_quaternion){cos(position / 2.0), s * axis.x, s * axis.y, s * axis.z};
    return pose;
}

/* Which joint holds each link; -1: none. NULL after an error. */
static int *find_holders(struct dpl__import *import)
{
    int *holders = dpl_arena_alloc(import->reader->arena, (import->links.n + 1) * sizeof *holders);
    bool good = true;
    for (size_t i = 0; i < import->links.n; i++) {
        holders[i] = -1;
    }
    for (size_t i = 0; i < import->joints.n; i++) {
        const struct dpl__import_joint *joint = dpl__import_joint(import, (int)i);
        int *holder = &holders[joint->child];
        if (*holder >= 0) {
            const struct dpl__import_joint *first = dpl__import_joint(import, *holder);
            good = dpl__import_fail(import, joint->node->place,
                                    "link '%s' has two parents: also joint '%s' at line %d has it "
                                    "as its child; URDF is a tree",
                                    dpl__import_link(import, joint->child)->own_name,
                                    first->own_name, first->node->place.line);
        }
        *holder = (int)i;
    }
    return good ? holders : NULL;
}

/* The one link that no joint holds; -1 after an error. */
static int find_root(struct dpl__import *import, const int *holders)
{
    int root = -1;
    for (size_t i = 0; i < import->links.n; i++) {
        const struct dpl__import_link *link = dpl__import_link(import, (int)i);
        if (holders[i] >= 0) {
            continue;
        }
        if (root >= 0) {
            dpl__import_fail(import, link->node->place,
                             "no joint connects link '%s' with link '%s'", link->own_name,
                             dpl__import_link(import, root)->own_name);
            return -1;
        }
        root = (int)i;
    }
    if (root < 0) {
        dpl__import_fail(import, dpl__import_link(import, 0)->node->place,
                         "the links are in a circle: each is the child of a joint");
    }
    return root;
}

bool dpl__urdf_place(struct dpl__import *import)
{
    const int *holders = find_holders(import);
    int root = holders ? find_root(import, holders) : -1;
    const double *positions = root >= 0 ? dpl__import_positions(import) : NULL;
    if (!positions) {
        return false;
    }
    struct dpl__import_link *base = dpl__import_link(import, root);
    int *queue = dpl_arena_alloc(import->reader->arena, (import->links.n + 1) * sizeof *queue);
    size_t n = 0;
    base->pose = (struct dpl_pose3){{0.0, 0.0, import->options->z}, {.w = 1.0}};
    base->is_static |= import->options->fixed_base;
    queue[n++] = root;
    for (size_t next = 0; next < n; next++) {
        for (size_t i = 0; i < import->joints.n; i++) {
            const struct dpl__import_joint *joint = dpl__import_joint(import, (int)i);
            if (joint->parent == queue[next]) {
                struct dpl_pose3 at = dpl_pose3_compose(
                    dpl__import_link(import, joint->parent)->pose, joint->in_parent);
                dpl__import_link(import, joint->child)->pose =
                    dpl_pose3_compose(at, moved(joint, positions[i]));
                queue[n++] = joint->child;
            }
        }
    }
    for (size_t i = 0; i < import->links.n && n < import->links.n; i++) {
        bool is_placed = false;
        for (size_t k = 0; k < n; k++) {
            is_placed |= queue[k] == (int)i;
        }
        if (!is_placed) {
            return dpl__import_fail(import, dpl__import_link(import, (int)i)->node->place,
                                    "link '%s' is in a circle of joints",
                                    dpl__import_link(import, (int)i)->own_name);
        }
    }
    return true;
}
