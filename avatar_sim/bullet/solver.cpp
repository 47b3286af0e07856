/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies and joints in Bullet: see solver.h. Settings follow from measurement (decision 0061). */
#include "solver.h"

#include <algorithm>
#include <cerrno>

#include "solver_world.h"

using namespace dpl_bullet_memory;
using namespace dpl_solver_parts;
using dpl_solver_rows::end;
using dpl_solver_rows::freedom;
using dpl_solver_rows::gear;
using dpl_solver_rows::loop;
using dpl_solver_rows::mimic;
using dpl_solver_rows::tree;

namespace
{

/* Shares of an error that a step takes away. */
constexpr double joint_share = 0.8, contact_share = 0.2;
constexpr double no_limit = 1e9; /* of speeds, rad/s or m/s */
constexpr size_t pairs_a_body = 16;

btVector3 vector_from(const double v[3])
{
    return btVector3(v[0], v[1], v[2]);
}

size_t at(int number)
{
    return static_cast<size_t>(number);
}

btDefaultCollisionConstructionInfo pools_for(size_t bodies)
{
    btDefaultCollisionConstructionInfo info;
    int pairs = static_cast<int>(pairs_a_body * (bodies + 1));
    info.m_defaultMaxPersistentManifoldPoolSize = pairs;
    info.m_defaultMaxCollisionAlgorithmPoolSize = pairs;
    return info;
}

dpl_solver *make_world(dpl_heap *heap, const dpl_solver_settings &settings)
{
    auto *w = new dpl_solver(heap, pools_for(settings.bodies));
    w->bodies.reserve(settings.bodies);
    w->world.setGravity(btVector3(0, 0, -settings.gravity));
    w->world.setForceUpdateAllAabbs(false);
    w->broadphase.getOverlappingPairCache()->setOverlapFilterCallback(&w->filter);
    btContactSolverInfo &info = w->world.getSolverInfo();
    info.m_numIterations = settings.iterations;
    /* One direction of friction: with two, a box on a slope loses 1 % of its way. */
    info.m_solverMode = SOLVER_USE_WARMSTARTING;
    info.m_warmstartingFactor =
        1; /* a stack of ten boxes stands, where 0.85 moves it 4 cm in 5 s */
    info.m_erp = joint_share;
    info.m_erp2 = contact_share;
    info.m_globalCfm = 0;
    /* A push out of a contact gives no speed, and every rebound counts. */
    info.m_splitImpulse = true;
    info.m_splitImpulsePenetrationThreshold = 0;
    info.m_restitutionVelocityThreshold = 0;
    info.m_minimumSolverBatchSize = 1; /* an island is solved by itself */
    return w;
}

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

int mask_of(const body &moving)
{
    return GROUP_STATIC | GROUP_MOVING | (moving.off_ground ? 0 : GROUP_GROUND);
}

bool has_shape(const btCollisionShape *shape)
{
    return shape->getShapeType() != EMPTY_SHAPE_PROXYTYPE;
}

void store_rigid(dpl_solver &w, body &made, const dpl_solver_body &from)
{
    bool is_static = from.kind == DPL_SOLVER_STATIC;
    btRigidBody::btRigidBodyConstructionInfo info(is_static ? 0 : from.mass, nullptr, made.shape,
                                                  made.moments);
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

int store_body(dpl_solver &w, const dpl_solver_body &from)
{
    body made{};
    made.kind = from.kind;
    made.centre = transform_of(from.centre);
    if (from.kind == DPL_SOLVER_STATIC && from.n_shapes > 0) {
        made.centre = transform_of(from.shapes[0].pose); /* without a mass any frame is good */
    }
    made.mass = from.mass;
    made.moments = vector_from(from.moments);
    made.start = transform_of(from.pose);
    made.start_velocity = vector_from(from.velocity);
    made.start_angular = vector_from(from.angular);
    made.off_ground = from.off_ground;
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

int store_tree(dpl_solver &w, int base, const dpl_solver_link *links, size_t count)
{
    int n = static_cast<int>(count);
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

end end_of(const dpl_solver &w, int number, const dpl_solver_pose &frame)
{
    end made;
    made.frame = transform_of(frame);
    if (number >= 0) {
        const body &from = w.bodies[at(number)];
        made.tree = from.tree;
        made.link = from.link;
        made.frame = from.centre.inverse() * made.frame;
    }
    return made;
}

int store_freedom(dpl_solver &w, freedom *made)
{
    w.freedoms.push_back(made);
    return static_cast<int>(w.freedoms.size() - 1);
}

/* What is to be added to Bullet's world only once all pairs that are kept apart are known. */
void add_all(dpl_solver &w)
{
    std::sort(w.filter.apart.begin(), w.filter.apart.end());
    for (body &one : w.bodies) {
        bool is_plane = one.kind == DPL_SOLVER_STATIC;
        int group = one.is_ground ? GROUP_GROUND : is_plane ? GROUP_STATIC : GROUP_MOVING;
        int mask = is_plane ? GROUP_MOVING : mask_of(one);
        if (!has_shape(one.shape)) {
            group = mask = GROUP_NONE;
        }
        if (one.rigid) {
            w.world.addRigidBody(one.rigid, group, mask);
        } else {
            w.world.addCollisionObject(one.collider, group, mask);
        }
    }
    for (tree *one : w.trees) {
        w.world.addMultiBody(one->body);
    }
    for (loop *one : w.loops) {
        w.world.addMultiBodyConstraint(one);
    }
    for (gear *one : w.gears) {
        w.world.addMultiBodyConstraint(one);
    }
    for (freedom *one : w.freedoms) {
        w.world.addMultiBodyConstraint(one);
    }
    for (mimic *one : w.mimics) {
        w.world.addMultiBodyConstraint(one);
    }
}

void step(dpl_solver &w, double dt)
{
    for (freedom *one : w.freedoms) {
        one->push();
    }
    for (const rope &one : w.ropes) {
        pull_rope(w.bodies, one);
    }
    for (body &one : w.bodies) {
        if (one.kind == DPL_SOLVER_FREE) {
            carry_before(one, dt);
        }
    }
    w.world.stepSimulation(dt, 0);
    for (body &one : w.bodies) {
        if (one.kind == DPL_SOLVER_FREE) {
            carry_after(one);
        }
    }
    for (tree *one : w.trees) {
        one->update();
    }
    for (loop *one : w.loops) {
        one->measure(dt);
    }
    for (gear *one : w.gears) {
        one->measure(dt);
    }
    for (freedom *one : w.freedoms) {
        one->measure();
        one->command = {};
    }
}

} // namespace

struct dpl_solver *dpl__solver_create(struct dpl_heap *heap,
                                      const struct dpl_solver_settings *settings)
{
    install_callbacks();
    at_work here(heap);
    try {
        return make_world(heap, *settings);
    } catch (...) {
        return nullptr;
    }
}

int dpl__solver_add_ground(struct dpl_solver *solver, double friction)
{
    dpl_solver_shape plane{};
    plane.kind = DPL_SOLVER_PLANE;
    plane.pose.turn[0] = 1;
    plane.friction = friction;
    dpl_solver_body ground{};
    ground.kind = DPL_SOLVER_STATIC;
    ground.pose.turn[0] = ground.centre.turn[0] = 1;
    ground.shapes = &plane;
    ground.n_shapes = 1;
    int number = dpl__solver_add_body(solver, &ground);
    if (number >= 0) {
        solver->bodies[at(number)].is_ground = true;
    }
    return number;
}

int dpl__solver_add_body(struct dpl_solver *solver, const struct dpl_solver_body *body)
{
    return build(solver->heap, [&] { return store_body(*solver, *body); });
}

int dpl__solver_add_tree(struct dpl_solver *solver, int base_body,
                         const struct dpl_solver_link *links, size_t n)
{
    return build(solver->heap, [&] { return store_tree(*solver, base_body, links, n); });
}

int dpl__solver_add_loop(struct dpl_solver *solver, const struct dpl_solver_loop *what)
{
    return build(solver->heap, [&] {
        end a = end_of(*solver, what->a, what->in_a), b = end_of(*solver, what->b, what->in_b);
        solver->loops.push_back(new loop(a, b, *what));
        return static_cast<int>(solver->loops.size() - 1);
    });
}

int dpl__solver_add_gear(struct dpl_solver *solver, const struct dpl_solver_gear *what)
{
    return build(solver->heap, [&] {
        end a = end_of(*solver, what->a, what->in_a), b = end_of(*solver, what->b, what->in_b);
        solver->gears.push_back(new gear(a, b, what->ratio));
        return static_cast<int>(solver->gears.size() - 1);
    });
}

int dpl__solver_add_rope(struct dpl_solver *solver, const struct dpl_solver_rope *what)
{
    return build(solver->heap, [&] {
        solver->ropes.push_back({what->a, what->b, vector_from(what->in_a), vector_from(what->in_b),
                                 what->stiffness, what->damping, what->length, what->tension_only});
        return static_cast<int>(solver->ropes.size() - 1);
    });
}

int dpl__solver_keep_apart(struct dpl_solver *solver, int a, int b)
{
    return build(solver->heap, [&] {
        solver->filter.apart.push_back(std::make_pair(std::min(a, b), std::max(a, b)));
        return 0;
    });
}

int dpl__solver_add_freedom(struct dpl_solver *solver, int number, int link)
{
    return build(solver->heap, [&] {
        end own;
        own.tree = solver->trees[at(number)];
        own.link = link;
        return store_freedom(*solver, new freedom(own));
    });
}

int dpl__solver_add_loop_freedom(struct dpl_solver *solver, int number, bool is_turn, bool second)
{
    return build(solver->heap, [&] {
        return store_freedom(*solver, new freedom(*solver->loops[at(number)], is_turn, second));
    });
}

int dpl__solver_add_mimic(struct dpl_solver *solver, const struct dpl_solver_mimic *what)
{
    return build(solver->heap, [&] {
        end leader = solver->freedoms[at(what->leader)]->link();
        end follower = solver->freedoms[at(what->follower)]->link();
        if (!leader.tree || !follower.tree) {
            return -EINVAL;
        }
        solver->mimics.push_back(new mimic(leader, follower, what->ratio, what->offset));
        return static_cast<int>(solver->mimics.size() - 1);
    });
}

void dpl__solver_limit(struct dpl_solver *solver, int number, double lower, double upper)
{
    freedom &one = *solver->freedoms[at(number)];
    one.has_limits = true;
    one.lower = lower;
    one.upper = upper;
}

int dpl__solver_ready(struct dpl_solver *solver)
{
    return build(solver->heap, [&] {
        add_all(*solver);
        return 0;
    });
}

void dpl__solver_command(struct dpl_solver *solver, int number,
                         const struct dpl_solver_command *command)
{
    solver->freedoms[at(number)]->command = *command;
}

void dpl__solver_step(struct dpl_solver *solver, double dt)
{
    advance(solver->heap, [&] {
        step(*solver, dt);
        return 0;
    });
}

void dpl__solver_value(const struct dpl_solver *solver, int number,
                       struct dpl_solver_value *ret_value)
{
    *ret_value = solver->freedoms[at(number)]->value;
}

void dpl__solver_state(const struct dpl_solver *solver, int number,
                       struct dpl_solver_state *ret_state)
{
    const body &one = solver->bodies[at(number)];
    btTransform centre = one.tree ? one.tree->world[one.link + 1] : one.rigid->getWorldTransform();
    btVector3 linear = one.tree ? one.tree->linear[one.link + 1] : one.rigid->getLinearVelocity();
    btVector3 angular =
        one.tree ? one.tree->angular[one.link + 1] : one.rigid->getAngularVelocity();
    btTransform frame = centre * one.centre.inverse();
    btVector3 velocity = linear + angular.cross(frame.getOrigin() - centre.getOrigin());
    for (int i = 0; i < 3; i++) {
        ret_state->position[i] = frame.getOrigin()[i];
        ret_state->velocity[i] = velocity[i];
        ret_state->angular[i] = angular[i];
        for (int k = 0; k < 3; k++) {
            ret_state->rotation[i][k] = frame.getBasis()[i][k];
        }
    }
}

void dpl__solver_contacts(const struct dpl_solver *solver, double gap,
                          void (*take)(void *user, const struct dpl_solver_contact *contact),
                          void *user)
{
    for (int i = 0; i < solver->dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold *manifold = solver->dispatcher.getManifoldByIndexInternal(i);
        int x = manifold->getBody0()->getUserIndex();
        int y = manifold->getBody1()->getUserIndex();
        for (int k = 0; k < manifold->getNumContacts(); k++) {
            const btManifoldPoint &point = manifold->getContactPoint(k);
            if (point.getDistance() <= gap) {
                const btVector3 &where = point.getPositionWorldOnA();
                dpl_solver_contact contact{
                    std::min(x, y), std::max(x, y), {where.x(), where.y(), where.z()}};
                take(user, &contact);
            }
        }
    }
}
