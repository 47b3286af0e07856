/* SPDX-License-Identifier: Apache-2.0 */
/* The convex hull of points: see doppel/sim/solid.h. The next point is always the one that is
 * furthest outside, and of several the one furthest from the middle. Points of meshes are rounded
 * to single precision or to a few digits, so what is near to a face is on it. Which faces see a
 * point is decided exactly, in whole numbers: else rounding would tear the surface. */
#include <doppel/sim/solid.h>

#include <errno.h>
#include <float.h>
#include <stdint.h>

#include <doppel/math/vector3.h>

/* A point nearer to a face than this share of the extent is on it: ten times the rounding of single
 * precision. */
static const double share_on_face = 1e-6;
/* Of the extent, in whole numbers. Products of three differences have less than 120 bits. */
static const double WHOLE = 0x1p36;

__extension__ typedef __int128 wide;

struct edge {
    unsigned from, to;
};

struct hull {
    struct dpl_vector3 points[DPL_SOLID_HULL_MAX]; /* from their middle */
    int64_t whole[DPL_SOLID_HULL_MAX][3];          /* the same */
    bool is_taken[DPL_SOLID_HULL_MAX];             /* it is a corner, was one, or is on a face */
    size_t n;
    unsigned (*faces)[3];
    size_t n_faces;
    double extent;  /* m */
    double least;   /* m: less is no distance */
    double largest; /* m: coordinate */
};

/* Of a face: its normal outwards, of length 1 (0 for a face that is a line), and how far out along
 * it a point may be that is on the face. */
struct plane {
    struct dpl_vector3 normal;
    double reach;
};

/* The number of the point with the largest score; of those within hull->least of it, the one
 * furthest from the middle. */
static unsigned pick(const struct hull *hull, const double *scores)
{
    double best = scores[0], furthest = -1.0;
    unsigned found = 0;
    for (size_t i = 1; i < hull->n; i++) {
        best = fmax(best, scores[i]);
    }
    for (size_t i = 0; i < hull->n; i++) {
        double away = dpl_vector3_length(hull->points[i]);
        if (scores[i] >= best - hull->least && away > furthest) {
            furthest = away;
            found = (unsigned)i;
        }
    }
    return found;
}

static struct plane plane_of(const struct hull *hull, const unsigned face[3])
{
    const struct dpl_vector3 *p = hull->points;
    struct dpl_vector3 normal = dpl_vector3_cross(dpl_vector3_minus(p[face[1]], p[face[0]]),
                                                  dpl_vector3_minus(p[face[2]], p[face[0]]));
    double area = dpl_vector3_length(normal); /* twice */
    if (!(area > 0.0)) {
        return (struct plane){.reach = (double)INFINITY};
    }
    struct plane plane = {.normal = dpl_vector3_times(normal, 1.0 / area)};
    plane.reach = dpl_vector3_dot(plane.normal, p[face[0]]) + hull->least;
    return plane;
}

/* Positive: the point is outside of the face. */
static double height_over(const struct plane *plane, struct dpl_vector3 point)
{
    return dpl_vector3_dot(plane->normal, point) - plane->reach;
}

/* Whether a point is outside of the plane of a face, however little. */
static bool sees(const struct hull *hull, unsigned number, const unsigned face[3])
{
    wide d[3][3];
    for (int i = 0; i < 3; i++) {
        const int64_t *from = hull->whole[face[0]];
        const int64_t *to = hull->whole[i < 2 ? face[i + 1] : number];
        for (int k = 0; k < 3; k++) {
            d[i][k] = to[k] - from[k];
        }
    }
    return d[2][0] * (d[0][1] * d[1][2] - d[0][2] * d[1][1]) +
               d[2][1] * (d[0][2] * d[1][0] - d[0][0] * d[1][2]) +
               d[2][2] * (d[0][0] * d[1][1] - d[0][1] * d[1][0]) >
           0;
}

/* Whether nothing but rounding may be left of a distance from a line or a plane. */
static bool is_flat(const struct hull *hull, double distance)
{
    double rounding = fmax(hull->least, (double)FLT_EPSILON * hull->largest);
    return !(distance > rounding);
}

static void set_extent(struct hull *hull, double length)
{
    hull->extent = length;
    hull->least = share_on_face * length;
    for (size_t i = 0; i < hull->n; i++) {
        hull->whole[i][0] = (int64_t)round(hull->points[i].x / length * WHOLE);
        hull->whole[i][1] = (int64_t)round(hull->points[i].y / length * WHOLE);
        hull->whole[i][2] = (int64_t)round(hull->points[i].z / length * WHOLE);
    }
}

/* Four points that are far apart, and not in one plane. */
static int find_corners(struct hull *hull, unsigned ret_corner[4])
{
    double scores[DPL_SOLID_HULL_MAX] = {0.0};
    const struct dpl_vector3 *p = hull->points;
    for (size_t i = 0; i < hull->n; i++) {
        scores[i] = dpl_vector3_length(p[i]);
    }
    ret_corner[0] = pick(hull, scores);
    for (size_t i = 0; i < hull->n; i++) {
        scores[i] = dpl_vector3_length(dpl_vector3_minus(p[i], p[ret_corner[0]]));
    }
    ret_corner[1] = pick(hull, scores);
    struct dpl_vector3 along = dpl_vector3_minus(p[ret_corner[1]], p[ret_corner[0]]);
    double length = dpl_vector3_length(along);
    if (!(length > 0.0)) {
        return -EINVAL;
    }
    set_extent(hull, length);
    for (size_t i = 0; i < hull->n; i++) {
        struct dpl_vector3 away = dpl_vector3_minus(p[i], p[ret_corner[0]]);
        scores[i] = dpl_vector3_length(dpl_vector3_cross(along, away)) / length;
    }
    ret_corner[2] = pick(hull, scores);
    if (is_flat(hull, scores[ret_corner[2]])) {
        return -EINVAL;
    }
    struct plane plane = plane_of(hull, ret_corner);
    for (size_t i = 0; i < hull->n; i++) {
        struct dpl_vector3 away = dpl_vector3_minus(p[i], p[ret_corner[0]]);
        scores[i] = fabs(dpl_vector3_dot(plane.normal, away));
    }
    ret_corner[3] = pick(hull, scores);
    return is_flat(hull, scores[ret_corner[3]]) ? -EINVAL : 0;
}

static int start(struct hull *hull)
{
    unsigned corner[4];
    if (find_corners(hull, corner) < 0) {
        return -EINVAL;
    }
    bool above = sees(hull, corner[3], corner);
    unsigned b = corner[above ? 2 : 1], c = corner[above ? 1 : 2];
    const unsigned first[4][3] = {
        {corner[0], b, c}, {corner[0], corner[3], b}, {b, corner[3], c}, {c, corner[3], corner[0]}};
    for (hull->n_faces = 0; hull->n_faces < 4; hull->n_faces++) {
        hull->is_taken[corner[hull->n_faces]] = true;
        for (int k = 0; k < 3; k++) {
            hull->faces[hull->n_faces][k] = first[hull->n_faces][k];
        }
    }
    return 0;
}

/* Adds an edge, or removes it when its reverse is there: both faces at it are gone. */
static size_t toggle(struct edge *edges, size_t n, struct edge edge)
{
    for (size_t i = 0; i < n; i++) {
        if (edges[i].from == edge.to && edges[i].to == edge.from) {
            edges[i] = edges[n - 1];
            return n - 1;
        }
    }
    edges[n] = edge;
    return n + 1;
}

/* Replaces all faces that see the point by faces from the edge of what it sees. */
static void add_point(struct hull *hull, unsigned number)
{
    struct edge rim[6 * DPL_SOLID_HULL_MAX];
    size_t n_rim = 0, kept = 0;
    hull->is_taken[number] = true;
    for (size_t i = 0; i < hull->n_faces; i++) {
        unsigned face[3] = {hull->faces[i][0], hull->faces[i][1], hull->faces[i][2]};
        if (sees(hull, number, face)) {
            for (int k = 0; k < 3; k++) {
                n_rim = toggle(rim, n_rim, (struct edge){face[k], face[(k + 1) % 3]});
            }
            continue;
        }
        for (int k = 0; k < 3; k++) {
            hull->faces[kept][k] = face[k];
        }
        kept++;
    }
    for (size_t i = 0; i < n_rim; i++, kept++) {
        hull->faces[kept][0] = rim[i].from;
        hull->faces[kept][1] = rim[i].to;
        hull->faces[kept][2] = number;
    }
    hull->n_faces = kept;
}

/* Takes the point that is furthest outside. False: none is. */
static bool add_next(struct hull *hull)
{
    double scores[DPL_SOLID_HULL_MAX] = {0.0};
    for (size_t j = 0; j < hull->n_faces; j++) {
        struct plane plane = plane_of(hull, hull->faces[j]);
        for (size_t i = 0; i < hull->n; i++) {
            double height = hull->is_taken[i] ? 0.0 : height_over(&plane, hull->points[i]);
            scores[i] = height > scores[i] ? height : scores[i];
        }
    }
    unsigned next = pick(hull, scores);
    if (!(scores[next] > 0.0)) {
        return false;
    }
    add_point(hull, next);
    return true;
}

/* Copies the points, from their middle: so rounding is that of their extent. */
static void copy_points(struct hull *hull, const struct dpl_vector3 *points, size_t n)
{
    struct dpl_vector3 middle = {0};
    for (size_t i = 0; i < n; i++) {
        double largest = fmax(fabs(points[i].x), fmax(fabs(points[i].y), fabs(points[i].z)));
        middle = dpl_vector3_add(middle, dpl_vector3_times(points[i], 1.0 / (double)n));
        hull->largest = fmax(hull->largest, largest);
    }
    for (size_t i = 0; i < n; i++) {
        hull->points[i] = dpl_vector3_minus(points[i], middle);
    }
    hull->n = n;
}

int dpl_hull_faces(const struct dpl_vector3 *points, size_t n, unsigned (*ret_faces)[3])
{
    struct hull hull = {.faces = ret_faces};
    if (n > DPL_SOLID_HULL_MAX) {
        return -E2BIG;
    }
    if (n < 4) {
        return -EINVAL;
    }
    copy_points(&hull, points, n);
    if (start(&hull) < 0) {
        return -EINVAL;
    }
    while (add_next(&hull)) {
    }
    return (int)hull.n_faces;
}
