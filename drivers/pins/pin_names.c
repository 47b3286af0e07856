/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the property Pins. */
#include "pin_names.h"

#include <stdlib.h>
#include <string.h>

#define BLANKS " ,\t\r\n"

static int copy_part(const char *text, size_t n, char ret_part[PIN_NAME_SIZE],
                     struct dpl_diag *reterr)
{
    if (n == 0 || n >= PIN_NAME_SIZE) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "Pins: found a name of %zu bytes, expected 1 to %d", n, PIN_NAME_SIZE - 1);
    }
    memcpy(ret_part, text, n);
    ret_part[n] = '\0';
    return 0;
}

static int add(struct pin_names *names, const char *word, size_t n, struct dpl_diag *reterr)
{
    if (names->n == DPL_PINS_MAX) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "Pins: more than %d pins",
                        DPL_PINS_MAX);
    }
    const char *equals = memchr(word, '=', n);
    size_t length = equals ? (size_t)(equals - word) : n;
    char *name = names->name[names->n];
    int err = copy_part(word, length, name, reterr);
    if (err == 0 && equals) {
        err = copy_part(equals + 1, n - length - 1, names->pin[names->n], reterr);
    }
    if (err == 0 && pin_names_find(names, name) >= 0) {
        err = dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "Pins: '%s' is there twice", name);
    }
    names->n += err == 0;
    return err;
}

int pin_names_read(const char *text, struct pin_names *ret_names, struct dpl_diag *reterr)
{
    struct pin_names names = {.n = 0};
    for (text += strspn(text, BLANKS); *text != '\0'; text += strspn(text, BLANKS)) {
        size_t n = strcspn(text, BLANKS);
        int err = add(&names, text, n, reterr);
        if (err < 0) {
            return err;
        }
        text += n;
    }
    *ret_names = names;
    return 0;
}

int pin_names_find(const struct pin_names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++) {
        if (strcmp(names->name[i], name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

int pin_names_number(const char *text, unsigned limit, unsigned *ret_number)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 4 || text[digits] != '\0') {
        return -ENOENT;
    }
    unsigned number = (unsigned)strtoul(text, NULL, 10);
    if (number >= limit) {
        return -ENOENT;
    }
    *ret_number = number;
    return 0;
}
