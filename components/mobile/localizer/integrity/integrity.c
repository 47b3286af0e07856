/* SPDX-License-Identifier: Apache-2.0 */
#include "integrity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAP_DECIDED_M   1.5
#define MAP_UNDECIDED_M 5.0
#define EVERY_DECIDED_S 2.0
#define EVERY_S         1.0
#define WHOLE_EVERY     3 /* of the searches while it is proven: the whole plan, else known rivals */
#define SLICES          100.0 /* of a search, about: within its time, */
#define SLICES_MOST     10    /* and not more of them in a cycle */
#define ENOUGH_BEAMS    60
#define ENOUGH_SHARE    4 /* of few beams */
#define FOLLOWED_M      0.3
#define FOLLOWED_RAD    0.15
#define TOLD_M          1.0 /* of way: so long the told start excludes what is beside it */
#define FIRM_M          0.05
#define FIRM_RAD        0.035

struct integrity {
    struct integrity_config config;
    struct loc_scan scan; /* a copy: casts are the monitor's own */
    struct loc_match match;
    struct continuity continuity;
    struct drift drift;
    struct local_map map;
    struct evidence_plan plan;
    struct protection protection;
    struct rivals rivals;
    struct strike strike;
    struct rules rules;
    struct rivals_input followed;
    struct protection_result protected;
    struct continuity_result foretold;
    double fit, lead, searched_s;
    double stepped_s, due; /* time of the last cycle, NAN: none; slices that are due */
    bool has_lead;
    unsigned n_partial; /* searches since the one of the whole plan */
    uint64_t relocations;
    struct dpl_pose2 decided; /* the laser when the place was last decided, by odometry since */
};

int integrity_create(const struct integrity_config *config, struct integrity **ret_integrity)
{
    struct integrity *i = calloc(1, sizeof *i);
    if (!i) {
        return -ENOMEM;
    }
    i->config = *config;
    bool all = loc_scan_init(&i->scan, config->beams_max) &&
               loc_match_init(&i->match, config->plan, config->n_outlines, config->n_objects) &&
               continuity_init(&i->continuity, config->beams_max) &&
               evidence_plan_init(&i->plan, &i->match, config->outlines, config->n_outlines) &&
               protection_init(&i->protection, i->plan.group, i->plan.n_groups) &&
               strike_init(&i->strike, config->n_objects);
    if (!all) {
        integrity_destroy(i);
        return -ENOMEM;
    }
    i->config.outlines = NULL;
    local_map_init(&i->map);
    rivals_init(&i->rivals, config->search);
    rules_init(&i->rules, &config->rules);
    i->searched_s = -(double)INFINITY;
    i->stepped_s = (double)NAN;
    *ret_integrity = i;
    return 0;
}

void integrity_destroy(struct integrity *integrity)
{
    if (integrity) {
        loc_scan_finish(&integrity->scan);
        loc_match_finish(&integrity->match);
        continuity_finish(&integrity->continuity);
        evidence_plan_finish(&integrity->plan);
        protection_finish(&integrity->protection);
        strike_finish(&integrity->strike);
        free(integrity);
    }
}

/* Fit, and what this scan alone fixes, at the estimated laser. */
static void judge(struct integrity *i, const struct integrity_scan *scan)
{
    const struct loc_kernel kernel = {1, 1.0, (double)INFINITY};
    struct loc_information information;
    struct loc_judgement judged;
    i->match.map_error_m = fmax(i->config.least_map_m, scan->map_error_m);
    loc_match_evaluate(&i->match, &i->scan, &scan->laser, &kernel, &information);
    loc_match_judge(&i->match, &i->scan, &scan->laser, 1, &judged);
    i->fit = judged.n_judged > 0 ? judged.trusted_openness : 1.0;
    struct protection_input input = {
        .match = &i->match,
        .bias_variance = scan->bias_variance,
        .scale_variance = scan->scale_variance,
        .nis = scan->nis,
        .innovation_m = scan->innovation_m,
    };
    memcpy(input.position, scan->position, sizeof input.position);
    protection_scan(&i->protection, &input, &i->protected);
}

static size_t enough(const struct loc_scan *scan)
{
    return scan->n / ENOUGH_SHARE < ENOUGH_BEAMS ? scan->n / ENOUGH_SHARE : ENOUGH_BEAMS;
}

static void act(struct integrity *i, const struct rules_outcome *outcome, double stamp_s)
{
    if (outcome->doubted) {
        strike_doubt(&i->strike, stamp_s, &i->match);
    }
    if (outcome->doubted || outcome->proven) {
        drift_forget(&i->drift);
    }
    if (outcome->empties) {
        local_map_empty(&i->map);
    }
    if (outcome->doubted || outcome->empties) {
        rivals_stop(&i->rivals, outcome->empties);
        i->searched_s = -(double)INFINITY;
    }
}

static bool drifts(struct integrity *i, const struct integrity_scan *scan)
{
    const double sigma[2] = {i->protected.sigma_m, i->protected.sigma_rad};
    return drift_scan(&i->drift, scan->laser.pose, scan->moved, &scan->odometry, sigma);
}

/* Who told the start has told that it is not beside it, either. */
static bool is_told_here(const struct integrity *i)
{
    return rules_basis(&i->rules) == INTEGRITY_TOLD && i->map.way_m - i->rules.doubt_m < TOLD_M;
}

static double level_of(const struct integrity *i)
{
    return i->protected.level_m + (is_told_here(i) ? 0.0 : i->rivals.near_m);
}

/* Whether the laser is where odometry alone has it since the place was decided. */
static bool follows(const struct integrity *i, struct dpl_pose2 laser)
{
    return dpl_pose2_distance(i->decided, laser) < FOLLOWED_M &&
           fabs(dpl_wrap_angle(i->decided.theta - laser.theta)) < FOLLOWED_RAD;
}

static void walk(struct integrity *i, const struct integrity_scan *scan)
{
    struct rules_outcome outcome;
    i->decided = dpl_pose2_compose(i->decided, scan->moved);
    struct rules_scan facts = {
        .stamp_s = scan->scan->stamp_s,
        .placed = scan->placed,
        .relocated = scan->relocations != i->relocations,
        .follows = follows(i, scan->laser.pose),
        .n_compared = i->foretold.n_compared,
        .n_enough = enough(scan->scan),
        .continuity = i->foretold.share,
        .fit = i->fit,
        .nis = scan->nis,
        .level_m = level_of(i),
        .sigma_m = i->protected.sigma_m,
        .sigma_rad = i->protected.sigma_rad,
        .drifts = drifts(i, scan),
        .way_m = i->map.way_m,
        .has_lead = i->has_lead,
        .lead = i->lead,
    };
    i->relocations = scan->relocations;
    i->has_lead = false;
    rules_scan(&i->rules, &facts, &outcome);
    act(i, &outcome, facts.stamp_s);
    i->decided = rules_is_decided(&i->rules) ? scan->laser.pose : i->decided;
}

static void strike(struct integrity *i, const struct integrity_scan *scan)
{
    bool firm = i->rules.state == INTEGRITY_OK && i->protected.sigma_m < FIRM_M &&
                i->protected.sigma_rad < FIRM_RAD;
    strike_scan(&i->strike, scan->reliability, scan->scan->stamp_s, firm, &i->match);
}

/* Whether other places are compared with the followed one. */
static bool compares(const struct integrity *i)
{
    return rules_is_decided(&i->rules) || i->rules.state == INTEGRITY_AMBIGUOUS;
}

static void search(struct integrity *i, const struct integrity_scan *scan)
{
    bool decided = rules_is_decided(&i->rules);
    double every_s = decided ? EVERY_DECIDED_S : EVERY_S, stamp_s = scan->scan->stamp_s;
    i->followed = (struct rivals_input){
        .plan = &i->plan,
        .map = &i->map,
        .length_m = decided ? MAP_DECIDED_M : MAP_UNDECIDED_M,
        .laser = scan->laser,
    };
    if (compares(i) && i->rivals.phase == RIVALS_IDLE && stamp_s - i->searched_s >= every_s) {
        bool whole = !i->rules.proven || ++i->n_partial >= WHOLE_EVERY;
        i->searched_s = stamp_s;
        i->n_partial = whole ? 0 : i->n_partial;
        rivals_begin(&i->rivals, &i->scan, &i->followed, whole);
    }
}

void integrity_scan(struct integrity *integrity, const struct integrity_scan *scan)
{
    loc_scan_copy(&integrity->scan, scan->scan);
    continuity_scan(&integrity->continuity, &integrity->scan, scan->moved, &integrity->foretold);
    judge(integrity, scan);
    walk(integrity, scan);
    local_map_scan(&integrity->map, &integrity->scan, scan->moved);
    strike(integrity, scan);
    search(integrity, scan);
}

/* By time, so that a search takes as long in short cycles as in long ones. */
static int due_slices(struct integrity *i, double now_s)
{
    double within_s = rules_is_decided(&i->rules) ? EVERY_DECIDED_S : EVERY_S;
    double since_s = now_s - i->stepped_s; /* NAN in the first cycle */
    i->due = fmin(i->due + fmax(since_s, 0.0) * 2.0 * SLICES / within_s, SLICES_MOST);
    int slices = (int)i->due;
    i->due -= slices;
    i->stepped_s = now_s;
    return slices;
}

void integrity_step(struct integrity *integrity, double now_s)
{
    rules_step(&integrity->rules, now_s);
    int slices = due_slices(integrity, now_s);
    for (int k = 0; k < slices && integrity->rivals.phase != RIVALS_IDLE; k++) {
        if (rivals_step(&integrity->rivals, &integrity->followed, &integrity->lead)) {
            integrity->has_lead = true;
        }
    }
}

static void fill_rivals(const struct integrity *i, struct integrity_verdict *verdict)
{
    struct dpl_pose2 laser = i->followed.laser.pose,
                     back = dpl_pose2_relative(laser, (struct dpl_pose2){0});
    verdict->n_rivals =
        rivals_possible(&i->rivals, laser, i->map.odometry, INTEGRITY_RIVALS, verdict->rivals);
    for (size_t k = 0; k < verdict->n_rivals; k++) {
        verdict->rivals[k] = dpl_pose2_compose(verdict->rivals[k], back);
    }
}

void integrity_verdict(const struct integrity *integrity, struct integrity_verdict *ret_verdict)
{
    const struct rules *rules = &integrity->rules;
    *ret_verdict = (struct integrity_verdict){
        .state = rules->state,
        .reason = rules->reason,
        .basis = rules_basis(rules),
        .level_m = rules_is_decided(rules) ? level_of(integrity) : (double)INFINITY,
        .protection = integrity->protected,
        .continuity = integrity->foretold.share,
        .fit = integrity->fit,
        .lead = rules->lead,
    };
    if (compares(integrity)) {
        fill_rivals(integrity, ret_verdict);
    }
}
