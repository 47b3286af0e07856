/* SPDX-License-Identifier: Apache-2.0 */
/* Making a mechanism part by part: see doppel/sim/mechanism.h. */
#include <doppel/sim/mechanism.h>

#include <errno.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "arena.h"
#include "coupling.h"
#include "element.h"
#include "names.h"

static const struct dpl_place nowhere;

enum { SOLIDS_MAX = 1024, VISUALS_MAX = 1024 }; /* of one body */

const struct dpl_sim_material dpl_sim_material_default = {"default", 0.5, 0.0, 0.0};

const char *const dpl_sim_joint_words[DPL_JOINT_TYPES] = {
    "fixed",  "hinge", "slider", "ball", "universal", "cylindrical",
    "planar", "gear",  "belt",   "rope", "free",
};

int dpl_sim_joint_freedoms(enum dpl_sim_joint_type type)
{
    bool one = type == DPL_JOINT_HINGE || type == DPL_JOINT_SLIDER;
    bool two = type == DPL_JOINT_UNIVERSAL || type == DPL_JOINT_CYLINDRICAL;
    return two ? 2 : one;
}

static size_t freedoms_before(const struct dpl_sim_mechanism *mechanism, size_t joint)
{
    size_t sum = 0;
    for (size_t i = 0; i < joint; i++) {
        sum += (size_t)dpl_sim_joint_freedoms(mechanism->joints[i].type);
    }
    return sum;
}

size_t dpl_mechanism_slots(const struct dpl_sim_mechanism *mechanism)
{
    return freedoms_before(mechanism, mechanism->n_joints);
}

int dpl_mechanism_slot(const struct dpl_sim_mechanism *mechanism, size_t joint)
{
    bool has_value = dpl_sim_joint_freedoms(mechanism->joints[joint].type) > 0;
    return has_value ? (int)freedoms_before(mechanism, joint) : -1;
}

bool dpl_sim_joint_turns(enum dpl_sim_joint_type type, int i)
{
    return type == DPL_JOINT_HINGE || type == DPL_JOINT_UNIVERSAL ||
           (type == DPL_JOINT_CYLINDRICAL && i == 1);
}

/* ---- what parts have in common ---- */

static int check_name(const char *name, const char *what, struct dpl_diag *reterr)
{
    if (name[0] == '\0') {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "'%s' is no name of a %s: it has no letter and no digit", name, what);
    }
    return dpl__check_name(name, what, reterr);
}

/* `names`: of the first of n parts of that size. */
static int check_new_name(const char *name, const char *what, const void *names, size_t n,
                          size_t size, struct dpl_diag *reterr)
{
    int err = check_name(name, what, reterr);
    for (size_t i = 0; i < n && err == 0; i++) {
        if (dpl_name_equal(name, (const char *)names + i * size)) {
            err = dpl_fail(reterr, -EINVAL, nowhere, "there is another %s called '%s'", what, name);
        }
    }
    return err;
}

static int check_room(size_t n, size_t max, const char *what, struct dpl_diag *reterr)
{
    return n < max ? 0
                   : dpl_fail(reterr, -ENOSPC, nowhere, "no room for more than %zu %s", max, what);
}

/* Finite, and the quaternion's length is 1 to 0.1 %: makes it exact. */
static int normalize_pose(struct dpl_pose3 *pose, const char *what, struct dpl_diag *reterr)
{
    struct dpl_quaternion q = pose->orientation;
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    const double p[3] = {pose->position.x, pose->position.y, pose->position.z};
    for (int i = 0; i < 3; i++) {
        if (!(fabs(p[i]) <= 1e6)) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "the position of %s is %g m, expected within 1e6 m", what, p[i]);
        }
    }
    if (!(fabs(length - 1.0) <= 1e-3)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the orientation of %s is a quaternion of length %g, expected 1", what,
                        length);
    }
    pose->orientation = dpl_quaternion_normalise(q);
    return 0;
}

static int check_at_least_0(double value, const char *what, struct dpl_diag *reterr)
{
    return value >= 0.0 && isfinite(value)
               ? 0
               : dpl_fail(reterr, -EINVAL, nowhere, "%s is %g, expected at least 0", what, value);
}

/* A copy in the arena; NULL for nothing. */
static void *kept(struct dpl_arena *arena, const void *items, size_t size)
{
    return size > 0 ? memcpy(dpl_arena_alloc(arena, size), items, size) : NULL;
}

/* Adds a part to an array of n parts. */
static void *add(struct dpl_arena *arena, void *items, size_t n, const void *part, size_t size)
{
    struct dpl__list list = {items, n};
    memcpy(dpl__list_add(arena, &list, size), part, size);
    return list.items;
}

/* ---- materials ---- */

int dpl_mechanism_add_material(struct dpl_sim_mechanism *mechanism,
                               const struct dpl_sim_material *material, struct dpl_diag *reterr)
{
    int err = check_room(mechanism->n_materials, DPL_MECHANISM_MATERIALS_MAX, "materials", reterr);
    err = err ? err
              : check_new_name(material->name, "material", mechanism->materials,
                               mechanism->n_materials, sizeof *material, reterr);
    err = err ? err : check_at_least_0(material->friction, "friction", reterr);
    err = err ? err : check_at_least_0(material->rolling_friction, "rolling friction", reterr);
    err = err ? err : check_at_least_0(material->restitution, "restitution", reterr);
    if (err == 0 && material->restitution > 1.0) {
        err = dpl_fail(reterr, -EINVAL, nowhere, "restitution is %g, expected 0 to 1",
                       material->restitution);
    }
    if (err == 0) {
        mechanism->materials = add(mechanism->memory, mechanism->materials,
                                   mechanism->n_materials++, material, sizeof *material);
    }
    return err;
}

/* ---- bodies ---- */

static int check_solid(const struct dpl_sim_mechanism *mechanism, const struct dpl_sim_body *body,
                       bool touches, struct dpl_sim_solid *solid, struct dpl_diag *reterr)
{
    int err = dpl_sim_solid_check(solid, reterr);
    err = err ? err : normalize_pose(&solid->pose, "a shape", reterr);
    bool has_no_volume = solid->kind == DPL_SOLID_PLANE || solid->kind == DPL_SOLID_FIELD;
    if (err == 0 && has_no_volume && !body->is_static && touches) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "a %s has no volume: only a body that is static may have one",
                        dpl_sim_solid_words[solid->kind]);
    }
    if (err == 0 && solid->material >= mechanism->n_materials) {
        return dpl_fail(reterr, -EINVAL, nowhere, "there is no material %zu, only 0 to %d",
                        solid->material, (int)mechanism->n_materials - 1);
    }
    return err;
}

static void copy_field(struct dpl_arena *memory, struct dpl_sim_solid *solid)
{
    struct dpl_sim_field *field = &solid->field;
    if (solid->kind != DPL_SOLID_FIELD) {
        *field = (struct dpl_sim_field){0};
        return;
    }
    size_t n = (size_t)field->columns * field->rows;
    field->heights = kept(memory, field->heights, n * sizeof *field->heights);
}

/* Copies those that touch others, or those that only show the body, with their points. */
static int copy_solids(const struct dpl_sim_mechanism *mechanism, const struct dpl_sim_body *body,
                       bool touches, const struct dpl_sim_solid **inout_solids,
                       struct dpl_diag *reterr)
{
    struct dpl_arena *memory = mechanism->memory;
    size_t n = touches ? body->n_solids : body->n_looks;
    struct dpl_sim_solid *solids = kept(memory, *inout_solids, n * sizeof *solids);
    for (size_t i = 0; i < n; i++) {
        int err = check_solid(mechanism, body, touches, &solids[i], reterr);
        if (err) {
            return err;
        }
        bool has_points = solids[i].kind == DPL_SOLID_HULL || solids[i].kind == DPL_SOLID_MESH;
        bool has_faces = solids[i].kind == DPL_SOLID_MESH;
        solids[i].n_points = has_points ? solids[i].n_points : 0;
        solids[i].n_faces = has_faces ? solids[i].n_faces : 0;
        solids[i].points =
            kept(memory, solids[i].points, solids[i].n_points * sizeof *solids[i].points);
        solids[i].faces =
            kept(memory, solids[i].faces, solids[i].n_faces * sizeof *solids[i].faces);
        copy_field(memory, &solids[i]);
    }
    *inout_solids = solids;
    return 0;
}

static int copy_visuals(const struct dpl_sim_mechanism *mechanism, struct dpl_sim_body *body,
                        struct dpl_diag *reterr)
{
    struct dpl_sim_visual *visuals =
        kept(mechanism->memory, body->visuals, body->n_visuals * sizeof *visuals);
    for (size_t i = 0; i < body->n_visuals; i++) {
        int err = normalize_pose(&visuals[i].pose, "a mesh", reterr);
        if (err) {
            return err;
        }
        visuals[i].path = dpl_arena_strdup(mechanism->memory, visuals[i].path);
    }
    body->visuals = visuals;
    return 0;
}

int dpl_mechanism_add_body(struct dpl_sim_mechanism *mechanism, const struct dpl_sim_body *body,
                           struct dpl_diag *reterr)
{
    struct dpl_sim_body copy = *body;
    int err = check_room(mechanism->n_bodies, DPL_MECHANISM_BODIES_MAX, "bodies", reterr);
    err = err ? err
              : check_new_name(body->name, "body", mechanism->bodies, mechanism->n_bodies,
                               sizeof copy, reterr);
    if (err == 0 && dpl_name_equal(body->name, "world")) {
        err = dpl_fail(reterr, -EINVAL, nowhere, "no body may be called '%s'", body->name);
    }
    err = err ? err : normalize_pose(&copy.pose, "the body", reterr);
    if (err == 0 && !body->is_static) {
        err = dpl_mass_check(&body->mass, reterr);
    }
    if (body->is_static) {
        copy.mass = (struct dpl_mass){0};
    }
    err = err ? err : check_room(body->n_solids, SOLIDS_MAX + 1, "shapes of one body", reterr);
    err = err ? err : check_room(body->n_visuals, VISUALS_MAX + 1, "meshes of one body", reterr);
    err = err ? err : check_room(body->n_looks, SOLIDS_MAX + 1, "looks of one body", reterr);
    err = err ? err : copy_solids(mechanism, body, true, &copy.solids, reterr);
    err = err ? err : copy_solids(mechanism, body, false, &copy.looks, reterr);
    err = err ? err : copy_visuals(mechanism, &copy, reterr);
    if (err == 0) {
        mechanism->bodies =
            add(mechanism->memory, mechanism->bodies, mechanism->n_bodies++, &copy, sizeof copy);
    }
    return err;
}

int dpl_mechanism_find_body(const struct dpl_sim_mechanism *mechanism, const char *name)
{
    for (size_t i = 0; i < mechanism->n_bodies; i++) {
        if (dpl_name_equal(mechanism->bodies[i].name, name)) {
            return (int)i;
        }
    }
    return -1;
}

/* ---- joints ---- */

struct dpl_pose3 dpl_mechanism_place(const struct dpl_sim_mechanism *mechanism, int number,
                                     struct dpl_pose3 frame)
{
    return number < 0 ? frame : dpl_pose3_compose(mechanism->bodies[number].pose, frame);
}

int dpl_sim_joint_align(const struct dpl_pose3 *frame, struct dpl_vector3 axis,
                        struct dpl_vector3 axis2, struct dpl_pose3 *ret_frame,
                        struct dpl_diag *reterr)
{
    double length = dpl_vector3_length(axis), length2 = dpl_vector3_length(axis2);
    if (!(length > 1e-9) || !isfinite(length) || !isfinite(length2)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the axis has no direction");
    }
    struct dpl_vector3 z = dpl_vector3_times(axis, 1.0 / length);
    /* The half-way quaternion between z and the axis; half a turn about x when they are opposite.
     */
    struct dpl_quaternion turn = {.w = 1.0 + z.z, .x = -z.y, .y = z.x};
    if (!(turn.w > 1e-12)) {
        turn = (struct dpl_quaternion){.x = 1.0};
    }
    turn = dpl_quaternion_normalise(turn);
    if (length2 > 0.0) {
        struct dpl_vector3 x = dpl_quaternion_turn(dpl_quaternion_conjugate(turn),
                                                   dpl_vector3_times(axis2, 1.0 / length2));
        if (!(hypot(x.x, x.y) > 1e-3)) {
            return dpl_fail(reterr, -EINVAL, nowhere, "both axes are along one line");
        }
        double angle = atan2(x.y, x.x);
        turn = dpl_quaternion_multiply(
            turn, (struct dpl_quaternion){.w = cos(angle / 2.0), .z = sin(angle / 2.0)});
    }
    *ret_frame = *frame;
    ret_frame->orientation =
        dpl_quaternion_normalise(dpl_quaternion_multiply(frame->orientation, turn));
    return 0;
}

static int check_freedom(const struct dpl_sim_joint *joint, int i, struct dpl_diag *reterr)
{
    const struct dpl_sim_limit *limit = &joint->limits[i];
    const struct dpl_sim_spring *spring = &joint->springs[i];
    const char *word = dpl_sim_joint_words[joint->type];
    if (i >= dpl_sim_joint_freedoms(joint->type) && (limit->is_there || spring->is_there)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "a joint of type %s has no freedom %d to %s",
                        word, i + 1, limit->is_there ? "limit" : "put a spring on");
    }
    int err = 0;
    if (limit->is_there && !(limit->lower <= limit->upper)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the limit's lower end %g is above its upper end %g", limit->lower,
                        limit->upper);
    }
    if (limit->is_there) {
        err = check_at_least_0(limit->stiffness, "the limit's stiffness", reterr);
        err = err ? err : check_at_least_0(limit->damping, "the limit's damping", reterr);
    }
    if (spring->is_there && err == 0) {
        err = check_at_least_0(spring->stiffness, "the spring's stiffness", reterr);
        err = err ? err : check_at_least_0(spring->damping, "the spring's damping", reterr);
    }
    if (spring->is_there && err == 0 && !isfinite(spring->rest)) {
        err = dpl_fail(reterr, -EINVAL, nowhere, "the spring's rest is not finite");
    }
    return err;
}

bool dpl_sim_joint_constrains(enum dpl_sim_joint_type type)
{
    switch (type) {
    case DPL_JOINT_GEAR:
    case DPL_JOINT_BELT:
    case DPL_JOINT_ROPE:
    case DPL_JOINT_FREE:
    case DPL_JOINT_TYPES: return false;
    default: return true;
    }
}

static int check_ends(const struct dpl_sim_mechanism *mechanism, const struct dpl_sim_joint *joint,
                      struct dpl_diag *reterr)
{
    int n = (int)mechanism->n_bodies, a = joint->parent, b = joint->child;
    if (a < -1 || a >= n || b < -1 || b >= n) {
        return dpl_fail(reterr, -EINVAL, nowhere, "there is no body %d", a < -1 || a >= n ? a : b);
    }
    if (a == b) {
        return dpl_fail(reterr, -EINVAL, nowhere, "both ends of the joint are at '%s'",
                        a < 0 ? "world" : mechanism->bodies[a].name);
    }
    if ((a < 0 || mechanism->bodies[a].is_static) && (b < 0 || mechanism->bodies[b].is_static)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "neither end of the joint can move");
    }
    return 0;
}

int dpl_mechanism_add_joint(struct dpl_sim_mechanism *mechanism, const struct dpl_sim_joint *joint,
                            struct dpl_diag *reterr)
{
    struct dpl_sim_joint copy = *joint;
    int err = check_room(mechanism->n_joints, DPL_MECHANISM_JOINTS_MAX, "joints", reterr);
    err = err ? err
              : check_new_name(joint->name, "joint", mechanism->joints, mechanism->n_joints,
                               sizeof copy, reterr);
    err = err ? err : check_ends(mechanism, joint, reterr);
    err = err ? err : normalize_pose(&copy.in_parent, "the frame in the parent", reterr);
    err = err ? err : normalize_pose(&copy.in_child, "the frame in the child", reterr);
    for (int i = 0; i < 2 && err == 0; i++) {
        err = check_freedom(joint, i, reterr);
    }
    err = err ? err : dpl__coupling_check(mechanism, joint, reterr);
    err = err ? err : check_at_least_0(joint->friction, "friction", reterr);
    err = err ? err : check_at_least_0(joint->break_force, "the breaking force", reterr);
    err = err ? err : check_at_least_0(joint->break_torque, "the breaking torque", reterr);
    if (err == 0) {
        mechanism->joints =
            add(mechanism->memory, mechanism->joints, mechanism->n_joints++, &copy, sizeof copy);
    }
    return err;
}
