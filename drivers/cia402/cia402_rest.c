/* SPDX-License-Identifier: Apache-2.0 */
/* Detects when an axis is at rest. */
#include "cia402_rest.h"

#include <math.h>

#define PERIODS   3 /* at standstill, until the axis counts as at rest */
/* added to the ramp: for the way of the command, and for the time after the end of the ramp */
#define MARGIN    (250 * DPL_MS)
/* factor of the expected time, for drives whose ramp takes longer */
#define SLOWER    2.0
#define LIMIT_MAX (10 * DPL_S)

static double speed_of(const struct cia402_node *node)
{
    return fabs(node->velocity / node->settings->counts_per_m);
}

bool cia402_rest_stands(const struct cia402_node *node)
{
    if (node->phase != CIA402_AT_WORK || !cia402_node_is_fresh(node)) {
        return false;
    }
    switch (node->state) {
    case DPL_CIA402_ENABLED:
    case DPL_CIA402_FAULT_REACTION: return false;
    case DPL_CIA402_QUICK_STOP: return speed_of(node) <= node->settings->standstill_m_s;
    default: return true;
    }
}

static dpl_ns limit_of(const struct cia402_rest *rest, const struct cia402_settings *settings)
{
    double ramp_s = settings->quick_stop_m_s2 > 0.0 ? rest->fastest_m_s / settings->quick_stop_m_s2
                                                    : dpl_ns_to_s(LIMIT_MAX);
    dpl_ns limit = MARGIN + dpl_ns_from_s(fmin(SLOWER * ramp_s, dpl_ns_to_s(LIMIT_MAX)));
    return limit < LIMIT_MAX ? limit : LIMIT_MAX;
}

void cia402_rest_step(struct cia402_rest *rest, const struct cia402_node *node, double told_m_s,
                      dpl_ns now)
{
    if (!rest->is_under_way) {
        *rest = (struct cia402_rest){.is_under_way = true, .since = now};
        rest->fastest_m_s = fabs(told_m_s);
    }
    rest->fastest_m_s = fmax(rest->fastest_m_s, speed_of(node));
    rest->periods = cia402_rest_stands(node) ? rest->periods + 1 : 0;
    rest->has_come |= rest->periods >= PERIODS;
    rest->is_over |= rest->has_come || now - rest->since > limit_of(rest, node->settings);
}

dpl_ns cia402_rest_left(const struct cia402_rest *rest, const struct cia402_node *node, dpl_ns now)
{
    dpl_ns left = rest->since + limit_of(rest, node->settings) - now;
    return rest->is_over || cia402_rest_stands(node) || left < 0 ? 0 : left;
}
