/* SPDX-License-Identifier: Apache-2.0 */
/* FNV-1a in 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv): the same bytes give the same number on
 * every machine. For names and streams of bytes; not secure against an attacker who searches two
 * texts with the same hash. Header only, pure. */
#ifndef DOPPEL_MATH_HASH_H
#define DOPPEL_MATH_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The hash of zero bytes. */
#define DPL_HASH_NONE UINT64_C(0xcbf29ce484222325)

/* Continues a hash: `hash` is the hash of the bytes before, `size` bytes follow. */
static inline uint64_t dpl_hash_more(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *at = (const uint8_t *)bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static inline uint64_t dpl_hash_text(const char *text)
{
    return dpl_hash_more(DPL_HASH_NONE, text, strlen(text));
}

#ifdef __cplusplus
}
#endif

#endif
