/* SPDX-License-Identifier: Apache-2.0 */
/* The effect of the model's hold on its frequency response. */
#ifndef TRANSPARENCY_MODEL_HOLDS_H
#define TRANSPARENCY_MODEL_HOLDS_H

#include "acceptance.h"
#include "discretize.h"

/* Rows on gain error, delay and phase residual over 0 to 7 Hz. Returns 0 or a negative errno. */
int a3_hold(double natural_hz, enum dpl_hold hold);

#endif
