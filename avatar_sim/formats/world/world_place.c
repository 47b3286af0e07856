/* SPDX-License-Identifier: Apache-2.0 */
/* <start> and <scatter>: robots and solids at random places, by the world's seed. */
#include "world_xml.h"

#include <errno.h>
#include <math.h>

#include "placement.h"

enum { STREAM_PLACEMENT = 3000 };

struct start_spec {
    char robot[DPL_SIM_NAME_SIZE];
    double x1, y1, x2, y2, clearance;
    bool always;
};

#define RECTANGLE_FIELDS(type)                                                                     \
    DPL_NUMBER(type, x1, "x1", "m", NULL, -10000.0, 10000.0, "corner"),                            \
        DPL_NUMBER(type, y1, "y1", "m", NULL, -10000.0, 10000.0, "corner"),                        \
        DPL_NUMBER(type, x2, "x2", "m", NULL, -10000.0, 10000.0, "opposite corner"),               \
        DPL_NUMBER(type, y2, "y2", "m", NULL, -10000.0, 10000.0, "opposite corner")

static const struct dpl_field start_fields[] = {
    DPL_TEXT(struct start_spec, robot, "robot", NULL, "name of the robot"),
    RECTANGLE_FIELDS(struct start_spec),
    DPL_NUMBER(struct start_spec, clearance, "clearance", "m", "0.3", 0.0, 100.0,
               "from the robot's body to anything"),
    DPL_BOOL(struct start_spec, always, "always", "false",
             "also when no seed was asked for; never where a "
             "binding or --set gives x, y or yaw of the robot"),
};

const struct dpl_element_table dpl__world_start_table = DPL_ELEMENT_TABLE(start_fields);

struct scatter_spec {
    int shape;
    int64_t n;
    double x1, y1, x2, y2, size_min, size_max, height, clearance, friction;
};

static const struct dpl_field scatter_fields[] = {
    DPL_CHOICE(struct scatter_spec, shape, "shape", "box", "box|cylinder", "box or cylinder"),
    DPL_INT(struct scatter_spec, n, "n", NULL, 0.0, 500.0, "how many"),
    RECTANGLE_FIELDS(struct scatter_spec),
    DPL_NUMBER(struct scatter_spec, size_min, "size_min", "m", "0.3", 0.01, 10.0,
               "least edge or diameter"),
    DPL_NUMBER(struct scatter_spec, size_max, "size_max", "m", "0.6", 0.01, 10.0,
               "greatest edge or diameter"),
    DPL_NUMBER(struct scatter_spec, height, "height", "m", "1", 0.01, 10.0, "height"),
    DPL_NUMBER(struct scatter_spec, clearance, "clearance", "m", "0.8", 0.0, 100.0,
               "to anything else"),
    DPL_NUMBER(struct scatter_spec, friction, "friction", NULL, "0.5", 0.0, 10.0, "against robots"),
};

const struct dpl_element_table dpl__world_scatter_table = DPL_ELEMENT_TABLE(scatter_fields);

static int find_robot(const struct dpl_sim_model *model, const char *name)
{
    for (size_t i = 0; i < model->n_robots; i++) {
        if (dpl_name_equal(model->robots[i].name, name)) {
            return (int)i;
        }
    }
    return -ENOENT;
}

static void place_start(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                        struct dpl_random rng, bool move_robots)
{
    struct dpl__world_target *target = reader->target;
    struct start_spec spec = {0};
    if (!dpl_element_fields(reader, node, start_fields, DPL_COUNT(start_fields), &spec)) {
        return;
    }
    int number = find_robot(target->model, spec.robot);
    if (number < 0) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "there is no robot '%s' in this world to be placed", spec.robot);
        return;
    }
    if (!spec.always && !move_robots) {
        return;
    }
    const struct dpl__world_robot *read =
        &((struct dpl__world_robot *)target->robots.items)[number];
    struct dpl_sim_robot *robot = &target->model->robots[number];
    struct dpl_placement wanted = {
        spec.x1, spec.y1, spec.x2, spec.y2, dpl_sim_robot_radius(robot), spec.clearance, number};
    double xy[2];
    int err = dpl__placement_find(target->model, &wanted, &rng, xy);
    if (err < 0 && read->is_told) {
        return;
    }
    if (err < 0) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "no room for robot '%s' with a clearance of %g m", spec.robot,
                      spec.clearance);
        return;
    }
    robot->start = (struct dpl_pose2){xy[0], xy[1], dpl_random_uniform(&rng, -DPL_PI, DPL_PI)};
}

static struct dpl_sim_obstacle random_solid(const struct scatter_spec *spec, struct dpl_random *rng)
{
    double a = dpl_random_uniform(rng, spec->size_min, spec->size_max);
    double b = dpl_random_uniform(rng, spec->size_min, spec->size_max);
    struct dpl_sim_obstacle solid = {.name = "scattered", .friction = spec->friction};
    solid.shape.z = 0.5 * spec->height;
    solid.shape.yaw = dpl_random_uniform(rng, -DPL_PI, DPL_PI);
    if (spec->shape == 1) {
        solid.shape.kind = DPL_SIM_CYLINDER;
        solid.shape.radius = 0.5 * a;
        solid.shape.height = spec->height;
    } else {
        solid.shape.kind = DPL_SIM_BOX;
        solid.shape.size_x = a;
        solid.shape.size_y = b;
        solid.shape.size_z = spec->height;
    }
    return solid;
}

static void place_scatter(struct dpl_element_reader *reader, const struct dpl_xml_node *node,
                          struct dpl_random rng)
{
    struct dpl__world_target *target = reader->target;
    struct scatter_spec spec = {0};
    if (!dpl_element_fields(reader, node, scatter_fields, DPL_COUNT(scatter_fields), &spec)) {
        return;
    }
    if (spec.size_min > spec.size_max) {
        dpl_diags_add(reader->diags, DPL_SEVERITY_ERROR, node->place,
                      "size_min is %g m, more than size_max, which is %g m", spec.size_min,
                      spec.size_max);
        return;
    }
    for (int64_t i = 0; i < spec.n; i++) {
        struct dpl_sim_obstacle solid = random_solid(&spec, &rng);
        double radius = spec.shape == 1 ? solid.shape.radius
                                        : 0.5 * hypot(solid.shape.size_x, solid.shape.size_y);
        struct dpl_placement wanted = {spec.x1, spec.y1,        spec.x2, spec.y2,
                                       radius,  spec.clearance, -1};
        double xy[2];
        if (dpl__placement_find(target->model, &wanted, &rng, xy)) {
            dpl_diags_add(reader->diags, DPL_SEVERITY_WARNING, node->place,
                          "room for %d of %d only, with a clearance of %g m", (int)i, (int)spec.n,
                          spec.clearance);
            return;
        }
        solid.shape.x = xy[0];
        solid.shape.y = xy[1];
        dpl__world_add_obstacle(reader, node, &solid);
    }
}

static void place_told(const struct dpl__world_target *target)
{
    const struct dpl__world_robot *robots = target->robots.items;
    for (size_t i = 0; i < target->robots.n; i++) {
        if (robots[i].is_told) {
            target->model->robots[i].start = robots[i].told;
        }
    }
}

void dpl__world_place(struct dpl_element_reader *reader, bool move_robots)
{
    struct dpl__world_target *target = reader->target;
    uint64_t seed = target->model->seed, stream = STREAM_PLACEMENT;
    for (size_t i = 0; i < target->n_starts; i++) {
        size_t first = reader->diags->n;
        place_start(reader, target->starts[i], dpl_random_seeded(seed, stream++), move_robots);
        dpl_xml_say_within(target->starts[i], reader->diags, first);
    }
    for (size_t i = 0; i < target->n_scatters; i++) {
        size_t first = reader->diags->n;
        place_scatter(reader, target->scatters[i], dpl_random_seeded(seed, stream++));
        dpl_xml_say_within(target->scatters[i], reader->diags, first);
    }
    place_told(target);
}
