/* SPDX-License-Identifier: Apache-2.0 */
/* How bodies and joints come to be in Bullet: see solver.h. Settings follow from measurement
 * (docs/design/rigid-bodies.md). */
#include "solver.h"

#include <algorithm>
#include <cerrno>

#include "solver_world.h"

using namespace dpl_bullet_memory;
using namespace dpl_solver_parts;
using dpl_solver_rows::belt;
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
constexpr size_t pairs_a_body = 16;

/* Memory for what Bullet keeps of each pair of near bodies. What these pools cannot give comes from
 * the heap all the same, so they are small: an empty world's snapshot is as large as they are. */
btDefaultCollisionConstructionInfo pools_for(size_t moving)
{
    btDefaultCollisionConstructionInfo info;
    int pairs = static_cast<int>(pairs_a_body * (moving + 1));
    info.m_defaultMaxPersistentManifoldPoolSize = pairs;
    info.m_defaultMaxCollisionAlgorithmPoolSize = pairs;
    return info;
}

void set_for_mechanisms(btContactSolverInfo &info)
{
    /* One direction of friction, against the motion: with two, a box on a slope loses 1 % of its
     * way. Trees and bases on wheels have two (solver_step.cpp). */
    info.m_solverMode = SOLVER_USE_WARMSTARTING;
    info.m_erp = joint_share;
    info.m_erp2 = contact_share;
    info.m_globalCfm = 0;
    /* A push out of a contact gives no speed, and every rebound counts. */
    info.m_splitImpulse = true;
    info.m_splitImpulsePenetrationThreshold = 0;
    info.m_restitutionVelocityThreshold = 0;
    info.m_minimumSolverBatchSize = 1; /* an island is solved by itself */
}

dpl_solver *make_world(dpl_heap *heap, const dpl_solver_settings &settings)
{
    auto *w = new dpl_solver(heap, pools_for(settings.moving));
    w->bodies.reserve(settings.bodies);
    w->wheels.reserve(settings.wheels);
    w->world.setGravity(btVector3(0, 0, -settings.gravity));
    w->world.setForceUpdateAllAabbs(false);
    w->broadphase.getOverlappingPairCache()->setOverlapFilterCallback(&w->filter);
    btContactSolverInfo &info = w->world.getSolverInfo();
    info.m_numIterations = settings.iterations;
    /* A stack of ten boxes stands, where 0.85 moves it 4 cm in 5 s; the creep of a base at rest is
     * 0.015 mm/s in place of 0.16. */
    info.m_warmstartingFactor = 1;
    if (settings.for_bases) {
        /* With two directions the error of an arc's odometry is 0.001 mm in place of 0.8. */
        info.m_solverMode = SOLVER_USE_WARMSTARTING | SOLVER_USE_2_FRICTION_DIRECTIONS;
    } else {
        set_for_mechanisms(info);
    }
    return w;
}

int store_freedom(dpl_solver &w, freedom *made)
{
    w.freedoms.push_back(made);
    return static_cast<int>(w.freedoms.size() - 1);
}

/* What a body is to others, and what it touches. */
struct filter_bits {
    int group, mask;
};

filter_bits filter_of(const body &one)
{
    constexpr int wheels = GROUP_CHASSIS | GROUP_WHEEL;
    if (one.shape->getShapeType() == EMPTY_SHAPE_PROXYTYPE) {
        return {GROUP_NONE, GROUP_NONE};
    }
    if (one.is_ground) {
        return {GROUP_GROUND, GROUP_MOVING | wheels};
    }
    int ground = one.off_ground ? 0 : GROUP_GROUND;
    switch (one.kind) {
    case DPL_SOLVER_STATIC:
        return one.no_wheels ? filter_bits{GROUP_STATIC, GROUP_MOVING | GROUP_CHASSIS}
                             : filter_bits{GROUP_FLOOR, GROUP_MOVING | wheels};
    case DPL_SOLVER_CHASSIS:
        return {GROUP_CHASSIS,
                GROUP_GROUND | GROUP_STATIC | GROUP_FLOOR | GROUP_MOVING | GROUP_CHASSIS};
    case DPL_SOLVER_FREE:
    case DPL_SOLVER_JOINTED: break;
    }
    return {GROUP_MOVING, ground | GROUP_STATIC | GROUP_FLOOR | GROUP_MOVING | wheels};
}

void add_body(dpl_solver &w, body &one)
{
    filter_bits bits = filter_of(one);
    if (one.rigid) {
        w.world.addRigidBody(one.rigid, bits.group, bits.mask);
    } else {
        w.world.addCollisionObject(one.collider, bits.group, bits.mask);
    }
}

void add_wheel(dpl_solver &w, wheel &one)
{
    w.world.addRigidBody(one.rigid, GROUP_WHEEL, GROUP_GROUND | GROUP_FLOOR | GROUP_MOVING);
    w.world.addConstraint(one.hinge, true);
}

template <typename T, typename F> void add_new(list<T> &of, size_t &inout_n, F add)
{
    for (; inout_n < of.size(); inout_n++) {
        add(of[inout_n]);
    }
}

/* What is to be added to Bullet's world only once all pairs that are kept apart are known. */
void add_all(dpl_solver &w)
{
    std::sort(w.filter.apart.begin(), w.filter.apart.end());
    auto add_rows = [&](btMultiBodyConstraint *rows) { w.world.addMultiBodyConstraint(rows); };
    add_new(w.bodies, w.added.bodies, [&](body &one) { add_body(w, one); });
    add_new(w.wheels, w.added.wheels, [&](wheel &one) { add_wheel(w, one); });
    add_new(w.trees, w.added.trees, [&](tree *one) { w.world.addMultiBody(one->body); });
    add_new(w.loops, w.added.loops, add_rows);
    add_new(w.gears, w.added.gears, add_rows);
    add_new(w.belts, w.added.belts, [&](belt *one) {
        if (!one->is_explicit()) {
            add_rows(one);
        }
    });
    add_new(w.freedoms, w.added.freedoms, add_rows);
    add_new(w.mimics, w.added.mimics, add_rows);
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

int dpl__solver_add_belt(struct dpl_solver *solver, const struct dpl_solver_belt *what)
{
    return build(solver->heap, [&] { return store_belt(*solver, *what); });
}

int dpl__solver_add_rope(struct dpl_solver *solver, const struct dpl_solver_rope *what)
{
    return build(solver->heap, [&] { return store_rope(*solver, *what); });
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
