/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies and trees as Bullet wants them: store_body and store_tree of solver_world.h. */
#include <algorithm>
#include <cmath>

#include "solver_world.h"

using dpl_solver_rows::tree;

namespace dpl_solver_parts
{

namespace
{

constexpr double no_limit = 1e9; /* of speeds, rad/s or m/s */

/* ---- bodies ---- */

struct surface {
    double friction, restitution, rolling;
    bool is_one; /* all shapes have it */
};

surface surface_of(const dpl_solver_body &body)
{
    surface all = {0, 0, 0, true};
    for (size_t i = 0; i < body.n_shapes; i++) {
        const dpl_solver_shape &shape = body.shapes[i];
        if (i == 0) {
            all = {shape.friction, shape.restitution, shape.rolling, true};
        }
        all.is_one &= shape.friction == all.friction && shape.restitution == all.restitution;
        all.restitution = std::max(all.restitution, shape.restitution);
        all.rolling = std::max(all.rolling, shape.rolling);
    }
    return all;
}

void set_surface(btCollisionObject &object, const dpl_solver_body &body)
{
    surface all = surface_of(body);
    object.setFriction(all.friction);
    object.setRestitution(all.restitution);
    object.setRollingFriction(all.rolling);
    if (!all.is_one) {
        object.setCollisionFlags(object.getCollisionFlags() |
                                 btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
    }
    /* Contacts that are still to come would take away the speed with which a body rebounds.
     * Friction needs them. */
    if (all.restitution > 0) {
        object.setContactProcessingThreshold(0);
    }
}

void store_rigid(dpl_solver &w, body &made, const dpl_solver_body &from)
{
    bool is_static = from.kind == DPL_SOLVER_STATIC;
    btRigidBody::btRigidBodyConstructionInfo info(is_static ? 0 : from.mass, nullptr, made.shape,
                                                  made.moments);
    if (from.kind == DPL_SOLVER_CHASSIS) {
        made.shape->calculateLocalInertia(from.mass, info.m_localInertia);
    }
    info.m_startWorldTransform = made.start * made.centre;
    made.rigid = new btRigidBody(info);
    made.rigid->setDamping(0, 0);
    made.rigid->setFlags(0);
    set_surface(*made.rigid, from);
    made.rigid->setUserIndex(static_cast<int>(w.bodies.size()));
    if (!is_static) {
        made.rigid->setActivationState(DISABLE_DEACTIVATION);
        btVector3 arm = made.start.getBasis() * made.centre.getOrigin();
        made.rigid->setLinearVelocity(made.start_velocity + made.start_angular.cross(arm));
        made.rigid->setAngularVelocity(made.start_angular);
        const btMatrix3x3 &turn = info.m_startWorldTransform.getBasis();
        made.momentum = turn.scaled(made.moments) * turn.transpose() * made.start_angular;
    }
}

} // namespace

int store_body(dpl_solver &w, const dpl_solver_body &from)
{
    body made{};
    made.kind = from.kind;
    made.centre = transform_of(from.centre);
    if (from.kind == DPL_SOLVER_STATIC && from.n_shapes > 0) {
        made.centre = transform_of(from.shapes[0].pose); /* without a mass any frame is good */
    }
    made.mass = from.mass;
    made.n_belts = from.belts;
    made.takes_load = from.load_at != nullptr;
    made.load_at = from.load_at ? vector_from(from.load_at) : btVector3(0, 0, 0);
    made.moments = vector_from(from.moments);
    made.start = transform_of(from.pose);
    made.start_velocity = vector_from(from.velocity);
    made.start_angular = vector_from(from.angular);
    made.off_ground = from.off_ground;
    made.no_wheels = from.no_wheels;
    made.shape = make_shapes(from, made.centre);
    if (from.kind != DPL_SOLVER_JOINTED) {
        store_rigid(w, made, from);
    } else {
        /* Keeps its surface until there is a tree. */
        auto *holder = new btMultiBodyLinkCollider(nullptr, -1);
        holder->setCollisionShape(made.shape);
        set_surface(*holder, from);
        holder->setUserIndex(static_cast<int>(w.bodies.size()));
        made.collider = holder;
    }
    w.bodies.push_back(made);
    return static_cast<int>(w.bodies.size() - 1);
}

/* ---- trees ---- */

namespace
{

/* A link or base of a tree, as Bullet wants it. */
struct node {
    double mass = 0;
    btVector3 moments{0, 0, 0};
    btTransform centre = btTransform::getIdentity();
};

node node_of(const dpl_solver &w, int number)
{
    node made;
    if (number >= 0) {
        const body &from = w.bodies[at(number)];
        made.mass = from.mass;
        made.moments = from.moments;
        made.centre = from.centre;
    }
    return made;
}

/* Bullet describes a joint by frames at centres of mass; turns take vectors of the parent to the
 * child. */
void set_link(btMultiBody &tree, int i, const dpl_solver_link &link, const node &parent,
              const node &own)
{
    btTransform in_parent = parent.centre.inverse() * transform_of(link.in_parent);
    btTransform in_own = own.centre.inverse() * transform_of(link.in_own);
    btTransform at_zero = link.kind == DPL_SOLVER_BALL
                              ? parent.centre.inverse() * transform_of(link.at_start) * own.centre
                              : in_parent * in_own.inverse();
    btQuaternion turn = at_zero.getRotation().inverse();
    btVector3 axis = in_own.getBasis().getColumn(2), to_joint = in_parent.getOrigin();
    btVector3 to_centre = -in_own.getOrigin();
    switch (link.kind) {
    case DPL_SOLVER_FIXED:
        tree.setupFixed(i, own.mass, own.moments, link.parent, turn, to_joint, to_centre);
        break;
    case DPL_SOLVER_TURN:
        tree.setupRevolute(i, own.mass, own.moments, link.parent, turn, axis, to_joint, to_centre);
        break;
    case DPL_SOLVER_TRAVEL:
        tree.setupPrismatic(i, own.mass, own.moments, link.parent, turn, axis, to_joint, to_centre,
                            false);
        break;
    case DPL_SOLVER_BALL:
        tree.setupSpherical(i, own.mass, own.moments, link.parent, turn, to_joint, to_centre);
        break;
    }
}

void set_tree(btMultiBody &tree)
{
    tree.setLinearDamping(0);
    tree.setAngularDamping(0);
    tree.setMaxCoordinateVelocity(no_limit);
    tree.setMaxAppliedImpulse(no_limit);
    tree.setHasSelfCollision(true); /* of pairs that the filter lets */
    tree.setCanSleep(false);
}

/* Puts a member of a tree at its place. */
void store_member(dpl_solver &w, tree &made, int number, int link)
{
    body &member = w.bodies[at(number)];
    member.tree = &made;
    member.link = link;
    auto *collider = new btMultiBodyLinkCollider(made.body, link);
    collider->setCollisionShape(member.shape);
    collider->setFriction(member.collider->getFriction());
    collider->setRestitution(member.collider->getRestitution());
    collider->setRollingFriction(member.collider->getRollingFriction());
    collider->setCollisionFlags(member.collider->getCollisionFlags());
    collider->setContactProcessingThreshold(member.collider->getContactProcessingThreshold());
    collider->setUserIndex(number);
    collider->setActivationState(DISABLE_DEACTIVATION);
    collider->setWorldTransform(made.world[link + 1]);
    member.collider = collider;
    if (link < 0) {
        made.body->setBaseCollider(collider);
    } else {
        made.body->getLink(link).m_collider = collider;
    }
}

/* A load is a link of its own at the end of the tree, so that its mass can change: that of a body
 * moves with its centre of mass. */
void add_load(dpl_solver &w, int number, int link, list<dpl_solver_link> &inout_links)
{
    if (number < 0 || !w.bodies[at(number)].takes_load) {
        return;
    }
    body &carrier = w.bodies[at(number)];
    dpl_solver_link load{};
    load.kind = DPL_SOLVER_FIXED;
    load.parent = link;
    load.body = -1;
    load.in_parent.turn[0] = load.in_own.turn[0] = 1;
    for (int i = 0; i < 3; i++) {
        load.in_parent.position[i] = carrier.load_at[i];
    }
    carrier.load_link = static_cast<int>(inout_links.size());
    inout_links.push_back(load);
}

/* Hangs on the base, and moves level: gravity does not move it. */
dpl_solver_link level_link()
{
    dpl_solver_link level{};
    level.kind = DPL_SOLVER_TRAVEL;
    level.parent = level.body = -1;
    level.in_parent.turn[0] = level.in_own.turn[0] = std::sqrt(0.5);
    level.in_parent.turn[2] = level.in_own.turn[2] = std::sqrt(0.5); /* z is along y */
    return level;
}

/* Links on the base that move level, so that nothing acts on them but the rows of belts. */
void add_belts(dpl_solver &w, int number, list<dpl_solver_link> &inout_links)
{
    if (number < 0) {
        return;
    }
    body &holder = w.bodies[at(number)];
    holder.first_belt_link = static_cast<int>(inout_links.size());
    for (int i = 0; i < holder.n_belts; i++) {
        inout_links.push_back(level_link());
    }
}

void add_loads(dpl_solver &w, int base, list<dpl_solver_link> &inout_links)
{
    size_t n = inout_links.size();
    add_load(w, base, -1, inout_links);
    for (size_t i = 0; i < n; i++) {
        add_load(w, inout_links[i].body, static_cast<int>(i), inout_links);
        add_belts(w, inout_links[i].body, inout_links);
    }
}

} // namespace

int store_tree(dpl_solver &w, int base, const dpl_solver_link *given, size_t count)
{
    list<dpl_solver_link> links(given, given + count);
    add_loads(w, base, links);
    int n = static_cast<int>(links.size());
    node root = node_of(w, base);
    auto *made = new tree();
    made->body = new btMultiBody(n, root.mass, root.moments, base < 0, false);
    list<node> nodes(1, root);
    set_tree(*made->body);
    for (int i = 0; i < n; i++) {
        nodes.push_back(node_of(w, links[i].body));
        set_link(*made->body, i, links[i], nodes[at(links[i].parent + 1)], nodes.back());
    }
    made->body->finalizeMultiDof();
    for (int i = 0; i < n; i++) {
        if (links[i].kind == DPL_SOLVER_TURN || links[i].kind == DPL_SOLVER_TRAVEL) {
            made->body->setJointPos(i, links[i].value);
        }
    }
    btTransform place =
        base < 0 ? btTransform::getIdentity() : w.bodies[at(base)].start * root.centre;
    made->body->setBaseWorldTransform(place);
    if (base >= 0) {
        const body &from = w.bodies[at(base)];
        btVector3 arm = from.start.getBasis() * from.centre.getOrigin();
        made->body->setBaseVel(from.start_velocity + from.start_angular.cross(arm));
        made->body->setBaseOmega(from.start_angular);
    }
    made->world.resize(n + 1, btTransform::getIdentity());
    made->linear.resize(n + 1, btVector3(0, 0, 0));
    made->angular.resize(n + 1, btVector3(0, 0, 0));
    made->update();
    made->before.resize(6 + made->body->getNumDofs(), 0);
    made->lean.resize(6 + made->body->getNumDofs(), 0);
    made->body->setUserPointer(made);
    if (base >= 0) {
        store_member(w, *made, base, -1);
    }
    for (int i = 0; i < n; i++) {
        if (links[i].body >= 0) {
            store_member(w, *made, links[i].body, i);
        }
    }
    w.trees.push_back(made);
    return static_cast<int>(w.trees.size() - 1);
}

dpl_solver_rows::end end_of(const dpl_solver &w, int number, const dpl_solver_pose &frame)
{
    dpl_solver_rows::end made;
    made.frame = transform_of(frame);
    if (number >= 0) {
        const body &from = w.bodies[at(number)];
        made.tree = from.tree;
        made.link = from.link;
        made.frame = from.centre.inverse() * made.frame;
    }
    return made;
}

} // namespace dpl_solver_parts
