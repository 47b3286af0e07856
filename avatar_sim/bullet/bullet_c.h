/* SPDX-License-Identifier: Apache-2.0 */
/* A small C interface to the rigid-body solver of Bullet (double precision): a ground plane, static
 * shapes, and rolling bodies made of a compound chassis and sphere wheels on hinges with motors.
 * Bullet is included nowhere else. Bodies are small integers in order of creation, so contacts are
 * reported in the same order in every process. SI units; x forward, y left, z up. Not thread-safe;
 * different worlds may live in different threads. */
#ifndef DOPPEL_SIM_BULLET_C_H
#define DOPPEL_SIM_BULLET_C_H

#include <stddef.h>

#include "heap.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_bullet;

enum dpl_bullet_kind {
    DPL_BULLET_BOX,      /* size = full edges along x, y, z */
    DPL_BULLET_SPHERE,   /* size[0] = radius */
    DPL_BULLET_CYLINDER, /* size[0] = radius, size[2] = height, axis z */
    DPL_BULLET_CAPSULE,  /* size[0] = radius, size[2] = length of the straight part, axis z */
};

/* A shape with its centre at `position`, turned by `yaw` about z; a capsule with `lying` set has
 * its axis along x before that turn. `slippery` shapes have no friction with anything. */
struct dpl_bullet_shape {
    enum dpl_bullet_kind kind;
    double size[3], position[3], yaw;
    int lying, slippery;
};

/* A body that rolls. Its frame lies on the ground under it: `x`, `y`, `theta` place that frame,
 * shapes and `centre_of_mass` are given in it. Shapes are borrowed for the call. */
struct dpl_bullet_chassis {
    const struct dpl_bullet_shape *shapes;
    size_t n_shapes;
    double mass, friction, centre_of_mass[3];
    double x, y, theta;
};

/* A wheel that touches the ground under (x, y) of its chassis' frame and turns about the y axis. */
struct dpl_bullet_wheel {
    double x, y, radius, mass, friction;
};

/* A point of a body: where it is, how the body is turned (columns are its axes), how the point and
 * the body move. */
struct dpl_bullet_point {
    double position[3], rotation[3][3], velocity[3], angular[3];
};

/* Two bodies that touch, a < b in order of creation, and a point where they do (of the world). */
struct dpl_bullet_contact {
    int a, b;
    double point[3];
};

/* How many bodies a world will have, and of those, chassis; and wheels. More may follow, for more
 * memory. */
struct dpl_bullet_size {
    size_t bodies, chassis, wheels;
};

/* A world with nothing in it. It and all that Bullet allocates for it lives in `heap`, and goes
 * with it; nothing else is to be destroyed. `iterations` of the sequential-impulse solver a step.
 * NULL: the heap is full. */
struct dpl_bullet *dpl__bullet_create(struct dpl_heap *heap, const struct dpl_bullet_size *size,
                                      int iterations);

/* The plane z = 0. The calls that add something allocate, and return the new body's number, or
 * -ENOMEM. */
int dpl__bullet_add_ground(struct dpl_bullet *world, double friction);
int dpl__bullet_add_static(struct dpl_bullet *world, const struct dpl_bullet_shape *shape,
                           double friction);
int dpl__bullet_add_chassis(struct dpl_bullet *world, const struct dpl_bullet_chassis *chassis);

/* Returns the wheel's own number (counted apart from bodies). Wheels touch the ground only. */
int dpl__bullet_add_wheel(struct dpl_bullet *world, int chassis,
                          const struct dpl_bullet_wheel *wheel);

/* Advances by `dt` seconds in one solver step. Takes memory of the heap when there are more
 * contacts than ever before; when the heap is full then, the process ends with a message. */
void dpl__bullet_step(struct dpl_bullet *world, double dt);

/* Drives a wheel towards `speed` rad/s relative to its chassis with at most `impulse` N m s a step
 * (torque times step); positive rolls forward. An impulse of 0 lets it coast. */
void dpl__bullet_set_motor(struct dpl_bullet *world, int wheel, double speed, double impulse);

/* The angle in rad that a wheel has turned since it was made, unwrapped, and its rate in rad/s. */
double dpl__bullet_wheel_angle(const struct dpl_bullet *world, int wheel);
double dpl__bullet_wheel_speed(const struct dpl_bullet *world, int wheel);

/* The point `local` of the frame of a chassis. */
void dpl__bullet_get_point(const struct dpl_bullet *world, int chassis, const double local[3],
                           struct dpl_bullet_point *ret_point);

/* A body into which the shapes of a chassis, upright on the ground at a pose, would reach deeper
 * than `depth` metres, but for the ground and itself: its number, or 0: it fits. Moves nothing. */
int dpl__bullet_taken_by(struct dpl_bullet *world, int chassis, const double pose[3], double depth);

/* Puts a chassis with its wheels upright on the ground at a pose. It keeps its planar velocity as
 * seen from itself and the speed of its wheels; wheel angles do not jump. */
void dpl__bullet_place(struct dpl_bullet *world, int chassis, const double pose[3]);

/* Calls `take` for each point where bodies touch (gap of at most `gap` metres), the ground left
 * out; a pair has as many as the solver keeps of it, at most four. */
void dpl__bullet_contacts(const struct dpl_bullet *world, double gap,
                          void (*take)(void *user, const struct dpl_bullet_contact *contact),
                          void *user);

#ifdef __cplusplus
}
#endif

#endif
