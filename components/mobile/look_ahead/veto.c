/* SPDX-License-Identifier: Apache-2.0 */
#include "veto.h"

#include <math.h>

#define ON_THE_SPOT_M_S 0.01

double veto_speed(double way, double deceleration, double latency_s)
{
    if (way <= 0.0) {
        return 0.0;
    }
    /* v * latency + v^2 / (2 a) = way */
    double lost = deceleration * latency_s;
    return sqrt(lost * lost + 2.0 * deceleration * way) - lost;
}

static bool slow(double looked_at, double most, double asked, double *ret_value)
{
    bool same_way = looked_at * asked > 0.0;
    if (!same_way || fabs(asked) <= most) {
        return false;
    }
    *ret_value = copysign(most, asked);
    return true;
}

bool veto_command(const struct veto_limits *limits, const struct veto_contact *contact,
                  struct dpl_twist2 asked, struct dpl_twist2 *ret_command)
{
    *ret_command = asked;
    if (fabs(contact->twist.linear) < ON_THE_SPOT_M_S) {
        /* the body's corner has a way of about as many metres as the turn has radians */
        double most = veto_speed(contact->turn_rad - limits->margin_m, limits->deceleration_rad_s2,
                                 limits->latency_s);
        return slow(contact->twist.angular, most, asked.angular, &ret_command->angular);
    }
    double most =
        veto_speed(contact->way_m - limits->margin_m, limits->deceleration_m_s2, limits->latency_s);
    return slow(contact->twist.linear, most, asked.linear, &ret_command->linear);
}
