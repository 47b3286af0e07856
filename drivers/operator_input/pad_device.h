/* SPDX-License-Identifier: Apache-2.0 */
/* What libevdev says of gamepads and joysticks: names of axes and buttons, ranges, present values,
 * which device is one. */
#ifndef OPERATOR_INPUT_PAD_DEVICE_H
#define OPERATOR_INPUT_PAD_DEVICE_H

#include <stddef.h>

#include "pad_events.h"

/* The codes of names such as "ABS_X" and "BTN_TL"; -1: there is no such name. */
int pad_axis_code(const char *name);
int pad_button_code(const char *name);

/* Reads range and value of both axes from the device `path`. 0; -ENOTTY: it is no input device
 * (e.g. a pty that sends events), nothing is changed; -ENXIO: it lacks an axis or the button, whose
 * name is then in ret_missing; another negative errno: it cannot be opened. Blocks for a short
 * time. */
int pad_device_read(struct pad *pad, const char *path, const char **ret_missing);

/* The first of /dev/input/event* that is a gamepad or joystick: 0, or -ENODEV. Blocks for a short
 * time. */
int pad_device_find(char *ret_path, size_t size);

#endif
