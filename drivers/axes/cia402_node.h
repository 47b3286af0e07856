/* SPDX-License-Identifier: Apache-2.0 */
/* One drive on the bus as its master sees it: reset, boot-up, set-up by SDO, start, then the watch
 * over its life and what its process data say. Frames and times come as arguments, what it wants
 * sent goes to `send`. Pure; run on the control thread. */
#ifndef AXES_CIA402_NODE_H
#define AXES_CIA402_NODE_H

#include "cia402_plan.h"
#include "protocol/canopen_sdo.h"

enum cia402_phase {
    CIA402_AWAY,     /* not tried yet, or lost: waits for the next attempt */
    CIA402_BOOTING,  /* was reset, has not said that it is up */
    CIA402_SETTING,  /* SDO by SDO */
    CIA402_STARTING, /* was started, has not sent process data */
    CIA402_AT_WORK,
};

/* What has become of a node in a call. */
enum cia402_news {
    CIA402_NO_NEWS,
    CIA402_IS_READY, /* it is at work now */
    CIA402_IS_LOST,  /* it was at work; see `problem` */
    CIA402_FAILED,   /* an attempt to start it has failed; see `problem` */
    CIA402_EMCY,     /* it has said why something is wrong, or no longer is; see `error` */
};

/* What a drive says that it is; 0 and "" where it says nothing. */
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
    unsigned unanswered[2];          /* SYNCs in a row without its first, its second TPDO */
    char problem[160];
    struct cia402_identity identity; /* since it is at work */
    /* private */
    struct dpl_canopen_reader reader;
    uint16_t controlword; /* said last */
    size_t step;
    unsigned tries;
    dpl_ns since, asked_at, heard_at, retry_at, delay;
};

void cia402_node_init(struct cia402_node *node, uint8_t id, const struct cia402_settings *settings,
                      const struct cia402_plan *plan);

/* The bus is there: begins to start the node at once. */
void cia402_node_begin(struct cia402_node *node, dpl_ns now);
/* The bus is gone. */
void cia402_node_forget(struct cia402_node *node);

/* A frame of this node. */
enum cia402_news cia402_node_hear(struct cia402_node *node, const struct dpl_can_frame *frame,
                                  struct dpl_canopen_cob cob, dpl_ns now);
/* The master was late by this: so long nobody listened, which is no silence of the drive's. */
void cia402_node_excuse(struct cia402_node *node, dpl_ns late, dpl_ns now);
/* Every few ms: timeouts, repetitions, the next attempt. */
enum cia402_news cia402_node_timer(struct cia402_node *node, dpl_ns now);

/* Before a SYNC: what comes from now on is of that one. */
void cia402_node_expect(struct cia402_node *node);
/* Whether what is known of it is of the newest SYNCs. */
bool cia402_node_is_fresh(const struct cia402_node *node);

/* Both RPDOs: the word that leads to the goal, and the target. It may be lost: what it hears. */
void cia402_node_command(struct cia402_node *node, enum dpl_cia402_goal goal, int32_t target,
                         int32_t velocity_offset, int32_t torque_offset);

/* What its maker's or the profile's code of its fault is; never 0. */
uint16_t cia402_node_fault(const struct cia402_node *node);

#endif
