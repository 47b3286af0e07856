/* SPDX-License-Identifier: Apache-2.0 */
/* The displacements of a joint from the frames of its ends. */
#include <doppel/math/geometry.h>

#include "rotation.h"

/* The angle whose sine and cosine are given, as near to `near` as it can be. */
static double unwrap(double sine, double cosine, double near)
{
    double angle = atan2(sine, cosine);
    return angle + 2.0 * DPL_PI * nearbyint((near - angle) / (2.0 * DPL_PI));
}

/* Of a turn of axes b and c of the first frame about a. */
static double turned(const struct dpl__mb_frame *first, const struct dpl__mb_frame *second,
                     int axis, double near)
{
    const double *b = second->axes[(axis + 1) % 3];
    return unwrap(dpl__dot3(b, first->axes[(axis + 2) % 3]),
                  dpl__dot3(b, first->axes[(axis + 1) % 3]), near);
}

void dpl__mb_displacements(enum dpl_mb_joint_type type, const struct dpl__mb_frame *first,
                           const struct dpl__mb_frame *second, const double *near, double *ret_q)
{
    double along[3], from[4];
    for (int i = 0; i < 3; i++) {
        from[i] = second->at[i] - first->at[i];
    }
    for (int i = 0; i < 3; i++) {
        along[i] = dpl__dot3(from, first->axes[i]);
    }
    switch (type) {
    case DPL_MB_RX:
    case DPL_MB_RY:
    case DPL_MB_RZ: ret_q[0] = turned(first, second, (int)type, near[0]); break;
    case DPL_MB_TX:
    case DPL_MB_TY:
    case DPL_MB_TZ: ret_q[0] = along[(int)type - DPL_MB_TX]; break;
    case DPL_MB_CYLINDRICAL:
        ret_q[0] = along[2];
        ret_q[1] = turned(first, second, 2, near[1]);
        break;
    case DPL_MB_UNIVERSAL:
        ret_q[0] = turned(first, second, 0, near[0]);
        ret_q[1] = unwrap(dpl__dot3(first->axes[0], second->axes[2]),
                          dpl__dot3(first->axes[0], second->axes[0]), near[1]);
        break;
    case DPL_MB_PLANAR:
        ret_q[0] = along[0];
        ret_q[1] = along[1];
        ret_q[2] = turned(first, second, 2, near[2]);
        break;
    case DPL_MB_SPHERICAL: {
        struct dpl__mb_frame relative;
        dpl__relative(first, second, &relative);
        dpl__mb_rotation_vector(&relative, ret_q);
        break;
    }
    case DPL_MB_SCREW: ret_q[0] = turned(first, second, 2, near[0]); break;
    default: break;
    }
}

static void turn_about(const double *axis, double *ret_motion)
{
    memcpy(ret_motion, axis, 3 * sizeof *axis);
}

static void slide_along(const struct dpl__mb_frame *second, const double *axis, double *ret_motion)
{
    dpl__cross3(second->at, axis, ret_motion);
    memcpy(ret_motion + 4, axis, 3 * sizeof *axis);
}

void dpl__mb_coordinate(enum dpl_mb_joint_type type, int i, const struct dpl__mb_frame *first,
                        const struct dpl__mb_frame *second, double *ret_motion)
{
    memset(ret_motion, 0, 8 * sizeof *ret_motion);
    switch (type) {
    case DPL_MB_RX:
    case DPL_MB_RY:
    case DPL_MB_RZ: turn_about(first->axes[type], ret_motion); break;
    case DPL_MB_TX:
    case DPL_MB_TY:
    case DPL_MB_TZ: slide_along(second, first->axes[(int)type - DPL_MB_TX], ret_motion); break;
    case DPL_MB_CYLINDRICAL:
        if (i == 0) {
            slide_along(second, first->axes[2], ret_motion);
        } else {
            turn_about(first->axes[2], ret_motion);
        }
        break;
    case DPL_MB_UNIVERSAL: turn_about(i == 0 ? first->axes[0] : second->axes[1], ret_motion); break;
    case DPL_MB_PLANAR:
        if (i < 2) {
            slide_along(second, first->axes[i], ret_motion);
        } else {
            turn_about(first->axes[2], ret_motion);
        }
        break;
    case DPL_MB_SPHERICAL: turn_about(first->axes[i], ret_motion); break;
    case DPL_MB_SCREW: turn_about(first->axes[2], ret_motion); break;
    case DPL_MB_FLOAT:
        if (i < 3) {
            slide_along(second, first->axes[i], ret_motion);
        } else {
            turn_about(first->axes[i - 3], ret_motion);
        }
        break;
    default: break;
    }
}
