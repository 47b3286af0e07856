/* SPDX-License-Identifier: Apache-2.0 */
/* What drivers over a simulated world share: which world a device's properties mean, the link to
 * it, and finding the channels that the driver needs. */
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

/* Where the world is, without a robot in it. */
#define AVATAR_WORLD_FIELDS(struct_, member_)                                                      \
    DPL_WORLD(struct_, member_.world, "World", "",                                                 \
              "file of the world to embed; empty: the application's"),                             \
        DPL_TEXT(struct_, member_.ip, "ip", "",                                                    \
                 "host of a world served by `doppel sim`; empty: embedded"),                       \
        DPL_INT(struct_, member_.port, "port", "5500", 1, 65535, "its port")

#define AVATAR_LINK_FIELDS(struct_, member_)                                                       \
    DPL_TEXT(struct_, member_.robot, "RobotName", "avatar", "robot in the world"),                 \
        AVATAR_WORLD_FIELDS(struct_, member_)

/* Finds what the device needs in its world. 0; -EAGAIN: a served world has not answered yet; or
 * another negative errno. */
typedef int (*avatar_bind)(struct dpl_device *, struct dpl_diag *reterr);

/* A device's link to its world: a part of the driver's state, zeroed before it is opened. One
 * thread at a time uses it. */
struct avatar_link {
    struct dpl_link *link; /* NULL: closed */
    bool bound;            /* `bind` has found everything */
    avatar_bind bind;
};

/* Opens a link to the robot that the properties name, and binds. A served world that does not
 * answer is no error: avatar_link_ready binds when it does. Call in open. 0, or the error of
 * dpl_device_open_link or of `bind`; then the link is closed. */
int avatar_link_open(struct dpl_device *device, struct avatar_link *self,
                     const struct avatar_link_properties *props, bool take_over, avatar_bind bind,
                     struct dpl_diag *reterr);

/* The same for a device that needs its world at once: also -EAGAIN is an error. `world` and `robot`
 * are those of dpl_link_config. */
int avatar_link_open_now(struct dpl_device *device, struct avatar_link *self, const char *world,
                         const char *robot, avatar_bind bind, struct dpl_diag *reterr);

/* Whether the channels can be used; binds if a served world answers for the first time. 0; -ENODEV:
 * the world is lost or silent; -EAGAIN: it has not said yet what it has. A world that lacks what
 * the device needs makes the device lost, with the reason, until the world is started anew:
 * -ENODEV. In execute, or in a call that may allocate. */
int avatar_link_ready(struct dpl_device *device, struct avatar_link *self);

/* As dpl_link_close. A link that is closed, or never was open: nothing. */
void avatar_link_close(struct avatar_link *self);

#endif
