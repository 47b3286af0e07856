/* SPDX-License-Identifier: Apache-2.0 */
/* Mass, centre of mass and inertia of solids and of bodies made of them. SI units. */
#ifndef DOPPEL_SIM_MASS_H
#define DOPPEL_SIM_MASS_H

#include <doppel/math/pose3.h>
#include <doppel/sim/solid.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The inertia tensor, about the centre of mass, in the axes of the frame that the centre is in:
 * xx yy zz xy xz yz. The last three are the elements of the matrix, so xy = -(integral of x y dm).
 */
struct dpl_mass {
    double mass; /* kg */
    struct dpl_vector3 centre;
    double inertia[6]; /* kg m^2 */
};

/* The mass of a solid with this density, in the frame of its body. A plane has none. -EINVAL with
 * reterr: all points are in one plane, or a mesh is not closed or inside out. The result is exact
 * except for rounding: that of a hull or mesh is a sum of tetrahedra. Allocates for a hull or mesh
 * and frees it (-ENOMEM). */
int dpl_mass_of_solid(const struct dpl_sim_solid *solid, double density, struct dpl_mass *ret_mass,
                      struct dpl_diag *reterr);

/* The sum of solids at one density; volumes where they overlap count twice. Errors as above, with
 * the number of the solid in *reterr_solid (may be NULL). */
int dpl_mass_of_solids(const struct dpl_sim_solid *solids, size_t n, double density,
                       struct dpl_mass *ret_mass, size_t *reterr_solid, struct dpl_diag *reterr);

/* The mass of both together, as one body. */
struct dpl_mass dpl_mass_add(const struct dpl_mass *a, const struct dpl_mass *b);

/* The same mass in the frame in which `pose` is given. */
struct dpl_mass dpl_mass_move(const struct dpl_mass *mass, const struct dpl_pose3 *pose);

/* The same distribution with another mass. The mass must not be 0. */
struct dpl_mass dpl_mass_scale(const struct dpl_mass *mass, double kilograms);

/* Moment of inertia about the line through `point` along the unit vector `axis` (parallel axis
 * theorem). */
double dpl_mass_about(const struct dpl_mass *mass, struct dpl_vector3 point,
                      struct dpl_vector3 axis);

/* Principal moments, the largest first, and the rotation from the principal axes to those of the
 * tensor. */
void dpl_inertia_principal(const double inertia[6], double ret_moments[3],
                           struct dpl_quaternion *ret_axes);

/* Checks whether a body can have this mass: it is positive, with positive principal moments, none
 * larger than the sum of the other two by more than 0.1 % (numbers in files are rounded). 0, or
 * -EINVAL with reterr. */
int dpl_mass_check(const struct dpl_mass *mass, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
