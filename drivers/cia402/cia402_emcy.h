/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the emergency messages of a drive that are logged: each code when it comes for the first
 * time, then its count, when the drive has reported the end of the error and a second has passed.
 * Pure. */
#ifndef CIA402_CIA402_EMCY_H
#define CIA402_CIA402_EMCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/time.h>

enum { CIA402_EMCY_CODES = 8 }; /* codes that are counted separately; others are counted together */

struct cia402_emcy_log {
    /* private */
    size_t n;
    uint16_t codes[CIA402_EMCY_CODES];
    uint64_t counts[CIA402_EMCY_CODES], others;
    dpl_ns since; /* time of the first of them */
    bool is_over;
};

/* A message has come, code 0: no error any more. True: it must be logged. */
bool cia402_emcy_hear(struct cia402_emcy_log *log, uint16_t code, dpl_ns now);

/* The codes that came more than once, as "8110 312 times, 7300 2 times", when the error has ended,
 * or `is_end`; then all counts are reset. False: there is nothing to log. */
bool cia402_emcy_sum_up(struct cia402_emcy_log *log, bool is_end, dpl_ns now, char *ret_text,
                        size_t size);

#endif
