/* SPDX-License-Identifier: Apache-2.0 */
/* The list of a served world's channels, pulled page by page. Not thread-safe. */
#ifndef DOPPEL_SIM_REMOTE_LIST_H
#define DOPPEL_SIM_REMOTE_LIST_H

#include "arena.h"
#include "link_values.h"

struct remote_list {
    struct remote_list *next;
    bool pinned; /* a user has what is in it: it stays as long as the world */
    uint64_t fingerprint;
    size_t n, n_got;
    struct dpl_channel_desc *descs; /* [n], n_got of them known */
    const void **constants;         /* [n]; NULL: has no value here */
    size_t n_constant_bytes;
    struct dpl_arena arena; /* texts and constants */
};

/* Room for `n` channels. NULL: out of memory. */
struct remote_list *remote_list_create(size_t n, uint64_t fingerprint);
void remote_list_destroy(struct remote_list *list); /* NULL: nothing */

/* Adds a page; one that does not begin where the list ends, or goes beyond its size, changes
 * nothing. */
void remote_list_add(struct remote_list *list, const Doppel__Link__Channels *page);

bool remote_list_is_complete(const struct remote_list *list);

/* The channel that is the same in all that its users know: path, type, direction, unit, size. -1:
 * there is none. */
int remote_list_find_same(const struct remote_list *list, const struct dpl_channel_desc *desc);

/* The name of a part as the world has it, for one that is equal for dpl_name_equal. A name that has
 * nothing but constants under it is no part. False: there is none; then `ret_name` is what parts
 * there are, "a, b". */
bool remote_list_find_part(const struct remote_list *list, const char *part, char *ret_name,
                           size_t size);

#endif
