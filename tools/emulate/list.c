/* SPDX-License-Identifier: Apache-2.0 */
/* The devices that `doppel emulate` can be: one line for each. */
#include "device.h"

extern const struct emulated_device emulated_kobuki, emulated_urg, emulated_firmata,
    emulated_cia402, emulated_imu, emulated_range;

const struct emulated_device *const emulated_devices[] = {
    &emulated_kobuki, &emulated_urg, &emulated_firmata, &emulated_cia402, &emulated_imu,
    &emulated_range,  NULL,
};
