/* SPDX-License-Identifier: Apache-2.0 */
/* Sensors of devices as entries of the robot (docs/design/machine-formats.md). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/channel.h>
#include <doppel/sim/entry.h>

#include "class_calls.h"
#include "classes.h"
#include "multibody_state.h"
#include "star_robot.h"

extern const struct dpl_sim_entry_class dpl_joint_encoder, dpl_contact_sensor, dpl_laser,
    dpl_camera, dpl_pose_sensor, dpl_radar;

static const struct dpl_sim_entry_class *const classes[DPL_STAR_SENSOR_TYPES] = {
    [DPL_STAR_ENCODER] = &dpl_joint_encoder, [DPL_STAR_CONTACT] = &dpl_contact_sensor,
    [DPL_STAR_LIDAR] = &dpl_laser,           [DPL_STAR_RADAR] = &dpl_radar,
    [DPL_STAR_CAMERA] = &dpl_camera,         [DPL_STAR_POSE] = &dpl_pose_sensor,
};

/* What the file's frame and name say, not keys of a sensor. */
static const char *const taken[] = {"x", "y", "z", "yaw", "pitch", "roll"};

struct maker {
    struct dpl_arena *arena;
    struct dpl_multibody_part *part;
    const int *shown_as;
    const struct dpl_star_sensor *sensor; /* that is made */
    struct dpl__list notes;               /* of struct dpl_diag */
    struct dpl_sim_entry *entry;          /* of it */
    bool is_bad;
};

static void note(struct maker *maker, enum dpl_severity severity, const char *text)
{
    struct dpl_diag *diag = dpl__list_add(maker->arena, &maker->notes, sizeof *diag);
    struct dpl_place place = {NULL, maker->sensor->line, maker->sensor->column};
    dpl_fail(diag, 0, place, "sensor '%s': %s", maker->sensor->name, text);
    diag->severity = severity;
    maker->is_bad = true;
}

static void does_nothing(struct maker *maker, const char *why)
{
    note(maker, DPL_SEVERITY_WARNING, dpl_arena_printf(maker->arena, "%s: it does nothing", why));
}

/* ---- settings ---- */

static bool is_taken(const char *key)
{
    bool is = strcmp(key, "name") == 0;
    for (size_t i = 0; i < DPL_COUNT(taken); i++) {
        is |= strcmp(key, taken[i]) == 0;
    }
    return is;
}

static void read_key(void *user, const char *key, const char *value)
{
    struct maker *maker = user;
    struct dpl_arena *arena = maker->arena;
    const struct dpl_sim_settings *table = &maker->entry->class_->settings;
    const struct dpl_field *field = dpl_field_find(table->fields, table->n, key);
    struct dpl_field_text text = {.text = value};
    struct dpl_diag why;
    if (is_taken(key)) {
        note(maker, DPL_SEVERITY_ERROR, dpl_arena_printf(arena, "'%s' is given by its frame", key));
    } else if (!field) { /* STAR's own keys may be there, too */
        bool was_bad = maker->is_bad;
        note(maker, DPL_SEVERITY_WARNING,
             dpl_arena_printf(arena, "'%s' is no setting of it, and not used", key));
        maker->is_bad = was_bad;
    } else if (!text.text) {
        note(maker, DPL_SEVERITY_ERROR,
             dpl_arena_printf(arena, "'%s' is neither a number nor a text nor a truth", key));
    } else if (dpl_field_parse(field, &text, maker->entry->settings, &why)) {
        note(maker, DPL_SEVERITY_ERROR, dpl_arena_printf(arena, "%s: %s", key, why.text));
    }
}

struct search {
    const char *key;
    bool is_found;
};

static void compare(void *user, const char *key, const char *value)
{
    struct search *search = user;
    (void)value;
    search->is_found |= strcmp(search->key, key) == 0;
}

/* What has no default must be there. */
static void check_given(struct maker *maker, const struct dpl_sim_settings *table)
{
    for (size_t i = 0; i < table->n && !maker->is_bad; i++) {
        const struct dpl_field *field = &table->fields[i];
        struct search search = {.key = field->name};
        dpl_star_sensor_each(maker->sensor, compare, &search);
        bool needed = !field->default_text && !(field->flags & DPL_ELEMENT_OPTIONAL);
        if (needed && !is_taken(field->name) && !search.is_found) {
            does_nothing(maker, dpl_arena_printf(maker->arena, "it has no \"%s\"", field->name));
        }
    }
}

static void put_number(const struct dpl_sim_settings *table, const char *name, double value,
                       void *settings)
{
    const struct dpl_field *field = dpl_field_find(table->fields, table->n, name);
    if (field) {
        memcpy((char *)settings + field->offset, &value, sizeof value);
    }
}

/* All classes that are at a body have their mount in these fields. */
static void put_mount(const struct dpl_sim_settings *table, struct dpl_pose3 mount, void *settings)
{
    double roll, pitch, yaw;
    dpl_quaternion_to_rpy(mount.orientation, &roll, &pitch, &yaw);
    const double values[] = {
        mount.position.x, mount.position.y, mount.position.z, yaw, pitch, roll};
    for (size_t i = 0; i < DPL_COUNT(taken); i++) {
        put_number(table, taken[i], values[i], settings);
    }
}

static void put_name(const struct dpl_sim_settings *table, const char *name, void *settings)
{
    const struct dpl_field *field = dpl_field_find(table->fields, table->n, "name");
    if (field) {
        snprintf((char *)settings + field->offset, field->size, "%s", name);
    }
}

static void read_settings(struct maker *maker, struct dpl_sim_entry *entry)
{
    const struct dpl_sim_settings *table = &entry->class_->settings;
    maker->entry = entry;
    entry->settings = dpl__settings_make(maker->arena, table);
    dpl_fields_set_defaults(table->fields, table->n, entry->settings);
    if (entry->class_ == &dpl_laser) { /* a planar one is level: here it turns with its frame */
        const struct dpl_field *layers = dpl_field_find(table->fields, table->n, "layers");
        memcpy((char *)entry->settings + layers->offset, &(int64_t){1}, sizeof(int64_t));
    }
    dpl_star_sensor_each(maker->sensor, read_key, maker);
    check_given(maker, table);
}

static void finish_settings(struct maker *maker, struct dpl_sim_entry *entry)
{
    struct dpl_diag why;
    if (entry->class_->complete) {
        entry->class_->complete(entry->settings);
    }
    bool attaches = entry->class_ == &dpl_contact_sensor;
    if (dpl__entry_check(entry, attaches ? &maker->part->mechanism : NULL, &why)) {
        note(maker, DPL_SEVERITY_ERROR, why.text);
    }
}

/* ---- places ---- */

/* The one joint that has the frame as an end; -1: none, or several. */
static int joint_at(const struct dpl_mb_graph *graph, int frame)
{
    int found = -1;
    for (size_t i = 0; i < graph->n_joints; i++) {
        const struct dpl_mb_joint *joint = &graph->joints[i];
        if (!joint->is_removed && (joint->frames[0] == frame || joint->frames[1] == frame)) {
            if (found >= 0) {
                return -1;
            }
            found = (int)i;
        }
    }
    return found;
}

/* A joint's number in the state; -1: it has not one coordinate. */
static int slot_of(const struct dpl_mb_graph *graph, int joint)
{
    int slot = 0;
    if (graph->joints[joint].is_removed || dpl_mb_joint_freedoms(graph->joints[joint].type) != 1) {
        return -1;
    }
    for (int i = 0; i < joint; i++) {
        slot += !graph->joints[i].is_removed && dpl_mb_joint_freedoms(graph->joints[i].type) == 1;
    }
    return slot;
}

static void place_at_joint(struct maker *maker, struct dpl_sim_entry *entry)
{
    const struct dpl_mb_graph *graph = maker->part->star->graph;
    const struct dpl_star_sensor *sensor = maker->sensor;
    int joint = sensor->joint >= 0 ? sensor->joint : joint_at(graph, sensor->frame);
    if (joint < 0) {
        does_nothing(maker, "its frame is not that of one joint: give \"joint\"");
        return;
    }
    entry->joint = slot_of(graph, joint);
    if (entry->joint < 0) {
        does_nothing(maker, "its joint has not one coordinate");
        return;
    }
    entry->whole_joint = (unsigned)entry->joint;
    entry->turns = dpl_mb_joint_turns(graph->joints[joint].type, 0);
}

static bool has_shapes(const struct dpl_star_world *star, int body)
{
    bool has = false;
    for (size_t i = 0; i < star->n_shapes; i++) {
        has |= star->shapes[i].body == body;
    }
    return has;
}

/* The fixed body among those that have a state: the last one, when a sensor is at it. */
static int fixed_body(struct dpl_multibody_part *part)
{
    struct dpl_sim_mechanism *mechanism = &part->mechanism;
    size_t last = mechanism->n_bodies - 1;
    if (part->graph_body[last] != 0) {
        struct dpl_sim_body body = {.pose = {.orientation = {.w = 1.0}}, .is_static = true};
        snprintf(body.name, sizeof body.name, "fixed");
        last++;
        part->graph_body[last] = 0;
        mechanism->bodies[last] = body;
        mechanism->n_bodies++;
    }
    return (int)last;
}

static void place_at_body(struct maker *maker, struct dpl_sim_entry *entry)
{
    const struct dpl_mb_frame *frame = &maker->part->star->graph->frames[maker->sensor->frame];
    if (entry->class_ == &dpl_contact_sensor && !has_shapes(maker->part->star, frame->body)) {
        does_nothing(maker, "its body has no shapes, so it touches nothing");
        return;
    }
    int body = frame->body > 0 ? maker->shown_as[frame->body] : fixed_body(maker->part);
    entry->body = (unsigned)body;
    entry->joint = -1;
    put_mount(&entry->class_->settings, dpl__multibody_pose(&frame->in_body), entry->settings);
}

/* ---- entries ---- */

static void make(struct maker *maker, const struct dpl_star_device *device,
                 const struct dpl_star_sensor *sensor)
{
    struct dpl_multibody_part *part = maker->part;
    struct dpl_sim_entry entry = {.class_ = classes[sensor->type]};
    maker->sensor = sensor;
    maker->is_bad = false;
    /* Names of entries are short and unlike; paths of channels are made of the file's. */
    snprintf(entry.name, sizeof entry.name, "%.18s.%.18s.%06zu", device->name, sensor->name,
             part->n_entries);
    read_settings(maker, &entry);
    put_name(&entry.class_->settings, entry.name, entry.settings);
    if (!maker->is_bad && entry.class_->is_at_joint) {
        place_at_joint(maker, &entry);
    } else if (!maker->is_bad) {
        place_at_body(maker, &entry);
    }
    if (!maker->is_bad) {
        finish_settings(maker, &entry);
    }
    if (!maker->is_bad) {
        part->sources[part->n_entries] = (struct dpl_multibody_source){device, sensor};
        part->entries[part->n_entries++] = entry;
    }
}

void dpl__multibody_entries(struct dpl_arena *arena, struct dpl_multibody_part *part,
                            const int *shown_as)
{
    const struct dpl_star_world *star = part->star;
    struct maker maker = {.arena = arena, .part = part, .shown_as = shown_as};
    size_t n = 0;
    for (size_t i = 0; i < star->n_devices; i++) {
        n += star->devices[i].n_sensors;
    }
    part->entries = dpl_arena_alloc(arena, (n + 1) * sizeof *part->entries);
    part->sources = dpl_arena_alloc(arena, (n + 1) * sizeof *part->sources);
    for (size_t i = 0; i < part->n_notes; i++) {
        *(struct dpl_diag *)dpl__list_add(arena, &maker.notes, sizeof *part->notes) =
            part->notes[i];
    }
    for (size_t i = 0; i < star->n_devices; i++) {
        for (size_t k = 0; k < star->devices[i].n_sensors; k++) {
            if (dpl_star_device_is_active(star, i)) {
                make(&maker, &star->devices[i], &star->devices[i].sensors[k]);
            }
        }
    }
    part->notes = maker.notes.items;
    part->n_notes = maker.notes.n;
}

bool dpl__multibody_entry_path(const struct dpl_sim_robot *robot, size_t entry, char *ret_path,
                               size_t size)
{
    const struct dpl_multibody_part *part = robot->part;
    const struct dpl_multibody_source *of = &part->sources[entry];
    char path[DPL_CHANNEL_PATH_MAX];
    size_t n =
        dpl_mb_path(part->star->graph, DPL_MB_ASSEMBLY, of->device->assembly, path, sizeof path);
    for (char *c = path; *c; c++) {
        *c = *c == ':' ? '/' : *c;
    }
    int length = snprintf(ret_path, size, "%s%s%s%s%s/%s", part->is_root ? "" : robot->name,
                          part->is_root ? "" : "/", path, n > 0 ? "/" : "", of->device->name,
                          of->sensor->name);
    return n < sizeof path && length >= 0 && (size_t)length < size;
}
