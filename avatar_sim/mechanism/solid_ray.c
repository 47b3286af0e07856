/* SPDX-License-Identifier: Apache-2.0 */
/* A ray and a solid, and the normal where it is hit. Convex solids are met on an interval of the
 * ray; where it begins is the distance. Boxes by slabs (Kay, Kajiya 1986), triangles by Moeller and
 * Trumbore (1997). */
#include <math.h>

#include <doppel/math/vector3.h>
#include <doppel/sim/solid.h>

#include "solid_field.h"

/* Empty when `in` is above `out`. */
struct interval {
    double in, out;
};

static const struct interval empty = {(double)INFINITY, (double)-INFINITY};

static struct interval common(struct interval a, struct interval b)
{
    return (struct interval){fmax(a.in, b.in), fmin(a.out, b.out)};
}

static double begin_of(struct interval of)
{
    bool is_hit = of.in <= of.out && of.out >= 0.0;
    return is_hit ? fmax(of.in, 0.0) : (double)INFINITY;
}

/* Where |from + t along| <= half. */
static struct interval in_slab(double from, double along, double half)
{
    if (along == 0.0) {
        return fabs(from) <= half ? (struct interval){(double)-INFINITY, (double)INFINITY} : empty;
    }
    double a = (-half - from) / along, b = (half - from) / along;
    return (struct interval){fmin(a, b), fmax(a, b)};
}

/* Where a t^2 + 2 b t + c <= 0, with a >= 0. */
static struct interval below_zero(double a, double b, double c)
{
    if (a == 0.0) { /* then b is 0 */
        return c <= 0.0 ? (struct interval){(double)-INFINITY, (double)INFINITY} : empty;
    }
    double root = b * b - a * c;
    if (root < 0.0) {
        return empty;
    }
    root = sqrt(root);
    return (struct interval){(-b - root) / a, (-b + root) / a};
}

static struct interval in_sphere(struct dpl_vector3 from, struct dpl_vector3 along, double z,
                                 double radius)
{
    from.z -= z;
    return below_zero(1.0, dpl_vector3_dot(from, along),
                      dpl_vector3_dot(from, from) - radius * radius);
}

static struct interval in_cylinder(struct dpl_vector3 from, struct dpl_vector3 along, double radius,
                                   double height)
{
    double a = along.x * along.x + along.y * along.y, b = from.x * along.x + from.y * along.y;
    double c = from.x * from.x + from.y * from.y - radius * radius;
    return common(below_zero(a, a > 0.0 ? b : 0.0, c), in_slab(from.z, along.z, 0.5 * height));
}

static double ray_of_capsule(const struct dpl_sim_solid *solid, struct dpl_vector3 from,
                             struct dpl_vector3 along)
{
    double end = 0.5 * solid->height;
    double middle = begin_of(in_cylinder(from, along, solid->radius, solid->height));
    double top = begin_of(in_sphere(from, along, end, solid->radius));
    return fmin(middle, fmin(top, begin_of(in_sphere(from, along, -end, solid->radius))));
}

/* All below z = 0. */
static double ray_of_plane(struct dpl_vector3 from, struct dpl_vector3 along)
{
    if (from.z <= 0.0) {
        return 0.0;
    }
    return along.z < 0.0 ? -from.z / along.z : (double)INFINITY;
}

double dpl__triangle_ray(const struct dpl_vector3 corners[3], struct dpl_vector3 from,
                         struct dpl_vector3 along, bool *ret_outside)
{
    struct dpl_vector3 a = corners[0];
    struct dpl_vector3 ab = dpl_vector3_minus(corners[1], a);
    struct dpl_vector3 ac = dpl_vector3_minus(corners[2], a);
    struct dpl_vector3 p = dpl_vector3_cross(along, ac), to = dpl_vector3_minus(from, a);
    double det = dpl_vector3_dot(ab, p);
    if (det == 0.0) {
        return (double)INFINITY;
    }
    struct dpl_vector3 q = dpl_vector3_cross(to, ab);
    double u = dpl_vector3_dot(to, p) / det, v = dpl_vector3_dot(along, q) / det;
    double t = dpl_vector3_dot(ac, q) / det;
    *ret_outside = det > 0.0;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0 ? t : (double)INFINITY;
}

static double ray_of_face(const struct dpl_sim_solid *solid, const unsigned face[3],
                          struct dpl_vector3 from, struct dpl_vector3 along, bool *ret_outside)
{
    const struct dpl_vector3 corners[3] = {solid->points[face[0]], solid->points[face[1]],
                                           solid->points[face[2]]};
    return dpl__triangle_ray(corners, from, along, ret_outside);
}

/* ret_face: the face that is hit first, if there is one; NULL is allowed. */
static double ray_of_mesh(const struct dpl_sim_solid *solid, struct dpl_vector3 from,
                          struct dpl_vector3 along, const unsigned **ret_face)
{
    double nearest = (double)INFINITY;
    bool is_inside = false;
    for (size_t i = 0; i < solid->n_faces; i++) {
        bool outside = true;
        double t = ray_of_face(solid, solid->faces[i], from, along, &outside);
        if (t < nearest) {
            nearest = t;
            is_inside = !outside;
            if (ret_face) {
                *ret_face = solid->faces[i];
            }
        }
    }
    return is_inside ? 0.0 : nearest;
}

double dpl_sim_solid_ray_own(const struct dpl_sim_solid *solid, struct dpl_vector3 from,
                             struct dpl_vector3 along)
{
    switch (solid->kind) {
    case DPL_SOLID_BOX:
        return begin_of(common(common(in_slab(from.x, along.x, 0.5 * solid->size[0]),
                                      in_slab(from.y, along.y, 0.5 * solid->size[1])),
                               in_slab(from.z, along.z, 0.5 * solid->size[2])));
    case DPL_SOLID_SPHERE: return begin_of(in_sphere(from, along, 0.0, solid->radius));
    case DPL_SOLID_CAPSULE: return ray_of_capsule(solid, from, along);
    case DPL_SOLID_CYLINDER:
        return begin_of(in_cylinder(from, along, solid->radius, solid->height));
    case DPL_SOLID_PLANE: return ray_of_plane(from, along);
    case DPL_SOLID_MESH: return ray_of_mesh(solid, from, along, NULL);
    case DPL_SOLID_FIELD: return dpl__field_ray(&solid->field, from, along, NULL);
    case DPL_SOLID_HULL: break;
    }
    return (double)INFINITY;
}

double dpl_sim_solid_ray(const struct dpl_sim_solid *solid, struct dpl_vector3 from,
                         struct dpl_vector3 along)
{
    struct dpl_quaternion back = dpl_quaternion_conjugate(solid->pose.orientation);
    from = dpl_quaternion_turn(back, dpl_vector3_minus(from, solid->pose.position));
    along = dpl_quaternion_turn(back, along);
    return dpl_sim_solid_ray_own(solid, from, along);
}

/* ---- normals --------------------------------------------------------------------------------- */

/* The side of a box that a point of its surface is nearest to. */
static struct dpl_vector3 normal_of_box(const double size[3], struct dpl_vector3 at)
{
    const double p[3] = {at.x, at.y, at.z};
    double out[3] = {0.0, 0.0, 0.0}, least = (double)INFINITY;
    int side = 0;
    for (int i = 0; i < 3; i++) {
        double gap = fabs(0.5 * size[i] - fabs(p[i]));
        side = gap < least ? i : side;
        least = fmin(gap, least);
    }
    out[side] = copysign(1.0, p[side]);
    return (struct dpl_vector3){out[0], out[1], out[2]};
}

static struct dpl_vector3 outwards(double x, double y, double z)
{
    double length = sqrt(x * x + y * y + z * z);
    return length > 0.0 ? (struct dpl_vector3){x / length, y / length, z / length}
                        : (struct dpl_vector3){0.0, 0.0, 1.0};
}

static struct dpl_vector3 normal_of_cylinder(const struct dpl_sim_solid *solid,
                                             struct dpl_vector3 at)
{
    double to_end = fabs(0.5 * solid->height - fabs(at.z));
    double to_side = fabs(solid->radius - hypot(at.x, at.y));
    return to_end < to_side ? (struct dpl_vector3){0.0, 0.0, copysign(1.0, at.z)}
                            : outwards(at.x, at.y, 0.0);
}

static struct dpl_vector3 normal_of_mesh(const struct dpl_sim_solid *solid, struct dpl_vector3 from,
                                         struct dpl_vector3 along)
{
    const unsigned *face = NULL;
    (void)ray_of_mesh(solid, from, along, &face);
    if (!face) {
        return (struct dpl_vector3){0.0, 0.0, 1.0};
    }
    struct dpl_vector3 a = solid->points[face[0]];
    struct dpl_vector3 n = dpl_vector3_cross(dpl_vector3_minus(solid->points[face[1]], a),
                                             dpl_vector3_minus(solid->points[face[2]], a));
    return outwards(n.x, n.y, n.z);
}

static struct dpl_vector3 normal_of_field(const struct dpl_sim_solid *solid,
                                          struct dpl_vector3 from, struct dpl_vector3 along)
{
    struct dpl_vector3 normal = {0.0, 0.0, 1.0};
    (void)dpl__field_ray(&solid->field, from, along, &normal);
    return outwards(normal.x, normal.y, normal.z);
}

struct dpl_vector3 dpl_sim_solid_normal_own(const struct dpl_sim_solid *solid,
                                            struct dpl_vector3 from, struct dpl_vector3 along,
                                            double distance)
{
    struct dpl_vector3 at = dpl_vector3_add(from, dpl_vector3_times(along, distance));
    double end = 0.5 * solid->height;
    switch (solid->kind) {
    case DPL_SOLID_BOX: return normal_of_box(solid->size, at);
    case DPL_SOLID_SPHERE: return outwards(at.x, at.y, at.z);
    case DPL_SOLID_CAPSULE: return outwards(at.x, at.y, at.z - fmax(-end, fmin(end, at.z)));
    case DPL_SOLID_CYLINDER: return normal_of_cylinder(solid, at);
    case DPL_SOLID_MESH: return normal_of_mesh(solid, from, along);
    case DPL_SOLID_FIELD: return normal_of_field(solid, from, along);
    case DPL_SOLID_PLANE:
    case DPL_SOLID_HULL: break;
    }
    return (struct dpl_vector3){0.0, 0.0, 1.0};
}
