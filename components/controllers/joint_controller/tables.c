/* SPDX-License-Identifier: Apache-2.0 */
/* The const tables of JointController: ports, properties, exported variables. */
#include "tables.h"

#include <math.h>
#include <stdlib.h>

#include <doppel/msg/joints.h>
#include <doppel/text_check.h>

const struct dpl_port_desc joint_ports[JOINTS_N_PORTS] = {
    [JOINTS_PORT_JOINTS] =
        {
            .name = "joints",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__joint_state__descriptor,
            .capacity = DPL_JOINTS_MAX,
            .summary = "each cycle: what the joints do (over HIL: the hardware's)",
        },
    [JOINTS_PORT_SIMULATION] =
        {
            .name = "simulation_joints",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__joint_state__descriptor,
            .capacity = DPL_JOINTS_MAX,
            .summary = "the avatar's joints; only over HIL",
        },
    [JOINTS_PORT_SERVICE] =
        {
            .name = "JointService",
            .aliases = "Joint",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_OUT,
            .service = &doppel__joint_service__descriptor,
            .methods = joint_service,
            .summary = "moves the joints, tells what they do",
        },
};

static int check_waypoints(const char *text, struct dpl_diag *reterr)
{
    struct waypoints *waypoints = malloc(sizeof *waypoints);
    struct waypoints_error bad;
    if (!waypoints) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    int err = waypoints_parse(waypoints, text, &bad);
    free(waypoints);
    return err < 0 ? dpl_check_fail(text, text + bad.offset, bad.what, reterr) : 0;
}

const struct dpl_field joint_property_table[JOINTS_N_PROPERTIES] = {
    DPL_TEXT_CHECKED(struct joint_properties, waypoints, "Waypoints", "", check_waypoints,
                     "rows \"t q1 q2 ...\" separated by ';': time in s, above 0 and increasing, "
                     "and a position of each joint in rad or m; empty: only the service moves it"),
    DPL_BOOL(struct joint_properties, repeats, "Repeat", "false",
             "after the last waypoint go on to the first one"),
    DPL_NUMBER(struct joint_properties, max_error, "MaximumError", NULL, "0", 0, 1e6,
               "farther from where it shall be, in rad or m, a joint is a fault, and all stop; 0: "
               "not watched"),
    DPL_NUMBER(struct joint_properties, rest_speed, "RestSpeed", NULL, "0.01", 0, 1e6,
               "a slower joint is at rest, in rad/s or m/s: a run ends then"),
};

/* Only joints that the device has get columns: joint_exports_choose. */
#define SHOWN(i_, number_)                                                                         \
    DPL_EXPORT_NUMBER(struct joint_component, newest.position[i_], "position_" number_, NULL,      \
                      DPL_FIELD_TRACE | DPL_FIELD_IF_THERE,                                        \
                      "of the joint with this number, in rad or m"),                               \
        DPL_EXPORT_NUMBER(struct joint_component, reference[i_], "reference_" number_, NULL,       \
                          DPL_FIELD_TRACE | DPL_FIELD_IF_THERE,                                    \
                          "where it shall be at the end of the cycle; nan: "                       \
                          "not said")
#define COUNT(name_, member_, text_)                                                               \
    DPL_EXPORT_INT(struct joint_component, member_, name_, NULL, DPL_FIELD_SUMMARY, text_)

const struct dpl_field joint_export_table[JOINTS_N_EXPORTS] = {
    DPL_EXPORT_CHOICE(struct joint_component, phase, "phase",
                      "waiting|following|moving|driving|arrived|stopped",
                      DPL_FIELD_TRACE | DPL_FIELD_STATUS, "what it does"),
    DPL_EXPORT_NUMBER(struct joint_component, error, "error", NULL, DPL_FIELD_TRACE,
                      "largest distance of a joint from where it shall be, in rad or m"),
    DPL_EXPORT_NUMBER(struct joint_component, largest_error, "largest_error", NULL,
                      DPL_FIELD_SUMMARY, "of the run"),
    COUNT("missing", n_missing, "cycles in which the device told nothing"),
    COUNT("refused", n_refused, "commands that the device did not take"),
    COUNT("faults", n_faults, "times that the joints did not follow"),
    SHOWN(0, "1"),
    SHOWN(1, "2"),
    SHOWN(2, "3"),
    SHOWN(3, "4"),
    SHOWN(4, "5"),
    SHOWN(5, "6"),
    SHOWN(6, "7"),
    SHOWN(7, "8"),
    SHOWN(8, "9"),
    SHOWN(9, "10"),
    SHOWN(10, "11"),
    SHOWN(11, "12"),
    SHOWN(12, "13"),
    SHOWN(13, "14"),
    SHOWN(14, "15"),
    SHOWN(15, "16"),
    SHOWN(16, "17"),
    SHOWN(17, "18"),
    SHOWN(18, "19"),
    SHOWN(19, "20"),
    SHOWN(20, "21"),
    SHOWN(21, "22"),
    SHOWN(22, "23"),
    SHOWN(23, "24"),
    SHOWN(24, "25"),
    SHOWN(25, "26"),
    SHOWN(26, "27"),
    SHOWN(27, "28"),
    SHOWN(28, "29"),
    SHOWN(29, "30"),
    SHOWN(30, "31"),
    SHOWN(31, "32"),
};

void joint_exports_choose(struct joint_component *state)
{
    for (size_t i = 0; i < DPL_JOINTS_MAX; i++) {
        bool is_there = i < state->n_joints;
        state->newest.position[i] = state->reference[i] = is_there ? 0.0 : (double)NAN;
    }
}
