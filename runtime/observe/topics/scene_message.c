/* SPDX-License-Identifier: Apache-2.0 */
#include "scene_message.h"

#include "arena.h"
#include "standard.pb-c.h"

/* A thing on its way to a message. */
struct building {
    struct dpl_arena arena;
    Foxglove__SceneEntity entity;
};

static char *text(const char *constant)
{
    return (char *)(uintptr_t)constant; /* protobuf-c only reads it */
}

static Google__Protobuf__Timestamp time_of(dpl_ns stamp)
{
    Google__Protobuf__Timestamp time = GOOGLE__PROTOBUF__TIMESTAMP__INIT;
    time.seconds = stamp / DPL_S;
    time.nanos = (int32_t)(stamp % DPL_S);
    return time;
}

static void pack(const ProtobufCMessage *message, struct dpl_bytes *out)
{
    uint8_t *at = dpl_bytes_extend(out, protobuf_c_message_get_packed_size(message));
    if (at) {
        protobuf_c_message_pack(message, at);
    }
}

/* ---- parts of shapes ---- */

static Foxglove__Vector3 vector_of(double x, double y, double z)
{
    Foxglove__Vector3 vector = FOXGLOVE__VECTOR3__INIT;
    vector.x = x;
    vector.y = y;
    vector.z = z;
    return vector;
}

static Foxglove__Quaternion quaternion_of(struct dpl_quaternion q)
{
    Foxglove__Quaternion quaternion = FOXGLOVE__QUATERNION__INIT;
    quaternion.x = q.x;
    quaternion.y = q.y;
    quaternion.z = q.z;
    quaternion.w = q.w;
    return quaternion;
}

static Foxglove__Pose *pose_of(struct building *building, const struct dpl_pose3 *from)
{
    struct {
        Foxglove__Pose pose;
        Foxglove__Vector3 position;
        Foxglove__Quaternion orientation;
    } *made = dpl_arena_alloc(&building->arena, sizeof *made);
    foxglove__pose__init(&made->pose);
    made->position = vector_of(from->position.x, from->position.y, from->position.z);
    made->orientation = quaternion_of(from->orientation);
    made->pose.position = &made->position;
    made->pose.orientation = &made->orientation;
    return &made->pose;
}

static Foxglove__Vector3 *size_of(struct building *building, const double size[3])
{
    Foxglove__Vector3 *made = dpl_arena_alloc(&building->arena, sizeof *made);
    *made = vector_of(size[0], size[1], size[2]);
    return made;
}

static Foxglove__Color *color_of(struct building *building, const double from[4])
{
    Foxglove__Color *made = dpl_arena_alloc(&building->arena, sizeof *made);
    foxglove__color__init(made);
    made->r = from[0];
    made->g = from[1];
    made->b = from[2];
    made->a = from[3];
    return made;
}

static Foxglove__Point3 **points_of(struct building *building, const struct dpl_scene_shape *shape)
{
    size_t n = shape->n_points;
    Foxglove__Point3 **list = dpl_arena_alloc(&building->arena, (n + 1) * sizeof(void *));
    Foxglove__Point3 *points = dpl_arena_alloc(&building->arena, (n + 1) * sizeof *points);
    for (size_t i = 0; i < n; i++) {
        foxglove__point3__init(&points[i]);
        points[i].x = shape->points[i].x;
        points[i].y = shape->points[i].y;
        points[i].z = shape->points[i].z;
        list[i] = &points[i];
    }
    return list;
}

/* ---- shapes: each into the list of its kind, which has room for all ---- */

/* NULL: the list of a kind is not there yet. */
static void *room(struct building *building, void *list, size_t n_shapes)
{
    return list ? list : dpl_arena_alloc(&building->arena, n_shapes * sizeof(void *));
}

static void add_box(struct building *building, const struct dpl_scene_shape *shape, size_t n)
{
    Foxglove__SceneEntity *entity = &building->entity;
    Foxglove__CubePrimitive *cube = dpl_arena_alloc(&building->arena, sizeof *cube);
    foxglove__cube_primitive__init(cube);
    cube->pose = pose_of(building, &shape->pose);
    cube->size = size_of(building, shape->size);
    cube->color = color_of(building, shape->color);
    entity->cubes = room(building, entity->cubes, n);
    entity->cubes[entity->n_cubes++] = cube;
}

static void add_sphere(struct building *building, const struct dpl_scene_shape *shape, size_t n)
{
    Foxglove__SceneEntity *entity = &building->entity;
    Foxglove__SpherePrimitive *sphere = dpl_arena_alloc(&building->arena, sizeof *sphere);
    foxglove__sphere_primitive__init(sphere);
    sphere->pose = pose_of(building, &shape->pose);
    sphere->size = size_of(building, shape->size);
    sphere->color = color_of(building, shape->color);
    entity->spheres = room(building, entity->spheres, n);
    entity->spheres[entity->n_spheres++] = sphere;
}

static void add_cylinder(struct building *building, const struct dpl_scene_shape *shape, size_t n)
{
    Foxglove__SceneEntity *entity = &building->entity;
    Foxglove__CylinderPrimitive *cylinder = dpl_arena_alloc(&building->arena, sizeof *cylinder);
    foxglove__cylinder_primitive__init(cylinder);
    cylinder->pose = pose_of(building, &shape->pose);
    cylinder->size = size_of(building, shape->size);
    cylinder->bottom_scale = 1.0;
    cylinder->top_scale = 1.0;
    cylinder->color = color_of(building, shape->color);
    entity->cylinders = room(building, entity->cylinders, n);
    entity->cylinders[entity->n_cylinders++] = cylinder;
}

static void add_mesh(struct building *building, const struct dpl_scene_shape *shape, size_t n)
{
    Foxglove__SceneEntity *entity = &building->entity;
    Foxglove__TriangleListPrimitive *mesh = dpl_arena_alloc(&building->arena, sizeof *mesh);
    foxglove__triangle_list_primitive__init(mesh);
    mesh->pose = pose_of(building, &shape->pose);
    mesh->points = points_of(building, shape);
    mesh->n_points = shape->n_points;
    mesh->indices = (uint32_t *)(uintptr_t)shape->faces; /* numbers of points, three a face */
    mesh->n_indices = 3 * shape->n_faces;
    mesh->color = color_of(building, shape->color);
    entity->triangles = room(building, entity->triangles, n);
    entity->triangles[entity->n_triangles++] = mesh;
}

static void add_line(struct building *building, const struct dpl_scene_shape *shape, size_t n)
{
    Foxglove__SceneEntity *entity = &building->entity;
    Foxglove__LinePrimitive *line = dpl_arena_alloc(&building->arena, sizeof *line);
    foxglove__line_primitive__init(line);
    line->pose = pose_of(building, &shape->pose);
    line->points = points_of(building, shape);
    line->n_points = shape->n_points;
    line->thickness = shape->size[0];
    line->scale_invariant = true;
    line->color = color_of(building, shape->color);
    entity->lines = room(building, entity->lines, n);
    entity->lines[entity->n_lines++] = line;
}

static void add_text(struct building *building, const struct dpl_scene_shape *shape, size_t n)
{
    Foxglove__SceneEntity *entity = &building->entity;
    Foxglove__TextPrimitive *words = dpl_arena_alloc(&building->arena, sizeof *words);
    foxglove__text_primitive__init(words);
    words->pose = pose_of(building, &shape->pose);
    words->billboard = true;
    words->font_size = shape->size[0];
    words->scale_invariant = true;
    words->color = color_of(building, shape->color);
    words->text = text(shape->text);
    entity->texts = room(building, entity->texts, n);
    entity->texts[entity->n_texts++] = words;
}

typedef void add_shape(struct building *building, const struct dpl_scene_shape *shape, size_t n);

static add_shape *const adders[] = {
    [DPL_SCENE_BOX] = add_box,           [DPL_SCENE_SPHERE] = add_sphere,
    [DPL_SCENE_CYLINDER] = add_cylinder, [DPL_SCENE_MESH] = add_mesh,
    [DPL_SCENE_LINE] = add_line,         [DPL_SCENE_TEXT] = add_text,
};

/* ---- messages ---- */

void dpl__scene_message_add(const struct dpl_scene_thing *thing, dpl_ns stamp,
                            struct dpl_bytes *out)
{
    struct building building = {0};
    Google__Protobuf__Timestamp time = time_of(stamp);
    Google__Protobuf__Duration lifetime = GOOGLE__PROTOBUF__DURATION__INIT;
    const char *const pairs[][2] = {
        {"layer", thing->layer}, {"role", thing->role}, {"world", thing->world}};
    Foxglove__KeyValuePair metadata[3], *metadata_list[3];
    Foxglove__SceneEntity *entity = &building.entity, *entities[] = {entity};
    Foxglove__SceneUpdate update = FOXGLOVE__SCENE_UPDATE__INIT;
    foxglove__scene_entity__init(entity);
    for (size_t i = 0; i < 3; i++) {
        foxglove__key_value_pair__init(&metadata[i]);
        metadata[i].key = text(pairs[i][0]);
        metadata[i].value = text(pairs[i][1]);
        metadata_list[i] = &metadata[i];
    }
    lifetime.seconds = thing->lifetime / DPL_S;
    lifetime.nanos = (int32_t)(thing->lifetime % DPL_S);
    entity->timestamp = &time;
    entity->lifetime = &lifetime;
    entity->frame_id = text(thing->frame);
    entity->frame_locked = true;
    entity->id = text(thing->id);
    entity->metadata = metadata_list;
    entity->n_metadata = 3;
    for (size_t i = 0; i < thing->n_shapes; i++) {
        adders[thing->shapes[i].kind](&building, &thing->shapes[i], thing->n_shapes);
    }
    update.entities = entities;
    update.n_entities = 1;
    pack(&update.base, out);
    dpl_arena_finish(&building.arena);
}

void dpl__scene_transform_add(const char *frame, const struct dpl_pose3 *pose, dpl_ns stamp,
                              struct dpl_bytes *out)
{
    Google__Protobuf__Timestamp time = time_of(stamp);
    Foxglove__Vector3 translation = vector_of(pose->position.x, pose->position.y, pose->position.z);
    Foxglove__Quaternion rotation = quaternion_of(pose->orientation);
    Foxglove__FrameTransform one, *list[] = {&one};
    Foxglove__FrameTransforms message = FOXGLOVE__FRAME_TRANSFORMS__INIT;
    foxglove__frame_transform__init(&one);
    one.timestamp = &time;
    one.parent_frame_id = text(DPL_SCENE_ROOT);
    one.child_frame_id = text(frame);
    one.translation = &translation;
    one.rotation = &rotation;
    message.transforms = list;
    message.n_transforms = 1;
    pack(&message.base, out);
}
