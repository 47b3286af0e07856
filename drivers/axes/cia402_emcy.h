/* SPDX-License-Identifier: Apache-2.0 */
/* What of a drive's emergency messages is told to people: each code when it comes for the first
 * time, then how often, once the drive says that it is over and a second has passed. Pure. */
#ifndef AXES_CIA402_EMCY_H
#define AXES_CIA402_EMCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/time.h>

enum { CIA402_EMCY_CODES = 8 }; /* that are told apart; others are only counted */

struct cia402_emcy_log {
    /* private */
    size_t n;
    uint16_t codes[CIA402_EMCY_CODES];
    uint64_t counts[CIA402_EMCY_CODES], others;
    dpl_ns since; /* of the first of them */
    bool is_over;
};

/* A message came, code 0: nothing is wrong any more. True: it is to be told. */
bool cia402_emcy_hear(struct cia402_emcy_log *log, uint16_t code, dpl_ns now);

/* What came more than once, as "8110 312 times, 7300 2 times", when it is over, or `is_end`; then
 * all is forgotten. False: there is nothing to tell. */
bool cia402_emcy_sum_up(struct cia402_emcy_log *log, bool is_end, dpl_ns now, char *ret_text,
                        size_t size);

#endif
