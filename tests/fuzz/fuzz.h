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

#endif
