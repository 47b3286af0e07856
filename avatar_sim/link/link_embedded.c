/* SPDX-License-Identifier: Apache-2.0 */
/* The avatar link to a world in this process. */
#include "link_embedded.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "laser_outline.h"

static struct hosted_link *self_of(struct dpl_link *link)
{
    return (struct hosted_link *)link;
}

static size_t device_names(const struct hosted_link *self, enum dpl_link_device kind,
                           const char *names[], size_t most)
{
    const struct dpl_sim_robot *robot = &self->owner->model->robots[self->robot];
    size_t n = 0;
    if (kind == DPL_LINK_AXIS) {
        for (size_t i = 0; robot->is_machine && i < DPL_SIM_AXES && n < most; i++) {
            names[n++] = robot->machine.axes[i].name;
        }
        return n;
    }
    for (size_t i = 0; kind == DPL_LINK_LASER && i < robot->n_lasers && n < most; i++) {
        names[n++] = robot->lasers[i].name;
    }
    for (size_t i = 0; kind != DPL_LINK_LASER && i < robot->n_wheels && n < most; i++) {
        const struct dpl_sim_wheel *wheel = &robot->wheels[i];
        names[n++] = kind == DPL_LINK_MOTOR ? wheel->motor : wheel->encoder;
    }
    return n;
}

static int fail_unknown(const struct hosted_link *self, enum dpl_link_device kind, const char *name,
                        struct dpl_diag *reterr)
{
    static const char *const words[] = {"motor", "encoder", "laser", "axis"};
    const char *names[DPL_SIM_WHEELS_MAX + DPL_SIM_LASERS_MAX + DPL_SIM_AXES] = {NULL};
    size_t n = device_names(self, kind, names, DPL_COUNT(names));
    char list[256] = "";
    size_t at = 0;
    for (size_t i = 0; i < n && at < sizeof list; i++) {
        at += (size_t)snprintf(list + at, sizeof list - at, "%s'%s'", i ? ", " : "", names[i]);
    }
    const char *near = dpl_nearest(name, names, n);
    return dpl_fail(reterr, -ENOENT, (struct dpl_place){.file = self->owner->file},
                    "robot '%s' has no %s '%s'; it has: %s%s%s%s",
                    self->owner->model->robots[self->robot].name, words[kind], name,
                    n ? list : "none", near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
}

static int add_device(int *ids, unsigned *n, unsigned most, int id, unsigned *ret_id)
{
    for (unsigned i = 0; i < *n; i++) {
        if (ids[i] == id) {
            *ret_id = i;
            return 0;
        }
    }
    if (*n == most) {
        return -ENOSPC;
    }
    ids[*n] = id;
    *ret_id = (*n)++;
    return 0;
}

void link_embedded_describe_laser(const struct dpl_sim_laser *laser, struct dpl_link_laser *ret)
{
    double step = 2.0 * DPL_PI / laser->steps;
    *ret = (struct dpl_link_laser){
        .n = (uint32_t)dpl_sim_laser_beams(laser),
        .start_angle_rad = (laser->first - laser->front) * step,
        .step_angle_rad = step,
        .min_range_m = laser->min_range,
        .max_range_m = laser->max_range,
        .period_s = laser->rate_hz > 0.0 ? 1.0 / laser->rate_hz : 0.0,
        .mount = {laser->x, laser->y, laser->yaw},
    };
}

static int find_laser(struct hosted_link *self, int id, unsigned *ret_id,
                      struct dpl_link_laser *ret_laser)
{
    unsigned before = self->n_lasers;
    int err = add_device(self->lasers, &self->n_lasers, LINK_LASERS_MAX, id, ret_id);
    if (err == 0 && self->n_lasers > before) {
        self->scans[*ret_id] = calloc(1, sizeof *self->scans[0]);
        if (!self->scans[*ret_id]) {
            self->n_lasers = before;
            return -ENOMEM;
        }
        dpl_latest_init(&self->scans[*ret_id]->sync);
    }
    if (err == 0 && ret_laser) {
        link_embedded_describe_laser(dpl_world_laser(self->owner->world, id), ret_laser);
    }
    return err;
}

/* An axis does not begin at 0 as an encoder does: its first reading must not wait for a step of the
 * world, unless that moves already on its own thread. */
static int find_axis(struct hosted_link *self, int id, unsigned *ret_id)
{
    int err = add_device(self->axes, &self->n_axes, LINK_DEVICES_MAX, id, ret_id);
    if (err == 0 && self->before_start) {
        hosted_world_publish(self->owner);
    }
    return err;
}

/* A robot that this process drives is nobody else's. What a server finds is not driven yet. */
static void note_drive(struct hosted_link *self, enum dpl_link_device kind)
{
    bool drives = kind == DPL_LINK_MOTOR || kind == DPL_LINK_AXIS;
    if (drives && self->before_start && !self->drives) {
        self->drives = true;
        atomic_fetch_add(&self->owner->n_drivers[self->robot], 1);
    }
}

static int find(struct dpl_link *link, enum dpl_link_device kind, const char *name,
                unsigned *ret_id, struct dpl_link_laser *ret_laser, struct dpl_diag *reterr)
{
    static const enum dpl_world_device kinds[] = {DPL_WORLD_MOTOR, DPL_WORLD_ENCODER,
                                                  DPL_WORLD_LASER, DPL_WORLD_AXIS};
    struct hosted_link *self = self_of(link);
    int id = dpl_world_find_device(self->owner->world, self->robot, kinds[kind], name);
    if (id < 0) {
        return fail_unknown(self, kind, name, reterr);
    }
    note_drive(self, kind);
    switch (kind) {
    case DPL_LINK_MOTOR:
        return add_device(self->motors, &self->n_motors, LINK_DEVICES_MAX, id, ret_id);
    case DPL_LINK_ENCODER:
        return add_device(self->encoders, &self->n_encoders, LINK_DEVICES_MAX, id, ret_id);
    case DPL_LINK_LASER: return find_laser(self, id, ret_id, ret_laser);
    case DPL_LINK_AXIS: return find_axis(self, id, ret_id);
    }
    return -EINVAL;
}

static void set_motor(struct dpl_link *link, unsigned id, double velocity_rad_s)
{
    struct hosted_link *self = self_of(link);
    atomic_store_explicit(&self->setpoints[id], velocity_rad_s, memory_order_relaxed);
    /* release: the world that sees the bit sees the setpoint */
    atomic_fetch_or_explicit(&self->setpoints_changed, 1u << id, memory_order_release);
}

static const struct robot_snapshot *newest(struct hosted_link *self)
{
    dpl_latest_update(&self->snapshot.sync);
    return &self->snapshot.slot[dpl_latest_front(&self->snapshot.sync)];
}

static int get_encoder(struct dpl_link *link, unsigned id, struct dpl_link_encoder *ret)
{
    *ret = newest(self_of(link))->encoders[id];
    return 0;
}

static void set_axis(struct dpl_link *link, unsigned id, double effort_n)
{
    struct hosted_link *self = self_of(link);
    atomic_store_explicit(&self->efforts[id], effort_n, memory_order_relaxed);
    /* release: the world that sees the bit sees the effort */
    atomic_fetch_or_explicit(&self->efforts_changed, 1u << id, memory_order_release);
}

static int get_axis(struct dpl_link *link, unsigned id, struct dpl_link_axis *ret)
{
    *ret = newest(self_of(link))->axes[id];
    return 0;
}

static int get_platform(struct dpl_link *link, dpl_ns *ret_stamp, double ret_pose[6])
{
    struct hosted_link *self = self_of(link);
    if (!self->owner->model->robots[self->robot].is_machine) {
        return -ENOTSUP;
    }
    const struct robot_snapshot *snapshot = newest(self);
    *ret_stamp = snapshot->platform_stamp;
    memcpy(ret_pose, snapshot->platform, sizeof snapshot->platform);
    return 0;
}

static void enable_laser(struct dpl_link *link, unsigned id, bool enable)
{
    struct hosted_link *self = self_of(link);
    if (enable) {
        atomic_fetch_or(&self->lasers_wanted, 1u << id);
    } else {
        atomic_fetch_and(&self->lasers_wanted, ~(1u << id));
    }
}

static int get_scan(struct dpl_link *link, unsigned id, struct dpl_link_scan *ret)
{
    struct scan_exchange *scans = self_of(link)->scans[id];
    if (!dpl_latest_update(&scans->sync)) {
        return -EAGAIN;
    }
    const struct dpl_link_scan *scan = &scans->slot[dpl_latest_front(&scans->sync)];
    ret->stamp = scan->stamp;
    ret->sequence = scan->sequence;
    ret->n = scan->n;
    memcpy(ret->ranges_m, scan->ranges_m, scan->n * sizeof scan->ranges_m[0]);
    return 0;
}

static int get_robot(struct dpl_link *link, struct dpl_link_robot *ret)
{
    *ret = newest(self_of(link))->robot;
    return 0;
}

static void set_pose(struct dpl_link *link, const struct dpl_pose2 *pose)
{
    struct hosted_link *self = self_of(link);
    self->place.slot[dpl_latest_back(&self->place.sync)] =
        (struct wanted_place){*pose, ++self->places_asked};
    dpl_latest_publish(&self->place.sync);
}

static int placed(struct dpl_link *link)
{
    struct hosted_link *self = self_of(link);
    const struct robot_snapshot *snapshot = newest(self);
    return snapshot->place_number == self->places_asked ? snapshot->place_result : -EINPROGRESS;
}

static int add_wall(struct dpl_link_course *course, double x1, double y1, double x2, double y2)
{
    if (course->n_walls == DPL_LINK_WALLS_MAX) {
        return -ENOSPC;
    }
    course->walls[course->n_walls++] = (struct dpl_link_segment){x1, y1, x2, y2};
    return 0;
}

/* A circle becomes the polygon around it. */
static int add_outline(struct dpl_link_course *course, const struct dpl_laser_outline *outline)
{
    enum { CORNERS = 16 };
    if (outline->radius <= 0.0) {
        return add_wall(course, outline->x, outline->y, outline->x + outline->dx,
                        outline->y + outline->dy);
    }
    double radius = outline->radius / cos(DPL_PI / CORNERS);
    int err = 0;
    for (int i = 0; i < CORNERS && err == 0; i++) {
        double from = 2.0 * DPL_PI * i / CORNERS, to = 2.0 * DPL_PI * (i + 1) / CORNERS;
        err = add_wall(course, outline->x + radius * cos(from), outline->y + radius * sin(from),
                       outline->x + radius * cos(to), outline->y + radius * sin(to));
    }
    return err;
}

static int get_course(struct dpl_link *link, double height_m, struct dpl_link_course *ret,
                      struct dpl_diag *reterr)
{
    const struct hosted_link *self = self_of(link);
    const struct dpl_sim_model *model = self->owner->model;
    ret->n_walls = 0;
    for (size_t i = 0; i < model->n_obstacles; i++) {
        struct dpl_laser_outline outlines[DPL_OUTLINES_A_SHAPE];
        size_t n = dpl__laser_outline(&model->obstacles[i].shape, (struct dpl_pose2){0}, height_m,
                                      DPL_LASER_NO_OWNER, outlines);
        for (size_t k = 0; k < n; k++) {
            if (add_outline(ret, &outlines[k]) < 0) {
                return dpl_fail(reterr, -ENOSPC, (struct dpl_place){.file = self->owner->file},
                                "the course has more than %d straight pieces", DPL_LINK_WALLS_MAX);
            }
        }
    }
    const struct dpl_sim_line *finish = &model->finish;
    ret->has_finish = model->has_finish;
    ret->finish = (struct dpl_link_segment){finish->x1, finish->y1, finish->x2, finish->y2};
    ret->start = model->robots[self->robot].start;
    return 0;
}

static bool alive(struct dpl_link *link)
{
    (void)link;
    return true;
}

static void close_link(struct dpl_link *link)
{
    struct hosted_link *self = self_of(link);
    for (unsigned i = 0; i < self->n_motors; i++) {
        set_motor(link, i, 0.0); /* freed with its world, which may outlive the driver */
    }
    for (unsigned i = 0; i < self->n_axes; i++) {
        set_axis(link, i, 0.0);
    }
    self->device = NULL;
    if (self->drives) {
        self->drives = false;
        atomic_fetch_sub(&self->owner->n_drivers[self->robot], 1);
    }
}

static const struct dpl_link_ops ops = {
    .find = find,
    .set_motor = set_motor,
    .get_encoder = get_encoder,
    .set_axis = set_axis,
    .get_axis = get_axis,
    .get_platform = get_platform,
    .enable_laser = enable_laser,
    .get_scan = get_scan,
    .get_robot = get_robot,
    .set_pose = set_pose,
    .placed = placed,
    .get_course = get_course,
    .alive = alive,
    .close = close_link,
};

int link_embedded_prepare(struct hosted_world *world, const struct dpl_link_config *config,
                          struct hosted_link **ret_link, struct dpl_diag *reterr)
{
    int err = hosted_world_link(world, config, ret_link, reterr);
    if (err == 0) {
        (*ret_link)->link.ops = &ops;
    }
    return err;
}

int link_embedded_open(struct hosted_world *world, const struct dpl_link_config *config,
                       struct dpl_link **ret_link, struct dpl_diag *reterr)
{
    struct hosted_link *self;
    int err = link_embedded_prepare(world, config, &self, reterr);
    if (err == 0) {
        self->before_start = true;
        hosted_world_join(self);
        hosted_world_publish(world); /* readings are valid before the first step */
        *ret_link = &self->link;
    }
    return err;
}
