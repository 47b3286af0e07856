/* SPDX-License-Identifier: Apache-2.0 */
/* The block allocator gives zeroed, aligned memory that stays where it is. */
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include <criterion/criterion.h>

#include "arena.h"

Test(arena, gives_zeroed_aligned_memory)
{
    struct dpl_arena arena = {0};
    for (size_t size = 1; size < 300; size++) {
        unsigned char *memory = dpl_arena_alloc(&arena, size);
        cr_assert_eq((uintptr_t)memory % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) {
            cr_assert_eq(memory[i], 0);
        }
        memset(memory, 0xff, size);
    }
    dpl_arena_finish(&arena);
}

Test(arena, keeps_earlier_blocks_when_it_grows)
{
    struct dpl_arena arena = {0};
    char *first = dpl_arena_strdup(&arena, "first");
    char *large = dpl_arena_alloc(&arena, 1 << 20);
    memset(large, 'x', 1 << 20);
    char *last = dpl_arena_strndup(&arena, "last word", 4);
    cr_assert_str_eq(first, "first");
    cr_assert_str_eq(last, "last");
    dpl_arena_finish(&arena);
    cr_assert_null(arena.blocks);
}

Test(arena, prints_text_of_any_length)
{
    struct dpl_arena arena = {0};
    char *text = dpl_arena_printf(&arena, "%*d|%s", 6000, 7, "end");
    cr_assert_eq(strlen(text), 6004);
    cr_assert_str_eq(text + 5999, "7|end");
    cr_assert_str_eq(dpl_arena_printf(&arena, "%s", ""), "");
    dpl_arena_finish(&arena);
}
