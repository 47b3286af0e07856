/* SPDX-License-Identifier: Apache-2.0 */
/* The device's end of a pty: a serial port that another program opens under a symbolic link. Only
 * that program opens the slave side, so that the master side shows whether one is there: without
 * one it reports a hang-up for ever, which is therefore looked at instead of being waited for. */
#ifndef DOPPEL_HOST_PTY_H
#define DOPPEL_HOST_PTY_H

#include <stdbool.h>

#include <doppel/diag.h>

#define DPL_PTY_LINK_MAX 256

struct dpl_pty {
    int master; /* raw, non-blocking, close-on-exec; -1: closed */
    int claim;  /* close-on-exec; as long as it is open, nobody else can take the link */
    char slave[128];
    char link[DPL_PTY_LINK_MAX];
};

/* Makes a pty and the link to its slave, which is this pty's alone until dpl_pty_close or the end
 * of the process: -EBUSY while another one has it. A link that is left over is replaced; another
 * file is not: -EEXIST. -ENAMETOOLONG, or what the system says, with reterr. */
int dpl_pty_open(struct dpl_pty *pty, const char *link, struct dpl_diag *reterr);

/* Whether a program has the slave open. *ret_unread (NULL allowed): bytes of it are waiting. */
bool dpl_pty_has_peer(const struct dpl_pty *pty, bool *ret_unread);

/* Throws away what a peer has left unread, so that the next one does not get it. */
void dpl_pty_forget(const struct dpl_pty *pty);

/* Removes the link if it is still this pty's, and closes the master. Closed already: nothing. */
void dpl_pty_close(struct dpl_pty *pty);

#endif
