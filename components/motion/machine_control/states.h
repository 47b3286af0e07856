/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the machine's two state machines: phases, states, requests, answers, and what is
 * seen of the machine in a tick. What others are told is in motion.proto. Pure logic. */
#ifndef MACHINE_CONTROL_STATES_H
#define MACHINE_CONTROL_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/msg/axes_enums.h>
#include <doppel/msg/motion_enums.h>
#include <doppel/time.h>

/* Of the primary state machine. Others are told enum dpl_machine_phase: ENABLING is IDLE
 * to them, RESETTING is FAULT. */
enum machine_phase {
    PHASE_BOOT,   /* not everything has reported yet */
    PHASE_IDLE,   /* axes off */
    PHASE_READY,  /* axes on, at rest */
    PHASE_MOTION, /* the secondary state machine is not STOPPED */
    PHASE_FAULT,
    PHASE_ENABLING,
    PHASE_RESETTING,
    PHASES
};

/* Of the secondary state machine; ADMITTANCE by its substates. */
enum machine_row {
    ROW_STOPPED,
    ROW_HOMING,
    ROW_POSITION,
    ROW_SYNC, /* ADMITTANCE: on the way into the reference */
    ROW_RUN,
    ROW_DEFLECT, /* held at the border of the workspace */
    ROW_RETURN,  /* on the way home after that */
    ROW_WAIT,    /* at home, for a restart */
    ROW_STOPPING,
    ROWS
};

enum machine_verdict {
    VERDICT_ACCEPT,
    VERDICT_ALREADY, /* nothing to do: it is so */
    VERDICT_REFUSE,
};

/* What else must hold before a request is accepted. */
enum machine_guard {
    GUARD_NONE,
    GUARD_REST, /* everything stands still */
    GUARD_POSE, /* the axes are seen, and the platform's pose is known */
};

/* What a table says about a request; `why` it is refused, by itself or by its guard, in words. */
struct machine_answer {
    enum machine_verdict verdict;
    int next; /* of VERDICT_ACCEPT: phase or row */
    enum machine_guard guard;
    bool ask_secondary; /* VERDICT_ACCEPT of the primary: the secondary decides */
    const char *why;
};

/* When something was heard last. */
struct machine_heard {
    bool ever;
    dpl_ns at;
};

/* What is seen of the machine in a tick. */
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
    uint32_t pose_gap;          /* ticks in a row without a measured pose */
    bool force_watched;         /* somebody tells what pushes the platform */
    struct machine_heard force; /* a wrench that is to be believed */
};

/* Seconds as a table of properties gives them. */
struct machine_config {
    dpl_ns axes_timeout, planner_timeout, path_timeout;
    dpl_ns enable_timeout, stop_timeout, emergency_timeout, reset_timeout;
    dpl_ns arrive_timeout;  /* of HOMING and POSITION */
    dpl_ns rest_time;       /* how long rest must be seen */
    double rest_speed_m_s;  /* slower axes are at rest */
    uint32_t pose_gap_most; /* ticks without a measured pose while moving */
    dpl_ns force_timeout;   /* of ADMITTANCE; 0: it goes on without */
};

#endif
