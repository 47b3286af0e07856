/* SPDX-License-Identifier: Apache-2.0 */
/* Mass, centre and inertia: see doppel/sim/mass.h. */
#include <doppel/sim/mass.h>

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/math/linear.h>
#include <doppel/math/vector3.h>

static const struct dpl_place nowhere;

/* ---- tensors as matrices ---- */

static void matrix_of(const double inertia[6], double ret[3][3])
{
    const double m[3][3] = {{inertia[0], inertia[3], inertia[4]},
                            {inertia[3], inertia[1], inertia[5]},
                            {inertia[4], inertia[5], inertia[2]}};
    memcpy(ret, m, sizeof m);
}

/* Adds the inertia of a point mass at `r`. */
static void add_point(double inertia[6], double mass, struct dpl_vector3 r)
{
    inertia[0] += mass * (r.y * r.y + r.z * r.z);
    inertia[1] += mass * (r.x * r.x + r.z * r.z);
    inertia[2] += mass * (r.x * r.x + r.y * r.y);
    inertia[3] -= mass * r.x * r.y;
    inertia[4] -= mass * r.x * r.z;
    inertia[5] -= mass * r.y * r.z;
}

struct dpl_mass dpl_mass_add(const struct dpl_mass *a, const struct dpl_mass *b)
{
    struct dpl_mass sum = {.mass = a->mass + b->mass};
    if (!(sum.mass > 0.0)) {
        return *a;
    }
    sum.centre = dpl_vector3_add(dpl_vector3_times(a->centre, a->mass / sum.mass),
                                 dpl_vector3_times(b->centre, b->mass / sum.mass));
    for (int i = 0; i < 6; i++) {
        sum.inertia[i] = a->inertia[i] + b->inertia[i];
    }
    add_point(sum.inertia, a->mass, dpl_vector3_minus(a->centre, sum.centre));
    add_point(sum.inertia, b->mass, dpl_vector3_minus(b->centre, sum.centre));
    return sum;
}

struct dpl_mass dpl_mass_move(const struct dpl_mass *mass, const struct dpl_pose3 *pose)
{
    struct dpl_mass moved = {
        .mass = mass->mass,
        .centre =
            dpl_vector3_add(pose->position, dpl_quaternion_turn(pose->orientation, mass->centre)),
    };
    double m[3][3], turned[3][3];
    struct dpl_vector3 row[3], column[3];
    matrix_of(mass->inertia, m);
    for (int i = 0; i < 3; i++) { /* the rows of M Rt */
        row[i] =
            dpl_quaternion_turn(pose->orientation, (struct dpl_vector3){m[i][0], m[i][1], m[i][2]});
    }
    column[0] = (struct dpl_vector3){row[0].x, row[1].x, row[2].x};
    column[1] = (struct dpl_vector3){row[0].y, row[1].y, row[2].y};
    column[2] = (struct dpl_vector3){row[0].z, row[1].z, row[2].z};
    for (int i = 0; i < 3; i++) { /* the columns of R M Rt */
        struct dpl_vector3 v = dpl_quaternion_turn(pose->orientation, column[i]);
        turned[0][i] = v.x;
        turned[1][i] = v.y;
        turned[2][i] = v.z;
    }
    const double inertia[6] = {turned[0][0], turned[1][1], turned[2][2],
                               turned[0][1], turned[0][2], turned[1][2]};
    memcpy(moved.inertia, inertia, sizeof inertia);
    return moved;
}

struct dpl_mass dpl_mass_scale(const struct dpl_mass *mass, double kilograms)
{
    struct dpl_mass scaled = *mass;
    double factor = kilograms / mass->mass;
    scaled.mass = kilograms;
    for (int i = 0; i < 6; i++) {
        scaled.inertia[i] *= factor;
    }
    return scaled;
}

double dpl_mass_about(const struct dpl_mass *mass, struct dpl_vector3 point,
                      struct dpl_vector3 axis)
{
    double about[6], m[3][3];
    memcpy(about, mass->inertia, sizeof about);
    add_point(about, mass->mass, dpl_vector3_minus(mass->centre, point));
    matrix_of(about, m);
    const double a[3] = {axis.x, axis.y, axis.z};
    return a[0] * dpl_dot(m[0], a, 3) + a[1] * dpl_dot(m[1], a, 3) + a[2] * dpl_dot(m[2], a, 3);
}

/* ---- principal axes ---- */

/* From the matrix whose columns are the images of x, y, z (Shepperd 1978). */
static struct dpl_quaternion quaternion_of(const double c[3][3])
{
    double trace = c[0][0] + c[1][1] + c[2][2];
    int i = c[1][1] > c[0][0] ? 1 : 0;
    i = c[2][2] > c[i][i] ? 2 : i;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double q[4]; /* x y z w */
    if (trace > c[i][i]) {
        q[3] = 1.0 + trace;
        q[0] = c[1][2] - c[2][1];
        q[1] = c[2][0] - c[0][2];
        q[2] = c[0][1] - c[1][0];
    } else {
        q[i] = 1.0 + c[i][i] - c[j][j] - c[k][k];
        q[j] = c[i][j] + c[j][i];
        q[k] = c[i][k] + c[k][i];
        q[3] = c[j][k] - c[k][j];
    }
    return dpl_quaternion_normalise((struct dpl_quaternion){q[3], q[0], q[1], q[2]});
}

void dpl_inertia_principal(const double inertia[6], double ret_moments[3],
                           struct dpl_quaternion *ret_axes)
{
    double m[3][3], axes[3][3];
    matrix_of(inertia, m);
    dpl_symmetric_eigen(m[0], 3, ret_moments, axes[0]);
    struct dpl_vector3 third =
        dpl_vector3_cross((struct dpl_vector3){axes[0][0], axes[0][1], axes[0][2]},
                          (struct dpl_vector3){axes[1][0], axes[1][1], axes[1][2]});
    const double right_handed[3] = {third.x, third.y, third.z};
    memcpy(axes[2], right_handed, sizeof right_handed);
    *ret_axes = quaternion_of(axes);
}

int dpl_mass_check(const struct dpl_mass *mass, struct dpl_diag *reterr)
{
    double moments[3];
    struct dpl_quaternion axes;
    if (!(mass->mass > 0.0) || !isfinite(mass->mass)) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the mass is %g kg, expected more than 0",
                        mass->mass);
    }
    dpl_inertia_principal(mass->inertia, moments, &axes);
    if (!(moments[2] > 0.0) || !isfinite(moments[0])) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "no body has this inertia: its principal moments are %g, %g and %g kg m^2, "
                        "expected all to be more than 0",
                        moments[0], moments[1], moments[2]);
    }
    if (moments[0] > (moments[1] + moments[2]) * (1.0 + 1e-3)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "no body has this inertia: its principal moments are %g, %g and %g kg m^2, "
                        "and the largest is more than the sum of the others",
                        moments[0], moments[1], moments[2]);
    }
    return 0;
}

/* ---- solids ---- */

static struct dpl_mass box(const double size[3], double density)
{
    double m = density * size[0] * size[1] * size[2] / 12.0;
    double x = size[0] * size[0], y = size[1] * size[1], z = size[2] * size[2];
    return (struct dpl_mass){12.0 * m, {0.0, 0.0, 0.0}, {m * (y + z), m * (x + z), m * (x + y)}};
}

static struct dpl_mass cylinder(double r, double h, double density)
{
    double m = density * DPL_PI * r * r * h, across = m * (r * r / 4.0 + h * h / 12.0);
    return (struct dpl_mass){m, {0.0, 0.0, 0.0}, {across, across, m * r * r / 2.0}};
}

/* A sphere whose halves are `h` apart along z; h 0: a sphere. */
static struct dpl_mass caps(double r, double h, double density)
{
    double m = density * 4.0 / 3.0 * DPL_PI * r * r * r, own = 0.4 * m * r * r;
    double across = own + m * h * (h / 4.0 + 3.0 / 8.0 * r);
    return (struct dpl_mass){m, {0.0, 0.0, 0.0}, {across, across, own}};
}

/* Adds up the tetrahedra between each face and the first point. */
static int tetrahedra(const struct dpl_vector3 *points, const unsigned (*faces)[3], size_t n_faces,
                      double density, struct dpl_mass *ret_mass, struct dpl_diag *reterr)
{
    double volume = 0.0, second[6] = {0.0}; /* xx yy zz xy xz yz, of the mass about `origin` */
    struct dpl_vector3 first = {0}, origin = points[0];
    for (size_t i = 0; i < n_faces; i++) {
        struct dpl_vector3 v[4];
        for (int k = 0; k < 3; k++) {
            v[k] = dpl_vector3_minus(points[faces[i][k]], origin);
        }
        v[3] = dpl_vector3_add(v[0], dpl_vector3_add(v[1], v[2]));
        double six = dpl_vector3_dot(v[0], dpl_vector3_cross(v[1], v[2]));
        volume += six / 6.0;
        first = dpl_vector3_add(first, dpl_vector3_times(v[3], six / 24.0));
        for (int k = 0; k < 4; k++) {
            second[0] += six / 120.0 * v[k].x * v[k].x;
            second[1] += six / 120.0 * v[k].y * v[k].y;
            second[2] += six / 120.0 * v[k].z * v[k].z;
            second[3] += six / 120.0 * v[k].x * v[k].y;
            second[4] += six / 120.0 * v[k].x * v[k].z;
            second[5] += six / 120.0 * v[k].y * v[k].z;
        }
    }
    if (!(volume > 0.0) || !isfinite(volume)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the volume is %g m^3: is it inside out? the corners of a face are "
                        "counter-clockwise as seen from outside",
                        volume);
    }
    struct dpl_vector3 centre = dpl_vector3_times(first, 1.0 / volume);
    struct dpl_mass mass = {.mass = volume * density};
    const double about[6] = {second[1] + second[2],
                             second[0] + second[2],
                             second[0] + second[1],
                             -second[3],
                             -second[4],
                             -second[5]};
    for (int i = 0; i < 6; i++) {
        mass.inertia[i] = about[i] * density;
    }
    add_point(mass.inertia, -mass.mass, centre);
    mass.centre = dpl_vector3_add(origin, centre);
    *ret_mass = mass;
    return 0;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Whether each edge is there once in each direction. */
static int check_closed(const struct dpl_sim_solid *solid, struct dpl_diag *reterr)
{
    size_t n = 3 * solid->n_faces;
    uint64_t *there = calloc(n + 1, sizeof *there), *back = calloc(n + 1, sizeof *back);
    int err = there && back ? 0 : dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    for (size_t i = 0; i < n && err == 0; i++) {
        uint64_t from = solid->faces[i / 3][i % 3], to = solid->faces[i / 3][(i + 1) % 3];
        there[i] = from << 32 | to;
        back[i] = to << 32 | from;
    }
    if (err == 0) {
        qsort(there, n, sizeof *there, by_key);
        qsort(back, n, sizeof *back, by_key);
    }
    for (size_t i = 0; i < n && err == 0; i++) {
        bool twice = i > 0 && there[i] == there[i - 1];
        if (twice || there[i] != back[i]) {
            uint64_t edge = there[i] > back[i] && !twice ? back[i] : there[i];
            err = dpl_fail(reterr, -EINVAL, nowhere,
                           "the surface of the mesh is not closed at the edge between its points "
                           "%u and %u",
                           (unsigned)(edge >> 32), (unsigned)(edge & UINT32_MAX));
        }
    }
    free(there);
    free(back);
    return err;
}

static int hull(const struct dpl_sim_solid *solid, double density, struct dpl_mass *ret_mass,
                struct dpl_diag *reterr)
{
    if (solid->n_points > DPL_SOLID_HULL_MAX) {
        return dpl_fail(reterr, -E2BIG, nowhere, "a hull has %zu points, at most %d are allowed",
                        solid->n_points, DPL_SOLID_HULL_MAX);
    }
    unsigned(*faces)[3] = calloc(2 * solid->n_points + 1, sizeof *faces);
    if (!faces) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    int n = dpl_hull_faces(solid->points, solid->n_points, faces);
    int err = n < 0
                  ? dpl_fail(reterr, n, nowhere, "the points of a hull are in one plane, or nearly")
                  : tetrahedra(solid->points, (const unsigned(*)[3])faces, (size_t)n, density,
                               ret_mass, reterr);
    free(faces);
    return err;
}

/* In the frame of the solid. */
static int own_mass(const struct dpl_sim_solid *solid, double density, struct dpl_mass *ret_mass,
                    struct dpl_diag *reterr)
{
    int err;
    struct dpl_mass straight;
    switch (solid->kind) {
    case DPL_SOLID_BOX: *ret_mass = box(solid->size, density); return 0;
    case DPL_SOLID_SPHERE: *ret_mass = caps(solid->radius, 0.0, density); return 0;
    case DPL_SOLID_CYLINDER: *ret_mass = cylinder(solid->radius, solid->height, density); return 0;
    case DPL_SOLID_CAPSULE:
        *ret_mass = caps(solid->radius, solid->height, density);
        straight = cylinder(solid->radius, solid->height, density);
        *ret_mass = dpl_mass_add(ret_mass, &straight);
        return 0;
    case DPL_SOLID_HULL: return hull(solid, density, ret_mass, reterr);
    case DPL_SOLID_MESH:
        err = check_closed(solid, reterr);
        return err ? err
                   : tetrahedra(solid->points, solid->faces, solid->n_faces, density, ret_mass,
                                reterr);
    case DPL_SOLID_PLANE:
    case DPL_SOLID_FIELD: break;
    }
    return dpl_fail(reterr, -EINVAL, nowhere,
                    "a %s has no volume: only a body that is static may have one",
                    dpl_sim_solid_words[solid->kind]);
}

int dpl_mass_of_solid(const struct dpl_sim_solid *solid, double density, struct dpl_mass *ret_mass,
                      struct dpl_diag *reterr)
{
    struct dpl_mass mass;
    int err = own_mass(solid, density, &mass, reterr);
    if (err == 0) {
        *ret_mass = dpl_mass_move(&mass, &solid->pose);
    }
    return err;
}

int dpl_mass_of_solids(const struct dpl_sim_solid *solids, size_t n, double density,
                       struct dpl_mass *ret_mass, size_t *reterr_solid, struct dpl_diag *reterr)
{
    struct dpl_mass sum = {0}, one;
    for (size_t i = 0; i < n; i++) {
        int err = dpl_mass_of_solid(&solids[i], density, &one, reterr);
        if (err) {
            if (reterr_solid) {
                *reterr_solid = i;
            }
            return err;
        }
        sum = i > 0 ? dpl_mass_add(&sum, &one) : one;
    }
    *ret_mass = sum;
    return 0;
}
