/* SPDX-License-Identifier: Apache-2.0 */
/* <world>: ground, solids, walls, robots, other files, and what is placed at random. Robots that
 * start at random are placed after all that stands still, scattered solids last; so a seed gives
 * the same floor whatever the order in the file. */
#include "world_xml.h"

#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "mechanism_robot.h"
#include "robot_xml.h"

static const char root_name[] = "world";

struct world_spec {
    char name[DPL_SIM_NAME_SIZE];
    double step_ms;
    int64_t iterations, seed;
};

static const struct dpl_field world_fields[] = {
    DPL_TEXT(struct world_spec, name, "name", NULL, "name of the world"),
    DPL_NUMBER(struct world_spec, step_ms, "step_ms", "ms", "1", 0.01, 100.0, "step of the solver"),
    DPL_INT(struct world_spec, iterations, "iterations", "10", 1.0, 1000.0,
            "of the solver, a step"),
    DPL_INT(struct world_spec, seed, "seed", "1", 0.0, 9e15, "of noise and of random places"),
};

struct ground_spec {
    double friction;
};

static const struct dpl_field ground_fields[] = {
    DPL_NUMBER(struct ground_spec, friction, "friction", NULL, "1", 0.0, 10.0,
               "wheels multiply theirs by it"),
};

struct include_spec {
    char file[256];
};

static const struct dpl_field include_fields[] = {
    DPL_TEXT(struct include_spec, file, "file", NULL, "another world, whose contents are added"),
};

static const struct dpl_element_table include_table = DPL_ELEMENT_TABLE(include_fields);

static const struct dpl_field finish_fields[] = {
    DPL_NUMBER(struct dpl_sim_line, x1, "x1", "m", NULL, -10000.0, 10000.0, "one end"),
    DPL_NUMBER(struct dpl_sim_line, y1, "y1", "m", NULL, -10000.0, 10000.0, "one end"),
    DPL_NUMBER(struct dpl_sim_line, x2, "x2", "m", NULL, -10000.0, 10000.0, "other end"),
    DPL_NUMBER(struct dpl_sim_line, y2, "y2", "m", NULL, -10000.0, 10000.0, "other end"),
};

static void read_finish(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    struct dpl_sim_line line = {0};
    if (!dpl_element_fields(reader, node, finish_fields, DPL_COUNT(finish_fields), &line)) {
        return;
    }
    if (line.x1 == line.x2 && line.y1 == line.y2) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "the finish line ends where it starts, at (%g, %g)", line.x1, line.y1);
        return;
    }
    target->model->finish = line;
    target->model->has_finish = true;
}

static void read_ground(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    struct ground_spec spec = {0};
    if (dpl_element_fields(reader, node, ground_fields, DPL_COUNT(ground_fields), &spec)) {
        target->model->ground_friction = spec.friction;
    }
}

static const struct dpl_field place_fields[] = {
    DPL_NUMBER(struct dpl_pose2, x, "x", "m", "0", -10000.0, 10000.0, "start"),
    DPL_NUMBER(struct dpl_pose2, y, "y", "m", "0", -10000.0, 10000.0, "start"),
    DPL_NUMBER(struct dpl_pose2, theta, "yaw", "rad", "0", -10.0, 10.0, "start"),
};

/* Whether a set gave one of these. */
static bool tells_place(const struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    bool told = false;
    for (size_t i = 0; i < node->n_attributes; i++) {
        const struct dpl_xml_attribute *attribute = &node->attributes[i];
        told |= dpl_field_find(place_fields, DPL_COUNT(place_fields), attribute->name) &&
                dpl__sets_gave(reader, attribute);
    }
    return told;
}

void dpl__world_add_robot(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                          const struct dpl__robot_spec *spec, struct dpl_sim_robot *robot)
{
    static const struct dpl_sim_settings place = {.fields = place_fields,
                                                  .n = DPL_COUNT(place_fields)};
    struct dpl__world_target *target = reader->target;
    struct dpl_diag diag;
    snprintf(robot->name, sizeof robot->name, "%s", spec->name);
    dpl__element_values(dpl__sets_unchanged(reader, node), &place, &robot->start);
    if (dpl_sim_model_add_robot(target->model, robot, &diag)) {
        dpl_element_error(reader, node, &diag);
        return;
    }
    struct dpl__world_robot *kept = dpl__list_add(reader->arena, &target->robots, sizeof *kept);
    *kept = (struct dpl__world_robot){node, spec->start, tells_place(reader, node)};
}

/* The table of a <robot> with a model, and what its handlers find behind it. */
struct robot_table {
    struct dpl_element_table table; /* for schemas with the attributes of all formats */
    const struct dpl_format *const *formats;
    struct dpl_sim_settings *settings; /* [formats] of those with `read` */
    struct dpl_element_table *tables;  /* [formats] */
};

/* The number of the format that the <robot> names; that of the list's end: none. */
static size_t format_of(const struct dpl_format *const *formats, const struct dpl_xml_node *node)
{
    size_t i = 0;
    while (formats[i] &&
           !(formats[i]->attribute && dpl_xml_attribute_like(node, formats[i]->attribute))) {
        i++;
    }
    return i;
}

static const struct dpl_element_table *choose_robot(const struct dpl_xml_node *node,
                                                    const struct dpl_element_table *table)
{
    const struct robot_table *robot = (const struct robot_table *)table;
    size_t i = format_of(robot->formats, node);
    return robot->formats[i] ? &robot->tables[i] : table;
}

void dpl__world_say_needs_file(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    const struct dpl__world_target *target = reader->target;
    const char *text = "'model'", *last = NULL;
    for (size_t i = 0; target->formats[i]; i++) {
        if (target->formats[i]->attribute) {
            text = last ? dpl_arena_printf(reader->arena, "%s, '%s'", text, last) : text;
            last = target->formats[i]->attribute;
        }
    }
    dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                  "<robot> needs one of the attributes %s and '%s'", text, last ? last : "");
}

/* A <robot> whose format makes a mechanism of its file. */
static void read_mechanism(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                           const struct dpl_format *format, const struct dpl_sim_settings *all)
{
    struct dpl__world_target *target = reader->target;
    struct dpl__robot_spec *spec = dpl__settings_make(reader->arena, all);
    void *settings = dpl__settings_make(reader->arena, &format->settings);
    struct dpl_sim_robot robot;
    if (!dpl_element_fields(reader, node, all->fields, all->n, spec)) {
        return;
    }
    dpl__element_values(node, &format->settings, settings);
    const char *path =
        dpl__world_find(reader, node, dpl_xml_attribute_like(node, format->attribute)->value);
    const struct dpl_format_file file = {path, settings};
    if (path && dpl__format_robot_read(reader, format, &file, target->model, &robot)) {
        dpl__world_add_robot(reader, node, spec, &robot);
    }
}

static const struct dpl_field named_fields[] = {
    DPL_TEXT(struct dpl__robot_spec, name, "name", NULL, "name of the robot"),
    DPL_NUMBER(struct dpl__robot_spec, start.x, "x", "m", "0", -10000.0, 10000.0, "start"),
    DPL_NUMBER(struct dpl__robot_spec, start.y, "y", "m", "0", -10000.0, 10000.0, "start"),
    DPL_NUMBER(struct dpl__robot_spec, start.theta, "yaw", "rad", "0", -10.0, 10.0, "start"),
};

static struct robot_table *robot_table(struct dpl_arena *arena, const struct dpl__classes *classes,
                                       const struct dpl_format *const *formats)
{
    struct robot_table *robot = dpl_arena_alloc(arena, sizeof *robot);
    struct dpl_sim_settings all = classes->robot;
    size_t n = 0;
    while (formats[n]) {
        n++;
    }
    robot->formats = formats;
    robot->settings = dpl_arena_alloc(arena, n * sizeof *robot->settings);
    robot->tables = dpl_arena_alloc(arena, n * sizeof *robot->tables);
    for (size_t i = 0; i < n; i++) {
        struct dpl_field *field = dpl_arena_alloc(arena, sizeof *field);
        const struct dpl_sim_settings one = {field, 1, 256, NULL};
        *field = (struct dpl_field){.name = formats[i]->attribute,
                                    .type = DPL_FIELD_STRING,
                                    .size = 256,
                                    .default_text = "",
                                    .summary = formats[i]->summary};
        if (formats[i]->attribute) {
            dpl__settings_merge(arena, &all, &one);
        }
        if (formats[i]->read) {
            struct dpl_sim_settings *own = &robot->settings[i];
            *own = (struct dpl_sim_settings){named_fields, DPL_COUNT(named_fields),
                                             sizeof(struct dpl__robot_spec), NULL};
            dpl__settings_merge(arena, own, &one);
            dpl__settings_merge(arena, own, &formats[i]->settings);
            robot->tables[i] = (struct dpl_element_table){.fields = own->fields, .n = own->n};
        } else if (formats[i]->table) {
            robot->tables[i] = *formats[i]->table;
        }
    }
    robot->table = (struct dpl_element_table){.fields = all.fields, .n = all.n};
    return robot;
}

static void read_robot(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    size_t i = format_of(target->formats, node);
    const struct dpl_format *format = target->formats[i];
    if (format && format->read_robot) {
        format->read_robot(reader, node);
        return;
    }
    if (format) {
        read_mechanism(reader, node, format, &target->robot_settings[i]);
        return;
    }
    const struct dpl_element_table table = {.fields = target->classes.robot.fields,
                                            .n = target->classes.robot.n};
    struct dpl__robot_spec *spec = dpl__settings_make(reader->arena, &target->classes.robot);
    const char *path = NULL;
    struct dpl_sim_robot robot;
    struct dpl_diag diag;
    if (!dpl__world_read_fields(reader, node, &table, spec)) {
        return;
    }
    if (spec->model[0] == '\0') {
        dpl__world_say_needs_file(reader, node);
        return;
    }
    const struct dpl_xml_node *root =
        dpl__world_read_named(reader, node, &table, spec->model, &path);
    target->sets.robot = spec->name;
    bool good = root && (dpl_sim_is_objects(root)
                             ? dpl__mechanism_robot_read(reader, root, path, &target->classes,
                                                         target->model, &robot)
                             : dpl__robot_read(reader, root, &target->classes,
                                               target->model->memory, &robot));
    target->sets.robot = NULL;
    if (!good) {
        return;
    }
    snprintf(robot.name, sizeof robot.name, "%s", spec->name);
    if (dpl__classes_choose_solver(&target->classes, &robot, spec->solver, &diag)) {
        dpl_element_error(reader, node, &diag);
        return;
    }
    dpl__robot_change(reader, node, &target->classes, &robot);
    dpl__world_add_robot(reader, node, spec, &robot);
}

static void read_contents(struct dpl_element_reader *reader, const struct dpl_xml_node *root);

/* Bounds the time that files take which include each other many times. */
static bool may_include(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    if (target->depth >= DPL_WORLD_DEPTH_MAX) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "worlds include each other more than %d deep", DPL_WORLD_DEPTH_MAX);
        return false;
    }
    if (++target->n_includes == DPL_WORLD_INCLUDES_MAX + 1) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "more than %d worlds are included in all", DPL_WORLD_INCLUDES_MAX);
    }
    return target->n_includes <= DPL_WORLD_INCLUDES_MAX;
}

/* A file has many paths, but one number. Notes `path` as that of the world to be read next. */
static bool includes_itself(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                            const char *path)
{
    struct dpl__world_target *target = reader->target;
    struct stat *around = target->including, *next = &around[target->depth + 1];
    if (target->depth == 0 && stat(target->file, &around[0]) != 0) {
        around[0] = (struct stat){0};
    }
    if (stat(path, next) != 0) {
        return false;
    }
    for (const struct stat *file = around; file < next; file++) {
        if (file->st_dev == next->st_dev && file->st_ino == next->st_ino) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                          "the world '%s' includes itself", path);
            return true;
        }
    }
    return false;
}

void dpl__world_include(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    struct include_spec spec = {0};
    const char *path = NULL;
    if (!dpl__world_read_fields(reader, node, &include_table, &spec)) {
        return;
    }
    if (!may_include(reader, node)) {
        return;
    }
    const struct dpl_xml_node *root =
        dpl__world_read_named(reader, node, &include_table, spec.file, &path);
    if (!root || !dpl__element_is(reader, root, root_name) || includes_itself(reader, node, path)) {
        return;
    }
    const char *outer = target->file;
    target->file = path;
    target->depth++;
    read_contents(reader, root);
    target->depth--;
    target->file = outer;
}

static void defer(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                  const struct dpl_xml_node **list, size_t *n)
{
    if (*n == DPL_WORLD_DEFERRED_MAX) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place, "more than %d <%s>",
                      DPL_WORLD_DEFERRED_MAX, node->name);
        return;
    }
    list[(*n)++] = node;
}

static void defer_start(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    defer(reader, node, target->starts, &target->n_starts);
}

static void defer_scatter(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    defer(reader, node, target->scatters, &target->n_scatters);
}

static const struct dpl_element_table ground_table = DPL_ELEMENT_TABLE(ground_fields);
static const struct dpl_element_table finish_table = DPL_ELEMENT_TABLE(finish_fields);

/* All but obstacles, and <robot>, whose attributes depend on the classes that there are. */
static const struct dpl_element_kind kinds[] = {
    {"ground", read_ground, 1, &ground_table, "the floor"},
    {"finish", read_finish, 1, &finish_table, "the line on the ground where a run ends"},
    {"include", dpl__world_include, 0, &include_table, "the contents of another world", true},
    {"start", defer_start, DPL_WORLD_DEFERRED_MAX, &dpl__world_start_table,
     "a robot's random start"},
    {"scatter", defer_scatter, DPL_WORLD_DEFERRED_MAX, &dpl__world_scatter_table,
     "solids at random places"},
};

static struct dpl_element_root root_of(struct dpl_arena *arena, struct robot_table *robot)
{
    struct dpl__list all = {0};
    dpl__element_add_kinds(arena, &all, dpl__obstacle_kinds, DPL_OBSTACLE_KINDS);
    dpl__element_add_kinds(arena, &all, kinds, DPL_COUNT(kinds));
    dpl__element_add_kinds(arena, &all,
                           &(struct dpl_element_kind){"robot", read_robot, DPL_SIM_ROBOTS_MAX,
                                                      &robot->table, "a robot", true, choose_robot},
                           1);
    return (struct dpl_element_root){
        .name = root_name,
        .table = {world_fields, DPL_COUNT(world_fields), all.items, all.n},
        .summary = "a simulated world",
    };
}

struct dpl_element_root dpl__world_root(struct dpl_arena *arena, const struct dpl__classes *classes)
{
    const struct dpl_format *const *formats = dpl_sim_formats(arena, classes->catalog, NULL);
    return root_of(arena, robot_table(arena, classes, formats));
}

static void read_contents(struct dpl_element_reader *reader, const struct dpl_xml_node *root)
{
    const struct dpl__world_target *target = reader->target;
    dpl__element_children(reader, root, &target->root.table);
}

static void report_start(void *user, size_t robot, const struct dpl_diag *diag)
{
    struct dpl_element_reader *reader = user;
    const struct dpl__world_target *target = reader->target;
    const struct dpl_xml_node *node = ((struct dpl__world_robot *)target->robots.items)[robot].node;
    size_t first = reader->diags->n;
    dpl_element_error(reader, node, diag);
    dpl_xml_say_within(node, reader->diags, first);
}

static void check_starts(struct dpl_element_reader *reader)
{
    const struct dpl__world_target *target = reader->target;
    const struct dpl_subsystem_class *const *all = target->classes.subsystems.items;
    for (size_t k = 0; k < target->classes.subsystems.n; k++) {
        bool is_there = false;
        for (size_t i = 0; i < target->model->n_robots; i++) {
            is_there |= target->model->robots[i].subsystem == all[k];
        }
        if (is_there && all[k]->check_starts) {
            all[k]->check_starts(target->model, report_start, reader);
        }
    }
}

/* One of the two ways to give a seed would have no effect. */
static void check_seed(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                       const struct dpl_sim_load_options *options)
{
    for (size_t i = 0; i < root->n_attributes && options->has_seed; i++) {
        const struct dpl_xml_attribute *attribute = &root->attributes[i];
        if (dpl__sets_gave(reader, attribute) && dpl_name_equal(attribute->name, "seed")) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, attribute->place,
                          "a seed is given for all of the world (--seed)");
        }
    }
}

void dpl__world_read(struct dpl_element_reader *reader, const struct dpl_xml_node *root)
{
    struct dpl__world_target *target = reader->target;
    struct world_spec spec = {0};
    if (!dpl__element_is(reader, root, root_name)) {
        return;
    }
    dpl__classes_make(reader->arena, target->options, &target->classes);
    target->formats = dpl_sim_formats(reader->arena, target->options->catalog, NULL);
    struct robot_table *robot = robot_table(reader->arena, &target->classes, target->formats);
    target->robot_settings = robot->settings;
    target->root = root_of(reader->arena, robot);
    dpl__sets_parse(reader, target->options, &target->sets);
    root = dpl__sets_change(reader, root, &target->root.table, true);
    check_seed(reader, root, target->options);
    dpl_element_fields(reader, root, world_fields, DPL_COUNT(world_fields), &spec);
    struct dpl_sim_model *model = target->model;
    snprintf(model->name, sizeof model->name, "%s", spec.name);
    model->step = dpl_ns_from_s(spec.step_ms * 1e-3);
    model->iterations = (int)spec.iterations;
    model->seed = target->options->has_seed ? target->options->seed : (uint64_t)spec.seed;
    read_contents(reader, root);
    dpl__sets_report(reader);
    if (reader->diags->n_errors == 0) {
        dpl__world_place(reader, model->seed != (uint64_t)spec.seed);
    }
    if (reader->diags->n_errors == 0) {
        check_starts(reader);
    }
}
