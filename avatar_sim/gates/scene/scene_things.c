/* SPDX-License-Identifier: Apache-2.0 */
/* The things of a world: what stands still, robots with their shapes and joints, and what depends
 * on more than one body, ropes and contacts. Robots are amber and solid, avatars blue and
 * translucent. */
#include <math.h>
#include <string.h>

#include <doppel/math/vector3.h>
#include <doppel/sim/mechanism.h>
#include <doppel/sim/show.h>
#include <doppel/sim/subsystem.h>

#include "scene_shapes.h"
#include "world_scene.h"

static const double robot_color[4] = {1.0, 0.69, 0.18, 1.0};
static const double avatar_color[4] = {0.34, 0.71, 1.0, 0.4};
static const double wall_color[4] = {0.29, 0.34, 0.40, 1.0};
static const double object_color[4] = {0.23, 0.27, 0.33, 1.0};
static const double rope_color[4] = {0.55, 0.58, 0.62, 1.0};
static const double joint_color[4] = {0.80, 0.10, 0.45, 0.9};
static const double contact_color[4] = {0.90, 0.10, 0.10, 0.95};
static const double force_color[4] = {1.0, 0.36, 0.42, 1.0};
static const double collision_opacity = 0.15;
static const double joint_half = 0.02, joint_dot = 0.008, contact_dot = 0.03; /* m */
static const struct dpl_pose3 origin = {.orientation = {.w = 1.0}};

/* What a description is made with. */
struct making {
    const struct world_scene *scene;
    dpl_scene_add *add;
    void *user;
    size_t mesh_bytes;
    struct scene_shapes shapes; /* of the thing that is being made */
    struct dpl_scene_thing thing;
    const double *color; /* NULL: the shape's own, or a robot's */
    unsigned body;       /* its shapes only */
};

/* Gives the thing, and begins the next one. */
static void give(struct making *making)
{
    making->thing.shapes = making->shapes.items;
    making->thing.n_shapes = making->shapes.n;
    if (making->shapes.n > 0) {
        making->add(making->user, &making->thing);
    }
    scene_shapes_finish(&making->shapes);
}

static const char *print(struct making *making, const char *format, const char *a, const char *b)
{
    return dpl_arena_printf(&making->shapes.arena, format, a, b);
}

/* ---- what stands still ---- */

static void add_obstacle(struct making *making, size_t i)
{
    const struct dpl_sim_obstacle *obstacle = &making->scene->model->obstacles[i];
    const struct dpl_sim_solid solid = dpl_sim_solid_of(&obstacle->shape);
    bool is_wall = strncmp(obstacle->name, "wall", 4) == 0;
    double color[4];
    memcpy(color, is_wall ? wall_color : object_color, sizeof color);
    color[3] = obstacle->transparent ? 0.3 : 1.0;
    scene_shapes_add_solid(&making->shapes, &solid, color);
    making->thing.id =
        dpl_arena_printf(&making->shapes.arena, "%s/%zu%s%s", making->scene->model->name, i,
                         obstacle->name[0] ? " " : "", obstacle->name);
    making->thing.layer = is_wall ? "wall" : "object";
    give(making);
}

static void add_finish(struct making *making)
{
    const struct dpl_sim_model *model = making->scene->model;
    const struct dpl_vector3 ends[2] = {{model->finish.x1, model->finish.y1, 0.01},
                                        {model->finish.x2, model->finish.y2, 0.01}};
    struct dpl_scene_shape line = {.kind = DPL_SCENE_LINE,
                                   .pose = origin,
                                   .size = {3.0},
                                   .color = {0.27, 0.81, 0.58, 1.0},
                                   .points = ends,
                                   .n_points = 2};
    scene_shapes_add(&making->shapes, &line);
    making->thing.id = print(making, "%s/%s", model->name, "finish");
    making->thing.layer = "object";
    give(making);
}

/* ---- bodies ---- */

static void add_solid(void *user, unsigned body, const struct dpl_sim_solid *solid)
{
    struct making *making = user;
    bool has_own = solid->has_color && !making->color;
    if (body == making->body) {
        scene_shapes_add_solid(&making->shapes, solid,
                               has_own         ? solid->color
                               : making->color ? making->color
                                               : robot_color);
    }
}

static bool is_avatar(const struct making *making)
{
    return strcmp(making->thing.role, "avatar") == 0;
}

static const char *path_of(struct making *making, const char *frame)
{
    size_t n = is_avatar(making) ? strlen("avatar/") : 0;
    return dpl_arena_strdup(&making->shapes.arena, frame + n);
}

/* Shapes for collisions, where a body looks otherwise. */
static void add_collision(struct making *making, const struct dpl_sim_body *body, const char *frame)
{
    double color[4];
    memcpy(color, is_avatar(making) ? avatar_color : robot_color, sizeof color);
    color[3] = collision_opacity;
    for (size_t i = 0; i < body->n_solids; i++) {
        scene_shapes_add_solid(&making->shapes, &body->solids[i], color);
    }
    making->thing.id = print(making, "%s/%s", path_of(making, frame), "collision");
    making->thing.layer = "collision";
    give(making);
}

static void add_bodies(struct making *making, size_t robot)
{
    const struct dpl_sim_robot *model = &making->scene->model->robots[robot];
    const struct dpl_sim_mechanism *mechanism = dpl_sim_robot_mechanism(model);
    const struct dpl_sim_span *span = &making->scene->state->robots[robot];
    making->color = is_avatar(making) ? avatar_color : NULL;
    for (making->body = 0; making->body < span->n_bodies; making->body++) {
        const char *frame = making->scene->self.frames[(unsigned)span->first_body + making->body];
        dpl_sim_robot_show(model, add_solid, making);
        making->thing.id = path_of(making, frame);
        making->thing.frame = frame;
        making->thing.layer = "visual";
        give(making);
        if (mechanism && mechanism->bodies[making->body].n_looks > 0) {
            add_collision(making, &mechanism->bodies[making->body], frame);
        }
    }
}

/* The robot beside its avatar is in no world of this run: only its frame is. */
static void add_real(struct making *making, size_t robot)
{
    const struct dpl_sim_robot *model = &making->scene->model->robots[robot];
    making->thing.role = "robot";
    making->thing.frame = "base_link";
    making->thing.layer = "visual";
    making->color = NULL;
    making->body = 0;
    dpl_sim_robot_show(model, add_solid, making);
    making->thing.id = print(making, "%s/%s", "base_link", model->name);
    give(making);
}

/* ---- joints ---- */

static void add_joint(struct making *making, size_t robot, const struct dpl_sim_joint *joint)
{
    const struct dpl_sim_robot *model = &making->scene->model->robots[robot];
    const struct dpl_sim_span *span = &making->scene->state->robots[robot];
    int body = joint->child < 0 ? joint->parent : joint->child;
    const struct dpl_pose3 *at = joint->child < 0 ? &joint->in_parent : &joint->in_child;
    const struct dpl_vector3 axis[2] = {{0.0, 0.0, -joint_half}, {0.0, 0.0, joint_half}};
    struct dpl_scene_shape shape = {
        .kind = DPL_SCENE_SPHERE, .pose = *at, .size = {joint_dot, joint_dot, joint_dot}};
    if (body < 0) {
        return;
    }
    memcpy(shape.color, joint_color, sizeof shape.color);
    scene_shapes_add(&making->shapes, &shape);
    if (dpl_sim_joint_freedoms(joint->type) > 0) {
        shape.kind = DPL_SCENE_LINE;
        shape.size[0] = 2.0;
        shape.points = axis;
        shape.n_points = 2;
        scene_shapes_add(&making->shapes, &shape);
    }
    making->thing.id = dpl_arena_printf(&making->shapes.arena, "%s/%s/joints/%s",
                                        making->scene->model->name, model->name, joint->name);
    making->thing.frame = making->scene->self.frames[span->first_body + body];
    making->thing.layer = "joint";
    give(making);
}

/* What is around a robot's body; `row` NULL: what stands still. */
static void add_around(struct making *making, size_t robot, const struct scene_row *row)
{
    const struct dpl_sim_robot *model = &making->scene->model->robots[robot];
    const struct dpl_scene *scene = &making->scene->self;
    if (!model->subsystem->show_around) {
        return;
    }
    making->body = 0;
    making->thing.frame = DPL_SCENE_ROOT;
    if (row) {
        size_t first = (size_t)making->scene->state->robots[robot].first_body;
        struct dpl_pose3 pose = scene_pose(scene, row, first);
        making->color = is_avatar(making) ? avatar_color : NULL;
        model->subsystem->show_around(model, &pose, add_solid, making);
    } else {
        making->color = object_color;
        making->thing.role = "world";
        model->subsystem->show_around(model, NULL, add_solid, making);
    }
    making->thing.layer = row ? "visual" : "object";
    making->thing.id =
        dpl_arena_printf(&making->shapes.arena, "%s/%s/%s", making->scene->model->name, model->name,
                         row ? "around" : "base");
    give(making);
}

static void add_robot(struct making *making, size_t robot)
{
    const struct dpl_sim_robot *model = &making->scene->model->robots[robot];
    const struct dpl_sim_mechanism *mechanism = dpl_sim_robot_mechanism(model);
    making->thing.role = scene_role(making->scene, robot);
    add_bodies(making, robot);
    for (size_t i = 0; mechanism && i < mechanism->n_joints; i++) {
        add_joint(making, robot, &mechanism->joints[i]);
    }
    if (making->scene->shows_real && is_avatar(making) && !model->subsystem->is_fixed &&
        !mechanism) {
        add_real(making, robot);
    }
    add_around(making, robot, NULL);
}

static struct making begin(const struct world_scene *scene, dpl_scene_add *add, void *user)
{
    return (struct making){
        .scene = scene,
        .add = add,
        .user = user,
        .thing = {.frame = DPL_SCENE_ROOT, .role = "world", .world = scene->model->name},
    };
}

void scene_describe(const struct dpl_scene *scene, dpl_scene_add *add, void *user)
{
    const struct world_scene *self = scene_of(scene);
    struct making making = begin(self, add, user);
    making.shapes.mesh_bytes = &making.mesh_bytes;
    for (size_t i = 0; i < self->model->n_obstacles; i++) {
        add_obstacle(&making, i);
    }
    if (self->model->has_finish) {
        add_finish(&making);
    }
    for (size_t i = 0; i < self->model->n_robots; i++) {
        add_robot(&making, i);
    }
}

/* ---- ropes and contacts ---- */

/* Where the frame of a joint in one of its ends is; below 0 the end is the world. */
static struct dpl_vector3 end_of(const struct dpl_scene *scene, const struct scene_row *row,
                                 const struct dpl_sim_span *span, int body,
                                 const struct dpl_pose3 *frame)
{
    if (body < 0) {
        return frame->position;
    }
    struct dpl_pose3 pose = scene_pose(scene, row, (size_t)(span->first_body + body));
    return dpl_pose3_compose(pose, *frame).position;
}

/* Its legs go straight up to the top of its sheave. */
static void add_rope(struct making *making, const struct scene_row *row, size_t robot,
                     const struct dpl_sim_joint *joint)
{
    const struct dpl_scene *scene = &making->scene->self;
    const struct dpl_sim_robot *model = &making->scene->model->robots[robot];
    const struct dpl_sim_span *span = &making->scene->state->robots[robot];
    struct dpl_vector3 a = end_of(scene, row, span, joint->parent, &joint->in_parent);
    struct dpl_vector3 b = end_of(scene, row, span, joint->child, &joint->in_child);
    struct dpl_vector3 points[4] = {a, a, b, b};
    if (joint->rope.radius < 0.0 || joint->rope.radius > 0.0) {
        const struct dpl_sim_joint *sheave =
            &dpl_sim_robot_mechanism(model)->joints[joint->rope.sheave];
        double axle = end_of(scene, row, span, sheave->child, &sheave->in_child).z;
        points[1].z = points[2].z = axle + fabs(joint->rope.radius);
    }
    struct dpl_scene_shape line = {
        .kind = DPL_SCENE_LINE, .pose = origin, .size = {1.5}, .points = points, .n_points = 4};
    memcpy(line.color, is_avatar(making) ? avatar_color : rope_color, sizeof line.color);
    scene_shapes_add(&making->shapes, &line);
    making->thing.id = dpl_arena_printf(&making->shapes.arena, "%s/%s/ropes/%s",
                                        making->scene->model->name, model->name, joint->name);
    making->thing.layer = "visual";
    give(making);
}

/* Also an empty thing. */
static void give_all(struct making *making)
{
    making->thing.role = "world";
    making->thing.shapes = making->shapes.items;
    making->thing.n_shapes = making->shapes.n;
    making->add(making->user, &making->thing);
    scene_shapes_finish(&making->shapes);
}

/* An empty one when the last has gone. */
static void add_contacts(struct making *making, const struct scene_row *row)
{
    struct dpl_scene_shape dot = {
        .kind = DPL_SCENE_SPHERE, .pose = origin, .size = {contact_dot, contact_dot, contact_dot}};
    memcpy(dot.color, contact_color, sizeof dot.color);
    for (size_t i = 0; i < row->n_contacts; i++) {
        const double *at = row->contacts[i];
        dot.pose.position = (struct dpl_vector3){at[0], at[1], at[2]};
        scene_shapes_add(&making->shapes, &dot);
    }
    making->thing.id = print(making, "%s/%s", making->scene->model->name, "contacts");
    making->thing.layer = "contact";
    give_all(making);
}

bool scene_is_pushed(const struct dpl_scene *scene, const void *row)
{
    return ((const struct scene_row *)row)->n_pushes + scene_of(scene)->n_forces > 0;
}

/* An arrow from where it acts, 0.2 m longer for each tenfold of the force, and how large it is. */
static void add_force(struct making *making, const double at[3], const double force[3])
{
    const struct dpl_vector3 f = {force[0], force[1], force[2]};
    const struct dpl_vector3 from = {at[0], at[1], at[2]};
    double size = dpl_vector3_length(f), length = 0.2 * log10(1.0 + size);
    struct dpl_vector3 along = dpl_vector3_times(f, 1.0 / size);
    struct dpl_vector3 side =
        dpl_vector3_cross(along, fabs(along.z) < 0.9 ? (struct dpl_vector3){.z = 1.0}
                                                     : (struct dpl_vector3){.x = 1.0});
    struct dpl_vector3 tip = dpl_vector3_add(from, dpl_vector3_times(along, length));
    struct dpl_vector3 back = dpl_vector3_add(tip, dpl_vector3_times(along, -0.15 * length));
    side = dpl_vector3_times(side, 0.06 * length);
    struct dpl_vector3 points[] = {from, tip, dpl_vector3_add(back, side), tip,
                                   dpl_vector3_minus(back, side)};
    struct dpl_scene_shape shape = {.kind = DPL_SCENE_LINE,
                                    .pose = origin,
                                    .size = {3.0},
                                    .points = points,
                                    .n_points = DPL_COUNT(points)};
    memcpy(shape.color, force_color, sizeof shape.color);
    scene_shapes_add(&making->shapes, &shape);
    shape.kind = DPL_SCENE_TEXT;
    shape.pose.position = tip;
    shape.size[0] = 12.0;
    shape.text = dpl_arena_printf(&making->shapes.arena, size < 100.0 ? "%.3g N" : "%.0f N", size);
    scene_shapes_add(&making->shapes, &shape);
}

/* An empty one when the last has gone. */
static void add_forces(struct making *making, const struct scene_row *row)
{
    for (size_t i = 0; i < row->n_pushes; i++) {
        add_force(making, row->pushes[i][0], row->pushes[i][1]);
    }
    making->thing.id = print(making, "%s/%s", making->scene->model->name, "forces");
    making->thing.layer = "force";
    give_all(making);
}

void scene_live(const struct dpl_scene *scene, const void *row, dpl_scene_add *add, void *user)
{
    struct world_scene *self = scene_of(scene);
    const struct scene_row *from = row;
    struct making making = begin(self, add, user);
    for (size_t i = 0; i < self->model->n_robots; i++) {
        const struct dpl_sim_mechanism *mechanism =
            dpl_sim_robot_mechanism(&self->model->robots[i]);
        making.thing.role = scene_role(self, i);
        for (size_t k = 0; mechanism && k < mechanism->n_joints; k++) {
            if (mechanism->joints[k].type == DPL_JOINT_ROPE) {
                add_rope(&making, from, i, &mechanism->joints[k]);
            }
        }
        add_around(&making, i, from);
    }
    if (from->n_contacts + self->n_shown > 0) {
        add_contacts(&making, from);
    }
    self->n_shown = from->n_contacts;
    if (scene_is_pushed(scene, row)) {
        add_forces(&making, from);
    }
    self->n_forces = from->n_pushes;
}
