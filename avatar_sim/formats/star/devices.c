/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: joints and sensors that have a name together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

const char *const dpl_star_sensor_words[DPL_STAR_SENSOR_TYPES] = {"encoder", "contact", "lidar",
                                                                  "radar",   "camera",  "pose"};

/* Room for one more in a list that an arena has; the list doubles when it is full. */
static void *add_to(struct dpl_arena *arena, void *list, size_t n, size_t size)
{
    if (n > 0 && (n & (n - 1)) != 0) {
        return list; /* its room is the next power of 2 */
    }
    void *larger = dpl_arena_alloc(arena, (n > 0 ? 2 * n : 1) * size);
    if (n > 0) {
        memcpy(larger, list, n * size);
    }
    return larger;
}

/* ---- sensors ---- */

struct sensors {
    struct dpl_star_sensor *list;
    size_t n;
    int assembly;
};

/* Keys that the reader leaves to those who make the sensor. */
static const char *others_of(struct dpl__star_reader *reader, struct dpl__star_node node)
{
    json_t *others = json_deep_copy(node.json);
    for (const char *const *key = dpl__star_sensor_keys; others && *key; key++) {
        json_object_del(others, *key);
    }
    char *text = others ? json_dumps(others, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(others);
    if (!text) {
        reader->source->is_out_of_memory = true;
        return "{}";
    }
    const char *copy = dpl_arena_strdup(reader->arena, text);
    free(text);
    return copy;
}

static bool read_sensor_place(struct dpl__star_reader *reader, struct dpl__star_node node,
                              int assembly, struct dpl_star_sensor *sensor)
{
    struct dpl__star_node frame = dpl__star_get(reader, node, "frame");
    struct dpl__star_node joint = dpl__star_get(reader, node, "joint");
    sensor->frame = sensor->joint = -1;
    if (joint.json && sensor->type != DPL_STAR_ENCODER) {
        dpl__star_error(reader, joint, "only an encoder is at a joint");
        return false;
    }
    if (!frame.json && !joint.json) {
        dpl__star_error(reader, node, "this has no \"frame\"");
        return false;
    }
    if (joint.json) {
        sensor->joint = dpl__star_find_joint(reader, joint, assembly);
    }
    if (frame.json) {
        sensor->frame = dpl__star_read_end(reader, frame, assembly);
    }
    return (!joint.json || sensor->joint >= 0) && (!frame.json || sensor->frame >= 0);
}

static void read_sensor(struct dpl__star_reader *reader, struct dpl__star_node node,
                        const char *name, void *user)
{
    struct sensors *sensors = user;
    struct dpl__star_node type = dpl__star_get(reader, node, "type");
    if (!type.json) {
        dpl__star_error(reader, node, "this has no \"type\"");
        return;
    }
    int word = dpl__star_word(reader, type, dpl_star_sensor_words, DPL_STAR_SENSOR_TYPES);
    struct dpl_star_sensor sensor = {.type = (enum dpl_star_sensor_type)word};
    if (word < 0 || !read_sensor_place(reader, node, sensors->assembly, &sensor)) {
        return;
    }
    sensor.name = dpl_arena_strdup(reader->arena, name ? name : dpl_star_sensor_words[word]);
    for (size_t i = 0; i < sensors->n; i++) {
        if (strcmp(sensors->list[i].name, sensor.name) == 0) {
            dpl__star_error_name(reader, node, "there is already a sensor '%s' in this device",
                                 sensor.name);
            return;
        }
    }
    sensor.other = others_of(reader, node);
    sensor.line = reader->places.values[node.value].line;
    sensor.column = reader->places.values[node.value].column;
    sensors->list = add_to(reader->arena, sensors->list, sensors->n, sizeof sensor);
    sensors->list[sensors->n++] = sensor;
}

/* Names may be left out in an array: then a sensor has that of its type. */
static void read_sensors(struct dpl__star_reader *reader, struct dpl__star_node list,
                         struct sensors *sensors)
{
    if (!json_is_array(list.json)) {
        dpl__star_each(reader, list, read_sensor, sensors);
        return;
    }
    struct dpl__star_node node = {.value = list.value + 1};
    for (size_t i = 0; i < json_array_size(list.json) && !reader->stops; i++) {
        node.json = json_array_get(list.json, i);
        if (dpl__star_is_object(reader, node)) {
            struct dpl__star_node name = dpl__star_get(reader, node, "name");
            const char *text = name.json ? dpl__star_string(reader, name) : NULL;
            if (!name.json || (text && dpl__star_is_name(reader, node, text))) {
                read_sensor(reader, node, text, sensors);
            }
        }
        node.value = reader->places.values[node.value].next;
    }
}

/* ---- devices ---- */

struct devices {
    struct dpl_star_device *list;
    json_t **json;
    size_t n;
    int assembly;
};

static void read_device_joints(struct dpl__star_reader *reader, struct dpl__star_node list,
                               int assembly, struct dpl_star_device *device)
{
    if (!json_is_array(list.json)) {
        dpl__star_error(reader, list, "an array of joints is expected");
        return;
    }
    size_t n = json_array_size(list.json);
    int *joints = dpl_arena_alloc(reader->arena, (n + 1) * sizeof *joints);
    device->joints = joints;
    struct dpl__star_node node = {.value = list.value + 1};
    for (size_t i = 0; i < n && !reader->stops; i++) {
        node.json = json_array_get(list.json, i);
        joints[device->n_joints] = dpl__star_find_joint(reader, node, assembly);
        device->n_joints += joints[device->n_joints] >= 0;
        node.value = reader->places.values[node.value].next;
    }
}

static void read_device(struct dpl__star_reader *reader, struct dpl__star_node node,
                        const char *name, void *user)
{
    struct devices *devices = user;
    struct dpl_star_device device = {.name = dpl_arena_strdup(reader->arena, name),
                                     .assembly = devices->assembly,
                                     .is_active = dpl__star_bool(reader, node, "active", true)};
    dpl__star_check_keys(reader, node, dpl__star_device_keys);
    for (size_t i = devices->n; i-- > 0 && devices->list[i].assembly == device.assembly;) {
        if (strcmp(devices->list[i].name, name) == 0) {
            dpl__star_error_name(reader, node, "there is already a device '%s' in this assembly",
                                 name);
            return;
        }
    }
    struct dpl__star_node joints = dpl__star_get(reader, node, "joints");
    struct dpl__star_node list = dpl__star_get(reader, node, "sensors");
    struct sensors sensors = {.assembly = device.assembly};
    if (joints.json) {
        read_device_joints(reader, joints, device.assembly, &device);
    }
    if (list.json) {
        read_sensors(reader, list, &sensors);
    }
    device.sensors = sensors.list;
    device.n_sensors = sensors.n;
    devices->list = add_to(reader->arena, devices->list, devices->n, sizeof device);
    devices->json = add_to(reader->arena, devices->json, devices->n, sizeof node.json);
    devices->json[devices->n] = node.json;
    devices->list[devices->n++] = device;
}

void dpl__star_read_devices(struct dpl__star_reader *reader)
{
    struct devices devices = {.n = 0};
    for (size_t i = 0; i < reader->graph->n_assemblies; i++) {
        devices.assembly = (int)i;
        dpl__star_each(reader, dpl__star_list_of(reader, (int)i, "devices"), read_device, &devices);
    }
    reader->world->devices = devices.list;
    reader->world->n_devices = devices.n;
    reader->source->devices = devices.json;
}

static bool is_frame_active(const struct dpl_mb_graph *graph, int frame)
{
    return frame < 0 || dpl_mb_is_active(graph, DPL_MB_FRAME, frame);
}

bool dpl_star_device_is_active(const struct dpl_star_world *world, size_t number)
{
    const struct dpl_star_device *device = &world->devices[number];
    const struct dpl_mb_graph *graph = world->graph;
    bool is_active =
        device->is_active && dpl_mb_is_active(graph, DPL_MB_ASSEMBLY, device->assembly);
    for (size_t i = 0; is_active && i < device->n_joints; i++) {
        is_active = dpl_mb_is_active(graph, DPL_MB_JOINT, device->joints[i]);
    }
    for (size_t i = 0; is_active && i < device->n_sensors; i++) {
        const struct dpl_star_sensor *sensor = &device->sensors[i];
        is_active = is_frame_active(graph, sensor->frame) &&
                    (sensor->joint < 0 || dpl_mb_is_active(graph, DPL_MB_JOINT, sensor->joint));
    }
    return is_active;
}
