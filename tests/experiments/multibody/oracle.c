/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms by chance, and golden worlds told in other ways. */
#include <math.h>
#include <stdio.h>

#include "compare.h"
#include "rows.h"
#include "variant.h"

void rows_oracle(void)
{
    int seeds = asked->seeds > 0 ? (int)asked->seeds : asked->quick ? 400 : 10000;
    int counts[4] = {0}, inverted = 0, worst_seed = -1;
    struct compare_result worst = {0};
    for (int seed = 0; seed < seeds; seed++) {
        struct compare_result result = compare_seed((uint64_t)seed);
        counts[result.verdict]++;
        if (result.verdict == COMPARE_REFUSED) {
            remark("seed %d is refused: %s", seed, result.text);
        }
        if (result.verdict == COMPARE_USED) {
            if (result.acceleration > worst.acceleration) {
                worst_seed = seed;
            }
            inverted += result.inverted;
            worst.effort = worse(worst.effort, result.effort);
            worst.place = worse(worst.place, result.place);
            worst.velocity = worse(worst.velocity, result.velocity);
            worst.acceleration = worse(worst.acceleration, result.acceleration);
        }
    }
    row_at_most("oracle: accelerations", worst.acceleration, 1e-9, "relative");
    row_at_most("oracle: places", worst.place, 1e-9, "m, 1");
    row_at_most("oracle: velocities", worst.velocity, 1e-9, "m/s, 1/s");
    row_at_most("oracle: efforts by inverse dynamics", inverted > 0 ? worst.effort : HUGE_VAL, 1e-9,
                "relative");
    row_at_most("oracle: refused", counts[COMPARE_REFUSED], 0.0, "seeds");
    row_at_most("oracle: left out", 1.0 - (double)counts[COMPARE_USED] / seeds, 0.1, "of seeds");
    remark("%d seeds: %d used (worst: seed %d), %d near a singular pose, %d with a gear between "
           "mechanisms that float apart, %d refused otherwise",
           seeds, counts[COMPARE_USED], worst_seed, counts[COMPARE_SINGULAR], counts[COMPARE_APART],
           counts[COMPARE_REFUSED]);
    remark("inverse dynamics of %d: those without floats and without spherical joints in the tree",
           inverted);
}

void rows_invariance(void)
{
    static const struct {
        const char *name;
        enum variant variant;
        double metres, limit;
    } ways[] = {
        {"bodies and joints in another order", VARIANT_PERMUTED, 0.0, 1e-10},
        {"joints reversed", VARIANT_REVERSED, 0.0, 1e-10},
        {"world rotated", VARIANT_ROTATED, 0.0, 1e-10},
        {"world moved by 10 m", VARIANT_MOVED, 10.0, 1e-10},
        {"world moved by 1 km", VARIANT_MOVED, 1000.0, 1e-9},
        {"in nested assemblies", VARIANT_ASSEMBLIES, 0.0, 0.0},
        {"bodies split in two", VARIANT_SPLIT, 0.0, 1e-10},
    };
    int draws = asked->quick ? 2 : 10;
    for (int i = 0; i < (int)(sizeof ways / sizeof ways[0]); i++) {
        for (int world = 2; world <= 6; world++) {
            char name[128];
            double worst = 0.0;
            for (int draw = 0; draw < draws; draw++) {
                worst = worse(worst, variant_difference(world, ways[i].variant, (uint64_t)draw,
                                                        ways[i].metres, 1.0, 2e-4));
            }
            snprintf(name, sizeof name, "invariance: %s, %s", ways[i].name, world_names[world]);
            row_at_most(name, worst, ways[i].limit, "SI");
        }
    }
}
