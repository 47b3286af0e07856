/* SPDX-License-Identifier: Apache-2.0 */
/* Global search: where in the free space of the plan a scan may have been made. Scores all places
 * and headings of a grid by a likelihood field (Thrun, Burgard, Fox, Probabilistic Robotics, 2005,
 * section 6.4), climbs from the best ones. In slices of a fixed number of candidates. */
#ifndef LOC_SEARCH_H
#define LOC_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "loc_scan.h"

#define LOC_SEARCH_BEAMS  48
#define LOC_SEARCH_BEST   400
#define LOC_SEARCH_PLACES 48
#define LOC_SEARCH_TURNS  60

struct loc_place {
    struct dpl_pose2 laser; /* in the plan */
    double score;           /* 0 to 1 */
};

struct loc_search {
    double x1, y1, cell_m; /* of the field */
    int nx, ny;
    uint8_t *field;   /* [nx * ny] 255: a surface is near */
    float (*free)[2]; /* [n_free] places of the grid that a laser may be at */
    size_t n_free;
    double beams[LOC_SEARCH_BEAMS][2], turned[LOC_SEARCH_BEAMS][2]; /* ends, laser frame; turned */
    int cells[LOC_SEARCH_BEAMS][2];                                 /* the same, turned, in cells */
    size_t n_beams;
    size_t turn, place;                     /* next candidate */
    struct loc_place best[LOC_SEARCH_BEST]; /* a heap: the worst is first */
    size_t n_best, climbed;
    struct loc_place places[LOC_SEARCH_PLACES]; /* distinct, best first, when done */
    size_t n_places;
    bool running;
};

/* Makes field and free space of a plan. False: out of memory; loc_search_finish frees the rest. */
bool loc_search_init(struct loc_search *search, const struct dpl_raycast_index *plan,
                     const struct dpl_raycast_outline *outlines, size_t n);
void loc_search_finish(struct loc_search *search);

/* Most of what a laser could see from there within 10 m is not in the plan: the place is no part of
 * the space that is searched. */
bool loc_search_is_outside(const struct dpl_raycast_index *plan, double x, double y);

/* Begins with the ranges of a scan, less the bias and scale of `laser`. */
void loc_search_begin(struct loc_search *search, const struct loc_scan *scan,
                      const struct loc_laser *laser);

/* One slice: at most 4000 candidates, or 50 climbs. True: done, `places` are there. */
bool loc_search_step(struct loc_search *search);

#endif
