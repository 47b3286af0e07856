/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios of the acceptance: the application's commands over time, and the events of the two
 * robots. */
#ifndef DPL_ACCEPTANCE_SCENARIOS_H
#define DPL_ACCEPTANCE_SCENARIOS_H

#include "mock_plant.h"

#define SCENARIO_TAIL_S   1.0 /* zero command at the end of every scenario */
#define SCENARIO_MAX_HOLD 32

enum scenario_id {
    SCENARIO_STRAIGHT,
    SCENARIO_PROFILE,
    SCENARIO_ARC,
    SCENARIO_SCURVE,
    SCENARIO_STOPGO,
    SCENARIO_REVERSE,
    SCENARIO_SQUARE,
    SCENARIO_OFFSET,
    SCENARIO_SLIP_PATCH,
    SCENARIO_RANDOM,
    N_REGULAR_SCENARIOS,
    SCENARIO_OUTAGE = N_REGULAR_SCENARIOS,
    SCENARIO_REAL_BLOCK,
    SCENARIO_AV_BLOCK,
    SCENARIO_ROTATE,
    SCENARIO_KIDNAP,
    SCENARIO_STOPS,
    N_SCENARIOS
};

struct scenario {
    const char *name;
    double duration_s;    /* without the tail */
    double measured_from; /* s: earlier errors do not count */
    double released_s;    /* end of the event, from which recovery is measured */
};

/* The commands of `random` and of `stops` depend on the seed. */
struct scenario_script {
    enum scenario_id id;
    double go_s, stop_s;
    struct dpl_twist2 hold[SCENARIO_MAX_HOLD];
};

extern const struct scenario scenarios[N_SCENARIOS];

void scenario_script_init(struct scenario_script *script, enum scenario_id id, uint64_t seed);
struct dpl_twist2 scenario_command(const struct scenario_script *script, double time_s);

/* Writes the events of a scenario into the configurations of the robots. */
void scenario_events(enum scenario_id id, struct dpl_mock_plant_config *real,
                     struct dpl_mock_plant_config *avatar);

#endif
