/* SPDX-License-Identifier: Apache-2.0 */
/* See solver_distance.h. */
#include "solver_distance.h"

#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <algorithm>
#include <cmath>

namespace dpl_solver_parts
{

namespace
{

void set(gap &ret, double distance, const btVector3 &normal, const btVector3 &point)
{
    ret.distance = distance;
    ret.normal = normal;
    ret.on_surface = point - distance * normal;
}

/* ---- shapes in closed form ---- */

void from_point(const btVector3 &point, const btVector3 &centre, double radius, gap &ret)
{
    btVector3 way = point - centre;
    double length = way.length();
    set(ret, length - radius, length > 0 ? way / length : btVector3(0, 0, 1), point);
}

void from_box(const btBoxShape &box, const btVector3 &point, gap &ret)
{
    btVector3 half = box.getHalfExtentsWithMargin(), beyond = point.absolute() - half, normal;
    btVector3 out(std::max(beyond.x(), 0.0), std::max(beyond.y(), 0.0), std::max(beyond.z(), 0.0));
    double length = out.length();
    if (length > 0) {
        normal = out / length;
    } else {
        int axis = beyond.maxAxis();
        normal.setZero();
        normal[axis] = 1;
        length = beyond[axis];
    }
    for (int i = 0; i < 3; i++) {
        normal[i] = std::copysign(normal[i], point[i]);
    }
    set(ret, length, normal, point);
}

void from_capsule(const btCapsuleShape &capsule, const btVector3 &point, gap &ret)
{
    double half = capsule.getHalfHeight();
    btVector3 centre(0, 0, std::min(half, std::max(-half, point.z())));
    from_point(point, centre, capsule.getRadius(), ret);
}

void from_cylinder(const btCylinderShape &cylinder, const btVector3 &point, gap &ret)
{
    btVector3 half = cylinder.getHalfExtentsWithMargin();
    double rho = std::hypot(point.x(), point.y()), beyond = rho - half.x(),
           above = std::fabs(point.z()) - half.z();
    btVector3 radial =
        rho > 0 ? btVector3(point.x() / rho, point.y() / rho, 0) : btVector3(1, 0, 0);
    btVector3 axial(0, 0, std::copysign(1.0, point.z()));
    if (beyond > 0 && above > 0) {
        double length = std::hypot(beyond, above);
        set(ret, length, (beyond * radial + above * axial) / length, point);
    } else if (beyond > above) {
        set(ret, beyond, radial, point);
    } else {
        set(ret, above, axial, point);
    }
}

/* ---- triangles ---- */

/* The nearest point of a triangle (Ericson, Real-Time Collision Detection, 5.1.5). */
btVector3 nearest_of(const btVector3 *t, const btVector3 &p)
{
    btVector3 ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0], bp = p - t[1], cp = p - t[2];
    double d1 = ab.dot(ap), d2 = ac.dot(ap), d3 = ab.dot(bp), d4 = ac.dot(bp), d5 = ab.dot(cp),
           d6 = ac.dot(cp);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0 && d2 <= 0) {
        return t[0];
    }
    if (d3 >= 0 && d4 <= d3) {
        return t[1];
    }
    if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        return t[0] + ab * (d1 / (d1 - d3));
    }
    if (d6 >= 0 && d5 <= d6) {
        return t[2];
    }
    if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        return t[0] + ac * (d2 / (d2 - d6));
    }
    if (va <= 0 && d4 >= d3 && d5 >= d6) {
        return t[1] + (t[2] - t[1]) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    return t[0] + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc));
}

/* The nearest triangle. Of those that share the nearest point the one that faces the point most
 * says on which side it is. */
struct nearest_triangle : public btTriangleCallback {
    btVector3 point, found{0, 0, 0}, normal{0, 0, 1};
    double distance = 0, facing = 0;
    bool is_field = false, is_there = false;

    void processTriangle(btVector3 *triangle, int, int) override
    {
        constexpr double same = 1e-9; /* m */
        btVector3 across = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        if (across.length2() <= 0) {
            return;
        }
        across.normalize();
        if (is_field && across.z() < 0) {
            across = -across;
        }
        btVector3 at = nearest_of(triangle, point);
        double far = (point - at).length(), faces = std::fabs(across.dot(point - at));
        if (!is_there || far < distance - same || (far < distance + same && faces > facing)) {
            is_there = true;
            found = at;
            normal = across;
            distance = far;
            facing = faces;
        }
    }
};

bool from_triangles(const btConcaveShape &shape, const btVector3 &point, double reach, gap &ret)
{
    constexpr double touching = 1e-9; /* m */
    nearest_triangle search;
    btVector3 around(reach, reach, reach);
    search.point = point;
    search.is_field = shape.getShapeType() == TERRAIN_SHAPE_PROXYTYPE;
    shape.processAllTriangles(&search, point - around, point + around);
    if (!search.is_there || search.distance > reach) {
        return false;
    }
    btVector3 way = point - search.found;
    double side = way.dot(search.normal) < 0 ? -1 : 1;
    ret.distance = side * search.distance;
    ret.normal = search.distance > touching ? side * way / search.distance : search.normal;
    ret.on_surface = search.found;
    return true;
}

/* ---- convex shapes ---- */

struct closest : public btDiscreteCollisionDetectorInterface::Result {
    gap found;
    bool is_there = false;

    void setShapeIdentifiersA(int, int) override
    {
    }
    void setShapeIdentifiersB(int, int) override
    {
    }
    void addContactPoint(const btVector3 &normal, const btVector3 &point, btScalar depth) override
    {
        found.distance = depth;
        found.normal = normal;
        found.on_surface = point;
        is_there = true;
    }
};

bool from_convex(const btConvexShape &shape, const btVector3 &point, gap &ret)
{
    constexpr double small = 1e-6; /* m: a sphere in place of the point */
    btSphereShape sphere(small);
    btTransform at(btQuaternion::getIdentity(), point);
    if (!convex_distance(sphere, at, shape, btTransform::getIdentity(), ret)) {
        return false;
    }
    ret.distance += small;
    return true;
}

} // namespace

bool convex_distance(const btConvexShape &a, const btTransform &of_a, const btConvexShape &b,
                     const btTransform &of_b, gap &ret_gap)
{
    constexpr double most = 1; /* m: farther ones are apart */
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver deep;
    btGjkPairDetector detector(&a, &b, &simplex, &deep);
    btGjkPairDetector::ClosestPointInput input;
    closest result;
    input.m_transformA = of_a;
    input.m_transformB = of_b;
    input.m_maximumDistanceSquared = most * most;
    detector.getClosestPoints(input, result, nullptr);
    ret_gap = result.found;
    return result.is_there;
}

bool distance_to(const btCollisionShape &shape, const btVector3 &point, double reach, gap &ret_gap)
{
    switch (shape.getShapeType()) {
    case STATIC_PLANE_PROXYTYPE: {
        const auto &plane = static_cast<const btStaticPlaneShape &>(shape);
        const btVector3 &normal = plane.getPlaneNormal();
        set(ret_gap, normal.dot(point) - plane.getPlaneConstant(), normal, point);
        return true;
    }
    case BOX_SHAPE_PROXYTYPE:
        from_box(static_cast<const btBoxShape &>(shape), point, ret_gap);
        return true;
    case SPHERE_SHAPE_PROXYTYPE:
        from_point(point, btVector3(0, 0, 0), static_cast<const btSphereShape &>(shape).getRadius(),
                   ret_gap);
        return true;
    case CAPSULE_SHAPE_PROXYTYPE:
        from_capsule(static_cast<const btCapsuleShape &>(shape), point, ret_gap);
        return true;
    case CYLINDER_SHAPE_PROXYTYPE:
        from_cylinder(static_cast<const btCylinderShape &>(shape), point, ret_gap);
        return true;
    case TRIANGLE_MESH_SHAPE_PROXYTYPE:
    case TERRAIN_SHAPE_PROXYTYPE:
        return from_triangles(static_cast<const btConcaveShape &>(shape), point, reach, ret_gap);
    default: break;
    }
    return shape.isConvex() &&
           from_convex(static_cast<const btConvexShape &>(shape), point, ret_gap);
}

} // namespace dpl_solver_parts
