/* SPDX-License-Identifier: Apache-2.0 */
/* Loading a library whose constructors may end the process: exit(0) in one would look like a
 * command that succeeded. */
#ifndef DPL_BASE_LOADING_H
#define DPL_BASE_LOADING_H

/* dlopen with all symbols at once, for nobody else. If a constructor ends the process, standard
 * error names the file, and the process ends with DPL_EXIT_BAD_INPUT. One thread at a time. */
void *dpl__loading_open(const char *path);

/* The process is ending: does not return if a library is being loaded. A program that defines _exit
 * calls it there (dpl_runtime_leaves); exit comes here by itself. */
void dpl__loading_leaves(void);

#endif
