/* SPDX-License-Identifier: Apache-2.0 */
/* Device class operator_input: the commands of a person with a keyboard or gamepad for a mobile
 * base (docs/design/devices.md). One thread at a time makes the calls (the runtime ensures it);
 * each returns at once and does not allocate, lock or make a system call; 0, or -ENODEV while the
 * device is lost. */
#ifndef DOPPEL_DRV_OPERATOR_INPUT_H
#define DOPPEL_DRV_OPERATOR_INPUT_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <doppel/device.h>
#include <doppel/time.h>

#define DPL_OPERATOR_INPUT_CLASS "operator_input"

extern const struct dpl_device_class dpl_operator_input_class;

struct dpl_operator_sample {
    /* The dead-man's switch: a button is pressed, or a key came within the driver's time-out. While
     * it is false, forward and turn are 0. */
    bool held;
    double forward; /* share of the largest speed, -1 to 1; backwards is negative */
    double turn;    /* share of the largest turn rate, -1 to 1; left is positive */
    double share;   /* of the largest speeds that the operator has chosen, above 0 to 1 */
    dpl_ns stamp;   /* of the newest event, on the run's clock; 0: none yet */
};

enum dpl_operator_input_call {
    /* Once per cycle, before read: the driver compares the cycle's time with its time-outs. */
    DPL_DRV_OPERATOR_INPUT_EXECUTE,
    DPL_DRV_OPERATOR_INPUT_READ,
    DPL_DRV_OPERATOR_INPUT_N_CALLS,
};

static inline int dpl_operator_input_execute(struct dpl_device *d, const struct dpl_tick *tick)
{
    return dpl_device_call(d, DPL_DRV_OPERATOR_INPUT_EXECUTE, tick, NULL);
}

static inline int dpl_operator_input_read(struct dpl_device *d, struct dpl_operator_sample *ret)
{
    return dpl_device_call(d, DPL_DRV_OPERATOR_INPUT_READ, NULL, ret);
}

#endif
