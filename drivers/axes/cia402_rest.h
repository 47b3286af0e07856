/* SPDX-License-Identifier: Apache-2.0 */
/* An axis on its way to rest: a stop of category 1 (IEC 60204-1), the drive's ramp first, then its
 * power off. It is over when the axis stands, or, whatever the drive says or does not say, when the
 * ramp must have ended (SS1-t of IEC 61800-5-2). Pure. */
#ifndef AXES_CIA402_REST_H
#define AXES_CIA402_REST_H

#include "cia402_node.h"

struct cia402_rest {
    bool is_over;  /* the drive may be switched off */
    bool has_come; /* because the axis stands */
    /* private */
    bool is_under_way;
    dpl_ns since;
    double fastest_m_s; /* that the axis may have had since */
    unsigned periods;   /* in a row in which it stood */
};

/* Whether the drive has said, just now, that its axis does not move. */
bool cia402_rest_stands(const struct cia402_node *node);

/* Once a period, of an axis that shall come to rest; begins it if need be. `told_m_s`: as fast as
 * the axis was told to move. */
void cia402_rest_step(struct cia402_rest *rest, const struct cia402_node *node, double told_m_s,
                      dpl_ns now);

/* From `now` until it is over at the latest; 0: it is. */
dpl_ns cia402_rest_left(const struct cia402_rest *rest, const struct cia402_node *node, dpl_ns now);

#endif
