/* The way of a robot by its odometry, and its largest speed. Pure: no runtime, clock or message;
 * the caller owns the struct. */
#ifndef TEMPLATE_NAME_LOGIC_H
#define TEMPLATE_NAME_LOGIC_H

#include <doppel/math/geometry.h>
#include <stdbool.h>

/* Zero-initialise. */
struct template_name_way {
    bool started;
    struct dpl_pose2 last;
    double last_t_s;
    double way_m, fastest_m_s;
};

/* Takes the pose measured at `t_s`. A shorter step than `least_m` since the last counted pose is
 * noise: it does not count yet. Returns whether the way has changed. */
bool template_name_update(struct template_name_way *way, double least_m, struct dpl_pose2 pose,
                          double t_s);

#endif
