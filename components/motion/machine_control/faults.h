/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the machine, the phases in which each is checked, and how the machine then comes to
 * rest. Pure logic. */
#ifndef MACHINE_CONTROL_FAULTS_H
#define MACHINE_CONTROL_FAULTS_H

#include "states.h"

/* In the order of priority: of several faults the first is reported. The numbers are those of
 * MachineStatus.fault. */
enum machine_fault {
    FAULT_NONE,
    FAULT_EMERGENCY,      /* emergency stop requested */
    FAULT_AXES_SILENT,    /* no valid state of the axes for AxesTimeout */
    FAULT_FOLLOWING,      /* an axis was too far from its reference */
    FAULT_REFERENCE,      /* the servo refused a reference, or a reference was missing */
    FAULT_AXES,           /* a drive reports a fault */
    FAULT_AXES_LEFT,      /* the axes switched off without a command */
    FAULT_PATH_SILENT,    /* no state of the path for PathTimeout */
    FAULT_UNREACHABLE,    /* the path has a pose without axis positions */
    FAULT_STOP_TIMEOUT,   /* no rest within StopTimeout */
    FAULT_ENABLE_TIMEOUT, /* the axes were not on within EnableTimeout */
    FAULT_HALT,           /* a device of the application is lost */
    FAULT_PLANNER_SILENT, /* no state of the planner for PlannerTimeout */
    FAULT_OUTSIDE,        /* the platform is outside of the workspace: no motion is planned */
    FAULT_PLANNER,        /* the planner had no valid reference for too long */
    FAULT_POSE_LOST,      /* no measured pose for MaxPoseGap ticks while moving */
    FAULT_RESET_FAILED,   /* the cause of a fault remains ResetTimeout after a reset */
    FAULT_FORCE_LOST,     /* no valid wrench for ForceTimeout in ADMITTANCE */
    FAULTS
};

enum machine_reaction {
    REACT_NOT,
    REACT_ALONG_PATH, /* path and axes still follow commands: brake along the path */
    REACT_AXES_STOP,  /* they do not follow: each axis stops on its own (category 1 of IEC 60204-1)
                       */
};

struct machine_fault_rule {
    const char *name; /* for exports and logs */
    const char *what; /* a clause for messages */
    enum machine_reaction reaction;
    unsigned phases; /* bits by enum machine_phase: the phases in which the condition is checked */
};

extern const struct machine_fault_rule machine_fault_rules[FAULTS];

/* The conditions that are true in this tick, one bit each (1u << enum machine_fault). `epoch` is
 * that of the newest command: reports of the planner about an older one are ignored; `admittance`:
 * the platform moves by forces. EMERGENCY, timeouts of the state machine and RESET_FAILED are not
 * included. */
uint32_t machine_faults_seen(const struct machine_config *config, const struct machine_sight *sight,
                             uint64_t epoch, bool admittance);

/* Whether ADMITTANCE has a valid force: it arrived within its timeout, or the check is off. */
bool machine_force_is_known(const struct machine_config *config, const struct machine_sight *sight);

/* The first of `seen` in the order of priority that is checked in `phase`, or FAULT_NONE. */
enum machine_fault machine_faults_gravest(uint32_t seen, enum machine_phase phase);

/* Whether a message has arrived within `timeout`. */
bool machine_is_heard(struct machine_heard heard, dpl_ns now, dpl_ns timeout);

#endif
