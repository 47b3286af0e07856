/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of a world that stand still: boxes, balls, cylinders, capsules, walls. */
#include <stdio.h>
#include <string.h>

#include "world_xml.h"

/* A height that is not given stands the solid on the ground. */
#define ON_GROUND (-1e6)

#define TRANSPARENT_FIELD(type)                                                                    \
    DPL_BOOL(type, transparent, "transparent", "false", "sensors see through it, as glass")

#define PLACE_FIELDS(type)                                                                         \
    DPL_TEXT(type, name, "name", "", "for people"),                                                \
        DPL_NUMBER(type, shape.x, "x", "m", NULL, -10000.0, 10000.0, "centre"),                    \
        DPL_NUMBER(type, shape.y, "y", "m", NULL, -10000.0, 10000.0, "centre"),                    \
        DPL_NUMBER_OPTIONAL(type, shape.z, "z", "m", -100.0, 100.0,                                \
                            "centre; standing on the ground if not given"),                        \
        DPL_NUMBER(type, shape.yaw, "yaw", "rad", "0", -10.0, 10.0, "turn about z"),               \
        DPL_NUMBER(type, friction, "friction", NULL, "0.5", 0.0, 10.0, "against robots"),          \
        TRANSPARENT_FIELD(type)

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
    bool transparent;
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
    TRANSPARENT_FIELD(struct wall_spec),
};

/* "wall 3" is the third wall of the file and of those it includes. */
static void name_obstacle(struct dpl__world_target *target, const char *element,
                          struct dpl_sim_obstacle *obstacle)
{
    for (size_t i = 0; i < DPL_OBSTACLE_KINDS; i++) {
        if (strcmp(dpl__obstacle_kinds[i].name, element) != 0) {
            continue;
        }
        target->n_of_kind[i]++;
        if (obstacle->name[0] == '\0') {
            snprintf(obstacle->name, sizeof obstacle->name, "%s %u", element, target->n_of_kind[i]);
        }
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
    struct dpl_sim_obstacle named = *obstacle;
    name_obstacle(target, node->name, &named);
    if (dpl_sim_model_add_obstacle(target->model, &named, &diag)) {
        dpl_element_error(reader, node, &diag);
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
        if (dpl_element_fields(reader, node, solids[i].fields, solids[i].n, &obstacle)) {
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
    if (!dpl_element_fields(reader, node, wall_fields, DPL_COUNT(wall_fields), &spec)) {
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
        .transparent = spec.transparent,
    };
    snprintf(obstacle.name, sizeof obstacle.name, "%s", spec.name);
    dpl__world_add_obstacle(reader, node, &obstacle);
}

static const struct dpl_element_table box_table = DPL_ELEMENT_TABLE(box_fields);
static const struct dpl_element_table sphere_table = DPL_ELEMENT_TABLE(sphere_fields);
static const struct dpl_element_table cylinder_table = DPL_ELEMENT_TABLE(cylinder_fields);
static const struct dpl_element_table capsule_table = DPL_ELEMENT_TABLE(capsule_fields);
static const struct dpl_element_table wall_table = DPL_ELEMENT_TABLE(wall_fields);

const struct dpl_element_kind dpl__obstacle_kinds[] = {
    {"box", read_solid, 0, &box_table, "a box that stands still"},
    {"sphere", read_solid, 0, &sphere_table, "a ball that stands still"},
    {"cylinder", read_solid, 0, &cylinder_table, "an upright cylinder that stands still"},
    {"capsule", read_solid, 0, &capsule_table, "a capsule that stands still"},
    {"wall", read_wall, 0, &wall_table, "a wall between two points"},
};
_Static_assert(DPL_COUNT(dpl__obstacle_kinds) == DPL_OBSTACLE_KINDS, "all are listed");
