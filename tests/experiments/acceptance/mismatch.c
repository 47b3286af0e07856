/* SPDX-License-Identifier: Apache-2.0 */
/* Test sets. */
#include "mismatch.h"

#define MS     0.001
#define MM     0.001
#define DEGREE (DPL_PI / 180.0)

const char *const mismatch_names[N_MISMATCHES] = {
    [MISMATCH_SLOW8] = "slow8",
    [MISMATCH_FAST8] = "fast8",
    [MISMATCH_ASYM] = "asym",
    [MISMATCH_LAG] = "lag",
    [MISMATCH_MIX] = "mix",
    [MISMATCH_RAND] = "rand",
    [MISMATCH_IDEAL] = "ideal",
    [MISMATCH_SLIP] = "slip",
    [MISMATCH_HARD] = "hard",
    [MISMATCH_OUTLIERS] = "outliers",
    [MISMATCH_JUMP] = "jump",
    [MISMATCH_LATE] = "late",
    [MISMATCH_LATE_LIES] = "late-lies",
    [MISMATCH_FAST] = "fast",
    [MISMATCH_FOLLOW] = "follow",
    [MISMATCH_FOLLOW_FAST] = "follow-fast",
};

static double draw(struct dpl_random *rng, double low, double high)
{
    return dpl_random_uniform(rng, low, high);
}

static void set_ideal(struct mismatch *m)
{
    m->real = m->avatar = dpl_mock_plant_config_default();
    m->avatar.maximum_velocity = 0.30;
    m->real.lag_s = m->avatar.lag_s = 50 * MS;
    m->real.latency_s = m->avatar.latency_s = 20 * MS;
}

static void set_base(struct mismatch *m)
{
    set_ideal(m);
    m->real.latency_jitter_s = m->avatar.latency_jitter_s = 10 * MS;
    m->real.pose_noise_m = 2 * MM;
    m->real.pose_noise_rad = 0.2 * DEGREE;
    m->real.pose_delay_jitter_s = 30 * MS;
    m->real.pose_drop_rate = 0.02;
    m->avatar.pose_delay_jitter_s = 10 * MS;
    m->tick_jitter = 0.10;
}

static void set_wheels(struct dpl_mock_plant_config *plant, double left, double right, double axle)
{
    plant->wheel_scale_left = left;
    plant->wheel_scale_right = right;
    plant->axle_scale = axle;
}

static void set_slip(struct mismatch *m)
{
    m->real.slip_ratio = 0.05;
    m->real.slip_noise = 0.04;
    m->real.skid = 0.03;
    m->avatar.slip_noise = 0.02;
}

static void set_lag(struct mismatch *m)
{
    m->avatar.lag_s = 150 * MS;
    m->avatar.latency_s = 50 * MS;
    m->real.lag_s = 50 * MS;
    m->real.latency_s = 10 * MS;
    m->real.pose_delay_s = 20 * MS;
    m->real.pose_delay_jitter_s = 30 * MS;
}

static void set_mix(struct mismatch *m)
{
    set_wheels(&m->avatar, 0.90, 0.94, 0.31 / 0.30);
    m->avatar.lag_s = 100 * MS;
    m->avatar.latency_s = 40 * MS;
    m->real.slip_ratio = 0.03;
    m->real.slip_noise = 0.03;
    m->real.skid = 0.02;
    m->real.lag_s = 60 * MS;
    m->real.pose_delay_s = 10 * MS;
    m->real.pose_delay_jitter_s = 40 * MS;
}

static void draw_wheels(struct dpl_mock_plant_config *plant, struct dpl_random *rng,
                        const double limits[3])
{
    double scale = 1.0 + draw(rng, -limits[0], limits[0]);
    double asymmetry = draw(rng, -limits[1], limits[1]);
    double axle = 1.0 + draw(rng, -limits[2], limits[2]);
    set_wheels(plant, scale - asymmetry, scale + asymmetry, axle);
}

static void draw_rand(struct mismatch *m, struct dpl_random *rng)
{
    draw_wheels(&m->avatar, rng, (const double[3]){0.10, 0.03, 0.05});
    m->avatar.lag_s = draw(rng, 10 * MS, 150 * MS);
    m->avatar.latency_s = draw(rng, 0.0, 50 * MS);
    draw_wheels(&m->real, rng, (const double[3]){0.03, 0.01, 0.02});
    m->real.lag_s = draw(rng, 20 * MS, 100 * MS);
    m->real.latency_s = draw(rng, 0.0, 50 * MS);
    m->real.slip_ratio = draw(rng, 0.0, 0.05);
    m->real.slip_noise = draw(rng, 0.0, 0.04);
    m->real.skid = draw(rng, 0.0, 0.04);
    m->real.pose_noise_m = draw(rng, 0.0, 4 * MM);
    m->real.pose_noise_rad = draw(rng, 0.0, 0.4 * DEGREE);
    m->real.pose_delay_s = draw(rng, 0.0, 20 * MS);
    m->real.pose_delay_jitter_s = 30 * MS;
    m->real.pose_drop_rate = draw(rng, 0.0, 0.05);
    m->tick_jitter = draw(rng, 0.0, 0.20);
}

static void draw_hard(struct mismatch *m, struct dpl_random *rng)
{
    draw_wheels(&m->avatar, rng, (const double[3]){0.15, 0.05, 0.08});
    m->avatar.lag_s = draw(rng, 10 * MS, 200 * MS);
    m->avatar.latency_s = draw(rng, 0.0, 100 * MS);
    m->avatar.acceleration = draw(rng, 0.35, 0.6);
    m->avatar.dead_band = draw(rng, 0.0, 8 * MM);
    draw_wheels(&m->real, rng, (const double[3]){0.05, 0.0, 0.04});
    m->real.lag_s = draw(rng, 20 * MS, 150 * MS);
    m->real.latency_s = draw(rng, 0.0, 100 * MS);
    m->real.latency_jitter_s = m->avatar.latency_jitter_s = 30 * MS;
    m->real.acceleration = draw(rng, 0.35, 0.6);
    m->real.slip_ratio = draw(rng, 0.0, 0.08);
    m->real.slip_noise = draw(rng, 0.0, 0.06);
    m->real.pose_noise_m = draw(rng, 0.0, 8 * MM);
    m->real.pose_noise_rad = draw(rng, 0.0, 0.8 * DEGREE);
    m->real.pose_delay_s = draw(rng, 0.0, 60 * MS);
    m->real.pose_delay_jitter_s = 60 * MS;
    m->real.stamp_bias_s = draw(rng, -20 * MS, 20 * MS);
    m->real.pose_drop_rate = draw(rng, 0.0, 0.15);
    m->tick_jitter = draw(rng, 0.0, 0.30);
}

static void draw_jump(struct mismatch *m, struct dpl_random *rng)
{
    double far = draw(rng, 0.1, 1.0), where = draw(rng, -DPL_PI, DPL_PI);
    m->real.jump_at_s = draw(rng, 3.0, 8.0);
    m->real.jump_x = far * cos(where);
    m->real.jump_y = far * sin(where);
    m->real.jump_theta = draw(rng, -1.0, 1.0);
}

static void draw_late(struct mismatch *m, struct dpl_random *rng, bool lies)
{
    m->real.pose_delay_s = draw(rng, 0.1, 0.5);
    m->real.stamp_bias_s = lies ? m->real.pose_delay_s : 0.0;
}

static void set_fast(struct mismatch *m)
{
    m->brisk = (struct dpl_twist2){15.0, 2.0};
    m->real.maximum_velocity = 3.0;
    m->avatar.maximum_velocity = 4.5;
    m->real.acceleration = m->avatar.acceleration = 2.5;
    m->real.maximum_angular = m->avatar.maximum_angular = 4.0;
}

static void draw_more(struct mismatch *m, enum mismatch_id id, struct dpl_random *rng)
{
    draw_rand(m, rng);
    m->untold = id == MISMATCH_FOLLOW || id == MISMATCH_FOLLOW_FAST;
    if (id == MISMATCH_OUTLIERS) {
        m->outlier_rate = 0.5;
        m->outlier_m = 3.6;
    } else if (id == MISMATCH_JUMP) {
        draw_jump(m, rng);
    } else if (id == MISMATCH_FAST || id == MISMATCH_FOLLOW_FAST) {
        set_fast(m);
    } else if (id == MISMATCH_LATE || id == MISMATCH_LATE_LIES) {
        draw_late(m, rng, id == MISMATCH_LATE_LIES);
    }
}

void mismatch_draw(struct mismatch *mismatch, enum mismatch_id id, uint64_t seed)
{
    struct dpl_random rng = dpl_random_seeded(seed, 1000 + (uint64_t)id);
    *mismatch = (struct mismatch){.brisk = {1.0, 1.0}};
    set_base(mismatch);
    switch (id) {
    case MISMATCH_IDEAL:
        set_ideal(mismatch);
        mismatch->tick_jitter = 0.0;
        break;
    case MISMATCH_SLOW8: set_wheels(&mismatch->avatar, 0.92, 0.92, 1.0); break;
    case MISMATCH_FAST8: set_wheels(&mismatch->avatar, 1.08, 1.08, 1.0); break;
    case MISMATCH_ASYM: set_wheels(&mismatch->avatar, 0.97, 1.03, 1.03); break;
    case MISMATCH_SLIP: set_slip(mismatch); break;
    case MISMATCH_LAG: set_lag(mismatch); break;
    case MISMATCH_MIX: set_mix(mismatch); break;
    case MISMATCH_RAND: draw_rand(mismatch, &rng); break;
    case MISMATCH_HARD: draw_hard(mismatch, &rng); break;
    case MISMATCH_OUTLIERS:
    case MISMATCH_JUMP:
    case MISMATCH_LATE:
    case MISMATCH_LATE_LIES:
    case MISMATCH_FAST:
    case MISMATCH_FOLLOW:
    case MISMATCH_FOLLOW_FAST: draw_more(mismatch, id, &rng); break;
    case N_MISMATCHES: break;
    }
    mismatch->real.seed = dpl_random_u64(&rng);
    mismatch->avatar.seed = dpl_random_u64(&rng);
}
