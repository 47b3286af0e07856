/* SPDX-License-Identifier: Apache-2.0 */
/* One drive on the bus from its master's view: reset, boot-up, set-up by SDO, start, then
 * supervision and its process data. Frames and times are arguments; `send` sends frames. Pure; used
 * on the control thread. */
#ifndef CIA402_CIA402_NODE_H
#define CIA402_CIA402_NODE_H

#include "cia402_plan.h"
#include <doppel/protocol/canopen_sdo.h>

enum cia402_phase {
    CIA402_AWAY,     /* not tried yet, or lost: waits for the next attempt */
    CIA402_BOOTING,  /* was reset, has not sent its boot-up message */
    CIA402_SETTING,  /* SDO by SDO */
    CIA402_STARTING, /* was started, has not sent process data */
    CIA402_AT_WORK,
};

/* The event of a call. */
enum cia402_news {
    CIA402_NO_NEWS,
    CIA402_IS_READY, /* it is now operating */
    CIA402_IS_LOST,  /* it was operating; see `problem` */
    CIA402_FAILED,   /* an attempt to start it has failed; see `problem` */
    CIA402_EMCY,     /* it has sent an error code, or the end of an error; see `error` */
};

/* Identity of a drive; 0 and "" where it gives none. */
struct cia402_identity {
    uint32_t numbers[CIA402_IDENTITY_PARTS]; /* by part, without the name */
    char name[64];                           /* printable */
};

struct cia402_node {
    uint8_t id;
    const struct cia402_settings *settings;
    const struct cia402_plan *plan;
    void (*send)(void *user, const struct dpl_can_frame *frame);
    void *user;
    /* may be read */
    enum cia402_phase phase;
    enum dpl_cia402_state state;
    uint16_t statusword;
    uint16_t error; /* of its newest emergency; 0: none */
    int32_t position, velocity, torque;
    bool has_position, has_velocity; /* since cia402_node_expect */
    unsigned unanswered[2];          /* consecutive SYNCs without its first, its second TPDO */
    char problem[160];
    struct cia402_identity identity; /* valid while it is operating */
    /* private */
    struct dpl_canopen_reader reader;
    uint16_t controlword; /* last one sent */
    size_t step;
    unsigned tries;
    dpl_ns since, asked_at, heard_at, retry_at, delay;
};

void cia402_node_init(struct cia402_node *node, uint8_t id, const struct cia402_settings *settings,
                      const struct cia402_plan *plan);

/* The bus is open: starts the node at once. */
void cia402_node_begin(struct cia402_node *node, dpl_ns now);
/* The bus is closed. */
void cia402_node_forget(struct cia402_node *node);

/* Processes a frame of this node. */
enum cia402_news cia402_node_hear(struct cia402_node *node, const struct dpl_can_frame *frame,
                                  struct dpl_canopen_cob cob, dpl_ns now);
/* The master was late by this time and did not receive: it does not count as silence of the
 * drive. */
void cia402_node_excuse(struct cia402_node *node, dpl_ns late, dpl_ns now);
/* Call it every few ms: timeouts, repetitions, the next attempt. */
enum cia402_news cia402_node_timer(struct cia402_node *node, dpl_ns now);

/* Call it before a SYNC: later data belong to this SYNC. */
void cia402_node_expect(struct cia402_node *node);
/* Whether its data belong to the newest SYNCs. */
bool cia402_node_is_fresh(const struct cia402_node *node);

/* Sends both RPDOs: the controlword for the goal, and the target. A lost drive may receive it
 * too. */
void cia402_node_command(struct cia402_node *node, enum dpl_cia402_goal goal, int32_t target,
                         int32_t velocity_offset, int32_t torque_offset);

/* The code of its fault, from the manufacturer or the profile; never 0. */
uint16_t cia402_node_fault(const struct cia402_node *node);

#endif
