/* SPDX-License-Identifier: Apache-2.0 */
/* Links and joints of a foreign format become bodies and joints of a mechanism: what hangs fixed on
 * what stands still stands still; a link without mass is a part of the link that it is fixed to. */
#include <stdio.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "arena.h"
#include "import.h"

static const struct dpl_pose3 origin = {.orientation = {.w = 1.0}};

/* ---- what stands still, and what is part of what ----------------------------------------------
 */

static bool is_still(const struct dpl__import *import, int link)
{
    return link < 0 || dpl__import_link(import, link)->is_static;
}

static void spread_stillness(struct dpl__import *import)
{
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < import->joints.n; i++) {
            const struct dpl__import_joint *joint = dpl__import_joint(import, (int)i);
            bool a = is_still(import, joint->parent), b = is_still(import, joint->child);
            if (joint->type == DPL__IMPORT_FIXED && a != b) {
                dpl__import_link(import, a ? joint->child : joint->parent)->is_static = true;
                again = true;
            }
        }
    }
}

/* A link without mass belongs to the link that a fixed joint connects it with: of several to its
 * parent first. */
static void find_hosts(struct dpl__import *import)
{
    for (size_t i = 0; i < import->links.n; i++) {
        struct dpl__import_link *link = dpl__import_link(import, (int)i);
        link->host = link->is_static || link->mass.mass > 0.0 ? (int)i : -1;
    }
    for (bool again = true; again;) {
        again = false;
        for (size_t k = 0; k < 2 * import->joints.n && !again; k++) {
            const struct dpl__import_joint *joint =
                dpl__import_joint(import, (int)(k % import->joints.n));
            bool is_up = k < import->joints.n; /* the child asks its parent */
            int from = is_up ? joint->child : joint->parent;
            int to = is_up ? joint->parent : joint->child;
            if (joint->type == DPL__IMPORT_FIXED && from >= 0 && to >= 0 &&
                dpl__import_link(import, from)->host < 0 &&
                dpl__import_link(import, to)->host >= 0) {
                dpl__import_link(import, from)->host = dpl__import_link(import, to)->host;
                again = true;
            }
        }
    }
}

static bool is_child(const struct dpl__import *import, int link)
{
    for (size_t i = 0; i < import->joints.n; i++) {
        if (dpl__import_joint(import, (int)i)->child == link) {
            return true;
        }
    }
    return false;
}

/* A root that has no mass, and no link with mass fixed to it, cannot move: it is the base of an
 * arm, which stands still whether the world says fixed_base or not. */
static bool hold_root(struct dpl__import *import)
{
    bool held = false;
    for (size_t i = 0; i < import->links.n; i++) {
        struct dpl__import_link *link = dpl__import_link(import, (int)i);
        if (link->host >= 0 || is_child(import, (int)i)) {
            continue;
        }
        link->is_static = held = true;
        if (import->is_alone) {
            dpl__import_note(import, link->node->place, "link '%s' has no mass: it stands still",
                             link->own_name);
        } else {
            dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, link->node->place,
                          "link '%.200s' has no mass: it stands still, as with fixed_base=\"true\"",
                          link->own_name);
        }
    }
    return held;
}

static bool check_hosts(struct dpl__import *import)
{
    bool good = true;
    for (size_t i = 0; i < import->links.n; i++) {
        const struct dpl__import_link *link = dpl__import_link(import, (int)i);
        if (link->host < 0) {
            good = dpl__import_fail(import, link->node->place,
                                    "link '%s' moves but has no mass: give it <inertial>, or a "
                                    "fixed joint to a link that has some",
                                    link->own_name);
        } else if (link->host != (int)i) {
            dpl__import_note(import, link->node->place,
                             "link '%s' has no mass: it is a part of '%s'", link->own_name,
                             dpl__import_link(import, link->host)->own_name);
        }
    }
    return good;
}

/* The pose of a link in its host. */
static struct dpl_pose3 in_host(const struct dpl__import *import, int link)
{
    const struct dpl__import_link *part = dpl__import_link(import, link);
    const struct dpl__import_link *host = dpl__import_link(import, part->host);
    return part->host == link ? origin : dpl_pose3_relative(host->pose, part->pose);
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

/* The number of the material of that friction, made when it is not there; negative after an
 * error. */
static int material_of(struct dpl__import *import, const struct dpl__import_link *link,
                       const struct dpl__import_solid *solid)
{
    struct dpl_sim_mechanism *mechanism = &import->objects->mechanism;
    double friction = solid->friction >= 0.0  ? solid->friction
                      : link->friction >= 0.0 ? link->friction
                                              : import->options->friction;
    struct dpl_sim_material material = {.friction = friction};
    struct dpl_diag diag;
    for (size_t i = 0; i < mechanism->n_materials; i++) {
        if (mechanism->materials[i].friction == friction) {
            return (int)i;
        }
    }
    snprintf(material.name, sizeof material.name, "material %zu", mechanism->n_materials);
    if (dpl_mechanism_add_material(mechanism, &material, &diag)) {
        dpl_element_error(import->reader, link->node, &diag);
        return -1;
    }
    return (int)mechanism->n_materials - 1;
}

/* Adds the shapes of one link to its body's. */
static bool add_solids(struct dpl__import *import, int number, bool is_look,
                       struct dpl__list *inout)
{
    const struct dpl__import_link *link = dpl__import_link(import, number);
    const struct dpl__list *from = is_look ? &link->looks : &link->solids;
    const struct dpl__import_solid *solids = from->items;
    struct dpl_pose3 pose = in_host(import, number);
    bool moves = !dpl__import_link(import, link->host)->is_static;
    for (size_t i = 0; i < from->n; i++) {
        struct dpl__import_solid made = solids[i];
        int material = material_of(import, link, &made);
        struct dpl_diag diag;
        if (material < 0) {
            return false;
        }
        made.solid.pose = dpl_pose3_compose(pose, made.solid.pose);
        made.solid.material = (size_t)material;
        if (!is_look && moves && made.solid.kind == DPL_SOLID_MESH) {
            if (!dpl__import_hulls(import, link->own_name, &made, inout)) {
                return false;
            }
            continue;
        }
        if (dpl_sim_solid_check(&made.solid, &diag)) {
            return dpl__import_fail(import, made.place, "link '%s': %s", link->own_name, diag.text);
        }
        *(struct dpl_sim_solid *)dpl__list_add(import->reader->arena, inout, sizeof made.solid) =
            made.solid;
    }
    return true;
}

static void keep_node(struct dpl__import *import, struct dpl__list *list,
                      const struct dpl_xml_node *node)
{
    *(const struct dpl_xml_node **)dpl__list_add(import->reader->arena, list, sizeof node) = node;
}

static bool add_body(struct dpl__import *import, int number)
{
    struct dpl__import_link *link = dpl__import_link(import, number);
    struct dpl_sim_mechanism *mechanism = &import->objects->mechanism;
    struct dpl__list solids = {0}, looks = {0};
    struct dpl_diag diag;
    for (size_t i = 0; i < import->links.n; i++) {
        if (dpl__import_link(import, (int)i)->host == number &&
            (!add_solids(import, (int)i, false, &solids) ||
             !add_solids(import, (int)i, true, &looks))) {
            return false;
        }
    }
    if (!link->is_static) {
        dpl__import_real_mass(import, (link->mass_node ? link->mass_node : link->node)->place,
                              link->own_name, &link->mass);
    }
    struct dpl_sim_body body = {
        .is_static = link->is_static,
        .pose = link->pose,
        .mass = link->mass,
        .solids = solids.items,
        .n_solids = solids.n,
        .looks = looks.items,
        .n_looks = looks.n,
        .group = import->options->self_collision ? 0 : link->model,
    };
    snprintf(body.name, sizeof body.name, "%s", link->name);
    if (dpl_mechanism_add_body(mechanism, &body, &diag)) {
        dpl_element_error(import->reader, link->mass_node ? link->mass_node : link->node, &diag);
        return false;
    }
    link->body = (int)mechanism->n_bodies - 1;
    keep_node(import, &import->body_nodes, link->node);
    return true;
}

/* A link that is a part of another one keeps its frame. */
static bool add_frame(struct dpl__import *import, int number)
{
    const struct dpl__import_link *link = dpl__import_link(import, number);
    struct dpl_sim_frame frame = {.body = dpl__import_link(import, link->host)->body,
                                  .pose = in_host(import, number)};
    struct dpl_diag diag;
    snprintf(frame.name, sizeof frame.name, "%s", link->name);
    if (dpl_mechanism_add_frame(&import->objects->mechanism, &frame, &diag)) {
        dpl_element_error(import->reader, link->node, &diag);
        return false;
    }
    return true;
}

static bool add_bodies(struct dpl__import *import)
{
    bool good = true;
    for (size_t i = 0; i < import->links.n; i++) {
        if (dpl__import_link(import, (int)i)->host == (int)i) {
            good = add_body(import, (int)i) && good;
        }
    }
    for (size_t i = 0; i < import->links.n && good; i++) {
        good = dpl__import_link(import, (int)i)->host == (int)i || add_frame(import, (int)i);
    }
    return good;
}

/* ---- joints -----------------------------------------------------------------------------------
 */

static enum dpl_sim_joint_type type_of(enum dpl__import_type type)
{
    static const enum dpl_sim_joint_type types[] = {
        [DPL__IMPORT_FIXED] = DPL_JOINT_FIXED,      [DPL__IMPORT_REVOLUTE] = DPL_JOINT_HINGE,
        [DPL__IMPORT_CONTINUOUS] = DPL_JOINT_HINGE, [DPL__IMPORT_PRISMATIC] = DPL_JOINT_SLIDER,
        [DPL__IMPORT_FLOATING] = DPL_JOINT_FREE,    [DPL__IMPORT_PLANAR] = DPL_JOINT_PLANAR,
        [DPL__IMPORT_BALL] = DPL_JOINT_BALL,        [DPL__IMPORT_UNIVERSAL] = DPL_JOINT_UNIVERSAL,
    };
    return types[type];
}

static int body_of(const struct dpl__import *import, int link)
{
    return link < 0 ? -1 : dpl__import_link(import, dpl__import_link(import, link)->host)->body;
}

/* The joint's frame at one end, in the body that the end is a part of, with z along the axis. */
static bool align(struct dpl__import *import, const struct dpl__import_joint *joint, int link,
                  struct dpl_pose3 frame, struct dpl_pose3 *ret_frame)
{
    struct dpl_diag diag;
    if (link >= 0) {
        frame = dpl_pose3_compose(in_host(import, link), frame);
    }
    if (joint->type == DPL__IMPORT_FIXED || joint->type == DPL__IMPORT_FLOATING) {
        *ret_frame = frame;
        return true;
    }
    if (dpl_sim_joint_align(&frame, joint->axis, joint->axis2, ret_frame, &diag)) {
        dpl_element_error(import->reader, joint->node, &diag);
        return false;
    }
    return true;
}

/* Channels of a joint and of a body have one name: the joint gets another. */
static void choose_name(struct dpl__import *import, struct dpl__import_joint *joint)
{
    const struct dpl_sim_mechanism *mechanism = &import->objects->mechanism;
    const struct dpl__import_taken taken[] = {
        {mechanism->bodies, mechanism->n_bodies, sizeof *mechanism->bodies},
        {mechanism->joints, mechanism->n_joints, sizeof *mechanism->joints},
    };
    char name[DPL_SIM_NAME_SIZE];
    dpl__import_channel_name(joint->name, "_joint", taken, DPL_COUNT(taken), name);
    if (strcmp(name, joint->name) != 0) {
        dpl__import_note(import, joint->node->place,
                         "joint '%s' has the name of a link: its channels are called '%s'",
                         joint->own_name, name);
        memcpy(joint->name, name, sizeof name);
    }
}

static void fill(const struct dpl__import_joint *from, struct dpl_sim_joint *inout)
{
    snprintf(inout->name, sizeof inout->name, "%s", from->name);
    inout->type = type_of(from->type);
    inout->cuts_loop = from->cuts_loop;
    if (dpl_sim_joint_freedoms(inout->type) == 0) {
        return;
    }
    inout->friction = from->friction;
    if (from->has_range) {
        inout->limits[0] =
            (struct dpl_sim_limit){.is_there = true, .lower = from->lower, .upper = from->upper};
    }
    if (from->damping > 0.0 || from->stiffness > 0.0) {
        inout->springs[0] =
            (struct dpl_sim_spring){true, from->stiffness, from->damping, from->rest};
    }
}

static bool add_joint(struct dpl__import *import, struct dpl__import_joint *from)
{
    struct dpl_sim_mechanism *mechanism = &import->objects->mechanism;
    struct dpl_diag diag;
    int a = body_of(import, from->parent), b = body_of(import, from->child);
    bool neither_moves =
        (a < 0 || mechanism->bodies[a].is_static) && (b < 0 || mechanism->bodies[b].is_static);
    if (a == b || (from->type == DPL__IMPORT_FIXED && neither_moves)) {
        return true;
    }
    if (neither_moves) {
        dpl__import_note(import, from->node->place, "joint '%s' is between links that stand still",
                         from->own_name);
        return true;
    }
    choose_name(import, from);
    struct dpl_sim_joint joint = {.parent = a, .child = b};
    fill(from, &joint);
    if (!align(import, from, from->parent, from->in_parent, &joint.in_parent) ||
        !align(import, from, from->child, from->in_child, &joint.in_child)) {
        return false;
    }
    if (dpl_mechanism_add_joint(mechanism, &joint, &diag)) {
        dpl_element_error(import->reader, from->node, &diag);
        return false;
    }
    from->made = (int)mechanism->n_joints - 1;
    keep_node(import, &import->joint_nodes, from->node);
    return true;
}

/* ---- mimics ------------------------------------------------------------------------------------
 */

/* A follower goes where its leader goes: within the leader's limits. Its own ones do not count, and
 * what they would have cut off is told. */
static void drop_limits(struct dpl__import *import, const struct dpl__import_joint *joint,
                        const struct dpl_sim_joint *leader, const struct dpl_sim_mimic *mimic)
{
    struct dpl_sim_limit *own = &import->objects->mechanism.joints[mimic->follower].limits[0];
    const struct dpl_sim_limit *of = &leader->limits[0];
    if (!own->is_there) {
        return;
    }
    own->is_there = false;
    if (!of->is_there) {
        dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, joint->node->place,
                      "joint '%s' mimics '%s', which has no limits: its own limits %g to %g are "
                      "left out",
                      joint->own_name, leader->name, own->lower, own->upper);
        return;
    }
    double a = mimic->ratio * of->lower + mimic->offset;
    double b = mimic->ratio * of->upper + mimic->offset, slack = 1e-6 * (1.0 + fabs(b - a));
    if (fmin(a, b) < own->lower - slack || fmax(a, b) > own->upper + slack) {
        dpl_diags_add(import->reader->diags, DPL_SEVERITY_WARNING, joint->node->place,
                      "joint '%s' mimics '%s', whose limits count: it moves from %g to %g, and "
                      "its own limits %g to %g are left out",
                      joint->own_name, leader->name, fmin(a, b), fmax(a, b), own->lower,
                      own->upper);
    }
}

/* A follower's friction brakes its leader: two rows of one joint that follows would make the
 * solver's matrix singular. */
static void lead(struct dpl_sim_joint *leader, struct dpl_sim_joint *follower, double ratio)
{
    leader->friction += fabs(ratio) * follower->friction;
    follower->friction = 0.0;
}

static bool add_mimic(struct dpl__import *import, int number)
{
    const struct dpl__import_joint *joint = dpl__import_joint(import, number);
    struct dpl_sim_mechanism *mechanism = &import->objects->mechanism;
    struct dpl_sim_mimic mimic = {.follower = joint->made};
    int leader = dpl__import_leader(import, number, &mimic.ratio, &mimic.offset);
    struct dpl_diag diag;
    mimic.leader = dpl__import_joint(import, leader)->made;
    if (leader == number || mimic.leader < 0 || mimic.follower < 0) {
        return true; /* between links that stand still */
    }
    lead(&mechanism->joints[mimic.leader], &mechanism->joints[mimic.follower], mimic.ratio);
    drop_limits(import, joint, &mechanism->joints[mimic.leader], &mimic);
    if (dpl_mechanism_add_mimic(mechanism, &mimic, &diag)) {
        dpl_element_error(import->reader, joint->node, &diag);
        return false;
    }
    return true;
}

bool dpl__import_assemble(struct dpl__import *import)
{
    bool good = true;
    spread_stillness(import);
    find_hosts(import);
    if (hold_root(import)) {
        spread_stillness(import);
        find_hosts(import);
    }
    if (!check_hosts(import) || !add_bodies(import)) {
        return false;
    }
    for (size_t i = 0; i < import->joints.n; i++) {
        good = add_joint(import, dpl__import_joint(import, (int)i)) && good;
    }
    for (size_t i = 0; i < import->joints.n && good; i++) {
        good = add_mimic(import, (int)i);
    }
    return good;
}
