/* SPDX-License-Identifier: Apache-2.0 */
/* How tables of elements are written. */
#ifndef DOPPEL_PROFILE_DIALECT_TABLE_H
#define DOPPEL_PROFILE_DIALECT_TABLE_H

#include "dialect.h"

#define ELEMENT    static const struct dpl__element
#define ATTRIBUTES (const struct dpl__attribute[])
#define CHILDREN   (const struct dpl__child[])
#define END                                                                                        \
    {                                                                                              \
        NULL                                                                                       \
    }
#define TEXT_ELEMENT(identifier, element_name, description)                                        \
    ELEMENT identifier = {.name = element_name, .text = DPL__TEXT_ANY, .summary = description}

/* Of components, composites and applications; in dialect_execution.c. */
extern const struct dpl__element dpl__dialect_app_domain, dpl__dialect_execution_environment,
    dpl__dialect_execution_semantics;

#endif
