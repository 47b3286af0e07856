/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_doubt.h"

#define MEAN_S           1.0
#define SLIGHT_AGREEMENT 0.96
#define STRONG_OPENNESS  0.75
#define WAIT_S           5.0
#define WAIT_MOST_S      320.0

void loc_doubt_init(struct loc_doubt *doubt)
{
    *doubt = (struct loc_doubt){
        .newest_s = (double)NAN,
        .due_s = (double)NAN,
        .wait_s = WAIT_S,
    };
}

bool loc_doubt_scan(struct loc_doubt *doubt, const struct loc_judgement *judged, double stamp_s)
{
    bool first = isnan(doubt->newest_s);
    double share = first ? 1.0 : dpl_clamp((stamp_s - doubt->newest_s) / MEAN_S, 0.0, 1.0);
    doubt->agreement += share * (judged->agreement - doubt->agreement);
    doubt->openness += share * (judged->openness - doubt->openness);
    doubt->newest_s = stamp_s;
    return !(stamp_s < doubt->due_s) && doubt->agreement < SLIGHT_AGREEMENT;
}

bool loc_doubt_is_strong(const struct loc_doubt *doubt)
{
    return isfinite(doubt->newest_s) && doubt->openness < STRONG_OPENNESS;
}

void loc_doubt_allay(struct loc_doubt *doubt)
{
    doubt->due_s = doubt->newest_s + doubt->wait_s;
    doubt->wait_s = fmin(2.0 * doubt->wait_s, WAIT_MOST_S);
}
