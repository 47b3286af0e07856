/* SPDX-License-Identifier: Apache-2.0 */
/* A file that a test writes: JSON in STAR's format, or XML, with ' in place of ". */
#ifndef DOPPEL_TEST_STAR_TEXT_H
#define DOPPEL_TEST_STAR_TEXT_H

#include <stdio.h>

#include <criterion/criterion.h>

static inline void star_text_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    for (; *text; text++) {
        fputc(*text == '\'' ? '"' : *text, file);
    }
    cr_assert_eq(fclose(file), 0);
}

#endif
