/* SPDX-License-Identifier: Apache-2.0 */
/* A component of the tests that requires the services of a base (whole, hardware side, simulation
 * side) and of a laser, and calls around their methods. */
#ifndef TESTS_MOBILE_PROBE_H
#define TESTS_MOBILE_PROBE_H

#include <criterion/criterion.h>

#include <doppel/component.h>
#include <doppel/math/geometry.h>
#include <doppel/msg/device.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/laser_scanner.h>
#include <doppel/msg/wheel_controller.h>

#include "bench.h"
#include "ports.h"

enum probe_port {
    PROBE_BASE,
    PROBE_HARDWARE,
    PROBE_SIMULATION,
    PROBE_LASER,
};

#define PROBE_WHEEL(name_)                                                                         \
    {                                                                                              \
        .name = name_, .kind = DPL_PORT_SERVICE, .dir = DPL_PORT_IN,                               \
        .service = &doppel__wheel_controller_service__descriptor,                                  \
    }

static const struct dpl_port_desc probe_ports[] = {
    [PROBE_BASE] = PROBE_WHEEL("base"),
    [PROBE_HARDWARE] = PROBE_WHEEL("hardware"),
    [PROBE_SIMULATION] = PROBE_WHEEL("simulation"),
    [PROBE_LASER] = PORT_SERVICE("laser", IN, &doppel__laser_scanner_service__descriptor),
};

static int probe_execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    bench_run_steps(self, tick);
    return 0;
}

static const struct dpl_component_ops probe_ops = {.execute = probe_execute};

static const struct dpl_component_class probe_class = {
    .name = "Probe",
    .ops = &probe_ops,
    .ports = probe_ports,
    .n_ports = DPL_COUNT(probe_ports),
};

static const struct bench_wire probe_wheel_wires[] = {
    {PROBE_BASE, "WheelController", "WheelControllerService"},
    {PROBE_HARDWARE, "WheelController", "HardwareService"},
    {PROBE_SIMULATION, "WheelController", "SimulationService"},
};

/* Of a struct bench: a profile of this folder's data, with the probe on its base. */
#define PROBE_BENCH(profile)                                                                       \
    .file = UNIT "/components/mobile/data/" profile, .added = &probe_class,                        \
    .wires = probe_wheel_wires, .n_wires = DPL_COUNT(probe_wheel_wires)

static inline int probe_drive(struct dpl_component *self, unsigned port, double v, double w)
{
    Doppel__Drive request = DOPPEL__DRIVE__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    request.linear_velocity = v;
    request.angular_velocity = w;
    return dpl_service_call(self, port, DPL_WHEEL_CONTROLLER_DRIVE_WHEEL, &request, &response);
}

static inline int probe_move(struct dpl_component *self, unsigned port, double way, double v)
{
    Doppel__Move request = DOPPEL__MOVE__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    request.distance = way;
    request.linear_velocity = v;
    return dpl_service_call(self, port, DPL_WHEEL_CONTROLLER_MOVE_WHEEL, &request, &response);
}

static inline int probe_rotate(struct dpl_component *self, unsigned port, double angle, double w)
{
    Doppel__Rotate request = DOPPEL__ROTATE__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    request.angle = angle;
    request.angular_velocity = w;
    return dpl_service_call(self, port, DPL_WHEEL_CONTROLLER_ROTATE_WHEEL, &request, &response);
}

/* Stop, Enable, Disable. */
static inline int probe_call(struct dpl_component *self, unsigned port, unsigned method)
{
    Doppel__Empty empty = DOPPEL__EMPTY__INIT;
    return dpl_service_call(self, port, method, &empty, &empty);
}

struct probe_reading {
    int err;
    bool valid, running;
    struct dpl_pose2 pose;
    struct dpl_twist2 twist;
    dpl_ns stamp;
};

static inline struct probe_reading probe_odometry(struct dpl_component *self, unsigned port)
{
    Doppel__Empty request = DOPPEL__EMPTY__INIT;
    Doppel__StampedOdometry response = DOPPEL__STAMPED_ODOMETRY__INIT;
    Doppel__Odometry odometry = DOPPEL__ODOMETRY__INIT;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    Doppel__Twist2 twist = DOPPEL__TWIST2__INIT;
    odometry.pose = &pose;
    odometry.twist = &twist;
    response.odometry = &odometry;
    int err = dpl_service_call(self, port, DPL_WHEEL_CONTROLLER_GET_ODOMETRY, &request, &response);
    return (struct probe_reading){
        .err = err,
        .valid = response.valid,
        .running = odometry.running,
        .pose = {pose.x, pose.y, pose.theta},
        .twist = {twist.linear, twist.angular},
        .stamp = response.stamp_ns,
    };
}

static inline int probe_pose(struct dpl_component *self, unsigned port, unsigned method,
                             bool *ret_valid, struct dpl_pose2 *ret_pose)
{
    Doppel__Empty request = DOPPEL__EMPTY__INIT;
    Doppel__StampedPose response = DOPPEL__STAMPED_POSE__INIT;
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    response.pose = &pose;
    int err = dpl_service_call(self, port, method, &request, &response);
    *ret_valid = response.valid;
    *ret_pose = (struct dpl_pose2){pose.x, pose.y, pose.theta};
    return err;
}

static inline int probe_set_position(struct dpl_component *self, unsigned port,
                                     struct dpl_pose2 pose)
{
    Doppel__Pose2 request = DOPPEL__POSE2__INIT;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    request.x = pose.x;
    request.y = pose.y;
    request.theta = pose.theta;
    return dpl_service_call(self, port, DPL_WHEEL_CONTROLLER_SET_POSITION, &request, &response);
}

static inline int probe_get(struct dpl_component *self, unsigned port, unsigned method,
                            const char *name, char *value)
{
    Doppel__Parameter request, response;
    doppel__parameter__init(&request);
    doppel__parameter__init(&response);
    request.name = (char *)(uintptr_t)name;
    if (value) {
        response.value = value;
    }
    return dpl_service_call(self, port, method, &request, &response);
}

static inline int probe_set(struct dpl_component *self, unsigned port, unsigned method,
                            const char *name, const char *value)
{
    Doppel__Parameter request;
    Doppel__Empty response = DOPPEL__EMPTY__INIT;
    doppel__parameter__init(&request);
    request.name = (char *)(uintptr_t)name;
    request.value = (char *)(uintptr_t)value;
    return dpl_service_call(self, port, method, &request, &response);
}

#endif
