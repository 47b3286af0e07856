/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of a system before it has its arrays: which links there are, what closes loops, and
 * which links belong to one cluster. It lives while a system is made. */
#ifndef DOPPEL_SIM_MULTIBODY_TOPOLOGY_H
#define DOPPEL_SIM_MULTIBODY_TOPOLOGY_H

#include "system.h"

/* One block that is cut twice: first to count its bytes, then to have them. */
struct dpl__mb_arena {
    char *base; /* NULL: count only */
    size_t used;
};

/* Room for `count` things of `size` bytes at a border of 64 bytes. NULL while counting. */
void *dpl__mb_carve(struct dpl__mb_arena *arena, size_t count, size_t size);

/* A link in the order of discovery. */
struct dpl__mb_sketch_link {
    int parent, kernel, axis, depth;
    int joint; /* -1: a body that floats without a joint */
    int coordinate;
    int body; /* of a free link: the body that it was found by */
    double pitch;
    struct dpl__mb_frame seat;
    int set;   /* union-find */
    int final; /* its number in the system */
};

struct dpl__mb_sketch_joint {
    int role, link, chord; /* as in struct dpl__mb_joint; link in the order of discovery */
    bool is_used, flipped;
};

struct dpl__mb_sketch_chord {
    int joint, gear;
    int links[2]; /* its walk: of its ends, in the order of discovery */
    int top;      /* the walk stops below this link */
    int cluster;
    int final;
};

struct dpl__mb_sketch_cluster {
    int first, n, parent, first_chord, n_chords;
};

struct dpl__mb_sketch {
    const struct dpl_mb_graph *graph;
    void (*report)(void *user, const struct dpl_diag *diag);
    void *report_user;
    int n_links, n_chords, n_clusters, n_idle, n_floats, n_path;
    struct dpl__mb_sketch_link *links;
    struct dpl__mb_sketch_joint *joints;
    struct dpl__mb_sketch_chord *chords;
    struct dpl__mb_sketch_cluster *clusters;
    struct dpl__mb_part *parts;  /* links in the order of discovery */
    int *queue;                  /* of bodies */
    int *incident, *incident_of; /* joints of each body */
    int *next, *cluster_of;      /* of links */
};

/* Everything but the numbers: 0; -EINVAL with reterr; -ENOMEM. */
int dpl__mb_sketch_create(const struct dpl_mb_graph *graph,
                          void (*report)(void *user, const struct dpl_diag *diag),
                          void *report_user, const struct dpl_mb_memory *memory,
                          struct dpl__mb_sketch **ret_sketch, struct dpl_diag *reterr);

/* The kernel and axis of a coordinate of a joint. */
int dpl__mb_kernel_of(enum dpl_mb_joint_type type, int i, int *ret_axis);

/* ---- clusters.c ---- */

/* Walks from both links to what is above both, and makes one set of the links on the way. Returns
 * the link above. `own`: also a start that is above the other one belongs to the set. */
int dpl__mb_unite_walk(struct dpl__mb_sketch *sketch, int a, int b, bool own);
/* Clusters, the numbers of links, and the places of chords, from the walks so far. */
void dpl__mb_make_clusters(struct dpl__mb_sketch *sketch);

#endif
