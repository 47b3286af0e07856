/* SPDX-License-Identifier: Apache-2.0 */
/* Hokuyo's SCIP protocol, both sides: includes all its parts. */
#ifndef DPL_PROTOCOL_SCIP_H
#define DPL_PROTOCOL_SCIP_H

#include <doppel/protocol/scip_codec.h>   /* sums, 6-bit characters */
#include <doppel/protocol/scip_lines.h>   /* bytes to lines */
#include <doppel/protocol/scip_reply.h>   /* host: bytes to replies */
#include <doppel/protocol/scip_request.h> /* requests to text and back */
#include <doppel/protocol/scip_scan.h>    /* geometry, steps to angles */
#include <doppel/protocol/scip_writer.h>  /* device: replies to bytes */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DPL_SCIP_TCP_PORT = 10940,
    DPL_SCIP_FIRST_BAUD = 19200, /* of a serial device after power-on (general knowledge) */
};

#ifdef __cplusplus
}
#endif

#endif
