/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of results: room on the disk for the summary. */
#ifndef DOPPEL_HOST_RESULTS_H
#define DOPPEL_HOST_RESULTS_H

/* Takes 256 KiB of the disk, as the file .doppel-room, so that a trace that fills the disk does not
 * cost the summary. Without that much room it takes none. Blocks. */
void dpl__results_keep_room(const char *folder);

/* Gives the room back: call it when all but the summary is written. Does nothing without it. */
void dpl__results_use_room(const char *folder);

#endif
