/* SPDX-License-Identifier: Apache-2.0 */
/* What the Localizer hands to its integrity monitor. */
#include "localizer_parts.h"

#define SCAN_GAP_S   0.35
#define LEAST_MAP_M  0.015 /* of a plan that nobody has measured */
#define CREDIT       4.0   /* nats: a told start, */
#define CREDIT_TRUST 30.0  /* and one that is believed */

bool localizer__integrity_create(struct localizer *l, const struct dpl_raycast_outline *outlines)
{
    const struct localizer_config *from = &l->config;
    if (!from->judged) {
        return true;
    }
    struct integrity_config config = {
        .plan = l->plan,
        .outlines = outlines,
        .n_outlines = from->n_outlines,
        .n_objects = from->n_objects,
        .beams_max = from->beams_max,
        .search = &l->search,
        .rules = {.alert_limit_m = from->alert_limit_m,
                  .start_credit = from->search_at_start ? 0.0
                                  : from->start_trust   ? CREDIT_TRUST
                                                        : CREDIT,
                  .scan_gap_s = SCAN_GAP_S},
        .least_map_m = from->map_error_m >= 0.0 ? fmax(from->map_error_m, 1e-4) : LEAST_MAP_M,
    };
    return integrity_create(&config, &l->integrity) == 0;
}

/* The hypothesis whose pose is published. */
static const struct loc_track *published(const struct localizer *l)
{
    bool chooses = l->mode == LOCALIZER__CHOOSES && l->hypotheses.n > 0;
    return chooses ? &l->hypotheses.list[0].track : &l->track;
}

/* The laser in the frame of that at an earlier instant. */
static struct dpl_pose2 laser_moved(const struct localizer *l, const struct loc_filter *filter,
                                    double from_s, double to_s)
{
    struct loc_wheels wheels = loc_filter_wheels(filter);
    struct dpl_pose2 mount = loc_filter_mount(filter, l->scan.mount);
    struct dpl_pose2 base = loc_history_move(&l->history, &wheels, from_s, to_s);
    return dpl_pose2_relative(mount, dpl_pose2_compose(base, mount));
}

static struct dpl_pose2 base_at(const struct localizer *l, const struct loc_filter *filter,
                                double at_s)
{
    struct loc_wheels wheels = loc_filter_wheels(filter);
    double from_s = isnan(filter->time_s) ? at_s : filter->time_s;
    return dpl_pose2_compose(loc_filter_pose(filter),
                             loc_history_move(&l->history, &wheels, from_s, at_s));
}

/* What odometry may be off by on that way: noise of the wheels, and what is not known of them. */
static struct drift_step odometry_error(const struct localizer *l, const struct loc_filter *filter,
                                        struct dpl_pose2 moved)
{
    const double(*p)[LOC_STATES] = filter->p;
    double way_m = hypot(moved.x, moved.y), turn_rad = fabs(moved.theta), axle_m = filter->axle_m;
    double wheel_m = way_m + 0.5 * axle_m * turn_rad, noise2 = filter->wheel_noise * wheel_m;
    double scale = sqrt(fmax(0.0, p[LOC_STATE_LEFT][LOC_STATE_LEFT]) +
                        fmax(0.0, p[LOC_STATE_RIGHT][LOC_STATE_RIGHT]));
    double axle = sqrt(fmax(0.0, p[LOC_STATE_AXLE][LOC_STATE_AXLE]));
    return (struct drift_step){
        .way_m = wheel_m,
        .variance = {noise2, 2.0 * noise2 / (axle_m * axle_m)},
        .systematic = {way_m * scale, turn_rad * axle + wheel_m * scale / axle_m},
    };
}

static bool is_placed(const struct localizer *l)
{
    return l->mode == LOCALIZER__TRACKS && l->settled && !l->resumed && !l->map_wrong;
}

void localizer__integrity_scan(struct localizer *l)
{
    if (!l->integrity) {
        return;
    }
    const struct loc_track *track = published(l);
    const struct loc_filter *filter = &track->filter;
    const struct loc_update *update = &track->update;
    const double(*p)[LOC_STATES] = filter->p;
    double at_s = l->scan.stamp_s - filter->x[LOC_STATE_OFFSET];
    double from_s = isnan(l->monitored_s) ? at_s : l->monitored_s;
    struct dpl_pose2 moved = laser_moved(l, filter, from_s, at_s);
    struct integrity_scan scan = {
        .scan = &l->scan,
        .laser = loc_filter_laser(filter, base_at(l, filter, at_s), l->scan.mount),
        .moved = moved,
        .odometry = odometry_error(l, filter, moved),
        .position = {p[0][0], p[0][1], p[1][1]},
        .bias_variance = p[LOC_STATE_BIAS][LOC_STATE_BIAS],
        .scale_variance = p[LOC_STATE_SCALE][LOC_STATE_SCALE],
        .nis = update->used ? update->usual_nis : 0.0,
        .innovation_m = update->used ? hypot(update->surprise[0], update->surprise[1]) : 0.0,
        .map_error_m = l->match.told_error_m,
        .reliability = l->match.reliability,
        .placed = is_placed(l),
        .relocations = l->relocations,
    };
    l->monitored_s = at_s;
    integrity_scan(l->integrity, &scan);
}

void localizer_integrity(const struct localizer *localizer, struct integrity_verdict *ret_verdict)
{
    *ret_verdict = (struct integrity_verdict){.level_m = (double)INFINITY, .lead = (double)NAN};
    if (localizer->integrity) {
        integrity_verdict(localizer->integrity, ret_verdict);
    }
}

enum localizer_state localizer__judged(const struct localizer *l, enum localizer_state claimed)
{
    struct integrity_verdict verdict;
    bool claims = claimed == LOCALIZER_TRACKING || claimed == LOCALIZER_DEGRADED ||
                  claimed == LOCALIZER_COASTING;
    if (!l->integrity || !claims) {
        return claimed;
    }
    integrity_verdict(l->integrity, &verdict);
    switch (verdict.state) {
    case INTEGRITY_OK:
        return claimed == LOCALIZER_TRACKING ? LOCALIZER_TRACKING : LOCALIZER_DEGRADED;
    case INTEGRITY_INIT: return claimed == LOCALIZER_COASTING ? LOCALIZER_COASTING : LOCALIZER_INIT;
    case INTEGRITY_COASTING: return LOCALIZER_COASTING;
    default: return LOCALIZER_AMBIGUOUS;
    }
}
