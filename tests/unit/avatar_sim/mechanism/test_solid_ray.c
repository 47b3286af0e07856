/* SPDX-License-Identifier: Apache-2.0 */
/* Rays and solids: against points that are inside or not, and where the distance is known. */
#include <math.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>
#include <doppel/math/vector3.h>
#include <doppel/sim/solid.h>

static const struct dpl_vector3 corners[] = {
    {0, 0, 0.5}, {0.4, 0, -0.3}, {-0.3, 0.4, -0.3}, {-0.3, -0.4, -0.3}, {0.1, 0.1, -0.6}};
enum { CORNERS = sizeof corners / sizeof corners[0] };
static unsigned faces[2 * CORNERS][3];

/* One of each kind, at a place that is not simple. */
static struct dpl_sim_solid solid_of(enum dpl_sim_solid_kind kind)
{
    struct dpl_sim_solid solid = {
        .kind = kind,
        .pose = {{0.2, -0.1, 0.3}, dpl_quaternion_from_rpy(0.4, -0.7, 2.0)},
        .size = {0.6, 0.4, 0.9},
        .radius = 0.3,
        .height = 0.7,
    };
    if (kind == DPL_SOLID_MESH) {
        int n = dpl_hull_faces(corners, CORNERS, faces);
        cr_assert_gt(n, 3);
        solid.points = corners;
        solid.n_points = CORNERS;
        solid.faces = (const unsigned(*)[3])faces;
        solid.n_faces = (size_t)n;
    }
    return solid;
}

static bool is_in_hull(struct dpl_vector3 p, const struct dpl_sim_solid *solid)
{
    for (size_t i = 0; i < solid->n_faces; i++) {
        struct dpl_vector3 a = corners[faces[i][0]];
        struct dpl_vector3 normal = dpl_vector3_cross(dpl_vector3_minus(corners[faces[i][1]], a),
                                                      dpl_vector3_minus(corners[faces[i][2]], a));
        if (dpl_vector3_dot(normal, dpl_vector3_minus(p, a)) > 0.0) {
            return false;
        }
    }
    return true;
}

static bool is_inside(const struct dpl_sim_solid *solid, struct dpl_vector3 at)
{
    struct dpl_vector3 p = dpl_quaternion_turn(dpl_quaternion_conjugate(solid->pose.orientation),
                                               dpl_vector3_minus(at, solid->pose.position));
    double rim = hypot(p.x, p.y), half = 0.5 * solid->height;
    double beyond = fmax(fabs(p.z) - half, 0.0);
    switch (solid->kind) {
    case DPL_SOLID_BOX: return fabs(p.x) <= 0.3 && fabs(p.y) <= 0.2 && fabs(p.z) <= 0.45;
    case DPL_SOLID_SPHERE: return dpl_vector3_length(p) <= solid->radius;
    case DPL_SOLID_CAPSULE: return hypot(rim, beyond) <= solid->radius;
    case DPL_SOLID_CYLINDER: return rim <= solid->radius && fabs(p.z) <= half;
    case DPL_SOLID_PLANE: return p.z <= 0.0;
    case DPL_SOLID_MESH: return is_in_hull(p, solid);
    case DPL_SOLID_HULL:
    case DPL_SOLID_FIELD: break;
    }
    return false;
}

static struct dpl_vector3 random_direction(struct dpl_random *rng)
{
    struct dpl_vector3 v = {dpl_random_normal(rng), dpl_random_normal(rng), dpl_random_normal(rng)};
    return dpl_vector3_times(v, 1.0 / dpl_vector3_length(v));
}

/* No point before the distance is inside, the one just after it is. */
static bool check_ray(const struct dpl_sim_solid *solid, struct dpl_vector3 from,
                      struct dpl_vector3 along)
{
    enum { POINTS = 300 };
    double t = dpl_sim_solid_ray(solid, from, along);
    double end = isfinite(t) ? t - 1e-9 : 4.0;
    for (int i = 0; i < POINTS; i++) {
        struct dpl_vector3 p =
            dpl_vector3_add(from, dpl_vector3_times(along, end * (i + 0.5) / POINTS));
        cr_assert(end <= 0.0 || !is_inside(solid, p), "%s: inside before %g m",
                  dpl_sim_solid_words[solid->kind], t);
    }
    struct dpl_vector3 after = dpl_vector3_add(from, dpl_vector3_times(along, t + 1e-9));
    cr_assert(!isfinite(t) || is_inside(solid, after), "%s: not inside at %g m",
              dpl_sim_solid_words[solid->kind], t);
    return isfinite(t);
}

Test(solid_ray, begins_where_the_solid_begins)
{
    static const enum dpl_sim_solid_kind kinds[] = {DPL_SOLID_BOX,     DPL_SOLID_SPHERE,
                                                    DPL_SOLID_CAPSULE, DPL_SOLID_CYLINDER,
                                                    DPL_SOLID_PLANE,   DPL_SOLID_MESH};
    enum { RAYS = 2000 };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct dpl_sim_solid solid = solid_of(kinds[k]);
        struct dpl_random rng = dpl_random_seeded(5, k);
        int hits = 0, inside = 0;
        for (int i = 0; i < RAYS; i++) {
            struct dpl_vector3 from =
                dpl_vector3_times(random_direction(&rng), dpl_random_uniform(&rng, 0.0, 1.2));
            hits += check_ray(&solid, from, random_direction(&rng));
            inside += is_inside(&solid, from);
        }
        cr_assert_gt(hits, RAYS / 10);
        cr_assert_lt(hits, RAYS);
        cr_assert_gt(inside, RAYS / 100);
    }
}

Test(solid_ray, along_an_axis_or_an_edge_is_exact)
{
    const struct dpl_vector3 x = {1.0, 0.0, 0.0}, z = {0.0, 0.0, -1.0};
    struct dpl_sim_solid solid = {
        .pose.orientation.w = 1.0, .size = {1.0, 1.0, 1.0}, .radius = 0.5, .height = 2.0};
    cr_assert_eq(dpl_sim_solid_ray(&solid, (struct dpl_vector3){-2.0, 0.0, 0.0}, x), 1.5);
    cr_assert_eq(dpl_sim_solid_ray(&solid, (struct dpl_vector3){-2.0, 0.5, 0.0}, x), 1.5);
    cr_assert_eq(dpl_sim_solid_ray(&solid, (struct dpl_vector3){0.2, 0.0, 0.0}, x), 0.0);
    cr_assert(isinf(dpl_sim_solid_ray(&solid, (struct dpl_vector3){0.6, 0.0, 0.0}, x)));
    solid.kind = DPL_SOLID_CAPSULE;
    cr_assert_eq(dpl_sim_solid_ray(&solid, (struct dpl_vector3){0.0, 0.0, 4.0}, z), 2.5);
    solid.kind = DPL_SOLID_CYLINDER;
    cr_assert_eq(dpl_sim_solid_ray(&solid, (struct dpl_vector3){0.1, 0.0, 4.0}, z), 3.0);
    cr_assert(isinf(dpl_sim_solid_ray(&solid, (struct dpl_vector3){0.6, 0.0, 4.0}, z)));
    solid.kind = DPL_SOLID_PLANE;
    cr_assert_eq(dpl_sim_solid_ray(&solid, (struct dpl_vector3){7.0, 0.0, 4.0}, z), 4.0);
    cr_assert(isinf(dpl_sim_solid_ray(&solid, (struct dpl_vector3){7.0, 0.0, 4.0}, x)));
}
