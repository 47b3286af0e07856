/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the two files of WheelController: its state, and the service that it provides three
 * times, for the device and for each side of a HIL driver. */
#ifndef WHEEL_CONTROLLER_SERVICE_H
#define WHEEL_CONTROLLER_SERVICE_H

#include <doppel/component.h>
#include <doppel/drv/wheel_controller.h>
#include <doppel/msg/wheel_controller.h>

enum wheel_port {
    WHEEL_PORT_ODOMETRY,
    WHEEL_PORT_SIMULATION_ODOMETRY,
    WHEEL_PORT_COMMAND,
    WHEEL_PORT_SERVICE,
    WHEEL_PORT_HARDWARE_SERVICE,
    WHEEL_PORT_SIMULATION_SERVICE,
    WHEEL_PORT_SIMULATION_POSE,
};

enum wheel_side {
    WHEEL_HARDWARE,
    WHEEL_SIMULATION,
    WHEEL_SIDES,
};

struct wheel_properties {
    double safe_radius_m;
    double command_timeout_ms;
};

/* Whether a drive command is active that the caller must repeat within CommandTimeout. */
struct wheel_watch {
    bool driving;
    dpl_ns commanded_at;
};

struct wheel_state {
    struct dpl_device *side[WHEEL_SIDES];
    size_t n_sides;
    struct dpl_wheel_state reading, simulation; /* newest valid readings */
    struct dpl_twist2 command;                  /* of the application */
    struct wheel_watch base;                    /* commands of the application */
    struct wheel_watch hardware; /* commands to the hardware side only; the HIL driver checks those
                                    to its simulation side (OwnershipTimeout) */
    bool halted;
    double distance_m;
    double reading_stamp_s; /* in the run's time */
    int64_t n_commands;
    int last_error;
};

/* `to` must have storage for its pose and twist. */
void wheel_fill_odometry(const struct dpl_wheel_state *from, Doppel__Odometry *to);

/* The methods for WHEEL_PORT_SERVICE and the ports of both sides. */
extern const dpl_service_method wheel_service[DPL_WHEEL_CONTROLLER_N_METHODS];

#endif
