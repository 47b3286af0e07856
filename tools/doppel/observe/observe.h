/* SPDX-License-Identifier: Apache-2.0 */
/* --record and --view of commands that run something. */
#ifndef DOPPEL_CLI_OBSERVE_H
#define DOPPEL_CLI_OBSERVE_H

#include <doppel/host/gateway.h>
#include <doppel/host/observe.h>

struct record_plan;

#define OBSERVE_NO_PORT DPL_OBSERVE_NO_PORT

/* What the command line wants. */
struct observe_wanted {
    const char *command; /* "run", for messages */
    struct dpl_observe_wanted self;
    const struct record_plan *plan; /* of recordings; NULL: one file */
};

/* Whether a command that leaves results in `out` (NULL: none) may record into this file; says why
 * not. */
bool observe_may_record(const char *command, const char *record, const char *out);

/* dpl_observe_open, dpl_observe_tell and dpl_observe_announce, which print what is wrong. Telling
 * fails when a topic of a trigger is not there. */
int observe_open(const struct observe_wanted *wanted, struct dpl_runtime_options *options,
                 struct dpl_observe **ret_observe);
int observe_tell(const struct observe_wanted *wanted, struct dpl_observe *observe,
                 const struct dpl_runtime *runtime, const struct dpl_app *app);
void observe_announce(const struct observe_wanted *wanted, struct dpl_observe *observe,
                      const char *name, const struct dpl_gateway_place *place);

#endif
