/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the channels of machines and of their axes. */
#ifndef DOPPEL_SIM_CHANNELS_AXES_H
#define DOPPEL_SIM_CHANNELS_AXES_H

#include <doppel/sim/channel_rows.h>

extern const struct dpl_channel_table dpl__axis_channels, dpl__axes_channels;

#endif
