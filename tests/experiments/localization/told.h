/* SPDX-License-Identifier: Apache-2.0 */
/* What the Localizer says of its own error. */
#ifndef LOCALIZATION_TOLD_H
#define LOCALIZATION_TOLD_H

#include "localizer.h"

/* Normalized squared error of the pose, three degrees of freedom; y: error in m, m, rad. */
double told_nees(const struct localizer_estimate *e, const double y[3]);

/* Square of the half width of the interval of 95 % in m^2, as the Synchronizer makes it
 * (docs/design/synchronizer.md): in the direction that is known worst. */
double told_half2(const struct localizer_estimate *e);

#endif
