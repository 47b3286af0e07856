/* SPDX-License-Identifier: Apache-2.0 */
#include "rivals.h"

#include <string.h>

#define OTHER_M      0.12
#define OTHER_RAD    0.0524 /* 3 deg */
#define NEIGHBOUR_M  0.3
#define NEAR_M       0.6
#define EXCLUDES     10.0 /* nats */
#define WEIGHED      2    /* places a slice */
#define LEAD_OF_NONE 100.0

void rivals_init(struct rivals *rivals, const struct loc_search *search)
{
    memset(rivals, 0, sizeof *rivals);
    rivals->search = *search;
    rivals->search.running = false;
}

void rivals_stop(struct rivals *rivals, bool places)
{
    rivals->phase = RIVALS_IDLE;
    rivals->search.running = false;
    rivals->n_kept = places ? 0 : rivals->n_kept;
    rivals->near_m = 0.0;
}

/* The place of the odometry's frame with the laser at `laser` in the plan, at `at` in the frame. */
static struct dpl_pose2 place_of(struct dpl_pose2 laser, struct dpl_pose2 at)
{
    return dpl_pose2_compose(laser, dpl_pose2_relative(at, (struct dpl_pose2){0}));
}

static void add(struct rivals *rivals, struct dpl_pose2 place)
{
    if (rivals->n < RIVALS_MAX) {
        rivals->list[rivals->n++] = (struct rival){.place = place};
    }
}

static void add_neighbours(struct rivals *rivals, const struct rivals_input *input)
{
    static const struct dpl_pose2 steps[RIVALS_NEIGHBOURS] = {
        {NEIGHBOUR_M, 0, 0}, {-NEIGHBOUR_M, 0, 0}, {0, NEIGHBOUR_M, 0}, {0, -NEIGHBOUR_M, 0},
        {0, 0, 0.0873},      {0, 0, -0.0873},      {0, 0, 0.1745},      {0, 0, -0.1745},
    };
    for (int i = 0; i < RIVALS_NEIGHBOURS; i++) {
        struct dpl_pose2 laser = dpl_pose2_compose(input->laser.pose, steps[i]);
        add(rivals, place_of(laser, input->map->odometry));
    }
}

static void list_all(struct rivals *rivals, const struct rivals_input *input)
{
    const struct loc_search *search = &rivals->search;
    rivals->n = rivals->next = rivals->n_refined = 0;
    for (size_t i = 0; i < search->n_places && i < RIVALS_FOUND; i++) {
        add(rivals, place_of(search->places[i].laser, rivals->searched));
    }
    for (size_t i = 0; i < rivals->n_kept; i++) {
        add(rivals, rivals->kept[i].place);
    }
    add_neighbours(rivals, input);
    rivals->followed = (struct rival){.place = place_of(input->laser.pose, input->map->odometry)};
    local_map_look(input->map, input->length_m, &rivals->view);
    rivals->phase = rivals->view.n > 0 ? RIVALS_WEIGHS : RIVALS_IDLE;
}

void rivals_begin(struct rivals *rivals, const struct loc_scan *scan,
                  const struct rivals_input *input, bool whole)
{
    rivals->searched = input->map->odometry;
    if (whole) {
        loc_search_begin(&rivals->search, scan, &input->laser);
        rivals->phase = rivals->search.running ? RIVALS_SEARCHES : RIVALS_IDLE;
    } else {
        rivals->search.n_places = 0;
        list_all(rivals, input);
    }
}

static struct dpl_pose2 laser_at(const struct rivals *rivals, const struct rival *rival)
{
    return dpl_pose2_compose(rival->place, rivals->view.frames[0].pose);
}

static bool are_same(struct dpl_pose2 p, struct dpl_pose2 q)
{
    return dpl_pose2_distance(p, q) <= OTHER_M &&
           fabs(dpl_wrap_angle(p.theta - q.theta)) <= OTHER_RAD;
}

static bool is_same(const struct rivals *rivals, const struct rival *a, const struct rival *b)
{
    return are_same(laser_at(rivals, a), laser_at(rivals, b));
}

static void refine(const struct rivals *rivals, const struct rivals_input *input,
                   struct rival *rival)
{
    struct dpl_pose2 better =
        evidence_refine(input->plan, &rivals->view, &input->laser, rival->place);
    double evidence = evidence_of(input->plan, &rivals->view, &input->laser, better);
    if (evidence > rival->evidence) {
        rival->place = better;
        rival->evidence = evidence;
    }
    rival->refined = true;
}

static void weigh(struct rivals *rivals, const struct rivals_input *input, struct rival *rival)
{
    rival->evidence = evidence_of(input->plan, &rivals->view, &input->laser, rival->place);
}

static void weigh_slice(struct rivals *rivals, const struct rivals_input *input)
{
    for (int i = 0; i < WEIGHED && rivals->next < rivals->n; i++) {
        weigh(rivals, input, &rivals->list[rivals->next++]);
    }
    if (rivals->next == rivals->n) {
        weigh(rivals, input, &rivals->followed);
        refine(rivals, input, &rivals->followed);
        rivals->phase = RIVALS_REFINES;
    }
}

/* The best that is not the followed one; NULL: none. */
static struct rival *best_other(struct rivals *rivals, bool unrefined)
{
    struct rival *best = NULL;
    for (size_t i = 0; i < rivals->n; i++) {
        struct rival *r = &rivals->list[i];
        bool better = !best || r->evidence > best->evidence;
        if (better && !(unrefined && r->refined) && !is_same(rivals, r, &rivals->followed)) {
            best = r;
        }
    }
    return best;
}

/* Those that are carried along to the next search. */
static void keep_best(struct rivals *rivals)
{
    rivals->n_kept = 0;
    for (struct rival *best; rivals->n_kept < RIVALS_KEPT && (best = best_other(rivals, false));
         best->evidence = -(double)INFINITY) {
        bool doubled = !isfinite(best->evidence);
        for (size_t i = 0; i < rivals->n_kept && !doubled; i++) {
            doubled = is_same(rivals, best, &rivals->kept[i]);
        }
        if (!isfinite(best->evidence)) {
            return;
        }
        if (!doubled) {
            best->possible = best->evidence > rivals->followed.evidence - EXCLUDES;
            rivals->kept[rivals->n_kept++] = *best;
        }
    }
}

/* Places beside the followed one that explain the scans as well belong to where the robot may be: a
 * covariance around one of them does not know of the next. */
static double near_rivals(const struct rivals *rivals)
{
    double most = 0.0;
    for (size_t i = 0; i < rivals->n; i++) {
        const struct rival *r = &rivals->list[i];
        double off = dpl_pose2_distance(laser_at(rivals, r), laser_at(rivals, &rivals->followed));
        bool possible = r->evidence > rivals->followed.evidence - EXCLUDES;
        if (possible && off < NEAR_M && !is_same(rivals, r, &rivals->followed)) {
            most = fmax(most, off);
        }
    }
    return most;
}

size_t rivals_possible(const struct rivals *rivals, struct dpl_pose2 laser,
                       struct dpl_pose2 odometry, size_t max, struct dpl_pose2 *ret_lasers)
{
    size_t n = 0;
    for (size_t i = 0; i < rivals->n_kept && n < max; i++) {
        struct dpl_pose2 other = dpl_pose2_compose(rivals->kept[i].place, odometry);
        if (rivals->kept[i].possible && !are_same(other, laser)) {
            ret_lasers[n++] = other;
        }
    }
    return n;
}

static double lead_of(struct rivals *rivals)
{
    const struct rival *best = best_other(rivals, false);
    return best ? rivals->followed.evidence - best->evidence : LEAD_OF_NONE;
}

bool rivals_step(struct rivals *rivals, const struct rivals_input *input, double *ret_lead)
{
    struct rival *best;
    switch (rivals->phase) {
    case RIVALS_IDLE: return false;
    case RIVALS_SEARCHES:
        if (loc_search_step(&rivals->search)) {
            list_all(rivals, input);
        }
        return false;
    case RIVALS_WEIGHS: weigh_slice(rivals, input); return false;
    case RIVALS_REFINES: break;
    }
    best = rivals->n_refined++ < RIVALS_REFINED ? best_other(rivals, true) : NULL;
    if (best) {
        refine(rivals, input, best);
        return false;
    }
    *ret_lead = lead_of(rivals);
    rivals->near_m = near_rivals(rivals);
    keep_best(rivals);
    rivals->phase = RIVALS_IDLE;
    return true;
}
