/* Where a robot drives. */
#include "template_name_logic.h"

/* A turn ends when it is freer than it was at its begin, so that it does not tremble. */
#define FREE_AGAIN 1.5
#define SIDE       0.5 /* a wall beside the robot may be nearer than one in front */

static bool is_free(const struct template_name_rules *rules, const struct template_name_view *view,
                    double share)
{
    double least_m = share * rules->stop_m;
    return !view->touched && view->front_m > least_m && view->left_m > SIDE * least_m &&
           view->right_m > SIDE * least_m;
}

struct dpl_twist2 template_name_decide(struct template_name *self,
                                       const struct template_name_rules *rules,
                                       const struct template_name_view *view)
{
    if (!view->valid) {
        return (struct dpl_twist2){0};
    }
    if (self->turning == 0 && !is_free(rules, view, 1.0)) {
        self->turning = view->left_m >= view->right_m ? 1 : -1;
        self->turns++;
    } else if (self->turning != 0 && is_free(rules, view, FREE_AGAIN)) {
        self->turning = 0;
    }
    if (view->touched) {
        return (struct dpl_twist2){.linear = -0.5 * rules->velocity_m_s};
    }
    return self->turning == 0 ? (struct dpl_twist2){.linear = rules->velocity_m_s}
                              : (struct dpl_twist2){.angular = self->turning * rules->turn_rad_s};
}
