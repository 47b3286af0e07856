/* SPDX-License-Identifier: Apache-2.0 */
/* Properties, state, ports and tables of Servo, shared by its glue files. */
#ifndef SERVO_TABLES_H
#define SERVO_TABLES_H

#include <doppel/component.h>

#include "supervisor.h"

enum servo_port {
    SERVO_PORT_REFERENCE,
    SERVO_PORT_COMMAND,
    SERVO_PORT_AXES,
    SERVO_PORT_SIMULATION_AXES,
};

struct servo_properties {
    double max_reference_step_m, max_first_step_m, max_following_error_m;
    double reference_timeout_ms, command_timeout_ms, halt_timeout_ms;
};

struct servo_component {
    struct supervisor supervisor;
    bool has_simulation;
    int64_t n_followed, n_refused, n_stops, n_errors;
    /* as shown */
    int mode;
    double position_m[DPL_AXES_N];
    double following_error_m, worst_error_m, axis_error_m[DPL_AXES_N]; /* the largest of each */
    double effort_n, worst_effort_n;
};

#define SERVO_N_PORTS      4
#define SERVO_N_PROPERTIES 6
#define SERVO_N_EXPORTS    26
extern const struct dpl_port_desc servo_ports[SERVO_N_PORTS];
extern const struct dpl_field servo_property_table[SERVO_N_PROPERTIES];
extern const struct dpl_field servo_export_table[SERVO_N_EXPORTS];

#endif
