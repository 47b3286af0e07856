/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds and robots from XML: what arrives in the model, and where errors are reported. */
#include <errno.h>
#include <string.h>

#include <doppel/sim/entry.h>
#include <doppel/sim/mobile.h>

#include "world_reading.h"

TestSuite(load, .fini = reading_end);

/* Errors and warnings refer to the name "worlds/test.xml" beside the shipped worlds, so that robots
 * are found. */
static int read_seeded(const char *text, const struct dpl_sim_load_options *options)
{
    return dpl_sim_read_world_text(&arena, PROFILES "/worlds/test.xml", text, strlen(text), options,
                                   &model, &diags);
}

static int read_text(const char *text)
{
    return read_seeded(text, NULL);
}

static void expect(const char *name, int line, int column, enum dpl_severity severity,
                   const char *said)
{
    cr_assert_eq(diags.n, 1, "%s: %zu findings, first: %s", name, diags.n,
                 diags.n ? diags.items->text : "");
    const struct dpl_diag *diag = &diags.items[0];
    cr_assert_eq(diag->severity, severity, "%s", name);
    cr_assert_not_null(strstr(diag->text, said), "%s: %s", name, diag->text);
    cr_assert_eq(diag->place.line, line, "%s: line %d: %s", name, diag->place.line, diag->text);
    cr_assert_eq(diag->place.column, column, "%s: column %d: %s", name, diag->place.column,
                 diag->text);
}

Test(load, world_has_what_its_file_says)
{
    cr_assert_eq(read_text("<world name='w' step_ms='2' seed='9'>\n"
                           "  <ground friction='0.7'/>\n"
                           "  <box x='1' y='2' yaw='90 deg' size_x='3' size_y='40 cm'/>\n"
                           "  <wall x1='0' y1='0' x2='0' y2='4' thickness='0.2'/>\n"
                           "  <capsule x='5' y='5' radius='0.1' height='2' lying='true'/>\n"
                           "  <sphere x='6' y='6' z='3' radius='0.5'/>\n"
                           "</world>"),
                 0);
    cr_assert_eq(diags.n, 0);
    cr_assert_eq(model->step, 2 * DPL_MS);
    cr_assert_eq(model->seed, 9);
    cr_assert_float_eq(model->ground_friction, 0.7, 1e-12);
    cr_assert_eq(model->n_obstacles, 4);
    const struct dpl_sim_shape *box = &model->obstacles[0].shape;
    cr_assert_float_eq(box->yaw, DPL_PI / 2.0, 1e-12);
    cr_assert_float_eq(box->size_y, 0.4, 1e-12);
    cr_assert_float_eq(box->z, 0.5, 1e-12, "stands on the ground");
    cr_assert_float_eq(model->obstacles[1].shape.size_x, 4.0, 1e-12);
    cr_assert(model->obstacles[2].shape.lying);
    cr_assert_float_eq(model->obstacles[2].shape.z, 0.1, 1e-12);
    cr_assert_float_eq(model->obstacles[3].shape.z, 3.0, 1e-12);
}

Test(load, what_stands_still_may_be_transparent)
{
    cr_assert_eq(read_text("<world name='w'>\n"
                           "  <wall x1='0' y1='0' x2='0' y2='4' transparent='true'/>\n"
                           "  <cylinder x='5' y='5' radius='0.1' transparent='true'/>\n"
                           "  <box x='1' y='2' size_x='1' size_y='1'/>\n"
                           "</world>"),
                 0);
    cr_assert_eq(diags.n, 0);
    cr_assert(model->obstacles[0].transparent);
    cr_assert(model->obstacles[1].transparent);
    cr_assert_not(model->obstacles[2].transparent);
}

Test(load, robot_is_its_model_with_the_changes_of_the_world)
{
    cr_assert_eq(read_text("<world name='w'>\n"
                           "  <robot name='avatar' model='kobuki_urg.xml' x='1' yaw='180 deg'\n"
                           "         wheel_scale_left='0.9' axle_scale='2' latency_ms='30'/>\n"
                           "</world>"),
                 0);
    const struct dpl_sim_robot *robot = &model->robots[0];
    cr_assert_str_eq(robot->name, "avatar");
    cr_assert_float_eq(robot->start.theta, DPL_PI, 1e-12);
    const struct dpl_sim_mobile *base = robot->part;
    cr_assert_eq(base->n_wheels, 2);
    cr_assert_float_eq(base->wheels[0].radius, 0.035 * 0.9, 1e-12);
    cr_assert_float_eq(base->wheels[1].radius, 0.035, 1e-12);
    cr_assert_float_eq(base->wheels[0].y - base->wheels[1].y, 0.46, 1e-12);
    cr_assert_float_eq(base->wheels[0].latency_s, 0.03, 1e-12);
    cr_assert_float_eq(2.0 * DPL_PI / base->wheels[0].counts_per_turn, 0.002436916871, 1e-15);
    const struct dpl_sim_laser *laser = robot->entries[robot->n_entries - 1].settings;
    cr_assert_str_eq(robot->entries[robot->n_entries - 1].class_->name, "laser");
    cr_assert_eq(dpl_sim_laser_beams(laser), 682);
    cr_assert_float_eq(laser->noise, 0.003, 1e-12);
}

Test(load, absent_file_is_an_error_and_a_warning_on_request)
{
    const char *text = "<world name='w'>\n <robot name='a' model='no_such.xml'/>\n</world>";
    cr_assert_eq(read_text(text), -EINVAL);
    expect("an error", 2, 2, DPL_SEVERITY_ERROR, "'no_such.xml' is not there");
    dpl_diags_finish(&diags);
    diags = (struct dpl_diags){0};
    struct dpl_sim_load_options options = {.absent_is_warning = true};
    cr_assert_eq(read_seeded(text, &options), 0);
    expect("a warning", 2, 2, DPL_SEVERITY_WARNING, "'no_such.xml' is not there");
    cr_assert_eq(model->n_robots, 0);
}

/* 0.1755 m is the radius of the base. */
#define START_WORLD(x_, y_)                                                                        \
    "<world name='w'>\n"                                                                           \
    " <wall name='w' x1='1' y1='-1' x2='1' y2='1' thickness='0.2'/>\n"                             \
    " <cylinder name='table' x='0' y='3' z='1' radius='1' height='0.1'/>\n"                        \
    " <robot name='a' model='" PROFILES "/robots/kobuki_urg.xml' x='" #x_ "' y='" #y_              \
    "'/></world>"

Test(load, robot_that_starts_two_millimetres_in_something_is_an_error)
{
    cr_assert_eq(read_text(START_WORLD(0.7265, 0)), -EINVAL);
}

Test(load, robot_may_start_touching_something_and_below_it)
{
    cr_assert_eq(read_text(START_WORLD(0.7245, 0)), 0, "%s", diags.n ? diags.items->text : "");
    dpl_sim_model_destroy(model);
    cr_assert_eq(read_text(START_WORLD(0, 3)), 0, "%s", diags.n ? diags.items->text : "");
}

Test(load, robots_that_start_in_each_other_are_errors)
{
    cr_assert_eq(read_text("<world name='w'>\n"
                           " <robot name='a' model='" PROFILES "/robots/kobuki_urg.xml'/>\n"
                           " <robot name='b' model='" PROFILES "/robots/kobuki_urg.xml' x='0.3'/>\n"
                           "</world>"),
                 -EINVAL);
    cr_assert_eq(diags.n, 2);
    cr_assert_eq(diags.items[0].place.line, 2);
    cr_assert_eq(diags.items[1].place.line, 3);
    cr_assert_not_null(strstr(diags.items[0].text, "inside the robot 'b' at (0.3, 0)"));
}

Test(load, world_that_includes_itself_is_an_error)
{
    const char *file = UNIT "/avatar_sim/fixtures/includes_itself.xml";
    cr_assert_eq(dpl_sim_read_world(&arena, file, NULL, &model, &diags), -EINVAL);
    expect("a circle", 2, 3, DPL_SEVERITY_ERROR, "includes_itself.xml' includes itself");
}

Test(load, what_is_wrong_in_a_world_is_told_where_it_is)
{
    static const struct {
        const char *name, *text;
        int line, column;
        enum dpl_severity severity;
        const char *said;
    } rows[] = {
        {"misspelled attribute is a warning with the nearest name",
         "<world name='w'>\n"
         "  <box x='1' y='2' size_x='1' size_y='1' frictoin='1'/>\n"
         "</world>",
         2, 42, DPL_SEVERITY_WARNING, "unknown attribute 'frictoin', did you mean 'friction'?"},
        {"misspelled element is a warning with the nearest name",
         "<world name='w'>\n"
         "  <bix x='1'/>\n"
         "</world>",
         2, 3, DPL_SEVERITY_WARNING, "unknown element 'bix', did you mean 'box'?"},
        {"missing attribute is an error at the element",
         "<world name='w'>\n"
         "\n"
         "   <sphere x='1' y='2'/>\n"
         "</world>",
         3, 4, DPL_SEVERITY_ERROR, "<sphere> lacks the attribute 'radius'"},
        {"bad number is an error at its value",
         "<world name='w'>\n"
         "  <sphere x='1' y='two' radius='1'/>\n"
         "</world>",
         2, 20, DPL_SEVERITY_ERROR, "'two' is not a number"},
        {"number out of range is an error at its value", "<world name='w' step_ms='0'/>", 1, 26,
         DPL_SEVERITY_ERROR, "out of range"},
        {"unit of another dimension is an error",
         "<world name='w'>\n"
         "  <sphere x='1 s' y='2' radius='1'/>\n"
         "</world>",
         2, 14, DPL_SEVERITY_ERROR, "unit confusion"},
        {"another root is an error", "<robot_model name='r'/>", 1, 1, DPL_SEVERITY_ERROR,
         "found <robot_model>, expected <world>"},
        {"second ground is an error", "<world name='w'>\n<ground/>\n<ground/></world>", 3, 1,
         DPL_SEVERITY_ERROR, "<ground> is there 2 times, expected at most 1"},
        {"two robots of one name are an error at the second",
         "<world name='w'>\n"
         "  <robot name='a' model='hrc01.xml'/>\n"
         "  <robot name='A' model='hrc01.xml' x='3'/>\n"
         "</world>",
         3, 3, DPL_SEVERITY_ERROR, "two robots are called 'A'"},
        {"start of a robot that is not there is an error",
         "<world name='w'>\n"
         " <start robot='nobody' x1='0' y1='0' x2='1' y2='1'/>\n</world>",
         2, 2, DPL_SEVERITY_ERROR, "no robot 'nobody'"},
        {"robot that starts inside something is an error at the robot", START_WORLD(0.9, 0), 4, 2,
         DPL_SEVERITY_ERROR, "starts at (0.9, 0) inside the obstacle 'w' at (1, 0)"},
        {"wall of no length is an error",
         "<world name='w'>\n <wall x1='1' y1='1' x2='1' y2='1'/></world>", 2, 2, DPL_SEVERITY_ERROR,
         "ends where it starts"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is_error = rows[i].severity == DPL_SEVERITY_ERROR;
        cr_assert_eq(read_text(rows[i].text), is_error ? -EINVAL : 0, "%s", rows[i].name);
        expect(rows[i].name, rows[i].line, rows[i].column, rows[i].severity, rows[i].said);
        reading_end();
    }
}

Test(load, more_scattered_solids_than_fit_is_a_warning)
{
    cr_assert_eq(read_text("<world name='w'>\n"
                           " <scatter n='50' x1='0' y1='0' x2='2' y2='2'/>\n</world>"),
                 0);
    expect("50 solids", 2, 2, DPL_SEVERITY_WARNING, "of 50 only");
    cr_assert_gt(model->n_obstacles, 0);
}

/* Member by member: the padding of structs is nobody's. */
static bool same_obstacle(const struct dpl_sim_obstacle *a, const struct dpl_sim_obstacle *b)
{
    const struct dpl_sim_shape *s = &a->shape, *t = &b->shape;
    return strcmp(a->name, b->name) == 0 && a->friction == b->friction && s->kind == t->kind &&
           s->x == t->x && s->y == t->y && s->z == t->z && s->yaw == t->yaw &&
           s->size_x == t->size_x && s->size_y == t->size_y && s->size_z == t->size_z &&
           s->radius == t->radius && s->height == t->height && s->lying == t->lying &&
           a->transparent == b->transparent;
}

static bool same_floor(const struct dpl_sim_model *a, const struct dpl_sim_model *b)
{
    bool same = a->n_obstacles == b->n_obstacles &&
                memcmp(&a->robots[0].start, &b->robots[0].start, sizeof a->robots[0].start) == 0;
    for (size_t i = 0; same && i < a->n_obstacles; i++) {
        same = same_obstacle(&a->obstacles[i], &b->obstacles[i]);
    }
    return same;
}

static struct dpl_sim_model *ship(const char *file, uint64_t seed)
{
    struct dpl_sim_model *made = NULL;
    struct dpl_diag diag;
    cr_assert_eq(dpl_sim_load_world(file, seed, NULL, &made, &diag), 0, "%s", diag.text);
    return made;
}

Test(load, office_and_its_truth_have_the_same_floor_for_the_same_seed)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        model = ship(PROFILES "/worlds/office.xml", seed);
        struct dpl_sim_model *truth = ship(PROFILES "/worlds/office_truth.xml", seed);
        bool same = same_floor(model, truth);
        dpl_sim_model_destroy(truth);
        cr_assert(same, "seed %d", (int)seed);
        dpl_sim_model_destroy(model);
    }
    model = NULL;
}

Test(load, own_seed_of_a_world_starts_robots_where_they_are_drawn_and_others_elsewhere)
{
    model = ship(PROFILES "/worlds/office.xml", 1);
    struct dpl_sim_model *other = ship(PROFILES "/worlds/office.xml", 2);
    bool same = same_floor(model, other);
    dpl_sim_model_destroy(other);
    cr_assert_eq(model->robots[0].start.x, 0.0);
    cr_assert_not(same);
}

Test(load, first_error_of_an_included_file_names_that_file)
{
    struct dpl_sim_model *none = NULL;
    struct dpl_diag diag;
    cr_assert_eq(
        dpl_sim_load_world(UNIT "/avatar_sim/fixtures/includes_bad.xml", 1, NULL, &none, &diag),
        -EINVAL);
    cr_assert_str_eq(diag.place.file, UNIT "/avatar_sim/fixtures/includes_bad.xml");
    cr_assert_not_null(strstr(diag.text, "bad.xml:3:11: x: 'one' is not a number"), "%s",
                       diag.text);
}

Test(load, every_shipped_world_and_robot_reads_without_a_finding)
{
    static const char *const worlds[] = {
        PROFILES "/worlds/office.xml",
        PROFILES "/worlds/office_truth.xml",
        PROFILES "/worlds/corridor.xml",
        PROFILES "/worlds/empty.xml",
        PROFILES "/worlds/empty_truth.xml",
        PROFILES "/worlds/floor_hrc01.xml",
        PROFILES "/worlds/floor_hrc01_truth.xml",
    };
    static const char *const robots[] = {
        PROFILES "/robots/hrc01.xml",
        PROFILES "/robots/kobuki_urg.xml",
    };
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        cr_assert_eq(dpl_sim_read_world(&arena, worlds[i], NULL, &model, &diags), 0);
        cr_assert_eq(diags.n, 0, "%s: %s", worlds[i], diags.n ? diags.items->text : "");
        cr_assert_eq(model->n_robots, 1);
        dpl_sim_model_destroy(model);
        model = NULL;
    }
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        struct dpl_sim_robot robot;
        cr_assert_eq(dpl_sim_read_robot(&arena, robots[i], &robot, &diags), 0);
        cr_assert_eq(diags.n, 0);
    }
}

static int load_set_seeded(const char *const *texts, size_t n, uint64_t seed)
{
    struct dpl_sim_set sets[4];
    for (size_t i = 0; i < n; i++) {
        sets[i] = (struct dpl_sim_set){texts[i], {.file = texts[i]}};
    }
    struct dpl_sim_load_options options = {
        .sets = sets, .n_sets = n, .has_seed = seed != 0, .seed = seed};
    return dpl_sim_read_world(&arena, PROFILES "/worlds/office.xml", &options, &model, &diags);
}

static int load_set(const char *const *texts, size_t n)
{
    return load_set_seeded(texts, n, 0);
}

Test(load, a_start_that_is_set_is_the_start_with_any_seed)
{
    const char *const texts[] = {"avatar.x=-1.34", "avatar.yaw=-97 deg"};
    cr_assert_eq(load_set_seeded(texts, 2, 8001), 0, "%s", diags.n ? diags.items[0].text : "");
    cr_assert_eq(model->robots[0].start.x, -1.34);
    cr_assert_eq(model->robots[0].start.y, 0.0);
    cr_assert_float_eq(model->robots[0].start.theta, -97.0 * DPL_PI / 180.0, 1e-12);
    dpl_sim_model_destroy(model);
    model = NULL;
    cr_assert_eq(load_set_seeded(NULL, 0, 8001), 0);
    cr_assert_neq(model->robots[0].start.x, 0.0);
}

Test(load, a_set_changes_an_attribute_of_the_world_of_a_robot_or_in_its_file)
{
    const char *const texts[] = {"office.step_ms=2", "ground.friction=0.5", "avatar.mass_scale=3",
                                 "avatar.enc_left.max_torque=1"};
    struct dpl_sim_model *plain = NULL;
    cr_assert_eq(load_set(NULL, 0), 0);
    plain = model;
    cr_assert_eq(load_set(texts, 4), 0, "%s", diags.n ? diags.items[0].text : "");
    const struct dpl_sim_mobile *before = plain->robots[0].part, *after = model->robots[0].part;
    cr_assert_eq(model->step, 2 * DPL_MS);
    cr_assert_eq(model->ground_friction, 0.5);
    cr_assert_float_eq(after->mass, 3.0 * before->mass, 1e-12);
    cr_assert_eq(after->wheels[0].max_torque, 1.0);
    cr_assert_eq(after->wheels[1].max_torque, before->wheels[1].max_torque);
    dpl_sim_model_destroy(plain);
}

Test(load, a_set_that_changes_nothing_is_an_error_where_it_stands)
{
    const char *const texts[] = {"avatar.laser.nois_m=0.1", "avatr.mass_scale=2", "mass_scale=2"};
    cr_assert_eq(load_set(texts, 3), -EINVAL);
    cr_assert_eq(diags.n, 3);
    cr_assert_str_eq(diags.items[0].place.file, texts[2]);
    cr_assert_str_eq(diags.items[1].place.file, texts[0]);
    cr_assert_not_null(strstr(diags.items[1].text, "did you mean 'noise_m'?"), "%s",
                       diags.items[1].text);
    cr_assert_str_eq(diags.items[2].place.file, texts[1]);
    cr_assert_not_null(strstr(diags.items[2].text, "did you mean 'avatar'?"), "%s",
                       diags.items[2].text);
}
