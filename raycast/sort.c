/* SPDX-License-Identifier: Apache-2.0 */
/* See raycast_sort.h. */
#include "raycast_sort.h"

#include <math.h>
#include <stdbool.h>

/* Whether a comes before b along an axis; the number decides between equals. */
static inline bool is_before(const struct dpl__raycast_key *a, const struct dpl__raycast_key *b,
                             int axis)
{
    return a->middle[axis] < b->middle[axis] ||
           (a->middle[axis] == b->middle[axis] && a->number < b->number);
}

static void swap(struct dpl__raycast_key *a, struct dpl__raycast_key *b)
{
    struct dpl__raycast_key kept = *a;
    *a = *b;
    *b = kept;
}

/* Puts the first n of keys[total] along an axis before the others, in any order (Hoare's FIND,
 * CACM 4, 1961). */
static void split(struct dpl__raycast_key *keys, size_t total, size_t n, int axis)
{
    size_t first = 0, last = total - 1;
    while (first < last) {
        struct dpl__raycast_key pivot = keys[first + (last - first) / 2];
        size_t i = first, k = last;
        for (;;) {
            while (is_before(&keys[i], &pivot, axis)) {
                i++;
            }
            while (is_before(&pivot, &keys[k], axis)) {
                k--;
            }
            if (i >= k) {
                break;
            }
            swap(&keys[i++], &keys[k--]);
        }
        /* keys[first .. i - 1] are not after the pivot, keys[i ..] not before it */
        if (n <= k) {
            last = k;
        } else {
            first = k + 1;
        }
    }
}

/* The axis along which the middles are farther apart. */
static int widest(const struct dpl__raycast_key *keys, size_t n)
{
    double least[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
    double most[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < n; i++) {
        for (int axis = 0; axis < 3; axis++) {
            least[axis] = fmin(least[axis], keys[i].middle[axis]);
            most[axis] = fmax(most[axis], keys[i].middle[axis]);
        }
    }
    int found = most[1] - least[1] > most[0] - least[0];
    return most[2] - least[2] > most[found] - least[found] ? 2 : found;
}

void dpl__raycast_sort(struct dpl__raycast_key *keys, size_t n, size_t leaves, size_t leaf)
{
    while (n > leaf) {
        leaves /= 2;
        if (n > leaves * leaf) {
            split(keys, n, leaves * leaf, widest(keys, n));
            dpl__raycast_sort(keys, leaves * leaf, leaves, leaf);
            keys += leaves * leaf;
            n -= leaves * leaf;
        }
    }
}
