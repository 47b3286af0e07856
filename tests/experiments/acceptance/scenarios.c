/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios: commands as functions of time. */
#include "scenarios.h"

#define RANDOM_HOLD_S 1.6

const struct scenario scenarios[N_SCENARIOS] = {
    [SCENARIO_STRAIGHT] = {"straight", 10.0, 0.0},
    [SCENARIO_PROFILE] = {"profile", 16.0, 0.0},
    [SCENARIO_ARC] = {"arc", 20.0, 0.0},
    [SCENARIO_SCURVE] = {"scurve", 24.0, 0.0},
    [SCENARIO_STOPGO] = {"stopgo", 20.0, 0.0},
    [SCENARIO_REVERSE] = {"reverse", 16.0, 0.0},
    [SCENARIO_SQUARE] = {"square", 36.0, 0.0},
    [SCENARIO_OFFSET] = {"offset", 16.0, 4.0},
    [SCENARIO_SLIP_PATCH] = {"slip-patch", 16.0, 0.0},
    [SCENARIO_RANDOM] = {"random", 40.0, 0.0},
    [SCENARIO_OUTAGE] = {"outage", 16.0, 0.0},
    [SCENARIO_REAL_BLOCK] = {"real-block", 20.0, 0.0, 6.0},
    [SCENARIO_AV_BLOCK] = {"av-block", 20.0, 0.0, 5.0},
    [SCENARIO_ROTATE] = {"rotate", 16.0, 0.0},
    [SCENARIO_KIDNAP] = {"kidnap", 20.0, 0.0, 6.0},
    [SCENARIO_STOPS] = {"stops", 30.0, 0.0},
};

static struct dpl_twist2 random_hold(struct dpl_random *rng)
{
    double kind = dpl_random_uniform(rng, 0.0, 1.0), turn = dpl_random_uniform(rng, 0.0, 1.0);
    double v = dpl_random_uniform(rng, 0.03, 0.2), w = dpl_random_uniform(rng, -0.6, 0.6);
    double back = dpl_random_uniform(rng, -0.15, -0.05);
    return (struct dpl_twist2){kind < 0.15 ? 0.0 : kind < 0.25 ? back : v, turn < 0.3 ? 0.0 : w};
}

void scenario_script_init(struct scenario_script *script, enum scenario_id id, uint64_t seed)
{
    struct dpl_random rng = dpl_random_seeded(seed, 77);
    script->id = id;
    for (int i = 0; i < SCENARIO_MAX_HOLD; i++) {
        script->hold[i] = random_hold(&rng);
    }
    script->go_s = dpl_random_uniform(&rng, 0.4, 2.5);
    script->stop_s = dpl_random_uniform(&rng, 0.3, 1.5);
}

static struct dpl_twist2 profile(double t)
{
    static const double speed[] = {0.05, 0.10, 0.15, 0.20, 0.20, 0.15, 0.10, 0.05};
    int i = (int)(t / 2.0);
    return (struct dpl_twist2){speed[i > 7 ? 7 : i], 0.0};
}

static struct dpl_twist2 stopgo(double t)
{
    double phase = fmod(t, 5.0);
    return phase < 2.0   ? (struct dpl_twist2){0.2, 0.0}
           : phase < 3.0 ? (struct dpl_twist2){0.0, 0.0}
           : phase < 4.0 ? (struct dpl_twist2){0.0, 0.6}
                         : (struct dpl_twist2){0.0, 0.0};
}

static struct dpl_twist2 reverse(double t)
{
    return t < 5.0    ? (struct dpl_twist2){0.15, 0.1}
           : t < 6.0  ? (struct dpl_twist2){0.0, 0.0}
           : t < 14.0 ? (struct dpl_twist2){-0.15, 0.1}
                      : (struct dpl_twist2){0.0, 0.0};
}

static struct dpl_twist2 square(double t)
{
    double phase = fmod(t, 9.0);
    return phase < 5.0   ? (struct dpl_twist2){0.2, 0.0}
           : phase < 5.5 ? (struct dpl_twist2){0.0, 0.0}
           : phase < 8.5 ? (struct dpl_twist2){0.0, DPL_PI / 6.0}
                         : (struct dpl_twist2){0.0, 0.0};
}

static struct dpl_twist2 wave(double speed, double turn, double t, double period_s)
{
    return (struct dpl_twist2){speed, turn * sin(2.0 * DPL_PI * t / period_s)};
}

static struct dpl_twist2 blocked(double t)
{
    return (struct dpl_twist2){0.12, t < 8.0 ? 0.0 : 0.25 * sin(2.0 * DPL_PI * (t - 8.0) / 8.0)};
}

/* Goes and stops, each time with another speed. */
static struct dpl_twist2 stops(const struct scenario_script *script, double t)
{
    double period = script->go_s + script->stop_s;
    int i = (int)(t / period);
    bool goes = t - i * period < script->go_s;
    return goes ? script->hold[i % SCENARIO_MAX_HOLD] : (struct dpl_twist2){0.0, 0.0};
}

struct dpl_twist2 scenario_command(const struct scenario_script *script, double time_s)
{
    double t = time_s;
    if (t >= scenarios[script->id].duration_s) {
        return (struct dpl_twist2){0.0, 0.0};
    }
    switch (script->id) {
    case SCENARIO_STRAIGHT: return (struct dpl_twist2){0.2, 0.0};
    case SCENARIO_PROFILE: return profile(t);
    case SCENARIO_ARC: return (struct dpl_twist2){0.15, 0.3};
    case SCENARIO_STOPGO: return stopgo(t);
    case SCENARIO_REVERSE: return reverse(t);
    case SCENARIO_SQUARE: return square(t);
    case SCENARIO_OFFSET: return wave(0.15, 0.2, t, 10.0);
    case SCENARIO_SLIP_PATCH: return (struct dpl_twist2){0.18, 0.15};
    case SCENARIO_RANDOM: return script->hold[(int)(t / RANDOM_HOLD_S) % SCENARIO_MAX_HOLD];
    case SCENARIO_REAL_BLOCK:
    case SCENARIO_AV_BLOCK: return blocked(t);
    case SCENARIO_STOPS: return stops(script, t);
    case SCENARIO_ROTATE: return (struct dpl_twist2){0.0, fmod(t, 8.0) < 4.0 ? 0.5 : -0.5};
    case SCENARIO_SCURVE:
    case SCENARIO_OUTAGE:
    case SCENARIO_KIDNAP:
    case N_SCENARIOS: break;
    }
    return wave(0.15, 0.4, t, 8.0);
}

static void set_slip_patches(struct dpl_mock_plant_config *real,
                             struct dpl_mock_plant_config *avatar)
{
    real->slip_from_s = 4.0;
    real->slip_to_s = 7.0;
    real->slip_patch = 0.30;
    avatar->slip_from_s = 9.0;
    avatar->slip_to_s = 12.0;
    avatar->slip_patch = 0.25;
}

void scenario_events(enum scenario_id id, struct dpl_mock_plant_config *real,
                     struct dpl_mock_plant_config *avatar)
{
    if (id == SCENARIO_OFFSET) {
        avatar->start = (struct dpl_pose2){-0.10, 0.06, 0.17};
    } else if (id == SCENARIO_SLIP_PATCH) {
        set_slip_patches(real, avatar);
    } else if (id == SCENARIO_OUTAGE) {
        real->outage_from_s = 6.0;
        real->outage_to_s = 7.5;
    } else if (id == SCENARIO_REAL_BLOCK) {
        real->block_from_s = 3.0;
        real->block_to_s = 6.0;
    } else if (id == SCENARIO_AV_BLOCK) {
        avatar->block_from_s = 3.0;
        avatar->block_to_s = 5.0;
    } else if (id == SCENARIO_KIDNAP) {
        real->jump_at_s = 6.0;
        real->jump_x = 0.6;
        real->jump_y = 0.4;
        real->jump_theta = 1.0;
    }
}
