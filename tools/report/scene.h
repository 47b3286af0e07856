/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of a car's run: walls, finish line, path, the sensors' rays at one tick. */
#ifndef DOPPEL_REPORT_SCENE_H
#define DOPPEL_REPORT_SCENE_H

#include <doppel/diag.h>

/* Draws FOLDER/track.svg from FOLDER/scene.json (walls, finish, sensors, footprint: written by Car)
 * and FOLDER/log.csv (written by Referee). `tick`: whose rays are drawn; none such: the last. 0,
 * also when the folder lacks one of the two; -EINVAL or -errno with reterr. Allocates. */
int scene_draw_folder(const char *folder, long tick, struct dpl_diag *reterr);

#endif
