/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that several sub-commands share. */
#ifndef DOPPEL_CLI_COMMON_H
#define DOPPEL_CLI_COMMON_H

#include <doppel/host/app.h>
#include <doppel/host/catalog.h>
#include <doppel/host/runtime.h>

#include "options.h"

/* In the environment of a program that ends with the process of that number. */
#define CLI_STARTER "DOPPEL_STARTED_BY"

/* The catalogue with the default search paths; NULL after printing the reason. */
struct dpl_catalog *cli_open_catalog(const char *command);

/* Prints all of them, sorted, to stderr. */
void cli_print_diags(struct dpl_diags *diags);

#define CLI_HINT_BYTES 256

/* For an error about a profile that is not there: ", did you mean 'NAME'?", or, if another kind has
 * the name, "; 'NAME' is a world"; "": neither. `kind` as for cli_find. */
void cli_hint(struct dpl_catalog *catalog, const char *kind, const char *name,
              char ret_hint[CLI_HINT_BYTES]);

/* The file of an application ("apps": also a bench), a world, or any kind (NULL) that is named on
 * the command line: as given, or a name on the profile path. NULL with reterr, with suggestions, if
 * there is none. */
const char *cli_find(struct dpl_catalog *catalog, const char *kind, const char *name,
                     struct dpl_diag *reterr);

/* Loads the application that is named on the command line, as dpl_app_load; -ENOENT: there is
 * none. */
int cli_load_app(struct dpl_catalog *catalog, const char *kind, const char *name,
                 const struct dpl_app_options *options, struct dpl_app **ret_app,
                 struct dpl_diags *diags);

/* The index of `text` in `choices`; -1 after printing "doppel WHAT: found ..., expected ...". */
int cli_choose(const char *what, const char *text, const char *const *choices, size_t n);

/* The policy of `--policy` (`what` as for cli_choose); NULL: DPL_POLICY_OTHER. 0, or -1 after the
 * error. */
int cli_policy(const char *what, const char *text, enum dpl_policy *ret_policy);
#define CLI_POLICIES "other|fifo|rr"

/* For a program that runs wait for. Before its first thread is started: all have the policy. */
void cli_enter_real_time(const char *command, enum dpl_policy policy);
/* When it has what it needs; DPL_POLICY_OTHER: nothing. Both print what is refused, and go on. */
void cli_lock_memory(const char *command, enum dpl_policy policy);

/* The command line, for records of runs: keep_command copies the list, not the words, before the
 * options are parsed, which changes the order of the operands. */
void cli_keep_command(int argc, char **argv);
struct dpl_program cli_program(void);

/* Like mkdir -p: 0, or -1 after printing "doppel WHAT PATH: reason". */
int cli_make_dir(const char *what, const char *path);

/* Takes a folder of results for this process, until it ends: also after a crash it is free again.
 * 0; -1 after printing "doppel WHAT PATH: ...": another process has it. On a file system without
 * locks: 0. Once for each folder in a process. */
int cli_lock_dir(const char *what, const char *path);

/* The exit code of a run that dpl_runtime_create has refused with this error. */
enum dpl_exit cli_code_without_run(int err);
/* The exit code of a command that could not write its output, or not read its input: a full disk is
 * a fault, anything else bad input. */
enum dpl_exit cli_code_of_output(int err);

/* From now on SIGINT, SIGTERM and SIGHUP call the handler; `once`: the second signal ends the
 * process. */
void cli_catch_requests(void (*handler)(int), bool once);

/* From now on these signals end this runtime in the normal order (NULL: before the first run they
 * end the process, after a run they have no effect). */
void cli_stop_on_signals(struct dpl_runtime *runtime);

/* Whether one of these signals has ended a runtime. */
bool cli_was_stopped(void);

#endif
