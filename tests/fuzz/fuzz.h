/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzzers share. A fuzzer is one file with LLVMFuzzerTestOneInput; what it finds wrong
 * ends the program. */
#ifndef DPL_TESTS_FUZZ_H
#define DPL_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* The input with a NUL behind it, on the heap, so that a sanitizer sees every byte that is read too
 * far. The caller frees it. NULL: without memory. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text) {
        if (size > 0) {
            memcpy(text, data, size);
        }
        text[size] = '\0';
    }
    return text;
}

/* A fuzzer whose first byte says how long the pieces of the stream behind it are, up to `most`: the
 * `struct outcome` of `parse(stream, size, piece)` is the same as in one piece. */
#define FUZZ_WHOLE_AND_CUT(parse, most)                                                            \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                                   \
    {                                                                                              \
        if (size < 2) {                                                                            \
            return 0;                                                                              \
        }                                                                                          \
        struct outcome whole = parse(data + 1, size - 1, size - 1);                                \
        struct outcome cut = parse(data + 1, size - 1, data[0] % (most) + 1u);                     \
        require(memcmp(&whole, &cut, sizeof whole) == 0);                                          \
        return 0;                                                                                  \
    }

#endif
