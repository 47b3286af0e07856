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

btCollisionShape *make_hull(const dpl_solver_shape &shape)
{
    auto *hull = new btConvexHullShape();
    for (size_t i = 0; i < shape.n_points; i++) {
        const double *p = shape.points + 3 * i;
        hull->addPoint(btVector3(p[0], p[1], p[2]), false);
    }
    hull->recalcLocalAabb();
    /* Bullet grows hulls by the margin. */
    btVector3 low, high;
    hull->getAabb(btTransform::getIdentity(), low, high);
    btVector3 size = high - low;
    set_margin(hull, 0.1 * size[size.minAxis()]);
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
