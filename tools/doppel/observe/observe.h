/* SPDX-License-Identifier: Apache-2.0 */
/* --record and --view of commands that run something. */
#ifndef DOPPEL_CLI_OBSERVE_H
#define DOPPEL_CLI_OBSERVE_H

#include <doppel/host/observe.h>

#define OBSERVE_NO_PORT DPL_OBSERVE_NO_PORT

/* What the command line wants. */
struct observe_wanted {
    const char *command; /* "run", for messages */
    struct dpl_observe_wanted self;
};

/* Whether a command that leaves results in `out` (NULL: none) may record into this file; says why
 * not. */
bool observe_may_record(const char *command, const char *record, const char *out);

/* dpl_observe_open and dpl_observe_tell, which print what is wrong. */
int observe_open(const struct observe_wanted *wanted, struct dpl_runtime_options *options,
                 struct dpl_observe **ret_observe);
void observe_tell(const struct observe_wanted *wanted, struct dpl_observe *observe,
                  const struct dpl_runtime *runtime, const struct dpl_app *app);

#endif
