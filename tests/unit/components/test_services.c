/* SPDX-License-Identifier: Apache-2.0 */
/* Method numbers are those of the generated descriptors. */
#include <criterion/criterion.h>

#include <doppel/field.h>
#include <doppel/msg/services.h>

#include "car.pb-c.h"
#include "laser_scanner.pb-c.h"
#include "machine.pb-c.h"
#include "pins.pb-c.h"
#include "wheel_controller.pb-c.h"

static void expect_methods(const ProtobufCServiceDescriptor *service, const char *const *names,
                           size_t n)
{
    cr_assert_eq(service->n_methods, n, "%s has %u methods", service->name, service->n_methods);
    for (size_t i = 0; i < n; i++) {
        cr_assert_not_null(names[i], "number %zu is not in the test", i);
        cr_assert_str_eq(service->methods[i].name, names[i]);
    }
}

Test(services, number_the_methods_of_the_wheel_controller_in_their_order)
{
    static const char *const names[DPL_WHEEL_N_METHODS] = {
        [DPL_WHEEL_SET_PARAMETER] = "SetParameter",
        [DPL_WHEEL_GET_PARAMETER] = "GetParameter",
        [DPL_WHEEL_GET_ERROR] = "GetError",
        [DPL_WHEEL_ENABLE] = "Enable",
        [DPL_WHEEL_DISABLE] = "Disable",
        [DPL_WHEEL_SET_POSITION] = "SetPosition",
        [DPL_WHEEL_GET_POSITION] = "GetPosition",
        [DPL_WHEEL_GET_ODOMETRY] = "GetOdometry",
        [DPL_WHEEL_DRIVE] = "DriveWheel",
        [DPL_WHEEL_MOVE] = "MoveWheel",
        [DPL_WHEEL_ROTATE] = "RotateWheel",
        [DPL_WHEEL_STOP] = "StopWheel",
        [DPL_WHEEL_IS_RUNNING] = "IsWheelRunning",
        [DPL_WHEEL_GET_TRUTH] = "GetTruth",
    };
    expect_methods(&doppel__wheel_controller_service__descriptor, names, DPL_COUNT(names));
}

Test(services, number_the_methods_of_the_laser_scanner_in_their_order)
{
    static const char *const names[DPL_LASER_N_METHODS] = {
        [DPL_LASER_SET_PARAMETER] = "SetParameter",
        [DPL_LASER_GET_PARAMETER] = "GetParameter",
        [DPL_LASER_GET_ERROR] = "GetError",
        [DPL_LASER_ENABLE] = "Enable",
        [DPL_LASER_DISABLE] = "Disable",
        [DPL_LASER_GET_SENSOR_VALUE] = "GetSensorValue",
    };
    expect_methods(&doppel__laser_scanner_service__descriptor, names, DPL_COUNT(names));
}

Test(services, number_the_methods_of_pins_in_their_order)
{
    static const char *const names[DPL_PINS_N_METHODS] = {
        [DPL_PINS_SET_PARAMETER] = "SetParameter",
        [DPL_PINS_GET_PARAMETER] = "GetParameter",
        [DPL_PINS_GET_ERROR] = "GetError",
        [DPL_PINS_FIND] = "FindPin",
        [DPL_PINS_SET_MODE] = "SetMode",
        [DPL_PINS_WRITE_DIGITAL] = "WriteDigital",
        [DPL_PINS_WRITE_ANALOG] = "WriteAnalog",
        [DPL_PINS_WRITE_PWM] = "WritePwm",
        [DPL_PINS_READ_DIGITAL] = "ReadDigital",
        [DPL_PINS_READ_ANALOG] = "ReadAnalog",
        [DPL_PINS_READ_PWM] = "ReadPwm",
        [DPL_PINS_READ_EDGES] = "ReadEdges",
        [DPL_PINS_PING] = "Ping",
        [DPL_PINS_LAST_DRIVEN] = "LastDriven",
    };
    expect_methods(&doppel__pins_service__descriptor, names, DPL_COUNT(names));
}

Test(services, number_the_methods_of_a_track_in_their_order)
{
    static const char *const names[DPL_TRACK_N_METHODS] = {
        [DPL_TRACK_GET] = "GetTrack",
        [DPL_TRACK_PLACE_CAR] = "PlaceCar",
    };
    expect_methods(&doppel__track_service__descriptor, names, DPL_COUNT(names));
}

Test(services, number_the_methods_of_kinematics_in_their_order)
{
    static const char *const names[DPL_KINEMATICS_N_METHODS] = {
        [DPL_KINEMATICS_INVERSE] = "Inverse",
        [DPL_KINEMATICS_FORWARD] = "Forward",
    };
    expect_methods(&doppel__kinematics_service__descriptor, names, DPL_COUNT(names));
}

Test(services, number_the_methods_of_a_machine_in_their_order)
{
    static const char *const names[DPL_MACHINE_N_METHODS] = {
        [DPL_MACHINE_REQUEST] = "Request",
        [DPL_MACHINE_GET_STATUS] = "GetStatus",
    };
    expect_methods(&doppel__machine_service__descriptor, names, DPL_COUNT(names));
}
