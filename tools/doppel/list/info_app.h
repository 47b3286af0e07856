/* SPDX-License-Identifier: Apache-2.0 */
/* What an application is made of, and the bindings with which it runs: doppel info. */
#ifndef DOPPEL_CLI_INFO_APP_H
#define DOPPEL_CLI_INFO_APP_H

#include <doppel/host/catalog.h>

/* Prints it: its components with their classes and drivers, and the bindings under which nothing is
 * missing. Returns the exit code. */
int info_app_print(struct dpl_catalog *catalog, const char *file);

#endif
