/* SPDX-License-Identifier: Apache-2.0 */
/* Links that loops bind together. */
#include "topology.h"

static int set_of(struct dpl__mb_sketch *sketch, int link)
{
    struct dpl__mb_sketch_link *links = sketch->links;
    while (links[link].set != link) {
        links[link].set = links[links[link].set].set;
        link = links[link].set;
    }
    return link;
}

int dpl__mb_unite_walk(struct dpl__mb_sketch *sketch, int a, int b, bool own)
{
    struct dpl__mb_sketch_link *links = sketch->links;
    int starts[2] = {a, b}, last = -1;
    while (a != b) {
        int *deeper = links[a].depth >= links[b].depth ? &a : &b;
        if (last >= 0) {
            links[set_of(sketch, *deeper)].set = set_of(sketch, last);
        }
        last = *deeper;
        *deeper = links[*deeper].parent;
    }
    if (own && last >= 0 && (a == starts[0] || a == starts[1])) {
        links[set_of(sketch, a)].set = set_of(sketch, last);
    }
    return a;
}

/* Clusters in the order of their first links, which is from the root to the leaves: the parent of a
 * cluster's links was discovered before all of them. */
static void number_links(struct dpl__mb_sketch *sketch)
{
    int n = sketch->n_links, *last = sketch->queue;
    for (int i = 0; i < n; i++) {
        sketch->cluster_of[i] = sketch->next[i] = -1;
    }
    for (int i = 1; i < n; i++) {
        int set = set_of(sketch, i);
        if (sketch->cluster_of[set] < 0) {
            sketch->clusters[sketch->n_clusters] =
                (struct dpl__mb_sketch_cluster){.first = i, .parent = sketch->links[i].parent};
            sketch->cluster_of[set] = sketch->n_clusters;
            last[sketch->n_clusters++] = i;
        } else {
            int cluster = sketch->cluster_of[set];
            sketch->next[last[cluster]] = i;
            last[cluster] = i;
        }
        sketch->clusters[sketch->cluster_of[set]].n++;
    }
    for (int i = 1; i < n; i++) {
        sketch->cluster_of[i] = sketch->cluster_of[set_of(sketch, i)];
    }
    sketch->cluster_of[0] = -1;
    sketch->links[0].final = 0;
    int number = 1;
    for (int k = 0; k < sketch->n_clusters; k++) {
        int first = number;
        for (int i = sketch->clusters[k].first; i >= 0; i = sketch->next[i]) {
            sketch->links[i].final = number++;
        }
        sketch->clusters[k].first = first;
    }
}

/* Loops that meet in several places may have several parents: then what is between joins them. */
static void unite_parents(struct dpl__mb_sketch *sketch)
{
    for (bool grew = true; grew;) {
        grew = false;
        for (int i = 0; i < sketch->n_links; i++) {
            sketch->next[i] = -1; /* a parent of the set of i outside of it */
        }
        for (int i = 1; i < sketch->n_links; i++) {
            int set = set_of(sketch, i), parent = sketch->links[i].parent;
            if (set_of(sketch, parent) == set && parent != 0) {
                continue;
            }
            if (sketch->next[set] < 0 || sketch->next[set] == parent) {
                sketch->next[set] = parent;
                continue;
            }
            dpl__mb_unite_walk(sketch, i, sketch->next[set], false);
            grew = true;
            break;
        }
    }
}

static void place_chords(struct dpl__mb_sketch *sketch)
{
    for (int c = 0; c < sketch->n_chords; c++) {
        struct dpl__mb_sketch_chord *chord = &sketch->chords[c];
        if (chord->joint >= 0 && chord->links[0] == chord->links[1]) {
            sketch->n_idle++;
            continue;
        }
        int link =
            chord->links[0] != chord->top || chord->gear >= 0 ? chord->links[0] : chord->links[1];
        chord->cluster = sketch->cluster_of[link];
        sketch->clusters[chord->cluster].n_chords++;
        sketch->n_path += sketch->clusters[chord->cluster].n;
    }
    int first = 0;
    for (int k = 0; k < sketch->n_clusters; k++) {
        sketch->clusters[k].first_chord = first;
        first += sketch->clusters[k].n_chords;
        sketch->clusters[k].n_chords = 0;
    }
    for (int c = 0; c < sketch->n_chords; c++) {
        struct dpl__mb_sketch_chord *chord = &sketch->chords[c];
        struct dpl__mb_sketch_cluster *cluster = &sketch->clusters[chord->cluster];
        chord->final = chord->cluster < 0 ? first++ : cluster->first_chord + cluster->n_chords++;
    }
}

void dpl__mb_make_clusters(struct dpl__mb_sketch *sketch)
{
    unite_parents(sketch);
    number_links(sketch);
    place_chords(sketch);
}
