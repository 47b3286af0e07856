/* SPDX-License-Identifier: Apache-2.0 */
/* Faces from back to front. */
#include <math.h>
#include <string.h>

#include <doppel/math/vector3.h>

#include "picture_parts.h"

static const double thickness_m = 1e-7; /* of a plane */

/* Faces that lie before, in, and behind a plane. */
struct sides {
    struct picture_face *front, *in, *back;
};

static void push(struct picture_face **list, struct picture_face *face)
{
    face->next = *list;
    *list = face;
}

static struct picture_face *take(struct picture_face **list)
{
    struct picture_face *face = *list;
    *list = face->next;
    return face;
}

static struct picture_face *copy_without_corners(struct dpl_arena *memory,
                                                 const struct picture_face *face, size_t room)
{
    struct picture_face *copy =
        dpl_arena_alloc(memory, sizeof *copy + room * sizeof face->corners[0]);
    *copy = *face;
    copy->n = 0;
    copy->edges = 0;
    return copy;
}

static void add_corner(struct picture_face *face, struct dpl_vector3 corner, bool edge)
{
    if (face->n < PICTURE_CORNERS_MAX) {
        face->edges |= (uint64_t)edge << face->n;
        face->corners[face->n++] = corner;
    }
}

/* Cuts a face that is on both sides of a plane; `side` has the distances of its corners. The edges
 * along the cut are not drawn. */
static void cut(struct dpl_arena *memory, const struct picture_face *face, const double *side,
                struct sides *sides)
{
    struct picture_face *front = copy_without_corners(memory, face, face->n + 2);
    struct picture_face *back = copy_without_corners(memory, face, face->n + 2);
    for (size_t i = 0; i < face->n; i++) {
        size_t next = (i + 1) % face->n;
        bool edge = face->edges >> i & 1;
        bool crosses = side[i] * side[next] < 0.0;
        if (side[i] >= 0.0) {
            add_corner(front, face->corners[i], edge && (side[next] >= 0.0 || crosses));
        }
        if (side[i] <= 0.0) {
            add_corner(back, face->corners[i], edge && (side[next] <= 0.0 || crosses));
        }
        if (crosses) {
            double share = side[i] / (side[i] - side[next]);
            struct dpl_vector3 way = dpl_vector3_minus(face->corners[next], face->corners[i]);
            struct dpl_vector3 at =
                dpl_vector3_add(face->corners[i], dpl_vector3_times(way, share));
            add_corner(front, at, edge && side[next] > 0.0);
            add_corner(back, at, edge && side[next] < 0.0);
        }
    }
    push(&sides->front, front);
    push(&sides->back, back);
}

static void sort_face(struct dpl_arena *memory, const struct picture_face *plane,
                      struct picture_face *face, struct sides *sides)
{
    double side[PICTURE_CORNERS_MAX];
    bool before = false, behind = false;
    for (size_t i = 0; i < face->n; i++) {
        double distance = dpl_vector3_dot(plane->normal, face->corners[i]) - plane->offset;
        side[i] = fabs(distance) < thickness_m ? 0.0 : distance;
        before |= side[i] > 0.0;
        behind |= side[i] < 0.0;
    }
    if (face == plane) {
        push(&sides->in, face);
    } else if (before && behind) {
        cut(memory, face, side, sides);
    } else {
        push(before ? &sides->front : behind ? &sides->back : &sides->in, face);
    }
}

/* The plane of a partition: one in the middle of the list, so that lists in any order of space make
 * no deep trees. */
static const struct picture_face *choose_plane(const struct picture_face *list)
{
    const struct picture_face *middle = list;
    size_t n = 0;
    for (const struct picture_face *face = list; face; face = face->next) {
        n++;
    }
    for (size_t i = 0; i < n / 2 && middle->next; i++) {
        middle = middle->next;
    }
    return middle;
}

/* Appends the faces of a list in order. All faces look towards the eye, so what is behind a plane
 * is painted first. */
static struct picture_face **order(struct dpl_arena *memory, struct picture_face *list,
                                   struct picture_face **end)
{
    while (list) {
        struct sides sides = {0};
        const struct picture_face *plane = choose_plane(list);
        while (list) {
            sort_face(memory, plane, take(&list), &sides);
        }
        end = order(memory, sides.back, end);
        while (sides.in) {
            struct picture_face *face = take(&sides.in);
            face->next = NULL;
            *end = face;
            end = &face->next;
        }
        list = sides.front;
    }
    return end;
}

static bool is_seen(const struct picture_face *face, struct dpl_vector3 to_eye)
{
    return dpl_vector3_dot(face->normal, to_eye) > 1e-9;
}

struct picture_face *picture_clip(struct dpl_arena *memory, struct picture_face *face,
                                  struct dpl_vector3 normal, double offset)
{
    const struct picture_face plane = {.normal = normal, .offset = offset};
    struct sides sides = {0};
    sort_face(memory, &plane, face, &sides);
    return sides.back ? sides.back : sides.in;
}

struct picture_face *picture_order(struct dpl_arena *memory, const struct picture *picture,
                                   const struct picture_eye *eye, double nearest)
{
    struct picture_face *seen = NULL, *ordered = NULL;
    for (const struct picture_face *face = picture->faces; face; face = face->next) {
        size_t bytes = sizeof *face + face->n * sizeof face->corners[0];
        if (!is_seen(face, eye->to_eye)) {
            continue;
        }
        struct picture_face *copy = dpl_arena_alloc(memory, bytes);
        memcpy(copy, face, bytes);
        copy = copy->is_focus ? copy : picture_clip(memory, copy, eye->to_eye, nearest);
        if (copy) {
            push(&seen, copy);
        }
    }
    order(memory, picture_cut_away(memory, seen, picture->n_solids, eye), &ordered);
    return ordered;
}
