/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of the acceptance, from the specification; they are never changed. */
#include "limits.h"

const struct random_limit random_limits[N_RANDOM_LIMITS] = {
    {MISMATCH_RAND, 0.100, 8, 16, 25, 90, 4, 0.06, 0.12},
    {MISMATCH_RAND, 0.020, 6, 13, 20, 75, 4, 0.05, 0.10},
    {MISMATCH_RAND, 0.010, 6, 13, 20, 75, 4, 0.05, 0.10}, /* as for 20 ms */
    {MISMATCH_HARD, 0.100, 14, 30, 60, 200, 12, 0.08, 0.25},
    {MISMATCH_HARD, 0.020, 10, 25, 50, 200, 12, 0.06, 0.20},
    {MISMATCH_HARD, 0.010, 10, 25, 50, 200, 12, 0.06, 0.20},
};

/* Columns: slow8, fast8, asym, lag, mix, rand. */
const struct table_limit table_limits[N_TABLE_LIMITS] = {
    {0.100, SCENARIO_STRAIGHT, {10, 15, 15, 25, 20, 20}},
    {0.100, SCENARIO_PROFILE, {10, 10, 10, 10, 10, 10}},
    {0.100, SCENARIO_ARC, {15, 15, 15, 15, 20, 15}},
    {0.100, SCENARIO_SCURVE, {10, 10, 10, 15, 15, 15}},
    {0.100, SCENARIO_STOPGO, {15, 10, 15, 30, 20, 30}},
    {0.100, SCENARIO_REVERSE, {10, 10, 10, 20, 15, 15}},
    {0.100, SCENARIO_SQUARE, {15, 15, 15, 25, 15, 15}},
    {0.100, SCENARIO_OFFSET, {10, 10, 10, 15, 10, 10}},
    {0.100, SCENARIO_SLIP_PATCH, {25, 25, 20, 40, 50, 20}},
    {0.100, SCENARIO_RANDOM, {15, 10, 15, 30, 30, 15}},
    {0.100, SCENARIO_OUTAGE, {10, 15, 20, 20, 20, 20}},
    {0.100, SCENARIO_REAL_BLOCK, {25, 20, 20, 35, 30, 30}},
    {0.020, SCENARIO_STRAIGHT, {10, 10, 15, 15, 15, 15}},
    {0.020, SCENARIO_PROFILE, {10, 10, 10, 10, 10, 10}},
    {0.020, SCENARIO_ARC, {10, 10, 10, 15, 15, 20}},
    {0.020, SCENARIO_SCURVE, {10, 10, 10, 10, 10, 10}},
    {0.020, SCENARIO_STOPGO, {15, 10, 10, 25, 20, 20}},
    {0.020, SCENARIO_REVERSE, {10, 10, 10, 15, 10, 10}},
    {0.020, SCENARIO_SQUARE, {10, 10, 10, 20, 15, 15}},
    {0.020, SCENARIO_OFFSET, {10, 10, 10, 15, 10, 15}},
    {0.020, SCENARIO_SLIP_PATCH, {20, 15, 20, 20, 15, 15}},
    {0.020, SCENARIO_RANDOM, {10, 10, 10, 30, 40, 10}},
    {0.020, SCENARIO_OUTAGE, {10, 15, 10, 20, 15, 15}},
    {0.020, SCENARIO_REAL_BLOCK, {15, 15, 15, 30, 20, 20}},
};
