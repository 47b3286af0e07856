/* Whether a base arrives in time. */
#include "template_name_logic.h"

#include <math.h>

enum template_name_verdict template_name_judge_take(struct template_name_judge *judge,
                                                    const struct template_name_rules *rules,
                                                    struct dpl_pose2 pose, double t_s)
{
    if (judge->verdict != TEMPLATE_NAME_NONE) {
        return judge->verdict;
    }
    if (!judge->started) {
        judge->started = true;
        judge->began_s = t_s;
    }
    judge->time_s = t_s - judge->began_s;
    judge->distance_m = hypot(rules->x_m - pose.x, rules->y_m - pose.y);
    if (judge->distance_m <= rules->tolerance_m) {
        judge->verdict = TEMPLATE_NAME_ARRIVED;
    } else if (judge->time_s >= rules->patience_s) {
        judge->verdict = TEMPLATE_NAME_LATE;
    }
    return judge->verdict;
}
