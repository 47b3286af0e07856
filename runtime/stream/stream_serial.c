/* SPDX-License-Identifier: Apache-2.0 */
/* Opens serial ports and ptys. Modem lines are not used, because a pty has none. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <doppel/field.h>

#include "stream_open.h"

static const struct {
    uint32_t baud;
    speed_t speed;
} speeds[] = {
    {1200, B1200},       {2400, B2400},       {4800, B4800},       {9600, B9600},
    {19200, B19200},     {38400, B38400},     {57600, B57600},     {115200, B115200},
    {230400, B230400},   {460800, B460800},   {500000, B500000},   {576000, B576000},
    {921600, B921600},   {1000000, B1000000}, {1152000, B1152000}, {1500000, B1500000},
    {2000000, B2000000}, {2500000, B2500000}, {3000000, B3000000}, {3500000, B3500000},
    {4000000, B4000000},
};

static int find_speed(uint32_t baud, speed_t *ret_speed)
{
    for (size_t i = 0; i < DPL_COUNT(speeds); i++) {
        if (speeds[i].baud == baud) {
            *ret_speed = speeds[i].speed;
            return 0;
        }
    }
    return -EINVAL;
}

static int make_raw(int fd, uint32_t baud)
{
    struct termios tio;
    if (tcgetattr(fd, &tio) < 0) {
        return errno == ENOTTY && baud == 0 ? 0 : -errno; /* e.g. an input device */
    }
    cfmakeraw(&tio);
    tio.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS | PARENB);
    tio.c_cflag |= CLOCAL | CREAD;
    /* With VMIN 0 an idle port would be read as end of file. */
    tio.c_cc[VMIN] = 1;
    tio.c_cc[VTIME] = 0;
    speed_t speed;
    if (baud > 0) {
        int r = find_speed(baud, &speed);
        if (r < 0) {
            return r;
        }
        cfsetispeed(&tio, speed);
        cfsetospeed(&tio, speed);
    }
    return tcsetattr(fd, TCSANOW, &tio) < 0 ? -errno : 0;
}

/* Uses an advisory lock and not TIOCEXCL: the lock ends with the process in any case, while
 * TIOCEXCL stays on a pty as long as the emulator keeps the other side open. */
static int take_alone(int fd)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        return 0;
    }
    return errno == EWOULDBLOCK ? -EBUSY : 0;
}

int dpl__serial_open(const char *path, uint32_t baud, int *ret_fd)
{
    const int flags = O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
    int fd = open(path, O_RDWR | flags);
    if (fd < 0 && errno == EACCES && baud == 0) {
        fd = open(path, O_RDONLY | flags); /* a device without input may only be readable */
    }
    if (fd < 0) {
        return -errno;
    }
    int r = make_raw(fd, baud);
    if (r >= 0) {
        r = take_alone(fd);
    }
    if (r < 0) {
        close(fd);
        return r;
    }
    *ret_fd = fd;
    return 0;
}
