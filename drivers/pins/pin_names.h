/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a board's pins, from a property with words. Pure. */
#ifndef PINS_PIN_NAMES_H
#define PINS_PIN_NAMES_H

#include <doppel/drv/pins.h>

enum {
    PIN_NAME_SIZE = 32,
};

struct pin_names {
    char name[DPL_PINS_MAX][PIN_NAME_SIZE]; /* in order of the words */
    char pin[DPL_PINS_MAX][PIN_NAME_SIZE];  /* the text after '=', or empty */
    size_t n;
};

/* Reads "NAME NAME=PIN ...": words between blanks or commas. -EINVAL with reterr for a word that is
 * too long, empty or a duplicate, or for too many words. */
int pin_names_read(const char *text, struct pin_names *ret_names, struct dpl_diag *reterr);

/* The index of a name; -1: there is none. */
int pin_names_find(const struct pin_names *names, const char *name);

/* Parses a text that is a decimal number below `limit`. -ENOENT otherwise. */
int pin_names_number(const char *text, unsigned limit, unsigned *ret_number);

#endif
