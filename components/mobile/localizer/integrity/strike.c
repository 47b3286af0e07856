/* SPDX-License-Identifier: Apache-2.0 */
#include "strike.h"

#include <stdlib.h>

#define GONE_BELOW 0.5
#define SEEN_S     3.0 /* through it, before it is struck; and between two of them */
#define AT_ONCE    2   /* more that fall at once are a wrong place */
#define BACK_S     10.0

bool strike_init(struct strike *strike, size_t n_objects)
{
    *strike = (struct strike){.n = n_objects, .last_s = -(double)INFINITY};
    strike->fell_s = calloc(n_objects + 1, sizeof *strike->fell_s);
    strike->struck_s = calloc(n_objects + 1, sizeof *strike->struck_s);
    for (size_t i = 0; strike->fell_s && strike->struck_s && i < n_objects; i++) {
        strike->fell_s[i] = strike->struck_s[i] = (double)NAN;
    }
    return strike->fell_s && strike->struck_s;
}

void strike_finish(struct strike *strike)
{
    free(strike->fell_s);
    free(strike->struck_s);
}

static void bring_back(struct strike *strike, size_t i, struct loc_match *match)
{
    strike->struck_s[i] = (double)NAN;
    match->reliability[i] = 1.0;
}

/* Returns how many have fallen within the last seconds. */
static size_t follow(struct strike *strike, const double *reliability, double stamp_s,
                     struct loc_match *match)
{
    size_t falling = 0;
    for (size_t i = 0; i < strike->n; i++) {
        bool gone = reliability[i] < GONE_BELOW;
        if (!gone) {
            strike->fell_s[i] = (double)NAN;
            bring_back(strike, i, match);
        } else if (isnan(strike->fell_s[i])) {
            strike->fell_s[i] = stamp_s;
        }
        falling += gone && stamp_s - strike->fell_s[i] < SEEN_S;
    }
    return falling;
}

void strike_scan(struct strike *strike, const double *reliability, double stamp_s, bool firm,
                 struct loc_match *match)
{
    size_t falling = follow(strike, reliability, stamp_s, match);
    if (!firm || falling > AT_ONCE || stamp_s - strike->last_s < SEEN_S) {
        return;
    }
    for (size_t i = 0; i < strike->n; i++) {
        if (isnan(strike->struck_s[i]) && stamp_s - strike->fell_s[i] >= SEEN_S) {
            strike->struck_s[i] = strike->last_s = stamp_s;
            match->reliability[i] = 0.0;
            return;
        }
    }
}

void strike_doubt(struct strike *strike, double stamp_s, struct loc_match *match)
{
    for (size_t i = 0; i < strike->n; i++) {
        if (stamp_s - strike->struck_s[i] < BACK_S) {
            bring_back(strike, i, match);
            strike->fell_s[i] = (double)NAN;
        }
    }
}
