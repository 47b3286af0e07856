/* SPDX-License-Identifier: Apache-2.0 */
/* Controls the time of a world that `doppel sim` serves: what `doppel world` is. */
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
    DPL_SIM_REPLY_REFUSED,   /* the text says why; nothing has changed */
    DPL_SIM_REPLY_CANCELLED, /* another command has taken its place */
    DPL_SIM_REPLY_DROPPED,   /* by a reset, a restore, or the end of the world */
};

/* What controllers outside of the world do (docs/controllers.md), since it began. */
struct dpl_sim_controllers {
    bool can_join;
    unsigned joined;    /* now */
    uint64_t frames;    /* of sensors, that they were sent */
    uint64_t late;      /* answers that came after the next frame */
    uint64_t missed;    /* frames without an answer */
    uint64_t unsent;    /* frames that they had no room for */
    uint64_t time_outs; /* controllers that were given up, because no answer came */
};

struct dpl_sim_reply {
    enum dpl_sim_reply_result result;
    char world[DPL_SIM_NAME_SIZE];
    char text[512];
    struct dpl_sim_loop_status status; /* when it was answered */
    struct dpl_sim_controllers controllers;
    struct dpl_sim_modbus_stats modbus;
};

/* Says one command (doppel/sim/loop.h, or "status") to the world at "tcp://HOST:PORT" and waits for
 * its answer: of step, for and until as long as they take, but at most `most` of real time (0: no
 * limit). 0 with the reply; -EINVAL: not an address, or too long; -ETIMEDOUT: nobody answers, or
 * not within `most`; -EPROTO: it speaks another protocol; all with reterr. Blocks; allocates. */
int dpl_sim_loop_say(const char *address, const char *command, dpl_ns most,
                     struct dpl_sim_reply *ret_reply, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
