/* SPDX-License-Identifier: Apache-2.0 */
/* The const tables of Servo: ports, properties, exported variables. */
#include <doppel/msg/axes.h>
#include <doppel/msg/motion.h>

#include "tables.h"

const struct dpl_port_desc servo_ports[SERVO_N_PORTS] = {
    [SERVO_PORT_REFERENCE] =
        {
            .name = "reference",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__axis_reference__descriptor,
            .summary = "where the axes shall be at the end of the cycle",
        },
    [SERVO_PORT_COMMAND] =
        {
            .name = "command",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_IN,
            .message = &doppel__machine_command__descriptor,
            .summary = "whether the axes are on, stop on their own, are reset",
        },
    [SERVO_PORT_AXES] =
        {
            .name = "axes",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__axis_state__descriptor,
            .capacity = DPL_AXES_N,
            .summary = "each cycle: what the axes do (over HIL: the hardware's)",
        },
    [SERVO_PORT_SIMULATION_AXES] =
        {
            .name = "simulation_axes",
            .kind = DPL_PORT_DATA,
            .dir = DPL_PORT_OUT,
            .message = &doppel__axis_state__descriptor,
            .capacity = DPL_AXES_N,
            .summary = "the avatar's axes; only over HIL",
        },
};

#define NUMBER(name_, member_, unit_, default_, min_, max_, text_)                                 \
    DPL_NUMBER(struct servo_properties, member_, name_, unit_, default_, min_, max_, text_)

const struct dpl_field servo_property_table[SERVO_N_PROPERTIES] = {
    NUMBER("MaxReferenceStep", max_reference_step_m, "m", "0.002", 1e-6, 1,
           "a reference farther from the one before is refused, and the axes stop"),
    NUMBER("MaxFirstStep", max_first_step_m, "m", "0.002", 1e-6, 1,
           "largest distance of the first reference from the axes"),
    NUMBER(
        "MaxFollowingError", max_following_error_m, "m", "0.003", 0, 1,
        "an axis that is farther from its reference is a fault, and all axes stop; 0: not checked"),
    NUMBER("ReferenceTimeout", reference_timeout_ms, "ms", "10", 0.1, 10000,
           "no reference for this long while moving: the axes stop"),
    NUMBER("CommandTimeout", command_timeout_ms, "ms", "100", 0.1, 10000,
           "no command for this long while the axes are on: they stop"),
    NUMBER("HaltTimeout", halt_timeout_ms, "ms", "2000", 0, 60000,
           "the path must come to rest within this time after a device was lost"),
};

#define REAL(name_, member_, unit_, flags_, text_)                                                 \
    DPL_EXPORT_NUMBER(struct servo_component, member_, name_, unit_, flags_, text_)
#define COUNT(name_, member_, text_)                                                               \
    DPL_EXPORT_INT(struct servo_component, member_, name_, NULL, DPL_FIELD_SUMMARY, text_)
#define POSITION(name_, index_)                                                                    \
    REAL(name_, position_m[index_], "m", DPL_FIELD_TRACE, "measured position of the axis")
#define ERROR(name_, index_)                                                                       \
    REAL(name_, axis_error_m[index_], "m", DPL_FIELD_SUMMARY, "largest following error of the axis")

const struct dpl_field servo_export_table[SERVO_N_EXPORTS] = {
    DPL_EXPORT_CHOICE(struct servo_component, mode, "mode", DPL_AXES_MODE_WORDS,
                      DPL_FIELD_TRACE | DPL_FIELD_STATUS, "of the axes"),
    POSITION("q1", 0),
    POSITION("q2", 1),
    POSITION("q3", 2),
    POSITION("q4", 3),
    POSITION("q5", 4),
    POSITION("q6", 5),
    REAL("following_error", following_error_m, "m", DPL_FIELD_TRACE, "the largest of the six"),
    REAL("following_error_max", worst_error_m, "m", DPL_FIELD_SUMMARY, "the largest of the run"),
    ERROR("following_error_1", 0),
    ERROR("following_error_2", 1),
    ERROR("following_error_3", 2),
    ERROR("following_error_4", 3),
    ERROR("following_error_5", 4),
    ERROR("following_error_6", 5),
    REAL("effort", effort_n, "N", DPL_FIELD_TRACE, "the largest of the six"),
    REAL("effort_max", worst_effort_n, "N", DPL_FIELD_SUMMARY, "the largest of the run"),
    COUNT("followed", n_followed, "references that the axes accepted"),
    COUNT("refused", n_refused, "calls that the axes refused"),
    COUNT("stops", n_stops, "times that the axes stopped on their own"),
    COUNT("errors", n_errors, "cycles in which the device failed"),
    COUNT("reference_jumps", supervisor.n_jumps, "references that no axis can follow"),
    COUNT("references_missing", supervisor.n_missing, "times that references stopped in motion"),
    COUNT("following_faults", supervisor.n_following, "times that an axis was too far away"),
    COUNT("silences", supervisor.n_silences, "times that commands stopped"),
    COUNT("halt_stops", supervisor.n_halts, "times that a halt did not end in rest"),
};
