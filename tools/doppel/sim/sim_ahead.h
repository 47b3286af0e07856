/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim --ahead: what a world would do if these channels were put. */
#ifndef DOPPEL_CLI_SIM_AHEAD_H
#define DOPPEL_CLI_SIM_AHEAD_H

#include "sim_world.h"

/* Loads the world, runs run_s of it, and looks ahead_s further with the puts (PATH=VALUE or
 * PATH=VALUE@SECONDS): samples of the recorded channels on standard output, what is touched on
 * standard error. Returns the exit code, after printing an error. */
int sim_look_ahead(const struct sim_task *task);

#endif
