/* SPDX-License-Identifier: Apache-2.0 */
#include "folder_poses.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>

/* ---- which ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* The data port of a component with this type and direction; NULL: none. */
static const char *port_of(const json_t *component, const char *direction, const char *type)
{
    size_t i;
    const json_t *port;
    json_array_foreach(json_object_get(component, "ports"), i, port)
    {
        if (strcmp(text_of(port, "kind"), "data") == 0 &&
            strcmp(text_of(port, "direction"), direction) == 0 &&
            strcmp(text_of(port, "type"), type) == 0) {
            return text_of(port, "name");
        }
    }
    return NULL;
}

static bool find_columns(const struct table *trace, const char *stem, struct folder_pose *ret_pose)
{
    const char *const leaves[] = {"x", "y", "theta"};
    int *const columns[] = {&ret_pose->x, &ret_pose->y, &ret_pose->theta};
    bool all = true;
    for (size_t i = 0; i < 3; i++) {
        char name[256];
        snprintf(name, sizeof name, "%s%s", stem, leaves[i]);
        *columns[i] = table_column(trace, name);
        all = all && *columns[i] > 0;
    }
    ret_pose->x = all ? ret_pose->x : 0;
    return all;
}

/* The first component that publishes the type and whose pose is in the trace. */
static bool find_robot(struct folder_poses *poses, const json_t *record, const char *type)
{
    size_t i;
    const json_t *component;
    json_array_foreach(json_object_get(record, "components"), i, component)
    {
        char stem[200];
        snprintf(stem, sizeof stem, "%s.", text_of(component, "tag"));
        if (port_of(component, "out", type) && find_columns(poses->trace, stem, &poses->robot)) {
            snprintf(poses->robot.topic, sizeof poses->robot.topic, "/%s/place",
                     text_of(component, "name"));
            return true;
        }
    }
    return false;
}

/* "Tag.side.true_x": where the avatar of a component is. */
static void find_avatar(struct folder_poses *poses)
{
    static const char leaf[] = ".true_x";
    for (size_t i = 0; i < poses->trace->n_names && poses->avatar.x <= 0; i++) {
        const char *name = poses->trace->names[i];
        size_t n = strlen(name);
        char stem[200];
        if (n > strlen(leaf) && n < sizeof stem && strcmp(name + n - strlen(leaf), leaf) == 0) {
            snprintf(stem, sizeof stem, "%.*s", (int)n - 1, name);
            find_columns(poses->trace, stem, &poses->avatar);
            snprintf(poses->avatar.topic, sizeof poses->avatar.topic, "/%.*s/simulation_place",
                     (int)strcspn(name, "."), name);
        }
    }
}

/* The topics that a recorder of scans is connected to. */
static void find_source(const json_t *record, const char *port, char ret_topic[256])
{
    size_t i, k;
    const json_t *component, *connection;
    json_array_foreach(json_object_get(record, "components"), i, component)
    {
        json_array_foreach(json_object_get(record, "connections"), k, connection)
        {
            const json_t *target = json_object_get(connection, "target");
            const json_t *source = json_object_get(connection, "source");
            if (strcmp(text_of(component, "class"), "ScanRecorder") == 0 &&
                strcmp(text_of(component, "name"), text_of(target, "component")) == 0 &&
                strcmp(text_of(target, "port"), port) == 0) {
                snprintf(ret_topic, 256, "/%s/%s", text_of(source, "component"),
                         text_of(source, "port"));
                return;
            }
        }
    }
    snprintf(ret_topic, 256, "/%s", port);
}

void folder_poses_find(struct folder_poses *ret_poses, const struct table *trace,
                       const json_t *record)
{
    *ret_poses = (struct folder_poses){.trace = trace};
    (void)(find_robot(ret_poses, record, "doppel.LocalizedPose") ||
           find_robot(ret_poses, record, "doppel.Odometry"));
    find_avatar(ret_poses);
    find_source(record, "scan", ret_poses->scan);
    find_source(record, "odometry", ret_poses->odometry);
}

/* ---- messages ---- */

static void put_pose(const char *topic, const char *frame, struct dpl_pose2 pose, dpl_ns stamp,
                     struct bag_new *bag)
{
    Doppel__Pose3 spatial = DOPPEL__POSE3__INIT;
    Doppel__PoseEstimate message;
    char map[] = "map", child[32];
    doppel__pose_estimate__init(&message);
    snprintf(child, sizeof child, "%s", frame);
    dpl_pose3_set(&spatial, dpl_pose3_from_planar(pose));
    message.pose = &spatial;
    message.frame = map;
    message.child_frame = child;
    bag_new_message(bag, topic, &message.base, stamp, true);
}

static void put_row(const struct folder_poses *poses, const struct folder_pose *of,
                    const char *frame, size_t row, dpl_ns stamp, struct bag_new *bag)
{
    if (of->x > 0) {
        struct dpl_pose2 pose = {table_at(poses->trace, row, of->x),
                                 table_at(poses->trace, row, of->y),
                                 table_at(poses->trace, row, of->theta)};
        if (isfinite(pose.x) && isfinite(pose.y) && isfinite(pose.theta)) {
            put_pose(of->topic, frame, pose, stamp, bag);
        }
    }
}

void folder_poses_put(const struct folder_poses *poses, size_t row, dpl_ns stamp,
                      struct bag_new *bag)
{
    put_row(poses, &poses->robot, "base_link", row, stamp, bag);
    put_row(poses, &poses->avatar, "avatar/base_link", row, stamp, bag);
}

void folder_poses_scan(const struct folder_poses *poses, const struct recording *scans,
                       size_t number, struct bag_new *bag)
{
    const struct recorded_scan *scan = &scans->scans[number];
    dpl_ns stamp = (dpl_ns)llround(scan->time_s * 1e6) * 1000;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT, mount = DOPPEL__POSE2__INIT;
    Doppel__Odometry odometry = DOPPEL__ODOMETRY__INIT;
    Doppel__Scan message = DOPPEL__SCAN__INIT;
    dpl_pose2_set(&pose, scan->odometry);
    odometry.pose = &pose;
    bag_new_message(bag, poses->odometry, &odometry.base, stamp, false);
    if (poses->robot.x <= 0) {
        put_pose("/odometry/place", "base_link", scan->odometry, stamp, bag);
    }
    dpl_pose2_set(&mount, scan->mount);
    message.mount = &mount;
    message.start_angle = scan->start_angle;
    message.step_angle = scan->step_angle;
    message.ranges = scans->ranges + scan->first;
    message.n_ranges = scan->n;
    bag_new_message(bag, poses->scan, &message.base, stamp, true);
}
