/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOPPEL_SIM_NAMES_H
#define DOPPEL_SIM_NAMES_H

#include <doppel/diag.h>

/* The characters of a name: names are parts of the paths of channels, which stand in tables and on
 * command lines. `what` has the name. */
int dpl__check_name(const char *name, const char *what, struct dpl_diag *reterr);

#endif
