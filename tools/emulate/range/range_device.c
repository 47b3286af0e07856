/* SPDX-License-Identifier: Apache-2.0 */
/* `doppel emulate range`: a board with range finders and bumpers on a robot in a world, or one that
 * sees nothing. It sends the lines of doppel/protocol/range_line.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "device.h"
#include "range_names.h"

struct range_device {
    struct session session;
    struct robot_link robot;
    struct range_names names;
    struct dpl_channel distance[DPL_RANGE_MAX], seen[DPL_RANGE_MAX], on[DPL_RANGE_MAX];
    bool has_world, bound;
    dpl_ns period, next;
    uint64_t lines;
};

/* ---- the world ---- */

static int find_world(void *device, struct dpl_diag *reterr)
{
    struct range_device *self = device;
    struct avatar_want wants[RANGE_WANTS_MAX];
    if (!self->has_world) {
        return 0;
    }
    if (self->bound) {
        return robot_link_fault(&self->robot, reterr);
    }
    size_t n = range_names_wants(&self->names, self->distance, self->seen, self->on, wants);
    int err = robot_link_find(&self->robot, wants, n, reterr);
    self->bound = err == 0;
    return err;
}

static int open_world(struct range_device *self, const struct robot_link_options *options,
                      struct dpl_diag *reterr)
{
    int err = robot_link_open(&self->robot, options, reterr);
    err = err < 0 ? err : find_world(self, reterr);
    return err < 0 && err != -EAGAIN ? err : robot_link_start(&self->robot, reterr);
}

/* ---- session ---- */

static void send_line(struct range_device *self, const char *id, bool is_contact, double value,
                      dpl_ns now)
{
    struct dpl_range_line line = {.is_contact = is_contact, .value = value};
    char bytes[DPL_RANGE_LINE_MAX];
    snprintf(line.id, sizeof line.id, "%s", id);
    session_send(&self->session, bytes, dpl_range_line_write(&line, bytes), now);
    self->lines += self->session.connected;
}

/* A sensor of a world that has measured nothing yet, or no longer answers, is silent. */
static void send_all(struct range_device *self, dpl_ns now)
{
    if (self->has_world &&
        (find_world(self, NULL) < 0 || dpl_link_refresh(self->robot.link, NULL) < 0)) {
        return;
    }
    for (size_t i = 0; i < self->names.n_ranges; i++) {
        double distance = (double)INFINITY;
        bool seen = true;
        if (!self->has_world || (dpl_channel_get(self->distance[i], &distance, NULL) == 0 &&
                                 dpl_channel_get(self->seen[i], &seen, NULL) == 0)) {
            send_line(self, self->names.ranges[i], false, seen ? distance : (double)INFINITY, now);
        }
    }
    for (size_t i = 0; i < self->names.n_contacts; i++) {
        bool on = false;
        if (!self->has_world || dpl_channel_get(self->on[i], &on, NULL) == 0) {
            send_line(self, self->names.contacts[i], true, on, now);
        }
    }
}

static dpl_ns on_tick(void *device, dpl_ns now)
{
    struct range_device *self = device;
    self->next = session_keep_up(self->next, self->period, now);
    for (; now >= self->next; self->next += self->period) {
        send_all(self, now);
    }
    return self->next;
}

/* It takes no commands. */
static const struct session_device ops = {
    .tick = on_tick,
    .talks_unasked = true,
    .find_world = find_world,
};

/* ---- options ---- */

struct options {
    const char *ranges, *contacts;
    double rate_hz;
};

static const struct options defaults = {
    .ranges = "front left right", .contacts = "bumper", .rate_hz = 20.0};

#define OPTION(...) DEVICE_OPTION(struct options, __VA_ARGS__)

static const struct option options[] = {
    {OPTION("ranges", "NAMES", OPTION_STRING, ranges,
            "range finders in the world (\"front left right\")")},
    {OPTION("contacts", "NAMES", OPTION_STRING, contacts, "bumpers in the world (bumper)")},
    {OPTION("rate", "HZ", OPTION_NUMBER, rate_hz, "measurements a second (20)"), .min = 0.2,
     .max = 200},
};

static int check_names(const char *option, const char *names, struct dpl_diag *reterr)
{
    struct dpl_diag why = {0};
    int err = range_names_check(names, &why);
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0}, "%s: %s", option, why.text) : 0;
}

static int check(const void *own, struct dpl_diag *reterr)
{
    const struct options *chosen = own;
    int err = check_names("--ranges", chosen->ranges, reterr);
    return err < 0 ? err : check_names("--contacts", chosen->contacts, reterr);
}

/* ---- running ---- */

static int range_open(void *device, const struct emulate_options *all, const void *own,
                      struct dpl_diag *reterr)
{
    const struct options *chosen = own;
    struct range_device *self = device;
    self->has_world = all->truth.robot.world != NULL;
    self->period = dpl_ns_from_s(1.0 / chosen->rate_hz);
    self->names = range_names_of(chosen->ranges, chosen->contacts);
    int err = self->has_world ? open_world(self, &all->truth.robot, reterr) : 0;
    return err < 0 ? err : emulate_open_port(all, &self->session, reterr);
}

static const struct dpl_field values[] = {
    DPL_EXPORT_INT(struct range_device, lines, "lines", NULL, DPL_FIELD_TRACE, "sent"),
};

static struct robot_link *robot_of(void *device)
{
    struct range_device *self = device;
    return self->has_world ? &self->robot : NULL;
}

static void print_summary(const void *device)
{
    const struct range_device *self = device;
    fprintf(stderr, "doppel emulate range: %llu lines sent\n", (unsigned long long)self->lines);
}

static void range_close(void *device)
{
    struct range_device *self = device;
    robot_link_close(&self->robot);
}

const struct emulated_device emulated_range = {
    .set = {.name = "range",
            .summary = "a board with range finders and bumpers",
            DEVICE_OPTIONS(options, defaults)},
    .no_log = "range finders have no --log, expected --world or neither",
    .ops = &ops,
    .size = sizeof(struct range_device),
    .check = check,
    .open = range_open,
    .values = values,
    .n_values = DPL_COUNT(values),
    .robot = robot_of,
    .print_summary = print_summary,
    .close = range_close,
};
