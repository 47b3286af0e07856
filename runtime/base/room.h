/* SPDX-License-Identifier: Apache-2.0 */
/* Room for what a library will open: libzmq and libuv abort the process where they get no file
 * descriptor or no thread, so they are asked only when there is some. */
#ifndef DPL_BASE_ROOM_H
#define DPL_BASE_ROOM_H

#include <doppel/diag.h>

#define DPL_ROOM_FILES_MAX   32
#define DPL_ROOM_THREADS_MAX 4

/* A context of libzmq with one socket: its two threads, and what each of them opens. */
#define DPL_ROOM_ZMQ_FILES   12
#define DPL_ROOM_ZMQ_THREADS 2
/* A loop of libuv with its signals and a stream. */
#define DPL_ROOM_LOOP_FILES  10

/* Whether so many more files can be open, and so many more threads run, at this moment: 0; -EMFILE
 * or -EAGAIN, with the limit that is in the way in reterr, which begins with `who`. Takes them and
 * gives them back; blocks for that long. */
int dpl_room_check(const char *who, unsigned files, unsigned threads, struct dpl_diag *reterr);

#endif
