/* SPDX-License-Identifier: Apache-2.0 */
#include "ros2_description.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "standard.pb-c.h"

#define SHAPES_MOST 65536u /* bytes */

/* A text of an attribute: signs that XML would read become '_'. */
static void add_name(struct dpl_bytes *out, const char *name)
{
    for (const char *c = name; *c; c++) {
        bool is_plain = (unsigned char)*c >= ' ' && !strchr("<>&\"'", *c);
        dpl_bytes_add(out, is_plain ? c : "_", 1);
    }
}

static void add_origin(struct dpl_bytes *out, const Foxglove__Pose *pose)
{
    const Foxglove__Vector3 *p = pose ? pose->position : NULL;
    const Foxglove__Quaternion *q = pose ? pose->orientation : NULL;
    double x = q ? q->x : 0.0, y = q ? q->y : 0.0, z = q ? q->z : 0.0, w = q ? q->w : 1.0;
    double s = 2.0 * (w * y - z * x);
    dpl_bytes_printf(out, "<origin xyz=\"%.6g %.6g %.6g\" rpy=\"%.6g %.6g %.6g\"/>", p ? p->x : 0.0,
                     p ? p->y : 0.0, p ? p->z : 0.0,
                     atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
                     asin(s > 1.0    ? 1.0
                          : s < -1.0 ? -1.0
                                     : s),
                     atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)));
}

static void begin_shape(struct dpl_bytes *out, const Foxglove__Pose *pose)
{
    dpl_bytes_text(out, "    <visual>");
    add_origin(out, pose);
    dpl_bytes_text(out, "<geometry>");
}

static void end_shape(struct dpl_bytes *out, const Foxglove__Color *color)
{
    dpl_bytes_text(out, "</geometry>");
    if (color) {
        dpl_bytes_printf(out,
                         "<material name=\"\"><color rgba=\"%.3g %.3g %.3g %.3g\"/></material>",
                         color->r, color->g, color->b, color->a);
    }
    dpl_bytes_text(out, "</visual>\n");
}

static void add_shapes(struct dpl_bytes *out, const Foxglove__SceneEntity *entity)
{
    for (size_t i = 0; i < entity->n_cubes; i++) {
        const Foxglove__CubePrimitive *cube = entity->cubes[i];
        begin_shape(out, cube->pose);
        dpl_bytes_printf(out, "<box size=\"%.6g %.6g %.6g\"/>", cube->size ? cube->size->x : 0.0,
                         cube->size ? cube->size->y : 0.0, cube->size ? cube->size->z : 0.0);
        end_shape(out, cube->color);
    }
    for (size_t i = 0; i < entity->n_spheres; i++) {
        const Foxglove__SpherePrimitive *sphere = entity->spheres[i];
        begin_shape(out, sphere->pose);
        dpl_bytes_printf(out, "<sphere radius=\"%.6g\"/>",
                         sphere->size ? sphere->size->x / 2.0 : 0.0);
        end_shape(out, sphere->color);
    }
    for (size_t i = 0; i < entity->n_cylinders; i++) {
        const Foxglove__CylinderPrimitive *cylinder = entity->cylinders[i];
        begin_shape(out, cylinder->pose);
        dpl_bytes_printf(out, "<cylinder radius=\"%.6g\" length=\"%.6g\"/>",
                         cylinder->size ? cylinder->size->x / 2.0 : 0.0,
                         cylinder->size ? cylinder->size->z : 0.0);
        end_shape(out, cylinder->color);
    }
}

static const char *value_of(const Foxglove__SceneEntity *entity, const char *key)
{
    for (size_t i = 0; i < entity->n_metadata; i++) {
        if (strcmp(entity->metadata[i]->key, key) == 0) {
            return entity->metadata[i]->value;
        }
    }
    return "";
}

/* Whether it is a visible part of the robot, or of the avatar that looks as it does. */
static bool is_of_robot(const struct ros2_description *description,
                        const Foxglove__SceneEntity *entity)
{
    const char *role = value_of(entity, "role");
    bool is_robot = strcmp(role, "robot") == 0 || strcmp(role, "avatar") == 0;
    bool has_shapes = entity->n_cubes + entity->n_spheres + entity->n_cylinders > 0;
    return is_robot && has_shapes && strcmp(value_of(entity, "layer"), "visual") == 0 &&
           (!description->frame[0] || strcmp(description->frame, entity->frame_id) == 0);
}

void ros2_description_scene(struct ros2_description *description, const void *data, size_t n)
{
    Foxglove__SceneUpdate *update = foxglove__scene_update__unpack(NULL, n, data);
    for (size_t i = 0; update && i < update->n_entities; i++) {
        const Foxglove__SceneEntity *entity = update->entities[i];
        if (is_of_robot(description, entity) && description->shapes.n < SHAPES_MOST) {
            snprintf(description->frame, sizeof description->frame, "%s", entity->frame_id);
            add_shapes(&description->shapes, entity);
            description->has_changed = true;
        }
    }
    if (update) {
        foxglove__scene_update__free_unpacked(update, NULL);
    }
}

void ros2_description_sensor(struct ros2_description *description, const char *frame,
                             const struct dpl_pose2 *mount)
{
    dpl_bytes_printf(&description->sensors,
                     "  <link name=\"%s\"/>\n  <joint name=\"%s_mount\" type=\"fixed\"><parent "
                     "link=\"base_link\"/><child link=\"%s\"/><origin xyz=\"%.6g %.6g 0\" rpy=\"0 "
                     "0 %.6g\"/></joint>\n",
                     frame, frame, frame, mount->x, mount->y, mount->theta);
    description->has_changed = true;
}

void ros2_description_write(const struct ros2_description *description, const char *name,
                            struct dpl_bytes *out)
{
    dpl_bytes_text(out, "<?xml version=\"1.0\"?>\n<robot name=\"");
    add_name(out, name);
    dpl_bytes_text(out, "\">\n  <link name=\"base_link\">\n");
    dpl_bytes_add(out, description->shapes.data, description->shapes.n);
    dpl_bytes_text(out, "  </link>\n");
    dpl_bytes_add(out, description->sensors.data, description->sensors.n);
    dpl_bytes_text(out, "</robot>\n");
    dpl_bytes_add(out, "", 1);
}

void ros2_description_finish(struct ros2_description *description)
{
    dpl_bytes_finish(&description->shapes);
    dpl_bytes_finish(&description->sensors);
}
