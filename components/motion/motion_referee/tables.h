/* SPDX-License-Identifier: Apache-2.0 */
/* Properties, exported variables and ports of the MotionReferee component. */
#ifndef MOTION_REFEREE_TABLES_H
#define MOTION_REFEREE_TABLES_H

#include <doppel/component.h>

#include "judge.h"

enum motion_port {
    MOTION_PORT_REFERENCE,
    MOTION_PORT_GIVEN,
    MOTION_PORT_PATH,
    MOTION_PORT_MEASURED,
    MOTION_PORT_AXES,
    MOTION_PORT_COMMAND,
    MOTION_PORT_PLANNER,
    MOTION_N_PORTS,
};

/* The motion that must be planned again. */
enum motion_target {
    TARGET_REFERENCE,
    TARGET_GIVEN,
};

struct motion_properties {
    char centre[192], hard[192], accel_max[192], robot[128];
    double move_ms, slack_m, slack_rad;
    int target;   /* enum motion_target */
    int expect;   /* enum motion_end */
    int end_mode; /* 0: any, else mode + 1 */
    double from_s, fault_at_s, within_s, end_s;
    double axes_timeout_ms, moving, same_for_s, rest_for_s, rest_m, rest_rad;
    int axis[2];
};

/* An axis of the machine in the trace. */
struct motion_shown {
    double reference, planned, measured;
};

/* The exported variables of the component in addition to those of its judge. */
struct motion_exports {
    struct motion_judge judge;
    struct motion_shown shown[2];
    int verdict, worst_axis, planner_mode;
    bool expected, axes_on;
    double factor, deviation_m, deviation_rad;
};

/* The component's state. */
struct motion_state {
    struct motion_exports out;
    struct motion_judge fresh; /* state at the start of a run */
    bool started;
    dpl_ns started_at;
};

#define MOTION_N_PROPERTIES 22
#define MOTION_N_EXPORTS    30
extern const struct dpl_port_desc motion_ports[MOTION_N_PORTS];
extern const struct dpl_field motion_property_table[MOTION_N_PROPERTIES];
extern const struct dpl_field motion_export_table[MOTION_N_EXPORTS];

/* Checks the consistency of properties (dpl_component_class.check). -EINVAL with reterr. */
int motion_check(const void *properties, struct dpl_diag *reterr);

/* The limits and the task for the judge, from checked properties; without the travel of the
 * axes. */
struct motion_judge motion_judge_from(const struct motion_properties *props);

#endif
