/* SPDX-License-Identifier: Apache-2.0 */
/* What is read of a world: its tree, what paths mean, axes, starts, drives, laws, devices, looks.
 */
#include <math.h>

#include "star_reading.h"

static int joint_of(const struct dpl_star_world *world, const char *name)
{
    int joint = dpl_mb_find_path(world->graph, DPL_MB_JOINT, 1, name);
    cr_assert(joint >= 0, "joint %s", name);
    return joint;
}

static void expect_numbers(const double *values, const double *expected, size_t n, double tolerance)
{
    for (size_t i = 0; i < n; i++) {
        cr_expect_float_eq(values[i], expected[i], tolerance, "[%zu] %.17g, not %.17g", i,
                           values[i], expected[i]);
    }
}

Test(star_reader, what_is_not_said_has_a_default)
{
    struct dpl_star_world *world = read_star("{\"assembly\": {\"m\": {\"bodies\": {\"a\": {}}}}}");
    const struct dpl_mb_body *body = &world->graph->bodies[1];
    cr_expect_str_eq(body->name, "a");
    cr_expect(body->is_active && body->is_mass_default);
    expect_numbers(&body->mass, (const double[]){1}, 1, 0);
    expect_numbers(body->inertia, (const double[]){1, 1, 1, 0, 0, 0}, 6, 0);
    expect_numbers(body->centre, (const double[]){0, 0, 0}, 3, 0);
    expect_numbers(world->graph->gravity, (const double[]){0, 0, 0}, 3, 0);
    cr_expect_eq(world->n_lights, 1);
    cr_expect_eq(world->lights[0].frame, -1);
    expect_numbers(world->lights[0].direction, (const double[]){0, 0, -1}, 3, 0);
    dpl_star_destroy(world);
}

Test(star_reader, the_light_of_worlds_without_lights_shines_to_where_gravity_pulls)
{
    struct dpl_star_world *world =
        read_star("{\"model_parameters\": {\"gravity\": [3, 0, -4]}, \"assembly\": {}}");
    cr_assert_eq(world->n_lights, 1);
    cr_expect_eq(world->lights[0].type, DPL_STAR_DIRECTIONAL);
    expect_numbers(world->lights[0].direction, (const double[]){0.6, 0, -0.8}, 3, 1e-15);
    dpl_star_destroy(world);
}

Test(star_reader, what_is_null_is_not_there)
{
    struct dpl_star_world *world = read_star(
        "{\"fixed\": null, \"model_parameters\": {\"include_dir\": null}, \"assemblies\": "
        "[{\"name\": \"m\", \"joints\": null, \"bodies\": [{\"name\": \"a\", \"frames\": null, "
        "\"mass\": null, \"active\": null}]}]}");
    cr_expect(world->graph->bodies[1].is_active && world->graph->bodies[1].is_mass_default);
    dpl_star_destroy(world);
}

Test(star_reader, paths_without_a_colon_are_local_and_others_begin_at_the_root)
{
    struct dpl_star_world *world = read_star(
        "{\"assembly\": {\"cell\": {\"bodies\": {\"a\": {\"frames\": {\"f\": {}}}},\n"
        "\"assembly\": {\"robot\": {\"bodies\": {\"a\": {\"frames\": {\"f\": {}}}},\n"
        "\"joints\": {\"J\": {\"type\": \"Rz\", \"body_frame_pairs\": [[\"cell:a\", \"f\"], "
        "[\"a\", "
        "\"f\"]]},\n"
        "\"K\": {\"type\": \"Rz\", \"body_frame_pairs\": [\"cell:robot:a:f\", \"fixed:origin\"]},\n"
        "\"L\": {\"type\": \"Rz\", \"parent\": [[\"cell\", \"a\"], \"f\"], \"child\": [[\"a\"], "
        "\"f\"]}}}}}}}");
    const struct dpl_mb_graph *graph = world->graph;
    char path[64];
    const char *const expected[3][2] = {{"cell:a:f", "cell:robot:a:f"},
                                        {"cell:robot:a:f", "fixed:origin"},
                                        {"cell:a:f", "cell:robot:a:f"}};
    cr_assert_eq(graph->n_joints, 3);
    for (int i = 0; i < 6; i++) {
        dpl_mb_path(graph, DPL_MB_FRAME, graph->joints[i / 2].frames[i % 2], path, sizeof path);
        cr_expect_str_eq(path, expected[i / 2][i % 2]);
    }
    dpl_star_destroy(world);
}

Test(star_reader, rotations_have_three_forms)
{
    struct dpl_star_world *world =
        read_star(BODIES("\"a\": {" GOOD_MASS ", \"frames\": {\n"
                         "\"m\": {\"R\": [[0, -1, 0], [1, 0, 0], [0, 0, 1]]},\n"
                         "\"v\": {\"axis_angle\": [0, 0, 2, 1.5707963267948966]},\n"
                         "\"q\": {\"quaternion\": [0.70710678118654752, 0, 0, "
                         "0.70710678118654752]}}}"));
    static const double expected[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    const char *const names[3] = {"m", "v", "q"};
    for (int i = 0; i < 3; i++) {
        int frame = dpl_mb_find(world->graph, DPL_MB_FRAME, 1, names[i]);
        cr_assert(frame >= 0);
        expect_numbers(world->graph->frames[frame].in_body.rotation, expected, 9, 1e-15);
    }
    dpl_star_destroy(world);
}

Test(star_reader, axes_along_x_y_and_z_need_no_frames)
{
    struct dpl_star_world *world =
        read_star(WORLD("\"A\": {\"type\": \"revolute\", \"axis\": \"y\", " A_TO_B "},\n"
                        "\"B\": {\"type\": \"prismatic\", \"axis\": [0, 0, 3], " A_TO_B "},\n"
                        "\"C\": {\"type\": \"screw\", \"axis\": \"z\", \"pitch\": 2, " A_TO_B "}",
                        ""));
    cr_expect_eq(world->graph->n_frames, 4);
    cr_expect_eq(world->graph->joints[0].type, DPL_MB_RY);
    cr_expect_eq(world->graph->joints[1].type, DPL_MB_TZ);
    cr_expect_eq(world->graph->joints[2].type, DPL_MB_SCREW);
    cr_expect_eq(world->graph->joints[2].pitch, 2.0);
    dpl_star_destroy(world);
}

Test(star_reader, other_axes_are_z_of_two_new_frames)
{
    struct dpl_star_world *world =
        read_star(WORLD("\"A\": {\"type\": \"revolute\", \"axis\": [2, -1, 2], " A_TO_B "},\n"
                        "\"B\": {\"type\": \"revolute\", \"axis\": \"-z\", " A_TO_B "}",
                        ""));
    const struct dpl_mb_graph *graph = world->graph;
    const double axes[2][3] = {{2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0}, {0, 0, -1}};
    cr_assert_eq(graph->n_frames, 8);
    for (int j = 0; j < 2; j++) {
        cr_expect_eq(graph->joints[j].type, DPL_MB_RZ);
        for (int end = 0; end < 2; end++) {
            const struct dpl_mb_frame *frame = &graph->frames[graph->joints[j].frames[end]];
            const double z[3] = {frame->in_body.rotation[2], frame->in_body.rotation[5],
                                 frame->in_body.rotation[8]};
            expect_numbers(z, axes[j], 3, 1e-15);
            expect_numbers(frame->in_body.position, (const double[]){end == 0 ? 1 : 0, 0, 0}, 3, 0);
        }
        const double *one = graph->frames[graph->joints[j].frames[0]].in_body.rotation;
        const double *two = graph->frames[graph->joints[j].frames[1]].in_body.rotation;
        expect_numbers(one, two, 9, 0); /* so the displacement 0 is that of the file */
    }
    cr_expect_str_eq(graph->frames[graph->joints[0].frames[0]].name, "A_axis_1");
    dpl_star_destroy(world);
}

Test(star_reader, starts_are_as_long_as_joints_have_coordinates)
{
    struct dpl_star_world *world = read_star(
        WORLD("\"A\": {\"type\": \"cylindrical\", \"initial_displacement\": [1, 2], "
              "\"initial_velocity\": [3, 4], " A_TO_B "},\n"
              "\"B\": {\"type\": \"planar\", \"initial_displacement\": [1, 2, 3], " A_TO_B "},\n"
              "\"C\": {\"type\": \"spherical\", \"initial_displacement\": {\"quaternion\": [0, 0, "
              "1, 0]}, \"initial_velocity\": 0, " A_TO_B "},\n"
              "\"D\": {\"type\": \"float\", \"initial_displacement\": {\"T\": [1, 2, 3]}, "
              "\"initial_velocity\": [1, 2, 3, 4, 5, 6], " A_TO_B "},\n"
              "\"E\": {\"type\": \"spherical\", \"initial_displacement\": [0.1, 0.2, "
              "0.3], " A_TO_B "}",
              ""));
    const struct dpl_mb_joint *joints = world->graph->joints;
    expect_numbers(joints[0].displacement, (const double[]){1, 2, 0}, 3, 0);
    expect_numbers(joints[0].velocity, (const double[]){3, 4, 0, 0, 0, 0}, 6, 0);
    expect_numbers(joints[1].displacement, (const double[]){1, 2, 3}, 3, 0);
    expect_numbers(joints[2].displacement, (const double[]){0, 3.14159265358979312, 0}, 3, 1e-15);
    expect_numbers(joints[3].place.position, (const double[]){1, 2, 3}, 3, 0);
    expect_numbers(joints[3].velocity, (const double[]){1, 2, 3, 4, 5, 6}, 6, 0);
    expect_numbers(joints[4].displacement, (const double[]){0.1, 0.2, 0.3}, 3, 0);
    dpl_star_destroy(world);
}

Test(star_reader, rotations_of_balls_become_vectors_of_all_sizes)
{
    static const double vectors[][3] = {{0, 0, 0},    {1e-9, 0, 0},    {0.3, -0.2, 0.1},
                                        {2, 2, 1},    {-3.1, 0.1, 0},  {0, 3.14159265, 0},
                                        {0, 0, -3.1}, {-0.1, 0.2, 3.1}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const double *v = vectors[i];
        double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        char text[1024];
        snprintf(text, sizeof text,
                 WORLD("\"A\": {\"type\": \"spherical\", \"initial_displacement\": "
                       "{\"axis_angle\": [%.17g, %.17g, %.17g, %.17g]}, " A_TO_B "}",
                       ""),
                 v[0], v[1], i > 0 ? v[2] : 1.0, angle);
        struct dpl_star_world *world = read_star(text);
        expect_numbers(world->graph->joints[0].displacement, v, 3, 2e-15);
        dpl_star_destroy(world);
    }
}

Test(star_reader, limits_motors_and_flags_are_read)
{
    struct dpl_star_world *world = read_star(
        WORLD("\"A\": {\"type\": \"Rz\", \"hold\": true, \"active\": false, \"limits\": "
              "{\"lower\": -1, \"upper\": 2, \"stiffness\": 3, \"damping\": 4}, \"motor\": "
              "{\"mode\": \"velocity\", \"kp\": 5, \"kd\": 6, \"max\": 7}, " A_TO_B "},\n"
              "\"B\": {\"type\": \"Tx\", \"limits\": {\"upper\": 2}, " A_TO_B "}",
              ""));
    const struct dpl_mb_joint *joint = &world->graph->joints[0];
    cr_expect(joint->is_held && !joint->is_active && joint->limit.is_there);
    expect_numbers(&joint->limit.lower, (const double[]){-1, 2, 3, 4}, 4, 0);
    cr_expect_eq(joint->motor.mode, DPL_MB_MOTOR_VELOCITY);
    expect_numbers(&joint->motor.kp, (const double[]){5, 6, 7}, 3, 0);
    cr_expect(isinf(world->graph->joints[1].limit.lower));
    cr_expect_eq(world->graph->joints[1].limit.upper, 2.0);
    dpl_star_destroy(world);
}

Test(star_reader, the_powers_of_restraints_descend_and_those_of_joints_rise)
{
    struct dpl_star_world *world = read_star(
        WORLD("\"A\": {\"type\": \"Tx\", \"stiffness\": [-42953, 117039], \"damping\": [0, "
              "7], " A_TO_B "}",
              ",\n\"restraints\": {\"r\": {\"type\": \"spring\", \"joint\": \"A\", "
              "\"knot_points\": [0], \"coefficients\": [[2, 0.5, 0], [0]]}}"));
    const struct dpl_mb_graph *graph = world->graph;
    cr_assert_eq(graph->n_restraints, 3);
    cr_expect_str_eq(graph->restraints[0].name, "A_spring");
    cr_expect_str_eq(graph->restraints[1].name, "A_damper");
    cr_expect_eq(graph->restraints[1].type, DPL_MB_DAMPER);
    cr_expect_float_eq(dpl_mb_law(&graph->restraints[0].law, 0.367, NULL), 117039 * 0.367 - 42953,
                       1e-9);
    cr_expect_eq(dpl_mb_law(&graph->restraints[1].law, 2, NULL), 14.0);
    static const double xs[5] = {-1, -0.25, -0.1, 0, 1}, fs[5] = {1.5, 0, -0.03, 0, 0};
    for (int i = 0; i < 5; i++) {
        cr_expect_float_eq(dpl_mb_law(&graph->restraints[2].law, xs[i], NULL), fs[i], 1e-15);
    }
    dpl_star_destroy(world);
}

Test(star_reader, restraints_are_of_pairs_and_rub)
{
    struct dpl_star_world *world = read_star(
        WORLD("\"A\": {\"type\": \"Tx\", " A_TO_B "}",
              ",\n\"restraints\": {\"d\": {\"type\": \"damper\", \"distance_type\": \"Tz\", "
              "\"body_frame_pair\": [[\"a\", \"tip\"], [\"fixed\", \"origin\"]], "
              "\"coefficients\": [[3, 0]]}, \"f\": {\"type\": \"friction\", \"joint\": \"A\", "
              "\"coefficients\": [3]}, \"g\": {\"type\": \"friction\", \"joint\": \"A\", "
              "\"coefficients\": [3], \"regularization\": 0.5, \"active\": false}}"));
    const struct dpl_mb_restraint *r = world->graph->restraints;
    cr_expect(r[0].joint == -1 && r[0].distance == DPL_MB_DISTANCE_Z);
    cr_expect_eq(world->graph->frames[r[0].frames[1]].body, 0);
    cr_expect(r[1].type == DPL_MB_FRICTION && r[1].regularization == 1e-3 && r[1].is_active);
    cr_expect(r[2].regularization == 0.5 && !r[2].is_active);
    dpl_star_destroy(world);
}

Test(star_reader, gears_and_devices_name_joints)
{
    struct dpl_star_world *world = read_star(
        WORLD("\"A\": {\"type\": \"Rz\", " A_TO_B "},\n\"B\": {\"type\": \"Tx\", " FIXED_TO_A "}",
              ",\n\"gears\": {\"g\": {\"joints\": [\"A\", \"m:B\"], \"ratio\": -2}},\n"
              "\"devices\": {\"d\": {\"joints\": [\"B\", \"A\"], \"sensors\": [{\"type\": "
              "\"lidar\", \"frame\": [\"a\", \"tip\"], \"beams\": 9007199254740993}, {\"type\": "
              "\"encoder\", \"joint\": \"A\", \"name\": \"e\"}]}}"));
    const struct dpl_mb_gear *gear = &world->graph->gears[0];
    cr_expect(gear->joints[0] == joint_of(world, "A") && gear->joints[1] == joint_of(world, "B"));
    cr_expect_eq(gear->ratio, -2.0);
    cr_assert_eq(world->n_devices, 1);
    const struct dpl_star_device *device = &world->devices[0];
    cr_expect_str_eq(device->name, "d");
    cr_assert(device->n_joints == 2 && device->n_sensors == 2 && device->assembly == 1);
    cr_expect(device->joints[0] == joint_of(world, "B"));
    cr_expect_str_eq(device->sensors[0].name, "lidar");
    cr_expect_str_eq(device->sensors[0].other, "{\"beams\":9007199254740993}");
    cr_expect(device->sensors[0].joint == -1 && device->sensors[0].frame >= 0);
    cr_expect_str_eq(device->sensors[1].name, "e");
    cr_expect(device->sensors[1].joint == joint_of(world, "A") && device->sensors[1].frame == -1);
    cr_expect(dpl_star_device_is_active(world, 0));
    cr_assert_eq(dpl_mb_activate(world->graph, DPL_MB_BODY, 1, false, NULL), 0);
    cr_expect_not(dpl_star_device_is_active(world, 0));
    dpl_star_destroy(world);
}

Test(star_reader, an_inactive_assembly_takes_all_below_with_it)
{
    struct dpl_star_world *world =
        read_star("{\"assembly\": {\"m\": {\"active\": false, \"assembly\": {\"n\": {\"bodies\": "
                  "{\"a\": {}}}}}}}");
    cr_expect(world->graph->bodies[1].is_active);
    cr_expect_not(dpl_mb_is_active(world->graph, DPL_MB_BODY, 1));
    dpl_star_destroy(world);
}

/* ---- memory ---- */

struct scarce {
    size_t left, open;
};

static void *take_scarce(void *user, size_t bytes)
{
    struct scarce *scarce = user;
    if (scarce->left == 0) {
        return NULL;
    }
    scarce->left--;
    scarce->open++;
    return calloc(1, bytes);
}

static void give_scarce(void *user, void *block)
{
    struct scarce *scarce = user;
    scarce->open -= block != NULL;
    free(block);
}

Test(star_reader, without_memory_for_the_graph_there_is_no_world_and_no_leak)
{
    int err = -ENOMEM;
    for (size_t n = 0; err == -ENOMEM && n < 10000; n++) {
        struct scarce scarce = {.left = n};
        const struct dpl_mb_memory memory = {take_scarce, give_scarce, &scarce};
        const struct dpl_star_options options = {.memory = &memory};
        struct dpl_star_world *world = NULL;
        struct dpl_diags diags = {0};
        err = dpl_star_read(UNIT "/avatar_sim/formats/star/fixtures/everything.json", &options,
                            &world, &diags);
        cr_expect_eq(err == 0, world != NULL);
        cr_expect(err == 0 || (err == -ENOMEM && n < 1000), "%d after %zu blocks", err, n);
        dpl_star_destroy(world);
        dpl_diags_finish(&diags);
        cr_expect_eq(scarce.open, 0, "%zu blocks of %zu", scarce.open, n);
    }
    cr_expect_eq(err, 0);
}
