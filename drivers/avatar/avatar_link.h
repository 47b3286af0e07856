/* SPDX-License-Identifier: Apache-2.0 */
/* What drivers over a simulated world share: which world a device's properties mean, and finding
 * the channels that the driver needs. */
#ifndef DRIVERS_AVATAR_LINK_H
#define DRIVERS_AVATAR_LINK_H

#include <doppel/device.h>
#include <doppel/link.h>

/* A channel DEVICE/LEAF of the link's part; `device` NULL: LEAF alone. */
struct avatar_want {
    const char *device, *leaf;
    const struct dpl_channel_type *type;
    const char *unit; /* NULL: any */
    bool put;
    struct dpl_channel *ret_channel;
};

/* Finds all of them. Errors as those of dpl_link_find; -EINVAL: a device has no name. */
int avatar_link_find(struct dpl_link *link, const struct avatar_want *wants, size_t n,
                     struct dpl_diag *reterr);

struct avatar_link_properties {
    char robot[48];
    char world[512];
    char ip[256];
    int64_t port;
};

#define AVATAR_LINK_FIELDS(struct_, member_)                                                       \
    DPL_TEXT(struct_, member_.robot, "RobotName", "avatar", "robot in the world"),                 \
        DPL_TEXT(struct_, member_.world, "World", "",                                              \
                 "file of the world to embed; empty: the application's"),                          \
        DPL_TEXT(struct_, member_.ip, "ip", "",                                                    \
                 "host of a world served by `doppel sim`; empty: embedded"),                       \
        DPL_INT(struct_, member_.port, "port", "5500", 1, 65535, "its port")

/* Opens a link to the robot that the properties name. As dpl_device_open_link. */
int avatar_link_open(struct dpl_device *device, const struct avatar_link_properties *props,
                     bool take_over, struct dpl_link **ret_link, struct dpl_diag *reterr);

#endif
