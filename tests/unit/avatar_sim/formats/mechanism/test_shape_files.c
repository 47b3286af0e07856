/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes and pictures of bodies from files, and what is said when a file is not good. */
#include <math.h>
#include <stdlib.h>

#include <doppel/sim/show.h>

#include "mechanism_rig.h"
#include "objects_reading.h"

TestSuite(shape_files, .fini = reading_end);

/* As if the text were a file beside the fixtures. */
static int read_text(const char *text)
{
    return dpl_sim_read_objects_text(&arena, UNIT "/avatar_sim/fixtures/shapes/made.xml", text,
                                     strlen(text), NULL, &objects, &diags);
}

static const struct dpl_sim_body *body(const char *name)
{
    int number = dpl_mechanism_find_body(&objects.mechanism, name);
    cr_assert_geq(number, 0, "no body %s", name);
    return &objects.mechanism.bodies[number];
}

static void read_bodies(void)
{
    int err = dpl_sim_read_objects(&arena, UNIT "/avatar_sim/fixtures/shapes/bodies.xml", NULL,
                                   &objects, &diags);
    rig_print(&diags);
    cr_assert_eq(err, 0);
    cr_assert_eq(diags.n, 0);
}

Test(shape_files, mesh_stays_a_mesh_only_where_it_stands_still)
{
    read_bodies();
    cr_assert_eq(body("wall")->n_solids, 1);
    cr_assert_eq(body("wall")->solids[0].kind, DPL_SOLID_MESH);
    cr_assert_eq(body("wall")->solids[0].n_faces, 24);
    cr_assert_eq(body("pair")->n_solids, 2, "one hull for each part");
    cr_assert_eq(body("whole")->n_solids, 1);
    cr_assert_eq(body("wedge")->solids[0].kind, DPL_SOLID_HULL);
    cr_assert_eq(body("wedge")->solids[0].n_points, 6);
    for (int i = 0; i < 2; i++) {
        const struct dpl_sim_solid *hull = &body("pair")->solids[i];
        struct dpl_vector3 centre;
        double half[3];
        cr_assert_eq(hull->kind, DPL_SOLID_HULL);
        dpl_sim_solid_box(hull, &centre, half);
        cr_assert_float_eq(centre.x, i == 0 ? -0.3 : 0.3, 1e-12);
        cr_assert_float_eq(half[0], 0.1, 1e-12, "scaled from mm");
    }
}

/* Two cubes of 8 kg; the hull as a whole would weigh twice as much. */
Test(shape_files, mass_is_that_of_the_mesh)
{
    read_bodies();
    const char *const names[] = {"pair", "whole"};
    for (int i = 0; i < 2; i++) {
        const struct dpl_mass *mass = &body(names[i])->mass;
        cr_assert_float_eq(mass->mass, 16.0, 1e-9);
        cr_assert_float_eq(mass->inertia[0], 16.0 * 0.04 / 6.0, 1e-9);
        cr_assert_float_eq(mass->inertia[2], 16.0 * (0.04 / 6.0 + 0.09), 1e-9);
        cr_assert(!body(names[i])->is_mass_of_solids);
    }
    cr_assert(
        strstr(objects.notes, "bodies.xml:7:5: note: of this mesh (16 points) 2 convex hulls"));
    cr_assert(
        strstr(objects.notes, "bodies.xml:11:5: note: of this mesh (16 points) 1 convex hull"));
}

Test(shape_files, points_of_the_file_may_move_too)
{
    cr_assert_eq(read_text("<mechanism><RigidObject name='a' mass='2'><MeshShape>"
                           "<point/><point x='1'/><point y='1'/><point z='1'/>"
                           "<face a='0' b='2' c='1'/><face a='0' b='1' c='3'/>"
                           "<face a='0' b='3' c='2'/>"
                           "</MeshShape></RigidObject></mechanism>"),
                 0);
    cr_assert_eq(body("a")->solids[0].kind, DPL_SOLID_HULL);
    cr_assert(strstr(objects.notes, "they make its mass: the surface of the mesh is not closed"),
              "%s", objects.notes);
    cr_assert_float_eq(body("a")->mass.centre.x, 0.25, 1e-12);
}

struct wrong {
    const char *shape;
    int column; /* of the third line */
    const char *what;
};

Test(shape_files, what_is_wrong_with_a_file_is_said_with_its_place)
{
    static const struct wrong rows[] = {
        {"<MeshShape file='no.stl'/>", 18,
         "the file '" UNIT "/avatar_sim/fixtures/shapes/no.stl' is not there"},
        {"<HullShape file='no.stl'/>", 18,
         "the file '" UNIT "/avatar_sim/fixtures/shapes/no.stl' is not there"},
        {"<MeshShape file='hills.pgm'/>", 18,
         "mesh '" UNIT
         "/avatar_sim/fixtures/shapes/hills.pgm': expected a file .stl, .obj or .dae"},
        {"<MeshShape file='broken.obj'/>", 18,
         "mesh '" UNIT "/avatar_sim/fixtures/shapes/broken.obj'"},
        {"<MeshShape file='pair.obj'><point/></MeshShape>", 18, "its shape is given twice"},
        {"<MeshShape file='pair.obj' scale='0'/>", 35, "scale: 0 is out of range"},
        {"<MeshShape file='pair.obj' convex='no'/>", 36, "convex: 'no'"},
        {"<MeshShape file='floor.obj' convex='true'/>", 1, "its points are in one plane"},
        {"<MeshShape/>", 1, "a mesh has 0 points"},
        {"<HullShape file='floor.obj'/>", 18, "its points are in one plane"},
        {"<HeightFieldShape cell='1' height='1'/>", 1, "file"},
        {"<HeightFieldShape file='hills.pgm' height='1'/>", 1, "cell"},
        {"<HeightFieldShape file='no.pgm' cell='1' height='1'/>", 25, "is not there"},
        {"<HeightFieldShape file='floor.obj' cell='1' height='1'/>", 0, "it is no graymap"},
        {"<HeightFieldShape file='hills.pgm' cell='1' height='1e7'/>", 53, "height: "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "<mechanism>\n<RigidObject name='a' static='true'>\n%s\n"
                 "</RigidObject></mechanism>",
                 rows[i].shape);
        dpl_diags_finish(&diags);
        diags = (struct dpl_diags){0};
        cr_assert_neq(read_text(text), 0, "row %zu", i);
        const struct dpl_diag *first = &diags.items[0];
        cr_assert(strstr(first->text, rows[i].what), "row %zu: %s", i, first->text);
        bool in_picture = rows[i].column == 0;
        cr_assert_eq(first->place.line, in_picture ? 1 : 3, "row %zu: %d", i, first->place.line);
        cr_assert_eq(first->place.column, in_picture ? 1 : rows[i].column, "row %zu: %d", i,
                     first->place.column);
    }
}

Test(shape_files, height_field_does_not_move)
{
    cr_assert_neq(read_text("<mechanism><RigidObject name='a' mass='1'>"
                            "<HeightFieldShape file='hills.pgm' cell='1' height='1'/>"
                            "</RigidObject></mechanism>"),
                  0);
    cr_assert_str_eq(diags.items[0].text,
                     "a height field has no volume: only a body that is static may have one");
}

Test(shape_files, height_field_has_the_sizes_of_the_element)
{
    read_bodies();
    const struct dpl_sim_solid *solid = &body("ground")->solids[0];
    cr_assert_eq(solid->kind, DPL_SOLID_FIELD);
    cr_assert_eq(solid->field.columns, 4);
    cr_assert_eq(solid->field.rows, 3);
    cr_assert_eq(solid->field.cell, 0.5);
    struct dpl_vector3 north_east = dpl_sim_field_point(&solid->field, 3, 2);
    cr_assert(north_east.x == 0.75 && north_east.y == 0.5 && north_east.z == 1.0);
    cr_assert_eq(dpl_sim_field_point(&solid->field, 0, 0).z, 0.0, "south-west");
}

/* ---- pictures ---- */

static size_t n_shown, n_meshes, n_seen;

static void count(void *user, unsigned number, const struct dpl_sim_solid *solid)
{
    (void)user;
    (void)number;
    n_shown++;
    n_meshes += solid->kind == DPL_SOLID_MESH;
}

static void show(const char *attribute)
{
    char text[512];
    struct dpl_diag diag;
    snprintf(text, sizeof text,
             "<RigidObject name='a' mass='1' %s><BoxShape x='1' y='1' z='1'/><SphereShape "
             "radius='1'><position x='3'/></SphereShape><color r='1' g='0' b='0'/></RigidObject>",
             attribute);
    cr_assert_eq(read_text(text), 0);
    struct dpl_sim_model *model = dpl_sim_model_create();
    cr_assert_eq(dpl_sim_model_add_objects(model, "m", (struct dpl_pose2){0}, &objects, &diag), 0,
                 "%s", diag.text);
    n_shown = n_meshes = 0;
    dpl_sim_robot_see(&model->robots[0], count, NULL);
    n_seen = n_shown;
    n_shown = n_meshes = 0;
    dpl_sim_robot_show(&model->robots[0], count, NULL);
    dpl_sim_model_destroy(model);
}

Test(shape_files, picture_of_a_body_is_shown_in_place_of_its_shapes)
{
    show("");
    cr_assert(n_shown == 2 && n_meshes == 0);
    show("visualisationMeshFile='../urdf/meshes/wedge.obj'");
    cr_assert_eq(diags.n, 0);
    cr_assert(n_shown == 1 && n_meshes == 1);
    cr_assert_eq(body("a")->looks[0].color[0], 1.0, "the colour of the body");
    cr_assert_eq(body("a")->n_solids, 2, "these still collide");
    cr_assert_eq(body("a")->n_visuals, 1);
    cr_assert_eq(n_seen, 2, "and sensors see these");
}

Test(shape_files, absent_picture_is_a_warning_and_the_shapes_are_shown)
{
    show("visualisationMeshFile='none.obj'");
    cr_assert(n_shown == 2 && n_meshes == 0);
    cr_assert_eq(diags.n_warnings, 1);
    cr_assert_eq(diags.items[0].place.column, 55);
    cr_assert(
        strstr(diags.items[0].text, "none.obj' is not there; the shapes of its body are drawn"),
        "%s", diags.items[0].text);
    show("visualisationMeshFile='broken.obj'");
    cr_assert(n_shown == 2 && n_meshes == 0);
    cr_assert_eq(diags.n_warnings, 2);
}

Test(shape_files, visual_has_its_own_place_and_colour)
{
    read_bodies();
    const struct dpl_sim_solid *look = &body("wall")->looks[0];
    cr_assert_eq(body("wall")->n_looks, 1);
    cr_assert_eq(look->n_faces, 8);
    cr_assert_eq(look->color[1], 0.5);
    double most = 0.0;
    for (size_t i = 0; i < look->n_points; i++) {
        most = fmax(most, look->points[i].x);
    }
    cr_assert_float_eq(most, 0.6, 1e-12, "30 units of 20 mm");
}

/* ---- in a world ---- */

/* Two cubes that move as one body straddle a post that their hull as a whole would stand on. */
Test(shape_files, parts_leave_the_gap_between_them_free)
{
    static const char text[] =
        "<mechanism>"
        "<RigidObject name='post' static='true'><position z='0.2'/>"
        "<BoxShape x='0.1' y='0.1' z='0.4'/></RigidObject>"
        "<RigidObject name='parts' density='1000'><position z='0.6'/>"
        "<MeshShape file='" UNIT
        "/avatar_sim/fixtures/shapes/pair.obj' scale='0.001' %s/></RigidObject>"
        "</mechanism>";
    double z[2];
    for (int i = 0; i < 2; i++) {
        char made[1024];
        struct mechanism_rig rig;
        snprintf(made, sizeof made, text, i == 0 ? "" : "convex='true'");
        rig_open(&rig, made, 1e-3);
        rig_step(&rig, 1.0);
        z[i] = rig.state->bodies.position[rig_body(&rig, "parts")][2];
        rig_close(&rig);
    }
    cr_assert_float_eq(z[0], 0.1, 3e-3, "on the ground, the post between: %g", z[0]);
    cr_assert_float_eq(z[1], 0.5, 3e-3, "on the post: %g", z[1]);
}
