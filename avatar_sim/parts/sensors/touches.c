/* SPDX-License-Identifier: Apache-2.0 */
/* A short list of pairs that touch: see touches.h. */
#include "touches.h"

bool dpl__touches_see(struct dpl_touches *touches, int a, int b, dpl_ns now)
{
    for (size_t i = 0; i < touches->n; i++) {
        if (touches->pairs[i].a == a && touches->pairs[i].b == b) {
            touches->pairs[i].last = now;
            return false;
        }
    }
    if (touches->n == DPL_TOUCHES_MAX) {
        return false;
    }
    touches->pairs[touches->n].a = a;
    touches->pairs[touches->n].b = b;
    touches->pairs[touches->n].last = now;
    touches->n++;
    return true;
}

void dpl__touches_expire(struct dpl_touches *touches, dpl_ns now)
{
    size_t kept = 0;
    for (size_t i = 0; i < touches->n; i++) {
        if (now - touches->pairs[i].last <= DPL_TOUCHES_PAUSE) {
            touches->pairs[kept++] = touches->pairs[i];
        }
    }
    touches->n = kept;
}
