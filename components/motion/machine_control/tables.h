/* SPDX-License-Identifier: Apache-2.0 */
/* Properties, state, ports and tables of MachineControl, shared by its glue files. */
#ifndef MACHINE_CONTROL_TABLES_H
#define MACHINE_CONTROL_TABLES_H

#include <doppel/component.h>
#include <doppel/math/six.h>

#include "machine.h"
#include "requests.h"

enum machine_port {
    MACHINE_PORT_AXES,
    MACHINE_PORT_PLANNER,
    MACHINE_PORT_PATH,
    MACHINE_PORT_MEASURED,
    MACHINE_PORT_WRENCH,
    MACHINE_PORT_COMMAND,
    MACHINE_PORT_SERVICE,
    MACHINE_PORT_REPORT,
};

struct machine_properties {
    char requests[8192];
    char home[256];
    double axes_timeout_ms, planner_timeout_ms, path_timeout_ms;
    double enable_timeout_ms, arrive_timeout_ms, stop_timeout_ms, emergency_timeout_ms,
        reset_timeout_ms;
    double rest_time_ms, rest_speed_m_s;
    int64_t max_pose_gap;
    double force_timeout_ms;
};

struct machine_component {
    struct machine machine;
    struct machine_sight sight; /* filled during the cycle */
    struct requests requests;
    size_t next_request;
    bool started;
    dpl_ns started_at, stepped_at;
    int64_t n_requests, n_refused;
    double phase_s[PHASES], row_s[ROWS];
    /* as shown */
    int phase, state, substate, fault;
    bool arrived, force_known;
    double blind_s;    /* time in ADMITTANCE without a force */
    uint64_t reported; /* of machine_component_report; 0: nothing yet */
    dpl_ns reported_at;
};

#define MACHINE_N_PORTS      8
#define MACHINE_N_PROPERTIES 14
#define MACHINE_N_EXPORTS    45
extern const struct dpl_port_desc machine_ports[MACHINE_N_PORTS];
extern const struct dpl_field machine_property_table[MACHINE_N_PROPERTIES];
extern const struct dpl_field machine_export_table[MACHINE_N_EXPORTS];

/* MachineService. */
extern const dpl_service_method machine_service[];

#define MACHINE_REPORT_BYTES 2000 /* of a text in a report */

/* Publishes states and requests when they have changed, and each second. */
void machine_component_report(struct dpl_component *self, dpl_ns now);

/* Logs an error: the fault, and the next action on the axes. */
void machine_component_log_fault(struct dpl_component *self, enum machine_fault fault);

/* Makes, counts and logs a request. `from` names the source. 0 or -EPERM. */
int machine_component_ask(struct dpl_component *self, enum dpl_machine_request_kind request,
                          const double target[DPL_SIX], const char *from);

#endif
