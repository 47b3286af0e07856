/* SPDX-License-Identifier: Apache-2.0 */
/* Opens CAN interfaces of the kernel: raw sockets that read and write one frame per call. */
#include <errno.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "stream_open.h"

#define SCHEME "can:"

_Static_assert(sizeof(struct can_frame) == DPL__CAN_RECORD_BYTES, "a record is a frame");

bool dpl__can_is(const char *address)
{
    return strncmp(address, SCHEME, strlen(SCHEME)) == 0;
}

static int bind_to(int fd, const char *interface)
{
    struct ifreq request = {0};
    struct sockaddr_can address = {.can_family = AF_CAN};
    size_t n = strlen(interface);
    if (n == 0 || n >= sizeof request.ifr_name) {
        return -EINVAL;
    }
    memcpy(request.ifr_name, interface, n + 1);
    if (ioctl(fd, SIOCGIFINDEX, &request) < 0) {
        return -errno;
    }
    address.can_ifindex = request.ifr_ifindex;
    return bind(fd, (const struct sockaddr *)&address, sizeof address) < 0 ? -errno : 0;
}

int dpl__can_open(const char *address, int *ret_fd)
{
    int fd = socket(AF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW);
    if (fd < 0) {
        return -errno;
    }
    /* The smallest size: then a busy bus makes the socket wait before the interface's own short
     * queue overflows and frames are lost. */
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &(int){0}, sizeof(int));
    int err = bind_to(fd, address + strlen(SCHEME));
    if (err < 0) {
        close(fd);
        return err;
    }
    *ret_fd = fd;
    return 0;
}

const char *dpl__can_error(int err)
{
    switch (err) {
    case -EAFNOSUPPORT:
    case -EPROTONOSUPPORT: return "this kernel has no SocketCAN; use an slcan adapter";
    case -ENODEV: return "there is no such CAN interface";
    case -ENETDOWN: return "the interface is down: ip link set can0 up type can bitrate 1000000";
    default: return strerror(-err);
    }
}
