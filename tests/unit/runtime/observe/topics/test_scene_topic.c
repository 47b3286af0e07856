/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>

#include "derived_topic.h"
#include "scene_topic.h"
#include "standard.pb-c.h"

/* A world of two bodies along x. */
static const char *const frames[] = {"w/robot", "avatar/w/robot"};
static const char *const roles[] = {"robot", "avatar"};
static struct dpl_scene_tap tap;
static bool is_touching;

static void add_one(dpl_scene_add *add, void *user, const char *id, const char *layer)
{
    static const struct dpl_vector3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const unsigned faces[1][3] = {{0, 1, 2}};
    const struct dpl_pose3 pose = {{1, 2, 3}, {.w = 1}};
    const struct dpl_scene_shape shapes[] = {
        {.kind = DPL_SCENE_BOX, .pose = pose, .size = {1, 2, 3}, .color = {0.5, 0, 0, 1}},
        {.kind = DPL_SCENE_SPHERE, .pose = pose, .size = {1, 1, 1}},
        {.kind = DPL_SCENE_CYLINDER, .pose = pose, .size = {1, 1, 2}},
        {.kind = DPL_SCENE_MESH,
         .pose = pose,
         .points = points,
         .n_points = 3,
         .faces = faces,
         .n_faces = 1},
        {.kind = DPL_SCENE_LINE, .pose = pose, .size = {2}, .points = points, .n_points = 3},
    };
    add(user, &(struct dpl_scene_thing){.id = id,
                                        .frame = frames[0],
                                        .layer = layer,
                                        .role = "robot",
                                        .world = "w",
                                        .lifetime = 1500 * DPL_MS,
                                        .shapes = shapes,
                                        .n_shapes = 5});
}

static void describe(const struct dpl_scene *scene, dpl_scene_add *add, void *user)
{
    add_one(add, user, "w/robot", "visual");
    add_one(add, user, "w/other", "object");
}

static void watch(struct dpl_scene *scene, const struct dpl_scene_tap *given, void *ret_row)
{
    tap = *given;
    memset(ret_row, 0, 2 * sizeof(double));
}

static struct dpl_pose3 pose_of(const struct dpl_scene *scene, const void *row, size_t i)
{
    return (struct dpl_pose3){{((const double *)row)[i], 0, 0}, {.w = 1}};
}

static void live(const struct dpl_scene *scene, const void *row, dpl_scene_add *add, void *user)
{
    if (is_touching) {
        add_one(add, user, "w/contacts", "contact");
    }
}

static const struct dpl_scene_ops ops = {describe, watch, pose_of, live};
static struct dpl_scene scene = {&ops, "w", frames, roles, 2, 2 * sizeof(double)};

static struct dpl__topics topics;
static struct dpl__scenes *scenes;
static struct dpl__topic *of_frames, *of_live;

/* What was given last. */
static Foxglove__FrameTransforms *transforms;
static Foxglove__SceneUpdate *update, *comes;
static unsigned n_scenes, n_transforms, n_live;

static void forget(void)
{
    if (transforms) {
        foxglove__frame_transforms__free_unpacked(transforms, NULL);
    }
    if (comes) {
        foxglove__scene_update__free_unpacked(comes, NULL);
    }
    transforms = NULL;
    comes = NULL;
}

static void give(void *user, const struct dpl__topic *topic, const struct dpl_sample *sample)
{
    if (topic == of_frames) {
        transforms = foxglove__frame_transforms__unpack(NULL, sample->n, sample->data);
        n_transforms++;
    } else if (topic == of_live) {
        comes = foxglove__scene_update__unpack(NULL, sample->n, sample->data);
        n_live++;
    } else if (!topic->is_hidden) {
        update = foxglove__scene_update__unpack(NULL, sample->n, sample->data);
        n_scenes++;
    }
    dpl__derived_topics_give(topic, sample, give, user);
}

static void take_all(void)
{
    forget();
    dpl__topics_drain(&topics, 1, give, NULL);
}

static bool send(double robot, double avatar, dpl_ns stamp)
{
    double *row = tap.open(tap.self);
    if (row) {
        row[0] = robot;
        row[1] = avatar;
        tap.send(tap.self, stamp);
    }
    return row != NULL;
}

static void begin(void)
{
    struct dpl_scene *const list[] = {&scene};
    cr_assert_eq(dpl__scene_topics_add(&topics, list, 1, &scenes, NULL), 0);
    of_frames = dpl__topics_find(&topics, "/tf");
    of_live = dpl__topics_find(&topics, "/scene/live");
}

static void end(void)
{
    forget();
    dpl__scenes_finish(scenes);
    dpl__topics_finish(&topics);
}

TestSuite(scene_topic, .init = begin, .fini = end);

Test(scene_topic, without_worlds_has_no_topics)
{
    struct dpl__topics none = {0};
    struct dpl__scenes *of_none;
    cr_assert_eq(dpl__scene_topics_add(&none, NULL, 0, &of_none, NULL), 0);
    cr_assert_eq(none.n, 0);
    cr_assert_null(of_none);
    dpl__scenes_finish(of_none);
}

Test(scene_topic, gives_all_things_once)
{
    cr_assert(dpl__topics_find(&topics, "/scene")->self.latched);
    take_all();
    take_all();
    cr_assert_eq(n_scenes, 1);
    cr_assert_eq(update->n_entities, 2);
    const Foxglove__SceneEntity *thing = update->entities[0];
    cr_assert_str_eq(thing->id, "w/robot");
    cr_assert_str_eq(thing->frame_id, "w/robot");
    cr_assert_str_eq(thing->metadata[0]->key, "layer");
    cr_assert_str_eq(thing->metadata[0]->value, "visual");
    cr_assert_str_eq(thing->metadata[2]->value, "w");
    cr_assert(thing->lifetime->seconds == 1 && thing->lifetime->nanos == 500000000);
    cr_assert(thing->n_cubes == 1 && thing->n_spheres == 1 && thing->n_cylinders == 1);
    cr_assert(thing->n_triangles == 1 && thing->n_lines == 1);
    cr_assert_eq(thing->cubes[0]->size->z, 3.0);
    cr_assert_eq(thing->cubes[0]->color->r, 0.5);
    cr_assert_eq(thing->triangles[0]->n_points, 3);
    cr_assert_eq(thing->triangles[0]->indices[2], 2);
    foxglove__scene_update__free_unpacked(update, NULL);
}

Test(scene_topic, costs_a_world_nothing_while_nobody_listens)
{
    cr_assert_not(send(1, 2, 5));
    take_all();
    cr_assert_eq(n_transforms, 0);
}

Test(scene_topic, sends_what_has_moved_and_all_each_second)
{
    dpl__topic_listen(of_frames, 1);
    take_all();
    cr_assert_eq(transforms->n_transforms, 2, "who comes to listen gets the start");
    cr_assert(send(1, 0, 20 * DPL_MS));
    take_all();
    cr_assert_eq(transforms->n_transforms, 1);
    cr_assert_str_eq(transforms->transforms[0]->child_frame_id, "w/robot");
    cr_assert_str_eq(transforms->transforms[0]->parent_frame_id, "map");
    cr_assert_eq(transforms->transforms[0]->translation->x, 1.0);
    cr_assert_eq(transforms->transforms[0]->timestamp->nanos, 20000000);
    cr_assert(send(1, 0, 40 * DPL_MS));
    take_all();
    cr_assert_null(transforms, "nothing has moved");
    cr_assert(send(1, 0, 1010 * DPL_MS));
    take_all();
    cr_assert_eq(transforms->n_transforms, 2);
    dpl__topic_listen(of_frames, -1);
    cr_assert_not(send(2, 0, 1030 * DPL_MS));
}

Test(scene_topic, shows_what_comes_and_where_bodies_went)
{
    dpl__topic_listen(of_live, 1);
    take_all();
    for (int i = 1; i <= 50; i++) {
        cr_assert(send(0.01 * i, 0, i * DPL_SCENE_PERIOD));
        take_all();
    }
    cr_assert_eq(comes->n_entities, 1, "one body has moved");
    cr_assert_str_eq(comes->entities[0]->id, "w/robot/trace/1");
    cr_assert_str_eq(comes->entities[0]->metadata[0]->value, "trace");
    cr_assert_gt(comes->entities[0]->lines[0]->n_points, 10);
    is_touching = true;
    cr_assert(send(1, 0, 1020 * DPL_MS));
    take_all();
    cr_assert_str_eq(comes->entities[0]->id, "w/contacts");
    cr_assert_eq(n_transforms, 0, "nobody listens to frames");
}
