/* SPDX-License-Identifier: Apache-2.0 */
#include "rules.h"

#include <math.h>

#define BROKEN            0.6  /* share of foretold beams below which the robot was moved */
#define BROKEN_DOUBTFUL   0.75 /* the same where something else speaks for it */
#define SHAKEN            0.8  /* a local map with such a scan is bent */
#define NIS_LIMIT         12.0
#define FELL              0.1 /* of the fit */
#define LEAST_FIT         0.5
#define FIT_FALL          0.35
#define FIT_MEAN_S        10.0
#define UNFIT_SCANS       2
#define UNFIT_LONG_S      3.0
#define UNTESTED_S        0.5
#define WITHHELD_S        0.5 /* after a scan that shows too little: OK does not flicker */
#define GAPS              2.0
#define GAP_MOST_S        5.0
#define TESTED_SHARE      0.25 /* of the alert limit, 1 sigma */
#define TESTED_RAD        0.0524
#define DECIDES           10.0 /* nats */
#define STRONG            30.0
#define APART_M           0.15
#define LEAST_WAY_M       0.5
#define DECIDES_FALL      0.2
#define LED               (-5.0)
#define OUTRANKED         (-15.0)
#define OUTRANKED_AT_ONCE (-45.0)
#define OUTRANKED_FALL    0.08
#define FOLLOWED_CREDIT   10.0    /* of a place that was proven and followed, */
#define ABANDONED_CREDIT  (-20.0) /* and of another that the estimator went to from there */
#define RETURN_CREDIT     3.0
#define RETURN_S          1.0 /* a shorter gap is one that the scan before it may bridge */
#define USUAL_CREDIT      4.0

void rules_init(struct rules *rules, const struct rules_config *config)
{
    *rules = (struct rules){
        .config = *config,
        .fit_mean = (double)NAN,
        .lead = (double)NAN,
        .unfit_s = (double)NAN,
        .tested_s = (double)NAN,
        .scan_s = (double)NAN,
        .withheld_s = (double)NAN,
    };
}

bool rules_is_decided(const struct rules *rules)
{
    return rules->state == INTEGRITY_OK || rules->state == INTEGRITY_DEGRADED;
}

enum integrity_basis rules_basis(const struct rules *rules)
{
    if (!rules_is_decided(rules)) {
        return INTEGRITY_NO_BASIS;
    }
    return !rules->proven           ? INTEGRITY_TOLD
           : rules->lead >= DECIDES ? INTEGRITY_PROVEN
                                    : INTEGRITY_FOLLOWED;
}

/* ---- guards ---- */

static double fall(const struct rules *r, const struct rules_scan *s)
{
    return isnan(r->fit_mean) ? 0.0 : r->fit_mean - s->fit;
}

static bool always(const struct rules *r, const struct rules_scan *s)
{
    (void)r;
    (void)s;
    return true;
}

static bool is_unplaced(const struct rules *r, const struct rules_scan *s)
{
    (void)r;
    return !s->placed;
}

/* A start that is believed holds from the second scan on, unless the robot was found elsewhere. */
static bool is_believed(const struct rules *r, const struct rules_scan *s)
{
    (void)s;
    return r->config.start_credit >= STRONG && !r->strayed;
}

static bool is_first(const struct rules *r, const struct rules_scan *s)
{
    return is_believed(r, s) && !(r->gap_s > 0.0);
}

/* The scan after a short gap is where odometry and the scan before the gap foretell it. */
static bool is_bridged(const struct rules *r, const struct rules_scan *s)
{
    return r->was_decided && !s->relocated && r->gap_s <= RETURN_S &&
           s->n_compared >= s->n_enough && s->continuity >= SHAKEN;
}

static bool is_relocated(const struct rules *r, const struct rules_scan *s)
{
    (void)r;
    return s->relocated;
}

static bool is_broken(const struct rules *r, const struct rules_scan *s)
{
    (void)r;
    return s->n_compared >= s->n_enough && s->continuity < BROKEN;
}

static bool is_doubtful(const struct rules *r, const struct rules_scan *s)
{
    return s->n_compared >= s->n_enough && s->continuity < BROKEN_DOUBTFUL &&
           (fall(r, s) >= FELL || s->nis > NIS_LIMIT);
}

static bool is_shaken(const struct rules *r, const struct rules_scan *s)
{
    (void)r;
    return (s->n_compared >= s->n_enough && s->continuity < SHAKEN) || s->nis > NIS_LIMIT;
}

static bool is_outranked(const struct rules *r, const struct rules_scan *s)
{
    return s->has_lead &&
           ((r->n_against >= 2 && fall(r, s) >= OUTRANKED_FALL) || s->lead < OUTRANKED_AT_ONCE);
}

/* What was told is believed until another place explains the scans clearly better. */
static bool is_refuted(const struct rules *r, const struct rules_scan *s)
{
    return s->has_lead && !r->proven && s->lead + r->credit < DECIDES;
}

static bool is_undecided(const struct rules *r, const struct rules_scan *s)
{
    bool way = r->n_for >= 2 && s->way_m - r->doubt_m >= LEAST_WAY_M;
    return !(way || r->n_strong >= 2) || fall(r, s) > DECIDES_FALL;
}

static bool is_untested(const struct rules *r, const struct rules_scan *s)
{
    return !(s->stamp_s - r->tested_s <= UNTESTED_S);
}

static bool is_unfit(const struct rules *r, const struct rules_scan *s)
{
    (void)s;
    return r->n_unfit >= UNFIT_SCANS || r->needs_lead;
}

static bool is_drifted(const struct rules *r, const struct rules_scan *s)
{
    (void)s;
    return r->needs_proof;
}

static bool is_led(const struct rules *r, const struct rules_scan *s)
{
    (void)s;
    return r->lead < LED; /* false: none yet */
}

static bool is_inaccurate(const struct rules *r, const struct rules_scan *s)
{
    return !(s->level_m <= r->config.alert_limit_m);
}

static bool is_withheld(const struct rules *r, const struct rules_scan *s)
{
    return s->stamp_s - r->withheld_s < WITHHELD_S; /* false: never */
}

/* ---- the table ---- */

#define IN(state) (1u << INTEGRITY_##state)
#define ANYWHERE  (~0u)
#define DECIDED   (IN(OK) | IN(DEGRADED))
#define PLACED    (IN(AMBIGUOUS) | DECIDED)
#define KEPT      INTEGRITY_REASONS /* the reason stays what it is */

struct row {
    unsigned from;
    bool (*guard)(const struct rules *rules, const struct rules_scan *scan);
    enum integrity_state next;
    enum integrity_reason reason;
    bool doubts, empties;
    bool goes_on; /* the rows below judge the state that it enters, too */
};

static const struct row rows[] = {
    {IN(INIT), is_unplaced, INTEGRITY_INIT, INTEGRITY_START, .empties = true},
    {IN(INIT), is_first, INTEGRITY_INIT, INTEGRITY_START, .empties = true},
    {IN(INIT), is_believed, INTEGRITY_DEGRADED, INTEGRITY_START, true, true, true},
    {IN(COASTING), is_bridged, INTEGRITY_DEGRADED, INTEGRITY_NO_SCANS, .goes_on = true},
    {ANYWHERE, is_unplaced, INTEGRITY_LOST, INTEGRITY_NO_PLACE, true, true, false},
    {IN(INIT), always, INTEGRITY_AMBIGUOUS, INTEGRITY_START, true, true, false},
    {IN(LOST), always, INTEGRITY_AMBIGUOUS, INTEGRITY_RELOCATED, true, true, false},
    {IN(COASTING), always, INTEGRITY_AMBIGUOUS, INTEGRITY_RETURNED, true, true, false},
    {PLACED, is_relocated, INTEGRITY_AMBIGUOUS, INTEGRITY_RELOCATED, true, false, false},
    {PLACED, is_broken, INTEGRITY_AMBIGUOUS, INTEGRITY_MOVED, true, true, false},
    {DECIDED, is_doubtful, INTEGRITY_AMBIGUOUS, INTEGRITY_MOVED, true, true, false},
    {DECIDED, is_outranked, INTEGRITY_AMBIGUOUS, INTEGRITY_OUTRANKED, true, false, false},
    {DECIDED, is_refuted, INTEGRITY_AMBIGUOUS, INTEGRITY_OUTRANKED, true, false, false},
    {IN(AMBIGUOUS), is_shaken, INTEGRITY_AMBIGUOUS, KEPT, false, true, false},
    {IN(AMBIGUOUS), is_undecided, INTEGRITY_AMBIGUOUS, KEPT, false, false, false},
    {PLACED, is_untested, INTEGRITY_DEGRADED, INTEGRITY_UNTESTED, false, false, false},
    {PLACED, is_unfit, INTEGRITY_DEGRADED, INTEGRITY_UNFIT, false, false, false},
    {PLACED, is_drifted, INTEGRITY_DEGRADED, INTEGRITY_DRIFTED, false, false, false},
    {PLACED, is_led, INTEGRITY_DEGRADED, INTEGRITY_RIVAL, false, false, false},
    {PLACED, is_inaccurate, INTEGRITY_DEGRADED, INTEGRITY_INACCURATE, false, false, false},
    {IN(DEGRADED), is_withheld, INTEGRITY_DEGRADED, KEPT, false, false, false},
    {PLACED, always, INTEGRITY_OK, INTEGRITY_NO_REASON, false, false, false},
};

/* Followed beats plan: that the estimator jumps elsewhere while each scan foretells the next is no
 * proof that the robot did. */
static double credit_of(const struct rules *rules, enum integrity_reason reason, bool follows)
{
    switch (reason) {
    case INTEGRITY_START: return rules->strayed ? 0.0 : rules->config.start_credit;
    case INTEGRITY_RETURNED: return RETURN_CREDIT;
    case INTEGRITY_RELOCATED:
        return !rules->abandons ? 0.0 : follows ? FOLLOWED_CREDIT : ABANDONED_CREDIT;
    default: return 0.0;
    }
}

static void forget_leads(struct rules *rules)
{
    rules->n_for = rules->n_strong = rules->n_against = 0;
    rules->lead = (double)NAN;
}

static void doubt(struct rules *rules, const struct row *row, const struct rules_scan *scan)
{
    bool leaves = row->reason == INTEGRITY_NO_PLACE || row->reason == INTEGRITY_RELOCATED;
    rules->abandons = leaves && (rules->abandons || rules->proven);
    rules->credit = credit_of(rules, row->reason, scan->follows);
    rules->doubt_m = scan->way_m;
    rules->proven = rules->needs_lead = rules->needs_proof = false;
    rules->n_unfit = 0;
    rules->unfit_s = (double)NAN;
}

static void enter(struct rules *rules, const struct row *row, const struct rules_scan *scan,
                  struct rules_outcome *ret_outcome)
{
    bool decides = rules->state == INTEGRITY_AMBIGUOUS && row->next != INTEGRITY_AMBIGUOUS &&
                   row->next != INTEGRITY_LOST;
    rules->proven |= decides && rules->lead >= DECIDES - USUAL_CREDIT;
    if (row->reason == INTEGRITY_UNTESTED || row->reason == INTEGRITY_INACCURATE) {
        rules->withheld_s = scan->stamp_s;
    }
    rules->state = row->next;
    rules->reason = row->reason == KEPT ? rules->reason : row->reason;
    if (row->doubts) {
        doubt(rules, row, scan);
    }
    if (row->doubts || row->empties) {
        forget_leads(rules);
    }
    ret_outcome->doubted |= row->doubts;
    ret_outcome->empties |= row->empties;
}

/* ---- what scans add up to ---- */

static void count_lead(struct rules *rules, const struct rules_scan *scan)
{
    double lead = scan->lead + rules->credit;
    bool fits = lead >= DECIDES, apart = rules->n_for == 0 || scan->way_m - rules->for_m >= APART_M;
    rules->lead = scan->lead;
    rules->n_strong = lead >= STRONG ? rules->n_strong + 1 : 0;
    rules->n_against = scan->lead < OUTRANKED ? rules->n_against + 1 : 0;
    rules->needs_lead = rules->needs_lead && scan->lead < 0.0;
    rules->needs_proof = rules->needs_proof && scan->lead < DECIDES;
    if (!fits) {
        rules->n_for = 0;
    } else if (apart) {
        rules->n_for++;
        rules->for_m = scan->way_m;
    }
    rules->proven |= rules_is_decided(rules) && scan->lead >= DECIDES && rules->n_for >= 2;
}

static void count_fit(struct rules *rules, const struct rules_scan *scan)
{
    double gap_s = scan->stamp_s - rules->scan_s;
    bool learns = rules_is_decided(rules) || rules->reason == INTEGRITY_START;
    if (isnan(rules->fit_mean)) {
        rules->fit_mean = scan->fit;
    } else if (learns && gap_s > 0.0) {
        rules->fit_mean += fmin(gap_s / FIT_MEAN_S, 1.0) * (scan->fit - rules->fit_mean);
    }
    if (scan->fit >= fmax(LEAST_FIT, rules->fit_mean - FIT_FALL)) {
        rules->n_unfit = 0;
        rules->unfit_s = (double)NAN;
        return;
    }
    rules->unfit_s = rules->n_unfit++ == 0 ? scan->stamp_s : rules->unfit_s;
    rules->needs_lead |= scan->stamp_s - rules->unfit_s >= UNFIT_LONG_S;
}

static bool is_tested(const struct rules *rules, const struct rules_scan *scan)
{
    return scan->sigma_m < TESTED_SHARE * rules->config.alert_limit_m &&
           scan->sigma_rad < TESTED_RAD && scan->n_compared >= scan->n_enough;
}

void rules_scan(struct rules *rules, const struct rules_scan *scan,
                struct rules_outcome *ret_outcome)
{
    *ret_outcome = (struct rules_outcome){.proven = scan->has_lead && scan->lead >= DECIDES};
    rules_step(rules, scan->stamp_s);
    if (scan->has_lead) {
        count_lead(rules, scan);
    }
    if (scan->placed) {
        count_fit(rules, scan);
    }
    rules->needs_proof |= scan->drifts && rules_is_decided(rules);
    rules->tested_s = is_tested(rules, scan) ? scan->stamp_s : rules->tested_s;
    rules->gap_s = isnan(rules->scan_s) ? 0.0 : scan->stamp_s - rules->scan_s;
    rules->scan_s = scan->stamp_s;
    rules->strayed |= scan->relocated;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((rows[i].from >> rules->state & 1u) && rows[i].guard(rules, scan)) {
            enter(rules, &rows[i], scan, ret_outcome);
            if (!rows[i].goes_on) {
                return;
            }
        }
    }
}

void rules_step(struct rules *rules, double now_s)
{
    bool has_place = rules->state != INTEGRITY_INIT && rules->state != INTEGRITY_LOST;
    double patience_s = fmax(rules->config.scan_gap_s, GAPS * fmin(rules->gap_s, GAP_MOST_S));
    if (has_place && now_s - rules->scan_s > patience_s) {
        rules->was_decided =
            rules->state == INTEGRITY_COASTING ? rules->was_decided : rules_is_decided(rules);
        rules->state = INTEGRITY_COASTING;
        rules->reason = INTEGRITY_NO_SCANS;
    }
}

const char *rules_state_name(enum integrity_state state)
{
    static const char *const names[INTEGRITY_STATES] = {
        [INTEGRITY_INIT] = "INIT",
        [INTEGRITY_AMBIGUOUS] = "AMBIGUOUS",
        [INTEGRITY_OK] = "OK",
        [INTEGRITY_DEGRADED] = "DEGRADED",
        [INTEGRITY_COASTING] = "COASTING",
        [INTEGRITY_LOST] = "LOST",
    };
    return (unsigned)state < INTEGRITY_STATES ? names[state] : "unknown";
}

const char *rules_reason_name(enum integrity_reason reason)
{
    static const char *const names[INTEGRITY_REASONS] = {
        [INTEGRITY_NO_REASON] = "",          [INTEGRITY_START] = "start",
        [INTEGRITY_MOVED] = "moved",         [INTEGRITY_RELOCATED] = "relocated",
        [INTEGRITY_OUTRANKED] = "outranked", [INTEGRITY_RETURNED] = "laser back",
        [INTEGRITY_NO_PLACE] = "no place",   [INTEGRITY_NO_SCANS] = "no scans",
        [INTEGRITY_UNTESTED] = "untested",   [INTEGRITY_UNFIT] = "fit",
        [INTEGRITY_DRIFTED] = "drift",       [INTEGRITY_RIVAL] = "rival",
        [INTEGRITY_INACCURATE] = "accuracy",
    };
    return (unsigned)reason < INTEGRITY_REASONS ? names[reason] : "unknown";
}
