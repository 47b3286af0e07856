/* Where a robot drives by its range finders and its bumper. Pure: no runtime, clock or message; the
 * caller owns the struct. */
#ifndef TEMPLATE_NAME_LOGIC_H
#define TEMPLATE_NAME_LOGIC_H

#include <doppel/math/geometry.h>
#include <stdbool.h>
#include <stdint.h>

struct template_name_rules {
    double velocity_m_s, turn_rad_s;
    double stop_m; /* nearer than this in front, it turns */
};

/* Metres; INFINITY: nothing is seen. */
struct template_name_view {
    bool valid; /* all of it is measured, and not too old */
    double front_m, left_m, right_m;
    bool touched;
};

/* Zero-initialise. */
struct template_name {
    int64_t turns; /* so far */
    int turning;   /* 1: to the left; -1: to the right; 0: it drives straight on */
};

/* What to command now. Without a valid view it stands. */
struct dpl_twist2 template_name_decide(struct template_name *self,
                                       const struct template_name_rules *rules,
                                       const struct template_name_view *view);

#endif
