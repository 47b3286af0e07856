/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the trajectory planner's acceptance; each prints its rows. */
#ifndef TRANSPARENCY_PLANNER_ROWS_H
#define TRANSPARENCY_PLANNER_ROWS_H

#include "acceptance.h"
#include "planner_run.h"

/* 0.1 m in 2 s with the synchronisation coefficient. */
void planner_rows_sync(void);

/* Disturbances of a sine's reference, and the braking curve. */
void planner_rows_events(void);

/* A reference that leaves the soft ellipsoid and returns. */
void planner_rows_excursion(void);

#endif
