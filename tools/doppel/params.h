/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters (<Param>) of a world, a robot, a machine or a plan, as their file tells them. */
#ifndef DOPPEL_CLI_PARAMS_H
#define DOPPEL_CLI_PARAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "xml_reader.h"

/* Texts as they are written; "": not given. */
struct param {
    const char *name, *value, *unit, *min, *max, *summary;
    struct dpl_place value_place;
    bool min_follows, max_follows; /* from other parameters: with the values of the file */
};

struct params {
    const struct dpl_xml_node *root;
    struct param *items; /* [n]; those whose value is a number: others follow from them */
    size_t n;
};

/* 0, or -errno with reterr. All is the arena's. Reads a file. */
int params_read(struct dpl_arena *arena, const char *file, struct params *ret_params,
                struct dpl_diag *reterr);

#endif
