/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of solids, seen from far away (parallel projection), with hidden parts hidden: SVG or
 * PNG, without a display. Faces are plane, convex, and seen from their outer side only. Lines and
 * dots lie over all faces. Lengths are in metres, in the frame of the world. */
#ifndef DOPPEL_PICTURE_H
#define DOPPEL_PICTURE_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/diag.h>
#include <doppel/math/pose3.h>

struct dpl_sim_solid;
struct picture;

struct picture_color {
    double red, green, blue, opacity; /* 0 to 1 */
};

struct picture_view {
    double azimuth_rad,
        elevation_rad;       /* of the eye, as seen from the scene: 0, 0 is on the x axis */
    int width_px, height_px; /* at most: it is cut to what it shows, not to less than half of the
                                other side */
};

/* Allocates; ends the process when there is no memory, as the calls below. */
struct picture *picture_create(void);
void picture_destroy(struct picture *picture); /* NULL: nothing */

/* What is added from now on is in the middle of the picture and fills it, or not: then it is cut
 * off where it is before what does. At first it is. If nothing is, all of it is. */
void picture_set_focus(struct picture *picture, bool is_focus);

/* What is added from now on is to be seen, or not. At first it is not. Solids that are not and hide
 * something that is are cut off before it. */
void picture_set_subject(struct picture *picture, bool is_subject);

/* Corners counter-clockwise as seen from outside, 3 to 64 of them. The edge from corner i to the
 * next one is drawn if bit i of `edges` is 1. Faces without an area are left out. */
void picture_add_face(struct picture *picture, const struct dpl_vector3 *corners, size_t n,
                      uint64_t edges, struct picture_color color);

/* A solid at a pose. Of a plane nothing is drawn. */
void picture_add_solid(struct picture *picture, struct dpl_pose3 pose,
                       const struct dpl_sim_solid *solid, struct picture_color color);

void picture_add_line(struct picture *picture, struct dpl_vector3 from, struct dpl_vector3 to,
                      struct picture_color color, double width_px);
void picture_add_dot(struct picture *picture, struct dpl_vector3 at, struct picture_color color,
                     double radius_px);

/* Whether a name of a file ends in .svg or .png. */
bool picture_is_file(const char *path);

/* Draws it, with a scale and a grid on the ground under it, into a file. 0; -EINVAL or -errno with
 * reterr: its name ends otherwise, or it cannot be written. */
int picture_write(const struct picture *picture, const struct picture_view *view, const char *path,
                  struct dpl_diag *reterr);

#endif
