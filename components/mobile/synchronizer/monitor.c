/* SPDX-License-Identifier: Apache-2.0 */
/* Monitor: every alarm is a condition that has held for some time. */
#include "monitor.h"

#define WARN_FIDELITY    0.5
#define WARN_S           0.5
#define DIVERGED_HEADING (35.0 * DPL_PI / 180.0)
#define DIVERGED_S       0.5
#define DIVERGED_CLEAR_S 1.0
/* What has come back may at first be what was on its way before the loss. */
#define RETURN_S         1.0
#define BLOCKED_PROMISED 0.03
#define BLOCKED_RATIO    0.3
#define BLOCKED_S        0.3
#define BUCKET_S         0.1

void dpl_sync_monitor_init(struct dpl_sync_monitor *monitor,
                           const struct dpl_sync_monitor_config *config)
{
    *monitor = (struct dpl_sync_monitor){
        .config = *config,
        .position_error = (double)NAN,
        .heading_error = (double)NAN,
        .rms_5s = (double)NAN,
        .max_position_error = (double)NAN,
        .max_heading_error = (double)NAN,
        .returned_s = (double)INFINITY,
    };
    struct dpl_sync_fidelity_config fidelity = {config->variance_distance,
                                                config->variance_direction};
    dpl_sync_fidelity_init(&monitor->fidelity, &fidelity);
    for (int i = 0; i < DPL_SYNC_BUCKETS; i++) {
        monitor->bucket[i].index = INT64_MIN;
    }
}

const char *dpl_sync_state_name(enum dpl_sync_state state)
{
    static const char *const names[] = {
        [DPL_SYNC_INIT] = "INIT",         [DPL_SYNC_OK] = "OK",
        [DPL_SYNC_STALE] = "STALE",       [DPL_SYNC_DEGRADED] = "DEGRADED",
        [DPL_SYNC_DIVERGED] = "DIVERGED", [DPL_SYNC_LOST] = "LOST",
        [DPL_SYNC_UNKNOWN] = "UNKNOWN",
    };
    return (unsigned)state < sizeof names / sizeof names[0] ? names[state] : "?";
}

double dpl_sync_trust(double age_s)
{
    double span = DPL_SYNC_DEGRADED_S - DPL_SYNC_STALE_S;
    return dpl_clamp((DPL_SYNC_DEGRADED_S - age_s) / span, 0.0, 1.0);
}

/* How long `condition` has held without a break. */
static double held(double since_s, bool condition, double elapsed_s)
{
    return condition ? since_s + elapsed_s : 0.0;
}

static int64_t bucket_index(double now_s)
{
    return (int64_t)floor(now_s / BUCKET_S);
}

static void add_error(struct dpl_sync_monitor *monitor, double now_s, double elapsed_s)
{
    int64_t index = bucket_index(now_s);
    int64_t position = ((index % DPL_SYNC_BUCKETS) + DPL_SYNC_BUCKETS) % DPL_SYNC_BUCKETS;
    struct dpl_sync_bucket *now = &monitor->bucket[position];
    double square = monitor->position_error * monitor->position_error;
    double weight = fmax(elapsed_s, 1e-6);

    if (now->index != index) {
        *now = (struct dpl_sync_bucket){.index = index};
    }
    now->square += square * weight;
    now->weight += weight;
    monitor->square_sum += square * weight;
    monitor->weight_sum += weight;
    monitor->max_position_error = fmax(monitor->max_position_error, monitor->position_error);
    monitor->max_heading_error = fmax(monitor->max_heading_error, monitor->heading_error);
}

/* Of what was counted in the last five seconds; of nothing there is none. */
static double recent_rms(const struct dpl_sync_monitor *monitor, double now_s)
{
    double sum = 0.0, total = 0.0;
    for (int i = 0; i < DPL_SYNC_BUCKETS; i++) {
        if (monitor->bucket[i].index > bucket_index(now_s) - DPL_SYNC_BUCKETS) {
            sum += monitor->bucket[i].square;
            total += monitor->bucket[i].weight;
        }
    }
    return total > 0.0 ? sqrt(sum / total) : (double)NAN;
}

void dpl_sync_monitor_count(struct dpl_sync_monitor *monitor, double now_s, double elapsed_s,
                            bool placing)
{
    if (monitor->seen && !monitor->guessed && !placing) {
        add_error(monitor, now_s, elapsed_s);
    }
    monitor->rms_5s = recent_rms(monitor, now_s);
}

/* A robot that is lost gives no grounds for any. */
static void update_fidelity(struct dpl_sync_monitor *monitor,
                            const struct dpl_sync_sighting *sighting, bool lost)
{
    struct dpl_sync_fidelity_input input = {
        .position_error = monitor->position_error,
        .heading_error = monitor->heading_error,
        .elapsed_s = sighting->elapsed_s,
        .doubt_m = sighting->doubt_m,
        .growth = sighting->growth,
        .lost = lost,
        .localization = sighting->localization,
        .silent = sighting->silent,
    };
    dpl_sync_fidelity_step(&monitor->fidelity, &input);
    bool starts = sighting->localization && !monitor->fidelity.begun;
    bool low = !starts && dpl_sync_fidelity_known(&monitor->fidelity) < WARN_FIDELITY;
    monitor->warn_s = held(monitor->warn_s, low, sighting->elapsed_s);
    monitor->warn = monitor->warn_s >= WARN_S;
}

bool dpl_sync_monitor_is_near(const struct dpl_sync_monitor *monitor)
{
    return monitor->position_error <= monitor->config.safe_radius &&
           monitor->heading_error <= DIVERGED_HEADING;
}

bool dpl_sync_monitor_diverged_by_heading(const struct dpl_sync_monitor *monitor)
{
    return monitor->state == DPL_SYNC_DIVERGED &&
           monitor->position_error <= monitor->config.safe_radius &&
           monitor->heading_error > DIVERGED_HEADING;
}

static void update_divergence(struct dpl_sync_monitor *monitor, double elapsed_s, bool fresh)
{
    double radius = monitor->config.safe_radius;
    bool beyond = !dpl_sync_monitor_is_near(monitor);
    bool within =
        monitor->position_error < radius / 2.0 && monitor->heading_error < DIVERGED_HEADING / 2.0;

    if (!fresh) {
        monitor->was_degraded = true;
        return;
    }
    monitor->diverged_s = held(monitor->diverged_s, beyond, elapsed_s);
    monitor->clear_s = held(monitor->clear_s, within, elapsed_s);
    monitor->returned_s = monitor->was_degraded ? 0.0 : monitor->returned_s + elapsed_s;
    monitor->was_degraded = false;
    bool returns = monitor->returned_s <= RETURN_S;
    if (monitor->diverged_s >= DIVERGED_S || (returns && beyond)) {
        monitor->diverged_at_return = monitor->diverged_at_return || returns;
        monitor->diverged = true;
    } else if (monitor->clear_s >= DIVERGED_CLEAR_S) {
        monitor->diverged = monitor->diverged_at_return = false;
    }
}

/* It does far less than its commands say. */
static bool is_held_back(double promised, double speed)
{
    return fabs(promised) > BLOCKED_PROMISED &&
           (promised > 0.0 ? speed : -speed) < BLOCKED_RATIO * fabs(promised);
}

/* Of fresh poses only. */
static void update_contacts(struct dpl_sync_monitor *monitor,
                            const struct dpl_sync_sighting *sighting)
{
    double dt = sighting->elapsed_s;
    bool fresh_real = sighting->real_age_s <= DPL_SYNC_STALE_S;
    bool fresh_avatar = sighting->avatar_age_s <= DPL_SYNC_STALE_S;
    bool real = fresh_real && is_held_back(sighting->real_promised, sighting->real_speed);
    bool avatar = fresh_avatar && is_held_back(sighting->avatar_promised, sighting->avatar_speed);
    bool differ = (real || sighting->real_pressed) != (avatar || sighting->avatar_pressed);
    monitor->real_blocked_s = held(monitor->real_blocked_s, real, dt);
    monitor->avatar_blocked_s = held(monitor->avatar_blocked_s, avatar, dt);
    monitor->contact_mismatch_s =
        held(monitor->contact_mismatch_s, differ && fresh_real && fresh_avatar, dt);
    monitor->real_blocked = monitor->real_blocked_s >= BLOCKED_S;
    monitor->avatar_blocked = monitor->avatar_blocked_s >= BLOCKED_S;
    monitor->contact_mismatch = monitor->contact_mismatch_s >= BLOCKED_S;
}

static bool is_guessed(const struct dpl_sync_sighting *sighting)
{
    const struct dpl_sync_localization *localization = sighting->localization;
    return sighting->silent || (localization && !dpl_sync_localization_is_decided(localization));
}

/* The ages count in every state, also while one of the robots was never seen. A distance to a pose
 * that the Localizer only guesses is no distance to the robot. */
static enum dpl_sync_state classify(const struct dpl_sync_monitor *monitor,
                                    const struct dpl_sync_sighting *sighting, double age_s)
{
    bool guessed = is_guessed(sighting);
    if (age_s > DPL_SYNC_LOST_S || sighting->astray) {
        return DPL_SYNC_LOST;
    }
    if (sighting->silent || (guessed && monitor->fidelity.begun)) {
        return DPL_SYNC_UNKNOWN;
    }
    if (age_s > DPL_SYNC_DEGRADED_S) {
        return DPL_SYNC_DEGRADED;
    }
    if (!monitor->measured || guessed) {
        return DPL_SYNC_INIT;
    }
    if (monitor->diverged) {
        return DPL_SYNC_DIVERGED;
    }
    return age_s > DPL_SYNC_STALE_S ? DPL_SYNC_STALE : DPL_SYNC_OK;
}

void dpl_sync_monitor_step(struct dpl_sync_monitor *monitor,
                           const struct dpl_sync_sighting *sighting)
{
    double age = fmax(sighting->real_age_s, sighting->avatar_age_s), dt = sighting->elapsed_s;
    monitor->seen = sighting->ready && !sighting->missing && age <= DPL_SYNC_DEGRADED_S;
    monitor->guessed = is_guessed(sighting);
    monitor->silent = sighting->silent;
    if (!sighting->ready) {
        monitor->state = classify(monitor, sighting, age);
        monitor->warn = monitor->state != DPL_SYNC_INIT;
        return;
    }
    monitor->position_error = hypot(sighting->error.x, sighting->error.y);
    monitor->heading_error = fabs(sighting->error.theta);
    update_fidelity(monitor, sighting, age > DPL_SYNC_LOST_S || sighting->astray);
    monitor->measured = true;
    update_divergence(monitor, dt, age <= DPL_SYNC_DEGRADED_S && !is_guessed(sighting));
    update_contacts(monitor, sighting);
    monitor->state = classify(monitor, sighting, age);
}

void dpl_sync_monitor_teleported(struct dpl_sync_monitor *monitor)
{
    monitor->diverged = monitor->diverged_at_return = false;
    monitor->diverged_s = 0.0;
    monitor->clear_s = 0.0;
}

double dpl_sync_monitor_rms(const struct dpl_sync_monitor *monitor)
{
    return monitor->weight_sum > 0.0 ? sqrt(monitor->square_sum / monitor->weight_sum)
                                     : (double)NAN;
}
