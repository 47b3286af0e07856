/* SPDX-License-Identifier: Apache-2.0 */
/* The channels of a machine itself. */
#ifndef DOPPEL_SIM_CHANNELS_AXES_H
#define DOPPEL_SIM_CHANNELS_AXES_H

#include <doppel/sim/channel_rows.h>

extern const struct dpl_channel_table dpl__axes_channels;

#endif
