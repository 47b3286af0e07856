/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting beams by direction: see raycast.h. */
#include <stdbool.h>
#include <stdlib.h>

#include "raycast_fan.h"
#include "raycast_tree.h"

enum { SECTORS_A_BEAM = 4 };

struct direction {
    double turn;
    uint32_t number;
};

static int by_turn(const void *a, const void *b)
{
    const struct direction *x = a, *y = b;
    if (x->turn != y->turn) {
        return x->turn < y->turn ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

static struct dpl_raycast_fan *allocate(const struct dpl_raycast_memory *memory, size_t n)
{
    struct dpl_raycast_fan *fan = dpl__raycast_zeroed(memory, 1, sizeof *fan);
    if (!fan) {
        return NULL;
    }
    fan->n = n;
    fan->sectors = SECTORS_A_BEAM * ((int)n + 1);
    fan->cosine = dpl__raycast_zeroed(memory, n, sizeof *fan->cosine);
    fan->sine = dpl__raycast_zeroed(memory, n, sizeof *fan->sine);
    fan->number = dpl__raycast_zeroed(memory, n, sizeof *fan->number);
    fan->first = dpl__raycast_zeroed(memory, 2 * (size_t)fan->sectors + 1, sizeof *fan->first);
    fan->dx = dpl__raycast_zeroed(memory, n, sizeof *fan->dx);
    fan->dy = dpl__raycast_zeroed(memory, n, sizeof *fan->dy);
    fan->range = dpl__raycast_zeroed(memory, n, sizeof *fan->range);
    bool whole =
        fan->cosine && fan->sine && fan->number && fan->first && fan->dx && fan->dy && fan->range;
    return whole ? fan : NULL;
}

static int sector_of(const struct dpl_raycast_fan *fan, double turn)
{
    int sector = (int)(turn * (0.25 * fan->sectors));
    return sector < fan->sectors ? sector : fan->sectors - 1;
}

static void count_sectors(struct dpl_raycast_fan *fan, const struct direction *sorted)
{
    size_t before = 0;
    for (int sector = 0; sector <= fan->sectors; sector++) {
        while (before < fan->n && sector_of(fan, sorted[before].turn) < sector) {
            before++;
        }
        fan->first[sector] = (uint32_t)before;
        fan->first[sector + fan->sectors] = (uint32_t)(before + fan->n);
    }
}

struct dpl_raycast_fan *dpl_raycast_fan_create(const struct dpl_raycast_memory *memory,
                                               const double *cosine, const double *sine, size_t n)
{
    struct dpl_raycast_fan *fan = allocate(memory, n);
    struct direction *sorted = calloc(n + 1, sizeof *sorted); /* + 1: never nothing */
    if (!fan || !sorted) {
        free(sorted);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        sorted[i] = (struct direction){dpl__raycast_turn(cosine[i], sine[i]), (uint32_t)i};
    }
    qsort(sorted, n, sizeof *sorted, by_turn);
    for (size_t i = 0; i < n; i++) {
        fan->cosine[i] = cosine[sorted[i].number];
        fan->sine[i] = sine[sorted[i].number];
        fan->number[i] = sorted[i].number;
    }
    count_sectors(fan, sorted);
    free(sorted);
    return fan;
}
