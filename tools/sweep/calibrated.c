/* SPDX-License-Identifier: Apache-2.0 */
/* What `doppel calibrate` has written into <covariance> of a binding: the values, their standard
 * deviations and correlations. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "study_parts.h"

/* The numbers of <parameter correlations="0.1 -0.3">, with those before it; those that are not
 * there are 0. */
static void read_correlations(struct study_reader *reader, const struct dpl_xml_node *node,
                              size_t n, double *ret_row)
{
    const struct dpl_xml_attribute *attribute = dpl_xml_attribute(node, "correlations");
    const char *at = attribute ? attribute->value : "";
    for (size_t i = 0; i < n && *at; i++) {
        const char *end = dpl__number_read(at, &ret_row[i]);
        if (!end || !(fabs(ret_row[i]) < 1.0)) {
            study_error(reader, attribute->value_place,
                        "correlations: '%.40s' is no number between -1 and 1", at);
            return;
        }
        for (at = end; dpl__is_blank(*at);) {
            at++;
        }
    }
}

static bool read_parameter(struct study_reader *reader, const struct dpl_xml_node *node,
                           struct sweep_vary *vary)
{
    const struct dpl_xml_attribute *entry = dpl_xml_attribute(node, "entry");
    const struct dpl_xml_attribute *component = dpl_xml_attribute(node, "component");
    const struct dpl_xml_attribute *name = dpl_xml_attribute(node, "name");
    const struct dpl_xml_attribute *value = dpl_xml_attribute(node, "value");
    const struct dpl_xml_attribute *sigma = dpl_xml_attribute(node, "sigma");
    const struct dpl_xml_attribute *unit = dpl_xml_attribute(node, "unit");
    if (!entry == !component || !name || !value || !sigma) {
        study_error(reader, node->place,
                    "<parameter> needs name, value, sigma, and an entry or a component");
        return false;
    }
    vary->kind = SWEEP_NORMAL;
    vary->target = entry ? SWEEP_TO_WORLD : SWEEP_TO_PROPERTY;
    vary->path = dpl_arena_printf(&reader->study->arena, "%s.%s",
                                  entry ? entry->value : component->value, name->value);
    vary->unit = unit ? unit->value : "";
    return study_number(reader, value, &vary->mean) && study_number(reader, sigma, &vary->sigma);
}

/* The rows of the Cholesky factor; the matrix is full, symmetric. */
static void factorize(struct study_reader *reader, struct dpl_place place, double *matrix,
                      size_t first, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double *row = dpl_arena_alloc(&reader->study->arena, n * sizeof *row);
        for (size_t j = 0; j <= i; j++) {
            double sum = matrix[i * n + j];
            for (size_t k = 0; k < j; k++) {
                sum -= row[k] * (i == j ? row[k] : reader->varies[first + j].factor[k]);
            }
            if (i == j && sum < -1e-9 * matrix[i * n + i]) {
                study_error(reader, place, "the correlations are of no covariance");
            }
            double pivot = i == j ? 1.0 : reader->varies[first + j].factor[j];
            row[j] = i == j ? sqrt(fmax(sum, 0.0)) : pivot > 0.0 ? sum / pivot : 0.0;
        }
        reader->varies[first + i].factor = row;
        reader->varies[first + i].group = first;
    }
}

static void read_list(struct study_reader *reader, const struct dpl_xml_attribute *from,
                      const struct dpl_xml_node *list)
{
    size_t first = reader->study->n_varies, n = 0;
    double *correlations = dpl_arena_alloc(
        &reader->study->arena, sizeof *correlations * SWEEP_DIMENSIONS_MAX * SWEEP_DIMENSIONS_MAX);
    for (const struct dpl_xml_node *c = dpl_xml_child(list, "parameter"); c;
         c = dpl_xml_next(c, "parameter")) {
        struct sweep_vary *vary = study_add_vary(reader, from->value_place);
        if (!vary || !read_parameter(reader, c, vary)) {
            return;
        }
        read_correlations(reader, c, n, &correlations[n * SWEEP_DIMENSIONS_MAX]);
        n++;
    }
    double *matrix = dpl_arena_alloc(&reader->study->arena, (n * n + 1) * sizeof *matrix);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double r = i == j ? 1.0 : correlations[i * SWEEP_DIMENSIONS_MAX + j];
            matrix[i * n + j] = matrix[j * n + i] =
                r * reader->varies[first + i].sigma * reader->varies[first + j].sigma;
        }
    }
    factorize(reader, from->value_place, matrix, first, n);
}

void study_add_calibrated(struct study_reader *reader, const struct dpl_xml_attribute *from)
{
    struct dpl_arena *arena = &reader->study->arena;
    const char *slash = strrchr(reader->file, '/');
    int length = slash && from->value[0] != '/' ? (int)(slash + 1 - reader->file) : 0;
    const char *path = dpl_arena_printf(arena, "%.*s%s", length, reader->file, from->value);
    const struct dpl_xml_node *root;
    struct dpl_diag error;
    if (dpl_xml_read_file(arena, path, &root, &error) < 0) {
        study_error(reader, from->value_place, "from: '%.120s': %s", from->value, error.text);
        return;
    }
    const struct dpl_xml_node *list = dpl_xml_child(root, "covariance");
    if (!list || !dpl_xml_child(list, "parameter")) {
        study_error(reader, from->value_place,
                    "from: '%.120s' has no <covariance>: `doppel calibrate` writes it",
                    from->value);
        return;
    }
    read_list(reader, from, list);
}
