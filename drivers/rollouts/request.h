/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of rollouts that make sense, for all drivers of the class. */
#ifndef DRIVERS_ROLLOUTS_REQUEST_H
#define DRIVERS_ROLLOUTS_REQUEST_H

#include <doppel/drv/rollouts.h>

/* What the table of the class cannot check: 0 or -EINVAL. */
int rollouts_check(const struct dpl_rollouts_request *request);

#endif
