/* SPDX-License-Identifier: Apache-2.0 */
/* What is written: everything comes back, to the last bit, also after changes. */
#include <math.h>
#include <unistd.h>

#include "star_equal.h"

static struct dpl_star_world *read_everything(void)
{
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    cr_assert_eq(dpl_star_read(UNIT "/avatar_sim/formats/star/fixtures/everything.json", NULL,
                               &world, &diags),
                 0);
    dpl_diags_finish(&diags);
    return world;
}

static char *text_of(const struct dpl_star_world *world, enum dpl_star_dialect dialect)
{
    char *text = NULL;
    size_t n = 0;
    cr_assert_eq(dpl_star_write_text(world, dialect, &text, &n), 0);
    cr_expect_eq(strlen(text), n);
    return text;
}

static void expect_in_text(const struct dpl_star_world *world, enum dpl_star_dialect dialect,
                           const char *part, bool is_there)
{
    char *text = text_of(world, dialect);
    cr_expect_eq(strstr(text, part) != NULL, is_there, "%s in\n%s", part, text);
    free(text);
}

Test(star_write, everything_comes_back_from_both_dialects)
{
    struct dpl_star_world *world = read_everything();
    expect_round_trip(world, DPL_STAR_C);
    expect_round_trip(world, DPL_STAR_A);
    dpl_star_destroy(world);
}

Test(star_write, a_to_c_to_a_is_the_same_graph)
{
    struct dpl_star_world *world = read_everything();
    struct dpl_star_world *c = read_written(world, DPL_STAR_C);
    struct dpl_star_world *a = read_written(c, DPL_STAR_A);
    expect_same_graphs(world->graph, a->graph);
    dpl_star_destroy(a);
    dpl_star_destroy(c);
    dpl_star_destroy(world);
}

Test(star_write, units_and_what_was_read_stay_as_they_are)
{
    struct dpl_star_world *world = read_everything();
    static const char *const parts[] = {
        "\"angle\": \"degrees\", \"length\": \"millimeters\"",
        "\"initial_displacement\": 37.7",
        "{\"T\": [2000.1, 0.3, -0.7], \"axis_angle\": [0, 0, 1, 33.3]}",
        "\"initial_displacement\": {\"T\": [0.1, 0.2, 0.3], \"axis_angle\": [1, 2, 3, 45]}",
        "\"mass\": 1234.5678",
        "\"lower\": -90.1",
        "\"upper\": 77.7",
        "\"stiffness\": 12.3",
        "\"damping\": 0.7",
        "\"coefficients\": [[1.1, 2.2, 3.3], [0.7], [0.1, 0.2]]",
        "\"infinity_norm_multiplier\": 1.7",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        expect_in_text(world, DPL_STAR_A, parts[i], true);
    }
    dpl_star_destroy(world);
}

Test(star_write, keys_that_nobody_knows_are_kept)
{
    struct dpl_star_world *world = read_everything();
    static const char *const parts[] = {
        "\"terrain\": [{\"type\": \"basic\", \"big\": 9007199254740993, \"real\": 0.1}]",
        "\"author\": \"nobody\"",
        "\"note\": 1",
        "\"beam\": 30",
        "\"sky\": \"blue\"",
        "\"colour\": \"red\"",
        "\"soft\": true",
        "\"label\": \"main\"",
        "\"teeth\": 12",
        "\"k\": 1",
        "\"vendor\": \"x\"",
        "\"beams\": 16",
        "\"owner\": {\"name\": \"x\"}",
        "\"logger\": [{\"type\": \"csv\"}]"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        expect_in_text(world, DPL_STAR_A, parts[i], true);
        expect_in_text(world, DPL_STAR_C, parts[i], true);
    }
    dpl_star_destroy(world);
}

/* What dpl_mb_store does with the state of a system. */
Test(star_write, a_snapshot_has_the_state_that_the_graph_has)
{
    struct dpl_star_world *world = read_everything();
    struct dpl_mb_graph *graph = world->graph;
    for (size_t i = 0; i < graph->n_joints; i++) {
        struct dpl_mb_joint *joint = &graph->joints[i];
        int n = dpl_mb_joint_freedoms(joint->type);
        for (int k = 0; k < n; k++) {
            joint->velocity[k] = 0.1 * (int)i - 0.377 * k;
            if (joint->type != DPL_MB_FLOAT) {
                joint->displacement[k] = 1.0 / 3.0 + (int)i + 0.123 * k;
            }
        }
        if (joint->type == DPL_MB_FLOAT) {
            const double moved[9] = {0.6, 0, 0.8, 0, 1, 0, -0.8, 0, 0.6};
            memcpy(joint->place.rotation, moved, sizeof moved);
            joint->place.position[1] = 1.0 / 7.0;
        }
    }
    for (int dialect = 0; dialect < 2; dialect++) {
        struct dpl_star_world *again = read_written(world, dialect == 0 ? DPL_STAR_A : DPL_STAR_C);
        for (size_t i = 0; i < graph->n_joints; i++) {
            const struct dpl_mb_joint *x = &graph->joints[i], *y = &again->graph->joints[i];
            for (int k = 0; k < 6; k++) { /* not each number in SI units is one of a file */
                cr_expect_float_eq(x->velocity[k], y->velocity[k], 3e-16 * fabs(x->velocity[k]));
                cr_expect(k >= 3 || fabs(x->displacement[k] - y->displacement[k]) <=
                                        3e-16 * fabs(x->displacement[k]));
            }
            for (int k = 0; k < 9; k++) {
                cr_expect_eq(x->place.rotation[k], y->place.rotation[k]);
            }
            cr_expect_float_eq(x->place.position[1], y->place.position[1], 1e-16);
        }
        expect_same_bodies(graph, again->graph);
        expect_same_restraints(graph, again->graph);
        expect_round_trip(again, DPL_STAR_A);
        dpl_star_destroy(again);
    }
    dpl_star_destroy(world);
}

Test(star_write, what_was_removed_is_not_written)
{
    struct dpl_star_world *world = read_everything();
    struct dpl_mb_graph *graph = world->graph;
    int robot = dpl_mb_find_path(graph, DPL_MB_ASSEMBLY, 0, "cell:robot");
    int turn = dpl_mb_find(graph, DPL_MB_JOINT, robot, "turn");
    cr_assert_eq(dpl_mb_remove(graph, DPL_MB_RESTRAINT,
                               dpl_mb_find(graph, DPL_MB_RESTRAINT, robot, "spring"), NULL),
                 0);
    cr_assert_eq(
        dpl_mb_remove(graph, DPL_MB_GEAR, dpl_mb_find(graph, DPL_MB_GEAR, robot, "train"), NULL),
        0);
    cr_assert_eq(dpl_mb_remove(graph, DPL_MB_JOINT, turn, NULL), 0);
    expect_in_text(world, DPL_STAR_A, "\"turn\"", false);
    expect_in_text(world, DPL_STAR_A, "\"train\"", false);
    struct dpl_star_world *again = read_written(world, DPL_STAR_A);
    cr_expect_eq(again->graph->n_joints, graph->n_joints - 1);
    cr_expect_eq(again->graph->n_gears, 0);
    cr_expect_eq(again->devices[0].n_joints, world->devices[0].n_joints - 1);
    dpl_star_destroy(again);
    dpl_star_destroy(world);
}

Test(star_write, changes_of_the_graph_are_written)
{
    struct dpl_star_world *world = read_everything();
    struct dpl_mb_graph *graph = world->graph;
    int cell = dpl_mb_find(graph, DPL_MB_ASSEMBLY, 0, "cell");
    int bare = dpl_mb_find(graph, DPL_MB_BODY, cell, "bare");
    const double centre[3] = {0.001, 0.002, 0.003}, inertia[6] = {2e-9, 2e-9, 2e-9, 0, 0, 0};
    cr_assert_eq(dpl_mb_set_mass(graph, bare, 0.0077, centre, inertia, NULL), 0);
    cr_assert_eq(dpl_mb_activate(graph, DPL_MB_ASSEMBLY, cell, false, NULL), 0);
    const struct dpl_mb_frame frame = {
        .name = "new", .body = bare, .in_body = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.5, 0, 0}}};
    cr_assert(dpl_mb_add_frame(graph, &frame, NULL) >= 0);
    world->settings.time_step = 0.004;
    struct dpl_star_world *again = read_written(world, DPL_STAR_C);
    cr_expect_eq(again->graph->bodies[bare].mass, 0.0077);
    cr_expect_not(again->graph->assemblies[cell].is_active);
    cr_expect(dpl_mb_find(again->graph, DPL_MB_FRAME, bare, "new") >= 0);
    cr_expect_eq(again->settings.time_step, 0.004);
    cr_expect_eq(again->settings.solver.repartition, 1.7);
    cr_expect(again->settings.solver.damps_singular);
    dpl_star_destroy(again);
    dpl_star_destroy(world);
}

static int add_body(struct dpl_mb_graph *graph, int assembly, const char *name)
{
    const struct dpl_mb_body body = {.name = name,
                                     .assembly = assembly,
                                     .is_active = true,
                                     .mass = 2.5,
                                     .centre = {0.1, 0, 0},
                                     .inertia = {0.1, 0.2, 0.25, 0, 0, 0}};
    int number = dpl_mb_add_body(graph, &body, NULL);
    cr_assert(number > 0);
    return number;
}

static void add_joint(struct dpl_mb_graph *graph, int assembly, const char *name,
                      enum dpl_mb_joint_type type, int first, int second)
{
    const struct dpl_mb_joint joint = {
        .name = name,
        .assembly = assembly,
        .type = type,
        .frames = {graph->bodies[first].origin, graph->bodies[second].origin},
        .is_active = true,
        .displacement = {0.25},
        .velocity = {-1.5},
        .place = dpl_mb_place_identity,
        .pitch = 0.01};
    cr_assert(dpl_mb_add_joint(graph, &joint, NULL) >= 0);
}

Test(star_write, a_graph_that_code_made_is_written_too)
{
    struct dpl_mb_graph *graph = NULL;
    struct dpl_star_world *world = NULL;
    cr_assert_eq(dpl_mb_graph_create(NULL, &graph), 0);
    const struct dpl_mb_assembly assembly = {.name = "world", .is_active = true};
    int sub = dpl_mb_add_assembly(graph, &assembly, NULL);
    cr_assert_eq(sub, 1);
    int a = add_body(graph, sub, "a"), b = add_body(graph, 0, "b");
    for (int type = 0; type < DPL_MB_JOINT_TYPES; type++) {
        add_joint(graph, type % 2, dpl_mb_joint_words[type], (enum dpl_mb_joint_type)type,
                  type % 3 == 0 ? 0 : a, b);
    }
    const double coefficients[] = {1, 2, 3};
    const size_t n_of[] = {3};
    const struct dpl_mb_restraint restraint = {.name = "r",
                                               .type = DPL_MB_SPRING,
                                               .joint = 0,
                                               .is_active = true,
                                               .law = {.n_of = n_of, .coefficients = coefficients}};
    cr_assert(dpl_mb_add_restraint(graph, &restraint, NULL) >= 0);
    graph->gravity[2] = -9.81;
    cr_assert_eq(dpl_star_create(graph, &world), 0);
    for (int dialect = 0; dialect < 2; dialect++) {
        struct dpl_star_world *again = read_written(world, dialect == 0 ? DPL_STAR_A : DPL_STAR_C);
        const struct dpl_mb_graph *read = again->graph;
        cr_expect(read->n_bodies == 3 && read->n_joints == DPL_MB_JOINT_TYPES);
        cr_expect(dpl_mb_find_path(read, DPL_MB_BODY, 0, "world_2:b") >= 0);
        int screw = dpl_mb_find_path(read, DPL_MB_JOINT, 0, "world_2:screw");
        cr_assert(screw >= 0);
        cr_expect(read->joints[screw].pitch == 0.01 && read->joints[screw].velocity[0] == -1.5 &&
                  read->joints[screw].displacement[0] == 0.25);
        cr_expect_eq(read->joints[read->restraints[0].joint].type, DPL_MB_RX);
        cr_expect_eq(dpl_mb_law(&read->restraints[0].law, 2, NULL), 11.0);
        expect_round_trip(again, DPL_STAR_A);
        dpl_star_destroy(again);
    }
    dpl_star_destroy(world);
}

Test(star_write, dialect_b_is_refused)
{
    struct dpl_star_world *world = read_everything();
    struct dpl_diag diag;
    char *text;
    size_t n;
    cr_expect_eq(dpl_star_write_text(world, DPL_STAR_B, &text, &n), -EINVAL);
    cr_expect_eq(dpl_star_write(world, DPL_STAR_B, "/tmp/no.json", &diag), -EINVAL);
    cr_expect_str_eq(diag.text, "this dialect is not written");
    dpl_star_destroy(world);
}

Test(star_write, a_file_is_written_and_read)
{
    struct dpl_star_world *world = read_everything(), *again = NULL;
    struct dpl_diags diags = {0};
    char path[] = "/tmp/star_write_XXXXXX";
    close(mkstemp(path));
    cr_assert_eq(dpl_star_write(world, DPL_STAR_A, path, NULL), 0);
    cr_assert_eq(dpl_star_read(path, NULL, &again, &diags), 0);
    expect_same_graphs(world->graph, again->graph);
    unlink(path);
    struct dpl_diag diag;
    cr_expect_eq(dpl_star_write(world, DPL_STAR_A, "/no/such/file.json", &diag), -ENOENT);
    dpl_diags_finish(&diags);
    dpl_star_destroy(again);
    dpl_star_destroy(world);
}
