/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of worlds in STAR's format: PATH/JOINT/position and the like, PATH/BODY/pose,
 * PATH/DEVICE/JOINT/..., PATH/active. PATH are the names of the assemblies. */
#include <stdio.h>
#include <string.h>

#include "channels_multibody.h"

enum { PATH_MAX_HERE = DPL_CHANNEL_PATH_MAX };

struct dpl_multibody_world *dpl__multibody_data(const struct dpl_world *world)
{
    return dpl_world_subsystem(world, &dpl_multibody_subsystem);
}

/* ---- names ---- */

/* "robot/cell/arm" of a thing, or "cell/arm" in a world that is the file. False: too long for a
 * channel; it has none. */
static bool path_of(const struct dpl_multibody_robot *robot, const char *name,
                    enum dpl_mb_kind kind, int number, char ret_path[PATH_MAX_HERE])
{
    size_t n = 0;
    if (!robot->part->is_root) {
        n = (size_t)snprintf(ret_path, PATH_MAX_HERE, "%s/", name);
    }
    n += dpl_mb_path(robot->graph, kind, number, ret_path + n, PATH_MAX_HERE - n);
    for (char *c = ret_path; *c; c++) {
        *c = *c == ':' ? '/' : *c;
    }
    return n < PATH_MAX_HERE - 24;
}

/* ---- who has which ---- */

static void add_joints(const struct dpl_multibody_world *data, struct dpl_world_channels *channels,
                       const struct dpl_multibody_robot *robot, const char *name, int first)
{
    char path[PATH_MAX_HERE];
    for (size_t id = (size_t)first; id < data->n_joints && data->joints[id].robot == robot; id++) {
        const struct dpl_multibody_thing *thing = &data->joints[id];
        const struct dpl_mb_joint *joint = &robot->graph->joints[thing->number];
        bool turns = dpl_mb_joint_turns(joint->type, thing->coordinate);
        if (!path_of(robot, name, DPL_MB_JOINT, thing->number, path)) {
            continue;
        }
        if (thing->coordinate > 0) {
            dpl__channels_add(channels, &dpl__multibody_joint_tables[turns], (int)id, "%s/%d", path,
                              thing->coordinate + 1);
            continue;
        }
        dpl__channels_add(channels, &dpl__multibody_joint_tables[turns], (int)id, "%s", path);
        if (joint->motor.mode != DPL_MB_MOTOR_NONE) {
            dpl__channels_add(channels, &dpl__multibody_motor_tables[turns], (int)id, "%s", path);
        }
    }
}

/* The number of a joint's first coordinate among those of the world; -1: it has none. */
static int coordinate_of(const struct dpl_multibody_world *data,
                         const struct dpl_multibody_robot *robot, int joint, int first)
{
    for (size_t id = (size_t)first; id < data->n_joints && data->joints[id].robot == robot; id++) {
        if (data->joints[id].number == joint) {
            return (int)id;
        }
    }
    return -1;
}

static void add_device(const struct dpl_multibody_world *data, struct dpl_world_channels *channels,
                       const struct dpl_multibody_robot *robot, const char *name, int first,
                       const struct dpl_star_device *device)
{
    char path[PATH_MAX_HERE];
    bool fits = path_of(robot, name, DPL_MB_ASSEMBLY, device->assembly, path);
    for (size_t i = 0; i < device->n_joints && fits; i++) {
        const struct dpl_mb_joint *joint = &robot->graph->joints[device->joints[i]];
        int id = coordinate_of(data, robot, device->joints[i], first);
        const char *slash = *path && path[strlen(path) - 1] != '/' ? "/" : "";
        if (id < 0) {
            continue;
        }
        bool turns = dpl_mb_joint_turns(joint->type, 0);
        dpl__channels_add(channels, &dpl__multibody_device_tables[turns], id, "%s%s%s/%s", path,
                          slash, device->name, joint->name);
        if (joint->motor.mode != DPL_MB_MOTOR_NONE) {
            dpl__channels_add(channels, &dpl__multibody_motor_tables[turns], id, "%s%s%s/%s", path,
                              slash, device->name, joint->name);
        }
    }
}

static void add_bodies(const struct dpl_multibody_world *data, struct dpl_world_channels *channels,
                       const struct dpl_multibody_robot *robot, const char *name,
                       const struct dpl_multibody_first *first)
{
    char path[PATH_MAX_HERE];
    for (size_t id = (size_t)first->body; id < data->n_bodies && data->bodies[id].robot == robot;
         id++) {
        if (path_of(robot, name, DPL_MB_BODY, data->bodies[id].number, path)) {
            dpl__channels_add(channels, &dpl__multibody_body_table, (int)id, "%s", path);
            if (dpl__multibody_felt(robot->contacts, data->bodies[id].number)) {
                dpl__channels_add(channels, &dpl__multibody_contact_table, (int)id, "%s", path);
            }
        }
    }
    for (size_t i = 1; i < robot->graph->n_assemblies; i++) { /* the root is always on */
        if (!robot->graph->assemblies[i].is_removed &&
            path_of(robot, name, DPL_MB_ASSEMBLY, (int)i, path)) {
            dpl__channels_add(channels, &dpl__multibody_assembly_table, first->assembly + (int)i,
                              "%s", path);
        }
    }
}

void dpl__multibody_add_channels(const struct dpl_world *world, struct dpl_world_channels *channels,
                                 int number)
{
    const struct dpl_multibody_world *data = dpl__multibody_data(world);
    const char *name = dpl_world_model(world)->robots[number].name;
    for (size_t r = 0; r < data->n_robots; r++) {
        const struct dpl_multibody_robot *robot = &data->robots[r];
        const struct dpl_multibody_first *first = &data->first[r];
        const struct dpl_star_world *star = robot->part->star;
        if (robot->robot != number) {
            continue;
        }
        dpl__channels_add(channels, &dpl__multibody_robot_table, (int)r, "%s", name);
        add_joints(data, channels, robot, name, first->joint);
        add_bodies(data, channels, robot, name, first);
        for (size_t i = 0; i < star->n_devices; i++) {
            add_device(data, channels, robot, name, first->joint, &star->devices[i]);
        }
    }
}
