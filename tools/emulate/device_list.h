/* SPDX-License-Identifier: Apache-2.0 */
/* The list of emulated devices as the command line needs it: their names and their own options. */
#ifndef EMULATE_DEVICE_LIST_H
#define EMULATE_DEVICE_LIST_H

#include "device.h"

/* For struct command: the options of device `i`; NULL: there is none. */
const struct option_set *devices_set(size_t i);

/* The values of the devices' own options, at their defaults, by the number of the device. NULL: out
 * of memory. To be freed with devices_destroy_values; NULL is allowed there. */
void **devices_create_values(void);
void devices_destroy_values(void **values);

/* The number of the device with this name; -1: none, which is said on standard error. */
int devices_find(const char *name);

/* Whether an option of a device other than `device` was given, which is said on standard error. */
bool devices_refuse_foreign(int device, void *const *values);

#endif
