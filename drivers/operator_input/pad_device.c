/* SPDX-License-Identifier: Apache-2.0 */
#include "pad_device.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <libevdev/libevdev.h>
#include <stdio.h>
#include <unistd.h>

int pad_axis_code(const char *name)
{
    return libevdev_event_code_from_name(EV_ABS, name);
}

int pad_button_code(const char *name)
{
    return libevdev_event_code_from_name(EV_KEY, name);
}

static int open_device(const char *path, struct libevdev **ret_device)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return -errno;
    }
    int err = libevdev_new_from_fd(fd, ret_device);
    if (err < 0) {
        close(fd);
        return err;
    }
    return 0;
}

static void close_device(struct libevdev *device)
{
    int fd = libevdev_get_fd(device);
    libevdev_free(device);
    close(fd);
}

static bool read_axis(const struct libevdev *device, struct pad_axis *axis)
{
    const struct input_absinfo *info = libevdev_get_abs_info(device, axis->code);
    if (!info || info->minimum >= info->maximum) {
        return false;
    }
    axis->low = info->minimum;
    axis->high = info->maximum;
    axis->value = info->value;
    return true;
}

static int read_all(const struct libevdev *device, struct pad *pad, const char **ret_missing)
{
    struct pad_axis *axes[] = {&pad->forward, &pad->turn};
    for (size_t i = 0; i < 2; i++) {
        if (!read_axis(device, axes[i])) {
            *ret_missing = libevdev_event_code_get_name(EV_ABS, axes[i]->code);
            return -ENXIO;
        }
    }
    if (!libevdev_has_event_code(device, EV_KEY, pad->button)) {
        *ret_missing = libevdev_event_code_get_name(EV_KEY, pad->button);
        return -ENXIO;
    }
    return 0;
}

int pad_device_read(struct pad *pad, const char *path, const char **ret_missing)
{
    struct libevdev *device = NULL;
    int err = open_device(path, &device);
    if (err < 0) {
        return err == -EINVAL ? -ENOTTY : err;
    }
    err = read_all(device, pad, ret_missing);
    close_device(device);
    return err;
}

/* BTN_JOYSTICK and BTN_GAMEPAD are the first buttons of their kinds (linux/input-event-codes.h). */
static bool is_pad(const char *path)
{
    struct libevdev *device = NULL;
    if (open_device(path, &device) < 0) {
        return false;
    }
    bool is = libevdev_has_event_code(device, EV_ABS, ABS_X) &&
              (libevdev_has_event_code(device, EV_KEY, BTN_GAMEPAD) ||
               libevdev_has_event_code(device, EV_KEY, BTN_JOYSTICK));
    close_device(device);
    return is;
}

int pad_device_find(char *ret_path, size_t size)
{
    glob_t found;
    int err = -ENODEV;
    if (glob("/dev/input/event*", 0, NULL, &found) != 0) {
        return err;
    }
    for (size_t i = 0; i < found.gl_pathc && err < 0; i++) {
        if (is_pad(found.gl_pathv[i])) {
            snprintf(ret_path, size, "%s", found.gl_pathv[i]);
            err = 0;
        }
    }
    globfree(&found);
    return err;
}
