/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of the force filter's design: its phase, and the effect of the cut-off. */
#ifndef TRANSPARENCY_FILTER_CHARTS_H
#define TRANSPARENCY_FILTER_CHARTS_H

#include <doppel/diag.h>

/* Writes them into the folder. 0, or a negative errno with reterr. */
int filter_charts(const char *folder, struct dpl_diag *reterr);

#endif
