/* SPDX-License-Identifier: Apache-2.0 */
/* Rays and distances of height fields, in the frame of the solid. */
#ifndef DOPPEL_SIM_SOLID_FIELD_H
#define DOPPEL_SIM_SOLID_FIELD_H

#include <stdbool.h>

#include <doppel/sim/solid.h>

/* The distance along a ray to a triangle whose corners are counter-clockwise as seen from outside;
 * INFINITY: it is missed. *ret_outside: it is hit from its outer side. In solid_ray.c. */
double dpl__triangle_ray(const struct dpl_vector3 corners[3], struct dpl_vector3 from,
                         struct dpl_vector3 along, bool *ret_outside);

/* The distance along a ray to the surface; 0: the first that it meets is the lower side. Squares
 * are looked at in the order in which the ray passes over them (Amanatides, Woo 1987).
 * *ret_normal: that of the triangle that is met, upwards and not of length 1; unchanged if there is
 * none. NULL is allowed. */
double dpl__field_ray(const struct dpl_sim_field *field, struct dpl_vector3 from,
                      struct dpl_vector3 along, struct dpl_vector3 *ret_normal);

/* The greatest height of the squares that meet a rectangle; -INFINITY: there is none. */
double dpl__field_top(const struct dpl_sim_field *field, const double low[2], const double high[2]);

#endif
