/* SPDX-License-Identifier: Apache-2.0 */
/* A gate lets others work with a running world: controllers, Modbus masters. Each is a const table;
 * a plugin (doppel/part.h, gate-NAME.so) brings another. `doppel sim --gate NAME` opens one. */
#ifndef DOPPEL_SIM_GATE_H
#define DOPPEL_SIM_GATE_H

#include <doppel/sim/channels.h>
#include <doppel/sim/settings.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_arena;
struct dpl_catalog;
struct hosted_world;

/* The world that a gate opens to; all of it is valid until the gate is closed. */
struct dpl_gate_site {
    struct dpl_world *world;
    struct dpl_world_channels *channels;
    const void *settings;                         /* the struct that the gate's settings describe */
    const char *host;                             /* address to listen at; NULL: 127.0.0.1 */
    void (*notice)(void *user, const char *text); /* on any thread; NULL: none */
    void *notice_user;
    /* Whether the gate may command a channel that has one owner; after true, `unclaim` gives it
     * back. Any thread, do not block. */
    bool (*claim)(void *user, size_t channel);
    void (*unclaim)(void *user, size_t channel);
    void *claim_user;
    struct hosted_world *owner; /* of gates in the library */
};

struct dpl_gate {
    const char *name;
    const char *clients; /* who connects, for people: "modbus masters"; NULL: the name says it */
    const char *summary;
    struct dpl_sim_settings settings; /* NAME:SETTING=VALUE,... */
    /* Opens the gate of a world that does not move yet. 0 with *ret_gate, or -errno with reterr. */
    int (*open)(const struct dpl_gate_site *site, void **ret_gate, struct dpl_diag *reterr);
    /* ---- on the thread that owns the world; must not block or allocate; NULL: not needed ---- */
    void (*boundary)(void *gate); /* the end of each boundary, also while the world waits */
    void (*jumped)(void *gate);   /* after a reset or a restore */
    bool (*holds)(void *gate);    /* whether time must wait */
    /* Ends all waits, now and later. Any thread; safe in a signal handler. NULL: there are none. */
    void (*stop)(void *gate);
    uint16_t (*port)(const void *gate); /* TCP port that it listens at; NULL: none */
    void (*close)(void *gate);          /* the world does not move any more */
};

/* The gates of the library and the plugins of the catalogue (NULL: none), by name; ends with NULL.
 * In the arena. `diags` (NULL: not wanted) has the plugins that cannot be used. */
const struct dpl_gate *const *dpl_sim_gates(struct dpl_arena *arena, struct dpl_catalog *catalog,
                                            struct dpl_diags *diags);

#ifdef __cplusplus
}
#endif

#endif
