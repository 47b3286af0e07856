/* SPDX-License-Identifier: Apache-2.0 */
/* A world that a test brings back to where it was. */
#ifndef DOPPEL_TEST_SAVED_WORLD_H
#define DOPPEL_TEST_SAVED_WORLD_H

#include <stdlib.h>

#include <criterion/criterion.h>
#include <doppel/sim/world.h>

struct saved_world {
    void *bytes; /* the test frees them */
    size_t size;
};

static inline struct saved_world world_saved(const struct dpl_world *of)
{
    struct saved_world saved = {.size = dpl_world_snapshot_size(of)};
    saved.bytes = malloc(saved.size);
    cr_assert_not_null(saved.bytes);
    cr_assert_eq(dpl_world_save(of, saved.bytes, saved.size), 0);
    return saved;
}

static inline void world_back(struct dpl_world *of, const struct saved_world *saved)
{
    cr_assert_eq(dpl_world_restore(of, saved->bytes, saved->size), 0);
}

#endif
