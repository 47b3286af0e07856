/* SPDX-License-Identifier: Apache-2.0 */
/* The order of things in a tree of boxes whose leaves hold equally many. Pure; for what builds
 * such trees, also in space. */
#ifndef DPL_RAYCAST_SORT_H
#define DPL_RAYCAST_SORT_H

#include <stddef.h>
#include <stdint.h>

/* A thing on its way to its place in the tree. */
struct dpl__raycast_key {
    double middle[3]; /* numbers; in the plane the third is 0 */
    uint32_t number;  /* differs from all others */
};

/* Sorts keys[n] into a tree of `leaves` leaves (a power of two, leaves * leaf >= n) of `leaf` keys
 * each, the first leaves full: of each box the first child gets what is on one side of a line
 * across its longer edge. The same keys give the same order. O(n log n), without recursion deeper
 * than the tree. */
void dpl__raycast_sort(struct dpl__raycast_key *keys, size_t n, size_t leaves, size_t leaf);

#endif
