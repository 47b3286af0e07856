/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_influence.h"

#include <stdlib.h>
#include <string.h>

bool loc_influence_init(struct loc_influence *influence, size_t n_surfaces)
{
    influence->n = n_surfaces;
    influence->by = calloc(n_surfaces + 1, sizeof *influence->by);
    influence->seen = calloc(n_surfaces + 1, sizeof *influence->seen);
    return influence->by && influence->seen;
}

void loc_influence_finish(struct loc_influence *influence)
{
    free(influence->by);
    free(influence->seen);
}

/* s <- (I - G J) T s: the way since the last scan, and this scan, which forgets a part of it. */
static void carry(double s[LOC_STATES], const struct loc_filter *filter,
                  const struct loc_change *change)
{
    double moved[LOC_STATES];
    memcpy(moved, s, sizeof moved);
    for (int i = 0; i < LOC_STATE_PARAMETERS; i++) {
        moved[i] = 0.0;
        for (int k = 0; k < LOC_STATES; k++) {
            moved[i] += filter->way[i][k] * s[k];
        }
    }
    for (int i = 0; i < LOC_STATES; i++) {
        s[i] = 0.0;
        for (int k = 0; k < LOC_STATES; k++) {
            s[i] += change->keep[i][k] * moved[k];
        }
    }
}

/* What an offset of 1 m of the surface does to b of the scan's information, as it is used. */
static void pull_of(const struct loc_match *match, const struct loc_surface *surface,
                    const struct loc_update *update, double ret[LOC_DIMS])
{
    double prior = 1.0 / (match->map_error_m * match->map_error_m);
    double share = surface->trust * prior / (surface->h + prior) / update->correlation;
    for (int r = 0; r < LOC_DIMS; r++) {
        ret[r] = share * surface->g[r];
    }
    if (update->unobservable) {
        double c = cos(update->unobservable_rad), s = sin(update->unobservable_rad);
        double along = c * ret[LOC_X] + s * ret[LOC_Y];
        ret[LOC_X] -= c * along;
        ret[LOC_Y] -= s * along;
    }
}

void loc_influence_scan(struct loc_influence *influence, const struct loc_match *match,
                        const struct loc_update *update, struct loc_filter *filter)
{
    const struct loc_change *change = &update->change;
    for (size_t i = 0; i < influence->n; i++) {
        if (influence->seen[i]) {
            carry(influence->by[i], filter, change);
        }
    }
    for (size_t i = 0; i < match->n_touched; i++) {
        size_t at = match->touched[i];
        double pull[LOC_DIMS];
        pull_of(match, &match->surfaces[at], update, pull);
        influence->seen[at] = true;
        for (int k = 0; k < LOC_STATES; k++) {
            for (int r = 0; r < LOC_DIMS; r++) {
                influence->by[at][k] += change->by_b[k][r] * pull[r];
            }
        }
    }
    influence->error_sum += match->told_error_m * match->told_error_m;
    influence->scans += 1.0;
    loc_filter_begin_way(filter);
}

double loc_influence_variance(const struct loc_influence *influence, int state)
{
    double sum = 0.0;
    if (influence->scans == 0.0) {
        return 0.0;
    }
    for (size_t i = 0; i < influence->n; i++) {
        sum += influence->by[i][state] * influence->by[i][state];
    }
    return LOC_MAP_SHARE * influence->error_sum / influence->scans * sum;
}
