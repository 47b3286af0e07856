/* SPDX-License-Identifier: Apache-2.0 */
/* See solver_touch.h. */
#include "solver_touch.h"

#include <algorithm>
#include <cmath>

#include "solver_distance.h"
#include "solver_world.h"

using dpl_bullet_memory::at_work;
using dpl_bullet_memory::build;
using namespace dpl_solver_parts;

struct dpl_solver_probe {
    BT_DECLARE_ALIGNED_ALLOCATOR();
    btConvexShape *shape = nullptr;
    list<round_point> points;
    double rim = 0, rim_height = 0; /* m: of a cylinder */
    double reach = 0;               /* m: how deep its points may be in meshes and fields */
};

namespace
{

/* Corners of a box, points of a hull with its margin round them, ends of a capsule. */
void add_points(const btCollisionShape &shape, list<round_point> &points)
{
    switch (shape.getShapeType()) {
    case BOX_SHAPE_PROXYTYPE: {
        const auto &box = static_cast<const btBoxShape &>(shape);
        for (int i = 0; i < box.getNumVertices(); i++) {
            btVector3 corner;
            box.getVertex(i, corner);
            points.push_back({corner, 0});
        }
        break;
    }
    case CONVEX_HULL_SHAPE_PROXYTYPE: {
        const auto &hull = static_cast<const btConvexHullShape &>(shape);
        for (int i = 0; i < hull.getNumPoints(); i++) {
            points.push_back({hull.getScaledPoint(i), hull.getMargin()});
        }
        break;
    }
    case SPHERE_SHAPE_PROXYTYPE:
        points.push_back(
            {btVector3(0, 0, 0), static_cast<const btSphereShape &>(shape).getRadius()});
        break;
    case CAPSULE_SHAPE_PROXYTYPE: {
        const auto &capsule = static_cast<const btCapsuleShape &>(shape);
        for (int side = -1; side <= 1; side += 2) {
            points.push_back(
                {btVector3(0, 0, side * capsule.getHalfHeight()), capsule.getRadius()});
        }
        break;
    }
    default: break;
    }
}

dpl_solver_probe *make_probe(const dpl_solver_shape &from)
{
    auto *probe = new dpl_solver_probe();
    probe->shape = static_cast<btConvexShape *>(make_solid(from));
    add_points(*probe->shape, probe->points);
    btVector3 low, high;
    probe->shape->getAabb(btTransform::getIdentity(), low, high);
    btVector3 size = high - low;
    probe->reach = size[size.minAxis()] / 2;
    if (from.kind == DPL_SOLVER_CYLINDER) {
        probe->rim = from.size[0];
        probe->rim_height = from.size[2] / 2;
    }
    return probe;
}

/* ---- the scene ---- */

void add_still(dpl_solver &w, int number, const btCollisionShape &shape, const btTransform &place)
{
    still made{&shape, place, {}, {}, number, 1, {}};
    shape.getAabb(place, made.low, made.high);
    const auto *surface = static_cast<const dpl_bullet_memory::material *>(shape.getUserPointer());
    made.friction = surface ? surface->friction : 1;
    int type = shape.getShapeType();
    if (type == BOX_SHAPE_PROXYTYPE || type == CONVEX_HULL_SHAPE_PROXYTYPE) {
        add_points(shape, made.points);
    }
    w.scene.push_back(made);
}

void add_still_body(dpl_solver &w, int number)
{
    const body &one = w.bodies[at(number)];
    const btTransform &place = one.rigid->getWorldTransform();
    if (one.shape->getShapeType() == EMPTY_SHAPE_PROXYTYPE) {
        return;
    }
    if (!one.shape->isCompound()) {
        add_still(w, number, *one.shape, place);
        return;
    }
    const auto &all = *static_cast<const btCompoundShape *>(one.shape);
    for (int i = 0; i < all.getNumChildShapes(); i++) {
        add_still(w, number, *all.getChildShape(i), place * all.getChildTransform(i));
    }
}

/* ---- one probe and one thing that stands still ---- */

struct meeting {
    const dpl_solver_probe &probe;
    const still &thing;
    btTransform place;    /* of the probe */
    btTransform in_thing; /* of the probe */
    double deepest = 0;   /* so far */
    void (*visit)(void *user, const dpl_solver_touch *touch);
    void *user;
};

void report_touch(meeting &of, double depth, const btVector3 &normal, const btVector3 &point)
{
    dpl_solver_touch touch{};
    touch.body = of.thing.body;
    touch.friction = of.thing.friction;
    touch.depth = depth;
    for (int i = 0; i < 3; i++) {
        touch.normal[i] = normal[i];
        touch.point[i] = point[i];
    }
    of.visit(of.user, &touch);
}

/* A point of the probe, in its frame. */
void meet_point(meeting &of, const round_point &point)
{
    gap found;
    if (!distance_to(*of.thing.shape, of.in_thing * point.at, of.probe.reach + point.radius,
                     found)) {
        return;
    }
    double depth = point.radius - found.distance;
    if (depth > 0) {
        report_touch(of, depth, of.thing.place.getBasis() * found.normal,
                     of.thing.place * found.on_surface);
        of.deepest = std::max(of.deepest, depth);
    }
}

/* Four points of a rim: the deepest one, and those around it. They bear as the whole rim does when
 * it lies flat, wherever the first one is. */
void meet_rim(meeting &of, double height)
{
    gap found;
    btVector3 centre(0, 0, height);
    double rim = of.probe.rim;
    if (!distance_to(*of.thing.shape, of.in_thing * centre, of.probe.reach + rim, found) ||
        found.distance > rim) {
        return;
    }
    btVector3 down = -(found.normal * of.in_thing.getBasis());
    double length = std::hypot(down.x(), down.y());
    btVector3 first =
        length > 1e-9 ? btVector3(down.x(), down.y(), 0) / length : btVector3(1, 0, 0);
    btVector3 second(-first.y(), first.x(), 0);
    meet_point(of, {centre + rim * first, 0});
    meet_point(of, {centre + rim * second, 0});
    meet_point(of, {centre - rim * first, 0});
    meet_point(of, {centre - rim * second, 0});
}

/* A corner of what stands still. */
void meet_corner(meeting &of, const round_point &corner)
{
    gap found;
    btVector3 place = of.thing.place * corner.at;
    if (!distance_to(*of.probe.shape, of.place.invXform(place), of.probe.reach, found)) {
        return;
    }
    double depth = corner.radius - found.distance;
    if (depth > 0) {
        btVector3 normal = -(of.place.getBasis() * found.normal);
        report_touch(of, depth, normal, place + corner.radius * normal);
        of.deepest = std::max(of.deepest, depth);
    }
}

/* The deepest point of all, where those before leave something over. */
void meet_deepest(meeting &of)
{
    constexpr double least = 1e-8; /* m: less is rounding of the search */
    gap found;
    if (!of.thing.shape->isConvex() || of.probe.shape->getShapeType() == SPHERE_SHAPE_PROXYTYPE ||
        !convex_distance(*of.probe.shape, of.place,
                         *static_cast<const btConvexShape *>(of.thing.shape), of.thing.place,
                         found)) {
        return;
    }
    double depth = -found.distance - of.deepest;
    if (depth > least) {
        report_touch(of, depth, found.normal, found.on_surface);
    }
}

void meet(meeting &of)
{
    for (const round_point &point : of.probe.points) {
        meet_point(of, point);
    }
    if (of.probe.rim > 0) {
        meet_rim(of, of.probe.rim_height);
        meet_rim(of, -of.probe.rim_height);
    }
    if (of.probe.shape->getShapeType() != SPHERE_SHAPE_PROXYTYPE) {
        for (const round_point &corner : of.thing.points) {
            meet_corner(of, corner);
        }
    }
    meet_deepest(of);
}

} // namespace

struct dpl_solver_probe *dpl__solver_probe(struct dpl_solver *solver,
                                           const struct dpl_solver_shape *shape)
{
    dpl_solver_probe *made = nullptr;
    build(solver->heap, [&] {
        made = make_probe(*shape);
        return 0;
    });
    return made;
}

int dpl__solver_set_scene(struct dpl_solver *solver)
{
    return build(solver->heap, [&] {
        solver->scene.clear();
        for (size_t i = 0; i < solver->bodies.size(); i++) {
            if (solver->bodies[i].kind == DPL_SOLVER_STATIC) {
                add_still_body(*solver, static_cast<int>(i));
            }
        }
        return 0;
    });
}

void dpl__solver_touches(struct dpl_solver *solver, const struct dpl_solver_probe *probe,
                         const double position[3], const double rotation[9],
                         void (*visit)(void *user, const struct dpl_solver_touch *touch),
                         void *user)
{
    at_work here(solver->heap);
    btTransform place(btMatrix3x3(rotation[0], rotation[1], rotation[2], rotation[3], rotation[4],
                                  rotation[5], rotation[6], rotation[7], rotation[8]),
                      vector_from(position));
    btVector3 low, high;
    probe->shape->getAabb(place, low, high);
    for (const still &thing : solver->scene) {
        if (!TestAabbAgainstAabb2(low, high, thing.low, thing.high)) {
            continue;
        }
        meeting of{*probe, thing, place, thing.place.inverseTimes(place), 0, visit, user};
        meet(of);
    }
}
