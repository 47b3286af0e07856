/* SPDX-License-Identifier: Apache-2.0 */
#include "robots.h"

#include <stdio.h>
#include <string.h>

int robots_column(const struct table *trace, const char *tag, const char *leaf)
{
    char name[2 * ROBOT_NAME_SIZE];
    snprintf(name, sizeof name, "%s.%s", tag, leaf);
    return table_column(trace, name);
}

const char *robots_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

const char *robots_property(const json_t *owner, const char *name)
{
    return robots_text(json_object_get(json_object_get(owner, "properties"), name), "value");
}

static bool has(const struct table *trace, const char *tag, const char *leaf)
{
    return robots_column(trace, tag, leaf) >= 0;
}

/* A place in the plane: not in space, and no estimate of another component. */
static bool is_place(const struct table *trace, const char *tag)
{
    return has(trace, tag, "x") && has(trace, tag, "y") && !has(trace, tag, "z") &&
           !has(trace, tag, "sigma_mm");
}

/* Compares a robot with its avatar. */
static bool is_comparison(const struct table *trace, const char *tag)
{
    return has(trace, tag, "distance_mm") ||
           (has(trace, tag, "true_mm") && !has(trace, tag, "sigma_mm")) ||
           (has(trace, tag, "real_x") && has(trace, tag, "avatar_x"));
}

/* ---- by columns ---- */

/* The tag of a column "TAG.leaf" with such a leaf; false: it is another. */
static bool tag_of(const char *column, const char *leaf, char ret_tag[ROBOT_NAME_SIZE])
{
    const char *dot = strrchr(column, '.');
    if (!dot || strcmp(dot + 1, leaf) != 0 || dot - column >= ROBOT_NAME_SIZE) {
        return false;
    }
    snprintf(ret_tag, ROBOT_NAME_SIZE, "%.*s", (int)(dot - column), column);
    return true;
}

static void find_comparison(const struct table *trace, char ret_tag[ROBOT_NAME_SIZE])
{
    char tag[ROBOT_NAME_SIZE];
    ret_tag[0] = '\0';
    for (size_t i = 0; i < trace->n_names && ret_tag[0] == '\0'; i++) {
        bool named = tag_of(trace->names[i], "distance_mm", tag) ||
                     tag_of(trace->names[i], "true_mm", tag) ||
                     tag_of(trace->names[i], "avatar_x", tag);
        if (named && is_comparison(trace, tag)) {
            memcpy(ret_tag, tag, sizeof tag);
        }
    }
}

static size_t find_by_columns(const struct table *trace, struct robot *robots, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < trace->n_names && n < most; i++) {
        struct robot robot = {.component = NULL};
        if (tag_of(trace->names[i], "x", robot.tag) && is_place(trace, robot.tag)) {
            memcpy(robot.name, robot.tag, sizeof robot.name);
            robots[n++] = robot;
        }
    }
    if (n == 0 && most > 0) { /* perhaps a run of which only the comparison is left */
        robots[0] = (struct robot){.component = NULL};
        find_comparison(trace, robots[0].sync);
        return robots[0].sync[0] != '\0';
    }
    find_comparison(trace, robots[0].sync);
    return n;
}

/* ---- by the record ---- */

static bool publishes(const json_t *component, const char *type)
{
    size_t i;
    const json_t *port;
    json_array_foreach(json_object_get(component, "ports"), i, port)
    {
        const char *of = robots_text(port, "type");
        const char *dot = strrchr(of, '.');
        if (strcmp(robots_text(port, "direction"), "out") == 0 &&
            strcmp(robots_text(port, "kind"), "data") == 0 &&
            strcmp(dot ? dot + 1 : of, type) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether a component only tells others a robot's true pose: all who are connected to it call it
 * their "Truth". It is no robot of its own. */
static bool is_truth(const json_t *record, const char *name)
{
    size_t i;
    const json_t *connection;
    bool any = false;
    json_array_foreach(json_object_get(record, "connections"), i, connection)
    {
        const json_t *source = json_object_get(connection, "source");
        const json_t *target = json_object_get(connection, "target");
        bool asked = strcmp(robots_text(target, "component"), name) == 0;
        if (asked && strcmp(robots_text(source, "port"), "Truth") != 0) {
            return false;
        }
        any = any || asked;
    }
    return any;
}

static bool is_robot(const struct table *trace, const json_t *component)
{
    const char *tag = robots_text(component, "tag");
    bool moves = strcmp(robots_text(component, "device_class"), "wheel_controller") == 0 ||
                 publishes(component, "Odometry");
    bool estimates = publishes(component, "LocalizedPose");
    bool turns = has(trace, tag, "theta") || has(trace, tag, "heading");
    return is_place(trace, tag) && (moves || (turns && !estimates));
}

static const json_t *find_component(const json_t *record, const char *name)
{
    size_t i;
    const json_t *component;
    json_array_foreach(json_object_get(record, "components"), i, component)
    {
        if (strcmp(robots_text(component, "name"), name) == 0) {
            return component;
        }
    }
    return NULL;
}

/* Who tells the comparison where the robot truly is. */
static void find_truth(const json_t *record, const json_t *sync, struct robot *robot)
{
    size_t i;
    const json_t *connection;
    json_array_foreach(json_object_get(record, "connections"), i, connection)
    {
        const json_t *source = json_object_get(connection, "source");
        const json_t *target = json_object_get(connection, "target");
        bool told = strcmp(robots_text(source, "component"), robots_text(sync, "name")) == 0 &&
                    strcmp(robots_text(source, "port"), "Truth") == 0;
        const json_t *truth = find_component(record, robots_text(target, "component"));
        if (told && truth) {
            snprintf(robot->truth, sizeof robot->truth, "%s", robots_text(truth, "tag"));
            return;
        }
    }
}

/* The comparison that is connected to a robot at one of its ports. */
static void find_sync(const struct table *trace, const json_t *record, struct robot *robot)
{
    size_t i;
    const json_t *connection;
    json_array_foreach(json_object_get(record, "connections"), i, connection)
    {
        const json_t *source = json_object_get(connection, "source");
        const json_t *target = json_object_get(connection, "target");
        if (strcmp(robots_text(target, "component"), robot->name) != 0) {
            continue;
        }
        const json_t *other = find_component(record, robots_text(source, "component"));
        const char *tag = robots_text(other, "tag");
        if (*tag && is_comparison(trace, tag)) {
            snprintf(robot->sync, sizeof robot->sync, "%s", tag);
            find_truth(record, other, robot);
            return;
        }
    }
}

static size_t find_by_record(const struct table *trace, const json_t *record, struct robot *robots,
                             size_t most)
{
    size_t n = 0, i;
    const json_t *component;
    json_array_foreach(json_object_get(record, "components"), i, component)
    {
        bool robot_of_its_own = !is_truth(record, robots_text(component, "name"));
        if (n < most && robot_of_its_own && is_robot(trace, component)) {
            struct robot *robot = &robots[n++];
            *robot = (struct robot){.component = component};
            snprintf(robot->name, sizeof robot->name, "%s", robots_text(component, "name"));
            snprintf(robot->tag, sizeof robot->tag, "%s", robots_text(component, "tag"));
            find_sync(trace, record, robot);
        }
    }
    return n;
}

size_t robots_find(const struct table *trace, const json_t *record, struct robot *ret_robots,
                   size_t most)
{
    bool told = json_array_size(json_object_get(record, "components")) > 0;
    return told ? find_by_record(trace, record, ret_robots, most)
                : find_by_columns(trace, ret_robots, most);
}

const json_t *robot_device(const struct robot *robot, const char *side)
{
    const json_t *device = json_object_get(robot->component, "device");
    const json_t *sides = json_object_get(device, "sides"), *one;
    size_t i;
    json_array_foreach(sides, i, one)
    {
        if (strcmp(robots_text(one, "side"), side) == 0) {
            return one;
        }
    }
    return json_array_size(sides) == 0 ? device : NULL;
}
