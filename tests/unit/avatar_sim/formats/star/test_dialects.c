/* SPDX-License-Identifier: Apache-2.0 */
/* The three dialects: one world in each of them is the same to the last bit. The shipped worlds. */
#include "star_equal.h"

static struct dpl_star_world *read_file(const char *folder, const char *name)
{
    char path[4096];
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int err = dpl_star_read(path, NULL, &world, &diags);
    for (size_t i = 0; i < diags.n; i++) {
        dpl_diag_print(stderr, &diags.items[i]);
    }
    cr_assert_eq(err, 0, "%s", path);
    cr_expect_eq(diags.n, 0, "%s", path);
    dpl_diags_finish(&diags);
    return world;
}

static void expect_same(const char *name)
{
    static const enum dpl_star_dialect dialects[2] = {DPL_STAR_B, DPL_STAR_C};
    char file[128];
    snprintf(file, sizeof file, "%s.json", name);
    struct dpl_star_world *a = read_file(PROFILES "/worlds/star", file);
    cr_expect_eq(a->dialect, DPL_STAR_A);
    for (int i = 0; i < 2; i++) {
        snprintf(file, sizeof file, "%s_%c.json", name, "bc"[i]);
        struct dpl_star_world *other = read_file(UNIT "/avatar_sim/formats/star/fixtures", file);
        cr_expect_eq(other->dialect, dialects[i]);
        expect_same_graphs(a->graph, other->graph);
        cr_expect_eq(other->settings.solver.integrator, DPL_MB_RK4);
        cr_expect_eq(other->settings.time_step, a->settings.time_step);
        expect_round_trip(other, DPL_STAR_A);
        expect_round_trip(other, DPL_STAR_C);
        dpl_star_destroy(other);
    }
    dpl_star_destroy(a);
}

Test(star_dialects, one_world_in_three_dialects_is_bit_equal)
{
    expect_same("slider_crank");
    expect_same("double_pendulum");
}

static const struct {
    const char *file;
    size_t bodies, joints, restraints; /* bodies without `fixed` */
} shipped[] = {
    {"double_pendulum.json", 2, 2, 1}, {"four_bar.json", 3, 4, 0},
    {"slider_crank.json", 3, 4, 0},    {"excavator.json", 9, 12, 6},
    {"delta.json", 16, 21, 6},         {"bricard.json", 5, 6, 0},
    {"free_body.json", 1, 1, 0},       {"bumper.json", 1, 1, 1},
    {"pair_restraints.json", 2, 2, 3},
};

Test(star_dialects, shipped_worlds_have_no_warnings_and_come_back_from_both_dialects)
{
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        struct dpl_star_world *world = read_file(PROFILES "/worlds/star", shipped[i].file);
        cr_expect_eq(world->graph->n_bodies - 1, shipped[i].bodies, "%s", shipped[i].file);
        cr_expect_eq(world->graph->n_joints, shipped[i].joints, "%s", shipped[i].file);
        cr_expect_eq(world->graph->n_restraints, shipped[i].restraints, "%s", shipped[i].file);
        cr_expect_eq(world->settings.time_step, 1e-4);
        expect_round_trip(world, DPL_STAR_A);
        expect_round_trip(world, DPL_STAR_C);
        dpl_star_destroy(world);
    }
}

Test(star_dialects, shipped_worlds_are_written_as_they_are)
{
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", PROFILES "/worlds/star", shipped[i].file);
        struct dpl_star_world *world = read_file(PROFILES "/worlds/star", shipped[i].file);
        FILE *file = fopen(path, "rb");
        static char bytes[1 << 20];
        size_t n = fread(bytes, 1, sizeof bytes - 1, file), n_text;
        bytes[n] = '\0';
        fclose(file);
        char *text;
        cr_assert_eq(dpl_star_write_text(world, DPL_STAR_A, &text, &n_text), 0);
        cr_expect_str_eq(text, bytes, "%s", shipped[i].file);
        free(text);
        dpl_star_destroy(world);
    }
}

Test(star_dialects, the_worlds_of_the_guide_have_no_warnings)
{
    static const char *const names[] = {"robot.json", "door.json"};
    for (int i = 0; i < 2; i++) {
        struct dpl_star_world *world = read_file(DOCS "/reference/star", names[i]);
        expect_round_trip(world, DPL_STAR_A);
        expect_round_trip(world, DPL_STAR_C);
        dpl_star_destroy(world);
    }
}

Test(star_dialects, a_version_says_the_dialect_and_without_one_the_lists_do)
{
    static const struct {
        const char *text;
        enum dpl_star_dialect dialect;
    } cases[] = {
        {"{\"model_parameters\": {\"star_version\": \"2.0.1\"}, \"assembly\": {}}", DPL_STAR_A},
        {"{\"model_parameters\": {\"version\": \"0.2\"}, \"assemblies\": []}", DPL_STAR_B},
        {"{\"model_parameters\": {\"version\": \"2.0\"}, \"assemblies\": []}", DPL_STAR_C},
        {"{\"assemblies\": {}}", DPL_STAR_A},
        {"{\"assemblies\": []}", DPL_STAR_C},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dpl_star_world *world = read_star(cases[i].text);
        cr_expect_eq(world->dialect, cases[i].dialect, "%s", cases[i].text);
        dpl_star_destroy(world);
    }
}

Test(star_dialects, settings_of_all_dialects_are_read)
{
    static const char *const texts[] = {
        "\"integrator\": {\"type\": \"dopri5\", \"time_step\": 0.25, \"time_span\": 3, "
        "\"relative_error\": 1e-6, \"absolute_error\": 1e-7}, \"solver\": "
        "{\"infinity_norm_multiplier\": 1.5, \"correction\": \"lagged\", \"singular\": \"damp\"}, "
        "\"include_directories\": [\"x\", \"y\"]",
        "\"simulation\": {\"integration_type\": \"dopri5\", \"time_step\": 0.25, \"time_span\": 3, "
        "\"relative_error\": 1e-6, \"absolute_error\": 1e-7, \"omega_n\": 100}, \"solvers\": "
        "[{\"type\": \"rnca\", \"infinity_norm_multiplier\": 1.5, \"correction\": \"lagged\", "
        "\"singular\": \"damp\"}], \"include_dir\": [\"x\", \"y\"]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[1024];
        snprintf(text, sizeof text, "{\"model_parameters\": {%s}, \"assembly\": {}}", texts[i]);
        struct dpl_star_world *world = read_star(text);
        const struct dpl_mb_settings *solver = &world->settings.solver;
        cr_expect(solver->integrator == DPL_MB_DOPRI5 && solver->correction == DPL_MB_LAGGED);
        cr_expect(solver->relative == 1e-6 && solver->absolute == 1e-7);
        cr_expect(solver->repartition == 1.5 && solver->damps_singular);
        cr_expect(world->settings.time_step == 0.25 && world->settings.time_span == 3.0);
        cr_assert_eq(world->n_include_directories, 2);
        cr_expect_str_eq(world->include_directories[1], "y");
        dpl_star_destroy(world);
    }
}

Test(star_dialects, looks_of_bodies_have_three_forms)
{
    struct dpl_star_world *world = read_star(BODIES(
        "\"a\": {" GOOD_MASS ", \"body_def\": [\"a.obj\", \"a.mtl\"]},\n"
        "\"b\": {" GOOD_MASS ", \"definition\": [\"b.obj\"]},\n"
        "\"c\": {" GOOD_MASS ", \"geometry\": [{\"type\": \"mesh\", \"filename\": [\"c.obj\"]}, "
        "{\"filename\": \"d.stl\", \"T\": [1, 2, 3]}]}"));
    cr_assert_eq(world->n_geometries, 4);
    static const int bodies[4] = {1, 2, 3, 3};
    static const char *const files[4] = {"a.obj", "b.obj", "c.obj", "d.stl"};
    for (int i = 0; i < 4; i++) {
        cr_expect_eq(world->geometries[i].body, bodies[i]);
        cr_expect_str_eq(world->geometries[i].files[0], files[i]);
    }
    cr_expect_eq(world->geometries[0].n_files, 2);
    cr_expect_eq(world->geometries[3].place.position[2], 3.0);
    dpl_star_destroy(world);
}

Test(star_dialects, a_file_that_is_not_there_is_told)
{
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    cr_expect_eq(dpl_star_read("/no/such.json", NULL, &world, &diags), -ENOENT);
    cr_assert_eq(diags.n, 1);
    char line[256];
    dpl_diag_format(&diags.items[0], line, sizeof line);
    cr_expect_str_eq(line, "/no/such.json: error: cannot be read: No such file or directory");
    dpl_diags_finish(&diags);
}
