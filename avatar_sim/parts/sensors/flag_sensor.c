/* SPDX-License-Identifier: Apache-2.0 */
/* See flag_sensor.h. */
#include "flag_sensor.h"

enum { STUCK_NO, STUCK_OFF, STUCK_ON };

int dpl__flag_build(struct dpl__flag *flag, const struct dpl_sim_site *site,
                    const struct dpl__flag_settings *settings)
{
    flag->settings = settings;
    return dpl__measuring_build(&flag->measuring, site, &settings->measuring, 1);
}

static bool shown(const struct dpl__flag *flag, bool is_met)
{
    if (flag->stuck_off || flag->stuck_on) {
        return !flag->stuck_off;
    }
    return flag->settings->stuck == STUCK_NO ? is_met != flag->settings->inverted
                                             : flag->settings->stuck == STUCK_ON;
}

void dpl__flag_take(struct dpl__flag *flag, dpl_ns now, bool is_met)
{
    double value = shown(flag, is_met);
    dpl__measuring_take(&flag->measuring, now, &value);
}
