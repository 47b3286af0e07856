/* SPDX-License-Identifier: Apache-2.0 */
/* Devices that are not there when a run opens them: options.device_wait. */
#ifndef DOPPEL_RUNTIME_ABSENT_H
#define DOPPEL_RUNTIME_ABSENT_H

#include <stdbool.h>

#include <doppel/diag.h>

struct dpl_runtime;

/* Whether an error of opening means that the device is not there, does not answer, or belongs to
 * another program or user: all this may change without a change of the profile. */
bool dpl__is_absent(int err);

/* The result of a run that does without such a device: -ENODEV; reterr has the reason and stays. If
 * a stop was requested while it waited: -ECANCELED with reterr. */
int dpl__absence(const struct dpl_runtime *runtime, struct dpl_diag *reterr);

#endif
