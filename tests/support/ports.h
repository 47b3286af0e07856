/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of ports in a line. `...`: the message or service, and more of the description. */
#ifndef DPL_TESTS_PORTS_H
#define DPL_TESTS_PORTS_H

#include <doppel/component.h>

#define PORT_DATA(name_, dir_, ...)                                                                \
    {                                                                                              \
        .name = name_, .kind = DPL_PORT_DATA, .dir = DPL_PORT_##dir_, .message = __VA_ARGS__       \
    }

#define PORT_SERVICE(name_, dir_, ...)                                                             \
    {                                                                                              \
        .name = name_, .kind = DPL_PORT_SERVICE, .dir = DPL_PORT_##dir_, .service = __VA_ARGS__    \
    }

#endif
