/* SPDX-License-Identifier: Apache-2.0 */
#include "loc_search.h"

#include <string.h>

#define SLICE_CANDIDATES 4000
#define SLICE_CLIMBS     50
#define CLIMB_ROUNDS     6
#define CLIMB_M          0.05
#define CLIMB_RAD        0.03
#define DISTINCT_M       0.15
#define DISTINCT_RAD     0.10

void loc_search_begin(struct loc_search *search, const struct loc_scan *scan,
                      const struct loc_laser *laser)
{
    size_t seen = 0;
    search->n_beams = search->turn = search->place = 0;
    search->n_best = search->climbed = search->n_places = 0;
    for (size_t i = 0; i < scan->n; i++) {
        if (!(scan->range[i] > 0.0)) {
            continue;
        }
        size_t due = search->n_beams * scan->n_returned / LOC_SEARCH_BEAMS;
        if (seen++ >= due && search->n_beams < LOC_SEARCH_BEAMS) {
            double range = (scan->range[i] - laser->bias) / (1.0 + laser->scale);
            double *end = search->beams[search->n_beams++];
            end[0] = scan->x[i] + range * scan->dx[i];
            end[1] = scan->y[i] + range * scan->dy[i];
        }
    }
    search->running = search->n_beams > 0 && search->n_free > 0;
}

static double field_at(const struct loc_search *search, double x, double y)
{
    double i = (x - search->x1) / search->cell_m, j = (y - search->y1) / search->cell_m;
    if (!(i >= 0.0 && j >= 0.0 && i < search->nx && j < search->ny)) {
        return 0.0;
    }
    return (double)search->field[(size_t)j * (size_t)search->nx + (size_t)i];
}

static double share_of_most(const struct loc_search *search, double sum)
{
    return sum / (255.0 * (double)search->n_beams);
}

static double score_turned(const struct loc_search *search, double x, double y)
{
    double sum = 0.0;
    for (size_t i = 0; i < search->n_beams; i++) {
        sum += field_at(search, x + search->turned[i][0], y + search->turned[i][1]);
    }
    return share_of_most(search, sum);
}

/* The least sum over the beams with which a place is among the best. */
static unsigned least_of_best(const struct loc_search *search)
{
    double most = 255.0 * (double)search->n_beams;
    return search->n_best < LOC_SEARCH_BEST ? 0
                                            : (unsigned)lround(search->best[0].score * most) + 1;
}

/* The same by whole cells, half a cell off at most: for the many places of the grid. 0: it is not
 * among the best, whatever the rest of the beams say. */
static double score_cells(const struct loc_search *search, double x, double y)
{
    unsigned least = least_of_best(search);
    int i0 = (int)floor((x - search->x1) / search->cell_m);
    int j0 = (int)floor((y - search->y1) / search->cell_m);
    unsigned nx = (unsigned)search->nx, ny = (unsigned)search->ny, sum = 0;
    for (size_t k = 0; k < search->n_beams; k++) {
        if (sum + 255 * (unsigned)(search->n_beams - k) < least) {
            return 0.0;
        }
        unsigned i = (unsigned)(i0 + search->cells[k][0]);
        unsigned j = (unsigned)(j0 + search->cells[k][1]);
        if (i < nx && j < ny) {
            sum += search->field[(size_t)j * nx + i];
        }
    }
    return share_of_most(search, (double)sum);
}

static void turn_beams(struct loc_search *search, double theta)
{
    double c = cos(theta), s = sin(theta);
    for (size_t i = 0; i < search->n_beams; i++) {
        search->turned[i][0] = c * search->beams[i][0] - s * search->beams[i][1];
        search->turned[i][1] = s * search->beams[i][0] + c * search->beams[i][1];
    }
}

static void turn_cells(struct loc_search *search)
{
    for (size_t i = 0; i < search->n_beams; i++) {
        search->cells[i][0] = (int)lround(search->turned[i][0] / search->cell_m);
        search->cells[i][1] = (int)lround(search->turned[i][1] / search->cell_m);
    }
}

static void swap_places(struct loc_place *a, struct loc_place *b)
{
    struct loc_place kept = *a;
    *a = *b;
    *b = kept;
}

/* Moves the first one down to where its children are better. */
static void sift_down(struct loc_place *heap, size_t n)
{
    for (size_t i = 0; 2 * i + 1 < n;) {
        size_t child = 2 * i + 1;
        child += child + 1 < n && heap[child + 1].score < heap[child].score;
        if (heap[i].score <= heap[child].score) {
            return;
        }
        swap_places(&heap[i], &heap[child]);
        i = child;
    }
}

static void keep_best(struct loc_search *search, const struct loc_place *place)
{
    struct loc_place *heap = search->best;
    if (search->n_best == LOC_SEARCH_BEST) {
        if (place->score > heap[0].score) {
            heap[0] = *place;
            sift_down(heap, search->n_best);
        }
        return;
    }
    size_t i = search->n_best++;
    heap[i] = *place;
    for (; i > 0 && heap[i].score < heap[(i - 1) / 2].score; i = (i - 1) / 2) {
        swap_places(&heap[i], &heap[(i - 1) / 2]);
    }
}

static void score_slice(struct loc_search *search)
{
    double theta = 2.0 * DPL_PI * (double)search->turn / LOC_SEARCH_TURNS;
    turn_beams(search, theta);
    turn_cells(search);
    for (int i = 0; i < SLICE_CANDIDATES && search->place < search->n_free; i++) {
        const float *at = search->free[search->place++];
        struct loc_place place = {{(double)at[0], (double)at[1], theta},
                                  score_cells(search, (double)at[0], (double)at[1])};
        keep_best(search, &place);
    }
    if (search->place == search->n_free) {
        search->place = 0;
        search->turn++;
    }
}

/* Steps along the best of the six directions, halves the steps where there is none. */
static void climb(struct loc_search *search, struct loc_place *place)
{
    double step = CLIMB_M, turn = CLIMB_RAD;
    for (int round = 0; round < CLIMB_ROUNDS; round++) {
        struct loc_place best = *place;
        turn_beams(search, place->laser.theta);
        for (int k = 0; k < 6; k++) {
            double sign = k % 2 == 0 ? 1.0 : -1.0;
            struct dpl_pose2 to = place->laser;
            to.x += k / 2 == 0 ? sign * step : 0.0;
            to.y += k / 2 == 1 ? sign * step : 0.0;
            to.theta += k / 2 == 2 ? sign * turn : 0.0;
            if (k / 2 == 2) {
                turn_beams(search, to.theta);
            }
            double s = score_turned(search, to.x, to.y);
            best = s > best.score ? (struct loc_place){to, s} : best;
        }
        if (best.score <= place->score) {
            step *= 0.5;
            turn *= 0.5;
        }
        *place = best;
    }
}

static bool is_near(const struct loc_place *a, const struct loc_place *b)
{
    return dpl_pose2_distance(a->laser, b->laser) < DISTINCT_M &&
           fabs(dpl_wrap_angle(a->laser.theta - b->laser.theta)) < DISTINCT_RAD;
}

static void keep_distinct(struct loc_search *search, const struct loc_place *place)
{
    for (size_t i = 0; i < search->n_places; i++) {
        if (is_near(place, &search->places[i])) {
            return;
        }
    }
    search->places[search->n_places++] = *place;
}

/* Best first; the heap is small. */
static void list_places(struct loc_search *search)
{
    while (search->n_places < LOC_SEARCH_PLACES && search->n_best > 0) {
        size_t best = 0;
        for (size_t i = 1; i < search->n_best; i++) {
            best = search->best[i].score > search->best[best].score ? i : best;
        }
        keep_distinct(search, &search->best[best]);
        search->best[best] = search->best[--search->n_best];
    }
}

bool loc_search_step(struct loc_search *search)
{
    if (!search->running) {
        return false;
    }
    if (search->turn < LOC_SEARCH_TURNS) {
        score_slice(search);
        return false;
    }
    for (int i = 0; i < SLICE_CLIMBS && search->climbed < search->n_best; i++) {
        climb(search, &search->best[search->climbed++]);
    }
    if (search->climbed < search->n_best) {
        return false;
    }
    list_places(search);
    search->running = false;
    return true;
}
