/* SPDX-License-Identifier: Apache-2.0 */
#include "rotation.h"

static void place_free(struct dpl__mb *m, int link)
{
    const struct dpl__mb_float *body = &m->floats[m->float_of[link]];
    const double *x = &m->x[body->x];
    struct dpl__mb_frame *frame = &m->frame[link];
    dpl__mb_axes_of_quaternion(x + 3, frame);
    memset(frame->at, 0, sizeof frame->at);
    memcpy(m->points[m->branch[link]], x, 3 * sizeof *x);
}

static void place_link(struct dpl__mb *m, int link)
{
    struct dpl__mb_frame *frame = &m->frame[link];
    double *s = m->s[link], q = m->x[link];
    int axis = m->axis[link], kernel = m->kernel[link];
    dpl__compose(&m->frame[m->parent[link]], &m->seat[link], frame);
    double *along = frame->axes[axis];
    if (kernel == DPL__MB_SLIDE) {
        for (int i = 0; i < 4; i++) {
            frame->at[i] += q * along[i];
            s[i] = 0.0;
            s[i + 4] = along[i];
        }
        return;
    }
    dpl__turn_about(frame, axis, m->sine[link], m->cosine[link]);
    memcpy(s, along, 4 * sizeof *s);
    if (kernel != DPL__MB_SCREWS) {
        dpl__cross3(frame->at, along, s + 4);
        s[7] = 0.0;
        return;
    }
    double pitch = m->pitch[link], slide[4];
    for (int i = 0; i < 4; i++) {
        frame->at[i] += pitch * q * along[i];
        slide[i] = pitch * along[i];
    }
    dpl__cross3_add(frame->at, along, slide);
    memcpy(s + 4, slide, sizeof slide);
}

void dpl__mb_positions(struct dpl__mb *m, const struct dpl__mb_cluster *cluster)
{
    int end = cluster->first + cluster->n;
    for (int link = cluster->first; link < end; link++) {
        m->sine[link] = sin(m->x[link]);
        m->cosine[link] = cos(m->x[link]);
    }
    for (int link = cluster->first; link < end; link++) {
        if (m->kernel[link] == DPL__MB_FREE) {
            place_free(m, link);
        } else {
            place_link(m, link);
        }
    }
}

/* The inertia of a link about the branch's point, as 6 rows, and its momentum. Nothing that was
 * written by single numbers is read as a vector here: processors wait for that. */
static void weigh(struct dpl__mb *m, int link)
{
    static const double unit[3][4] = {{1.0, 0, 0, 0}, {0, 1.0, 0, 0}, {0, 0, 1.0, 0}};
    const struct dpl__mb_frame *frame = &m->frame[link];
    double *restrict rows = m->articulated[link], *restrict momentum = m->momentum[link];
    const double *v = m->velocity[link], *own = m->inertia[link];
    double mass = m->mass[link], c[4], mid[3][4];
    dpl__turn(frame, m->centre[link], c);
    for (int i = 0; i < 4; i++) {
        c[i] += frame->at[i];
    }
    double square = mass * (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    for (int j = 0; j < 3; j++) { /* the frame's axes times its tensor */
        dpl__turn(frame, &own[4 * j], mid[j]);
    }
    for (int j = 0; j < 3; j++) { /* times the axes back */
        double x = frame->axes[0][j], y = frame->axes[1][j], z = frame->axes[2][j];
        double h = mass * c[j];
        for (int i = 0; i < 4; i++) {
            rows[8 * j + i] =
                mid[0][i] * x + mid[1][i] * y + mid[2][i] * z - h * c[i] + square * unit[j][i];
            rows[24 + 8 * j + 4 + i] = mass * unit[j][i];
        }
    }
    for (int i = 0; i < 4; i++) {
        momentum[i] = rows[i] * v[0] + rows[8 + i] * v[1] + rows[16 + i] * v[2];
        momentum[4 + i] = mass * v[4 + i];
    }
    double x = mass * c[0], y = mass * c[1], z = mass * c[2];
    const double h[3] = {x, y, z};
    dpl__cross3_add(h, v + 4, momentum);
    dpl__cross3_add(v, h, momentum + 4);
    double *up = rows + 4, *low = rows + 24;
    up[0] = up[9] = up[18] = up[3] = up[11] = up[19] = 0.0;
    low[0] = low[9] = low[18] = low[3] = low[11] = low[19] = 0.0;
    up[1] = low[8] = -z;
    up[2] = low[16] = y;
    up[8] = low[1] = z;
    up[10] = low[17] = -x;
    up[16] = low[2] = -y;
    up[17] = low[10] = x;
    double *force = m->force[link];
    force[3] = force[7] = 0.0;
    dpl__cross3(v, momentum, force);
    dpl__cross3_add(v + 4, momentum + 4, force);
    dpl__cross3(v, momentum + 4, force + 4);
}

void dpl__mb_velocities(struct dpl__mb *m, const struct dpl__mb_cluster *cluster)
{
    for (int link = cluster->first; link < cluster->first + cluster->n; link++) {
        double *v = m->velocity[link], *drift = m->drift[link];
        if (m->kernel[link] == DPL__MB_FREE) {
            const double *given = &m->v[m->floats[m->float_of[link]].v];
            memcpy(v, given, 3 * sizeof *v);
            memcpy(v + 4, given + 3, 3 * sizeof *v);
            v[3] = v[7] = 0.0;
            memset(drift, 0, 8 * sizeof *drift);
        } else {
            const double *parent = m->velocity[m->parent[link]];
            double own[8];
            for (int i = 0; i < 8; i++) {
                own[i] = m->s[link][i] * m->v[link];
                v[i] = parent[i] + own[i];
            }
            dpl__cross_motion(v, own, drift);
        }
        weigh(m, link);
    }
}
