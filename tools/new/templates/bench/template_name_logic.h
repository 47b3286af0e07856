/* The verdict of the bench: whether a base arrives in time. Pure: no runtime, clock or message; the
 * caller owns the struct. */
#ifndef TEMPLATE_NAME_LOGIC_H
#define TEMPLATE_NAME_LOGIC_H

#include <doppel/math/geometry.h>
#include <stdbool.h>

struct template_name_rules {
    double x_m, y_m;    /* the goal, in the frame of the odometry */
    double tolerance_m; /* so near is there */
    double patience_s;
};

enum template_name_verdict {
    TEMPLATE_NAME_NONE, /* not decided yet */
    TEMPLATE_NAME_ARRIVED,
    TEMPLATE_NAME_LATE,
};

/* Zero-initialise. */
struct template_name_judge {
    enum template_name_verdict verdict;
    bool started;
    double began_s, time_s, distance_m; /* of the newest pose: since the first, to the goal */
};

/* Takes the pose measured at `t_s` and returns the verdict. The first one is final. */
enum template_name_verdict template_name_judge_take(struct template_name_judge *judge,
                                                    const struct template_name_rules *rules,
                                                    struct dpl_pose2 pose, double t_s);

#endif
