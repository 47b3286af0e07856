/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic in space for the solver, in loops of four lanes that compilers turn into vectors.
 * Vectors have 3 numbers and a lane that is not used; spatial vectors have 8: the angular part,
 * a lane of 0, the linear part, a lane of 0 (Featherstone 2008, but about a point of the branch and
 * along the axes of the world). */
#ifndef DOPPEL_SIM_MULTIBODY_SPACE_H
#define DOPPEL_SIM_MULTIBODY_SPACE_H

#include <math.h>
#include <string.h>

#include <doppel/sim/multibody_graph.h>

/* The axes of a frame, one after the other, and its origin. */
struct dpl__mb_frame {
    double axes[3][4];
    double at[4];
};

/* The lane of row `i` of 6. */
static inline int dpl__mb_lane(int i)
{
    return i < 3 ? i : i + 1;
}

static inline double dpl__dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void dpl__cross3(const double *a, const double *b, double *ret_c)
{
    double x = a[1] * b[2] - a[2] * b[1];
    double y = a[2] * b[0] - a[0] * b[2];
    double z = a[0] * b[1] - a[1] * b[0];
    ret_c[0] = x;
    ret_c[1] = y;
    ret_c[2] = z;
}

/* Adds a x b. */
static inline void dpl__cross3_add(const double *a, const double *b, double *inout_c)
{
    double x = a[1] * b[2] - a[2] * b[1];
    double y = a[2] * b[0] - a[0] * b[2];
    double z = a[0] * b[1] - a[1] * b[0];
    inout_c[0] += x;
    inout_c[1] += y;
    inout_c[2] += z;
}

static inline double dpl__dot8(const double *a, const double *b)
{
    double sums[4];
    for (int i = 0; i < 4; i++) {
        sums[i] = a[i] * b[i] + a[i + 4] * b[i + 4];
    }
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

/* y += factor * x */
static inline void dpl__add8(double *restrict inout_y, double factor, const double *restrict x)
{
    for (int i = 0; i < 8; i++) {
        inout_y[i] += factor * x[i];
    }
}

/* A symmetric 6 x 6 matrix, as 6 rows of 8 lanes, times a spatial vector. */
static inline void dpl__times6(const double *restrict rows, const double *restrict x,
                               double *restrict ret_y)
{
    for (int i = 0; i < 8; i++) {
        ret_y[i] = (rows[i] * x[0] + rows[8 + i] * x[1]) +
                   (rows[16 + i] * x[2] + rows[24 + i] * x[4]) +
                   (rows[32 + i] * x[5] + rows[40 + i] * x[6]);
    }
}

/* The motion x as it changes with the motion v: v x x. */
static inline void dpl__cross_motion(const double *v, const double *x, double *ret_y)
{
    ret_y[3] = ret_y[7] = 0.0;
    dpl__cross3(v, x, ret_y);
    dpl__cross3(v, x + 4, ret_y + 4);
    dpl__cross3_add(v + 4, x, ret_y + 4);
}

/* A vector along the axes of a frame, along those of the world. */
static inline void dpl__turn(const struct dpl__mb_frame *frame, const double *x, double *ret_y)
{
    double x0 = x[0], x1 = x[1], x2 = x[2];
    for (int i = 0; i < 4; i++) {
        ret_y[i] = frame->axes[0][i] * x0 + frame->axes[1][i] * x1 + frame->axes[2][i] * x2;
    }
}

/* The way back. */
static inline void dpl__turn_back(const struct dpl__mb_frame *frame, const double *x, double *ret_y)
{
    double y0 = dpl__dot3(frame->axes[0], x), y1 = dpl__dot3(frame->axes[1], x);
    double y2 = dpl__dot3(frame->axes[2], x);
    ret_y[0] = y0;
    ret_y[1] = y1;
    ret_y[2] = y2;
}

/* The frame `child`, given in `parent`, where `parent` is given. */
static inline void dpl__compose(const struct dpl__mb_frame *parent,
                                const struct dpl__mb_frame *child, struct dpl__mb_frame *ret_frame)
{
    struct dpl__mb_frame out;
    for (int j = 0; j < 3; j++) {
        dpl__turn(parent, child->axes[j], out.axes[j]);
    }
    dpl__turn(parent, child->at, out.at);
    for (int i = 0; i < 4; i++) {
        out.at[i] += parent->at[i];
    }
    *ret_frame = out;
}

static inline void dpl__invert(const struct dpl__mb_frame *frame, struct dpl__mb_frame *ret_frame)
{
    struct dpl__mb_frame out = {.at = {0.0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out.axes[i][j] = frame->axes[j][i];
        }
    }
    dpl__turn_back(frame, frame->at, out.at);
    for (int i = 0; i < 3; i++) {
        out.at[i] = -out.at[i];
    }
    *ret_frame = out;
}

/* The frame `b` in the frame `a`. */
static inline void dpl__relative(const struct dpl__mb_frame *a, const struct dpl__mb_frame *b,
                                 struct dpl__mb_frame *ret_frame)
{
    struct dpl__mb_frame out = {.at = {0.0}};
    double from_a[4] = {b->at[0] - a->at[0], b->at[1] - a->at[1], b->at[2] - a->at[2], 0.0};
    for (int j = 0; j < 3; j++) {
        dpl__turn_back(a, b->axes[j], out.axes[j]);
    }
    dpl__turn_back(a, from_a, out.at);
    *ret_frame = out;
}

static inline struct dpl__mb_frame dpl__frame_identity(void)
{
    return (struct dpl__mb_frame){.axes = {{1.0, 0, 0, 0}, {0, 1.0, 0, 0}, {0, 0, 1.0, 0}}};
}

static inline struct dpl__mb_frame dpl__frame_of(const struct dpl_mb_place *place)
{
    struct dpl__mb_frame out = {.at = {0.0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out.axes[j][i] = place->rotation[3 * i + j];
        }
        out.at[i] = place->position[i];
    }
    return out;
}

static inline struct dpl_mb_place dpl__place_of(const struct dpl__mb_frame *frame)
{
    struct dpl_mb_place out;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out.rotation[3 * i + j] = frame->axes[j][i];
        }
        out.position[i] = frame->at[i];
    }
    return out;
}

/* Turns a frame about its own axis `axis`. */
static inline void dpl__turn_about(struct dpl__mb_frame *inout_frame, int axis, double sine,
                                   double cosine)
{
    double *b = inout_frame->axes[(axis + 1) % 3], *c = inout_frame->axes[(axis + 2) % 3];
    for (int i = 0; i < 4; i++) {
        double old_b = b[i], old_c = c[i];
        b[i] = cosine * old_b + sine * old_c;
        c[i] = cosine * old_c - sine * old_b;
    }
}

#endif
