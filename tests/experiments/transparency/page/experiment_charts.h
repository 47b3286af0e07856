/* SPDX-License-Identifier: Apache-2.0 */
/* The charts of the experiment, like the paper's figures, as SVG files. */
#ifndef TRANSPARENCY_EXPERIMENT_CHARTS_H
#define TRANSPARENCY_EXPERIMENT_CHARTS_H

#include "experiment.h"

/* Writes all charts into the folder. 0 or a negative errno with reterr, which refers to
 * `folder`. */
int experiment_charts(const char *folder, const struct experiments *experiments,
                      struct dpl_diag *reterr);

#endif
