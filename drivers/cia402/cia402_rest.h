/* SPDX-License-Identifier: Apache-2.0 */
/* An axis on its way to rest: a stop of category 1 (IEC 60204-1), first the drive's ramp, then
 * power off. It is over when the axis stands, or, independent of the drive's data, when the ramp
 * must have ended (SS1-t of IEC 61800-5-2). Pure. */
#ifndef CIA402_CIA402_REST_H
#define CIA402_CIA402_REST_H

#include "cia402_node.h"

struct cia402_rest {
    bool is_over;  /* the drive may be switched off */
    bool has_come; /* because the axis stands */
    /* private */
    bool is_under_way;
    dpl_ns since;
    double fastest_m_s; /* that the axis may have had since the start of the stop */
    unsigned periods;   /* consecutive periods in which it stood */
};

/* Whether the newest data of the drive show that its axis does not move. */
bool cia402_rest_stands(const struct cia402_node *node);

/* Call it once per period for an axis that must come to rest; the first call starts it. `told_m_s`:
 * the commanded speed of the axis. */
void cia402_rest_step(struct cia402_rest *rest, const struct cia402_node *node, double told_m_s,
                      dpl_ns now);

/* Longest time from `now` until it is over; 0: it is over. */
dpl_ns cia402_rest_left(const struct cia402_rest *rest, const struct cia402_node *node, dpl_ns now);

#endif
