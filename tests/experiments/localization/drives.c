/* SPDX-License-Identifier: Apache-2.0 */
#include "drives.h"

void drive_data_sheet(struct trial *t)
{
    t->faults.value[LOCALIZER_SCALE_LEFT] = 0.97;
    t->faults.value[LOCALIZER_SCALE_RIGHT] = 1.02;
    t->faults.value[LOCALIZER_AXLE_SCALE] = 1.02;
}

/* Judged from 20 s on. */
static void settled_data_sheet(struct trial *t)
{
    drive_data_sheet(t);
    t->from_s = 20.0;
}

void drive_one_hertz(struct trial *t)
{
    drive_data_sheet(t);
    t->faults.scan_period_s = 1.0;
}

void drive_few_beams(struct trial *t)
{
    drive_data_sheet(t);
    t->faults.n_beams = 171;
}

void drive_long(struct trial *t)
{
    drive_few_beams(t);
    t->seconds = 600.0;
}

void drive_uncalibrated(struct trial *t)
{
    t->from_s = 20.0;
    t->speed = 0.5;
    t->faults.value[LOCALIZER_SCALE_LEFT] = 1.03;
    t->faults.value[LOCALIZER_SCALE_RIGHT] = 0.97;
    t->faults.value[LOCALIZER_AXLE_SCALE] = 1.03;
    t->faults.value[LOCALIZER_TIME_OFFSET] = 0.040;
    t->faults.value[LOCALIZER_MOUNT_X] = 0.018;
    t->faults.value[LOCALIZER_MOUNT_Y] = -0.013;
    t->faults.value[LOCALIZER_MOUNT_YAW] = dpl_deg_to_rad(2.0);
    t->faults.revolution_s = t->known_revolution_s = 0.1;
}

void drive_identified(struct trial *t)
{
    drive_uncalibrated(t);
    t->seconds = 180.0;
    t->calibrate = LOCALIZER_CALIBRATE_IDENTIFY;
}

void drive_turned_first(struct trial *t)
{
    drive_identified(t);
    t->looks_first = true;
}

void drive_known_noise(struct trial *t)
{
    drive_identified(t);
    t->seconds = 12.0;
    t->from_s = 11.0;
    t->knows_noise = true;
    t->bounds = true;
}

void drive_range_bias(struct trial *t)
{
    settled_data_sheet(t);
    t->faults.value[LOCALIZER_RANGE_BIAS] = 0.020;
}

void drive_range_scale(struct trial *t)
{
    settled_data_sheet(t);
    t->faults.value[LOCALIZER_RANGE_SCALE] = 0.02;
}

void drive_scans_late(struct trial *t)
{
    settled_data_sheet(t);
    t->faults.value[LOCALIZER_TIME_OFFSET] = 0.300;
}

void drive_scans_delayed(struct trial *t)
{
    settled_data_sheet(t);
    t->faults.value[LOCALIZER_TIME_OFFSET] = 0.150;
}

void drive_larger_room(struct trial *t)
{
    settled_data_sheet(t);
    t->room_scale = 0.01;
}

void drive_people(struct trial *t)
{
    settled_data_sheet(t);
    t->faults.people = 8;
}

/* A share of the objects is not where the plan has it. */
static void move_objects(struct trial *t, double share, double by_m)
{
    t->moved_share = share;
    t->moved_m = by_m;
}

void drive_rearranged(struct trial *t)
{
    settled_data_sheet(t);
    move_objects(t, 0.3, 0.3);
}

void drive_rearranged_more(struct trial *t)
{
    drive_rearranged(t);
    move_objects(t, 0.6, 0.5);
}

void drive_surveyed(struct trial *t)
{
    settled_data_sheet(t);
    t->map_sigma_m = 0.010;
}

void drive_surveyed_well(struct trial *t)
{
    drive_surveyed(t);
    t->map_sigma_m = 0.005;
}

void drive_surveyed_badly(struct trial *t)
{
    drive_surveyed(t);
    t->map_sigma_m = 0.020;
}

void drive_everything(struct trial *t)
{
    drive_surveyed(t);
    move_objects(t, 0.3, 0.3);
    t->faults.people = 4;
    t->faults.value[LOCALIZER_RANGE_BIAS] = 0.010;
    t->faults.value[LOCALIZER_TIME_OFFSET] = 0.030;
    t->faults.value[LOCALIZER_MOUNT_X] = 0.008;
    t->faults.value[LOCALIZER_MOUNT_Y] = 0.0075;
    t->faults.value[LOCALIZER_MOUNT_YAW] = dpl_deg_to_rad(1.0);
    t->faults.revolution_s = t->known_revolution_s = 0.1;
}

void drive_corridor(struct trial *t)
{
    t->world = NULL;
    t->known_mount = true; /* driving straight does not tell it from the position across */
    t->seconds = 60.0;
    t->faults.value[LOCALIZER_SCALE_LEFT] = 1.02;
    t->faults.value[LOCALIZER_SCALE_RIGHT] = 0.98;
}

void drive_absent(struct trial *t)
{
    drive_data_sheet(t);
    t->seconds = 90.0;
    t->blind_from_s = 60.0;
    t->blind_until_s = 75.0;
}

void drive_frozen(struct trial *t)
{
    drive_absent(t);
    t->frozen = true;
}

void drive_base_silent(struct trial *t)
{
    drive_data_sheet(t);
    t->commands = true;
    t->silent_s = 0.8;
    t->silent_every_s = 6.0;
}

void drive_base_silent_long(struct trial *t)
{
    drive_base_silent(t);
    t->silent_s = 1.5;
    t->silent_every_s = 8.0;
}

void drive_unknown_start(struct trial *t)
{
    drive_data_sheet(t);
    t->seconds = 30.0;
    t->search_at_start = true;
}

void drive_seldom_seen(struct trial *t)
{
    drive_unknown_start(t);
    t->seconds = 120.0;
    t->faults.scan_period_s = 1.0;
}

void drive_kidnapped(struct trial *t)
{
    drive_data_sheet(t);
    t->seconds = 50.0;
    t->kidnap_at_s = 20.0;
}

void drive_wrong_start(struct trial *t)
{
    drive_data_sheet(t);
    t->seconds = 30.0;
    t->start_off_m = 1.7;
}

void drive_unknown_start_rearranged(struct trial *t)
{
    drive_unknown_start(t);
    move_objects(t, 1.0 / 3.0, 0.5);
}

void drive_kidnapped_rearranged(struct trial *t)
{
    drive_kidnapped(t);
    move_objects(t, 1.0 / 3.0, 0.5);
}

void drive_wrong_start_rearranged(struct trial *t)
{
    drive_wrong_start(t);
    move_objects(t, 1.0 / 3.0, 0.5);
}

void drive_glass(struct trial *t)
{
    settled_data_sheet(t);
    t->glass_share = 0.2;
}

static void see_glass_head_on(struct trial *t)
{
    t->glass_share = 0.2;
    t->faults.glass_seen_rad = dpl_deg_to_rad(10.0);
}

void drive_glass_seen_head_on(struct trial *t)
{
    settled_data_sheet(t);
    see_glass_head_on(t);
}

void drive_unknown_walls(struct trial *t)
{
    settled_data_sheet(t);
    t->unknown_share = 0.1;
}

void drive_glass_unknown_start(struct trial *t)
{
    drive_unknown_start(t);
    see_glass_head_on(t);
}

void drive_glass_kidnapped(struct trial *t)
{
    drive_kidnapped(t);
    see_glass_head_on(t);
}
