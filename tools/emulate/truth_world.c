/* SPDX-License-Identifier: Apache-2.0 */
/* A robot in a world as truth: its motors, encoders, laser, and what else its sensors would feel.
 * The world is in this process (and may be served to others), or in another one. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/catalog.h>
#include <doppel/sim/host.h>

#include "truth.h"

enum wheel {
    LEFT,
    RIGHT,
};

struct simulated {
    struct truth base;
    struct truth_options options;
    enum truth_device device;
    struct dpl_catalog *catalog;
    struct dpl_sim_host *host;
    struct dpl_link *link;
    bool started;
    unsigned motor[2], encoder[2], laser;
    bool bound, laser_wanted;
    struct dpl_link_laser laser_info;
    struct dpl_link_scan scan;
    bool laser_compared;
    bool robot_known;
    double start_theta, heading, last_theta;
};

static int find_device(struct simulated *self, enum dpl_link_device kind, const char *name,
                       unsigned *ret_id, struct dpl_diag *reterr)
{
    return self->link->ops->find(self->link, kind, name, ret_id,
                                 kind == DPL_LINK_LASER ? &self->laser_info : NULL, reterr);
}

static int bind_devices(struct simulated *self, struct dpl_diag *reterr)
{
    const struct truth_options *o = &self->options;
    const struct {
        enum truth_device device;
        enum dpl_link_device kind;
        const char *name;
        unsigned *id;
    } wanted[] = {
        {TRUTH_BASE, DPL_LINK_MOTOR, o->left_motor, &self->motor[LEFT]},
        {TRUTH_BASE, DPL_LINK_MOTOR, o->right_motor, &self->motor[RIGHT]},
        {TRUTH_BASE, DPL_LINK_ENCODER, o->left_encoder, &self->encoder[LEFT]},
        {TRUTH_BASE, DPL_LINK_ENCODER, o->right_encoder, &self->encoder[RIGHT]},
        {TRUTH_SCANNER, DPL_LINK_LASER, o->laser, &self->laser},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (wanted[i].device != self->device) {
            continue;
        }
        int err = find_device(self, wanted[i].kind, wanted[i].name, wanted[i].id, reterr);
        if (err < 0) {
            return err;
        }
    }
    self->bound = true;
    return 0;
}

/* A world in another process answers when it can. */
static bool is_ready(struct simulated *self)
{
    if (!self->bound && bind_devices(self, NULL) == 0 && self->device == TRUTH_SCANNER) {
        self->link->ops->enable_laser(self->link, self->laser, self->laser_wanted);
    }
    return self->bound;
}

static void world_drive(struct truth *truth, struct kobuki_wheels wheels, dpl_ns now)
{
    (void)now;
    struct simulated *self = (struct simulated *)truth;
    if (is_ready(self)) {
        self->link->ops->set_motor(self->link, self->motor[LEFT], wheels.left_rad_s);
        self->link->ops->set_motor(self->link, self->motor[RIGHT], wheels.right_rad_s);
    }
}

/* Heading since the start, unwrapped as a gyro's integral is, and touches. */
static void feel(struct simulated *self, struct kobuki_sensors *ret)
{
    struct dpl_link_robot robot;
    if (self->link->ops->get_robot(self->link, &robot) < 0) {
        return;
    }
    if (!self->robot_known) {
        self->robot_known = true;
        self->last_theta = robot.pose.theta;
    }
    self->heading += dpl_wrap_angle(robot.pose.theta - self->last_theta);
    self->last_theta = robot.pose.theta;
    ret->heading_rad = self->heading;
    ret->rate_rad_s = robot.twist.angular;
    ret->bumper = kobuki_bumper_of(robot.touched);
}

static int world_sense(struct truth *truth, dpl_ns now, struct kobuki_sensors *ret)
{
    (void)now;
    struct simulated *self = (struct simulated *)truth;
    struct dpl_link_encoder left, right;
    if (!is_ready(self) ||
        self->link->ops->get_encoder(self->link, self->encoder[LEFT], &left) < 0 ||
        self->link->ops->get_encoder(self->link, self->encoder[RIGHT], &right) < 0) {
        return -EAGAIN;
    }
    /* The world's encoders have counted whole ticks already: half a tick more, so that the base
     * counts the same ones. */
    *ret = (struct kobuki_sensors){
        .stamp = left.stamp < right.stamp ? left.stamp : right.stamp,
        .left_rad = left.angle_rad + DPL_KOBUKI_TICK_RAD / 2.0,
        .right_rad = right.angle_rad + DPL_KOBUKI_TICK_RAD / 2.0,
        .left_rad_s = left.velocity_rad_s,
        .right_rad_s = right.velocity_rad_s,
    };
    feel(self, ret);
    return 0;
}

static void world_enable_laser(struct truth *truth, bool enable)
{
    struct simulated *self = (struct simulated *)truth;
    self->laser_wanted = enable;
    if (is_ready(self)) {
        self->link->ops->enable_laser(self->link, self->laser, enable);
    }
}

/* The beam of the world's laser that looks along a step of the scanner. */
static uint32_t range_of_step(const struct simulated *self,
                              const struct dpl_scip_geometry *geometry, uint32_t step)
{
    const struct dpl_link_laser *laser = &self->laser_info;
    double angle = dpl_scip_step_to_rad(geometry, step);
    double beam = round((angle - laser->start_angle_rad) / laser->step_angle_rad);
    if (beam < 0.0 || beam >= (double)self->scan.n) {
        return 0;
    }
    double mm = round((double)self->scan.ranges_m[(size_t)beam] * 1000.0);
    return mm > 0.0 && mm <= geometry->range_max_mm ? (uint32_t)mm : 0;
}

/* A scanner is as fast and sees as far around as the world's laser does, whatever its model says.
 */
static void compare_laser(struct simulated *self, const struct dpl_scip_geometry *geometry)
{
    const struct dpl_link_laser *laser = &self->laser_info;
    double rate = 1.0 / laser->period_s, model_rate = geometry->rpm / 60.0;
    double first = dpl_scip_step_to_rad(geometry, geometry->first_step);
    double last = dpl_scip_step_to_rad(geometry, geometry->end_step);
    double seen_to = laser->start_angle_rad + (laser->n - 1) * laser->step_angle_rad;
    bool sees_less = first < laser->start_angle_rad - laser->step_angle_rad ||
                     last > seen_to + laser->step_angle_rad;
    self->laser_compared = true;
    if (fabs(rate / model_rate - 1.0) > 0.01 || sees_less) {
        fprintf(stderr,
                "doppel emulate urg: warning: the world's laser '%s' measures %g times a second "
                "from %.0f to %.0f deg, this scanner says %g times from %.0f to %.0f deg; scans "
                "come as the world's laser makes them\n",
                self->options.laser, rate, dpl_rad_to_deg(laser->start_angle_rad),
                dpl_rad_to_deg(seen_to), model_rate, dpl_rad_to_deg(first), dpl_rad_to_deg(last));
    }
}

static int world_measure(struct truth *truth, dpl_ns now, const struct dpl_scip_geometry *geometry,
                         struct truth_scan *ret)
{
    (void)now;
    struct simulated *self = (struct simulated *)truth;
    if (!is_ready(self) || self->link->ops->get_scan(self->link, self->laser, &self->scan) < 0) {
        return -EAGAIN;
    }
    if (!self->laser_compared) {
        compare_laser(self, geometry);
    }
    ret->stamp = self->scan.stamp;
    ret->steps = geometry->end_step + 1;
    for (uint32_t step = 0; step < ret->steps; step++) {
        ret->ranges_mm[step] =
            step < geometry->first_step ? 0 : range_of_step(self, geometry, step);
    }
    return 0;
}

static void world_destroy(struct truth *truth)
{
    struct simulated *self = (struct simulated *)truth;
    if (self->link) {
        self->link->ops->close(self->link);
    }
    if (self->started) {
        struct dpl_world_host host = dpl_sim_host_interface(self->host);
        host.ops->stop(host.self);
    }
    dpl_sim_host_destroy(self->host);
    dpl_catalog_destroy(self->catalog);
    free(self);
}

static const struct truth_ops ops = {
    .drive = world_drive,
    .sense = world_sense,
    .enable_laser = world_enable_laser,
    .measure = world_measure,
    .destroy = world_destroy,
};

static int open_link(struct simulated *self, struct dpl_diag *reterr)
{
    struct dpl_world_host host = dpl_sim_host_interface(self->host);
    struct dpl_link_config config = {.world = self->options.world, .robot = self->options.robot};
    int err = host.ops->open_link(host.self, &config, NULL, &self->link, reterr);
    if (err < 0) {
        return err;
    }
    err = bind_devices(self, reterr);
    if (err < 0 && err != -EAGAIN) {
        return err;
    }
    if (self->options.serve_port != 0) {
        err = dpl_sim_host_serve(self->host, self->options.world, NULL,
                                 (uint16_t)self->options.serve_port, reterr);
        if (err < 0) {
            return err;
        }
    }
    err = host.ops->start(host.self, self->options.epoch, reterr);
    self->started = err >= 0;
    return err;
}

/* Names of files go with the catalogue: the place becomes words. */
static int say_place(int err, struct dpl_diag *reterr)
{
    const struct dpl_place place = reterr ? reterr->place : (struct dpl_place){0};
    if (!place.file) {
        return err;
    }
    return place.line > 0
               ? dpl_fail(reterr, err, (struct dpl_place){0}, "%s:%d:%d: %s", place.file,
                          place.line, place.column, reterr->text)
               : dpl_fail(reterr, err, (struct dpl_place){0}, "%s: %s", place.file, reterr->text);
}

int truth_world_open(const struct truth_options *options, enum truth_device device,
                     struct truth **ret_truth, struct dpl_diag *reterr)
{
    struct simulated *self = calloc(1, sizeof *self);
    if (!self) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    self->base.ops = &ops;
    self->options = *options;
    self->device = device;
    int err = dpl_catalog_create(NULL, &self->catalog, reterr);
    if (err == 0) {
        self->host = dpl_sim_host_create(&(struct dpl_sim_host_options){
            .world = options->world,
            .seed = options->seed,
            .catalog = self->catalog,
        });
        err = self->host ? open_link(self, reterr)
                         : dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    if (err < 0) {
        say_place(err, reterr);
        world_destroy(&self->base);
        return err;
    }
    *ret_truth = &self->base;
    return 0;
}
