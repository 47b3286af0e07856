/* SPDX-License-Identifier: Apache-2.0 */
/* Controls the time of a world that `doppel sim` serves. `doppel world` uses it. */
#ifndef DOPPEL_SIM_LOOP_CLIENT_H
#define DOPPEL_SIM_LOOP_CLIENT_H

#include <doppel/diag.h>
#include <doppel/sim/loop.h>
#include <doppel/sim/modbus_server.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_sim_reply_result {
    DPL_SIM_REPLY_DONE,
    DPL_SIM_REPLY_REFUSED,   /* the text gives the reason; nothing has changed */
    DPL_SIM_REPLY_CANCELLED, /* another command has replaced it */
    DPL_SIM_REPLY_DROPPED,   /* by a reset, a restore, or the end of the world */
};

/* Counters of the controllers in other processes (docs/guides/controllers.md), since the start of
 * the world. */
struct dpl_sim_controllers {
    bool can_join;
    unsigned joined;    /* now */
    uint64_t frames;    /* frames of sensor values that were sent to them */
    uint64_t late;      /* answers that came after the next frame */
    uint64_t missed;    /* frames without an answer */
    uint64_t unsent;    /* frames that could not be sent, because a connection was full */
    uint64_t time_outs; /* controllers that were disconnected, because no answer came */
};

struct dpl_sim_reply {
    enum dpl_sim_reply_result result;
    char world[DPL_SIM_NAME_SIZE];
    char text[512];
    struct dpl_sim_loop_status status; /* when it was answered */
    struct dpl_sim_controllers controllers;
    struct dpl_sim_modbus_stats modbus;
};

/* Sends one command (see doppel/sim/loop.h, or "status") to the world at "tcp://HOST:PORT" and
 * waits for its answer. step, for and until answer when they end. `most`: limit of the wait in real
 * time (0: no limit). 0 with the reply; -EINVAL: the address is not valid, or a text is too long;
 * -ETIMEDOUT: no answer, or not within `most`; -EPROTO: the server uses another protocol; all with
 * reterr. Blocks; allocates. */
int dpl_sim_loop_say(const char *address, const char *command, dpl_ns most,
                     struct dpl_sim_reply *ret_reply, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
