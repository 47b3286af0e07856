/* SPDX-License-Identifier: Apache-2.0 */
/* <world>: ground, solids, walls, robots, other files, and what is placed at random. Robots that
 * start at random are placed after all that stands still, scattered solids last; so a seed gives
 * the same floor whatever the order in the file. */
#include "world_xml.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <doppel/host/catalog.h>

#include "arena.h"
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

/* A height that is not given stands the solid on the ground. */
#define ON_GROUND (-1e6)

#define PLACE_FIELDS(type)                                                                         \
    DPL_TEXT(type, name, "name", "", "for people"),                                                \
        DPL_NUMBER(type, shape.x, "x", "m", NULL, -10000.0, 10000.0, "centre"),                    \
        DPL_NUMBER(type, shape.y, "y", "m", NULL, -10000.0, 10000.0, "centre"),                    \
        DPL_NUMBER_OPTIONAL(type, shape.z, "z", "m", -100.0, 100.0,                                \
                            "centre; standing on the ground if not given"),                        \
        DPL_NUMBER(type, shape.yaw, "yaw", "rad", "0", -10.0, 10.0, "turn about z"),               \
        DPL_NUMBER(type, friction, "friction", NULL, "0.5", 0.0, 10.0, "against robots")

static const struct dpl_field box_fields[] = {
    PLACE_FIELDS(struct dpl_sim_obstacle),
    DPL_NUMBER(struct dpl_sim_obstacle, shape.size_x, "size_x", "m", NULL, 0.001, 10000.0, "edge"),
    DPL_NUMBER(struct dpl_sim_obstacle, shape.size_y, "size_y", "m", NULL, 0.001, 10000.0, "edge"),
    DPL_NUMBER(struct dpl_sim_obstacle, shape.size_z, "size_z", "m", "1", 0.001, 10000.0, "edge"),
};

static const struct dpl_field sphere_fields[] = {
    PLACE_FIELDS(struct dpl_sim_obstacle),
    DPL_NUMBER(struct dpl_sim_obstacle, shape.radius, "radius", "m", NULL, 0.001, 1000.0, "radius"),
};

static const struct dpl_field cylinder_fields[] = {
    PLACE_FIELDS(struct dpl_sim_obstacle),
    DPL_NUMBER(struct dpl_sim_obstacle, shape.radius, "radius", "m", NULL, 0.001, 1000.0, "radius"),
    DPL_NUMBER(struct dpl_sim_obstacle, shape.height, "height", "m", "1", 0.001, 1000.0,
               "whole height"),
};

static const struct dpl_field capsule_fields[] = {
    PLACE_FIELDS(struct dpl_sim_obstacle),
    DPL_NUMBER(struct dpl_sim_obstacle, shape.radius, "radius", "m", NULL, 0.001, 1000.0, "radius"),
    DPL_NUMBER(struct dpl_sim_obstacle, shape.height, "height", "m", "1", 0.001, 1000.0,
               "length of the straight part"),
    DPL_BOOL(struct dpl_sim_obstacle, shape.lying, "lying", "false", "along x instead of upright"),
};

struct wall_spec {
    char name[DPL_SIM_NAME_SIZE];
    double x1, y1, x2, y2, thickness, height, friction;
};

static const struct dpl_field wall_fields[] = {
    DPL_TEXT(struct wall_spec, name, "name", "", "for people"),
    DPL_NUMBER(struct wall_spec, x1, "x1", "m", NULL, -10000.0, 10000.0, "start"),
    DPL_NUMBER(struct wall_spec, y1, "y1", "m", NULL, -10000.0, 10000.0, "start"),
    DPL_NUMBER(struct wall_spec, x2, "x2", "m", NULL, -10000.0, 10000.0, "end"),
    DPL_NUMBER(struct wall_spec, y2, "y2", "m", NULL, -10000.0, 10000.0, "end"),
    DPL_NUMBER(struct wall_spec, thickness, "thickness", "m", "0.1", 0.001, 10.0, "thickness"),
    DPL_NUMBER(struct wall_spec, height, "height", "m", "2.5", 0.001, 100.0, "height"),
    DPL_NUMBER(struct wall_spec, friction, "friction", NULL, "0.5", 0.0, 10.0, "against robots"),
};

struct include_spec {
    char file[256];
};

static const struct dpl_field include_fields[] = {
    DPL_TEXT(struct include_spec, file, "file", NULL, "another world, whose contents are added"),
};

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
    if (!dpl__element_fields(reader, node, finish_fields, DPL_COUNT(finish_fields), &line)) {
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
    if (dpl__element_fields(reader, node, ground_fields, DPL_COUNT(ground_fields), &spec)) {
        target->model->ground_friction = spec.friction;
    }
}

void dpl__world_add_obstacle(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                             const struct dpl_sim_obstacle *obstacle)
{
    struct dpl__world_target *target = reader->target;
    struct dpl_diag diag;
    if (target->is_full) {
        return;
    }
    target->is_full = target->model->n_obstacles >= DPL_SIM_OBSTACLES_MAX;
    if (dpl_sim_model_add_obstacle(target->model, obstacle, &diag)) {
        dpl__element_error(reader, node, &diag);
    }
}

/* The height of the centre of a solid that stands on the ground. */
static double standing(const struct dpl_sim_shape *shape)
{
    switch (shape->kind) {
    case DPL_SIM_BOX: return 0.5 * shape->size_z;
    case DPL_SIM_CYLINDER: return 0.5 * shape->height;
    case DPL_SIM_CAPSULE: return shape->radius + (shape->lying ? 0.0 : 0.5 * shape->height);
    case DPL_SIM_SPHERE: break;
    }
    return shape->radius;
}

static void read_solid(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    static const struct {
        const char *element;
        enum dpl_sim_kind kind;
        const struct dpl_field *fields;
        size_t n;
    } solids[] = {
        {"box", DPL_SIM_BOX, box_fields, DPL_COUNT(box_fields)},
        {"sphere", DPL_SIM_SPHERE, sphere_fields, DPL_COUNT(sphere_fields)},
        {"cylinder", DPL_SIM_CYLINDER, cylinder_fields, DPL_COUNT(cylinder_fields)},
        {"capsule", DPL_SIM_CAPSULE, capsule_fields, DPL_COUNT(capsule_fields)},
    };
    for (size_t i = 0; i < DPL_COUNT(solids); i++) {
        if (strcmp(node->name, solids[i].element) != 0) {
            continue;
        }
        struct dpl_sim_obstacle obstacle = {.shape = {.kind = solids[i].kind, .z = ON_GROUND}};
        if (dpl__element_fields(reader, node, solids[i].fields, solids[i].n, &obstacle)) {
            if (obstacle.shape.z <= ON_GROUND) {
                obstacle.shape.z = standing(&obstacle.shape);
            }
            dpl__world_add_obstacle(reader, node, &obstacle);
        }
    }
}

static void read_wall(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct wall_spec spec = {0};
    if (!dpl__element_fields(reader, node, wall_fields, DPL_COUNT(wall_fields), &spec)) {
        return;
    }
    if (spec.x1 == spec.x2 && spec.y1 == spec.y2) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "the wall ends where it starts, at (%g, %g)", spec.x1, spec.y1);
        return;
    }
    struct dpl_sim_obstacle obstacle = {
        .shape = dpl_sim_wall((double[2]){spec.x1, spec.y1}, (double[2]){spec.x2, spec.y2},
                              spec.thickness, spec.height),
        .friction = spec.friction,
    };
    snprintf(obstacle.name, sizeof obstacle.name, "%s", spec.name);
    dpl__world_add_obstacle(reader, node, &obstacle);
}

/* The file beside the one being read, in a sibling folder or on the profile path; NULL when there
 * is none. */
static const char *find_file(struct dpl_element_reader *reader, const char *name)
{
    static const char *const folders[] = {"", "../robots/", "../worlds/"};
    static const char *const kinds[] = {NULL, "robots", "worlds"};
    const struct dpl__world_target *target = reader->target;
    const char *slash = strrchr(target->file, '/');
    int length = slash ? (int)(slash + 1 - target->file) : 0;
    if (*name == '/') {
        return access(name, R_OK) == 0 ? name : NULL;
    }
    for (size_t i = 0; i < DPL_COUNT(folders); i++) {
        const char *path =
            dpl_arena_printf(reader->arena, "%.*s%s%s", length, target->file, folders[i], name);
        if (access(path, R_OK) == 0) {
            return path;
        }
    }
    struct dpl_catalog *catalog = target->options->catalog;
    for (size_t i = 1; catalog && i < DPL_COUNT(folders); i++) {
        const char *path = dpl_catalog_find_profile(catalog, kinds[i], name, NULL);
        if (path) {
            return path;
        }
    }
    return NULL;
}

/* Reads a file that an element names; reports its absence at the attribute's element. */
static const struct dpl_xml_node *read_named(struct dpl_element_reader *reader,
                                             const struct dpl_xml_node *node, const char *name,
                                             const char **ret_path)
{
    const struct dpl__world_target *target = reader->target;
    const char *path = find_file(reader, dpl_arena_strdup(reader->arena, name));
    const struct dpl_xml_node *root = NULL;
    struct dpl_diag diag;
    if (!path) {
        bool warn = target->options->absent_is_warning;
        dpl_diags_add(reader->diags, warn ? DPL_SEVERITY_WARNING : DPL_SEVERITY_ERROR, node->place,
                      "file '%s' is not there, looked beside '%s', in ../robots and ../worlds%s",
                      name, target->file,
                      target->options->catalog ? ", and on the profile path" : "");
        return NULL;
    }
    if (dpl_xml_read_file(reader->arena, path, &root, &diag)) {
        dpl_diags_add_diag(reader->diags, &diag);
        return NULL;
    }
    *ret_path = path;
    return root;
}

static void read_robot(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    const struct dpl_sim_settings *table = &target->classes.robot;
    struct dpl__robot_spec *spec = dpl__settings_make(reader->arena, table);
    const char *path = NULL;
    struct dpl_sim_robot robot;
    struct dpl_diag diag;
    if (!dpl__element_fields(reader, node, table->fields, table->n, spec)) {
        return;
    }
    const struct dpl_xml_node *root = read_named(reader, node, spec->model, &path);
    target->sets.robot = spec->name;
    bool good =
        root && dpl__robot_read(reader, root, &target->classes, target->model->memory, &robot);
    target->sets.robot = NULL;
    if (!good) {
        return;
    }
    snprintf(robot.name, sizeof robot.name, "%s", spec->name);
    robot.start = spec->start;
    dpl__robot_change(reader, node, &target->classes, &robot);
    if (dpl_sim_model_add_robot(target->model, &robot, &diag)) {
        dpl__element_error(reader, node, &diag);
        return;
    }
    *(const struct dpl_xml_node **)dpl__list_add(reader->arena, &target->robots, sizeof node) =
        node;
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

static void read_include(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    struct dpl__world_target *target = reader->target;
    struct include_spec spec = {0};
    const char *path = NULL;
    if (!dpl__element_fields(reader, node, include_fields, DPL_COUNT(include_fields), &spec)) {
        return;
    }
    if (!may_include(reader, node)) {
        return;
    }
    const struct dpl_xml_node *root = read_named(reader, node, spec.file, &path);
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
static const struct dpl_element_table box_table = DPL_ELEMENT_TABLE(box_fields);
static const struct dpl_element_table sphere_table = DPL_ELEMENT_TABLE(sphere_fields);
static const struct dpl_element_table cylinder_table = DPL_ELEMENT_TABLE(cylinder_fields);
static const struct dpl_element_table capsule_table = DPL_ELEMENT_TABLE(capsule_fields);
static const struct dpl_element_table wall_table = DPL_ELEMENT_TABLE(wall_fields);
static const struct dpl_element_table finish_table = DPL_ELEMENT_TABLE(finish_fields);
static const struct dpl_element_table include_table = DPL_ELEMENT_TABLE(include_fields);

/* The attributes of <robot> depend on the classes that there are. */
static const struct dpl_element_kind kinds[] = {
    {"ground", read_ground, 1, &ground_table, "the floor"},
    {"box", read_solid, 0, &box_table, "a box that stands still"},
    {"sphere", read_solid, 0, &sphere_table, "a ball that stands still"},
    {"cylinder", read_solid, 0, &cylinder_table, "an upright cylinder that stands still"},
    {"capsule", read_solid, 0, &capsule_table, "a capsule that stands still"},
    {"wall", read_wall, 0, &wall_table, "a wall between two points"},
    {"robot", read_robot, DPL_SIM_ROBOTS_MAX, NULL, "a robot"},
    {"finish", read_finish, 1, &finish_table, "the line on the ground where a run ends"},
    {"include", read_include, 0, &include_table, "the contents of another world"},
    {"start", defer_start, DPL_WORLD_DEFERRED_MAX, &dpl__world_start_table,
     "a robot's random start"},
    {"scatter", defer_scatter, DPL_WORLD_DEFERRED_MAX, &dpl__world_scatter_table,
     "solids at random places"},
};

struct dpl_element_root dpl__world_root(struct dpl_arena *arena, const struct dpl__classes *classes)
{
    struct dpl_element_kind *all = dpl_arena_alloc(arena, sizeof kinds);
    struct dpl_element_table *robot = dpl_arena_alloc(arena, sizeof *robot);
    memcpy(all, kinds, sizeof kinds);
    *robot = (struct dpl_element_table){classes->robot.fields, classes->robot.n};
    for (size_t i = 0; i < DPL_COUNT(kinds); i++) {
        all[i].table = all[i].table ? all[i].table : robot;
    }
    return (struct dpl_element_root){
        .name = root_name,
        .table = DPL_ELEMENT_TABLE(world_fields),
        .kinds = all,
        .n_kinds = DPL_COUNT(kinds),
        .summary = "a simulated world",
    };
}

static void read_contents(struct dpl_element_reader *reader, const struct dpl_xml_node *root)
{
    const struct dpl__world_target *target = reader->target;
    dpl__element_children(reader, root, &target->root);
}

static void report_start(void *user, size_t robot, const struct dpl_diag *diag)
{
    struct dpl_element_reader *reader = user;
    const struct dpl__world_target *target = reader->target;
    const struct dpl_xml_node *const *nodes = target->robots.items;
    dpl__element_error(reader, nodes[robot], diag);
}

static void check_starts(struct dpl_element_reader *reader)
{
    const struct dpl__world_target *target = reader->target;
    for (const struct dpl_subsystem_class *const *class = dpl__subsystems; *class; class ++) {
        bool is_there = false;
        for (size_t i = 0; i < target->model->n_robots; i++) {
            is_there |= target->model->robots[i].subsystem == *class;
        }
        if (is_there && (*class)->check_starts) {
            (*class)->check_starts(target->model, report_start, reader);
        }
    }
}

/* One of the two ways to give a seed would have no effect. */
static void check_seed(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                       const struct dpl_sim_load_options *options)
{
    for (size_t i = 0; i < root->n_attributes && options->has_seed; i++) {
        const struct dpl_xml_attribute *attribute = &root->attributes[i];
        if (dpl__sets_gave(attribute) && dpl_name_equal(attribute->name, "seed")) {
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
    dpl__classes_make(reader->arena, target->options->entries, &target->classes);
    target->root = dpl__world_root(reader->arena, &target->classes);
    dpl__sets_parse(reader, target->options, &target->sets);
    root = dpl__sets_change(reader, root, &target->root.table, true);
    check_seed(reader, root, target->options);
    dpl__element_fields(reader, root, world_fields, DPL_COUNT(world_fields), &spec);
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
