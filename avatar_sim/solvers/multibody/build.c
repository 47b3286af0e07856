/* SPDX-License-Identifier: Apache-2.0 */
#include "build.h"

#include <errno.h>

/* Where a link's own mass goes: the sum of its bodies'. */
static void add_body(struct dpl__mb *m, const struct dpl_mb_body *body,
                     const struct dpl__mb_part *part)
{
    int link = part->link;
    double centre[4], arm[4], total = m->mass[link] + body->mass;
    double own[3][3] = {{body->inertia[0], body->inertia[3], body->inertia[5]},
                        {body->inertia[3], body->inertia[1], body->inertia[4]},
                        {body->inertia[5], body->inertia[4], body->inertia[2]}};
    dpl__turn(&part->in_link, body->centre, centre);
    for (int i = 0; i < 3; i++) {
        centre[i] += part->in_link.at[i];
        arm[i] = centre[i] - m->centre[link][i];
    }
    double reduced = total > 0.0 ? m->mass[link] * body->mass / total : 0.0;
    double square = dpl__dot3(arm, arm);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = reduced * ((i == j ? square : 0.0) - arm[i] * arm[j]);
            for (int k = 0; k < 3; k++) {
                for (int l = 0; l < 3; l++) {
                    sum += part->in_link.axes[k][i] * own[k][l] * part->in_link.axes[l][j];
                }
            }
            m->inertia[link][4 * j + i] += sum;
        }
    }
    for (int i = 0; i < 3 && total > 0.0; i++) {
        m->centre[link][i] += body->mass / total * arm[i];
    }
    m->mass[link] = total;
}

static void fill_joint(struct dpl__mb *m, const struct dpl__mb_sketch *sketch, int j)
{
    const struct dpl_mb_joint *from = &sketch->graph->joints[j];
    const struct dpl__mb_sketch_joint *drawn = &sketch->joints[j];
    struct dpl__mb_joint *joint = &m->joints[j];
    *joint = (struct dpl__mb_joint){.type = from->type,
                                    .role = drawn->role,
                                    .is_active = dpl_mb_is_active(sketch->graph, DPL_MB_JOINT, j),
                                    .is_held = from->is_held,
                                    .sign = drawn->flipped ? -1.0 : 1.0,
                                    .link = -1,
                                    .chord = -1,
                                    .pitch = from->pitch,
                                    .place = from->place,
                                    .limit = from->limit,
                                    .motor = from->motor};
    memcpy(joint->displacement, from->displacement, sizeof joint->displacement);
    memcpy(joint->velocity, from->velocity, sizeof joint->velocity);
    if (!joint->is_active) {
        return;
    }
    for (int end = 0; end < 2; end++) {
        const struct dpl_mb_frame *frame = &sketch->graph->frames[from->frames[end]];
        const struct dpl__mb_part *part = &m->parts[frame->body];
        struct dpl__mb_frame in_body = dpl__frame_of(&frame->in_body);
        joint->bodies[end] = frame->body;
        joint->links[end] = part->link;
        dpl__compose(&part->in_link, &in_body, &joint->frames[end]);
    }
    joint->link = drawn->role == 0 ? sketch->links[drawn->link].final : -1;
    joint->chord = drawn->role == 1 ? sketch->chords[drawn->chord].final : -1;
    joint->setpoint = from->motor.mode == DPL_MB_MOTOR_POSITION ? from->displacement[0] : 0.0;
}

static void fill_links(struct dpl__mb *m, const struct dpl__mb_sketch *sketch)
{
    int n_floats = 0;
    for (int i = 0; i < m->n_links; i++) {
        const struct dpl__mb_sketch_link *from = &sketch->links[i];
        int link = from->final;
        m->parent[link] = sketch->links[from->parent].final;
        m->kernel[link] = from->kernel;
        m->axis[link] = from->axis;
        m->cluster[link] = sketch->cluster_of[i];
        m->joint_of[link] = from->joint;
        m->depth[link] = from->depth;
        m->pitch[link] = from->pitch;
        m->seat[link] = from->seat;
        m->frame[link] = dpl__frame_identity();
        m->float_of[link] = -1;
        if (i > 0 && from->kernel == DPL__MB_FREE) {
            m->float_of[link] = n_floats;
            m->floats[n_floats] = (struct dpl__mb_float){.link = link,
                                                         .joint = from->joint,
                                                         .body = from->body,
                                                         .x = m->n_links + 7 * n_floats,
                                                         .v = m->n_links + 6 * n_floats};
            n_floats++;
        }
    }
}

/* Positions are counted from where a branch leaves what stands still, or from its free link. */
static void fill_branches(struct dpl__mb *m)
{
    int n = 1;
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        cluster->branch = cluster->parent == 0 ? n++ : m->branch[cluster->parent];
        for (int i = cluster->first; i < cluster->first + cluster->n; i++) {
            m->branch[i] = cluster->branch;
            if (cluster->parent != 0 || m->parent[i] != 0) {
                continue;
            }
            if (i == cluster->first) {
                memcpy(m->points[cluster->branch], m->seat[i].at, sizeof m->points[0]);
            }
            for (int axis = 0; axis < 3; axis++) {
                m->seat[i].at[axis] -= m->points[cluster->branch][axis];
            }
        }
    }
}

/* The way of one end to the top of the cluster; links that both ends share fall out. */
static void add_path(struct dpl__mb *m, struct dpl__mb_chord *chord, int link, double sign)
{
    const struct dpl__mb_cluster *cluster = &m->clusters[chord->cluster];
    while (link >= cluster->first && link < cluster->first + cluster->n) {
        int found = -1;
        for (int k = 0; k < chord->n_path; k++) {
            found = m->path[chord->first_path + k].local == link - cluster->first ? k : found;
        }
        if (found >= 0) {
            m->path[chord->first_path + found] = m->path[chord->first_path + --chord->n_path];
        } else {
            m->path[chord->first_path + chord->n_path++] =
                (struct dpl__mb_path){link - cluster->first, sign};
        }
        link = m->parent[link];
    }
}

static void fill_chord(struct dpl__mb *m, const struct dpl__mb_sketch *sketch, int c,
                       int *inout_path)
{
    const struct dpl__mb_sketch_chord *from = &sketch->chords[c];
    struct dpl__mb_chord *chord = &m->chords[from->final];
    *chord = (struct dpl__mb_chord){.joint = from->joint,
                                    .gear = from->gear,
                                    .cluster = from->cluster,
                                    .n_rows = dpl__mb_rows_of(sketch, from),
                                    .first_path = *inout_path};
    if (from->gear >= 0) {
        const struct dpl_mb_gear *gear = &sketch->graph->gears[from->gear];
        chord->ends[0] = gear->joints[0];
        chord->ends[1] = gear->joints[1];
        chord->ratio = gear->ratio;
        return;
    }
    const struct dpl__mb_joint *joint = &m->joints[from->joint];
    chord->type = joint->type;
    chord->pitch = joint->pitch;
    chord->is_held = joint->is_held;
    for (int end = 0; end < 2; end++) {
        chord->links[end] = joint->links[end];
        chord->frames[end] = joint->frames[end];
        for (int i = 0; chord->cluster >= 0 && chord->links[end] == 0 && i < 3; i++) {
            chord->frames[end].at[i] -= m->points[m->clusters[chord->cluster].branch][i];
        }
    }
    if (joint->type == DPL_MB_RIGID) {
        struct dpl__mb_frame place = dpl__frame_of(&joint->place);
        dpl__compose(&chord->frames[0], &place, &chord->frames[0]);
    }
    if (chord->cluster >= 0) {
        add_path(m, chord, chord->links[1], 1.0);
        add_path(m, chord, chord->links[0], -1.0);
        *inout_path += chord->n_path;
    }
}

static void fill_clusters(struct dpl__mb *m)
{
    for (int k = 0; k < m->n_clusters; k++) {
        struct dpl__mb_cluster *cluster = &m->clusters[k];
        int row = 0;
        for (int c = 0; c < cluster->n_chords; c++) {
            struct dpl__mb_chord *chord = &m->chords[cluster->first_chord + c];
            chord->first_row = row;
            for (int i = 0; i < chord->n_rows; i++) {
                cluster->chords[row++] = cluster->first_chord + c;
            }
            for (int end = 0; end < 2 && chord->joint >= 0; end++) {
                double *at = chord->frames[end].at;
                cluster->size = fmax(cluster->size, sqrt(dpl__dot3(at, at)));
            }
        }
        for (int i = cluster->first; cluster->n_chords > 0 && i < cluster->first + cluster->n;
             i++) {
            double *at = m->seat[i].at;
            cluster->size = fmax(cluster->size, sqrt(dpl__dot3(at, at)));
        }
        m->n_loops += cluster->n_chords > 0;
    }
}

/* Of each cluster the joints of its links, then its chords'. */
static void fill_lists(struct dpl__mb *m)
{
    int n = 0;
    for (int k = 0; k < m->n_clusters; k++) {
        const struct dpl__mb_cluster *cluster = &m->clusters[k];
        m->list_of[k] = n;
        for (int i = cluster->first; i < cluster->first + cluster->n; i++) {
            bool again = n > m->list_of[k] && m->list[n - 1] == m->joint_of[i];
            if (m->joint_of[i] >= 0 && !again) {
                m->list[n++] = m->joint_of[i];
            }
        }
        for (int c = 0; c < cluster->n_chords; c++) {
            int joint = m->chords[cluster->first_chord + c].joint;
            if (joint >= 0) {
                m->list[n++] = joint;
            }
        }
    }
    m->list_of[m->n_clusters] = n;
}

static void fill_restraints(struct dpl__mb *m, const struct dpl_mb_graph *graph)
{
    int n = 0;
    for (int i = 0; i < (int)graph->n_restraints; i++) {
        const struct dpl_mb_restraint *from = &graph->restraints[i];
        if (!dpl_mb_is_active(graph, DPL_MB_RESTRAINT, i)) {
            continue;
        }
        struct dpl__mb_restraint *restraint = &m->restraints[n++];
        restraint->type = from->type;
        restraint->joint = from->joint;
        restraint->distance = from->distance;
        restraint->regularization = from->regularization > 0.0 ? from->regularization : 1e-3;
        for (int end = 0; end < 2 && from->joint < 0; end++) {
            const struct dpl_mb_frame *frame = &graph->frames[from->frames[end]];
            const struct dpl__mb_part *part = &m->parts[frame->body];
            struct dpl__mb_frame in_body = dpl__frame_of(&frame->in_body);
            restraint->links[end] = part->link;
            dpl__compose(&part->in_link, &in_body, &restraint->frames[end]);
        }
    }
}

static void fill(struct dpl__mb *m, const struct dpl__mb_sketch *sketch)
{
    const struct dpl_mb_graph *graph = sketch->graph;
    for (int i = 0; i < 3; i++) {
        m->gravity[i] = graph->gravity[i];
    }
    fill_links(m, sketch);
    for (int b = 0; b < m->n_bodies; b++) {
        m->parts[b] = sketch->parts[b];
        m->parts[b].link =
            sketch->parts[b].link < 0 ? -1 : sketch->links[sketch->parts[b].link].final;
        if (m->parts[b].link > 0) {
            add_body(m, &graph->bodies[b], &m->parts[b]);
        }
    }
    fill_branches(m);
    for (int j = 0; j < m->n_joints; j++) {
        fill_joint(m, sketch, j);
        if (m->joints[j].type == DPL_MB_SPHERICAL && m->joints[j].role == 0) {
            m->sphericals[m->n_sphericals++] = j;
        }
    }
    int path = 0;
    for (int c = 0; c < m->n_chords; c++) {
        fill_chord(m, sketch, c, &path);
    }
    fill_clusters(m);
    fill_lists(m);
    fill_restraints(m, graph);
    for (int r = 0; r < m->n_restraints; r++) {
        if (m->restraints[r].joint >= 0) {
            m->joints[m->restraints[r].joint].is_restrained = true;
        }
    }
}

static int count_branches(const struct dpl__mb_sketch *sketch)
{
    int n = 1;
    for (int k = 0; k < sketch->n_clusters; k++) {
        n += sketch->clusters[k].parent == 0;
    }
    return n;
}

static int count_active(const struct dpl_mb_graph *graph)
{
    int n = 0;
    for (int i = 0; i < (int)graph->n_restraints; i++) {
        n += dpl_mb_is_active(graph, DPL_MB_RESTRAINT, i);
    }
    return n;
}

/* How many may give an acceleration. */
static int count_motors(const struct dpl_mb_graph *graph)
{
    int n = 0;
    for (int j = 0; j < (int)graph->n_joints && n < DPL_MB_DRIVEN_MAX; j++) {
        n += graph->joints[j].motor.mode != DPL_MB_MOTOR_NONE;
    }
    return n;
}

static int work_vectors(enum dpl_mb_integrator integrator)
{
    static const int vectors[] = {
        [DPL_MB_SEMI_IMPLICIT] = 1, [DPL_MB_RK4] = 6, [DPL_MB_DOPRI5] = 12, [DPL_MB_GRAGG] = 14};
    return vectors[integrator];
}

int dpl__mb_build(const struct dpl__mb_sketch *sketch, const struct dpl_mb_settings *settings,
                  const struct dpl_mb_memory *memory, struct dpl_mb_system **ret_system)
{
    const struct dpl_mb_graph *graph = sketch->graph;
    struct dpl__mb counted = {.memory = *memory,
                              .settings = *settings,
                              .n_links = sketch->n_links,
                              .n_bodies = (int)graph->n_bodies,
                              .n_joints = (int)graph->n_joints,
                              .n_chords = sketch->n_chords,
                              .n_clusters = sketch->n_clusters,
                              .n_branches = count_branches(sketch),
                              .n_floats = sketch->n_floats,
                              .n_restraints = count_active(graph),
                              .n_path = sketch->n_path,
                              .n_work = work_vectors(settings->integrator),
                              .drives = {.most = count_motors(graph)}};
    counted.nx = counted.n_links + 7 * counted.n_floats;
    counted.nv = counted.n_links + 6 * counted.n_floats;
    counted.ny = counted.nx + counted.nv;
    size_t first = dpl__mb_carve_all(&counted, NULL);
    size_t bytes = dpl__mb_carve_more(&counted, sketch, NULL, first);
    char *block = memory->take(memory->user, bytes + 64 + sizeof(void *));
    if (!block) {
        return -ENOMEM;
    }
    size_t shift = (64 - (size_t)block % 64) % 64; /* a block of take is at a border of 16 */
    char *base = block + shift;
    struct dpl_mb_system *system = (struct dpl_mb_system *)(void *)base;
    struct dpl__mb_arena arena = {base, 0};
    dpl__mb_carve(&arena, 1, sizeof *system);
    struct dpl__mb *m = dpl__mb_carve(&arena, 1, sizeof *m);
    *m = counted;
    dpl__mb_carve_all(m, base);
    dpl__mb_carve_more(m, sketch, base, first);
    m->block = block;
    m->x = m->y;
    m->v = m->y + m->nx;
    system->m = m;
    fill(m, sketch);
    *ret_system = system;
    return 0;
}
