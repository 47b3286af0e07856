/* SPDX-License-Identifier: Apache-2.0 */
/* Ports of the tests of the core. */
#ifndef TEST_RUNTIME_RIG_PORTS_H
#define TEST_RUNTIME_RIG_PORTS_H

#include <doppel/component.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/wheel_controller.h>

/* `...`: the direction, and more of the description. */
#define RIG_POSES(name_, ...)                                                                      \
    {                                                                                              \
        .name = name_, .kind = DPL_PORT_DATA, .message = &doppel__pose2__descriptor,               \
        .dir = __VA_ARGS__                                                                         \
    }

/* Calls the service of a wheel controller. */
#define RIG_REQUIRES                                                                               \
    {                                                                                              \
        .name = "base", .kind = DPL_PORT_SERVICE, .dir = DPL_PORT_IN,                              \
        .service = &doppel__wheel_controller_service__descriptor                                   \
    }

/* Answers such calls. */
#define RIG_PROVIDES(methods_)                                                                     \
    {                                                                                              \
        .name = "wheels", .kind = DPL_PORT_SERVICE, .dir = DPL_PORT_OUT,                           \
        .service = &doppel__wheel_controller_service__descriptor, .methods = methods_              \
    }

#endif
