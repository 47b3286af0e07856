/* SPDX-License-Identifier: Apache-2.0 */
/* The channels of a mobile robot itself. */
#ifndef DOPPEL_SIM_CHANNELS_MOBILE_H
#define DOPPEL_SIM_CHANNELS_MOBILE_H

#include <doppel/sim/channel_rows.h>

extern const struct dpl_channel_table dpl__mobile_channels;

#endif
