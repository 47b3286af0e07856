/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds with parameters, repeats and expressions: what arrives in the model, what goes to files
 * that are named, and what messages say. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/load.h>
#include <doppel/sim/mobile.h>

#include "arena.h"

static struct dpl_arena arena;
static struct dpl_diags diags;
static struct dpl_sim_model *model;
static char folder[] = "/tmp/doppel-params-XXXXXX";

static void begin(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static const char *path_of(const char *name)
{
    return dpl_arena_printf(&arena, "%s/%s", folder, name);
}

static void end(void)
{
    unlink(path_of("part.xml"));
    unlink(path_of("robot.xml"));
    rmdir(folder);
    dpl_sim_model_destroy(model);
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
}

TestSuite(params, .init = begin, .fini = end);

static void write_file(const char *name, const char *text)
{
    FILE *stream = fopen(path_of(name), "w");
    cr_assert_not_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static int read_with(const char *text, const struct dpl_sim_set *params, size_t n)
{
    struct dpl_sim_load_options options = {.params = params, .n_params = n};
    return dpl_sim_read_world_text(&arena, path_of("test.xml"), text, strlen(text), &options,
                                   &model, &diags);
}

static int read_text(const char *text)
{
    return read_with(text, NULL, 0);
}

static void expect(size_t i, int line, int column, enum dpl_severity severity, const char *said)
{
    cr_assert_lt(i, diags.n, "%zu findings", diags.n);
    const struct dpl_diag *diag = &diags.items[i];
    cr_assert_eq(diag->severity, severity);
    cr_assert_str_eq(diag->text, said);
    cr_assert_eq(diag->place.line, line, "line %d: %s", diag->place.line, diag->text);
    cr_assert_eq(diag->place.column, column, "column %d: %s", diag->place.column, diag->text);
}

static const char pillars[] = "<world name='w'>\n"
                              "  <Param name='N' value='3'/>\n"
                              "  <Repeat count='{N}' index='i'>\n"
                              "    <cylinder name='pillar{i}' x='{1.1*i}' y='{10*i} cm' "
                              "radius='0.1'/>\n"
                              "  </Repeat>\n"
                              "</world>";

Test(params, pillars_of_a_repeat_stand_in_the_world)
{
    cr_assert_eq(read_text(pillars), 0, "%s", diags.n ? diags.items[0].text : "");
    cr_assert_eq(diags.n, 0);
    cr_assert_eq(model->n_obstacles, 3);
    cr_assert_str_eq(model->obstacles[2].name, "pillar2");
    cr_assert_eq(model->obstacles[2].shape.x, 1.1 * 2.0, "exactly the number that was computed");
    cr_assert_float_eq(model->obstacles[2].shape.y, 0.2, 1e-12);
}

Test(params, value_from_outside_counts)
{
    const struct dpl_sim_set params[] = {{"N=5", {.file = "--param N=5"}}};
    cr_assert_eq(read_with(pillars, params, 1), 0);
    cr_assert_eq(model->n_obstacles, 5);
}

Test(params, unknown_or_wrong_value_from_outside_is_an_error_where_it_stands)
{
    const struct dpl_sim_set params[] = {{"NN=5", {.file = "--param NN=5"}}};
    const struct dpl_sim_set wrong[] = {{"N", {.file = "--param N"}}};
    cr_assert_eq(read_with(pillars, params, 1), -EINVAL);
    expect(0, 0, 0, DPL_SEVERITY_ERROR, "this file has no parameter 'NN', did you mean 'N'?");
    cr_assert_str_eq(diags.items[0].place.file, "--param NN=5");
    cr_assert_eq(read_with(pillars, wrong, 1), -EINVAL);
    expect(1, 0, 0, DPL_SEVERITY_ERROR, "expected NAME=VALUE, such as FLOORS=12");
}

Test(params, message_about_an_element_of_a_repeat_says_which_round)
{
    cr_assert_eq(read_text("<world name='w'>\n"
                           "  <Repeat count='2' index='i' first='100'>\n"
                           "    <sphere x='1' y='2' z='{i}' radius='1' colour='red'/>\n"
                           "  </Repeat>\n"
                           "</world>"),
                 -EINVAL);
    cr_assert_eq(diags.n, 3);
    expect(0, 3, 44, DPL_SEVERITY_WARNING, "unknown attribute 'colour', ignored (in repeat i=100)");
    expect(1, 3, 28, DPL_SEVERITY_ERROR,
           "z: 101 m is out of range, expected -100..100 m; did you mean 0.101 (101 mm)? (in "
           "repeat i=101)");
    expect(2, 3, 44, DPL_SEVERITY_WARNING, "unknown attribute 'colour', ignored (in repeat i=101)");
}

Test(params, message_about_what_is_placed_at_random_says_which_round)
{
    cr_assert_eq(read_text("<world name='w'>\n"
                           "  <Repeat count='1' index='i'><start robot='r{i}' x1='0' y1='0' x2='1' "
                           "y2='1'/></Repeat>\n"
                           "</world>"),
                 -EINVAL);
    expect(0, 2, 31, DPL_SEVERITY_ERROR,
           "there is no robot 'r0' in this world to be placed (in repeat i=0)");
}

Test(params, error_in_an_expression_stops_reading)
{
    cr_assert_eq(read_text("<world name='w'>\n"
                           "  <bix/>\n"
                           "  <sphere x='{1+}' y='2' radius='1'/>\n"
                           "</world>"),
                 -EINVAL);
    cr_assert_eq(diags.n, 1);
    expect(0, 3, 17, DPL_SEVERITY_ERROR,
           "the expression ends where a number, a name or '(' is expected");
}

Test(params, misspelled_repeat_is_a_warning_with_the_nearest_name)
{
    cr_assert_eq(read_text("<world name='w'>\n  <repeat count='2'/>\n</world>"), 0);
    expect(0, 2, 3, DPL_SEVERITY_WARNING, "unknown element 'repeat', did you mean 'Repeat'?");
}

static const char part[] = "<world name='part'>\n"
                           "  <Param name='X' value='7'/><Param name='RADIUS' value='0.5'/>\n"
                           "  <sphere x='{X}' y='2' radius='{RADIUS}'/>\n"
                           "</world>";

Test(params, include_passes_its_other_attributes)
{
    write_file("part.xml", part);
    cr_assert_eq(read_text("<world name='w'>\n"
                           "  <Param name='X' value='1'/>\n"
                           "  <include file='part.xml'/>\n"
                           "  <Repeat count='2' index='i'>\n"
                           "    <include file='part.xml' X='{X + i}'/>\n"
                           "  </Repeat>\n"
                           "</world>"),
                 0, "%s", diags.n ? diags.items[0].text : "");
    cr_assert_eq(diags.n, 0);
    cr_assert_eq(model->n_obstacles, 3);
    cr_assert_eq(model->obstacles[0].shape.x, 7.0, "names of the outer file are not known inside");
    cr_assert_eq(model->obstacles[1].shape.x, 1.0);
    cr_assert_eq(model->obstacles[2].shape.x, 2.0);
    cr_assert_eq(model->obstacles[2].shape.radius, 0.5);
}

Test(params, include_with_an_unknown_parameter_is_an_error_with_the_nearest_name)
{
    write_file("part.xml", part);
    cr_assert_eq(read_text("<world name='w'>\n"
                           "  <include file='part.xml' RADUS='1'/>\n"
                           "</world>"),
                 -EINVAL);
    cr_assert_eq(diags.n, 1);
    expect(0, 2, 28, DPL_SEVERITY_ERROR,
           "'part.xml' has no parameter 'RADUS', did you mean 'RADIUS'?");
}

Test(params, include_with_a_value_that_is_no_number_is_an_error)
{
    write_file("part.xml", part);
    cr_assert_eq(read_text("<world name='w'>\n  <include file='part.xml' X='left'/>\n</world>"),
                 -EINVAL);
    expect(0, 2, 31, DPL_SEVERITY_ERROR, "X: found 'left', expected a number");
}

Test(params, attribute_for_a_file_without_parameters_is_a_warning)
{
    write_file("part.xml", "<world name='part'><sphere x='1' y='2' radius='1'/></world>");
    cr_assert_eq(read_text("<world name='w'>\n  <include file='part.xml' X='1'/>\n</world>"), 0);
    cr_assert_eq(diags.n, 1);
    expect(0, 2, 28, DPL_SEVERITY_WARNING, "unknown attribute 'X', ignored");
}

Test(params, attribute_is_a_warning_too_when_the_file_is_not_there)
{
    cr_assert_eq(read_text("<world name='w'>\n  <include file='part.xml' X='1'/>\n</world>"),
                 -EINVAL);
    cr_assert_eq(diags.n, 2);
    cr_assert_eq(diags.n_warnings, 1);
    cr_assert_eq(read_text("<world name='w'>\n  <include X='1'/>\n</world>"), -EINVAL);
    cr_assert_eq(diags.n, 4);
    cr_assert_eq(diags.n_warnings, 2);
}

Test(params, message_in_an_included_file_says_the_round_of_the_include)
{
    write_file("part.xml", part);
    cr_assert_eq(read_text("<world name='w'>\n"
                           "  <Repeat count='2' index='i'>\n"
                           "    <include file='part.xml' RADIUS='{1 - 2*i}'/>\n"
                           "  </Repeat>\n"
                           "</world>"),
                 -EINVAL);
    cr_assert_eq(diags.n, 1);
    expect(0, 3, 33, DPL_SEVERITY_ERROR,
           "radius: -1 m is out of range, expected 0.001..1000 m (in repeat i=1)");
    cr_assert_str_eq(diags.items[0].place.file, path_of("part.xml"));
}

Test(params, small_files_that_expand_much_are_limited_together)
{
    write_file("part.xml", "<world name='part'><Repeat count='30000'>"
                           "<Repeat count='1'/></Repeat></world>");
    cr_assert_eq(read_text("<world name='w'>\n"
                           "  <Repeat count='200' index='i'><include file='part.xml'/></Repeat>\n"
                           "</world>"),
                 -EINVAL);
    cr_assert_str_eq(diags.items[0].text,
                     "the file expands to more than 100000 elements (in repeat 3198) (in repeat "
                     "i=1)",
                     "%s", diags.items[0].text);
}

static const char robot[] = "<robot_model name='r'>\n"
                            "  <Param name='AXLE' value='0.2'/>\n"
                            "  <chassis shape='cylinder' radius='0.15' height='0.1' z='0.06' "
                            "mass='2'/>\n"
                            "  <Repeat count='2' index='i'>\n"
                            "    <wheel motor='m{i}' encoder='e{i}' y='{AXLE*(0.5 - i)}' "
                            "radius='0.035'/>\n"
                            "  </Repeat>\n"
                            "</robot_model>";

Test(params, robot_passes_its_other_attributes_to_its_model)
{
    write_file("robot.xml", robot);
    cr_assert_eq(read_text("<world name='w'>\n"
                           "  <robot name='a' model='robot.xml' x='1'/>\n"
                           "  <robot name='b' model='robot.xml' x='2' AXLE='0.26'/>\n"
                           "</world>"),
                 0, "%s", diags.n ? diags.items[0].text : "");
    cr_assert_eq(diags.n, 0, "%s", diags.items[0].text);
    const struct dpl_sim_mobile *a = model->robots[0].part, *b = model->robots[1].part;
    cr_assert_eq(a->wheels[0].y, 0.1);
    cr_assert_eq(b->wheels[1].y, -0.13);
}

Test(params, robot_may_be_read_with_parameters)
{
    const struct dpl_sim_set params[] = {{"AXLE=0.3", {.file = "--param AXLE=0.3"}}};
    struct dpl_sim_load_options options = {.params = params, .n_params = 1};
    struct dpl_sim_robot read;
    write_file("robot.xml", robot);
    cr_assert_eq(dpl_sim_read_robot_with(&arena, path_of("robot.xml"), &options, &read, &diags), 0,
                 "%s", diags.n ? diags.items[0].text : "");
    const struct dpl_sim_mobile *base = read.part;
    cr_assert_eq(base->wheels[0].y, 0.15);
}

Test(params, set_finds_elements_by_their_expanded_names)
{
    const struct dpl_sim_set sets[] = {{"pillar1.radius=0.3", {.file = "--set"}}};
    struct dpl_sim_load_options options = {.sets = sets, .n_sets = 1};
    cr_assert_eq(dpl_sim_read_world_text(&arena, "w.xml", pillars, sizeof pillars - 1, &options,
                                         &model, &diags),
                 0, "%s", diags.n ? diags.items[0].text : "");
    cr_assert_eq(model->obstacles[0].shape.radius, 0.1);
    cr_assert_eq(model->obstacles[1].shape.radius, 0.3);
}

static void read_hall(const char *rows)
{
    const struct dpl_sim_set params[] = {{rows, {.file = "--param"}}};
    struct dpl_sim_load_options options = {.params = params, .n_params = 1};
    dpl_sim_model_destroy(model);
    model = NULL;
    cr_assert_eq(
        dpl_sim_read_world(&arena, PROFILES "/worlds/pillars.xml", &options, &model, &diags), 0,
        "%s", diags.n ? diags.items[0].text : "");
    cr_assert_eq(diags.n, 0);
}

Test(params, shipped_hall_grows_with_its_parameters)
{
    read_hall("ROWS=3");
    cr_assert_eq(model->n_obstacles, 4 + 3 * 4);
    cr_assert_eq(model->n_robots, 1);
    cr_assert_str_eq(model->obstacles[15].name, "pillar 2/3");
    cr_assert_eq(model->obstacles[15].shape.x, 3.0);
    cr_assert_eq(model->obstacles[15].shape.y, 2.0);
    read_hall("ROWS=40");
    cr_assert_eq(model->n_obstacles, 4 + 40 * 4);
    read_hall("COLUMNS=1");
    cr_assert_eq(model->n_robots, 0);
}

Test(params, finding_in_an_included_file_says_its_round_and_that_of_the_include)
{
    write_file("part.xml", "<world name='p'>\n<Repeat count='1' index='j'>"
                           "<sphere x='0' y='0' radius='1' size='2'/></Repeat>\n<bix/></world>");
    cr_assert_eq(read_text("<world name='w'><Repeat count='1' index='i' first='4'>"
                           "<include file='part.xml'/></Repeat></world>"),
                 0);
    expect(0, 2, 60, DPL_SEVERITY_WARNING,
           "unknown attribute 'size', ignored (in repeat j=0) (in repeat i=4)");
    expect(1, 3, 1, DPL_SEVERITY_WARNING,
           "unknown element 'bix', did you mean 'box'? (in repeat i=4)");
}
