/* SPDX-License-Identifier: Apache-2.0 */
/* A robot in a world as truth: its motors, encoders, laser, and what else its sensors would feel.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "truth.h"
#include <doppel/protocol/bumper.h>

enum wheel {
    LEFT,
    RIGHT,
};

/* The beams of the world's laser. */
struct fan {
    size_t n;
    double start_rad, step_rad, period_s;
};

struct simulated {
    struct truth base;
    struct truth_options options;
    enum truth_device device;
    struct robot_link robot;
    struct dpl_channel speed[2], angle[2], velocity[2]; /* of a base */
    struct dpl_channel pose, twist, touched;
    struct dpl_channel on, turns, ranges, fan; /* of a scanner */
    bool bound, laser_wanted;
    struct fan laser;
    float *scan; /* [laser.n] */
    bool laser_compared;
    bool robot_known;
    double start_theta, heading, last_theta;
};

static int bind_base(struct simulated *self, struct dpl_diag *reterr)
{
    const struct truth_options *o = &self->options;
    const struct dpl_channel_type *number = &dpl_channel_number, *vector = &dpl_channel_vector;
    const struct avatar_want wants[] = {
        {o->left_motor, "speed", number, "rad/s", true, &self->speed[LEFT]},
        {o->right_motor, "speed", number, "rad/s", true, &self->speed[RIGHT]},
        {o->left_encoder, "angle", number, "rad", false, &self->angle[LEFT]},
        {o->right_encoder, "angle", number, "rad", false, &self->angle[RIGHT]},
        {o->left_encoder, "velocity", number, "rad/s", false, &self->velocity[LEFT]},
        {o->right_encoder, "velocity", number, "rad/s", false, &self->velocity[RIGHT]},
        {NULL, "planar", vector, NULL, false, &self->pose},
        {NULL, "twist", vector, NULL, false, &self->twist},
        {NULL, "touched", &dpl_channel_integer, NULL, false, &self->touched},
    };
    return robot_link_find(&self->robot, wants, DPL_COUNT(wants), reterr);
}

static int bind_scanner(struct simulated *self, struct dpl_diag *reterr)
{
    const char *name = self->options.laser;
    const struct avatar_want wants[] = {
        {name, "on", &dpl_channel_flag, NULL, true, &self->on},
        {name, "turns", &dpl_channel_flag, NULL, true, &self->turns},
        {name, "ranges", &dpl_channel_block, "m", false, &self->ranges},
        {name, "fan", &dpl_channel_vector, NULL, false, &self->fan},
    };
    double fan[5];
    int err = robot_link_find(&self->robot, wants, DPL_COUNT(wants), reterr);
    err = err < 0 ? err : dpl_channel_get(self->fan, fan, NULL);
    if (err < 0) {
        return err;
    }
    self->laser = (struct fan){
        .n = self->ranges.desc->size, .start_rad = fan[0], .step_rad = fan[1], .period_s = fan[4]};
    dpl_channel_put_flag(self->turns, self->options.laser_turns);
    free(self->scan);
    self->scan = calloc(self->laser.n, sizeof *self->scan);
    return self->scan ? 0 : -ENOMEM;
}

static int bind_devices(struct simulated *self, struct dpl_diag *reterr)
{
    int err = self->device == TRUTH_BASE ? bind_base(self, reterr) : bind_scanner(self, reterr);
    self->bound = err == 0;
    return err;
}

/* A world in another process answers when it can. */
static int world_find(struct truth *truth, struct dpl_diag *reterr)
{
    struct simulated *self = (struct simulated *)truth;
    if (self->bound) {
        return robot_link_fault(&self->robot, reterr);
    }
    int err = bind_devices(self, reterr);
    if (err == 0 && self->device == TRUTH_SCANNER) {
        dpl_channel_put_flag(self->on, self->laser_wanted);
    }
    return err;
}

static bool is_ready(struct simulated *self)
{
    return self->bound || world_find(&self->base, NULL) == 0;
}

static void world_drive(struct truth *truth, struct kobuki_wheels wheels, dpl_ns now)
{
    (void)now;
    struct simulated *self = (struct simulated *)truth;
    if (is_ready(self)) {
        dpl_channel_put_number(self->speed[LEFT], wheels.left_rad_s);
        dpl_channel_put_number(self->speed[RIGHT], wheels.right_rad_s);
    }
}

/* Heading since the start, unwrapped as a gyro's integral is, and touches. */
static void feel(struct simulated *self, struct kobuki_sensors *ret)
{
    double planar[3], twist[2];
    int64_t touched;
    if (dpl_channel_get(self->pose, planar, NULL) < 0 ||
        dpl_channel_get(self->twist, twist, NULL) < 0 ||
        dpl_channel_get(self->touched, &touched, NULL) < 0) {
        return;
    }
    double theta = planar[2];
    if (!self->robot_known) {
        self->robot_known = true;
        self->last_theta = theta;
    }
    self->heading += dpl_wrap_angle(theta - self->last_theta);
    self->last_theta = theta;
    ret->heading_rad = self->heading;
    ret->rate_rad_s = twist[1];
    ret->bumper = dpl_bumper_of((uint32_t)touched);
}

static int read_wheel(const struct simulated *self, enum wheel wheel, double *ret_angle,
                      double *ret_velocity, dpl_ns *ret_stamp)
{
    int err = dpl_channel_get(self->angle[wheel], ret_angle, ret_stamp);
    return err < 0 ? err : dpl_channel_get(self->velocity[wheel], ret_velocity, NULL);
}

static int world_sense(struct truth *truth, dpl_ns now, struct kobuki_sensors *ret)
{
    (void)now;
    struct simulated *self = (struct simulated *)truth;
    struct kobuki_sensors sensed = {0};
    if (!is_ready(self) || dpl_link_refresh(self->robot.link, NULL) < 0 ||
        read_wheel(self, LEFT, &sensed.left_rad, &sensed.left_rad_s, &sensed.stamp) < 0 ||
        read_wheel(self, RIGHT, &sensed.right_rad, &sensed.right_rad_s, NULL) < 0) {
        return -EAGAIN;
    }
    /* The world's encoders have counted whole ticks already: half a tick more, so that the base
     * counts the same ones. */
    sensed.left_rad += DPL_KOBUKI_TICK_RAD / 2.0;
    sensed.right_rad += DPL_KOBUKI_TICK_RAD / 2.0;
    *ret = sensed;
    feel(self, ret);
    return 0;
}

static void world_enable_laser(struct truth *truth, bool enable)
{
    struct simulated *self = (struct simulated *)truth;
    self->laser_wanted = enable;
    if (is_ready(self)) {
        dpl_channel_put_flag(self->on, enable);
    }
}

/* The beam of the world's laser that looks along a step of the scanner. */
static uint32_t range_of_step(const struct simulated *self,
                              const struct dpl_scip_geometry *geometry, uint32_t step)
{
    const struct fan *laser = &self->laser;
    double angle = dpl_scip_step_to_rad(geometry, step);
    double beam = round((angle - laser->start_rad) / laser->step_rad);
    if (beam < 0.0 || beam >= (double)laser->n) {
        return 0;
    }
    double mm = round((double)self->scan[(size_t)beam] * 1000.0);
    return mm > 0.0 && mm <= geometry->range_max_mm ? (uint32_t)mm : 0;
}

/* A scanner is as fast and sees as far around as the world's laser does, whatever its model says.
 */
static void compare_laser(struct simulated *self, const struct dpl_scip_geometry *geometry)
{
    const struct fan *laser = &self->laser;
    double rate = 1.0 / laser->period_s, model_rate = geometry->rpm / 60.0;
    double first = dpl_scip_step_to_rad(geometry, geometry->first_step);
    double last = dpl_scip_step_to_rad(geometry, geometry->end_step);
    double seen_to = laser->start_rad + (double)(laser->n - 1) * laser->step_rad;
    bool sees_less = first < laser->start_rad - laser->step_rad || last > seen_to + laser->step_rad;
    self->laser_compared = true;
    if (fabs(rate / model_rate - 1.0) > 0.01 || sees_less) {
        fprintf(stderr,
                "doppel emulate urg: warning: the world's laser '%s' measures %g times a second "
                "from %.0f to %.0f deg, this scanner says %g times from %.0f to %.0f deg; scans "
                "come as the world's laser makes them\n",
                self->options.laser, rate, dpl_rad_to_deg(laser->start_rad),
                dpl_rad_to_deg(seen_to), model_rate, dpl_rad_to_deg(first), dpl_rad_to_deg(last));
    }
}

static int world_measure(struct truth *truth, dpl_ns now, const struct dpl_scip_geometry *geometry,
                         struct truth_scan *ret)
{
    (void)now;
    struct simulated *self = (struct simulated *)truth;
    if (!is_ready(self) || dpl_channel_get(self->ranges, self->scan, &ret->stamp) < 0) {
        return -EAGAIN;
    }
    if (!self->laser_compared) {
        compare_laser(self, geometry);
    }
    ret->steps = geometry->end_step + 1;
    for (uint32_t step = 0; step < ret->steps; step++) {
        ret->ranges_mm[step] =
            step < geometry->first_step ? 0 : range_of_step(self, geometry, step);
    }
    return 0;
}

static struct robot_link *world_robot(struct truth *truth)
{
    return &((struct simulated *)truth)->robot;
}

static void world_destroy(struct truth *truth)
{
    struct simulated *self = (struct simulated *)truth;
    robot_link_close(&self->robot);
    free(self->scan);
    free(self);
}

static const struct truth_ops ops = {
    .drive = world_drive,
    .sense = world_sense,
    .enable_laser = world_enable_laser,
    .measure = world_measure,
    .find_world = world_find,
    .robot = world_robot,
    .destroy = world_destroy,
};

static int open_robot(struct simulated *self, struct dpl_diag *reterr)
{
    int err = robot_link_open(&self->robot, &self->options.robot, reterr);
    if (err < 0) {
        return err;
    }
    err = bind_devices(self, reterr);
    return err < 0 && err != -EAGAIN ? err : robot_link_start(&self->robot, reterr);
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
    int err = open_robot(self, reterr);
    if (err < 0) {
        world_destroy(&self->base);
        return err;
    }
    *ret_truth = &self->base;
    return 0;
}
