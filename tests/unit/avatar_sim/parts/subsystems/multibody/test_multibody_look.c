/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes that show the bodies of worlds in STAR's format, and what is said where there are none. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/sim/check.h>
#include <doppel/sim/load.h>
#include <doppel/sim/mechanism.h>
#include <doppel/sim/show.h>

#include "reading.h"

static struct dpl_sim_model *model;

static void end(void)
{
    dpl_sim_model_destroy(model);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}

TestSuite(multibody_looks, .fini = end);

static void open_world(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/star/%s", UNIT "/avatar_sim/fixtures", name);
    cr_assert_eq(dpl_sim_read_world(&arena, path, NULL, &model, &diags), 0, "%s", reading_first());
}

static const struct dpl_sim_body *body(const char *name)
{
    const struct dpl_sim_mechanism *mechanism = dpl_sim_robot_mechanism(&model->robots[0]);
    int number = dpl_mechanism_find_body(mechanism, name);
    cr_assert_geq(number, 0, "no body %s", name);
    return &mechanism->bodies[number];
}

Test(multibody_looks, mesh_of_an_include_directory_is_in_the_units_of_the_file)
{
    open_world("looks.json");
    const struct dpl_sim_body *found = body("a/found");
    struct dpl_vector3 centre;
    double half[3];
    cr_assert_eq(diags.n, 0, "%s", reading_first());
    cr_assert_eq(found->n_looks, 1);
    cr_assert_eq(found->looks[0].kind, DPL_SOLID_MESH);
    cr_expect_eq(found->looks[0].n_faces, 8);
    dpl_sim_solid_box(&found->looks[0], &centre, half);
    cr_expect_float_eq(centre.x, 0.2, 1e-12);
    cr_expect_float_eq(half[0], 0.2, 1e-12);
    cr_expect_float_eq(half[1], 0.03, 1e-12);
    cr_expect_float_eq(half[2], 0.02, 1e-12);
    cr_assert_eq(found->n_visuals, 1);
    cr_expect_str_eq(found->visuals[0].path, UNIT "/avatar_sim/fixtures/star/meshes/bar.stl");
    cr_expect_eq(found->visuals[0].scale[0], 1e-3);
}

Test(multibody_looks, mesh_beside_the_file_is_where_its_geometry_says)
{
    open_world("looks.json");
    const struct dpl_sim_body *placed = body("a/placed");
    cr_assert_eq(placed->n_looks, 1);
    const struct dpl_pose3 *pose = &placed->looks[0].pose;
    struct dpl_vector3 x = dpl_quaternion_turn(pose->orientation, (struct dpl_vector3){1, 0, 0});
    cr_expect_str_eq(placed->visuals[0].path, UNIT "/avatar_sim/fixtures/star/knob.stl");
    cr_expect_float_eq(pose->position.x, 0.01, 1e-15);
    cr_expect_float_eq(pose->position.y, 0.02, 1e-15);
    cr_expect_float_eq(pose->position.z, 0.03, 1e-15);
    cr_expect(fabs(x.x) < 1e-12 && fabs(x.y - 1.0) < 1e-12 && fabs(x.z) < 1e-12);
}

Test(multibody_looks, body_whose_file_is_missing_keeps_its_bar)
{
    open_world("looks.json");
    const struct dpl_sim_body *missing = body("a/missing");
    cr_expect_eq(missing->n_visuals, 0);
    cr_assert_eq(missing->n_looks, 1);
    cr_expect_neq(missing->looks[0].kind, DPL_SOLID_MESH);
}

static void count(void *user, unsigned number, const struct dpl_sim_solid *solid)
{
    (void)number;
    *(int *)user += solid->kind == DPL_SOLID_MESH;
}

Test(multibody_looks, pictures_have_the_meshes_and_sensors_the_bars)
{
    open_world("looks.json");
    int in_picture = 0, seen = 0;
    dpl_sim_robot_show(&model->robots[0], count, &in_picture);
    dpl_sim_robot_see(&model->robots[0], count, &seen);
    cr_expect_eq(in_picture, 2);
    cr_expect_eq(seen, 0);
    cr_expect_geq(body("a/found")->n_solids, 1);
}

Test(multibody_looks, check_notes_what_is_not_shown)
{
    static const char *const expected[] = {
        "looks.json:19:42: note: 'missing.stl' is neither in an include directory nor beside this "
        "file",
        "looks.json:19:42: note: 'shape.step' is not shown: it is no file .stl, .obj or .dae",
        "looks.json:24:23: note: 'other/bar.obj' is neither in an include directory nor beside "
        "this file",
    };
    const char *about;
    cr_assert_eq(dpl_sim_check(&arena, UNIT "/avatar_sim/fixtures/star/looks.json", "", NULL,
                               &diags, &about),
                 0, "%s", reading_first());
    cr_assert_eq(diags.n, 3, "%zu", diags.n);
    cr_assert_eq(diags.n_warnings, 0);
    for (int i = 0; i < 3; i++) {
        char line[1024];
        dpl_diag_format(&diags.items[i], line, sizeof line);
        const char *said = strstr(line, "looks.json");
        cr_assert_not_null(said, "%s", line);
        cr_expect_str_eq(said, expected[i]);
    }
}

Test(multibody_looks, mesh_that_cannot_be_read_is_a_warning_and_the_bar_stays)
{
    open_world("broken.json");
    char line[1024];
    cr_assert_eq(diags.n, 1);
    cr_assert_eq(diags.n_warnings, 1);
    dpl_diag_format(&diags.items[0], line, sizeof line);
    cr_expect(strstr(line, "/broken.json:7:23: warning: mesh '"), "%s", line);
    cr_expect(strstr(line, "; it is not shown"), "%s", line);
    cr_expect_eq(body("a/bar")->n_visuals, 0);
    cr_expect_eq(body("a/bar")->n_looks, 1);
}
