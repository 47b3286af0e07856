/* SPDX-License-Identifier: Apache-2.0 */
/* Values of mechanisms as observers see them: numbers and flags that come out of the world. */
#include <math.h>
#include <string.h>

#include <doppel/sim/mechanism.h>
#include <doppel/sim/show.h>

#include "world_scene.h"

static const size_t slot = sizeof(double); /* of each value in a row */

static bool is_shown(const struct dpl_channel_desc *desc)
{
    return desc->dir == DPL_CHANNEL_OUT && !desc->is_derived && desc->size == 1 &&
           (desc->type == &dpl_channel_number || desc->type == &dpl_channel_flag);
}

static struct dpl_field field_of(const struct dpl_channel_desc *desc, size_t under, size_t i)
{
    bool is_flag = desc->type == &dpl_channel_flag;
    return (struct dpl_field){.name = desc->path + under,
                              .type = is_flag ? DPL_FIELD_BOOL : DPL_FIELD_DOUBLE,
                              .offset = i * slot,
                              .size = is_flag ? sizeof(bool) : sizeof(double),
                              .unit = desc->unit,
                              .min = desc->min,
                              .max = desc->max,
                              .summary = desc->summary};
}

static void add_robot(struct world_scene *scene, const char *name, struct dpl_scene_values *values,
                      struct scene_robot *robot)
{
    size_t n, n_name = strlen(name), count = 0;
    bool is_only = scene->model->n_robots == 1; /* parts may have names of their own */
    const struct dpl_channel_desc *descs = dpl_world_channels_describe(scene->live.channels, &n);
    struct dpl_field *fields = dpl_arena_alloc(&scene->arena, (n + 1) * sizeof *fields);
    robot->channel = dpl_arena_alloc(&scene->arena, (n + 1) * sizeof *robot->channel);
    for (size_t i = 0; i < n; i++) {
        bool is_own =
            dpl_channel_part(descs[i].path) == n_name && strncmp(descs[i].path, name, n_name) == 0;
        bool is_part = is_only && dpl_channel_part(descs[i].path) > 0;
        if ((is_own || is_part) && is_shown(&descs[i])) {
            fields[count] = field_of(&descs[i], is_own ? n_name + 1 : 0, count);
            robot->channel[count++] = i;
        }
    }
    *values = (struct dpl_scene_values){name, fields, count, count * slot};
}

void scene_list_values(struct world_scene *scene)
{
    size_t n = scene->live.channels ? scene->model->n_robots : 0, count = 0;
    struct dpl_scene_values *values = dpl_arena_alloc(&scene->arena, (n + 1) * sizeof *values);
    scene->robots = dpl_arena_alloc(&scene->arena, (n + 1) * sizeof *scene->robots);
    for (size_t i = 0; i < n; i++) {
        const struct dpl_sim_robot *robot = &scene->model->robots[i];
        if (dpl_sim_robot_mechanism(robot)) {
            add_robot(scene, robot->name, &values[count], &scene->robots[count]);
            count += values[count].n_fields > 0;
        }
    }
    scene->self.values = values;
    scene->self.n_values = count;
}

void scene_watch_values(struct dpl_scene *scene, size_t i, const struct dpl_scene_tap *tap)
{
    scene_of(scene)->robots[i].tap = *tap;
}

static void fill(const struct world_scene *scene, size_t robot, unsigned char *row)
{
    const struct dpl_scene_values *values = &scene->self.values[robot];
    for (size_t i = 0; i < values->n_fields; i++) {
        double none = (double)NAN;
        dpl_ns stamp;
        memcpy(row + i * slot, &none, slot);
        if (values->fields[i].type == DPL_FIELD_BOOL) {
            row[i * slot] = 0;
        }
        (void)dpl_world_channels_get(scene->live.channels, scene->robots[robot].channel[i],
                                     row + i * slot, &stamp);
    }
}

static void send(struct world_scene *scene, size_t i, dpl_ns now)
{
    struct scene_robot *robot = &scene->robots[i];
    unsigned char *row = robot->tap.open ? robot->tap.open(robot->tap.self) : NULL;
    if (row) {
        robot->wanted = robot->tap.wants ? robot->tap.wants(robot->tap.self) : 0;
        fill(scene, i, row);
        robot->tap.send(robot->tap.self, scene_stamp(scene, now));
    }
}

void scene_welcome_to_values(struct world_scene *scene, dpl_ns now)
{
    for (size_t i = 0; i < scene->self.n_values; i++) {
        const struct scene_robot *robot = &scene->robots[i];
        if (robot->tap.wants && robot->tap.wants(robot->tap.self) != robot->wanted) {
            send(scene, i, now);
        }
    }
}

void scene_look_at_values(struct world_scene *scene, dpl_ns now)
{
    if (now < scene->values_due && now >= scene->values_due - DPL_SCENE_VALUES_PERIOD) {
        return;
    }
    scene->values_due = (now / DPL_SCENE_VALUES_PERIOD + 1) * DPL_SCENE_VALUES_PERIOD;
    for (size_t i = 0; i < scene->self.n_values; i++) {
        send(scene, i, now);
    }
}
