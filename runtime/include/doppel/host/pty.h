/* SPDX-License-Identifier: Apache-2.0 */
/* The device's end of a pty: a serial port that another program opens through a symbolic link. Only
 * the other program opens the slave side, so the master side shows whether that program is there.
 * Without it the master reports a hang-up continuously; therefore the owner polls the master
 * instead of waiting for events. */
#ifndef DOPPEL_HOST_PTY_H
#define DOPPEL_HOST_PTY_H

#include <stdbool.h>

#include <doppel/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPL_PTY_LINK_MAX 256

struct dpl_pty {
    int master; /* raw, non-blocking, close-on-exec; -1: closed */
    int claim;  /* close-on-exec; while it is open, no other process can take the link */
    char slave[128];
    char link[DPL_PTY_LINK_MAX];
};

/* Creates a pty and the link to its slave. "user:NAME" is the link NAME in a folder of this user,
 * $XDG_RUNTIME_DIR/doppel (without that variable /tmp/doppel-UID); pty->link has its path. The link
 * belongs to this pty until dpl_pty_close or the end of the process: -EBUSY while another process
 * owns it. A remaining link of an ended process is replaced; another kind of file is not: -EEXIST.
 * -ENAMETOOLONG, -EPERM if that folder is another user's, or the error of the system, with reterr.
 */
int dpl_pty_open(struct dpl_pty *pty, const char *link, struct dpl_diag *reterr);

/* Whether a program has opened the slave. *ret_unread (NULL allowed): there are unread bytes from
 * it. */
bool dpl_pty_has_peer(const struct dpl_pty *pty, bool *ret_unread);

/* Discards the bytes that a peer has not read, so that the next peer does not get them. */
void dpl_pty_forget(const struct dpl_pty *pty);

/* Removes the link if it still belongs to this pty, and closes the master. Does nothing if closed
 * already. */
void dpl_pty_close(struct dpl_pty *pty);

#ifdef __cplusplus
}
#endif

#endif
