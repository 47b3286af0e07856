/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text, for files and messages: strict parsing, shortest writing, no locale. */
#ifndef DOPPEL_BASE_NUMBER_H
#define DOPPEL_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What may be around a number or a name in a file: the white space of XML. */
static inline bool dpl__is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Reads a finite decimal number at the start of `text` ("-1.5e3", ".5"; no hexadecimal, inf, nan or
 * leading blanks). Returns the first character after it; NULL when there is none or it is outside
 * of a double's range. */
const char *dpl__number_read(const char *text, double *ret_value);

/* As dpl__number_read for an integer of 64 bits: digits with an optional sign. */
const char *dpl__whole_read(const char *text, int64_t *ret_value);

/* The shortest text that is parsed as the same number; returns the length as snprintf does. */
int dpl__number_write(double value, char *ret_text, size_t size);

#endif
