/* SPDX-License-Identifier: Apache-2.0 */
/* Block allocator: block sizes grow geometrically; large requests get their own block. */
#include "arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END_CODE = 3 }; /* same value as DPL_EXIT_FAULT */
enum { BLOCK_MIN = 4096, BLOCK_MAX = 256 * 1024 };

struct dpl_arena_block {
    struct dpl_arena_block *next;
    size_t used, capacity;
    alignas(max_align_t) unsigned char bytes[];
};

static _Noreturn void end_out_of_memory(void)
{
    fputs("doppel: out of memory\n", stderr);
    exit(END_CODE); /* an active run then stops its devices */
}

static size_t next_capacity(const struct dpl_arena *arena, size_t size)
{
    size_t capacity = arena->blocks ? arena->blocks->capacity * 2 : BLOCK_MIN;
    if (capacity > BLOCK_MAX) {
        capacity = BLOCK_MAX;
    }
    return size > capacity ? size : capacity;
}

static struct dpl_arena_block *add_block(struct dpl_arena *arena, size_t size)
{
    size_t capacity = next_capacity(arena, size);
    struct dpl_arena_block *block = NULL;
    if (capacity < SIZE_MAX - sizeof(*block)) {
        block = calloc(1, sizeof(*block) + capacity);
    }
    if (!block) {
        end_out_of_memory();
    }
    block->capacity = capacity;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *dpl_arena_alloc(struct dpl_arena *arena, size_t size)
{
    const size_t mask = alignof(max_align_t) - 1;
    if (size > SIZE_MAX - mask) {
        end_out_of_memory();
    }
    size_t rounded = (size + mask) & ~mask;
    struct dpl_arena_block *block = arena->blocks;
    if (!block || block->capacity - block->used < rounded) {
        block = add_block(arena, rounded);
    }
    void *memory = block->bytes + block->used;
    block->used += rounded;
    return memory;
}

char *dpl_arena_strndup(struct dpl_arena *arena, const char *text, size_t n)
{
    char *copy = dpl_arena_alloc(arena, n + 1);
    memcpy(copy, text, n);
    return copy;
}

char *dpl_arena_strdup(struct dpl_arena *arena, const char *text)
{
    return dpl_arena_strndup(arena, text, strlen(text));
}

char *dpl_arena_printf(struct dpl_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = dpl_arena_alloc(arena, n < 0 ? 1 : (size_t)n + 1);
    if (n > 0) {
        vsnprintf(text, (size_t)n + 1, format, again);
    }
    va_end(again);
    return text;
}

void dpl_arena_finish(struct dpl_arena *arena)
{
    struct dpl_arena_block *block = arena->blocks;
    while (block) {
        struct dpl_arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
}
