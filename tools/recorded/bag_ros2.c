/* SPDX-License-Identifier: Apache-2.0 */
/* Twice through the bag: transforms, times and what is wrong first, then the messages. */
#include "bag_ros2.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <doppel/field.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/text.h>

#include "bag.h"
#include "bag_new.h"
#include "ros2_frames.h"
#include "standard.pb-c.h"

#define PATH_BYTES   4096
#define TOPIC_MOST   256
#define LINE_BYTES   1024
#define OFF_MOST     (3600 * DPL_S) /* that a stamp may be away from the others */
#define UPRIGHT      0.98           /* cosine of the tilt that a laser may have */
#define LATCHED_ONES "tf_static"

/* ---- the files of a bag ---- */

struct part {
    char *file;
    struct bag bag;
};

struct ros2_topic {
    char *name, *type;
    enum ros2_kind kind;
    size_t n, n_wrong;
    const char *why;   /* of the first that is wrong */
    const char *frame; /* of the first scan; NULL: none */
};

struct conversion {
    const char *path;
    void (*tell)(const char *line);
    struct part *parts;
    size_t n_parts;
    struct ros2_topic *topics;
    size_t n_topics;
    struct dpl_arena names;
    struct ros2_frames frames;
    char *base;        /* the robot's frame; NULL: not known */
    bool has_odometry; /* of messages of its own */
    bool has_offset;   /* the next one is known */
    dpl_ns offset;     /* from stamps to the times at which messages were recorded */
    dpl_ns start;      /* the first stamp */
    struct bag_new bag;
};

static bool has_end(const char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);
    return n > k && name[0] != '.' && strcmp(name + n - k, end) == 0;
}

static bool is_folder(const char *path, bool *ret_has_metadata)
{
    char file[PATH_BYTES];
    struct stat status;
    bool fits = snprintf(file, sizeof file, "%s/metadata.yaml", path) < PATH_BYTES;
    *ret_has_metadata = fits && stat(file, &status) == 0;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool bag_is_ros2(const char *path)
{
    bool has_metadata;
    struct bag bag;
    if (is_folder(path, &has_metadata)) {
        return has_metadata;
    }
    if (!bag_is(path) || bag_open(path, &bag, NULL) < 0) {
        return false;
    }
    const struct dpl_mcap_info *info = bag.module->info(bag.reader);
    bool is = bag_span_is(info->profile, "ros2");
    for (size_t i = 0; i < info->n_channels; i++) {
        is = is || bag_span_is(info->channels[i]->encoding, "cdr");
    }
    bag_close(&bag);
    return is;
}

static int add_part(struct conversion *of, const char *file, struct dpl_diag *reterr)
{
    struct part *parts = realloc(of->parts, (of->n_parts + 1) * sizeof *parts);
    of->parts = parts ? parts : of->parts;
    char *kept = parts ? strdup(file) : NULL;
    struct dpl_diag why = {0};
    if (!kept) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory");
    }
    struct part *part = &parts[of->n_parts++];
    *part = (struct part){.file = kept};
    int r = bag_open(kept, &part->bag, &why);
    return r < 0 ? dpl_fail(reterr, r, (struct dpl_place){.file = of->path}, "%s: %s",
                            strrchr(kept, '/') ? strrchr(kept, '/') + 1 : kept, why.text)
                 : 0;
}

static int by_start(const void *a, const void *b)
{
    const struct part *left = a, *right = b;
    uint64_t x = left->bag.module->info(left->bag.reader)->start;
    uint64_t y = right->bag.module->info(right->bag.reader)->start;
    return x < y ? -1 : x > y;
}

static int open_folder(struct conversion *of, struct dpl_diag *reterr)
{
    DIR *folder = opendir(of->path);
    struct dirent *entry;
    bool has_others = false;
    int r = 0;
    while (folder && r == 0 && (entry = readdir(folder))) {
        char file[PATH_BYTES];
        int n = snprintf(file, sizeof file, "%s/%s", of->path, entry->d_name);
        has_others |= has_end(entry->d_name, ".db3") || has_end(entry->d_name, ".zstd");
        r = has_end(entry->d_name, ".mcap") && n < PATH_BYTES ? add_part(of, file, reterr) : 0;
    }
    if (folder) {
        closedir(folder);
    }
    if (r == 0 && of->n_parts == 0) {
        r = dpl_fail(reterr, -ENOENT, (struct dpl_place){.file = of->path},
                     has_others ? "the bag is not in plain MCAP files: `ros2 bag convert` with "
                                  "storage_id: mcap makes such ones"
                                : "the bag has no *.mcap");
    }
    if (r == 0) {
        qsort(of->parts, of->n_parts, sizeof *of->parts, by_start);
    }
    return r;
}

/* ---- topics ---- */

static char *text_of(struct dpl_mcap_span span)
{
    return span.n < TOPIC_MOST ? strndup(span.n ? (const char *)span.data : "", span.n) : NULL;
}

/* NULL: no memory, or the name is too long. */
static struct ros2_topic *topic_of(struct conversion *of, const struct dpl_mcap_channel *channel)
{
    static const struct dpl_mcap_span none;
    struct dpl_mcap_span type = channel->schema ? channel->schema->name : none;
    for (size_t i = 0; i < of->n_topics; i++) {
        if (bag_span_is(channel->topic, of->topics[i].name) &&
            bag_span_is(type, of->topics[i].type)) {
            return &of->topics[i];
        }
    }
    struct ros2_topic *topics = realloc(of->topics, (of->n_topics + 1) * sizeof *topics);
    of->topics = topics ? topics : of->topics;
    struct ros2_topic topic = {.name = text_of(channel->topic), .type = text_of(type)};
    if (!topics || !topic.name || !topic.type) {
        free(topic.name);
        free(topic.type);
        return NULL;
    }
    topic.kind = bag_span_is(channel->encoding, "cdr")
                     ? ros2_kind_of(topic.type, strlen(topic.type))
                     : ROS2_OTHER;
    bool is_ours = topic.kind == ROS2_TRANSFORMS || strcmp(topic.name, "/tf") != 0;
    for (size_t i = 0; i < of->n_topics; i++) { /* ours have one type a name */
        is_ours = is_ours && strcmp(of->topics[i].name, topic.name) != 0;
    }
    topic.kind = is_ours && topic.name[0] == '/' ? topic.kind : ROS2_OTHER;
    topics[of->n_topics] = topic;
    return &topics[of->n_topics++];
}

static void note(struct ros2_topic *topic, const char *why)
{
    topic->why = topic->why ? topic->why : why;
    topic->n_wrong++;
}

static bool is_static(const struct ros2_topic *topic)
{
    return topic->kind == ROS2_TRANSFORMS && has_end(topic->name, LATCHED_ONES);
}

/* ---- times ---- */

/* When it was measured, on the clock of its stamps; false: it is no such time. */
static bool time_of(const struct conversion *of, const struct ros2_message *message, uint64_t log,
                    dpl_ns *ret_time)
{
    dpl_ns logged = log < INT64_MAX / 2 ? (dpl_ns)log : INT64_MAX / 2;
    *ret_time = message->stamp > 0 ? message->stamp : logged - of->offset;
    dpl_ns off = logged - of->offset - *ret_time;
    return off <= OFF_MOST && off >= -OFF_MOST;
}

/* ---- the first time through ---- */

static int look_at(struct conversion *of, struct ros2_topic *topic,
                   const struct dpl_mcap_message *message, const struct ros2_message *ros)
{
    int r = 0;
    dpl_ns time;
    for (size_t i = 0; i < ros->n_transforms && r == 0; i++) {
        r = ros2_frames_add(&of->frames, &ros->transforms[i], is_static(topic));
    }
    if (r < 0 || is_static(topic)) { /* their stamps are of any time */
        return r;
    }
    if (!of->has_offset && ros->stamp > 0 && message->log_time < INT64_MAX / 2) {
        of->offset = (dpl_ns)message->log_time - ros->stamp;
        of->has_offset = true;
    }
    if (!time_of(of, ros, message->log_time, &time)) {
        note(topic, "its stamp is more than an hour away from the others");
        return 0;
    }
    of->start = time < of->start ? time : of->start;
    if (topic->kind == ROS2_SCAN && !topic->frame) {
        topic->frame = dpl_arena_strdup(&of->names, ros->frame);
    }
    if (topic->kind == ROS2_ODOMETRY) {
        of->has_odometry = true;
        of->base = of->base || !*ros->child ? of->base : strdup(ros->child);
    }
    return 0;
}

static int look(struct conversion *of, const struct dpl_mcap_message *message,
                struct ros2_topic *topic)
{
    struct dpl_arena arena = {0};
    struct ros2_message ros;
    topic->n++;
    if (topic->kind == ROS2_OTHER) {
        return 0;
    }
    const char *why =
        ros2_message_read(topic->kind, message->data.data, message->data.n, &arena, &ros);
    int r = 0;
    if (why) {
        note(topic, why);
    } else {
        r = look_at(of, topic, message, &ros);
    }
    dpl_arena_finish(&arena);
    return r;
}

/* Without odometry the transform from "odom" says which frame is the robot. */
static void find_base(struct conversion *of)
{
    for (size_t i = 0; i < of->frames.n && !of->base; i++) {
        const struct ros2_transform *at = &of->frames.list[i].at;
        if (strcmp(at->parent, "odom") == 0 && !of->frames.list[i].is_fixed) {
            of->base = strdup(at->child);
        }
    }
}

/* ---- the second time ---- */

static void put_transforms(struct conversion *of, const struct ros2_transform *list, size_t n,
                           dpl_ns time)
{
    Foxglove__FrameTransforms all = FOXGLOVE__FRAME_TRANSFORMS__INIT;
    struct dpl_arena arena = {0};
    Google__Protobuf__Timestamp stamp = GOOGLE__PROTOBUF__TIMESTAMP__INIT;
    stamp.seconds = time / DPL_S;
    stamp.nanos = (int32_t)(time % DPL_S);
    all.n_transforms = n;
    all.transforms = dpl_arena_alloc(&arena, (n + 1) * sizeof *all.transforms);
    for (size_t i = 0; i < n; i++) {
        struct made {
            Foxglove__FrameTransform transform;
            Foxglove__Vector3 at;
            Foxglove__Quaternion turn;
        } *made = dpl_arena_alloc(&arena, sizeof *made);
        const struct dpl_pose3 *pose = &list[i].pose;
        foxglove__frame_transform__init(&made->transform);
        foxglove__vector3__init(&made->at);
        foxglove__quaternion__init(&made->turn);
        made->at.x = pose->position.x;
        made->at.y = pose->position.y;
        made->at.z = pose->position.z;
        made->turn.w = pose->orientation.w;
        made->turn.x = pose->orientation.x;
        made->turn.y = pose->orientation.y;
        made->turn.z = pose->orientation.z;
        made->transform.timestamp = &stamp;
        made->transform.parent_frame_id = dpl_arena_strdup(&arena, list[i].parent);
        made->transform.child_frame_id = dpl_arena_strdup(&arena, list[i].child);
        made->transform.translation = &made->at;
        made->transform.rotation = &made->turn;
        all.transforms[i] = &made->transform;
    }
    bag_new_message(&of->bag, "/tf", &all.base, time, false);
    dpl_arena_finish(&arena);
}

/* Odometry of a bag that has only its transform. */
static void put_odometry(struct conversion *of, const struct ros2_message *ros, dpl_ns time)
{
    for (size_t i = 0; i < ros->n_transforms && !of->has_odometry; i++) {
        const struct ros2_transform *one = &ros->transforms[i];
        if (of->base && strcmp(one->child, of->base) == 0 && strcmp(one->parent, "odom") == 0) {
            Doppel__Odometry odometry = DOPPEL__ODOMETRY__INIT;
            Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
            dpl_pose2_set(&pose, dpl_pose3_to_planar(one->pose));
            odometry.pose = &pose;
            bag_new_message(&of->bag, "/odom", &odometry.base, time, false);
        }
    }
}

/* Where the laser is on the robot. One that hangs upside down turns the other way round; false: it
 * measures in no level plane. */
static bool set_mount(const struct conversion *of, const char *frame, Doppel__Scan *scan,
                      Doppel__Pose2 *mount)
{
    struct dpl_pose3 pose;
    if (!of->base || !ros2_frames_pose(&of->frames, of->base, frame, &pose)) {
        pose = (struct dpl_pose3){.orientation.w = 1.0};
    }
    double up = dpl_quaternion_turn(pose.orientation, (struct dpl_vector3){.z = 1.0}).z;
    dpl_pose2_set(mount, dpl_pose3_to_planar(pose));
    scan->mount = mount;
    if (up < 0.0) {
        scan->start_angle = -scan->start_angle;
        scan->step_angle = -scan->step_angle;
    }
    return fabs(up) >= UPRIGHT;
}

static void put(struct conversion *of, const struct dpl_mcap_message *message,
                struct ros2_topic *topic)
{
    struct dpl_arena arena = {0};
    struct ros2_message ros;
    Doppel__Pose2 mount = DOPPEL__POSE2__INIT;
    dpl_ns time = of->start;
    bool is_good =
        !ros2_message_read(topic->kind, message->data.data, message->data.n, &arena, &ros) &&
        (is_static(topic) || time_of(of, &ros, message->log_time, &time));
    time -= of->start;
    if (is_good && topic->kind == ROS2_TRANSFORMS) {
        put_transforms(of, ros.transforms, ros.n_transforms, time);
        put_odometry(of, &ros, time);
    } else if (is_good && topic->kind == ROS2_SCAN &&
               !set_mount(of, ros.frame, (Doppel__Scan *)ros.ours, &mount)) {
        note(topic, "its laser does not measure in a level plane");
    } else if (is_good) {
        bool has_frame = of->base && ros2_frames_find(&of->frames, of->base);
        bag_new_message(&of->bag, topic->name, ros.ours, time,
                        topic->kind != ROS2_ODOMETRY || !has_frame);
    }
    dpl_arena_finish(&arena);
}

/* ---- all of it ---- */

static int each(struct conversion *of, bool is_first, struct dpl_diag *reterr)
{
    int r = 0;
    for (size_t i = 0; i < of->n_parts && r == 0; i++) {
        const struct bag *bag = &of->parts[i].bag;
        struct dpl_mcap_message message;
        bag->module->seek(bag->reader, 0, UINT64_MAX, NULL, NULL);
        while (r == 0 && (r = bag->module->next(bag->reader, &message)) > 0) {
            struct ros2_topic *topic = topic_of(of, message.channel);
            r = !topic ? -ENOMEM : is_first ? look(of, &message, topic) : 0;
            if (topic && !is_first && topic->kind != ROS2_OTHER) {
                put(of, &message, topic);
            }
        }
    }
    return r < 0 ? dpl_fail(reterr, r, (struct dpl_place){.file = of->path},
                            r == -ENOSPC ? "it has more than 4096 frames"
                                         : "no memory, or a name of a topic is too long")
                 : 0;
}

static bool has_any(const struct conversion *of)
{
    bool has = false;
    for (size_t i = 0; i < of->n_topics; i++) {
        has = has || (of->topics[i].kind != ROS2_OTHER && of->topics[i].n > of->topics[i].n_wrong);
    }
    return has;
}

static void say(const struct conversion *of, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(const struct conversion *of, const char *format, ...)
{
    char line[LINE_BYTES], clean[DPL_TEXT_CLEAN_SIZE(LINE_BYTES)];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    dpl_text_clean(line, clean, sizeof clean);
    of->tell(clean);
}

static void tell_topics(const struct conversion *of)
{
    for (size_t i = 0; i < of->n_topics; i++) {
        const struct ros2_topic *topic = &of->topics[i];
        if (topic->kind == ROS2_OTHER && topic->n > 0) {
            say(of, "%s: %s is not converted: %zu messages", topic->name,
                *topic->type ? topic->type : "a message without a type", topic->n);
        } else if (topic->n_wrong > 0) {
            say(of, "%s: %zu of %zu messages are left out: %s", topic->name, topic->n_wrong,
                topic->n, topic->why);
        }
    }
    for (size_t i = 0; i < of->n_parts; i++) {
        if (*bag_trouble(&of->parts[i].bag)) {
            say(of, "%s: %s", of->parts[i].file, bag_trouble(&of->parts[i].bag));
        }
    }
}

/* Scans whose frame no transform leads to: as if the laser were where the robot's frame is. */
static void tell_mounts(const struct conversion *of)
{
    for (size_t i = 0; i < of->n_topics; i++) {
        const char *frame = of->topics[i].frame;
        struct dpl_pose3 pose;
        if (frame && !of->base) {
            say(of, "%s: no odometry says which frame the robot is: its laser's mount is not known",
                of->topics[i].name);
        } else if (frame && !ros2_frames_pose(&of->frames, of->base, frame, &pose)) {
            say(of, "%s: no transform leads from %s to %s: the laser's mount is not known",
                of->topics[i].name, of->base, frame);
        }
    }
}

/* Viewers look for "base_link". */
static void put_base(struct conversion *of)
{
    if (of->base && strcmp(of->base, "base_link") != 0 &&
        !ros2_frames_find(&of->frames, "base_link")) {
        struct ros2_transform same = {of->base, "base_link", {.orientation.w = 1.0}};
        put_transforms(of, &same, 1, 0);
    }
}

static int convert(struct conversion *of, const char *file, struct dpl_diag *reterr)
{
    int r = each(of, true, reterr);
    if (r == 0 && !has_any(of)) {
        tell_topics(of);
        r = dpl_fail(reterr, -ENOENT, (struct dpl_place){.file = of->path},
                     "it has no messages of LaserScan, Odometry, Imu, JointState or TFMessage that "
                     "can be read");
    }
    if (r < 0) {
        return r;
    }
    find_base(of);
    r = bag_new_open(&of->bag, file, reterr);
    if (r == 0) {
        put_base(of);
        r = each(of, false, reterr);
    }
    r = bag_new_close(&of->bag, r, reterr);
    if (r == 0) {
        tell_topics(of);
        tell_mounts(of);
    }
    return r;
}

static void finish(struct conversion *of)
{
    for (size_t i = 0; i < of->n_parts; i++) {
        if (of->parts[i].bag.module) {
            bag_close(&of->parts[i].bag);
        }
        free(of->parts[i].file);
    }
    for (size_t i = 0; i < of->n_topics; i++) {
        free(of->topics[i].name);
        free(of->topics[i].type);
    }
    free(of->parts);
    free(of->topics);
    free(of->frames.list);
    free(of->base);
    dpl_arena_finish(&of->names);
}

int bag_from_ros2(const char *path, const char *file, void (*tell)(const char *line),
                  struct dpl_diag *reterr)
{
    struct conversion of = {.path = path, .tell = tell, .start = INT64_MAX / 2};
    bool has_metadata;
    of.frames.arena = &of.names;
    int r = is_folder(path, &has_metadata) ? open_folder(&of, reterr) : add_part(&of, path, reterr);
    r = r < 0 ? r : convert(&of, file, reterr);
    finish(&of);
    return r;
}
