/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of a car's run: walls, finish line, path, the sensors' rays at one tick. */
#ifndef DOPPEL_REPORT_SCENE_H
#define DOPPEL_REPORT_SCENE_H

#include <stdbool.h>

#include <doppel/diag.h>

#include "plot.h"

struct scene_choice {
    const char *title;
    long tick; /* the tick whose rays and car are drawn; if it does not exist: the last one */
    bool hit;  /* the end of the path is marked as the place of a hit */
};

/* Draws FOLDER/track.svg from FOLDER/scene.json (walls, finish, sensors, footprint: written by Car)
 * and FOLDER/log.csv (written by Referee). *ret_tick: the tick whose rays were drawn. 0, also when
 * the folder lacks one of the two or the log has no row, with *ret_tick unchanged; -EINVAL or
 * -errno with reterr. Allocates. */
int scene_draw_folder(const char *folder, const struct scene_choice *choice, long *ret_tick,
                      struct dpl_diag *reterr);

/* Gives the same picture, of the last tick, to the sink. Whether the folder has one. */
bool scene_give(const struct plot_sink *sink, const char *folder);

#endif
