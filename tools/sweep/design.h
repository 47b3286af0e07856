/* SPDX-License-Identifier: Apache-2.0 */
/* Where the runs of a study lie: a point has a coordinate in (0, 1) for each quantity that is
 * varied. The coordinates of a point depend on the design, its seed and the number of the point
 * alone, so that runs may be made in any order and on any machine. Pure. */
#ifndef DOPPEL_SWEEP_DESIGN_H
#define DOPPEL_SWEEP_DESIGN_H

#include <stddef.h>
#include <stdint.h>

enum { SWEEP_DIMENSIONS_MAX = 64, SWEEP_SOBOL_MAX = 20 };

enum sweep_design_type {
    SWEEP_GRID,
    SWEEP_RANDOM,
    SWEEP_LHS,
    SWEEP_SOBOL,
    SWEEP_HALTON,
    SWEEP_LIST,
};
#define SWEEP_DESIGN_TYPES "grid|random|lhs|sobol|halton|list"

struct sweep_design {
    enum sweep_design_type type;
    uint64_t seed;
    size_t n_points, n_dimensions;
    size_t levels[SWEEP_DIMENSIONS_MAX]; /* of a grid, for each dimension; at least 1 */
};

/* The counter hash of all random numbers of a study: of a seed, a number (of a run, a point), and
 * a stream. 53 bits, so that every reader of tables has it exactly. */
uint64_t sweep_seed(uint64_t seed, uint64_t number, const char *stream);

/* Writes all points of all designs but a list: [n_points][n_dimensions], each in (0, 1). A grid
 * has the middles of its levels, the first dimension changes slowest. -EINVAL: too many dimensions
 * for the design; -ENOMEM. Allocates. */
int sweep_design_points(const struct sweep_design *design, double *ret_points);

/* Coordinate `dimension`, from 0 and below SWEEP_SOBOL_MAX, of element `index` of Sobol's sequence
 * in Antonov's and Saleev's order, with the direction numbers of Bratley and Fox (ACM Algorithm
 * 659). Element 0 is the origin. `index` below 2^30. */
double sweep_sobol(uint32_t index, size_t dimension);

#endif
