/* SPDX-License-Identifier: Apache-2.0 */
/* A block allocator for data that is freed together: profile trees, models, applications. */
#ifndef DOPPEL_BASE_ARENA_H
#define DOPPEL_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct dpl_arena {
    struct dpl_arena_block *blocks; /* private; zero-initialise the struct */
};

/* Zeroed memory, aligned for any type; ends the process with a message when memory is exhausted. */
void *dpl_arena_alloc(struct dpl_arena *arena, size_t size);
char *dpl_arena_strdup(struct dpl_arena *arena, const char *text);
char *dpl_arena_strndup(struct dpl_arena *arena, const char *text, size_t n);
char *dpl_arena_printf(struct dpl_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void dpl_arena_finish(struct dpl_arena *arena);

#endif
