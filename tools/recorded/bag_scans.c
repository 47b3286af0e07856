/* SPDX-License-Identifier: Apache-2.0 */
/* scans.csv from the messages doppel.Scan and doppel.Odometry: the scans that a ScanRecorder keeps,
 * each with the newest odometry of its stamp or before. */
#include "bag.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/time.h>

#define SCANS_MAX 1000000

/* The rows that are kept, a ring of the newest or the first `most`. */
struct scans {
    const struct dpl_mcap_channel *scan, *odometry;
    double interval_s;
    size_t most;
    bool keeps_first;
    char **rows;
    size_t n, oldest;
    dpl_ns next;
    Doppel__Odometry *newest;
};

/* ---- which ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static const char *property(const json_t *component, const char *name)
{
    const json_t *one = json_object_get(json_object_get(component, "properties"), name);
    return text_of(one, "value");
}

static const json_t *recorder(const json_t *record, size_t number)
{
    size_t i;
    const json_t *component;
    json_array_foreach(json_object_get(record, "components"), i, component)
    {
        if (strcmp(text_of(component, "class"), "ScanRecorder") == 0 && number-- == 0) {
            return component;
        }
    }
    return NULL;
}

const char *bag_scans_name(const json_t *record, size_t number)
{
    const json_t *component = recorder(record, number);
    const char *file = component ? property(component, "File") : "";
    return component && *file && !strchr(file, '/') ? file : NULL;
}

static const struct dpl_mcap_channel *of_schema(const struct bag *bag, const char *schema)
{
    const struct dpl_mcap_info *info = bag->module->info(bag->reader);
    for (size_t i = 0; i < info->n_channels; i++) {
        const struct dpl_mcap_schema *of = info->channels[i]->schema;
        if (of && bag_span_is(of->name, schema)) {
            return info->channels[i];
        }
    }
    return NULL;
}

/* The topic that is connected to a port of a component. */
static const struct dpl_mcap_channel *source_of(const struct bag *bag, const json_t *record,
                                                const char *component, const char *port)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(record, "connections"), i, one)
    {
        const json_t *target = json_object_get(one, "target");
        if (strcmp(text_of(target, "component"), component) == 0 &&
            strcmp(text_of(target, "port"), port) == 0) {
            char topic[512];
            const json_t *source = json_object_get(one, "source");
            snprintf(topic, sizeof topic, "/%s/%s", text_of(source, "component"),
                     text_of(source, "port"));
            return bag_topic(bag, topic);
        }
    }
    return NULL;
}

static int choose(const struct bag *bag, const char *name, struct scans *scans,
                  struct dpl_diag *reterr)
{
    json_t *record = bag_record(bag, NULL);
    const json_t *component = NULL, *one;
    bool is_every = strcmp(name, BAG_EVERY_SCAN) == 0;
    for (size_t i = 0; !is_every && (one = recorder(record, i)) && !component; i++) {
        component = strcmp(property(one, "File"), name) == 0 ? one : NULL;
    }
    scans->most = SCANS_MAX;
    if (component) {
        const char *of = text_of(component, "name");
        long most = strtol(property(component, "MaximumScans"), NULL, 10);
        scans->scan = source_of(bag, record, of, "scan");
        scans->odometry = source_of(bag, record, of, "odometry");
        scans->interval_s = strtod(property(component, "Interval"), NULL);
        scans->most = most > 0 && most < SCANS_MAX ? (size_t)most : SCANS_MAX;
        scans->keeps_first = strcmp(property(component, "Keep"), "first") == 0;
    } else if (is_every || strcmp(name, "scans.csv") == 0) {
        scans->scan = of_schema(bag, "doppel.Scan");
        scans->odometry = of_schema(bag, "doppel.Odometry");
    }
    json_decref(record);
    return scans->scan && scans->odometry
               ? 0
               : dpl_fail(reterr, -ENOENT, (struct dpl_place){.file = bag->file},
                          "the recording has no scans with odometry for %s: topics with "
                          "doppel.Scan and doppel.Odometry",
                          is_every ? "scans.csv" : name);
}

/* ---- rows ---- */

static void print_scan(FILE *out, dpl_ns stamp, const Doppel__Scan *scan,
                       const Doppel__Odometry *odometry)
{
    struct dpl_pose2 pose = dpl_pose2_get(odometry->pose);
    struct dpl_pose2 mount = {0};
    if (scan->mount) {
        mount = dpl_pose2_get(scan->mount);
    }
    fprintf(out, "%.6f,%.4f,%.4f,%.5f,%.4f,%.4f,%.5f,%.6f,%.8f", dpl_ns_to_s(stamp), pose.x, pose.y,
            pose.theta, mount.x, mount.y, mount.theta, scan->start_angle, scan->step_angle);
    for (size_t i = 0; i < scan->n_ranges; i++) {
        fprintf(out, ",%.3f", (double)scan->ranges[i]);
    }
    fputc('\n', out);
}

static char *make_row(dpl_ns stamp, const Doppel__Scan *scan, const Doppel__Odometry *odometry)
{
    char *row = NULL;
    size_t n;
    FILE *out = open_memstream(&row, &n);
    if (!out) {
        return NULL;
    }
    print_scan(out, stamp, scan, odometry);
    if (fclose(out) != 0) {
        free(row);
        return NULL;
    }
    return row;
}

static int keep(struct scans *scans, char *row)
{
    if (!row) {
        return -ENOMEM;
    }
    if (scans->n == scans->most && scans->keeps_first) {
        free(row);
        return 0;
    }
    if (scans->n == scans->most) {
        free(scans->rows[scans->oldest]);
        scans->rows[scans->oldest] = row;
        scans->oldest = (scans->oldest + 1) % scans->most;
        return 0;
    }
    if ((scans->n & (scans->n - 1)) == 0) { /* full at each power of two */
        char **rows = realloc(scans->rows, (scans->n ? 2 * scans->n : 1) * sizeof *rows);
        if (!rows) {
            free(row);
            return -ENOMEM;
        }
        scans->rows = rows;
    }
    scans->rows[scans->n++] = row;
    return 0;
}

static int damaged(const struct bag *bag, const struct dpl_mcap_message *message,
                   struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){.file = bag->file},
                    "the message of %.*s at %.6f s is damaged", (int)message->channel->topic.n,
                    (const char *)message->channel->topic.data, (double)message->log_time / 1e9);
}

static int take_odometry(const struct bag *bag, struct scans *scans,
                         const struct dpl_mcap_message *message, struct dpl_diag *reterr)
{
    Doppel__Odometry *odometry =
        doppel__odometry__unpack(NULL, message->data.n, message->data.data);
    if (!odometry || !odometry->pose) {
        doppel__odometry__free_unpacked(odometry, NULL);
        return odometry ? 0 : damaged(bag, message, reterr);
    }
    doppel__odometry__free_unpacked(scans->newest, NULL);
    scans->newest = odometry;
    return 0;
}

static int take_scan(const struct bag *bag, struct scans *scans,
                     const struct dpl_mcap_message *message, struct dpl_diag *reterr)
{
    dpl_ns stamp = (dpl_ns)message->log_time;
    if (!scans->newest || stamp < scans->next) {
        return 0;
    }
    Doppel__Scan *scan = doppel__scan__unpack(NULL, message->data.n, message->data.data);
    if (!scan) {
        return damaged(bag, message, reterr);
    }
    scans->next = stamp + dpl_ns_from_s(scans->interval_s);
    int r = keep(scans, make_row(stamp, scan, scans->newest));
    doppel__scan__free_unpacked(scan, NULL);
    return r;
}

/* Odometry and scan of one instant: the odometry first, as the order of the file may be another. */
static int read_all(struct bag *bag, struct scans *scans, struct dpl_diag *reterr)
{
    struct dpl_mcap_message message;
    struct bag_wanted wanted = {{scans->scan, scans->odometry}};
    uint8_t *late = NULL;
    struct dpl_mcap_message waiting = {.channel = NULL};
    int r;
    bag_seek(bag, &wanted);
    while ((r = bag->module->next(bag->reader, &message)) > 0) {
        if (waiting.channel && message.log_time > waiting.log_time) {
            r = take_scan(bag, scans, &waiting, reterr);
            waiting.channel = NULL;
        }
        if (r >= 0 && message.channel == scans->odometry) {
            r = take_odometry(bag, scans, &message, reterr);
        } else if (r >= 0) {
            uint8_t *copy = realloc(late, message.data.n + 1);
            r = copy ? r : -ENOMEM;
            if (copy) {
                late = copy;
                memcpy(late, message.data.data, message.data.n);
                waiting = message;
                waiting.data.data = late;
            }
        }
        if (r < 0) {
            break;
        }
    }
    r = r == 0 && waiting.channel ? take_scan(bag, scans, &waiting, reterr) : r;
    free(late);
    return r;
}

static int print_all(const struct scans *scans, char **ret_text, size_t *ret_n)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, ret_n);
    if (!out) {
        return -ENOMEM;
    }
    fputs("t,x,y,theta,mount_x,mount_y,mount_theta,start_angle,step_angle,ranges...\n", out);
    for (size_t i = 0; i < scans->n; i++) {
        fputs(scans->rows[(scans->oldest + i) % scans->n], out);
    }
    if (fclose(out) != 0) {
        free(text);
        return -ENOMEM;
    }
    *ret_text = text;
    return 0;
}

int bag_scans(struct bag *bag, const char *name, char **ret_text, size_t *ret_n,
              struct dpl_diag *reterr)
{
    struct scans scans = {.next = INT64_MIN};
    int r = choose(bag, name, &scans, reterr);
    r = r < 0 ? r : read_all(bag, &scans, reterr);
    r = r < 0 ? r : print_all(&scans, ret_text, ret_n);
    if (r == -ENOMEM) {
        dpl_fail(reterr, r, (struct dpl_place){.file = bag->file}, "no memory");
    }
    for (size_t i = 0; i < scans.n; i++) {
        free(scans.rows[i]);
    }
    free(scans.rows);
    doppel__odometry__free_unpacked(scans.newest, NULL);
    return r;
}
