/* SPDX-License-Identifier: Apache-2.0 */
/* What all drivers `ros2` have in common: properties, a peer, stamps, counters. Control thread. */
#ifndef DRIVERS_ROS2_LINK_H
#define DRIVERS_ROS2_LINK_H

#include <doppel/device.h>
#include <doppel/drive/device_clock.h>

#include "ros2_peer.h"

struct ros2_link_properties {
    double discovery_s;
    int stamp;
};

/* For a driver's check, of what holds in the end, not of each profile that sets it: a name of ROS,
 * from the root ("/robot/odom"). -EINVAL with reterr. */
int ros2_topic_check(const char *text, struct dpl_diag *reterr);

/* Rows of a property table; `address_`: the member with the topic. */
#define ROS2_LINK_FIELDS(struct_, address_, topic_, topic_text_, link_)                            \
    {                                                                                              \
        .name = "Address",                                                                         \
        .aliases = "Topic",                                                                        \
        .type = DPL_FIELD_STRING,                                                                  \
        DPL_MEMBER(struct_, address_),                                                             \
        .default_text = topic_,                                                                    \
        .summary = topic_text_,                                                                    \
    },                                                                                             \
        DPL_NUMBER(struct_, link_.discovery_s, "DiscoveryTimeout", "s", "10", 0, 3600,             \
                   "so long the start waits for who publishes the topic"),                         \
        DPL_CHOICE(struct_, link_.stamp, "StampSource", "device", "device|arrival",                \
                   "when something was measured: by the header, or when it arrived")

#define ROS2_LINK_COUNTER(struct_, counts_, name_, text_)                                          \
    DPL_EXPORT_INT(struct_, counts_.name_, #name_, NULL, DPL_FIELD_SUMMARY, text_)
#define ROS2_LINK_EXPORTS(struct_, counts_)                                                        \
    ROS2_LINK_COUNTER(struct_, counts_, messages, "taken"),                                        \
        ROS2_LINK_COUNTER(struct_, counts_, refused, "whose values make no sense"),                \
        ROS2_LINK_COUNTER(struct_, counts_, strangers, "of another publisher than the first one"), \
        ROS2_LINK_COUNTER(struct_, counts_, malformed,                                             \
                          "bytes of no message, of all topics of this process")

struct ros2_link {
    struct dpl_device *device;
    const struct ros2_devices *dds;
    struct ros2_peer *peer; /* NULL: closed */
    struct dpl_device_clock clock;
    bool by_arrival;
};

/* In the driver's open: 0, or -errno with reterr; it says which package is not installed. */
int ros2_link_open(struct ros2_link *link, struct dpl_device *device,
                   const struct ros2_link_properties *properties,
                   const struct ros2_peer_config *config, struct dpl_diag *reterr);
void ros2_link_close(struct ros2_link *link);

/* The next message, and when it was measured, on the run's clock. */
bool ros2_link_take(struct ros2_link *link, void *ret_message, dpl_ns *stamp_of_message,
                    dpl_ns now);

/* Logs what DDS and the messages complain of; counts. */
void ros2_link_tell(struct ros2_link *link, struct ros2_counts *ret_counts, dpl_ns now);

/* The peer is lost: its clock and its name do not count any more. */
void ros2_link_forget(struct ros2_link *link);

#endif
