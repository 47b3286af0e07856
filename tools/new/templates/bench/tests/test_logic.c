/* The rules alone. */
#include <stdio.h>
#include <stdlib.h>

#include "../template_name_logic.h"

static const struct template_name_rules rules = {
    .x_m = 1.0,
    .tolerance_m = 0.05,
    .patience_s = 10.0,
};

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "FAILED: %s\n", what);
        exit(1);
    }
}

/* Drives from the origin at a speed for so long; returns the verdict. */
static enum template_name_verdict drive(double speed_m_s, double seconds)
{
    struct template_name_judge judge = {0};
    enum template_name_verdict verdict = TEMPLATE_NAME_NONE;
    for (int i = 0; i * 0.1 <= seconds; i++) {
        struct dpl_pose2 pose = {.x = speed_m_s * i * 0.1};
        verdict = template_name_judge_take(&judge, &rules, pose, 100.0 + i * 0.1);
    }
    return verdict;
}

static void a_base_that_is_near_the_goal_has_arrived(void)
{
    check(drive(0.2, 4.5) == TEMPLATE_NAME_NONE, "0.9 m are not there");
    check(drive(0.2, 4.9) == TEMPLATE_NAME_ARRIVED, "0.96 m are");
}

static void a_slow_base_is_late(void)
{
    check(drive(0.05, 9.5) == TEMPLATE_NAME_NONE, "there is time left");
    check(drive(0.05, 10.5) == TEMPLATE_NAME_LATE, "there is none");
    check(drive(0.05, 30.0) == TEMPLATE_NAME_LATE, "the first verdict is final");
}

int main(void)
{
    a_base_that_is_near_the_goal_has_arrived();
    a_slow_base_is_late();
    puts("logic: 2 tests passed");
    return 0;
}
