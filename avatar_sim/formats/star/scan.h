/* SPDX-License-Identifier: Apache-2.0 */
/* The scanner of JSON, of which places.h has what others see: scan.c arrays and objects,
 * scan_scalar.c what is in them. */
#ifndef DOPPEL_STAR_SCAN_H
#define DOPPEL_STAR_SCAN_H

#include <stdbool.h>

#include <doppel/sim/star.h>

#include "places.h"

struct dpl__star_level {
    int value, count;
    bool is_object;
};

struct dpl__star_scanner {
    const char *file, *text;
    size_t at, n;
    size_t line_start;
    int line;
    struct dpl__star_places *places;
    struct dpl__star_level open[DPL_STAR_DEPTH_MAX]; /* arrays and objects around what is scanned */
    int depth;
    int error;
    struct dpl_diags *diags;
};

/* The byte at which the scanner is; 0 at the end. */
static inline char dpl__star_peek(const struct dpl__star_scanner *scanner)
{
    return scanner->at < scanner->n ? scanner->text[scanner->at] : '\0';
}

struct dpl_place dpl__star_scan_place(const struct dpl__star_scanner *scanner, size_t at);

/* Errors; both return false. */
bool dpl__star_fail(struct dpl__star_scanner *scanner, size_t at, const char *text);
/* Says what stands where `expected` should. */
bool dpl__star_fail_here(struct dpl__star_scanner *scanner, const char *expected);

/* Go behind a string, a number, or one of true, false and null. False: an error. */
bool dpl__star_scan_string(struct dpl__star_scanner *scanner);
bool dpl__star_scan_number(struct dpl__star_scanner *scanner);
bool dpl__star_scan_word(struct dpl__star_scanner *scanner);

#endif
