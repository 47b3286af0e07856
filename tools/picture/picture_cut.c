/* SPDX-License-Identifier: Apache-2.0 */
/* Walls before what is to be seen. */
#include <math.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "picture_parts.h"

static const double touch_m = 1e-3; /* what stands on a face is not hidden by it */

/* What a solid hides. Below `height` it hides nothing of it; `nearest`: the hidden point that is
 * nearest to the eye, along to_eye. */
struct hidden {
    double height, nearest;
};

/* The part of the picture that subjects fill. */
struct frame {
    double low_x, high_x, low_y, high_y;
};

static void widen(struct frame *frame, double x, double y)
{
    frame->low_x = fmin(frame->low_x, x);
    frame->high_x = fmax(frame->high_x, x);
    frame->low_y = fmin(frame->low_y, y);
    frame->high_y = fmax(frame->high_y, y);
}

static struct frame frame_of(const struct picture_face *face, const struct picture_eye *eye)
{
    const double far = (double)INFINITY;
    struct frame frame = {far, -far, far, -far};
    for (size_t i = 0; i < face->n; i++) {
        widen(&frame, dpl_vector3_dot(eye->right, face->corners[i]),
              dpl_vector3_dot(eye->up, face->corners[i]));
    }
    return frame;
}

static bool overlap(const struct frame *a, const struct frame *b)
{
    return a->low_x < b->high_x && b->low_x < a->high_x && a->low_y < b->high_y &&
           b->low_y < a->high_y;
}

/* Whether a face lies between the eye and a point; how far from the point. */
static bool hides(const struct picture_face *face, struct dpl_vector3 point,
                  const struct picture_eye *eye, double *ret_way)
{
    double way = (face->offset - dpl_vector3_dot(face->normal, point)) /
                 dpl_vector3_dot(face->normal, eye->to_eye);
    bool inside = way > touch_m;
    for (size_t i = 0; i < face->n && inside; i++) {
        struct dpl_vector3 edge =
            dpl_vector3_minus(face->corners[(i + 1) % face->n], face->corners[i]);
        struct dpl_vector3 at = dpl_vector3_minus(point, face->corners[i]);
        inside = dpl_vector3_dot(dpl_vector3_cross(edge, at), eye->to_eye) > 0.0;
    }
    *ret_way = way;
    return inside;
}

static void note(struct hidden *hidden, const struct picture_face *face,
                 const struct picture_face *subject, const struct picture_eye *eye)
{
    for (size_t i = 0; i < subject->n; i++) {
        const struct dpl_vector3 *point = &subject->corners[i];
        double way;
        if (hides(face, *point, eye, &way)) {
            hidden->height = fmin(hidden->height, point->z + way * eye->to_eye.z);
            hidden->nearest = fmax(hidden->nearest, dpl_vector3_dot(eye->to_eye, *point));
        }
    }
}

static void look_behind(const struct picture_face *face, const struct picture_face *faces,
                        const struct frame *all, struct hidden *hidden,
                        const struct picture_eye *eye)
{
    struct frame own = frame_of(face, eye);
    for (const struct picture_face *subject = faces; subject && overlap(&own, all);
         subject = subject->next) {
        if (subject->is_subject) {
            note(&hidden[face->solid], face, subject, eye);
        }
    }
}

static struct frame frame_of_subjects(const struct picture_face *faces,
                                      const struct picture_eye *eye)
{
    const double far = (double)INFINITY;
    struct frame all = {far, -far, far, -far};
    for (const struct picture_face *face = faces; face; face = face->next) {
        struct frame own = frame_of(face, eye);
        if (face->is_subject) {
            widen(&all, own.low_x, own.low_y);
            widen(&all, own.high_x, own.high_y);
        }
    }
    return all;
}

/* A face of a solid that hides something: what is behind that, and what is low enough. */
static void cut(struct dpl_arena *memory, struct picture_face *face, const struct hidden *hidden,
                const struct picture_eye *eye, struct picture_face **list)
{
    struct dpl_vector3 away = dpl_vector3_times(eye->to_eye, -1.0);
    size_t bytes = sizeof *face + face->n * sizeof face->corners[0];
    struct picture_face *copy = dpl_arena_alloc(memory, bytes);
    memcpy(copy, face, bytes);
    struct picture_face *parts[] = {
        picture_clip(memory, face, eye->to_eye, hidden->nearest),
        picture_clip(memory, copy, away, -hidden->nearest),
    };
    parts[1] = parts[1] ? picture_clip(memory, parts[1], (struct dpl_vector3){0.0, 0.0, 1.0},
                                       hidden->height)
                        : NULL;
    for (size_t i = 0; i < 2; i++) {
        if (parts[i]) {
            parts[i]->next = *list;
            *list = parts[i];
        }
    }
}

struct picture_face *picture_cut_away(struct dpl_arena *memory, struct picture_face *faces,
                                      unsigned n_solids, const struct picture_eye *eye)
{
    struct hidden *hidden = dpl_arena_alloc(memory, (n_solids + 1) * sizeof *hidden);
    struct frame all = frame_of_subjects(faces, eye);
    struct picture_face *list = NULL;
    for (unsigned i = 0; i <= n_solids; i++) {
        hidden[i] = (struct hidden){(double)INFINITY, -(double)INFINITY};
    }
    for (const struct picture_face *face = faces; face; face = face->next) {
        if (face->solid > 0 && !face->is_subject) {
            look_behind(face, faces, &all, hidden, eye);
        }
    }
    while (faces) {
        struct picture_face *face = faces;
        faces = face->next;
        if (!face->is_subject && isfinite(hidden[face->solid].height)) {
            cut(memory, face, &hidden[face->solid], eye, &list);
        } else {
            face->next = list;
            list = face;
        }
    }
    return list;
}
