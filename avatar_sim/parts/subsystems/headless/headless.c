/* SPDX-License-Identifier: Apache-2.0 */
/* Integrators: each robot is a body on the ground that moves at once as it is told, through
 * everything. No solver: for tests, and where only sensors matter. It has no joints. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include <doppel/sim/channel_rows.h>
#include <doppel/sim/subsystem.h>

#include "arena.h"
#include "classes.h"
#include "element.h"
#include "model_checks.h"

extern const struct dpl_subsystem_class dpl_headless_subsystem;

/* What a robot of this subsystem is. */
struct integrator {
    double radius, height;      /* of the upright cylinder that lasers see */
    double max_speed, max_turn; /* m/s, rad/s */
};

/* Where it is, and how it is told to move, as its heading sees it. */
struct mover {
    const struct integrator *settings;
    int robot, body;
    struct dpl_pose2 pose;
    double speed, turn; /* m/s, rad/s */
};

struct headless {
    struct dpl_sim_state *state;
    struct mover *movers; /* [n] */
    size_t n;
};

/* ---- reading ---- */

static const struct dpl_field integrator_fields[] = {
    DPL_NUMBER(struct integrator, radius, "radius", "m", "0.2", 0.001, 10.0,
               "of the upright cylinder that others see"),
    DPL_NUMBER(struct integrator, height, "height", "m", "0.5", 0.001, 10.0, "of that cylinder"),
    DPL_NUMBER(struct integrator, max_speed, "max_speed", "m/s", "1", 0.0, 100.0, "forward"),
    DPL_NUMBER(struct integrator, max_turn, "max_turn", "rad/s", "2", 0.0, 100.0, "turn rate"),
};

static void read_integrator(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    const struct dpl__robot_target *target = reader->target;
    dpl_element_fields(reader, node, integrator_fields, DPL_COUNT(integrator_fields),
                       target->draft);
}

static const struct dpl_element_table integrator_table = DPL_ELEMENT_TABLE(integrator_fields);

static const struct dpl_element_kind elements[] = {
    {"integrator", read_integrator, 1, &integrator_table,
     "a body that moves at once as commanded, through everything; in place of a mobile base"},
};

static void finish(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                   const void *root_values)
{
    const struct dpl__robot_target *target = reader->target;
    struct integrator *part = dpl_arena_alloc(target->memory, sizeof *part);
    struct dpl_sim_shape *shape = dpl_arena_alloc(target->memory, sizeof *shape);
    (void)root;
    (void)root_values;
    memcpy(part, target->draft, sizeof *part);
    *shape = (struct dpl_sim_shape){.kind = DPL_SIM_CYLINDER,
                                    .z = 0.5 * part->height,
                                    .radius = part->radius,
                                    .height = part->height};
    target->robot->part = part;
    target->robot->shapes = shape;
    target->robot->n_shapes = 1;
}

static int check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    const struct integrator *part = robot->part;
    int rc = dpl__check_range(part->max_speed, 0.0, 100.0, "max_speed of an integrator", reterr);
    return rc ? rc
              : dpl__check_range(part->max_turn, 0.0, 100.0, "max_turn of an integrator", reterr);
}

/* ---- running ---- */

static void count(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout)
{
    (void)robot;
    inout->n_bodies = 1;
}

static void publish(const struct dpl_sim_bodies *bodies, const struct mover *mover)
{
    double c = cos(mover->pose.theta), s = sin(mover->pose.theta);
    const double position[3] = {mover->pose.x, mover->pose.y, 0.0};
    const double rotation[3][3] = {{c, -s, 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}};
    const double velocity[3] = {mover->speed * c, mover->speed * s, 0.0};
    const double angular[3] = {0.0, 0.0, mover->turn};
    memcpy(bodies->position[mover->body], position, sizeof position);
    memcpy(bodies->rotation[mover->body], rotation, sizeof rotation);
    memcpy(bodies->velocity[mover->body], velocity, sizeof velocity);
    memcpy(bodies->angular[mover->body], angular, sizeof angular);
}

static int build(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    struct headless *headless = data;
    (void)reterr;
    headless->state = site->state;
    headless->movers =
        dpl_world_alloc(site->world, site->model->n_robots, sizeof *headless->movers);
    if (!headless->movers) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < site->model->n_robots; i++) {
        const struct dpl_sim_robot *robot = &site->model->robots[i];
        if (robot->subsystem == &dpl_headless_subsystem) {
            struct mover *mover = &headless->movers[headless->n++];
            *mover = (struct mover){.settings = robot->part,
                                    .robot = (int)i,
                                    .body = site->state->robots[i].first_body,
                                    .pose = robot->start};
            publish(&site->state->bodies, mover);
        }
    }
    return 0;
}

/* The heading in the middle of the step. */
static void step(void *data, const struct dpl_sim_tick *tick)
{
    struct headless *headless = data;
    for (size_t i = 0; i < headless->n; i++) {
        struct mover *mover = &headless->movers[i];
        double heading = mover->pose.theta + 0.5 * mover->turn * tick->dt;
        mover->pose.x += mover->speed * cos(heading) * tick->dt;
        mover->pose.y += mover->speed * sin(heading) * tick->dt;
        mover->pose.theta = dpl_wrap_angle(mover->pose.theta + mover->turn * tick->dt);
        publish(&headless->state->bodies, mover);
    }
}

static struct mover *find(const struct headless *headless, int robot)
{
    struct mover *mover = headless->movers;
    while (mover->robot != robot) {
        mover++; /* only robots of this subsystem are asked for */
    }
    return mover;
}

static struct mover *mover_of(const struct dpl_world *world, int robot)
{
    return find(dpl_world_subsystem(world, &dpl_headless_subsystem), robot);
}

static int place(void *data, int robot, struct dpl_pose2 pose)
{
    const struct headless *headless = data;
    struct mover *mover = find(headless, robot);
    mover->pose = pose;
    publish(&headless->state->bodies, mover);
    return 0;
}

/* ---- channels ---- */

static double limited(double value, double most)
{
    return isnan(value) ? 0.0 : dpl_clamp(value, -most, most);
}

static int put_speed(struct dpl_world *world, int robot, const void *value)
{
    struct mover *mover = mover_of(world, robot);
    mover->speed = limited(*(const double *)value, mover->settings->max_speed);
    return 0;
}

static int put_turn(struct dpl_world *world, int robot, const void *value)
{
    struct mover *mover = mover_of(world, robot);
    mover->turn = limited(*(const double *)value, mover->settings->max_turn);
    return 0;
}

static void describe_speed(const struct dpl_world *world, int robot, struct dpl_channel_desc *inout)
{
    inout->max = mover_of(world, robot)->settings->max_speed;
    inout->min = -inout->max;
}

static void describe_turn(const struct dpl_world *world, int robot, struct dpl_channel_desc *inout)
{
    inout->max = mover_of(world, robot)->settings->max_turn;
    inout->min = -inout->max;
}

#define POSE(name, member)                                                                         \
    static int get_##name(const struct dpl_world *world, int robot, void *ret_value,               \
                          dpl_ns *inout_stamp)                                                     \
    {                                                                                              \
        (void)inout_stamp;                                                                         \
        *(double *)ret_value = mover_of(world, robot)->pose.member;                                \
        return 0;                                                                                  \
    }
POSE(x, x)
POSE(y, y)
POSE(heading, theta)

static const struct dpl_channel_row rows[] = {
    {"speed", &dpl_channel_number, DPL_CHANNEL_IN, "m/s", 0, "how fast it shall move forward", NULL,
     put_speed, describe_speed},
    {"turn", &dpl_channel_number, DPL_CHANNEL_IN, "rad/s", 0,
     "how fast it shall turn, counter-clockwise", NULL, put_turn, describe_turn},
    {"x", &dpl_channel_number, DPL_CHANNEL_OUT, "m", 0, "of its frame, on the ground", get_x, NULL,
     NULL},
    {"y", &dpl_channel_number, DPL_CHANNEL_OUT, "m", 0, "of its frame, on the ground", get_y, NULL,
     NULL},
    {"heading", &dpl_channel_number, DPL_CHANNEL_OUT, "rad", 0,
     "counter-clockwise from x, in (-pi, pi]", get_heading, NULL, NULL},
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_subsystem_class dpl_headless_subsystem = {
    .name = "headless",
    .noun = "integrator",
    .summary = "bodies that move at once as commanded, through everything",
    .elements = elements,
    .n_elements = DPL_COUNT(elements),
    .draft_size = sizeof(struct integrator),
    .finish = finish,
    .check = check,
    .count = count,
    .data_size = sizeof(struct headless),
    .build = build,
    .step = step,
    .place = place,
    .channels = &channels,
};
