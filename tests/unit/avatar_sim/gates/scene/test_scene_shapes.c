/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "scene_shapes.h"

static const double color[4] = {0.1, 0.2, 0.3, 0.4};
static size_t mesh_bytes;
static struct scene_shapes shapes = {.mesh_bytes = &mesh_bytes};

static void end(void)
{
    scene_shapes_finish(&shapes);
}

TestSuite(scene_shapes, .fini = end);

static struct dpl_sim_solid solid_of(enum dpl_sim_solid_kind kind)
{
    return (struct dpl_sim_solid){.kind = kind,
                                  .pose = {{1, 2, 3}, {.w = 1}},
                                  .size = {1, 2, 3},
                                  .radius = 0.5,
                                  .height = 2.0};
}

Test(scene_shapes, of_simple_solids_have_whole_sizes)
{
    const struct dpl_sim_solid box = solid_of(DPL_SOLID_BOX), ball = solid_of(DPL_SOLID_SPHERE),
                               rod = solid_of(DPL_SOLID_CYLINDER);
    scene_shapes_add_solid(&shapes, &box, color);
    scene_shapes_add_solid(&shapes, &ball, color);
    scene_shapes_add_solid(&shapes, &rod, color);
    cr_assert_eq(shapes.n, 3);
    cr_assert(shapes.items[0].kind == DPL_SCENE_BOX && shapes.items[0].size[2] == 3.0);
    cr_assert(shapes.items[1].kind == DPL_SCENE_SPHERE && shapes.items[1].size[2] == 1.0);
    cr_assert(shapes.items[2].kind == DPL_SCENE_CYLINDER && shapes.items[2].size[0] == 1.0);
    cr_assert_eq(shapes.items[2].size[2], 2.0);
    cr_assert_eq(shapes.items[0].pose.position.z, 3.0);
    cr_assert_eq(shapes.items[0].color[3], 0.4);
}

Test(scene_shapes, of_a_capsule_has_round_ends)
{
    const struct dpl_sim_solid capsule = solid_of(DPL_SOLID_CAPSULE);
    scene_shapes_add_solid(&shapes, &capsule, color);
    cr_assert_eq(shapes.n, 3);
    cr_assert_eq(shapes.items[1].pose.position.z, 2.0);
    cr_assert_eq(shapes.items[2].pose.position.z, 4.0);
}

Test(scene_shapes, of_a_plane_are_none)
{
    const struct dpl_sim_solid plane = solid_of(DPL_SOLID_PLANE);
    scene_shapes_add_solid(&shapes, &plane, color);
    cr_assert_eq(shapes.n, 0);
}

Test(scene_shapes, of_a_hull_are_triangles)
{
    static const struct dpl_vector3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    struct dpl_sim_solid hull = solid_of(DPL_SOLID_HULL);
    hull.points = points;
    hull.n_points = 4;
    scene_shapes_add_solid(&shapes, &hull, color);
    cr_assert(shapes.items[0].kind == DPL_SCENE_MESH && shapes.items[0].n_faces == 4);
    cr_assert_gt(mesh_bytes, 0);
}

Test(scene_shapes, of_a_field_cover_it_to_its_edges)
{
    static double heights[200][3];
    struct dpl_sim_solid field = solid_of(DPL_SOLID_FIELD);
    heights[199][2] = 5.0;
    field.field =
        (struct dpl_sim_field){.columns = 3, .rows = 200, .cell = 0.1, .heights = &heights[0][0]};
    dpl_sim_field_span(&field.field);
    scene_shapes_add_solid(&shapes, &field, color);
    const struct dpl_scene_shape *mesh = &shapes.items[0];
    const struct dpl_vector3 *last = &mesh->points[mesh->n_points - 1];
    cr_assert_lt(mesh->n_points, 200);
    cr_assert_float_eq(last->x, 0.1, 1e-12);
    cr_assert_float_eq(last->y, 9.95, 1e-12);
    cr_assert_float_eq(last->z, 5.0, 1e-12);
    for (size_t i = 0; i < mesh->n_faces; i++) {
        const unsigned *face = mesh->faces[i];
        cr_assert(face[0] < mesh->n_points && face[1] < mesh->n_points);
        cr_assert_lt(face[2], mesh->n_points);
        const struct dpl_vector3 *a = &mesh->points[face[0]], *b = &mesh->points[face[1]],
                                 *c = &mesh->points[face[2]];
        cr_assert_gt((b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x), 0.0,
                     "its outside is above");
    }
}

Test(scene_shapes, of_meshes_that_are_too_large_together_are_boxes)
{
    static const struct dpl_vector3 points[3] = {{0, 0, 0}, {2, 0, 0}, {0, 4, 6}};
    static const unsigned faces[1][3] = {{0, 1, 2}};
    struct dpl_sim_solid mesh = solid_of(DPL_SOLID_MESH);
    mesh.points = points;
    mesh.n_points = 3;
    mesh.faces = faces;
    mesh.n_faces = 1;
    mesh_bytes = SCENE_MESH_BYTES - 1;
    scene_shapes_add_solid(&shapes, &mesh, color);
    cr_assert(shapes.items[0].kind == DPL_SCENE_BOX && shapes.items[0].n_points == 0);
    cr_assert_eq(shapes.items[0].size[1], 4.0);
    cr_assert_eq(shapes.items[0].pose.position.x, 2.0);
}
