/* A subsystem. Its robots are upright tanks of water: a pump fills one, a hole at its bottom
 * empties it, faster the higher the water stands. */
#include <doppel/math/gravity.h>
#include <doppel/part.h>
#include <doppel/sim/channel_rows.h>
#include <errno.h>
#include <math.h>

#include "template_name.h"

/* What a tank is: const while the world runs. */
struct tank {
    double radius, height; /* m */
    double hole;           /* m^2 */
    double start;          /* m of water at the start */
    double max_inflow;     /* m^3/s */
};

/* What changes: it lives in the world's heap. */
struct vessel {
    const struct tank *tank;
    int robot;
    double level;          /* m */
    double inflow;         /* m^3/s, as commanded */
    double hole_open;      /* 0 (closed) to 1 */
    double in, out, spilt; /* m^3 since the start */
};

struct tanks {
    struct vessel *vessels; /* [n] */
    size_t n;
};

/* ---- from XML ---- */

static const struct dpl_field tank_fields[] = {
    DPL_NUMBER(struct tank, radius, "radius", "m", NULL, 0.01, 100.0, "inside"),
    DPL_NUMBER(struct tank, height, "height", "m", NULL, 0.01, 100.0, "above it water spills"),
    DPL_NUMBER(struct tank, hole, "hole", "m^2", "1e-4", 0.0, 1.0, "area of the hole"),
    DPL_NUMBER(struct tank, start, "start", "m", "0", 0.0, 100.0, "water at the start"),
    DPL_NUMBER(struct tank, max_inflow, "max_inflow", "m^3/s", "0.01", 0.0, 10.0, "of its pump"),
};
static const struct dpl_element_table tank_table = DPL_ELEMENT_TABLE(tank_fields);

static void read_tank(struct dpl_element_reader *reader, const struct dpl_xml_node *node)
{
    dpl_element_fields(reader, node, tank_fields, DPL_COUNT(tank_fields), dpl_reader_draft(reader));
}

static const struct dpl_element_kind elements[] = {
    {"template_name", read_tank, 1, &tank_table, "a tank of water, in place of a mobile base"},
};

static void finish(struct dpl_element_reader *reader, const struct dpl_xml_node *root,
                   const void *root_values)
{
    struct dpl_sim_robot *robot = dpl_reader_robot(reader);
    struct tank *tank = dpl_reader_alloc(reader, sizeof *tank);
    struct dpl_sim_shape *shape = dpl_reader_alloc(reader, sizeof *shape);
    (void)root;
    (void)root_values;
    *tank = *(const struct tank *)dpl_reader_draft(reader);
    *shape = (struct dpl_sim_shape){.kind = DPL_SIM_CYLINDER,
                                    .z = 0.5 * tank->height,
                                    .radius = tank->radius,
                                    .height = tank->height};
    robot->part = tank;
    robot->shapes = shape;
    robot->n_shapes = 1;
}

static int check(const struct dpl_sim_robot *robot, struct dpl_diag *reterr)
{
    const struct tank *tank = robot->part;
    return tank->start > tank->height ? dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                                                 "the water starts at %g m, the tank is %g m high",
                                                 tank->start, tank->height)
                                      : 0;
}

/* ---- in a world ---- */

/* It stands still, as a body that sensors may be on and lasers see. */
static void count(const struct dpl_sim_robot *robot, struct dpl_sim_span *inout)
{
    (void)robot;
    inout->n_bodies = 1;
}

static void put_body(const struct dpl_sim_bodies *bodies, int body, struct dpl_pose2 at)
{
    double c = cos(at.theta), s = sin(at.theta);
    double(*rotation)[3] = bodies->rotation[body];
    bodies->position[body][0] = at.x;
    bodies->position[body][1] = at.y;
    rotation[0][0] = rotation[1][1] = c;
    rotation[0][1] = -s;
    rotation[1][0] = s;
    rotation[2][2] = 1.0;
}

static int build(void *data, const struct dpl_subsystem_site *site, struct dpl_diag *reterr)
{
    struct tanks *tanks = data;
    (void)reterr;
    tanks->vessels = dpl_world_alloc(site->world, site->model->n_robots, sizeof *tanks->vessels);
    if (!tanks->vessels) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < site->model->n_robots; i++) {
        const struct dpl_sim_robot *robot = &site->model->robots[i];
        if (robot->subsystem == &template_name_class) {
            const struct tank *tank = robot->part;
            tanks->vessels[tanks->n++] = (struct vessel){
                .tank = tank, .robot = (int)i, .level = tank->start, .hole_open = 1.0};
            put_body(&site->state->bodies, site->state->robots[i].first_body, robot->start);
        }
    }
    return 0;
}

/* Torricelli: water leaves at sqrt(2 g level), so sqrt(level) falls evenly while nothing comes in.
 * That is exact; what comes in is added afterwards. */
static void step_one(struct vessel *vessel, double dt)
{
    const struct tank *tank = vessel->tank;
    double area = DPL_PI * tank->radius * tank->radius;
    double rate = vessel->hole_open * tank->hole / area * sqrt(0.5 * DPL_STANDARD_GRAVITY_M_S2);
    double root = fmax(sqrt(vessel->level) - rate * dt, 0.0);
    vessel->out += area * (vessel->level - root * root);
    vessel->in += vessel->inflow * dt;
    double level = root * root + vessel->inflow * dt / area;
    vessel->spilt += area * fmax(level - tank->height, 0.0);
    vessel->level = fmin(level, tank->height);
}

static void step(void *data, const struct dpl_sim_tick *tick)
{
    struct tanks *tanks = data;
    for (size_t i = 0; i < tanks->n; i++) {
        step_one(&tanks->vessels[i], tick->dt);
    }
}

/* ---- channels ---- */

static struct vessel *vessel_of(const struct dpl_world *world, int robot)
{
    const struct tanks *tanks = dpl_world_subsystem(world, &template_name_class);
    struct vessel *vessel = tanks->vessels;
    while (vessel->robot != robot) {
        vessel++; /* only robots of this subsystem are asked for */
    }
    return vessel;
}

static int get_level(const struct dpl_world *world, int robot, void *ret_value, dpl_ns *inout_stamp)
{
    (void)inout_stamp;
    *(double *)ret_value = vessel_of(world, robot)->level;
    return 0;
}

static int get_volume(const struct dpl_world *world, int robot, void *ret_value,
                      dpl_ns *inout_stamp)
{
    const struct vessel *vessel = vessel_of(world, robot);
    double *volumes = ret_value; /* [3] */
    (void)inout_stamp;
    volumes[0] = vessel->in;
    volumes[1] = vessel->out;
    volumes[2] = vessel->spilt;
    return 0;
}

static int put_inflow(struct dpl_world *world, int robot, const void *value)
{
    struct vessel *vessel = vessel_of(world, robot);
    double inflow = *(const double *)value;
    vessel->inflow = isnan(inflow) ? 0.0 : dpl_clamp(inflow, 0.0, vessel->tank->max_inflow);
    return 0;
}

/* Nobody answers for it any more: the pump stops. */
static void release_inflow(struct dpl_world *world, int robot)
{
    vessel_of(world, robot)->inflow = 0.0;
}

static int put_hole(struct dpl_world *world, int robot, const void *value)
{
    double open = *(const double *)value;
    vessel_of(world, robot)->hole_open = isnan(open) ? 0.0 : dpl_clamp(open, 0.0, 1.0);
    return 0;
}

static void describe_inflow(const struct dpl_world *world, int robot,
                            struct dpl_channel_desc *inout)
{
    inout->max = vessel_of(world, robot)->tank->max_inflow;
}

static const struct dpl_channel_row rows[] = {
    DPL_CHANNEL_READ("level", &dpl_channel_number, DPL_CHANNEL_OUT, "m", 0,
                     "of the water, above the hole", get_level, NULL),
    DPL_CHANNEL_READ("volume", &dpl_channel_vector, DPL_CHANNEL_OUT, "m^3", 3,
                     "since the start: came in, left by the hole, spilt", get_volume, NULL),
    {
        .name = "inflow",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .unit = "m^3/s",
        .summary = "what its pump shall give",
        .put = put_inflow,
        .describe = describe_inflow,
        .release = release_inflow,
    },
    {
        .name = "hole",
        .type = &dpl_channel_number,
        .dir = DPL_CHANNEL_IN,
        .summary = "how far the hole is open, 0 to 1",
        .put = put_hole,
    },
};
static const struct dpl_channel_table channels = {rows, DPL_COUNT(rows)};

const struct dpl_subsystem_class template_name_class = {
    .name = "template_name",
    .noun = "template_name",
    .summary = "tanks of water",
    .elements = elements,
    .n_elements = DPL_COUNT(elements),
    .draft_size = sizeof(struct tank),
    .finish = finish,
    .check = check,
    .is_fixed = true,
    .count = count,
    .data_size = sizeof(struct tanks),
    .build = build,
    .step = step,
    .channels = &channels,
};

const struct dpl_part dpl_part = DPL_PART(template_name_class);
