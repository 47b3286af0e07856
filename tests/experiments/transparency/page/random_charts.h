/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of a random load: the answer, and its error without the delay. */
#ifndef TRANSPARENCY_RANDOM_CHARTS_H
#define TRANSPARENCY_RANDOM_CHARTS_H

#include <doppel/diag.h>

#include "experiment.h"

/* Writes them into the folder for both models (shape [2]). 0, or a negative errno with reterr. */
int random_charts(const char *folder, const struct experiment_random *random,
                  struct dpl_diag *reterr);

#endif
