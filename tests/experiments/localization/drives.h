/* SPDX-License-Identifier: Apache-2.0 */
/* What is driven in the rows of the acceptance: each changes the trial that trial_init made. */
#ifndef LOCALIZATION_DRIVES_H
#define LOCALIZATION_DRIVES_H

#include "trial.h"

void drive_data_sheet(struct trial *t);
void drive_one_hertz(struct trial *t);
void drive_few_beams(struct trial *t);
void drive_long(struct trial *t);
void drive_uncalibrated(struct trial *t);
void drive_identified(struct trial *t);
void drive_turned_first(struct trial *t);
void drive_range_bias(struct trial *t);
void drive_range_scale(struct trial *t);
void drive_scans_late(struct trial *t);    /* by 300 ms from the start on */
void drive_scans_delayed(struct trial *t); /* by 150 ms */
void drive_larger_room(struct trial *t);   /* by 1 % than its plan */
void drive_people(struct trial *t);
void drive_rearranged(struct trial *t);
void drive_rearranged_more(struct trial *t);
void drive_surveyed(struct trial *t);
void drive_surveyed_well(struct trial *t);  /* 5 mm */
void drive_surveyed_badly(struct trial *t); /* 20 mm */
void drive_everything(struct trial *t);
void drive_corridor(struct trial *t);
void drive_absent(struct trial *t);
void drive_frozen(struct trial *t);
void drive_base_silent(struct trial *t);      /* for 0.8 s of each 6 s */
void drive_base_silent_long(struct trial *t); /* for 1.5 s of each 8 s */
void drive_unknown_start(struct trial *t);
void drive_seldom_seen(struct trial *t); /* unknown start, one scan a second */
void drive_kidnapped(struct trial *t);
void drive_wrong_start(struct trial *t);
void drive_known_noise(struct trial *t);        /* uncalibrated, 12 s */
void drive_glass(struct trial *t);              /* a fifth of the walls, never seen */
void drive_glass_seen_head_on(struct trial *t); /* up to 10 deg from the normal */
void drive_unknown_walls(struct trial *t);      /* the plan lacks a tenth of the walls */
void drive_glass_unknown_start(struct trial *t);
void drive_glass_kidnapped(struct trial *t);
void drive_unknown_start_rearranged(struct trial *t);
void drive_kidnapped_rearranged(struct trial *t);
void drive_wrong_start_rearranged(struct trial *t);

#endif
