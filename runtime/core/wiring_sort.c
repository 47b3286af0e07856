/* SPDX-License-Identifier: Apache-2.0 */
/* The order of execution of components: data flow and `depends` first, otherwise profile order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "component.h"

/* An edge a -> b means that a runs before b. `n` rows of `n`. */
struct graph {
    size_t n;
    bool *depends; /* edges from depends */
    bool *all;     /* these, and edges of the data flow */
    bool *reach;   /* transitive closure of `all` for those not placed yet */
    bool *placed;
};

static size_t position(const size_t *members, size_t n, size_t component)
{
    for (size_t i = 0; i < n; i++) {
        if (members[i] == component) {
            return i;
        }
    }
    return n;
}

static void add_edge(bool *edges, size_t n, size_t from, size_t to)
{
    if (from < n && to < n && from != to) {
        edges[from * n + to] = true;
    }
}

static void fill(struct graph *g, const struct dpl_app *app, const size_t *members)
{
    size_t n = g->n;
    for (size_t i = 0; i < app->n_depends; i++) {
        size_t from = position(members, n, app->depends[i].source);
        size_t to = position(members, n, app->depends[i].target);
        add_edge(g->depends, n, from, to);
        add_edge(g->all, n, from, to);
    }
    for (size_t i = 0; i < app->n_connections; i++) {
        const struct dpl_app_connection *c = &app->connections[i];
        if (c->kind == DPL_PORT_DATA) {
            add_edge(g->all, n, position(members, n, c->source), position(members, n, c->target));
        }
    }
}

/* Warshall's algorithm for those not placed yet. */
static void close_over(struct graph *g, const bool *edges)
{
    size_t n = g->n;
    for (size_t i = 0; i < n * n; i++) {
        g->reach[i] = edges[i] && !g->placed[i / n] && !g->placed[i % n];
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; g->reach[i * n + k] && j < n; j++) {
                g->reach[i * n + j] |= g->reach[k * n + j];
            }
        }
    }
}

static bool waits(const struct graph *g, const bool *edges, size_t index)
{
    for (size_t i = 0; i < g->n; i++) {
        if (!g->placed[i] && edges[i * g->n + index]) {
            return true;
        }
    }
    return false;
}

/* Whether everything that leads to `index` is on a cycle with it. */
static bool is_at_the_source(const struct graph *g, size_t index)
{
    for (size_t i = 0; i < g->n; i++) {
        if (g->reach[i * g->n + index] && !g->reach[index * g->n + i]) {
            return false;
        }
    }
    return true;
}

static size_t next_free(const struct graph *g)
{
    for (size_t i = 0; i < g->n; i++) {
        if (!g->placed[i] && !waits(g, g->all, i)) {
            return i;
        }
    }
    return g->n;
}

/* All wait for each other: a cycle of data that gets no data from another cycle is opened at the
 * component that is first in the profile. `depends` has no cycles, so at least one of its
 * components is free of it. */
static size_t open_cycle(struct graph *g)
{
    close_over(g, g->all);
    for (size_t i = 0; i < g->n; i++) {
        if (!g->placed[i] && !waits(g, g->depends, i) && is_at_the_source(g, i)) {
            return i;
        }
    }
    return g->n;
}

static int check_depends(struct graph *g, const struct dpl_app *app, const size_t *members,
                         struct dpl_diag *reterr)
{
    close_over(g, g->depends);
    for (size_t i = 0; i < app->n_depends; i++) {
        const struct dpl_app_depends *d = &app->depends[i];
        size_t from = position(members, g->n, d->source);
        size_t to = position(members, g->n, d->target);
        if (from < g->n && to < g->n && (from == to || g->reach[to * g->n + from])) {
            return dpl_fail(reterr, -ELOOP, d->place,
                            "depends has a cycle: %s runs after %s, which runs after %s",
                            app->components[d->target].name, app->components[d->source].name,
                            app->components[d->target].name);
        }
    }
    return 0;
}

static int sort(struct graph *g, const struct dpl_app *app, const size_t *members, size_t *order,
                struct dpl_diag *reterr)
{
    fill(g, app, members);
    int r = check_depends(g, app, members, reterr);
    if (r < 0) {
        return r;
    }
    for (size_t i = 0; i < g->n; i++) {
        size_t next = next_free(g);
        if (next == g->n) {
            next = open_cycle(g);
        }
        g->placed[next] = true;
        order[i] = members[next];
    }
    return 0;
}

int dpl__wiring_sort(const struct dpl_app *app, const size_t *members, size_t n, size_t *order,
                     struct dpl_diag *reterr)
{
    static const struct dpl_place nowhere;
    bool *memory = calloc(n + 1, 3 * n + 1);
    if (!memory) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    struct graph g = {.n = n,
                      .depends = memory,
                      .all = memory + n * n,
                      .reach = memory + 2 * n * n,
                      .placed = memory + 3 * n * n};
    int r = sort(&g, app, members, order, reterr);
    free(memory);
    return r;
}
