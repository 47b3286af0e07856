/* SPDX-License-Identifier: Apache-2.0 */
/* Streams (doppel/stream.h) on the control loop, with back-off. Files: stream.c (life of a stream),
 * stream_bytes.c (reading and writing), stream_serial.c, stream_tcp.c, stream_can.c,
 * stream_listen.c (the kinds of ends), stream_queue.c (what is not written yet), stream_steady.c
 * (the control period of a fieldbus). */
#ifndef DOPPEL_RUNTIME_STREAM_H
#define DOPPEL_RUNTIME_STREAM_H

#include <doppel/diag.h>
#include <doppel/stream.h>

struct dpl_runtime;

/* The first opening is done before the function returns (TCP: waits at most 2 s), so that a wrong
 * path or address is an error with a reason; `opened` is called from the loop. Control thread. */
int dpl__stream_open(struct dpl_runtime *runtime, const char *owner,
                     const struct dpl_stream_config *config, struct dpl_stream **ret_stream,
                     struct dpl_diag *reterr);

#endif
