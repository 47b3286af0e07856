/* SPDX-License-Identifier: Apache-2.0 */
/* What a browser gets from the server of viewers: the dashboard (clients/page/dist), which is in
 * this library, and files of the run for those who have its token. */
#ifndef DPL_GATEWAYS_FOXGLOVE_PAGE_H
#define DPL_GATEWAYS_FOXGLOVE_PAGE_H

#include <stdbool.h>
#include <stddef.h>

struct foxglove_page {
    const char *path, *type;
    const void *data;
    size_t n;
};

/* Files of the run. Zero-initialise. */
struct foxglove_kept {
    struct foxglove_page pages[4];
    void *copies[4];
    size_t n;
};

/* NULL: there is none at this path. */
const struct foxglove_page *foxglove_page_find(const char *path);

/* Keeps a copy of a file for the page: run.json, or a recording; others are none of its. */
void foxglove_page_keep(struct foxglove_kept *kept, const char *name, const void *data, size_t n);
const struct foxglove_page *foxglove_page_find_kept(const struct foxglove_kept *kept,
                                                    const char *path);
void foxglove_page_finish(struct foxglove_kept *kept);

/* Header lines that each answer has, with their ends. */
extern const char foxglove_page_headers[];

#endif
