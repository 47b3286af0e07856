/* SPDX-License-Identifier: Apache-2.0 */
/* Force laws: see laws.h. */
#include "laws.h"

#include "units.h"

/* The coefficients of one piece, powers descending. 0: an error was reported. */
static size_t read_piece(struct dpl__star_reader *reader, struct dpl__star_node node,
                         struct dpl__star_argument argument, bool rises, double *ret_values)
{
    size_t n = json_array_size(node.json);
    if (!json_is_array(node.json) || n == 0) {
        dpl__star_error(reader, node, "an array of coefficients is expected, at least 1");
        return 0;
    }
    struct dpl__star_node element = {.value = node.value + 1};
    bool is_good = true;
    for (size_t i = 0; i < n; i++) {
        size_t power = rises ? i : n - 1 - i;
        element.json = json_array_get(node.json, i);
        is_good = dpl__star_number(reader, element,
                                   dpl__star_coefficient(reader->units, argument.turns,
                                                         argument.is_of_rate, power),
                                   &ret_values[n - 1 - power]) &&
                  is_good;
        element.value = reader->places.values[element.value].next;
    }
    return is_good ? n : 0;
}

/* One piece without knots. */
static bool read_one(struct dpl__star_reader *reader, struct dpl__star_node node,
                     struct dpl__star_argument argument, bool rises,
                     struct dpl_mb_piecewise *ret_law)
{
    size_t *n_of = dpl_arena_alloc(reader->arena, sizeof *n_of);
    double *values =
        dpl_arena_alloc(reader->arena, (json_array_size(node.json) + 1) * sizeof *values);
    *n_of = read_piece(reader, node, argument, rises, values);
    *ret_law = (struct dpl_mb_piecewise){.n_of = n_of, .coefficients = values};
    return *n_of > 0;
}

bool dpl__star_read_rising(struct dpl__star_reader *reader, struct dpl__star_node node,
                           struct dpl__star_argument argument, struct dpl_mb_piecewise *ret_law)
{
    return read_one(reader, node, argument, true, ret_law);
}

static bool read_knots(struct dpl__star_reader *reader, struct dpl__star_node node,
                       struct dpl__star_argument argument, struct dpl_mb_piecewise *law)
{
    if (!json_is_array(node.json)) {
        dpl__star_error(reader, node, "an array of numbers is expected");
        return false;
    }
    double unit = argument.is_of_rate ? dpl__star_rate(reader->units, argument.turns)
                                      : dpl__star_coordinate(reader->units, argument.turns);
    law->n_knots = json_array_size(node.json);
    double *knots = dpl_arena_alloc(reader->arena, (law->n_knots + 1) * sizeof *knots);
    law->knots = knots;
    struct dpl__star_node element = {.value = node.value + 1};
    for (size_t i = 0; i < law->n_knots; i++) {
        element.json = json_array_get(node.json, i);
        if (!dpl__star_number(reader, element, unit, &knots[i])) {
            return false;
        }
        if (i > 0 && knots[i] <= knots[i - 1]) {
            dpl__star_error(reader, element,
                            "knots rise: this one is not more than the one before");
            return false;
        }
        element.value = reader->places.values[element.value].next;
    }
    return true;
}

static bool read_pieces(struct dpl__star_reader *reader, struct dpl__star_node node,
                        struct dpl__star_argument argument, struct dpl_mb_piecewise *law)
{
    size_t n = json_array_size(node.json), n_all = 0;
    if (n != law->n_knots + 1) {
        dpl__star_error(reader, node, "%zu knots need %zu arrays of coefficients, not %zu",
                        law->n_knots, law->n_knots + 1, n);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        n_all += json_array_size(json_array_get(node.json, i));
    }
    size_t *n_of = dpl_arena_alloc(reader->arena, n * sizeof *n_of);
    double *values = dpl_arena_alloc(reader->arena, (n_all + 1) * sizeof *values);
    law->n_of = n_of;
    law->coefficients = values;
    struct dpl__star_node piece = {.value = node.value + 1};
    bool is_good = true;
    for (size_t i = 0; i < n; i++) {
        piece.json = json_array_get(node.json, i);
        n_of[i] = read_piece(reader, piece, argument, false, values);
        values += n_of[i];
        is_good = n_of[i] > 0 && is_good;
        piece.value = reader->places.values[piece.value].next;
    }
    return is_good;
}

bool dpl__star_read_law(struct dpl__star_reader *reader, struct dpl__star_node node,
                        struct dpl__star_argument argument, struct dpl_mb_piecewise *ret_law)
{
    *ret_law = (struct dpl_mb_piecewise){0};
    struct dpl__star_node knots = dpl__star_get(reader, node, "knot_points");
    struct dpl__star_node pieces = dpl__star_get(reader, node, "coefficients");
    if (!pieces.json) {
        dpl__star_error(reader, node, "this has no \"coefficients\"");
        return false;
    }
    if (!json_is_array(pieces.json) || json_array_size(pieces.json) == 0) {
        dpl__star_error(reader, pieces, "an array of coefficients is expected, at least 1");
        return false;
    }
    if (knots.json && !read_knots(reader, knots, argument, ret_law)) {
        return false;
    }
    if (!json_is_array(json_array_get(pieces.json, 0)) && ret_law->n_knots == 0) {
        return read_one(reader, pieces, argument, false, ret_law);
    }
    return read_pieces(reader, pieces, argument, ret_law);
}
