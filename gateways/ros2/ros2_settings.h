/* SPDX-License-Identifier: Apache-2.0 */
/* What ROS 2 takes from the environment: ROS_DOMAIN_ID, ROS_DISTRO, ROS_LOCALHOST_ONLY,
 * ROS_AUTOMATIC_DISCOVERY_RANGE; and how Cyclone DDS is told. */
#ifndef DPL_GATEWAYS_ROS2_SETTINGS_H
#define DPL_GATEWAYS_ROS2_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>

enum ros2_range { ROS2_NOBODY, ROS2_THIS_MACHINE, ROS2_SUBNET, ROS2_AS_CYCLONE_SAYS };

struct ros2_settings {
    unsigned domain;
    bool long_gids; /* of 24 bytes: Humble and before */
    enum ros2_range range;
};

/* `get` as getenv. 0, or -EINVAL with reterr. Beyond this machine only on an explicit wish. */
int ros2_settings_read(char *(*get)(const char *name), struct ros2_settings *ret,
                       struct dpl_diag *reterr);

/* The configuration of a domain; NULL: that of CYCLONEDDS_URI. */
const char *ros2_settings_config(const struct ros2_settings *settings);

/* Cyclone DDS receives at all addresses: this restricts the sockets of the domain, which exist, to
 * the loopback device. 0, or -errno. */
int ros2_settings_confine(const struct ros2_settings *settings);

#endif
