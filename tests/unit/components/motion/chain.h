/* SPDX-License-Identifier: Apache-2.0 */
/* TrajectoryPlanner, MotionPath and Hexaslide connected as in an application, with a runtime of a
 * few lines and axes that follow at once: what the three do together, tick by tick. */
#ifndef TESTS_MOTION_CHAIN_H
#define TESTS_MOTION_CHAIN_H

#include <stdbool.h>

#include <doppel/component.h>
#include <doppel/msg/motion.h>

#define CHAIN_SERVO_PERIOD  (625 * DPL_US)
#define CHAIN_PLANNER_TICKS 4

enum chain_member {
    CHAIN_PLANNER,
    CHAIN_PATH,
    CHAIN_KINEMATICS,
    CHAIN_N_MEMBERS,
};

/* The order of the ports in the classes' tables. */
enum chain_planner_port {
    PLANNER_REFERENCE,
    PLANNER_COMMAND,
    PLANNER_PATH,
    PLANNER_MEASURED,
    PLANNER_POSE,
    PLANNER_STATE,
};

enum chain_path_port {
    PATH_POSE,
    PATH_COMMAND,
    PATH_MEASURED,
    PATH_AXES,
    PATH_KINEMATICS,
    PATH_REFERENCE,
    PATH_STATE,
};

enum chain_kinematics_port {
    KINEMATICS_AXES,
    KINEMATICS_MEASURED,
    KINEMATICS_SERVICE,
};

/* The test's hands on it. */
extern struct chain {
    bool axes_on, axes_known; /* axes_known false: the port is open and nothing says that */
    double axes[6];           /* where they are; they follow while they are on */
    bool axes_valid;
    bool has_command, path_is_open, planner_is_late, path_is_late, has_kinematics;
    Doppel__MachineState machine;
    double target[6];
    uint64_t epoch;
    bool has_reference;
    double reference[6];
    int halt;
    dpl_ns now;
    uint64_t cycle;
    int log_lines;
    char log[256];
    double machine_home_x; /* of the machine that the loader gives */
    int machine_error;
    void (*each_tick)(void); /* after all have run; NULL: nothing */
} chain;

/* Fresh components with default properties, axes at the home pose, everything connected. */
void chain_prepare(void);

/* A property of a member, before chain_start. */
void chain_set(enum chain_member member, const char *name, const char *text);
/* The same; whether the property takes the text: 0, or -EINVAL with chain_error. */
int chain_accepts(enum chain_member member, const char *name, const char *text);

/* initialize, period_changed, start. Returns the first error; chain_error says what. */
int chain_start(void);
extern struct dpl_diag chain_error;

/* Runs servo ticks; the planner every fourth. */
void chain_run(int servo_ticks);

/* Begins a new epoch. */
void chain_command(Doppel__MachineState machine);

/* The newest message of an output port, NULL: none yet; how many there were. */
const void *chain_newest(enum chain_member member, unsigned port);
int chain_count(enum chain_member member, unsigned port);

/* A published variable. */
double chain_export(enum chain_member member, const char *name);

struct dpl_component *chain_member(enum chain_member member);

#endif
