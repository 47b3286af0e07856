/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization: the poses of a tick, their frames, and the places of the avatar. */
#include <stddef.h>

#include "sync_parts.h"

static void observe(struct dpl_sync *sync, int side, const struct dpl_sync_stamped_pose *measured)
{
    struct dpl_sync_observer *observer = side == SYNC_REAL ? &sync->real : &sync->avatar;
    switch (dpl_sync_observer_pose(observer, *measured, sync->last_now_s)) {
    case DPL_SYNC_POSE_REJECTED: sync->rejected[side]++; return;
    case DPL_SYNC_POSE_OUTLIER:
        sync->outliers[side]++;
        if (sync->config.strategy == DPL_SYNC_ADAPTIVE) {
            return; /* its fallback does not follow it either */
        }
        break;
    case DPL_SYNC_POSE_JUMP: sync->jumps[side]++; break;
    case DPL_SYNC_POSE_OLD: return;
    case DPL_SYNC_POSE_USED: break;
    }
    sync->raw[side] = (struct dpl_sync_pose_input){true, measured->pose, measured->stamp_s, 0};
}

static void set_avatar(struct dpl_sync *sync, struct dpl_pose2 pose, double stamp_s)
{
    dpl_sync_observer_set_pose(&sync->avatar, pose, stamp_s);
    sync->raw[SYNC_AVATAR] = (struct dpl_sync_pose_input){true, pose, stamp_s, 0};
}

/* Until the answer is there both poses are possible. An answer that was not taken for granted says
 * that the estimate is wrong. */
static void update_avatar(struct dpl_sync *sync, const struct dpl_sync_stamped_pose *avatar,
                          enum dpl_sync_placing placing)
{
    bool granted = !sync->placement.doubtful;
    bool surprise = false;
    switch (dpl_sync_placement_settle(&sync->placement, placing)) {
    case DPL_SYNC_SETTLED_NOTHING: break;
    case DPL_SYNC_SETTLED_PENDING: return;
    case DPL_SYNC_SETTLED_REFUSED: surprise = granted; break;
    case DPL_SYNC_SETTLED_PLACED:
        surprise = !granted;
        dpl_sync_monitor_teleported(&sync->monitor);
        break;
    }
    if (avatar && surprise) {
        set_avatar(sync, avatar->pose, avatar->stamp_s);
    } else if (avatar) {
        observe(sync, SYNC_AVATAR, avatar);
    }
}

void sync_put_avatar(struct dpl_sync *sync, struct dpl_pose2 pose, struct dpl_sync_output *output)
{
    output->has_set_pose = true;
    output->set_pose = pose;
    const struct dpl_sync_pose_input *seen = &sync->raw[SYNC_AVATAR];
    output->place_distance = seen->valid ? dpl_pose2_distance(seen->pose, pose) : (double)NAN;
    dpl_sync_placement_ask(&sync->placement, sync->last_now_s);
    if (!sync->placement.doubtful) {
        set_avatar(sync, pose, sync->last_now_s);
    }
}

static bool is_moving(const struct dpl_sync_input *input)
{
    return input->has_command &&
           (fabs(input->command.linear) > 1e-6 || fabs(input->command.angular) > 1e-6);
}

static void align(struct dpl_sync *sync, const struct dpl_sync_stamped_pose *real,
                  const struct dpl_sync_stamped_pose *avatar, const struct dpl_sync_input *input,
                  struct dpl_sync_output *output)
{
    bool became_done = dpl_sync_alignment_offer(&sync->alignment, real, avatar, is_moving(input));
    if (became_done && sync->alignment.mode == DPL_SYNC_ALIGN_SNAP) {
        sync_put_avatar(sync, dpl_sync_pose_median_get(&sync->alignment.real), output);
    }
}

/* A Localizer gives the real robot's frame: there is nothing to align. While it says nothing yet
 * the odometry waits for it, for a while. */
bool sync_is_waiting(const struct dpl_sync *sync)
{
    return sync->localization.expected && !sync->correction.started &&
           sync->last_now_s - sync->first_s < DPL_SYNC_LOCALIZATION_S;
}

/* Floors: a pose said to be exact would make the filter blind to everything else. */
static void set_real_noise(struct dpl_sync *sync)
{
    struct dpl_sync_sigma floor = {sync->config.real_noise_m, sync->config.real_noise_rad};
    struct dpl_sync_sigma noise = dpl_sync_localization_noise(&sync->localization, floor);
    noise.position = fmax(noise.position, DPL_SYNC_REAL_FLOOR_M);
    noise.heading = fmax(noise.heading, DPL_SYNC_REAL_FLOOR_RAD);
    sync->real.filter.position_variance = noise.position * noise.position;
    sync->real.filter.heading_variance = noise.heading * noise.heading;
}

/* The frames were aligned until now, if a pose of the real robot was used already. */
static void update_localization(struct dpl_sync *sync, const struct dpl_sync_localization *heard)
{
    sync->localization = *heard;
    sync->flaw = heard->valid ? dpl_sync_localization_flaw(heard) : NULL;
    sync->refused_localizations += sync->flaw != NULL;
    sync->localization.valid = heard->valid && !sync->flaw;
    if (!sync->localization.valid) {
        bool comes = sync->last_now_s - sync->newest_s[SYNC_REAL] <= DPL_SYNC_STALE_S;
        sync->unheard_s = heard->expected && comes ? sync->unheard_s + sync->elapsed_s : 0.0;
        return;
    }
    sync->unheard_s = 0.0;
    set_real_noise(sync);
    if (sync->correction.started) {
        dpl_sync_correction_aim(&sync->correction, heard->correction, heard->relocations,
                                dpl_sync_localization_is_decided(heard));
        return;
    }
    dpl_sync_correction_start(&sync->correction, heard->correction, heard->relocations,
                              sync->real.has_pose ? &sync->alignment.transform : NULL);
    dpl_sync_placement_set_relocated(&sync->placement);
    if (sync->alignment.mode != DPL_SYNC_ALIGN_SNAP) {
        sync->alignment.done = true;
    }
}

/* The real robot is elsewhere and did not drive there: what is known of its drive stays. */
static void relocate(struct dpl_sync *sync, const struct dpl_sync_stamped_pose *real)
{
    dpl_sync_placement_set_relocated(&sync->placement);
    if (!sync->real.has_pose) {
        return;
    }
    dpl_sync_observer_set_pose(&sync->real, real->pose, real->stamp_s);
    sync->raw[SYNC_REAL] = (struct dpl_sync_pose_input){true, real->pose, real->stamp_s, 0};
    sync->measured.last = real->pose;
    sync->measured.stamp_s = real->stamp_s;
}

/* From the odometry's frame into the avatar's, or as it is before the frames are aligned. */
static void transform_real(struct dpl_sync *sync, struct dpl_sync_stamped_pose *real)
{
    if (!sync->correction.started) {
        return;
    }
    bool jumped = dpl_sync_correction_step(&sync->correction, real->pose, sync->elapsed_s);
    real->pose = dpl_sync_correction_apply(&sync->correction, real->pose);
    if (jumped) {
        relocate(sync, real);
    }
}

static void observe_real(struct dpl_sync *sync, struct dpl_sync_stamped_pose *real)
{
    if (!sync->correction.started) {
        real->pose = dpl_sync_alignment_apply(&sync->alignment, real->pose);
    }
    observe(sync, SYNC_REAL, real);
    dpl_sync_measured_twist_update(&sync->measured, sync->raw[SYNC_REAL].pose,
                                   sync->raw[SYNC_REAL].stamp_s);
}

/* Before the frames are aligned there is nowhere to put it: then the alignment begins anew too. */
static void handle_restart(struct dpl_sync *sync, const struct dpl_sync_stamped_pose *avatar,
                           uint32_t restarts)
{
    if (!dpl_sync_placement_set_restarts(&sync->placement, restarts, sync->last_now_s)) {
        return;
    }
    if (!sync->alignment.done) {
        sync->placement.astray = false;
        dpl_sync_alignment_init(&sync->alignment, sync->config.align, sync->config.align_samples);
    }
    set_avatar(sync, avatar->pose, avatar->stamp_s);
    sync->avatar.has_pose = true;
}

static void update_newest(struct dpl_sync *sync, int side, const struct dpl_sync_stamped_pose *pose)
{
    if (pose) {
        sync->newest_s[side] = fmax(sync->newest_s[side], pose->stamp_s);
    }
}

void sync_update_poses(struct dpl_sync *sync, const struct dpl_sync_input *input,
                       struct dpl_sync_output *output)
{
    struct dpl_sync_stamped_pose real = {input->real.pose,
                                         input->real.stamp_s - sync->config.real_delay_s};
    struct dpl_sync_stamped_pose avatar = {input->avatar.pose, input->avatar.stamp_s};
    update_localization(sync, &input->localization);
    bool has_real = input->real.valid && dpl_sync_pose_is_credible(&real, sync->last_now_s);
    bool has_avatar = input->avatar.valid && dpl_sync_pose_is_credible(&avatar, sync->last_now_s);

    sync->has_bumpers = input->real.has_bumper && input->avatar.has_bumper;
    sync->pressed[SYNC_REAL] = input->real.pressed;
    sync->pressed[SYNC_AVATAR] = input->avatar.pressed;
    sync->missing = !input->real.valid || !input->avatar.valid;
    sync->rejected[SYNC_REAL] += input->real.valid && !has_real;
    sync->rejected[SYNC_AVATAR] += input->avatar.valid && !has_avatar;
    update_newest(sync, SYNC_REAL, has_real ? &real : NULL);
    update_newest(sync, SYNC_AVATAR, has_avatar ? &avatar : NULL);
    if (has_avatar) {
        handle_restart(sync, &avatar, input->avatar.restarts);
    }
    update_avatar(sync, has_avatar ? &avatar : NULL, input->placing);
    if (sync_is_waiting(sync)) {
        return;
    }
    if (has_real) {
        transform_real(sync, &real);
    }
    align(sync, has_real ? &real : NULL, has_avatar ? &avatar : NULL, input, output);
    if (has_real && sync->alignment.done) {
        observe_real(sync, &real);
    }
}
