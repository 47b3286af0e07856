/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the graph share: its memory, its index of names, its checks. */
#ifndef DOPPEL_MULTIBODY_GRAPH_STORE_H
#define DOPPEL_MULTIBODY_GRAPH_STORE_H

#include <stdint.h>

#include <doppel/sim/multibody_graph.h>

enum { DPL__MB_KINDS = DPL_MB_RESTRAINT + 1 };

/* A place of the index: which thing has a name. number_plus_1 is 0: free. Things that were removed
 * stay in the index until it grows. */
struct dpl__mb_slot {
    enum dpl_mb_kind kind;
    int number_plus_1;
};

/* The public graph is the first member, so its address is that of the whole. */
struct dpl__mb_store {
    struct dpl_mb_graph graph;
    size_t capacity[DPL__MB_KINDS];
    struct dpl__mb_slot *slots; /* [n_slots], a power of 2; a hash says where to begin to look */
    size_t n_slots, n_used;
};

/* What all kinds have. `container`: an assembly, of a frame a body. */
struct dpl__mb_thing {
    const char *name;
    int container;
    bool is_active, is_removed; /* a frame is always active */
};

extern const char *const dpl__mb_kind_words[DPL__MB_KINDS]; /* "assembly", ... */

/* ---- graph.c ---- */

struct dpl__mb_store *dpl__mb_store_of(const struct dpl_mb_graph *graph);
size_t dpl__mb_count(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind);
struct dpl__mb_thing dpl__mb_thing_of(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind,
                                      int number);
/* Whether the number is that of a thing which was not removed. */
bool dpl__mb_is_there(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number);
/* Makes room for one more thing, in its list and in the index. Changes nothing that is seen.
 * -ENOMEM, -ENOSPC. */
int dpl__mb_make_room(struct dpl__mb_store *store, enum dpl_mb_kind kind, struct dpl_diag *reterr);
/* Enters the last thing of a list into the index; there is room. */
void dpl__mb_enter(struct dpl__mb_store *store, enum dpl_mb_kind kind);
void *dpl__mb_alloc(struct dpl__mb_store *store, size_t bytes);
void dpl__mb_give(struct dpl__mb_store *store, const void *block);
/* A copy of a text; NULL: no memory. */
char *dpl__mb_copy_text(struct dpl__mb_store *store, const char *text);

/* ---- graph_find.c ---- */

/* As dpl_mb_find, of a name that is `length` bytes of a text. */
int dpl__mb_find_bytes(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int container,
                       const char *name, size_t length);
uint64_t dpl__mb_hash(enum dpl_mb_kind kind, int container, const char *name, size_t length);

/* ---- graph_check.c: 0, or a negative errno with reterr ---- */

int dpl__mb_check_name(const char *name, struct dpl_diag *reterr);
/* -ENOENT: there is no such thing, or no longer. */
int dpl__mb_check_there(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int number,
                        struct dpl_diag *reterr);
/* The name, its container, and that no other of its kind has it there. */
int dpl__mb_check_new(const struct dpl_mb_graph *graph, enum dpl_mb_kind kind, int container,
                      const char *name, struct dpl_diag *reterr);
int dpl__mb_check_mass(double mass, const double centre[3], const double inertia[6],
                       struct dpl_diag *reterr);
/* Makes the rotation exact. */
int dpl__mb_check_place(struct dpl_mb_place *inout_place, struct dpl_diag *reterr);
int dpl__mb_check_law(const struct dpl_mb_piecewise *law, struct dpl_diag *reterr);
bool dpl__mb_all_finite(const double *numbers, size_t n);

/* ---- graph_connect.c: checks of what connects others ---- */

/* Makes the joint what the graph keeps: the place exact, what its type does not use 0. */
int dpl__mb_check_joint(const struct dpl_mb_graph *graph, struct dpl_mb_joint *inout_joint,
                        struct dpl_diag *reterr);
int dpl__mb_check_gear(const struct dpl_mb_graph *graph, const struct dpl_mb_gear *gear,
                       struct dpl_diag *reterr);
int dpl__mb_check_restraint(const struct dpl_mb_graph *graph,
                            const struct dpl_mb_restraint *restraint, struct dpl_diag *reterr);

/* ---- law.c ---- */

/* The coefficients of all pieces. */
size_t dpl__mb_law_coefficients(const struct dpl_mb_piecewise *law);
/* A copy in one block, which is its `coefficients`. False: no memory. */
bool dpl__mb_law_copy(struct dpl__mb_store *store, const struct dpl_mb_piecewise *law,
                      struct dpl_mb_piecewise *ret_law);

#endif
