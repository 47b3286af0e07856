/* SPDX-License-Identifier: Apache-2.0 */
/* Expansion of arbitrary XML: what expands has no Param, Repeat, If or braces' text left to expand,
 * stays within the limits, and expanding it again gives the same tree; what does not says why. Each
 * attribute's value is an expression, too, whose number reads back exactly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr.h"
#include "number.h"
#include "xml_expand.h"

static void evaluate(const char *text)
{
    static const struct dpl__expr_name names[] = {{"i", 3.0}, {"N", -0.5}};
    struct dpl__expr_error error = {.text = ""};
    char written[DPL_EXPR_NUMBER_SIZE];
    double value = 0.0, again = 0.0;
    size_t n = strlen(text);
    if (dpl__expr_value(text, n, names, 2, &value, &error)) {
        if (error.text[0] == '\0' || error.offset > n) {
            abort();
        }
        return;
    }
    dpl__expr_write(value, written);
    if (!isfinite(value) || !dpl__number_read(written, &again) || again != value) {
        abort();
    }
}

static size_t check_tree(const struct dpl_xml_node *node, bool is_root)
{
    size_t n = 1;
    for (size_t i = 0; dpl_xml_expand_element(i) && !is_root; i++) {
        if (strcmp(node->name, dpl_xml_expand_element(i)) == 0) {
            abort();
        }
    }
    for (size_t i = 0; i < node->n_attributes; i++) {
        if (node->attributes[i].written) {
            abort();
        }
    }
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        n += check_tree(child, false);
    }
    return n;
}

static void evaluate_all(const struct dpl_xml_node *node)
{
    for (size_t i = 0; i < node->n_attributes; i++) {
        evaluate(node->attributes[i].value);
    }
    for (const struct dpl_xml_node *child = node->children; child; child = child->next) {
        evaluate_all(child);
    }
}

static void expand(struct dpl_arena *arena, const struct dpl_xml_node *root,
                   struct dpl_diags *diags)
{
    static const struct dpl_xml_given given = {.name = "N", .value = "2"};
    const struct dpl_xml_node *expanded = NULL, *again = NULL;
    size_t n = dpl_xml_has_params(root) ? 1 : 0;
    if (dpl_xml_expand(arena, root, &given, n, "this file", NULL, diags, &expanded)) {
        if (diags->n_errors == 0 || expanded) {
            abort();
        }
        return;
    }
    if (diags->n_errors > 0 || check_tree(expanded, true) > DPL_XML_NODES_MAX) {
        abort();
    }
    if (dpl_xml_expand(arena, expanded, NULL, 0, "this file", NULL, diags, &again) ||
        again != expanded) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    const struct dpl_xml_node *root = NULL;
    if (dpl_xml_read_memory(&arena, "fuzz.xml", data, size, &root, NULL) == 0) {
        evaluate_all(root);
        expand(&arena, root, &diags);
    }
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    return 0;
}
