/* SPDX-License-Identifier: Apache-2.0 */
/* --view and --record of `doppel sim`: the world is that of a run without components. */
#ifndef DOPPEL_CLI_SIM_OBSERVED_H
#define DOPPEL_CLI_SIM_OBSERVED_H

#include <doppel/host/runtime.h>

#include "observe.h"
#include "options.h"

/* Whether one of the patterns of --record is a file: FILE.mcap; ret_wanted has it. */
bool sim_is_observed(const struct option_list *record, struct observe_wanted *inout_wanted);

/* Runs until the host's world ends, or until it is asked to stop. Returns the exit code, after
 * printing an error; of a fault of the world, too. */
int sim_run_observed(const struct dpl_app *app, const struct observe_wanted *wanted,
                     struct dpl_runtime_options *options);

#endif
