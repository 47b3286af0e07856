/* SPDX-License-Identifier: Apache-2.0 */
/* Method numbers of the shipped services, for dpl_service_call and provider tables. A test compares
 * them with the generated descriptors. GetParameter writes into the response's `value`: point it to
 * DPL_PARAMETER_VALUE_SIZE bytes (-EINVAL otherwise; -ENOSPC: the value is longer). */
#ifndef DOPPEL_MSG_SERVICES_H
#define DOPPEL_MSG_SERVICES_H

#define DPL_PARAMETER_VALUE_SIZE 64

enum dpl_wheel_service {
    DPL_WHEEL_SET_PARAMETER,
    DPL_WHEEL_GET_PARAMETER,
    DPL_WHEEL_GET_ERROR,
    DPL_WHEEL_ENABLE,
    DPL_WHEEL_DISABLE,
    DPL_WHEEL_SET_POSITION,
    DPL_WHEEL_GET_POSITION,
    DPL_WHEEL_GET_ODOMETRY,
    DPL_WHEEL_DRIVE,
    DPL_WHEEL_MOVE,
    DPL_WHEEL_ROTATE,
    DPL_WHEEL_STOP,
    DPL_WHEEL_IS_RUNNING,
    DPL_WHEEL_GET_TRUTH,
    DPL_WHEEL_N_METHODS,
};

enum dpl_laser_service {
    DPL_LASER_SET_PARAMETER,
    DPL_LASER_GET_PARAMETER,
    DPL_LASER_GET_ERROR,
    DPL_LASER_ENABLE,
    DPL_LASER_DISABLE,
    DPL_LASER_GET_SENSOR_VALUE,
    DPL_LASER_N_METHODS,
};

enum dpl_pins_service {
    DPL_PINS_SET_PARAMETER,
    DPL_PINS_GET_PARAMETER,
    DPL_PINS_GET_ERROR,
    DPL_PINS_FIND,
    DPL_PINS_SET_MODE,
    DPL_PINS_WRITE_DIGITAL,
    DPL_PINS_WRITE_ANALOG,
    DPL_PINS_WRITE_PWM,
    DPL_PINS_READ_DIGITAL,
    DPL_PINS_READ_ANALOG,
    DPL_PINS_READ_PWM,
    DPL_PINS_READ_EDGES,
    DPL_PINS_PING,
    DPL_PINS_LAST_DRIVEN,
    DPL_PINS_N_METHODS,
};

enum dpl_track_service {
    DPL_TRACK_GET,
    DPL_TRACK_PLACE_CAR,
    DPL_TRACK_N_METHODS,
};

enum dpl_kinematics_service {
    DPL_KINEMATICS_INVERSE,
    DPL_KINEMATICS_FORWARD,
    DPL_KINEMATICS_N_METHODS,
};

enum dpl_machine_service {
    DPL_MACHINE_REQUEST,
    DPL_MACHINE_GET_STATUS,
    DPL_MACHINE_N_METHODS,
};

#endif
