/* SPDX-License-Identifier: Apache-2.0 */
/* When the pose is OK: one table of states, and one function that walks it. A scan is judged by the
 * rules in order; the first that fails is the reason. A doubt leaves the place undecided until
 * evidence has decided it again. */
#ifndef INTEGRITY_RULES_H
#define INTEGRITY_RULES_H

#include <stdbool.h>
#include <stddef.h>

enum integrity_state {
    INTEGRITY_INIT,      /* the estimator has no place yet */
    INTEGRITY_AMBIGUOUS, /* undecided: other places explain the scans as well */
    INTEGRITY_OK,
    INTEGRITY_DEGRADED, /* decided, but a rule withholds OK */
    INTEGRITY_COASTING, /* no scans */
    INTEGRITY_LOST,     /* the estimator searches its place */
    INTEGRITY_STATES,
};

enum integrity_reason {
    INTEGRITY_NO_REASON,
    INTEGRITY_START,     /* doubts: not proven yet, */
    INTEGRITY_MOVED,     /* a scan that the one before does not foretell, */
    INTEGRITY_RELOCATED, /* the estimator went elsewhere, */
    INTEGRITY_OUTRANKED, /* another place explains the scans better, */
    INTEGRITY_RETURNED,  /* scans came again after a gap */
    INTEGRITY_NO_PLACE,
    INTEGRITY_NO_SCANS,
    INTEGRITY_UNTESTED, /* a scan that could not have shown a wrong place */
    INTEGRITY_UNFIT,    /* too many beams go through what the plan has */
    INTEGRITY_DRIFTED,  /* scans pull the pose from odometry: to be proven again */
    INTEGRITY_RIVAL,    /* another place explains the scans nearly as well */
    INTEGRITY_INACCURATE,
    INTEGRITY_REASONS,
};

/* On what an OK rests. */
enum integrity_basis {
    INTEGRITY_NO_BASIS,
    INTEGRITY_TOLD,     /* the start was given, and nothing contradicts it */
    INTEGRITY_PROVEN,   /* evidence for no other place */
    INTEGRITY_FOLLOWED, /* proven once, and continuous since then */
};

struct rules_config {
    double alert_limit_m;
    double
        start_credit;  /* nats that the told start counts: 4, or 30 where it is believed at once */
    double scan_gap_s; /* without scans for longer, and for two usual gaps: COASTING */
};

/* What is known of one scan. */
struct rules_scan {
    double stamp_s;
    bool placed;    /* the estimator follows one place */
    bool relocated; /* it went elsewhere since the scan before */
    bool follows;   /* by odometry it is where it was when the place was last decided */
    size_t n_compared, n_enough;
    double continuity, fit, nis;
    double level_m, sigma_m, sigma_rad;
    bool drifts;
    double way_m;  /* that grows always */
    bool has_lead; /* a search has ended since the scan before */
    double lead;   /* nats */
};

struct rules {
    struct rules_config config;
    enum integrity_state state;
    enum integrity_reason reason;
    double credit;
    bool strayed;     /* the estimator has gone elsewhere since the start */
    bool was_decided; /* when scans stopped coming */
    bool abandons;    /* the estimator left a place that was proven and followed */
    double doubt_m;   /* way at the doubt */
    double fit_mean;  /* over 10 s; NAN: none */
    unsigned n_for, n_strong, n_against;
    double for_m; /* way at the newest lead that decides */
    double lead;  /* newest; NAN: none since the doubt */
    bool proven;
    unsigned n_unfit;
    double gap_s;                     /* between the last two scans */
    double unfit_s, tested_s, scan_s; /* stamps: of the first scan in a row, of the last ones */
    double withheld_s;                /* stamp of the last scan that showed too little; NAN: none */
    bool needs_lead;                  /* the fit was bad for long: a new search has to agree */
    bool needs_proof;                 /* the pose drifted: a new search has to decide */
};

/* What the monitor does after a step. */
struct rules_outcome {
    bool doubted; /* what was struck last comes back */
    bool proven;  /* a search has decided: drift is counted anew */
    bool empties; /* the local map says nothing of what comes */
};

void rules_init(struct rules *rules, const struct rules_config *config);
void rules_scan(struct rules *rules, const struct rules_scan *scan,
                struct rules_outcome *ret_outcome);

/* Without a scan. */
void rules_step(struct rules *rules, double now_s);

/* The place is decided. */
bool rules_is_decided(const struct rules *rules);
enum integrity_basis rules_basis(const struct rules *rules);

const char *rules_state_name(enum integrity_state state);
const char *rules_reason_name(enum integrity_reason reason);

#endif
