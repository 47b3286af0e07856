/* SPDX-License-Identifier: Apache-2.0 */
/* Mass properties of solids against closed forms and against sums over small cubes. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>
#include <doppel/math/random.h>
#include <doppel/math/vector3.h>
#include <doppel/sim/mass.h>

#define AT_ORIGIN .pose.orientation.w = 1.0

static struct dpl_mass mass_of(const struct dpl_sim_solid *solid, double density)
{
    struct dpl_mass mass;
    struct dpl_diag diag = {0};
    cr_assert_eq(dpl_mass_of_solid(solid, density, &mass, &diag), 0, "%s", diag.text);
    return mass;
}

static void expect_near(const struct dpl_mass *mass, const struct dpl_mass *expected, double share)
{
    double size = 0.0;
    for (int i = 0; i < 3; i++) {
        size = fmax(size, expected->inertia[i]);
    }
    double length = sqrt(size / expected->mass);
    cr_assert_float_eq(mass->mass, expected->mass, share * expected->mass, "mass %.9g not %.9g",
                       mass->mass, expected->mass);
    cr_assert_float_eq(mass->centre.x, expected->centre.x, share * length);
    cr_assert_float_eq(mass->centre.y, expected->centre.y, share * length);
    cr_assert_float_eq(mass->centre.z, expected->centre.z, share * length);
    for (int i = 0; i < 6; i++) {
        cr_assert_float_eq(mass->inertia[i], expected->inertia[i], share * size,
                           "inertia %d is %.9g not %.9g", i, mass->inertia[i],
                           expected->inertia[i]);
    }
}

/* ---- whether a point is inside, written from the definition of each solid ---- */

static bool is_inside(const struct dpl_sim_solid *solid, const struct dpl_vector3 *normals,
                      const double *offsets, size_t n_planes, struct dpl_vector3 p)
{
    double radial = hypot(p.x, p.y), half = 0.5 * solid->height;
    double beyond = fmax(fabs(p.z) - half, 0.0);
    switch (solid->kind) {
    case DPL_SOLID_BOX:
        return fabs(p.x) <= 0.5 * solid->size[0] && fabs(p.y) <= 0.5 * solid->size[1] &&
               fabs(p.z) <= 0.5 * solid->size[2];
    case DPL_SOLID_SPHERE: return dpl_vector3_length(p) <= solid->radius;
    case DPL_SOLID_CAPSULE: return hypot(radial, beyond) <= solid->radius;
    case DPL_SOLID_CYLINDER: return radial <= solid->radius && beyond <= 0.0;
    case DPL_SOLID_HULL:
    case DPL_SOLID_MESH:
        for (size_t i = 0; i < n_planes; i++) {
            if (dpl_vector3_dot(normals[i], p) > offsets[i]) {
                return false;
            }
        }
        return true;
    case DPL_SOLID_PLANE:
    case DPL_SOLID_FIELD: break;
    }
    return false;
}

/* Every plane through three points with all points on one side; nothing of the hull's algorithm. */
static size_t planes_of(const struct dpl_sim_solid *solid, struct dpl_vector3 *normals,
                        double *offsets, size_t max)
{
    const struct dpl_vector3 *p = solid->points;
    size_t n = solid->n_points, found = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k < n && found < max; k++) {
                struct dpl_vector3 normal =
                    dpl_vector3_cross(dpl_vector3_minus(p[j], p[i]), dpl_vector3_minus(p[k], p[i]));
                double offset = dpl_vector3_dot(normal, p[i]);
                bool is_side = i < j && i < k && dpl_vector3_length(normal) > 1e-9;
                for (size_t m = 0; m < n && is_side; m++) {
                    is_side = dpl_vector3_dot(normal, p[m]) <= offset + 1e-12;
                }
                if (is_side) {
                    normals[found] = normal;
                    offsets[found++] = offset + 1e-12;
                }
            }
        }
    }
    return found;
}

enum { STEPS = 120, PLANES_MAX = 400 };

/* The sum over STEPS^3 small cubes of the solid's own frame, within half a metre of the origin. */
static struct dpl_mass by_cubes(const struct dpl_sim_solid *solid, double density)
{
    static struct dpl_vector3 normals[PLANES_MAX];
    static double offsets[PLANES_MAX];
    size_t n_planes = planes_of(solid, normals, offsets, PLANES_MAX);
    double step = 1.0 / STEPS, cube = density * step * step * step, second[6] = {0.0};
    struct dpl_mass sum = {0};
    for (int i = 0; i < STEPS * STEPS * STEPS; i++) {
        struct dpl_vector3 p = {(i % STEPS + 0.5) * step - 0.5,
                                (i / STEPS % STEPS + 0.5) * step - 0.5,
                                (i / STEPS / STEPS + 0.5) * step - 0.5};
        if (!is_inside(solid, normals, offsets, n_planes, p)) {
            continue;
        }
        sum.mass += cube;
        sum.centre = dpl_vector3_add(sum.centre, dpl_vector3_times(p, cube));
        const double products[6] = {p.x * p.x, p.y * p.y, p.z * p.z,
                                    p.x * p.y, p.x * p.z, p.y * p.z};
        for (int k = 0; k < 6; k++) {
            second[k] += cube * products[k];
        }
    }
    sum.centre = dpl_vector3_times(sum.centre, 1.0 / sum.mass);
    struct dpl_vector3 c = sum.centre;
    const double own[6] = {c.x * c.x, c.y * c.y, c.z * c.z, c.x * c.y, c.x * c.z, c.y * c.z};
    for (int k = 0; k < 6; k++) {
        second[k] -= sum.mass * own[k];
    }
    const double inertia[6] = {second[1] + second[2],
                               second[0] + second[2],
                               second[0] + second[1],
                               -second[3],
                               -second[4],
                               -second[5]};
    memcpy(sum.inertia, inertia, sizeof inertia);
    return sum;
}

/* ---- closed forms ---- */

Test(mass, unit_box_of_one_kilogram_has_a_sixth)
{
    struct dpl_sim_solid box = {.kind = DPL_SOLID_BOX, AT_ORIGIN, .size = {1.0, 1.0, 1.0}};
    struct dpl_mass mass = mass_of(&box, 1.0);
    expect_near(&mass,
                &(struct dpl_mass){1.0, {0}, {1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 0.0, 0.0, 0.0}},
                1e-15);
}

Test(mass, round_solids_have_their_textbook_values)
{
    struct dpl_sim_solid sphere = {.kind = DPL_SOLID_SPHERE, AT_ORIGIN, .radius = 0.3};
    struct dpl_sim_solid rod = {
        .kind = DPL_SOLID_CYLINDER, AT_ORIGIN, .radius = 0.2, .height = 0.9};
    struct dpl_mass mass = mass_of(&sphere, 1000.0);
    double m = 1000.0 * 4.0 / 3.0 * DPL_PI * 0.027, i = 0.4 * m * 0.09;
    expect_near(&mass, &(struct dpl_mass){m, {0}, {i, i, i, 0.0, 0.0, 0.0}}, 1e-14);
    mass = mass_of(&rod, 7800.0);
    m = 7800.0 * DPL_PI * 0.04 * 0.9;
    i = m * (3.0 * 0.04 + 0.81) / 12.0;
    expect_near(&mass, &(struct dpl_mass){m, {0}, {i, i, 0.5 * m * 0.04, 0.0, 0.0, 0.0}}, 1e-14);
}

Test(mass, capsule_without_length_is_nearly_a_sphere)
{
    struct dpl_sim_solid capsule = {
        .kind = DPL_SOLID_CAPSULE, AT_ORIGIN, .radius = 0.3, .height = 1e-9};
    struct dpl_sim_solid sphere = {.kind = DPL_SOLID_SPHERE, AT_ORIGIN, .radius = 0.3};
    struct dpl_mass mass = mass_of(&capsule, 10.0), expected = mass_of(&sphere, 10.0);
    expect_near(&mass, &expected, 1e-7);
}

Test(mass, corner_tetrahedron_has_its_closed_form)
{
    static const struct dpl_vector3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    struct dpl_sim_solid hull = {
        .kind = DPL_SOLID_HULL, AT_ORIGIN, .points = points, .n_points = 4};
    struct dpl_mass mass = mass_of(&hull, 6.0); /* 1 kg */
    /* About the corner 1/5 and products of inertia 1/20; then to the centre. */
    double about = 0.2 - 2.0 / 16.0, product = -0.05 + 1.0 / 16.0;
    expect_near(&mass,
                &(struct dpl_mass){
                    1.0, {0.25, 0.25, 0.25}, {about, about, about, product, product, product}},
                1e-14);
}

/* ---- brute force ---- */

Test(mass, every_solid_agrees_with_a_sum_over_small_cubes)
{
    static const struct dpl_vector3 points[] = {
        {-0.45, -0.3, -0.4}, {0.4, -0.35, -0.3}, {0.3, 0.45, -0.45}, {-0.2, 0.4, -0.2},
        {0.1, 0.0, 0.45},    {-0.3, -0.1, 0.3},  {0.0, 0.1, 0.0},    {0.35, 0.2, 0.25},
    };
    const struct dpl_sim_solid solids[] = {
        {.kind = DPL_SOLID_BOX, AT_ORIGIN, .size = {0.5, 0.8, 0.9}},
        {.kind = DPL_SOLID_SPHERE, AT_ORIGIN, .radius = 0.45},
        {.kind = DPL_SOLID_CAPSULE, AT_ORIGIN, .radius = 0.2, .height = 0.5},
        {.kind = DPL_SOLID_CYLINDER, AT_ORIGIN, .radius = 0.3, .height = 0.75},
        {.kind = DPL_SOLID_HULL, AT_ORIGIN, .points = points, .n_points = 8},
    };
    for (size_t i = 0; i < sizeof solids / sizeof solids[0]; i++) {
        struct dpl_mass exact = mass_of(&solids[i], 700.0), sum = by_cubes(&solids[i], 700.0);
        expect_near(&sum, &exact, 6e-3);
    }
}

Test(mass, mesh_of_a_box_is_the_box_wherever_it_is)
{
    struct dpl_vector3 points[8];
    unsigned faces[12][3];
    for (int i = 0; i < 8; i++) {
        points[i] = (struct dpl_vector3){10.0 + (i & 1 ? 0.3 : -0.3), (i & 2 ? 0.2 : -0.2) - 4.0,
                                         i & 4 ? 0.5 : -0.5};
    }
    cr_assert_eq(dpl_hull_faces(points, 8, faces), 12);
    struct dpl_sim_solid mesh = {.kind = DPL_SOLID_MESH,
                                 AT_ORIGIN,
                                 .points = points,
                                 .n_points = 8,
                                 .faces = (const unsigned(*)[3])faces,
                                 .n_faces = 12};
    struct dpl_sim_solid box = {
        .kind = DPL_SOLID_BOX, .pose = {{10.0, -4.0, 0.0}, {.w = 1.0}}, .size = {0.6, 0.4, 1.0}};
    struct dpl_mass mass = mass_of(&mesh, 250.0), expected = mass_of(&box, 250.0);
    expect_near(&mass, &expected, 1e-12);
    struct dpl_diag diag;
    mesh.n_faces = 11;
    cr_assert_eq(dpl_mass_of_solid(&mesh, 1.0, &mass, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "not closed"));
    for (int i = 0; i < 12; i++) {
        unsigned kept = faces[i][0];
        faces[i][0] = faces[i][1];
        faces[i][1] = kept;
    }
    mesh.n_faces = 12;
    cr_assert_eq(dpl_mass_of_solid(&mesh, 1.0, &mass, &diag), -EINVAL);
    cr_assert_not_null(strstr(diag.text, "inside out"));
}

/* ---- hulls ---- */

Test(mass, hull_of_a_fine_grid_is_its_box)
{
    static struct dpl_vector3 points[512];
    static unsigned faces[1024][3];
    for (int i = 0; i < 512; i++) { /* most are on faces and edges, or inside */
        points[i] = (struct dpl_vector3){0.1 * (i % 8), 0.1 * (i / 8 % 8), 0.1 * (i / 64)};
    }
    cr_assert_eq(dpl_hull_faces(points, 512, faces), 12);
    struct dpl_sim_solid hull = {
        .kind = DPL_SOLID_HULL, AT_ORIGIN, .points = points, .n_points = 512};
    cr_assert_float_eq(mass_of(&hull, 1.0).mass, 0.343, 1e-13);
}

Test(mass, hull_of_random_points_holds_them_all)
{
    static struct dpl_vector3 points[400];
    static unsigned faces[800][3];
    struct dpl_random random = dpl_random_seeded(7, 0);

    for (int i = 0; i < 400; i++) {
        struct dpl_vector3 p = {dpl_random_normal(&random), dpl_random_normal(&random),
                                dpl_random_normal(&random)};
        points[i] = dpl_vector3_times(p, 1.0 / dpl_vector3_length(p)); /* all of them are corners */
    }
    int n = dpl_hull_faces(points, 400, faces);
    cr_assert_eq(n, 2 * 400 - 4);
    for (int i = 0; i < n; i++) {
        const struct dpl_vector3 *a = &points[faces[i][0]];
        struct dpl_vector3 normal = dpl_vector3_cross(dpl_vector3_minus(points[faces[i][1]], *a),
                                                      dpl_vector3_minus(points[faces[i][2]], *a));
        for (int k = 0; k < 400; k++) {
            cr_assert_leq(dpl_vector3_dot(normal, dpl_vector3_minus(points[k], *a)), 1e-9);
        }
    }
}

Test(mass, hull_of_a_turned_prism_far_away_has_its_volume)
{
    enum { SIDES = 200 };
    static struct dpl_vector3 points[2 * SIDES + 100];
    static unsigned faces[2 * (2 * SIDES + 100)][3];
    struct dpl_random random = dpl_random_seeded(11, 0);
    struct dpl_pose3 pose = {{1000.0, -700.0, 30.0}, dpl_quaternion_from_rpy(0.4, 1.1, -2.0)};
    for (int i = 0; i < 2 * SIDES + 100; i++) {
        double angle = 2.0 * DPL_PI * (i / 2) / SIDES, radius = 0.5, z = i % 2 ? 1.0 : -1.0;
        if (i >= 2 * SIDES) { /* inside, or in the plane of an end */
            radius = dpl_random_uniform(&random, 0.0, 0.49);
            z = i % 3 ? z : 0.0;
        }
        points[i] =
            dpl_pose3_compose(
                pose, (struct dpl_pose3){{radius * cos(angle), radius * sin(angle), z}, {.w = 1.0}})
                .position;
    }
    cr_assert_eq(dpl_hull_faces(points, 2 * SIDES + 100, faces), 2 * 2 * SIDES - 4);
    struct dpl_sim_solid hull = {
        .kind = DPL_SOLID_HULL, AT_ORIGIN, .points = points, .n_points = 2 * SIDES + 100};
    double volume = SIDES / 2.0 * sin(2.0 * DPL_PI / SIDES) * 0.25 * 2.0;
    struct dpl_mass mass = mass_of(&hull, 1.0);
    cr_assert_float_eq(mass.mass, volume, 1e-9 * volume);
    cr_assert_float_eq(mass.centre.x, 1000.0, 1e-9);
}

Test(mass, points_in_a_plane_have_no_hull)
{
    struct dpl_vector3 points[] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.3, 0.2, 1}};
    unsigned faces[10][3];
    cr_assert_eq(dpl_hull_faces(points, 5, faces), -EINVAL);
    cr_assert_eq(dpl_hull_faces(points, 3, faces), -EINVAL);
    points[0] = points[1] = points[2] = points[3];
    cr_assert_eq(dpl_hull_faces(points, 4, faces), -EINVAL);
}

/* ---- sums and turns ---- */

Test(mass, two_halves_are_the_whole)
{
    struct dpl_quaternion turn = dpl_quaternion_from_rpy(0.4, -0.7, 1.9);
    struct dpl_vector3 half = dpl_quaternion_turn(turn, (struct dpl_vector3){0.25, 0.0, 0.0});
    struct dpl_sim_solid whole = {
        .kind = DPL_SOLID_BOX, .pose.orientation = turn, .size = {1.0, 0.4, 0.6}};
    struct dpl_sim_solid halves[2] = {
        {.kind = DPL_SOLID_BOX, .pose = {half, turn}, .size = {0.5, 0.4, 0.6}},
        {.kind = DPL_SOLID_BOX,
         .pose = {dpl_vector3_times(half, -1.0), turn},
         .size = {0.5, 0.4, 0.6}}};
    struct dpl_mass expected = mass_of(&whole, 3.0), sum;
    cr_assert_eq(dpl_mass_of_solids(halves, 2, 3.0, &sum, NULL, NULL), 0);
    expect_near(&sum, &expected, 1e-14);
    /* The parallel axis theorem is the same sum. */
    double about = dpl_mass_about(&expected, (struct dpl_vector3){3.0, 4.0, 0.0},
                                  (struct dpl_vector3){.z = 1.0});
    cr_assert_float_eq(about, expected.inertia[2] + expected.mass * 25.0, 1e-12);
    sum = dpl_mass_scale(&sum, 2.0 * sum.mass);
    cr_assert_float_eq(sum.inertia[3], 2.0 * expected.inertia[3], 1e-15);
}

Test(mass, principal_axes_of_a_turned_box_are_its_edges)
{
    struct dpl_quaternion turn = dpl_quaternion_from_rpy(-1.1, 0.3, 2.5), axes;
    struct dpl_sim_solid box = {
        .kind = DPL_SOLID_BOX, .pose.orientation = turn, .size = {0.2, 0.5, 1.0}};
    struct dpl_mass mass = mass_of(&box, 120.0); /* 12 kg */
    double moments[3];
    dpl_inertia_principal(mass.inertia, moments, &axes);
    cr_assert_float_eq(moments[0], 1.25, 1e-14); /* about x, y, z of the box */
    cr_assert_float_eq(moments[1], 1.04, 1e-14);
    cr_assert_float_eq(moments[2], 0.29, 1e-14);
    static const struct dpl_vector3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        double along = dpl_vector3_dot(dpl_quaternion_turn(axes, units[i]),
                                       dpl_quaternion_turn(turn, units[i]));
        cr_assert_float_eq(fabs(along), 1.0, 1e-13);
    }
    dpl_inertia_principal((double[6]){3.0, 3.0, 3.0}, moments, &axes);
    cr_assert_float_eq(moments[0], 3.0, 1e-14);
    cr_assert_float_eq(moments[2], 3.0, 1e-14);
}

Test(mass, inertia_that_no_body_can_have_is_refused)
{
    static const struct {
        double inertia[6];
        const char *said; /* NULL: good */
    } rows[] = {
        {{1.0, 1.0, 2.0}, NULL},    /* a flat plate */
        {{1.0, 1.0, 2.0019}, NULL}, /* as rounded in a file */
        {{1.0, 1.0, 2.003}, "more than the sum"},
        {{1.0, 1.0, 1.0, 0.9, 0.0, 0.0}, "more than the sum"}, /* moments 1.9, 1, 0.1 */
        {{1.0, 1.0, 1.0, 1.5, 0.0, 0.0}, "more than 0"},
        {{1.0, -1.0, 1.0}, "more than 0"},
        {{0.0, 0.0, 0.0}, "more than 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dpl_mass mass = {.mass = 1.0};
        struct dpl_diag diag = {0};
        memcpy(mass.inertia, rows[i].inertia, sizeof mass.inertia);
        int err = dpl_mass_check(&mass, &diag);
        cr_assert_eq(err, rows[i].said ? -EINVAL : 0, "row %zu: %s", i, diag.text);
        cr_assert(!rows[i].said || strstr(diag.text, rows[i].said), "row %zu: %s", i, diag.text);
    }
    struct dpl_mass massless = {.inertia = {1.0, 1.0, 1.0}};
    cr_assert_eq(dpl_mass_check(&massless, NULL), -EINVAL);
}
