/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the resources for a library before it is used: libzmq and libuv abort the process when
 * they get no file descriptor or no thread. */
#ifndef DPL_BASE_ROOM_H
#define DPL_BASE_ROOM_H

#include <doppel/diag.h>

#define DPL_ROOM_FILES_MAX   32
#define DPL_ROOM_THREADS_MAX 4

/* A context of libzmq with one socket: its two threads, and the files that each of them opens. */
#define DPL_ROOM_ZMQ_FILES   12
#define DPL_ROOM_ZMQ_THREADS 2
/* A loop of libuv with its signals and a stream. */
#define DPL_ROOM_LOOP_FILES  10

/* Whether `files` more files can be opened, and `threads` more threads can run now: 0; -EMFILE or
 * -EAGAIN, with the limit in reterr, which begins with `who`. Opens and closes them for the check,
 * and blocks for this time. */
int dpl_room_check(const char *who, unsigned files, unsigned threads, struct dpl_diag *reterr);

#endif
