/* SPDX-License-Identifier: Apache-2.0 */
/* Sobol's sequence: Bratley, Fox, "Algorithm 659", ACM TOMS 14 (1988). */
#include <stdbool.h>

#include "design.h"

enum { BITS = 30 };

/* The primitive polynomial over GF(2), highest term included, and the first direction numbers; as
 * many as its degree. */
static const struct {
    uint32_t polynomial;
    uint32_t first[7];
} table[SWEEP_SOBOL_MAX] = {
    {1, {1}},
    {3, {1}},
    {7, {1, 1}},
    {11, {1, 3, 7}},
    {13, {1, 1, 5}},
    {19, {1, 3, 1, 1}},
    {25, {1, 1, 3, 7}},
    {37, {1, 3, 3, 9, 9}},
    {59, {1, 3, 7, 13, 3}},
    {47, {1, 1, 5, 11, 27}},
    {61, {1, 3, 5, 1, 15}},
    {55, {1, 1, 7, 3, 29}},
    {41, {1, 3, 7, 7, 21}},
    {67, {1, 1, 1, 9, 23, 37}},
    {97, {1, 3, 3, 5, 19, 33}},
    {91, {1, 1, 3, 13, 11, 7}},
    {109, {1, 1, 7, 13, 25, 5}},
    {103, {1, 3, 5, 11, 7, 11}},
    {115, {1, 1, 1, 3, 13, 39}},
    {131, {1, 3, 1, 15, 17, 63, 13}},
};

static unsigned degree_of(uint32_t polynomial)
{
    unsigned degree = 0;
    while (polynomial >> (degree + 1) != 0) {
        degree++;
    }
    return degree;
}

/* The direction numbers of a dimension, as integers of growing size. */
static void find_directions(size_t dimension, uint32_t ret_v[BITS])
{
    uint32_t polynomial = table[dimension].polynomial;
    unsigned degree = degree_of(polynomial);
    for (unsigned i = 0; i < BITS; i++) {
        if (degree == 0) {
            ret_v[i] = 1;
            continue;
        }
        if (i < degree) {
            ret_v[i] = table[dimension].first[i];
            continue;
        }
        uint32_t v = ret_v[i - degree];
        for (unsigned k = 1; k <= degree; k++) {
            bool has = (polynomial >> (degree - k) & 1) != 0;
            v ^= has ? ret_v[i - k] << k : 0;
        }
        ret_v[i] = v;
    }
}

double sweep_sobol(uint32_t index, size_t dimension)
{
    uint32_t v[BITS], x = 0, gray = index ^ index >> 1;
    find_directions(dimension, v);
    for (unsigned i = 0; i < BITS; i++) {
        x ^= (gray >> i & 1) != 0 ? v[i] << (BITS - 1 - i) : 0;
    }
    return (double)x * 0x1p-30;
}
