/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the host's side of Firmata share. */
#ifndef PINS_FIRMATA_HOST_PARTS_H
#define PINS_FIRMATA_HOST_PARTS_H

#include "firmata_host.h"

#define FIRMATA_NO_MODE   0xff
#define FIRMATA_BIT(mode) (1u << (mode))

void firmata_host_send_sysex(struct firmata_host *host, enum dpl_firmata_sysex id,
                             const uint8_t *data, size_t n);

/* Sends the query of the phase. */
void firmata_host_ask(struct firmata_host *host, dpl_ns now);

/* Sends the pin's mode to the board. Modes for pulses wait for the first write, which determines
 * PWM or servo. */
void firmata_host_apply_mode(struct firmata_host *host, unsigned number);

#endif
