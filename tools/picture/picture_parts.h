/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a picture, for the files of this folder. */
#ifndef DOPPEL_PICTURE_PARTS_H
#define DOPPEL_PICTURE_PARTS_H

#include "arena.h"
#include "picture.h"

#define PICTURE_CORNERS_MAX 64

struct picture_face {
    struct picture_face *next;
    struct dpl_vector3 normal; /* unit vector, outwards */
    double offset;             /* of its plane: normal . corner */
    struct picture_color color;
    uint64_t edges; /* bit i: the edge from corner i to the next one is drawn */
    bool is_focus, is_subject;
    unsigned solid; /* number of the solid that it is of; 0: of none */
    size_t n;
    struct dpl_vector3 corners[];
};

struct picture_line {
    struct picture_line *next;
    struct dpl_vector3 from, to;
    struct picture_color color;
    double width_px; /* of a line; of a dot: its radius */
    bool is_dot;
};

struct picture {
    struct dpl_arena memory;
    struct picture_face *faces;
    struct picture_line *lines, **lines_end;
    bool is_focus, is_subject;
    unsigned n_solids, solid; /* solid: that is being added; 0: none */
};

/* Where the eye looks from: unit vectors at right angles, parallel projection. */
struct picture_eye {
    struct dpl_vector3 to_eye, right, up;
};

/* The list without what hides subjects: of solids that do, what is nearer to the eye than the
 * hidden points and higher than the lines of sight to them. Seen faces only. In `memory`. */
struct picture_face *picture_cut_away(struct dpl_arena *memory, struct picture_face *faces,
                                      unsigned n_solids, const struct picture_eye *eye);

/* Of a face what is on the inner side of a plane (normal . point <= offset); NULL: nothing. */
struct picture_face *picture_clip(struct dpl_arena *memory, struct picture_face *face,
                                  struct dpl_vector3 normal, double offset);

/* The faces that an eye can see from outside, without what hides subjects, cut where they reach
 * through each other, in an order in which each may be painted over
 * those before it: a binary space partition (Fuchs, Kedem, Naylor, "On visible surface generation
 * by a priori tree structures", 1980). What is not in focus is cut off where it is nearer to the
 * eye than `nearest`, in m along to_eye. In `memory`; linked by `next`. */
struct picture_face *picture_order(struct dpl_arena *memory, const struct picture *picture,
                                   const struct picture_eye *eye, double nearest);

#endif
