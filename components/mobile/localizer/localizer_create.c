/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration and memory of the Localizer. */
#include "localizer_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define OUTLINES_MAX (1u << 20)
#define OBJECTS_MAX  (1u << 20)
#define BEAMS_MAX    65536u

/* The plan's index gets its memory in blocks and has no destructor. */
struct memory_block {
    struct memory_block *next;
    max_align_t bytes[];
};

void localizer_config_init(struct localizer_config *ret_config)
{
    *ret_config = (struct localizer_config){
        .beams_max = 2048,
        .map_error_m = -1.0,
        .scan_correlation = LOCALIZER_USUAL_CORRELATION,
        .calibrate = LOCALIZER_CALIBRATE_ON,
        .start_sigma_m = 0.05,
        .start_sigma_rad = dpl_deg_to_rad(2.0),
        .initial = {1.0, 1.0, 1.0},
        .initial_sigma =
            {
                [LOCALIZER_SCALE_LEFT] = 0.03,
                [LOCALIZER_SCALE_RIGHT] = 0.03,
                [LOCALIZER_AXLE_SCALE] = 0.03,
                [LOCALIZER_TIME_OFFSET] = 0.03,
                [LOCALIZER_MOUNT_X] = 0.02,
                [LOCALIZER_MOUNT_Y] = 0.02,
                [LOCALIZER_MOUNT_YAW] = dpl_deg_to_rad(2.0),
                [LOCALIZER_RANGE_BIAS] = 0.02,
                [LOCALIZER_RANGE_SCALE] = 0.01,
            },
        .odometry_noise = 0.005,
        .use_gyro = true,
        .diagnose = true,
        .diagnose_objects = true,
        .speed_max = (double)INFINITY,
        .safe_radius_m = (double)INFINITY,
        .judged = true,
        .alert_limit_m = 0.3,
        .start_trust = true,
    };
}

static bool is_between(double value, double low, double high)
{
    return value >= low && value <= high; /* false for NaN */
}

static bool are_parameters_sound(const struct localizer_config *config)
{
    for (int i = 0; i < LOCALIZER_N_PARAMETERS; i++) {
        bool scale = i <= LOCALIZER_AXLE_SCALE;
        if (!is_between(config->initial[i], scale ? 0.1 : -10.0, 10.0) ||
            !is_between(config->initial_sigma[i], 0.0, 1.0)) {
            return false;
        }
    }
    return true;
}

static bool are_outlines_sound(const struct localizer_config *config)
{
    for (size_t i = 0; i < config->n_outlines; i++) {
        const struct dpl_raycast_outline *o = &config->outlines[i];
        if (!isfinite(o->x) || !isfinite(o->y) || !isfinite(o->dx) || !isfinite(o->dy) ||
            !is_between(o->radius, 0.0, 1e6)) {
            return false;
        }
    }
    return true;
}

static bool is_sound(const struct localizer_config *config)
{
    return config->n_outlines <= OUTLINES_MAX && config->n_objects <= OBJECTS_MAX &&
           config->beams_max >= 1 && config->beams_max <= BEAMS_MAX &&
           is_between(config->axle_m, 1e-3, 100.0) && is_between(config->revolution_s, 0.0, 10.0) &&
           is_between(config->map_error_m, -1e9, 1.0) &&
           is_between(config->scan_correlation, 1.0, 1e6) && dpl_pose2_is_finite(config->start) &&
           is_between(config->start_sigma_m, 0.0, 1e3) &&
           is_between(config->start_sigma_rad, 0.0, 10.0) &&
           is_between(config->odometry_noise, 1e-6, 10.0) &&
           is_between(config->speed_max, 1e-3, (double)INFINITY) &&
           is_between(config->safe_radius_m, 0.0, (double)INFINITY) &&
           is_between(config->alert_limit_m, 1e-3, 1e3) && are_parameters_sound(config) &&
           are_outlines_sound(config);
}

static void *zeroed(void *context, size_t n, size_t size)
{
    struct localizer *localizer = context;
    if (n > (SIZE_MAX - sizeof(struct memory_block)) / size) {
        return NULL;
    }
    struct memory_block *block = calloc(1, sizeof *block + n * size);
    if (!block) {
        return NULL;
    }
    block->next = localizer->memory;
    localizer->memory = block;
    return block->bytes;
}

static bool take_memory(struct localizer *localizer, const struct localizer_config *config)
{
    struct dpl_raycast_memory memory = {zeroed, localizer};
    localizer->plan = dpl_raycast_index_create(&memory, config->outlines, config->n_outlines, 0);
    localizer->scratch = calloc(config->beams_max, sizeof *localizer->scratch);
    return localizer->plan && localizer->scratch &&
           loc_scan_init(&localizer->scan, config->beams_max) &&
           loc_scan_init(&localizer->searched, config->beams_max) &&
           loc_search_init(&localizer->search, localizer->plan, config->outlines,
                           config->n_outlines) &&
           loc_match_init(&localizer->match, localizer->plan, config->n_outlines,
                          config->n_objects) &&
           loc_influence_init(&localizer->influence,
                              config->calibrate == LOCALIZER_CALIBRATE_IDENTIFY ? config->n_outlines
                                                                                : 0) &&
           localizer__diagnosis_create(localizer) &&
           localizer__integrity_create(localizer, config->outlines);
}

struct loc_start localizer__start(const struct localizer_config *config)
{
    struct loc_start start = {
        .axle_m = config->axle_m,
        .odometry_noise = config->odometry_noise,
        .calibrate = config->calibrate,
        .pose = config->start,
        .sigma_m = config->start_sigma_m,
        .sigma_rad = config->start_sigma_rad,
    };
    memcpy(start.initial, config->initial, sizeof start.initial);
    memcpy(start.initial_sigma, config->initial_sigma, sizeof start.initial_sigma);
    return start;
}

static void begin(struct localizer *localizer)
{
    const struct localizer_config *config = &localizer->config;
    if (config->map_error_m >= 0.0) {
        localizer->match.map_error_is_learnt = false;
        localizer->match.map_error_m = localizer->match.told_error_m =
            fmax(config->map_error_m, 1e-4);
    }
    loc_history_init(&localizer->history);
    struct loc_start start = localizer__start(config);
    loc_track_init(&localizer->track, &start);
    loc_doubt_init(&localizer->doubt);
    localizer->sound = localizer->expected = localizer->track.filter;
    localizer->expected_since_s = (double)NAN;
    localizer->known = config->start;
    localizer->known_s = (double)NAN;
    loc_sure_init(&localizer->sure, &localizer->track.filter);
    localizer->mode = config->search_at_start ? LOCALIZER__SEARCHES : LOCALIZER__TRACKS;
    localizer->scan_came_s = (double)NAN;
    localizer->poor_from_s = (double)NAN;
    localizer->monitored_s = (double)NAN;
}

int localizer_create(const struct localizer_config *config, struct localizer **ret_localizer)
{
    if (!is_sound(config)) {
        return -EINVAL;
    }
    struct localizer *localizer = calloc(1, sizeof *localizer);
    if (!localizer) {
        return -ENOMEM;
    }
    localizer->config = *config;
    localizer->config.outlines = NULL;
    if (!take_memory(localizer, config)) {
        localizer_destroy(localizer);
        return -ENOMEM;
    }
    begin(localizer);
    *ret_localizer = localizer;
    return 0;
}

void localizer_destroy(struct localizer *localizer)
{
    if (!localizer) {
        return;
    }
    localizer__diagnosis_destroy(localizer);
    integrity_destroy(localizer->integrity);
    loc_match_finish(&localizer->match);
    loc_influence_finish(&localizer->influence);
    loc_scan_finish(&localizer->scan);
    loc_scan_finish(&localizer->searched);
    loc_search_finish(&localizer->search);
    free(localizer->scratch);
    while (localizer->memory) {
        struct memory_block *block = localizer->memory;
        localizer->memory = block->next;
        free(block);
    }
    free(localizer);
}
