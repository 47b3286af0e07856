/* SPDX-License-Identifier: Apache-2.0 */
/* The const tables of MachineControl: ports, properties, exported variables. */
#include "tables.h"

#include <doppel/msg/axes.h>
#include <doppel/msg/controllers.h>
#include <doppel/msg/force_sensor.h>
#include <doppel/msg/motion.h>

#include "six_check.h"

#define SEES(index_, name_, type_, text_)                                                          \
    [index_] = {                                                                                   \
        .name = name_,                                                                             \
        .kind = DPL_PORT_DATA,                                                                     \
        .dir = DPL_PORT_IN,                                                                        \
        .message = &doppel__##type_##__descriptor,                                                 \
        .required = true,                                                                          \
        .summary = text_,                                                                          \
    }

const struct dpl_port_desc machine_ports[MACHINE_N_PORTS] = {
    SEES(MACHINE_PORT_AXES, "axes", axis_state, "what the axes do"),
    SEES(MACHINE_PORT_PLANNER, "planner", planner_state, "what the planner does"),
    SEES(MACHINE_PORT_PATH, "path", path_state, "whether the path moves"),
    SEES(MACHINE_PORT_MEASURED, "measured", measured_pose, "where the platform is"),
    [MACHINE_PORT_WRENCH] =
        {
            .name = "wrench",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__wrench__descriptor,
            .summary = "the wrench that the dynamic model gets; open: not checked",
        },
    [MACHINE_PORT_COMMAND] =
        {
            .name = "command",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__machine_command__descriptor,
            .summary = "each cycle: what planner, path and servo shall do",
        },
    [MACHINE_PORT_SERVICE] =
        {
            .name = "MachineService",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_OUT,
            .service = &doppel__machine_service__descriptor,
            .methods = machine_service,
            .summary = "takes requests and returns the state",
        },
    [MACHINE_PORT_REPORT] =
        {
            .name = "report",
            .kind = DPL_PORT_EVENT,
            .dir = DPL_PORT_OUT,
            .message = &doppel__state_report__descriptor,
            .capacity = MACHINE_REPORT_BYTES - 1,
            .summary = "states and requests, for an operator",
        },
};

#define TIME(name_, member_, default_, text_)                                                      \
    DPL_NUMBER(struct machine_properties, member_, name_, "ms", default_, 0.1, 600000, text_)

static int check_requests(const char *text, struct dpl_diag *reterr)
{
    struct requests requests;
    struct requests_error bad;
    return requests_parse(&requests, text, &bad) == 0
               ? 0
               : dpl_check_fail(text, text + bad.offset, bad.what, reterr);
}

const struct dpl_field machine_property_table[MACHINE_N_PROPERTIES] = {
    DPL_TEXT_CHECKED(struct machine_properties, requests, "Requests", "", check_requests,
                     "rows \"t request\" separated by ';', t in s: reset, enable, disable, home, "
                     "position x y z roll pitch yaw (m, rad), admittance, stop, emergency"),
    DPL_TEXT_CHECKED(struct machine_properties, home, "Home", "0 0 0.54 0 0 0", dpl_check_pose,
                     "pose that \"home\" goes to: x y z in m, roll pitch yaw in rad"),
    TIME("AxesTimeout", axes_timeout_ms, "20", "no state of the axes for this long is a fault"),
    TIME("PlannerTimeout", planner_timeout_ms, "50",
         "no state of the planner for this long is a fault"),
    TIME("PathTimeout", path_timeout_ms, "20", "no state of the path for this long is a fault"),
    TIME("EnableTimeout", enable_timeout_ms, "5000", "the axes must be on within this time"),
    TIME("ArriveTimeout", arrive_timeout_ms, "60000",
         "home and positions must be reached within this time, else the machine stops"),
    TIME("StopTimeout", stop_timeout_ms, "5000",
         "no rest along the path within this time: the axes stop on their own"),
    TIME("EmergencyTimeout", emergency_timeout_ms, "300",
         "after an emergency stop, as StopTimeout: then each axis stops on its own"),
    TIME("ResetTimeout", reset_timeout_ms, "1000", "a reset must be done within this time"),
    TIME("RestTime", rest_time_ms, "50", "the machine counts as at rest after this time"),
    DPL_NUMBER(struct machine_properties, rest_speed_m_s, "RestSpeed", "m/s", "0.005", 0, 1,
               "slower axes are at rest, if the path does not report rest"),
    DPL_INT(struct machine_properties, max_pose_gap, "MaxPoseGap", "8", 0, 1000000,
            "consecutive cycles without a measured pose while moving that are not a fault"),
    DPL_NUMBER(struct machine_properties, force_timeout_ms, "ForceTimeout", "ms", "20", 0, 600000,
               "no valid force for this long in admittance is a fault; 0: the model swings home, "
               "and the machine continues when the force is valid again"),
};

#define SHOWN (DPL_FIELD_TRACE | DPL_FIELD_STATUS)
#define CHOICE(name_, member_, choices_, flags_, text_)                                            \
    DPL_EXPORT_CHOICE(struct machine_component, member_, name_, choices_, flags_, text_)
#define COUNT(name_, member_, text_)                                                               \
    DPL_EXPORT_INT(struct machine_component, member_, name_, NULL, DPL_FIELD_SUMMARY, text_)
#define SECONDS(name_, member_)                                                                    \
    DPL_EXPORT_NUMBER(struct machine_component, member_, name_, "s", DPL_FIELD_SUMMARY,            \
                      "time in this state")
#define FAULT(name_, fault_)                                                                       \
    COUNT("faults_" name_, machine.n_faults[fault_], "faults of this cause")

#define SUBSTATES "none|sync|run|deflect|return|wait"
_Static_assert(ROW_SYNC + 4 == ROW_WAIT, "the rows of ADMITTANCE are the words of SUBSTATES");

/* The names of machine_fault_rules, in the order of enum machine_fault. */
#define FAULT_CHOICES                                                                              \
    "none|emergency|axes_silent|following|reference|axes|axes_left|path_silent|unreachable|"       \
    "stop_timeout|enable_timeout|halt|planner_silent|outside|planner|pose_lost|reset_failed|"      \
    "force_lost"

const struct dpl_field machine_export_table[MACHINE_N_EXPORTS] = {
    CHOICE("phase", phase, DPL_MACHINE_PHASE_WORDS, SHOWN, "of the primary state machine"),
    CHOICE("state", state, DPL_MACHINE_STATE_WORDS, SHOWN, "of the secondary state machine"),
    CHOICE("substate", substate, SUBSTATES, DPL_FIELD_TRACE, "of admittance"),
    CHOICE("fault", fault, FAULT_CHOICES, SHOWN | DPL_FIELD_SUMMARY, "why it is in FAULT"),
    DPL_EXPORT_BOOL(struct machine_component, machine.at_rest, "at_rest", DPL_FIELD_TRACE,
                    "has been seen for RestTime"),
    DPL_EXPORT_BOOL(struct machine_component, arrived, "arrived", 0, "at the pose asked for"),
    COUNT("requests", n_requests, "asked for, by script or service"),
    COUNT("refused", n_refused, "requests that were not legal"),
    COUNT("targets_outside", machine.n_ends[END_REFUSED],
          "motions home or to a position that the planner refused"),
    COUNT("targets_missed", machine.n_ends[END_LATE],
          "motions home or to a position that took longer than ArriveTimeout"),
    SECONDS("s_boot", phase_s[PHASE_BOOT]),
    SECONDS("s_idle", phase_s[PHASE_IDLE]),
    SECONDS("s_enabling", phase_s[PHASE_ENABLING]),
    SECONDS("s_ready", phase_s[PHASE_READY]),
    SECONDS("s_motion", phase_s[PHASE_MOTION]),
    SECONDS("s_fault", phase_s[PHASE_FAULT]),
    SECONDS("s_resetting", phase_s[PHASE_RESETTING]),
    SECONDS("s_stopped", row_s[ROW_STOPPED]),
    SECONDS("s_homing", row_s[ROW_HOMING]),
    SECONDS("s_position", row_s[ROW_POSITION]),
    SECONDS("s_sync", row_s[ROW_SYNC]),
    SECONDS("s_run", row_s[ROW_RUN]),
    SECONDS("s_deflect", row_s[ROW_DEFLECT]),
    SECONDS("s_return", row_s[ROW_RETURN]),
    SECONDS("s_wait", row_s[ROW_WAIT]),
    SECONDS("s_stopping", row_s[ROW_STOPPING]),
    FAULT("emergency", FAULT_EMERGENCY),
    FAULT("axes_silent", FAULT_AXES_SILENT),
    FAULT("following", FAULT_FOLLOWING),
    FAULT("reference", FAULT_REFERENCE),
    FAULT("axes", FAULT_AXES),
    FAULT("axes_left", FAULT_AXES_LEFT),
    FAULT("path_silent", FAULT_PATH_SILENT),
    FAULT("unreachable", FAULT_UNREACHABLE),
    FAULT("stop_timeout", FAULT_STOP_TIMEOUT),
    FAULT("enable_timeout", FAULT_ENABLE_TIMEOUT),
    FAULT("halt", FAULT_HALT),
    FAULT("planner_silent", FAULT_PLANNER_SILENT),
    FAULT("outside", FAULT_OUTSIDE),
    FAULT("planner", FAULT_PLANNER),
    FAULT("pose_lost", FAULT_POSE_LOST),
    FAULT("reset_failed", FAULT_RESET_FAILED),
    FAULT("force_lost", FAULT_FORCE_LOST),
    DPL_EXPORT_BOOL(struct machine_component, force_known, "force_known", DPL_FIELD_TRACE,
                    "a valid force came within ForceTimeout, or it is not checked"),
    DPL_EXPORT_NUMBER(struct machine_component, blind_s, "s_without_force", "s", DPL_FIELD_SUMMARY,
                      "time in admittance without a valid force"),
};
