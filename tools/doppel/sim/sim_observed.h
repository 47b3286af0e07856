/* SPDX-License-Identifier: Apache-2.0 */
/* --view and --record of `doppel sim`: the world is that of a run without components. */
#ifndef DOPPEL_CLI_SIM_OBSERVED_H
#define DOPPEL_CLI_SIM_OBSERVED_H

#include <doppel/host/runtime.h>

#include "observe.h"
#include "options.h"
#include "sim_world.h"

/* Whether the world is observed. A pattern of --record that is a file, FILE.mcap, is taken out of
 * the list. */
bool sim_is_observed(struct option_list *inout_record, struct observe_wanted *inout_wanted);

/* Runs until the host's world ends, or until it is asked to stop; with `drive`, until that returns.
 * The exit code, with reterr if it is not DPL_EXIT_DONE. */
int sim_run_observed(const struct sim_task *task, const char *world,
                     struct dpl_runtime_options *options, struct dpl_diag *reterr);

#endif
