/* SPDX-License-Identifier: Apache-2.0 */
/* The convex hull of points: see doppel/sim/solid.h. The next point is always the one that is
 * furthest outside, and of several the one furthest from the middle. So only corners of the hull
 * become points of faces, and no face is a line. */
#include <doppel/sim/solid.h>

#include <errno.h>

#include <doppel/math/vector3.h>

/* A point nearer to a face than this share of the extent is on it. */
static const double share_on_face = 1e-10;

struct edge {
    unsigned from, to;
};

struct hull {
    const struct dpl_vector3 *points;
    size_t n;
    unsigned (*faces)[3];
    size_t n_faces;
    struct dpl_vector3 middle;
    double least; /* m: less is no distance */
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
        double away = dpl_vector3_length(dpl_vector3_minus(hull->points[i], hull->middle));
        if (scores[i] >= best - hull->least && away > furthest) {
            furthest = away;
            found = (unsigned)i;
        }
    }
    return found;
}

/* Of the plane through a face, outwards; length 1, or 0 for a face that is a line. */
static struct dpl_vector3 normal_of(const struct hull *hull, const unsigned face[3])
{
    const struct dpl_vector3 *p = hull->points;
    struct dpl_vector3 normal = dpl_vector3_cross(dpl_vector3_minus(p[face[1]], p[face[0]]),
                                                  dpl_vector3_minus(p[face[2]], p[face[0]]));
    double length = dpl_vector3_length(normal);
    return dpl_vector3_times(normal, length > 0.0 ? 1.0 / length : 0.0);
}

static double height_over(const struct hull *hull, const unsigned face[3], struct dpl_vector3 point)
{
    return dpl_vector3_dot(normal_of(hull, face), dpl_vector3_minus(point, hull->points[face[0]]));
}

/* Four points that are not in one plane. */
static int start(struct hull *hull)
{
    double scores[DPL_SOLID_HULL_MAX] = {0.0};
    const struct dpl_vector3 *p = hull->points;
    unsigned corner[4];
    for (size_t i = 0; i < hull->n; i++) {
        scores[i] = dpl_vector3_length(dpl_vector3_minus(p[i], hull->middle));
    }
    corner[0] = pick(hull, scores);
    for (size_t i = 0; i < hull->n; i++) {
        scores[i] = dpl_vector3_length(dpl_vector3_minus(p[i], p[corner[0]]));
    }
    corner[1] = pick(hull, scores);
    struct dpl_vector3 along = dpl_vector3_minus(p[corner[1]], p[corner[0]]);
    double length = dpl_vector3_length(along);
    hull->least = share_on_face * length;
    if (!(length > 0.0)) {
        return -EINVAL;
    }
    for (size_t i = 0; i < hull->n; i++) {
        scores[i] =
            dpl_vector3_length(dpl_vector3_cross(along, dpl_vector3_minus(p[i], p[corner[0]]))) /
            length;
    }
    corner[2] = pick(hull, scores);
    if (!(scores[corner[2]] > hull->least)) {
        return -EINVAL;
    }
    for (size_t i = 0; i < hull->n; i++) {
        scores[i] = fabs(height_over(hull, corner, p[i]));
    }
    corner[3] = pick(hull, scores);
    if (!(scores[corner[3]] > hull->least)) {
        return -EINVAL;
    }
    bool above = height_over(hull, corner, p[corner[3]]) > 0.0;
    unsigned b = corner[above ? 2 : 1], c = corner[above ? 1 : 2];
    const unsigned first[4][3] = {
        {corner[0], b, c}, {corner[0], corner[3], b}, {b, corner[3], c}, {c, corner[3], corner[0]}};
    for (hull->n_faces = 0; hull->n_faces < 4; hull->n_faces++) {
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
static int take_point(struct hull *hull, unsigned number)
{
    struct edge rim[6 * DPL_SOLID_HULL_MAX];
    size_t n_rim = 0, kept = 0;
    for (size_t i = 0; i < hull->n_faces; i++) {
        unsigned face[3] = {hull->faces[i][0], hull->faces[i][1], hull->faces[i][2]};
        if (height_over(hull, face, hull->points[number]) > hull->least) {
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
    if (kept + n_rim > 2 * hull->n - 4) {
        return -EINVAL; /* rounding has torn the surface */
    }
    for (size_t i = 0; i < n_rim; i++, kept++) {
        hull->faces[kept][0] = rim[i].from;
        hull->faces[kept][1] = rim[i].to;
        hull->faces[kept][2] = number;
    }
    hull->n_faces = kept;
    return 0;
}

/* Takes the point that is furthest outside. 0 when none is. */
static int take_next(struct hull *hull)
{
    double scores[DPL_SOLID_HULL_MAX] = {0.0};
    for (size_t i = 0; i < hull->n; i++) {
        scores[i] = 0.0;
    }
    for (size_t j = 0; j < hull->n_faces; j++) {
        const unsigned *face = hull->faces[j];
        struct dpl_vector3 normal = normal_of(hull, face);
        for (size_t i = 0; i < hull->n; i++) {
            double height =
                dpl_vector3_dot(normal, dpl_vector3_minus(hull->points[i], hull->points[face[0]]));
            scores[i] = fmax(scores[i], height);
        }
    }
    unsigned next = pick(hull, scores);
    if (!(scores[next] > hull->least)) {
        return 0;
    }
    int err = take_point(hull, next);
    return err ? err : 1;
}

int dpl_hull_faces(const struct dpl_vector3 *points, size_t n, unsigned (*ret_faces)[3])
{
    struct hull hull = {.points = points, .n = n, .faces = ret_faces};
    if (n > DPL_SOLID_HULL_MAX) {
        return -E2BIG;
    }
    if (n < 4) {
        return -EINVAL;
    }
    for (size_t i = 0; i < n; i++) {
        hull.middle = dpl_vector3_add(hull.middle, dpl_vector3_times(points[i], 1.0 / (double)n));
    }
    int rc = start(&hull);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        rc = take_next(&hull);
        if (rc <= 0) {
            break;
        }
        rc = 0;
    }
    return rc < 0 ? rc : (int)hull.n_faces;
}
