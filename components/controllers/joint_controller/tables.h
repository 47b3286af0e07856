/* SPDX-License-Identifier: Apache-2.0 */
/* Properties, state, ports and tables of JointController, shared by its glue files. */
#ifndef JOINT_CONTROLLER_TABLES_H
#define JOINT_CONTROLLER_TABLES_H

#include <doppel/component.h>
#include <doppel/drv/joints.h>

#include "joint_path.h"

_Static_assert((int)JOINT_PATH_MAX >= (int)DPL_JOINTS_MAX, "a path has a place for every joint");

enum joint_port {
    JOINTS_PORT_JOINTS,
    JOINTS_PORT_SIMULATION,
    JOINTS_PORT_SERVICE,
    JOINTS_N_PORTS,
};

enum joint_phase {
    JOINTS_WAITING,   /* for the device; nothing is commanded */
    JOINTS_FOLLOWING, /* the waypoints */
    JOINTS_MOVING,    /* to a position that the service was asked for */
    JOINTS_DRIVING,   /* at speeds that the service was asked for */
    JOINTS_ARRIVED,   /* at the last waypoint or that position, holding it */
    JOINTS_STOPPED,   /* holding still until the service is asked */
};

struct joint_properties {
    char waypoints[16384];
    bool repeats;
    double max_error, rest_speed;
};

struct joint_component {
    struct waypoints waypoints;
    struct joint_follower follower;
    size_t n_joints;
    bool has_simulation;
    int phase;     /* enum joint_phase */
    bool has_list; /* it follows the waypoints, or will as soon as it can */
    bool is_enabled;
    uint32_t fault; /* the device's, as told */
    struct dpl_joints_state newest;
    /* Where the joints shall be at the end of the cycle, and how fast; NaN and 0: not said. */
    double reference[DPL_JOINTS_MAX], rate[DPL_JOINTS_MAX];
    dpl_ns reference_at;         /* that time */
    double error, largest_error; /* of a joint from the reference */
    int64_t n_missing, n_refused, n_faults;
};

enum {
    JOINTS_N_PROPERTIES = 4,
    JOINTS_N_EXPORTS = 6 + 2 * DPL_JOINTS_MAX,
};

extern const struct dpl_port_desc joint_ports[JOINTS_N_PORTS];
extern const struct dpl_field joint_property_table[JOINTS_N_PROPERTIES];
extern const struct dpl_field joint_export_table[JOINTS_N_EXPORTS];
extern const dpl_service_method joint_service[];

/* While it is initialized: the trace gets the columns of the joints that there are (n_joints). */
void joint_exports_choose(struct joint_component *state);

#endif
