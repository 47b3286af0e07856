/* SPDX-License-Identifier: Apache-2.0 */
/* The expansion of one file (xml_expand.c): its state, and what its elements share: findings,
 * limits, attributes that are numbers, names. */
#ifndef DOPPEL_BASE_XML_EXPANDER_H
#define DOPPEL_BASE_XML_EXPANDER_H

#include "expr.h"
#include "xml_expand.h"

struct dpl__expander {
    struct dpl_arena *arena;
    struct dpl_diags *diags;
    struct dpl_xml_work *work;
    const struct dpl_xml_given *given;
    size_t n_given;
    struct dpl__expr_name names[DPL_XML_PARAMS_MAX];
    struct dpl_place places[DPL_XML_PARAMS_MAX]; /* where the names were given */
    size_t n_names;
    const char *within; /* the copy of a <Repeat> that is being made; NULL: none */
    bool is_stopped;    /* a limit was reported */
};

/* Adds a finding, and in which copy it is. */
void dpl__expander_say(struct dpl__expander *expander, enum dpl_severity severity,
                       struct dpl_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reports, once a file, that it is too large. */
void dpl__expander_stop(struct dpl__expander *expander, struct dpl_place place, const char *what,
                        unsigned max);

/* Counts an element or a round of a repeat. */
void dpl__expander_count_node(struct dpl__expander *expander, const struct dpl_xml_node *node);

/* Gives the copy of a node expanded attributes, if the node's have anything to expand. */
void dpl__expander_attributes(struct dpl__expander *expander, const struct dpl_xml_node *node,
                              struct dpl_xml_node *copy);

/* The attribute of Param, Repeat or If; NULL when absent, which is an error. */
const struct dpl_xml_attribute *dpl__expander_find_required(struct dpl__expander *expander,
                                                            const struct dpl_xml_node *node,
                                                            const char *name, const char *summary);

/* Warns of attributes and text that Param, Repeat or If does not know. */
void dpl__expander_check_known(struct dpl__expander *expander, const struct dpl_xml_node *node,
                               const char *const *known, size_t n);

/* The number that a text, an attribute, is; a whole one within min and max. False: it is none; for
 * an attribute the error is reported. */
bool dpl__expander_read_number(const char *text, double *ret_value);
bool dpl__expander_number(struct dpl__expander *expander, const struct dpl_xml_attribute *attribute,
                          double *ret_value);
bool dpl__expander_whole(struct dpl__expander *expander, const struct dpl_xml_attribute *attribute,
                         double min, double max, double *ret_value);

/* Whether the attribute's value may be a new name; if not, the error is reported. */
bool dpl__expander_check_name(struct dpl__expander *expander,
                              const struct dpl_xml_attribute *attribute);
void dpl__expander_push_name(struct dpl__expander *expander, const struct dpl_xml_attribute *name,
                             double value);

#endif
