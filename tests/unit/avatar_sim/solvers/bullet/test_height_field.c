/* SPDX-License-Identifier: Apache-2.0 */
/* Height fields: rays against the same surface as a mesh, and what lies on them. */
#include <math.h>
#include <stdlib.h>

#include <doppel/math/random.h>
#include <doppel/math/vector3.h>

#include "mechanism_rig.h"
#include "overlap.h"
#include "saved_world.h"

enum { COLUMNS = 7, ROWS = 5, POINTS = COLUMNS * ROWS, FACES = 2 * (COLUMNS - 1) * (ROWS - 1) };

static double heights[POINTS];
static struct dpl_vector3 points[POINTS];
static unsigned faces[FACES][3];

/* The same surface twice. */
static void make(struct dpl_sim_solid *field, struct dpl_sim_solid *mesh)
{
    struct dpl_random rng = dpl_random_seeded(7, 1);
    size_t n = 0;
    for (unsigned i = 0; i < POINTS; i++) {
        heights[i] = dpl_random_uniform(&rng, -0.4, 0.6);
    }
    *field = (struct dpl_sim_solid){
        .kind = DPL_SOLID_FIELD,
        .pose.orientation.w = 1.0,
        .field = {.columns = COLUMNS, .rows = ROWS, .cell = 0.5, .heights = heights},
    };
    dpl_sim_field_span(&field->field);
    for (unsigned i = 0; i < POINTS; i++) {
        points[i] = dpl_sim_field_point(&field->field, i % COLUMNS, i / COLUMNS);
    }
    for (unsigned row = 0; row + 1 < ROWS; row++) {
        for (unsigned column = 0; column + 1 < COLUMNS; column++) {
            unsigned a = row * COLUMNS + column, b = a + 1, c = a + COLUMNS, d = c + 1;
            memcpy(faces[n++], (unsigned[]){a, b, c}, sizeof faces[0]);
            memcpy(faces[n++], (unsigned[]){b, d, c}, sizeof faces[0]);
        }
    }
    *mesh = (struct dpl_sim_solid){
        .kind = DPL_SOLID_MESH,
        .pose.orientation.w = 1.0,
        .points = points,
        .n_points = POINTS,
        .faces = (const unsigned(*)[3])faces,
        .n_faces = n,
    };
}

/* A direction that is often level, or along an axis. */
static struct dpl_vector3 direction(struct dpl_random *rng, int i)
{
    struct dpl_vector3 v = {dpl_random_normal(rng), dpl_random_normal(rng), dpl_random_normal(rng)};
    v.z *= i % 3 == 0 ? 0.1 : 1.0;
    v.x *= i % 5 == 0 ? 0.0 : 1.0;
    v.y *= i % 7 == 0 ? 0.0 : 1.0;
    return dpl_vector3_times(v, 1.0 / dpl_vector3_length(v));
}

Test(height_field, rays_meet_it_as_they_meet_the_mesh)
{
    struct dpl_sim_solid field, mesh;
    struct dpl_random rng = dpl_random_seeded(3, 4);
    int hits = 0, inside = 0;
    enum { RAYS = 100000 };
    make(&field, &mesh);
    for (int i = 0; i < RAYS; i++) {
        struct dpl_vector3 from = {dpl_random_uniform(&rng, -2.5, 2.5),
                                   dpl_random_uniform(&rng, -2.0, 2.0),
                                   dpl_random_uniform(&rng, -0.2, 1.5)};
        struct dpl_vector3 along = direction(&rng, i);
        double a = dpl_sim_solid_ray(&field, from, along),
               b = dpl_sim_solid_ray(&mesh, from, along);
        cr_assert_eq(a, b, "ray %d: %g m, %g m", i, a, b);
        hits += isfinite(a);
        inside += a == 0.0;
        if (isfinite(a)) {
            struct dpl_vector3 n = dpl_sim_solid_normal_own(&field, from, along, a);
            struct dpl_vector3 m = dpl_sim_solid_normal_own(&mesh, from, along, b);
            cr_assert_lt(dpl_vector3_length(dpl_vector3_minus(n, m)), 1e-12);
        }
    }
    cr_assert_gt(hits, RAYS / 10);
    cr_assert_gt(inside, RAYS / 100);
    cr_assert_lt(hits, RAYS);
}

Test(height_field, upright_rays_meet_corners_and_edges)
{
    struct dpl_sim_solid field, mesh;
    const struct dpl_vector3 down = {0.0, 0.0, -1.0};
    make(&field, &mesh);
    for (unsigned i = 0; i < POINTS; i++) {
        struct dpl_vector3 from = points[i];
        from.z = 2.0;
        cr_assert_float_eq(dpl_sim_solid_ray(&field, from, down), 2.0 - points[i].z, 1e-12);
    }
    cr_assert(isinf(dpl_sim_solid_ray(&field, (struct dpl_vector3){1.6, 0.0, 2.0}, down)));
}

Test(height_field, box_and_mass)
{
    struct dpl_sim_solid field, mesh;
    struct dpl_vector3 centre[2];
    double half[2][3];
    struct dpl_diag diag;
    struct dpl_mass mass;
    make(&field, &mesh);
    cr_assert_eq(dpl_sim_solid_check(&field, &diag), 0, "%s", diag.text);
    dpl_sim_solid_box(&field, &centre[0], half[0]);
    dpl_sim_solid_box(&mesh, &centre[1], half[1]);
    cr_assert_float_eq(centre[0].z, centre[1].z, 1e-15);
    for (int i = 0; i < 3; i++) {
        cr_assert_float_eq(half[0][i], half[1][i], 1e-15);
    }
    cr_assert_neq(dpl_mass_of_solid(&field, 1.0, &mass, &diag), 0);
    cr_assert_str_eq(diag.text,
                     "a height field has no volume: only a body that is static may have one");
    heights[3] = (double)NAN;
    cr_assert_neq(dpl_sim_solid_check(&field, &diag), 0);
    heights[3] = 2.0;
    cr_assert_neq(dpl_sim_solid_check(&field, &diag), 0, "above its highest");
}

Test(height_field, gap_is_to_the_highest_point_below)
{
    struct dpl_sim_solid field, mesh;
    const struct dpl_pose3 at[2] = {{.orientation.w = 1.0}, {{-1.25, -0.75, 2.0}, {1, 0, 0, 0}}};
    const struct dpl_sim_solid ball = {
        .kind = DPL_SOLID_SPHERE, .pose.orientation.w = 1.0, .radius = 0.1};
    make(&field, &mesh);
    struct dpl__core below = dpl__core_of(&field, &at[0]), above = dpl__core_of(&ball, &at[1]);
    double top = fmax(fmax(heights[0], heights[1]), fmax(heights[COLUMNS], heights[COLUMNS + 1]));
    cr_assert_float_eq(dpl__core_gap(&below, &above), 1.9 - top, 1e-12);
    cr_assert_float_eq(dpl__core_gap(&above, &below), 1.9 - top, 1e-12);
    cr_assert(isinf(dpl__core_gap(&below, &below)));
    above.pose.position.x = 3.0;
    cr_assert(isinf(dpl__core_gap(&below, &above)), "beside it");
}

/* ---- in a world ---- */

/* A ball that can only move upright, over the middle of a square. */
#define OVER(file_, start_)                                                                        \
    "<mechanism><RigidObject name='land' static='true'>"                                           \
    "<HeightFieldShape file='" file_ "' cell='1' height='1'/></RigidObject>"                       \
    "<RigidObject name='ball' mass='1'><position z='" start_ "'/><SphereShape radius='0.2'/>"      \
    "</RigidObject><Joint name='guide' type='slider' child='ball'>"                                \
    "<frame><position z='" start_ "'/></frame></Joint></mechanism>"

static char folder[32];

static void open_over(struct mechanism_rig *rig, const char *picture)
{
    char text[2048], path[64];
    strcpy(folder, "/tmp/doppel-field-XXXXXX");
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/land.pgm", folder);
    FILE *file = fopen(path, "w");
    cr_assert(file);
    fputs(picture, file);
    fclose(file);
    snprintf(text, sizeof text, OVER("%s", "1.5"), path);
    rig_open(rig, text, 1e-3);
}

static void close_over(struct mechanism_rig *rig)
{
    char command[128];
    rig_close(rig);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_assert_eq(system(command), 0);
}

static double rest_over(const char *picture)
{
    struct mechanism_rig rig;
    open_over(&rig, picture);
    rig_step(&rig, 2.0);
    double z = rig.state->bodies.position[rig_body(&rig, "ball")][2];
    close_over(&rig);
    return z;
}

/* Of the square's two diagonals one is an edge: if it were the other, valley and ridge would
 * change places. In the valley a ball of radius r lies r / cos(slope) above the edge. */
Test(height_field, ball_lies_where_the_surface_is)
{
    cr_assert_float_eq(rest_over("P2 2 2 2\n1 1\n1 1\n"), 0.7, 2e-4);
    double slope = atan(1.0 / sqrt(0.5));
    cr_assert_float_eq(rest_over("P2 2 2 1\n1 0\n0 1\n"), 1.2, 2e-3, "on the ridge");
    cr_assert_float_eq(rest_over("P2 2 2 1\n0 1\n1 0\n"), 0.2 / cos(slope), 2e-3, "in the valley");
}

/* Bullet borrows the heights: after a restore it must find them where they were. */
Test(height_field, world_goes_on_from_a_snapshot_as_it_did)
{
    struct mechanism_rig rig;
    open_over(&rig, "P2 3 3 9\n1 9 2\n3 4 8\n9 3 1\n");
    rig_step(&rig, 0.2);
    struct saved_world saved = world_saved(rig.world);
    rig_step(&rig, 1.0);
    double z = rig.state->bodies.position[rig_body(&rig, "ball")][2];
    world_back(rig.world, &saved);
    cr_assert_gt(rig.state->bodies.position[rig_body(&rig, "ball")][2], z);
    rig_step(&rig, 1.0);
    cr_assert_eq(rig.state->bodies.position[rig_body(&rig, "ball")][2], z);
    free(saved.bytes);
    close_over(&rig);
}
