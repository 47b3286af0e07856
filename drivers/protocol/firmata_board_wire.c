/* SPDX-License-Identifier: Apache-2.0 */
/* External signals on the wires of a Firmata board's pins. */
#include <errno.h>

#include "firmata_board_internal.h"

static void answer_ping(struct dpl_firmata_board *board, unsigned pin, bool level, dpl_ns at)
{
    struct dpl_firmata_ping *ping = &board->pings[pin];
    if (!ping->active || level == ping->risen) {
        return;
    }
    if (level && !ping->risen) {
        ping->risen = true;
        ping->risen_at = at;
        return;
    }
    ping->active = false;
    dpl__firmata_board_say_ping(board, pin, at > ping->risen_at ? at - ping->risen_at : 0, at);
}

int dpl_firmata_board_drive(struct dpl_firmata_board *board, unsigned pin, bool level, dpl_ns at)
{
    int err = dpl_firmata_board_drive_ratio(board, pin, level, at);
    if (err == 0) {
        answer_ping(board, pin, level == board->pings[pin].value, at);
    }
    return err;
}

int dpl_firmata_board_drive_ratio(struct dpl_firmata_board *board, unsigned number, double ratio,
                                  dpl_ns now)
{
    if (number >= board->config.n_pins || !(ratio >= 0.0 && ratio <= 1.0)) {
        return -EINVAL;
    }
    struct dpl_firmata_board_pin *pin = &board->pins[number];
    pin->driven = true;
    pin->ratio = ratio;
    pin->level = ratio >= 0.5;
    dpl__firmata_board_say_port(board, number / 8, false, now);
    return 0;
}

int dpl_firmata_board_release(struct dpl_firmata_board *board, unsigned pin, dpl_ns now)
{
    if (pin >= board->config.n_pins) {
        return -EINVAL;
    }
    board->pins[pin].driven = board->pins[pin].level = false;
    board->pins[pin].ratio = 0.0;
    dpl__firmata_board_say_port(board, pin / 8, false, now);
    return 0;
}
