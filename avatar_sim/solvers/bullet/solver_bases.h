/* SPDX-License-Identifier: Apache-2.0 */
/* Bases on wheels in a solver's world (solver.h): a body of the kind DPL_SOLVER_CHASSIS, and sphere
 * wheels on hinges with motors. Wheels are not bodies: they have numbers of their own, in order of
 * creation. */
#ifndef DOPPEL_SIM_SOLVER_BASES_H
#define DOPPEL_SIM_SOLVER_BASES_H

#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A wheel with its contact point under (x, y) of its chassis' frame; it turns about the y axis. */
struct dpl_solver_wheel {
    double x, y, radius, mass, friction;
};

/* How the point of a body moves; columns of `rotation` are the body's axes. */
struct dpl_solver_point {
    double position[3], rotation[3][3], velocity[3], angular[3];
};

/* Returns the wheel's number, or -ENOMEM. Allocates. It has contacts with the ground, and with
 * bodies except chassis and those with no_wheels. */
int dpl__solver_add_wheel(struct dpl_solver *solver, int chassis,
                          const struct dpl_solver_wheel *wheel);

/* Drives a wheel towards `speed` rad/s relative to its chassis with at most `impulse` N m s a step
 * (torque times step), from now on; positive rolls forward. An impulse of 0 lets it coast. */
void dpl__solver_set_motor(struct dpl_solver *solver, int wheel, double speed, double impulse);

/* The angle in rad that a wheel has turned since it was made, unwrapped, and its rate in rad/s. */
double dpl__solver_wheel_angle(const struct dpl_solver *solver, int wheel);
double dpl__solver_wheel_speed(const struct dpl_solver *solver, int wheel);

/* The point `local` of the frame of a chassis. */
void dpl__solver_point_of(const struct dpl_solver *solver, int chassis, const double local[3],
                          struct dpl_solver_point *ret_point);

/* A body into which the shapes of a chassis, put at a planar pose (x, y, heading) as place_chassis
 * does, would reach deeper than `depth` metres, but for the ground and itself: its number, or -1:
 * it fits. Moves nothing. */
int dpl__solver_taken_by(struct dpl_solver *solver, int chassis, const double pose[3],
                         double depth);

/* Puts a chassis with its wheels upright on the ground at a planar pose. It keeps its planar
 * velocity as seen from itself and the speed of its wheels; wheel angles do not jump. */
void dpl__solver_place_chassis(struct dpl_solver *solver, int chassis, const double pose[3]);

#ifdef __cplusplus
}
#endif

#endif
