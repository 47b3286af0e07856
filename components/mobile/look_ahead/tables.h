/* SPDX-License-Identifier: Apache-2.0 */
/* Ports, properties and state of LookAhead. */
#ifndef LOOK_AHEAD_TABLES_H
#define LOOK_AHEAD_TABLES_H

#include <doppel/component.h>
#include <doppel/drv/rollouts.h>
#include <doppel/msg/mobile_enums.h>

#include "fans.h"
#include "outlook.h"
#include "score.h"

enum look_port {
    LOOK_PORT_LOOK,
    LOOK_PORT_SAFETY,
    LOOK_PORT_COMMAND,
    LOOK_PORT_ODOMETRY,
    LOOK_PORT_POSE,
    LOOK_PORT_CALIBRATION,
    LOOK_PORT_PLAN,
    LOOK_N_PORTS,
};

enum look_mode { LOOK_VETO, LOOK_RECORD };

#define LOOK_POSES      24 /* of a rollout */
#define LOOK_PLAN_MAX   16 /* twists of a plan */
#define LOOK_NAME_BYTES OUTLOOK_NAME_SIZE

struct look_properties {
    int mode;
    double horizon_s;
    int64_t rollouts, seed;
    double least_probability;
    double margin_m, deceleration_m_s2, deceleration_deg_s2, latency_ms, oldest_ms;
    double position_sigma_m, heading_sigma_deg, wheel_sigma;
};

struct look_plan {
    size_t n;
    double time_s[LOOK_PLAN_MAX], linear[LOOK_PLAN_MAX], angular[LOOK_PLAN_MAX];
};

/* How the newest request is made up: rollouts of the held command, then one of the way to rest,
 * then as many of the plan as of the command, or none. */
struct look_request {
    bool waiting; /* for its answer */
    struct dpl_twist2 held;
    size_t n, n_plan;
    struct dpl_rollouts_want wants[DPL_ROLLOUTS_MAX];
    struct dpl_rollouts_twist twists[DPL_ROLLOUTS_TWISTS_MAX];
    size_t n_twists;
};

/* The newest look. */
struct look_seen {
    bool valid;
    dpl_ns stamp;
    struct dpl_twist2 held; /* that it looked at */
    struct outlook command, plan;
    bool rest_contact, plan_known;
};

struct look_run {
    struct spread spread;
    struct score score;
    struct fans fans;
    struct astray astray;
    bool is_astray; /* the robot does not drive in the world that is looked into */
    struct look_request request;
    struct look_plan plan;
    struct look_seen seen;
    struct dpl_twist2 asked; /* by the commander, before any veto */
    dpl_ns asked_at;
    bool has_asked, vetoing;
    int64_t device; /* enum dpl_rollouts_state, of the cycle before */
    /* exports */
    int state; /* enum dpl_look_state */
    double age_s, contact_s, probability, clearance_m, took_ms;
    int64_t looks, vetoes, lost, refused;
};

extern const struct dpl_port_desc look_ports[LOOK_N_PORTS];
#define LOOK_N_PROPERTIES 13
#define LOOK_N_EXPORTS    16
extern const struct dpl_field look_properties[LOOK_N_PROPERTIES];
extern const struct dpl_field look_exports[LOOK_N_EXPORTS];

/* SafetyService, in component.c. */
extern const dpl_service_method look_safety[];

void look_publish(struct dpl_component *self);

#endif
