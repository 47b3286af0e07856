/* SPDX-License-Identifier: Apache-2.0 */
/* Types of the machine's two state machines: phases, states, requests, answers, and the
 * observations of a tick. The types for other components are in motion.proto. Pure logic. */
#ifndef MACHINE_CONTROL_STATES_H
#define MACHINE_CONTROL_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/msg/axes_enums.h>
#include <doppel/msg/motion_enums.h>
#include <doppel/time.h>

/* Of the primary state machine. Other components get enum dpl_machine_phase: ENABLING is reported
 * as IDLE, RESETTING as FAULT. */
enum machine_phase {
    PHASE_BOOT,   /* some components have not reported yet */
    PHASE_IDLE,   /* axes off */
    PHASE_READY,  /* axes on, at rest */
    PHASE_MOTION, /* the secondary state machine is not STOPPED */
    PHASE_FAULT,
    PHASE_ENABLING,
    PHASE_RESETTING,
    PHASES
};

/* Of the secondary state machine; the substates of ADMITTANCE are separate. */
enum machine_row {
    ROW_STOPPED,
    ROW_HOMING,
    ROW_POSITION,
    ROW_SYNC, /* ADMITTANCE: moving into the reference */
    ROW_RUN,
    ROW_DEFLECT, /* held at the border of the workspace */
    ROW_RETURN,  /* moving home after that */
    ROW_WAIT,    /* at home, for a restart */
    ROW_STOPPING,
    ROWS
};

enum machine_verdict {
    VERDICT_ACCEPT,
    VERDICT_ALREADY, /* nothing to do: the state is already reached */
    VERDICT_REFUSE,
};

/* A condition that must also be true for a request to be accepted. */
enum machine_guard {
    GUARD_NONE,
    GUARD_REST, /* everything is at rest */
    GUARD_POSE, /* the state of the axes and the platform's pose are known */
};

/* The entry of a table for a request; `why`: the reason of a refusal, by the table or by the
 * guard. */
struct machine_answer {
    enum machine_verdict verdict;
    int next; /* of VERDICT_ACCEPT: phase or row */
    enum machine_guard guard;
    bool ask_secondary; /* VERDICT_ACCEPT of the primary: the secondary decides too */
    const char *why;
};

/* Time of the newest message. */
struct machine_heard {
    bool ever;
    dpl_ns at;
};

/* Observations of the machine in a tick. */
struct machine_sight {
    dpl_ns now;
    bool halt; /* a device of the application is lost */
    struct machine_heard axes, planner, path;
    bool axes_valid;
    enum dpl_axes_mode axes_mode;
    uint32_t axes_fault;
    double axes_speed_m_s; /* of the fastest */
    enum dpl_planner_mode planner_mode;
    enum dpl_planner_obstacle planner_obstacle;
    uint64_t planner_epoch;
    bool planner_at_rest;
    bool path_moving;
    bool unreachable;           /* the newest pose of the path has no axis positions */
    uint32_t pose_gap;          /* consecutive ticks without a measured pose */
    bool force_watched;         /* the force is measured and must be checked */
    struct machine_heard force; /* a valid wrench */
};

/* Times from the properties, converted from seconds. */
struct machine_config {
    dpl_ns axes_timeout, planner_timeout, path_timeout;
    dpl_ns enable_timeout, stop_timeout, emergency_timeout, reset_timeout;
    dpl_ns arrive_timeout;  /* of HOMING and POSITION */
    dpl_ns rest_time;       /* time for which rest must last */
    double rest_speed_m_s;  /* below this speed an axis is at rest */
    uint32_t pose_gap_most; /* ticks without a measured pose while moving */
    dpl_ns force_timeout;   /* of ADMITTANCE; 0: no check */
};

#endif
