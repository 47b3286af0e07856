/* SPDX-License-Identifier: Apache-2.0 */
/* The table of services of a run: those of components (component_service.c), and those that steer
 * the run itself (run_service.c). All on the observer's thread, once that runs. */
#ifndef DOPPEL_OBSERVE_SERVICES_H
#define DOPPEL_OBSERVE_SERVICES_H

#include "arena.h"
#include "by_hand.h"
#include "errand.h"

struct dpl_runtime;
struct dpl_world_time;
struct dpl__hands;
struct dpl__service;
struct dpl__services;

/* Does what was asked for; the answer comes now, or from dpl__errands_turn. */
typedef void (*dpl__service_call_fn)(struct dpl__services *services,
                                     const struct dpl__service *service, struct dpl__asker asker,
                                     const struct dpl_asked *asked);

struct dpl__service {
    struct dpl_service_desc self; /* must be first */
    dpl__service_call_fn call;
    const void *source; /* the call's */
    unsigned method;    /* the call's */
    bool is_for_all;    /* also while another one has the control */
};

/* Zero-initialise but for the runtime. */
struct dpl__services {
    struct dpl_runtime *runtime;
    bool has_hardware; /* something of the run moves outside of worlds */
    struct dpl_arena arena;
    struct dpl__errands errands;
    struct dpl__mailbox own; /* served by the observer's thread as soon as something is in it */
    struct dpl__by_hand by_hand;
    struct dpl__hands *hands; /* NULL: no world takes what those outside put */
    struct dpl__service **items;
    size_t n, capacity;
    char controller[64];  /* who has taken the control; "": nobody, so that each may act */
    char refused[64];     /* who was refused last, */
    dpl_ns refused_at;    /* and when that was told the log; CLOCK_MONOTONIC */
    const char *put_last; /* the input that hands hold for a time, told the log last, */
    dpl_ns put_at;        /* and when */
};

/* Whether he may ask for that while another one has the control: 0, or -EBUSY with reterr. Tells
 * the log of it, and of a role that is not enough: of one asker once a second. */
int dpl__services_admit(struct dpl__services *services, const struct dpl_asked *asked,
                        struct dpl_diag *reterr);
/* He has no more control. */
void dpl__services_leave(struct dpl__services *services, const char *who);

/* Copies it but for its texts and schemas, and gives it an id. One whose name is taken is left
 * out. */
void dpl__services_add(struct dpl__services *services, const struct dpl__service *described);
/* "there is no service" is the answer when there is none. */
void dpl__services_call(struct dpl__services *services, struct dpl__asker asker,
                        const struct dpl_asked *asked);
void dpl__services_finish(struct dpl__services *services);

/* "/<Component>/<service port>/<Method>": 0 or -errno with reterr. */
int dpl__component_services_add(struct dpl__services *services, struct dpl_diag *reterr);
/* "/run/...", "/component/...": 0, or -ENOMEM with reterr. */
int dpl__run_services_add(struct dpl__services *services, struct dpl_diag *reterr);
/* "/world/put", if there are hands. */
void dpl__world_services_add(struct dpl__services *services);

/* Why the time of the run cannot be steered; NULL: it can. */
const char *dpl__run_why_no_pause(const struct dpl_runtime *runtime);
/* Whether that is the time of a world, which has it then. */
bool dpl__run_has_world_time(const struct dpl_runtime *runtime, struct dpl_world_time *ret_time);

#endif
