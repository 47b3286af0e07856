/* SPDX-License-Identifier: Apache-2.0 */
/* Viewers and recordings of a run (--view, --record, --ros2), for programs that run applications or
 * worlds of their own. In one call: dpl_observe_run. All calls on one thread; they allocate and
 * block. */
#ifndef DOPPEL_HOST_OBSERVE_H
#define DOPPEL_HOST_OBSERVE_H

#include <stdbool.h>
#include <stdio.h>

#include <doppel/host/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_OBSERVE_NO_PORT (-1)
/* What a run with viewers and a folder of results keeps in memory for who asks for it. */
#define DPL_OBSERVE_KEPT_S  60.0

struct dpl_observe_wanted {
    const char *record; /* MCAP file; NULL: none */
    int view;           /* port on this machine; 0: a free one; DPL_OBSERVE_NO_PORT: no viewers */
    bool allow_control; /* of a run on the real clock */
    FILE *tell;         /* where viewers' addresses are printed; NULL: nowhere */
    bool ros2;          /* the run is a node of ROS 2, which others may command if allow_control */
};

/* Creates the run with what is wanted, runs it to its end and destroys it. An application without
 * components is one of worlds alone (`world` of the options), or of a program that moves the time
 * itself (`drive`): its name is enough. The options have neither gateways nor converters. The exit
 * code, with reterr if it is not DPL_EXIT_DONE. */
enum dpl_exit dpl_observe_run(const struct dpl_app *app, const struct dpl_runtime_options *options,
                              const struct dpl_observe_wanted *wanted, struct dpl_diag *reterr);

/* ---- the same in steps: open, dpl_runtime_create, tell, dpl_runtime_run, close ---- */

struct dpl_observe;

/* Loads what is wanted and sets it in the options; *ret_observe is NULL when nothing is wanted. 0;
 * -errno with reterr: it is not installed, or an option is wrong; -ENOMEM. */
int dpl_observe_open(const struct dpl_observe_wanted *wanted,
                     struct dpl_runtime_options *inout_options, struct dpl_observe **ret_observe,
                     struct dpl_diag *reterr);
/* Of a run that was created: prints where viewers find it, and leaves a note for `doppel ps`. 0; or
 * -errno with reterr: there is no note, and all else goes on. NULL: nothing. */
int dpl_observe_tell(struct dpl_observe *observe, const struct dpl_runtime *runtime,
                     const struct dpl_app *app, struct dpl_diag *reterr);
/* The same where something else than a run is shown under `name`. */
int dpl_observe_announce(struct dpl_observe *observe, const char *name, int port, const char *token,
                         struct dpl_diag *reterr);
/* After dpl_runtime_destroy. NULL: nothing. */
void dpl_observe_close(struct dpl_observe *observe);

#ifdef __cplusplus
}
#endif

#endif
