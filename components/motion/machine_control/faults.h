/* SPDX-License-Identifier: Apache-2.0 */
/* What can be wrong with the machine, in which phases it matters, and how the machine then comes to
 * rest. Pure logic. */
#ifndef MACHINE_CONTROL_FAULTS_H
#define MACHINE_CONTROL_FAULTS_H

#include "states.h"

/* In the order of weight: of several at once the first is told. The numbers are those of
 * MachineStatus.fault. */
enum machine_fault {
    FAULT_NONE,
    FAULT_EMERGENCY,      /* asked for */
    FAULT_AXES_SILENT,    /* no valid state of the axes for AxesTimeout */
    FAULT_FOLLOWING,      /* an axis was too far from its reference */
    FAULT_REFERENCE,      /* the servo refused a reference, or missed it */
    FAULT_AXES,           /* a drive reports a fault */
    FAULT_AXES_LEFT,      /* the axes went off by themselves */
    FAULT_PATH_SILENT,    /* no state of the path for PathTimeout */
    FAULT_UNREACHABLE,    /* the path leads to a pose without axis positions */
    FAULT_STOP_TIMEOUT,   /* no rest within StopTimeout */
    FAULT_ENABLE_TIMEOUT, /* the axes did not come on within EnableTimeout */
    FAULT_HALT,           /* a device of the application is lost */
    FAULT_PLANNER_SILENT, /* no state of the planner for PlannerTimeout */
    FAULT_OUTSIDE,        /* it stands outside of the workspace: no motion is planned */
    FAULT_PLANNER,        /* the planner had no good reference for too long */
    FAULT_POSE_LOST,      /* no measured pose for MaxPoseGap ticks while moving */
    FAULT_RESET_FAILED,   /* what was wrong is still wrong ResetTimeout after a reset */
    FAULT_FORCE_LOST,     /* no wrench to be believed for ForceTimeout in ADMITTANCE */
    FAULTS
};

enum machine_reaction {
    REACT_NOT,
    REACT_ALONG_PATH, /* path and axes still do what they are told: brake along the path */
    REACT_AXES_STOP,  /* they do not: each axis stops on its own (category 1 of IEC 60204-1) */
};

struct machine_fault_rule {
    const char *name; /* for exports and logs */
    const char *what; /* a clause for people */
    enum machine_reaction reaction;
    unsigned phases; /* bits by enum machine_phase: where its condition is looked at */
};

extern const struct machine_fault_rule machine_fault_rules[FAULTS];

/* The conditions that are so in this tick, a bit each (1u << enum machine_fault). `epoch` is that
 * of the newest command: what the planner says about an older one does not count; in `admittance`
 * the platform moves by forces. EMERGENCY,
 * timeouts of the state machine and RESET_FAILED are not among them. */
uint32_t machine_faults_seen(const struct machine_config *config, const struct machine_sight *sight,
                             uint64_t epoch, bool admittance);

/* Whether ADMITTANCE has a force to follow: it was heard in time, or nobody watches it. */
bool machine_force_is_known(const struct machine_config *config, const struct machine_sight *sight);

/* The gravest of `seen` that matters in `phase`; FAULT_NONE. */
enum machine_fault machine_faults_gravest(uint32_t seen, enum machine_phase phase);

/* Whether something was heard within `timeout`. */
bool machine_is_heard(struct machine_heard heard, dpl_ns now, dpl_ns timeout);

#endif
