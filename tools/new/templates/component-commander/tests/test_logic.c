/* The logic alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../template_name_logic.h"

static const struct template_name_rules rules = {
    .velocity_m_s = 0.2, .turn_rad_s = 1.0, .stop_m = 0.3};

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "FAILED: %s\n", what);
        exit(1);
    }
}

static struct template_name_view view_of(double front_m, double left_m, double right_m)
{
    return (struct template_name_view){true, front_m, left_m, right_m, false};
}

static struct dpl_twist2 decide(struct template_name *self, struct template_name_view view)
{
    return template_name_decide(self, &rules, &view);
}

static void it_drives_where_it_is_free_and_turns_to_the_freer_side(void)
{
    struct template_name self = {0};
    check(decide(&self, view_of((double)INFINITY, 1.0, 1.0)).linear > 0.19, "free: straight on");
    struct dpl_twist2 turn = decide(&self, view_of(0.25, 0.5, 0.9));
    check(turn.linear < 0.01 && turn.angular < -0.9, "a wall in front: it turns to the right");
    check(decide(&self, view_of(0.4, 0.9, 0.5)).angular < -0.9, "it goes on turning");
    check(decide(&self, view_of(0.5, 0.9, 0.5)).linear > 0.19, "it is free again");
    check(self.turns == 1, "that was one turn");
}

static void it_backs_away_from_what_it_touches(void)
{
    struct template_name self = {0};
    struct template_name_view view = view_of(1.0, 1.0, 1.0);
    view.touched = true;
    check(decide(&self, view).linear < 0.0, "back");
    check(decide(&self, view_of(0.4, 1.0, 1.0)).angular > 0.9, "then it turns");
}

static void it_stands_when_it_does_not_see(void)
{
    struct template_name self = {0};
    struct dpl_twist2 twist = decide(&self, (struct template_name_view){.valid = false});
    check(fabs(twist.linear) + fabs(twist.angular) < 1e-12, "it stands");
}

int main(void)
{
    it_drives_where_it_is_free_and_turns_to_the_freer_side();
    it_backs_away_from_what_it_touches();
    it_stands_when_it_does_not_see();
    puts("logic: 3 tests passed");
    return 0;
}
