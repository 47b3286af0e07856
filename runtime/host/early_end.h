/* SPDX-License-Identifier: Apache-2.0 */
/* What a process says and writes when it ends before its run does: a line on standard error and
 * the results file of a failure. */
#ifndef DOPPEL_RUNTIME_EARLY_END_H
#define DOPPEL_RUNTIME_EARLY_END_H

struct dpl_runtime;
struct dpl__component;

/* Prints "error: NAME in CALLBACK" and then `what`; a component that is NULL: "a component or
 * driver". Signal-safe. */
void dpl__early_end_say(const struct dpl__component *component, const char *what);

/* Prints that a callback of the component did not return; only the first call in a process prints.
 * Signal-safe. */
void dpl__early_end_no_return(const struct dpl__component *component);

/* Writes the same text as the reason of the failure into the results, if the run has a folder for
 * them. Not signal-safe. */
void dpl__early_end_write(const struct dpl_runtime *runtime, const struct dpl__component *component,
                          const char *what);

/* For the stand-in of a control thread that is in a callback of `component` and does not return
 * although the run must end: logs this, writes it into the results, and ends the process. */
void dpl__early_end_leave(struct dpl_runtime *runtime, const struct dpl__component *component)
    __attribute__((noreturn));

#endif
