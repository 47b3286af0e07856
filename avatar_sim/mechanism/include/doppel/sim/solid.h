/* SPDX-License-Identifier: Apache-2.0 */
/* Solids: the shapes of bodies. */
#ifndef DOPPEL_SIM_SOLID_H
#define DOPPEL_SIM_SOLID_H

#include <doppel/diag.h>
#include <doppel/math/pose3.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_SOLID_POINTS_MAX 100000 /* of a mesh */
#define DPL_SOLID_FACES_MAX  200000
#define DPL_SOLID_HULL_MAX   512     /* points of a hull */
#define DPL_SOLID_GRID_MAX   1000000 /* heights of a height field; at most ... */
#define DPL_SOLID_SIDE_MAX   16384   /* ... so many along each side */

enum dpl_sim_solid_kind {
    DPL_SOLID_BOX,
    DPL_SOLID_SPHERE,
    DPL_SOLID_CAPSULE,  /* along z */
    DPL_SOLID_CYLINDER, /* along z */
    DPL_SOLID_PLANE,    /* all below z = 0 of its pose: for bodies that do not move */
    DPL_SOLID_HULL,     /* convex, around the points */
    DPL_SOLID_MESH,     /* triangles; its mass needs a closed surface */
    DPL_SOLID_FIELD,    /* a surface over a grid of heights: for bodies that do not move */
};

/* "box", ... */
extern const char *const dpl_sim_solid_words[];

/* Heights over the points of a grid, whose middle is the origin of the solid: that of column c and
 * row r is over x = (c - (columns - 1) / 2) cell, y = (r - (rows - 1) / 2) cell. The square between
 * the points (c, r) and (c + 1, r + 1) has two triangles, divided by the line from (c + 1, r) to
 * (c, r + 1). */
struct dpl_sim_field {
    unsigned columns, rows;
    double cell;            /* m between two points */
    const double *heights;  /* [rows][columns] m */
    double lowest, highest; /* m: of all of them (dpl_sim_field_span) */
};

struct dpl_sim_solid {
    enum dpl_sim_solid_kind kind;
    struct dpl_pose3 pose; /* of its centre (hull, mesh: of the points' frame) in the body */
    double size[3];        /* m, box: full edges */
    double radius;         /* m: sphere, capsule, cylinder */
    double height;         /* m: cylinder: whole height; capsule: without the caps */
    const struct dpl_vector3 *points; /* [n_points] */
    size_t n_points;
    const unsigned (*faces)[3]; /* [n_faces], mesh: numbers of points, counter-clockwise as seen
                                   from outside */
    size_t n_faces;
    struct dpl_sim_field field;
    size_t material; /* number of its material */
    double color[4]; /* red, green, blue, opacity: 0 to 1 */
    bool has_color;
};

/* Fills lowest and highest. */
void dpl_sim_field_span(struct dpl_sim_field *inout_field);

/* A corner of the surface, by its column and row. */
struct dpl_vector3 dpl_sim_field_point(const struct dpl_sim_field *field, unsigned column,
                                       unsigned row);

/* Checks the numbers: 0, or -EINVAL with reterr. */
int dpl_sim_solid_check(const struct dpl_sim_solid *solid, struct dpl_diag *reterr);

/* The bounding box along the axes of its pose (not for a plane): centre and half edges. */
void dpl_sim_solid_box(const struct dpl_sim_solid *solid, struct dpl_vector3 *ret_centre,
                       double ret_half[3]);

/* Distance in m from a point, along a direction of length 1, to the solid; both in the frame of its
 * body. 0: the point is inside; INFINITY: the ray misses it. A hull has no faces: the result is
 * always INFINITY (make a mesh from it with dpl_hull_faces). For a mesh, the side of the first face
 * that the ray hits decides whether the point is inside. The same holds for a height field; its
 * outer side is above. Pure. */
double dpl_sim_solid_ray(const struct dpl_sim_solid *solid, struct dpl_vector3 from,
                         struct dpl_vector3 along);

/* The same, with the ray in the frame of the solid itself (its pose). */
double dpl_sim_solid_ray_own(const struct dpl_sim_solid *solid, struct dpl_vector3 from,
                             struct dpl_vector3 along);

/* The outward normal, of length 1 in the frame of the solid, at the point of such a ray after
 * `distance`, a finite result of dpl_sim_solid_ray_own. At an edge: the normal of one of its sides.
 * Pure. */
struct dpl_vector3 dpl_sim_solid_normal_own(const struct dpl_sim_solid *solid,
                                            struct dpl_vector3 from, struct dpl_vector3 along,
                                            double distance);

/* Computes the triangles of the convex hull, counter-clockwise as seen from outside. There are at
 * most 2 n - 4, and *ret_faces must have room for them. Points that are nearer to a face than 1e-6
 * of the extent are no corners. Returns the number of triangles; -EINVAL: the points are in one
 * plane, within 1e-6 of their extent or the rounding of single precision; -E2BIG: more than
 * DPL_SOLID_HULL_MAX points. The point that is furthest outside replaces the faces that it can see
 * (Quickhull: Barber, Dobkin, Huhdanpaa 1996), O(n^3) at worst. Pure; 60 kB of the stack. */
int dpl_hull_faces(const struct dpl_vector3 *points, size_t n, unsigned (*ret_faces)[3]);

#ifdef __cplusplus
}
#endif

#endif
