/* SPDX-License-Identifier: Apache-2.0 */
/* Where everything in a JSON text stands. jansson reads values and forgets their places, so this
 * scanner walks over the same text first, and says what is wrong with it at the place where it is.
 */
#ifndef DOPPEL_STAR_PLACES_H
#define DOPPEL_STAR_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include <doppel/diag.h>

/* One value. Those in an array or object follow it, in the order of the text. */
struct dpl__star_value {
    int parent;     /* -1: the root */
    int next;       /* the first value after it and all in it */
    int index;      /* in its array or object */
    int key;        /* offset of its key in the text, behind the quotation mark; -1: none */
    int key_length; /* as it is written, with escapes */
    int line, column;
    int key_line, key_column; /* of the key's quotation mark */
};

struct dpl__star_places {
    const char *text; /* borrowed */
    struct dpl__star_value *values;
    int n;
    int capacity;
    bool left_errors; /* there are more keys twice than are listed */
};

/* Scans a text, which has a 0 behind its n bytes; zero-initialise *ret_places and finish them in
 * any case. 0; -EINVAL: the first error of syntax, or the
 * first keys that are there twice, is in diags;
 * -ENOMEM. */
int dpl__star_scan(const char *file, const char *text, size_t n,
                   struct dpl__star_places *ret_places, struct dpl_diags *diags);
void dpl__star_places_finish(struct dpl__star_places *places);

/* "assembly.cell.joints[2].type" of a value; the root is "$". Returns ret_text. */
const char *dpl__star_path(const struct dpl__star_places *places, int value, char *ret_text,
                           size_t size);

/* Overwrites comments by blanks, but not what ends lines. 0; -EINVAL with reterr: one has no end.
 */
int dpl__star_strip_comments(const char *file, char *text, size_t n, struct dpl_diag *reterr);

#endif
