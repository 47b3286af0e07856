/* SPDX-License-Identifier: Apache-2.0 */
/* C++: distances of points and convex shapes, in closed form where there is one. */
#ifndef DOPPEL_SIM_SOLVER_DISTANCE_H
#define DOPPEL_SIM_SOLVER_DISTANCE_H

#include <btBulletCollisionCommon.h>

namespace dpl_solver_parts
{

struct gap {
    double distance = 0;  /* m, below 0 inside */
    btVector3 normal;     /* out of the shape */
    btVector3 on_surface; /* the nearest point of it */
};

/* From a shape to a point in its frame. `reach`: of meshes and fields, how far triangles are looked
 * for. False: there is none so near. */
bool distance_to(const btCollisionShape &shape, const btVector3 &point, double reach, gap &ret_gap);

/* From shape `b` to shape `a`, in the world; the normal is out of `b`. False: they are apart. */
bool convex_distance(const btConvexShape &a, const btTransform &of_a, const btConvexShape &b,
                     const btTransform &of_b, gap &ret_gap);

} // namespace dpl_solver_parts

#endif
