/* SPDX-License-Identifier: Apache-2.0 */
/* What a browser gets from the server of viewers: a page that says how to look in, and lists the
 * topics with their rates. */
#ifndef DPL_GATEWAYS_FOXGLOVE_PAGE_H
#define DPL_GATEWAYS_FOXGLOVE_PAGE_H

struct foxglove_page {
    const char *path, *type, *text;
};

/* NULL: there is none at this path. */
const struct foxglove_page *foxglove_page_find(const char *path);

/* Header lines that each answer has, with their ends. */
extern const char foxglove_page_headers[];

#endif
