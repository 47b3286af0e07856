/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of bodies. */
#include "solver_world.h"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>

#include <algorithm>
#include <cmath>

namespace dpl_solver_parts
{

namespace
{

/* Thin, so that corners and rims are where the model has them, but no thicker than small parts. */
constexpr double margin_m = 0.002, margin_share = 0.05;

void set_margin(btCollisionShape *shape, double size)
{
    shape->setMargin(std::min(margin_m, margin_share * size));
}

btVector3 point_of(const dpl_solver_shape &shape, unsigned i)
{
    const double *p = shape.points + 3 * i;
    return btVector3(p[0], p[1], p[2]);
}

struct plane {
    btVector3 normal;
    double offset;
};

list<plane> planes_of(const dpl_solver_shape &shape)
{
    list<plane> planes;
    for (size_t i = 0; i < shape.n_faces; i++) {
        const unsigned *face = shape.faces[i];
        btVector3 a = point_of(shape, face[0]);
        btVector3 normal = (point_of(shape, face[1]) - a).cross(point_of(shape, face[2]) - a);
        normal.normalize();
        planes.push_back({normal, normal.dot(a)});
    }
    return planes;
}

/* How to move a point so that the planes of its faces move inward by `by`: exact with three of
 * them, and least squares of the rest with more. Faces in one plane count once. */
btVector3 inward(const dpl_solver_shape &shape, const list<plane> &planes, unsigned point,
                 double by)
{
    constexpr double same = 1 - 1e-9, least = 1e-9;
    list<btVector3> normals;
    btMatrix3x3 sum(least, 0, 0, 0, least, 0, 0, 0, least);
    btVector3 right(0, 0, 0);
    for (size_t i = 0; i < shape.n_faces; i++) {
        const unsigned *face = shape.faces[i];
        const btVector3 &n = planes[i].normal;
        bool is_here = face[0] == point || face[1] == point || face[2] == point;
        if (!is_here || std::any_of(normals.begin(), normals.end(),
                                    [&](const btVector3 &other) { return other.dot(n) > same; })) {
            continue;
        }
        normals.push_back(n);
        right -= by * n;
        sum +=
            btMatrix3x3(n.x() * n.x(), n.x() * n.y(), n.x() * n.z(), n.y() * n.x(), n.y() * n.y(),
                        n.y() * n.z(), n.z() * n.x(), n.z() * n.y(), n.z() * n.z());
    }
    return sum.inverse() * right;
}

/* The points of the hull with its planes moved inward. False: it is too thin for that. */
bool shrink(const dpl_solver_shape &shape, const list<plane> &planes, double by,
            list<btVector3> &ret_points)
{
    constexpr double most = 0.1; /* of `by`, that a plane may be off */
    list<bool> is_corner(shape.n_points, false);
    for (size_t i = 0; i < shape.n_faces; i++) {
        for (int k = 0; k < 3; k++) {
            is_corner[shape.faces[i][k]] = true;
        }
    }
    ret_points.clear();
    for (unsigned i = 0; i < shape.n_points; i++) {
        if (!is_corner[i]) {
            continue;
        }
        btVector3 moved = point_of(shape, i) + inward(shape, planes, i, by);
        for (const plane &one : planes) {
            if (one.normal.dot(moved) > one.offset - (1 - most) * by) {
                return false;
            }
        }
        ret_points.push_back(moved);
    }
    return true;
}

double least_extent(const dpl_solver_shape &shape)
{
    btVector3 low(point_of(shape, 0)), high(low);
    for (unsigned i = 1; i < shape.n_points; i++) {
        low.setMin(point_of(shape, i));
        high.setMax(point_of(shape, i));
    }
    btVector3 size = high - low;
    return size[size.minAxis()];
}

/* Bullet grows hulls by their margin, so they are made smaller by it first. */
btCollisionShape *make_hull(const dpl_solver_shape &shape)
{
    constexpr int tries = 8;
    list<plane> planes = planes_of(shape);
    list<btVector3> points;
    double margin = std::min(margin_m, margin_share * least_extent(shape));
    int i = 0;
    while (i < tries && !shrink(shape, planes, margin, points)) {
        margin /= 2;
        i++;
    }
    if (i == tries || points.empty()) { /* so thin that the margin does not count */
        points.clear();
        for (unsigned k = 0; k < shape.n_points; k++) {
            points.push_back(point_of(shape, k));
        }
    }
    auto *hull = new btConvexHullShape();
    for (const btVector3 &point : points) {
        hull->addPoint(point, false);
    }
    hull->setMargin(margin);
    hull->recalcLocalAabb();
    return hull;
}

btCollisionShape *make_mesh(const dpl_solver_shape &shape)
{
    auto *mesh = new btTriangleMesh();
    auto point = [&](unsigned i) {
        const double *p = shape.points + 3 * i;
        return btVector3(p[0], p[1], p[2]);
    };
    for (size_t i = 0; i < shape.n_faces; i++) {
        const unsigned *face = shape.faces[i];
        mesh->addTriangle(point(face[0]), point(face[1]), point(face[2]));
    }
    return new btBvhTriangleMeshShape(mesh, true);
}

/* Bullet borrows the heights, so they are the heap's; and its frame is in the middle between the
 * limits of the heights, so these are as far above 0 as below. */
btCollisionShape *make_field(const dpl_solver_shape &shape)
{
    size_t n = static_cast<size_t>(shape.columns) * shape.rows;
    auto *heights = static_cast<double *>(btAlignedAlloc(n * sizeof(double), 16));
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        heights[i] = shape.heights[i];
        most = std::max(most, std::fabs(heights[i]));
    }
    auto *field =
        new btHeightfieldTerrainShape(static_cast<int>(shape.columns), static_cast<int>(shape.rows),
                                      heights, -most, most, 2, false);
    field->setLocalScaling(btVector3(shape.size[0], shape.size[0], 1));
    return field;
}

bool is_identity(const btTransform &transform)
{
    return transform.getOrigin().length() < 1e-12 &&
           btFabs(btFabs(transform.getRotation().w()) - 1) < 1e-12;
}

} // namespace

btTransform transform_of(const dpl_solver_pose &pose)
{
    const double *q = pose.turn, *p = pose.position;
    return btTransform(btQuaternion(q[1], q[2], q[3], q[0]), btVector3(p[0], p[1], p[2]));
}

btCollisionShape *make_solid(const dpl_solver_shape &shape)
{
    const double *size = shape.size;
    btCollisionShape *made = nullptr;
    switch (shape.kind) {
    case DPL_SOLVER_BOX:
        made = new btBoxShape(btVector3(size[0], size[1], size[2]) / 2);
        set_margin(made, std::min({size[0], size[1], size[2]}));
        break;
    case DPL_SOLVER_SPHERE: made = new btSphereShape(size[0]); break;
    case DPL_SOLVER_CAPSULE: made = new btCapsuleShapeZ(size[0], size[2]); break;
    case DPL_SOLVER_CYLINDER:
        made = new btCylinderShapeZ(btVector3(size[0], size[0], size[2] / 2));
        set_margin(made, std::min(size[0], size[2]));
        break;
    case DPL_SOLVER_PLANE: made = new btStaticPlaneShape(btVector3(0, 0, 1), 0); break;
    case DPL_SOLVER_HULL: made = make_hull(shape); break;
    case DPL_SOLVER_MESH: made = make_mesh(shape); break;
    case DPL_SOLVER_FIELD: made = make_field(shape); break;
    }
    made->setUserPointer(new (btAlignedAlloc(sizeof(dpl_bullet_memory::material), 16))
                             dpl_bullet_memory::material{shape.friction, shape.restitution});
    return made;
}

btCollisionShape *make_shapes(const dpl_solver_body &body, const btTransform &centre)
{
    bool is_chassis = body.kind == DPL_SOLVER_CHASSIS;
    if (body.n_shapes == 0 && !is_chassis) {
        return new btEmptyShape();
    }
    /* Contacts of a shape by itself last longer than those within a compound. */
    if (body.n_shapes == 1 && !is_chassis &&
        is_identity(centre.inverse() * transform_of(body.shapes[0].pose))) {
        return make_solid(body.shapes[0]);
    }
    auto *all = new btCompoundShape(true, static_cast<int>(body.n_shapes));
    for (size_t i = 0; i < body.n_shapes; i++) {
        btTransform place = centre.inverse() * transform_of(body.shapes[i].pose);
        all->addChildShape(place, make_solid(body.shapes[i]));
    }
    return all;
}

} // namespace dpl_solver_parts
