/* The logic alone. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../template_name_logic.h"

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "FAILED: %s\n", what);
        exit(1);
    }
}

static void a_straight_line_has_its_length(void)
{
    struct template_name_way way = {0};
    for (int i = 0; i <= 10; i++) {
        template_name_update(&way, 0.001, (struct dpl_pose2){0.3 * i, 0.4 * i, 0.0}, i);
    }
    check(fabs(way.way_m - 5.0) < 1e-9, "ten steps of 0.5 m are 5 m");
    check(fabs(way.fastest_m_s - 0.5) < 1e-9, "0.5 m in 1 s are 0.5 m/s");
}

static void noise_is_no_way(void)
{
    struct template_name_way way = {0};
    for (int i = 0; i <= 100; i++) {
        template_name_update(&way, 0.01, (struct dpl_pose2){i % 2 * 0.005, 0.0, 0.0}, i);
    }
    check(way.way_m <= 0.0, "a pose that trembles does not drive");
}

int main(void)
{
    a_straight_line_has_its_length();
    noise_is_no_way();
    puts("logic: 2 tests passed");
    return 0;
}
