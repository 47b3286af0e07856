/* SPDX-License-Identifier: Apache-2.0 */
/* Reasons why a servo stopped its axes, as values of AxisState.fault. They are above the 16 bits of
 * a drive's own fault code. */
#ifndef MOTION_FAULTS_SERVO_FAULTS_H
#define MOTION_FAULTS_SERVO_FAULTS_H

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_servo_fault {
    DPL_SERVO_FAULT_NONE = 0,
    DPL_SERVO_FAULT_FOLLOWING = 0x10001, /* an axis was too far from its reference */
    DPL_SERVO_FAULT_JUMP = 0x10002,      /* a reference that no axis can follow was refused */
    DPL_SERVO_FAULT_MISSING = 0x10003,   /* references stopped while moving */
    DPL_SERVO_FAULT_SILENCE = 0x10004,   /* commands stopped */
    DPL_SERVO_FAULT_HALT = 0x10005,      /* a device was lost, and the path did not come to rest */
};

/* The code of drives with CiA 402 for the same fault as DPL_SERVO_FAULT_FOLLOWING. */
#define DPL_DRIVE_FAULT_FOLLOWING 0x8611u

#ifdef __cplusplus
}
#endif

#endif
