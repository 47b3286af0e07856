/* SPDX-License-Identifier: Apache-2.0 */
/* A terminal that gives each key at once and prints none. Its settings are restored when it is
 * closed, and by a process of its own when this process ends in any other way. */
#ifndef OPERATOR_INPUT_TERMINAL_H
#define OPERATOR_INPUT_TERMINAL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

#include <doppel/diag.h>

struct terminal {
    int fd;               /* not blocking */
    int guard_fd;         /* its end tells the guard that this process has ended */
    pid_t guard;          /* process that restores the settings then */
    struct termios saved; /* settings before */
};

/* Opens the terminal `path`. 0, or -errno with reterr: no terminal, this process is in its
 * background, no process could be started. Blocks for a short time. Not while another thread may
 * fork. */
int terminal_open(struct terminal *terminal, const char *path, struct dpl_diag *reterr);

/* Restores the settings and drops keys that nobody has read. */
void terminal_close(struct terminal *terminal);

/* Reads what has come, without waiting: how many bytes, 0 if none or while this process is in the
 * terminal's background, or -errno when the terminal is gone. */
ssize_t terminal_read(struct terminal *terminal, uint8_t *bytes, size_t size);

#endif
