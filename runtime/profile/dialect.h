/* SPDX-License-Identifier: Apache-2.0 */
/* The profile dialect as one table of elements: OPRoS's, with every known spelling, and Doppel's
 * additions. The table is used to check the structure of a file and to generate the schemas. */
#ifndef DOPPEL_PROFILE_DIALECT_H
#define DOPPEL_PROFILE_DIALECT_H

#include <stdbool.h>
#include <stdio.h>

#include <doppel/diag.h>

#include "xml_reader.h"

enum dpl__kind {
    DPL__KIND_COMPONENT,
    DPL__KIND_COMPOSITE,
    DPL__KIND_APPLICATION,
    DPL__KIND_SERVICE_TYPE,
    DPL__KIND_DATA_TYPE,
    DPL__KIND_BINDING,
    DPL__N_KINDS,
};

enum dpl__text_kind {
    DPL__TEXT_NONE,
    DPL__TEXT_ANY,
    DPL__TEXT_WORD,   /* any text, but not empty */
    DPL__TEXT_SAID,   /* any text that nothing needs; empty: a warning */
    DPL__TEXT_CHOICE, /* one of `choices` */
    DPL__TEXT_NUMBER, /* within [min, max] */
    DPL__TEXT_INT,    /* an integer within [min, max] */
};

struct dpl__attribute {
    const char *name; /* NULL ends a list */
    bool required;
    const char *choices; /* "a|b"; NULL: any text */
    const char *summary;
};

struct dpl__child {
    const struct dpl__element *element; /* NULL ends a list */
    unsigned min, max;                  /* allowed number; max 0: any number */
};

struct dpl__element {
    const char *name;
    const char *aliases; /* "x|y"; NULL: none */
    enum dpl__text_kind text;
    const char *choices;
    double min, max;
    const struct dpl__attribute *attributes; /* NULL: none */
    const struct dpl__child *children;       /* NULL: none */
    const char *summary;
};

/* Roots by kind. */
extern const struct dpl__element *const dpl__dialect_roots[DPL__N_KINDS];

/* A state machine: no profile, and no kind (doppel/state_machine.h). */
extern const struct dpl__element dpl__dialect_state_machine;
/* A bench that repeats a run: neither (doppel/host/bench_file.h). */
extern const struct dpl__element dpl__dialect_bench;

/* A study: no profile either (tools/sweep). */
extern const struct dpl__element dpl__dialect_study;

/* The kind of a root element; -1: not in the dialect. */
int dpl__dialect_kind(const char *root_name);

/* "component", "composite", ...: names of the schema files. */
const char *dpl__kind_name(enum dpl__kind kind);

/* Elements of editors: accepted everywhere, their content is ignored. */
bool dpl__dialect_is_editor_only(const char *name);
extern const char *const dpl__dialect_editor_only; /* "layout|..." */

/* Whether an element of the file is this element of the dialect, by its name or an alias. */
bool dpl__dialect_is(const struct dpl__element *element, const char *name);

/* Checks the structure: unknown elements and attributes (warnings with suggestions), missing,
 * repeated, malformed ones (errors). */
void dpl__dialect_check(const struct dpl__element *element, const struct dpl_xml_node *node,
                        struct dpl_diags *diags);

/* Writes the XML schema of a root; 0, or -EIO. */
int dpl__dialect_write_xsd(FILE *stream, const struct dpl__element *root);

/* Choices that the loader uses by index. */
#define DPL__EXECUTION_TYPES                                                                       \
    "periodic|periodic-shared|periodic-exclusive|aperiodic|passive|non-periodic"
#define DPL__LATE_LIMIT_MIN_MS 20
#define DPL__LATE_LIMIT_MAX_MS 3600000
#define DPL__POLICIES          "SCHED_OTHER|SCHED_FIFO|SCHED_RR"
#define DPL__QUEUES            "LAST|FIFO|LIFO|UFIFO"
#define DPL__PORT_TYPES        "data|event|service"
#define DPL__STUDY_DESIGNS     "grid|random|lhs|sobol|halton|list"
#define DPL__STUDY_REDUCES     "last|min|max|mean|rms"
#define DPL__STUDY_KINDS       "uniform|normal|log|choice|step"

#endif
