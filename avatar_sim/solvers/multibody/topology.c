/* SPDX-License-Identifier: Apache-2.0 */
#include "topology.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>

void *dpl__mb_carve(struct dpl__mb_arena *arena, size_t count, size_t size)
{
    arena->used = (arena->used + 63) / 64 * 64;
    void *place = arena->base ? arena->base + arena->used : NULL;
    arena->used += count * size;
    return place;
}

int dpl__mb_kernel_of(enum dpl_mb_joint_type type, int i, int *ret_axis)
{
    static const struct {
        int kernel, axis;
    } chains[][3] = {
        [DPL_MB_CYLINDRICAL] = {{DPL__MB_SLIDE, 2}, {DPL__MB_TURN, 2}},
        [DPL_MB_UNIVERSAL] = {{DPL__MB_TURN, 0}, {DPL__MB_TURN, 1}},
        [DPL_MB_PLANAR] = {{DPL__MB_SLIDE, 0}, {DPL__MB_SLIDE, 1}, {DPL__MB_TURN, 2}},
        [DPL_MB_SPHERICAL] = {{DPL__MB_TURN, 0}, {DPL__MB_TURN, 1}, {DPL__MB_TURN, 2}},
        [DPL_MB_SCREW] = {{DPL__MB_SCREWS, 2}},
    };
    if (type <= DPL_MB_TZ) {
        *ret_axis = (int)type % 3;
        return type <= DPL_MB_RZ ? DPL__MB_TURN : DPL__MB_SLIDE;
    }
    *ret_axis = chains[type][i].axis;
    return chains[type][i].kernel;
}

static int add_link(struct dpl__mb_sketch *sketch, int parent, int joint)
{
    int number = sketch->n_links++;
    struct dpl__mb_sketch_link *link = &sketch->links[number];
    *link = (struct dpl__mb_sketch_link){.parent = parent, .joint = joint, .set = number};
    link->depth = number > 0 ? sketch->links[parent].depth + 1 : 0;
    link->seat = dpl__frame_identity();
    return number;
}

static struct dpl__mb_frame end_frame(const struct dpl__mb_sketch *sketch, int joint, int end)
{
    const struct dpl_mb_graph *graph = sketch->graph;
    return dpl__frame_of(&graph->frames[graph->joints[joint].frames[end]].in_body);
}

/* Body `from` is in a link; the joint leads to `to`, whose part is made. */
static void grow(struct dpl__mb_sketch *sketch, int number, int from, int to, bool flipped)
{
    const struct dpl_mb_joint *joint = &sketch->graph->joints[number];
    struct dpl__mb_sketch_joint *mine = &sketch->joints[number];
    struct dpl__mb_frame here = end_frame(sketch, number, flipped ? 1 : 0);
    struct dpl__mb_frame there = end_frame(sketch, number, flipped ? 0 : 1), seat, back;
    dpl__compose(&sketch->parts[from].in_link, &here, &seat);
    dpl__invert(&there, &back);
    mine->is_used = true;
    mine->flipped = flipped;
    struct dpl__mb_part *part = &sketch->parts[to];
    if (joint->type == DPL_MB_RIGID) {
        struct dpl__mb_frame place = dpl__frame_of(&joint->place);
        if (flipped) {
            dpl__invert(&place, &place);
        }
        dpl__compose(&seat, &place, &seat);
        dpl__compose(&seat, &back, &part->in_link);
        part->link = sketch->parts[from].link;
        return;
    }
    int n = dpl_mb_joint_freedoms(joint->type), parent = sketch->parts[from].link;
    mine->role = 0;
    for (int k = 0; k < n; k++) {
        int i = flipped ? n - 1 - k : k;
        int link = add_link(sketch, parent, number);
        struct dpl__mb_sketch_link *made = &sketch->links[link];
        made->coordinate = i;
        made->kernel = dpl__mb_kernel_of(joint->type, i, &made->axis);
        made->pitch = joint->pitch;
        made->seat = k == 0 ? seat : made->seat;
        mine->link = i == 0 ? link : mine->link;
        parent = link;
    }
    part->link = parent;
    part->in_link = back;
}

static int other_end(const struct dpl_mb_graph *graph, int joint, int body, bool *ret_flipped)
{
    int first = graph->frames[graph->joints[joint].frames[0]].body;
    int second = graph->frames[graph->joints[joint].frames[1]].body;
    *ret_flipped = first != body;
    return *ret_flipped ? first : second;
}

/* Breadth first, in the order of the file, from a body that is in a link. */
static void spread(struct dpl__mb_sketch *sketch, int body)
{
    int head = 0, tail = 0;
    sketch->queue[tail++] = body;
    while (head < tail) {
        int from = sketch->queue[head++];
        for (int k = sketch->incident_of[from]; k < sketch->incident_of[from + 1]; k++) {
            int joint = sketch->incident[k];
            bool flipped;
            int to = other_end(sketch->graph, joint, from, &flipped);
            if (sketch->joints[joint].is_used ||
                sketch->graph->joints[joint].type == DPL_MB_FLOAT) {
                continue;
            }
            if (sketch->parts[to].link < 0) {
                grow(sketch, joint, from, to, flipped);
                sketch->queue[tail++] = to;
                continue;
            }
            sketch->joints[joint].is_used = true;
            sketch->joints[joint].role = 1;
            sketch->joints[joint].chord = sketch->n_chords;
            sketch->chords[sketch->n_chords++] =
                (struct dpl__mb_sketch_chord){.joint = joint, .gear = -1, .cluster = -1};
        }
    }
}

static void float_body(struct dpl__mb_sketch *sketch, int body, int joint, bool flipped)
{
    int link = add_link(sketch, 0, joint);
    sketch->links[link].kernel = DPL__MB_FREE;
    sketch->links[link].body = body;
    sketch->n_floats++;
    sketch->parts[body].link = link;
    sketch->parts[body].in_link = dpl__frame_identity();
    if (joint >= 0) {
        struct dpl__mb_frame there = end_frame(sketch, joint, flipped ? 0 : 1);
        dpl__invert(&there, &sketch->parts[body].in_link);
        sketch->joints[joint].is_used = true;
        sketch->joints[joint].flipped = flipped;
        sketch->joints[joint].role = 0;
        sketch->joints[joint].link = link;
    }
    spread(sketch, body);
}

/* Takes all floats that lead from what has a link to what has none. */
static void add_floats(struct dpl__mb_sketch *sketch)
{
    const struct dpl_mb_graph *graph = sketch->graph;
    for (bool grew = true; grew;) {
        grew = false;
        for (int j = 0; j < (int)graph->n_joints; j++) {
            if (graph->joints[j].type != DPL_MB_FLOAT || sketch->joints[j].is_used) {
                continue;
            }
            int first = graph->frames[graph->joints[j].frames[0]].body;
            int second = graph->frames[graph->joints[j].frames[1]].body;
            bool has_first = sketch->parts[first].link >= 0;
            if (has_first != (sketch->parts[second].link >= 0)) {
                float_body(sketch, has_first ? second : first, j, !has_first);
                grew = true;
            }
        }
    }
}

static void report_floating(struct dpl__mb_sketch *sketch, enum dpl_severity severity, int body)
{
    char path[DPL_DIAG_TEXT_MAX / 2];
    struct dpl_diag diag = {.severity = severity};
    dpl_mb_path(sketch->graph, DPL_MB_BODY, body, path, sizeof path);
    snprintf(diag.text, sizeof diag.text, "body '%s' has no path to 'fixed': it floats", path);
    if (sketch->report) {
        sketch->report(sketch->report_user, &diag);
    }
}

static void find_links(struct dpl__mb_sketch *sketch)
{
    const struct dpl_mb_graph *graph = sketch->graph;
    add_link(sketch, 0, -1);
    sketch->parts[0].link = 0;
    sketch->parts[0].in_link = dpl__frame_identity();
    spread(sketch, 0);
    add_floats(sketch);
    for (int b = 1; b < (int)graph->n_bodies; b++) {
        if (sketch->parts[b].link < 0 && dpl_mb_is_active(graph, DPL_MB_BODY, b)) {
            report_floating(sketch, DPL_SEVERITY_WARNING, b);
            float_body(sketch, b, -1, false);
            add_floats(sketch);
        }
    }
}

/* A link that a gear's end moves; -1: none, both sides of the joint are in one link. */
static int gear_link(const struct dpl__mb_sketch *sketch, int joint)
{
    const struct dpl__mb_sketch_joint *end = &sketch->joints[joint];
    if (end->role == 0) {
        return end->link;
    }
    const struct dpl__mb_sketch_chord *chord = &sketch->chords[end->chord];
    if (chord->links[0] == chord->links[1]) {
        return -1;
    }
    return chord->links[1] != chord->top ? chord->links[1] : chord->links[0];
}

static int add_gears(struct dpl__mb_sketch *sketch, struct dpl_diag *reterr)
{
    const struct dpl_mb_graph *graph = sketch->graph;
    for (int g = 0; g < (int)graph->n_gears; g++) {
        if (!dpl_mb_is_active(graph, DPL_MB_GEAR, g)) {
            continue;
        }
        int a = gear_link(sketch, graph->gears[g].joints[0]);
        int b = gear_link(sketch, graph->gears[g].joints[1]);
        if (a < 0 && b < 0) {
            continue;
        }
        /* a joint that cannot move: the gear holds the other one */
        a = a < 0 ? b : a;
        b = b < 0 ? a : b;
        struct dpl__mb_sketch_chord *chord = &sketch->chords[sketch->n_chords++];
        *chord =
            (struct dpl__mb_sketch_chord){.joint = -1, .gear = g, .links = {a, b}, .cluster = -1};
        chord->top = dpl__mb_unite_walk(sketch, a, b, true);
        if (chord->top == 0) {
            for (int end = 0; end < 2; end++) {
                int link = chord->links[end];
                while (sketch->links[link].parent != 0) {
                    link = sketch->links[link].parent;
                }
                if (sketch->links[link].kernel == DPL__MB_FREE) {
                    char path[DPL_DIAG_TEXT_MAX / 2];
                    dpl_mb_path(graph, DPL_MB_GEAR, g, path, sizeof path);
                    return dpl_fail(reterr, -EINVAL,
                                    (struct dpl_place){.line = graph->gears[g].line,
                                                       .column = graph->gears[g].column},
                                    "gear '%s' couples joints of mechanisms that float apart",
                                    path);
                }
            }
        }
    }
    return 0;
}

static int build(struct dpl__mb_sketch *sketch, struct dpl_diag *reterr)
{
    const struct dpl_mb_graph *graph = sketch->graph;
    find_links(sketch);
    for (int c = 0; c < sketch->n_chords; c++) {
        struct dpl__mb_sketch_chord *chord = &sketch->chords[c];
        for (int end = 0; end < 2; end++) {
            int frame = graph->joints[chord->joint].frames[end];
            chord->links[end] = sketch->parts[graph->frames[frame].body].link;
        }
        chord->top = dpl__mb_unite_walk(sketch, chord->links[0], chord->links[1], false);
    }
    int result = add_gears(sketch, reterr);
    if (result < 0) {
        return result;
    }
    dpl__mb_make_clusters(sketch);
    return 0;
}

static void list_incident(struct dpl__mb_sketch *sketch)
{
    const struct dpl_mb_graph *graph = sketch->graph;
    for (int round = 0; round < 2; round++) {
        for (int j = (int)graph->n_joints - 1; j >= 0; j--) {
            sketch->joints[j].role = -1;
            if (!dpl_mb_is_active(graph, DPL_MB_JOINT, j)) {
                sketch->joints[j].is_used = true;
                continue;
            }
            for (int end = 0; end < 2; end++) {
                int body = graph->frames[graph->joints[j].frames[end]].body;
                if (round == 0) {
                    sketch->incident_of[body]++;
                } else {
                    sketch->incident[--sketch->incident_of[body]] = j;
                }
            }
        }
        for (int b = 0; round == 0 && b < (int)graph->n_bodies; b++) {
            sketch->incident_of[b + 1] += sketch->incident_of[b];
        }
    }
}

static size_t carve_sketch(struct dpl__mb_sketch *sketch, char *base)
{
    const struct dpl_mb_graph *graph = sketch->graph;
    size_t links = 1 + 3 * graph->n_joints + graph->n_bodies;
    size_t chords = graph->n_joints + graph->n_gears;
    struct dpl__mb_arena arena = {base, 0};
    dpl__mb_carve(&arena, 1, sizeof *sketch);
    sketch->links = dpl__mb_carve(&arena, links, sizeof *sketch->links);
    sketch->joints = dpl__mb_carve(&arena, graph->n_joints + 1, sizeof *sketch->joints);
    sketch->chords = dpl__mb_carve(&arena, chords + 1, sizeof *sketch->chords);
    sketch->clusters = dpl__mb_carve(&arena, links, sizeof *sketch->clusters);
    sketch->parts = dpl__mb_carve(&arena, graph->n_bodies, sizeof *sketch->parts);
    sketch->queue = dpl__mb_carve(&arena, links, sizeof *sketch->queue);
    sketch->incident = dpl__mb_carve(&arena, 2 * graph->n_joints + 1, sizeof(int));
    sketch->incident_of = dpl__mb_carve(&arena, graph->n_bodies + 1, sizeof(int));
    sketch->next = dpl__mb_carve(&arena, links, sizeof(int));
    sketch->cluster_of = dpl__mb_carve(&arena, links, sizeof(int));
    return arena.used;
}

int dpl__mb_sketch_create(const struct dpl_mb_graph *graph,
                          void (*report)(void *user, const struct dpl_diag *diag),
                          void *report_user, const struct dpl_mb_memory *memory,
                          struct dpl__mb_sketch **ret_sketch, struct dpl_diag *reterr)
{
    struct dpl__mb_sketch counted = {.graph = graph, .report = report, .report_user = report_user};
    char *block = memory->take(memory->user, carve_sketch(&counted, NULL) + 64);
    if (!block) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "no memory is left");
    }
    struct dpl__mb_sketch *sketch = (struct dpl__mb_sketch *)(void *)block;
    *sketch = counted;
    carve_sketch(sketch, block);
    for (size_t b = 0; b < graph->n_bodies; b++) {
        sketch->parts[b].link = -1;
    }
    list_incident(sketch);
    int result = build(sketch, reterr);
    if (result < 0) {
        memory->give(memory->user, block);
        return result;
    }
    *ret_sketch = sketch;
    return 0;
}
