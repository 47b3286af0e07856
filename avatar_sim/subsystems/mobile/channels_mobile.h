/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the channels of mobile robots and of what is on them. */
#ifndef DOPPEL_SIM_CHANNELS_MOBILE_H
#define DOPPEL_SIM_CHANNELS_MOBILE_H

#include <doppel/sim/channel_rows.h>

extern const struct dpl_channel_table dpl__motor_channels, dpl__encoder_channels,
    dpl__laser_channels, dpl__mobile_channels;

#endif
