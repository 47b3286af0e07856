/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a loaded application with its worlds, a progress line and a folder of results. */
#ifndef DOPPEL_CLI_RUN_APP_H
#define DOPPEL_CLI_RUN_APP_H

#include <doppel/host/app.h>
#include <doppel/host/runtime.h>

/* Makes the folder and removes the results of an earlier run (NULL: nothing). false after printing
 * the reason, which begins with "doppel WHAT". */
bool cli_prepare_results(const char *what, const char *out_dir);

struct observe_wanted;

/* Runs it until its end or a signal; the worlds are of options->seed. `wanted` NULL: nobody
 * observes. Returns the exit code, after printing an error. After DPL_EXIT_FAULT a blocked callback
 * may still run in a plugin: unload nothing. */
int cli_run_app(struct dpl_catalog *catalog, const struct dpl_app *app,
                struct dpl_runtime_options *options, const struct observe_wanted *wanted,
                bool quiet);

/* Writes into the folder of results (NULL: nothing) that there are none, with the first error. */
void cli_never_ran(const char *out_dir, const char *application, const struct dpl_diags *diags);

#endif
