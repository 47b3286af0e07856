/* SPDX-License-Identifier: Apache-2.0 */
/* The convex hull of points: see doppel/sim/solid.h. The next point is always the one that is
 * furthest outside, and of several the one furthest from the middle. So only corners of the hull
 * become points of faces, and no face is a line. */
#include <doppel/sim/solid.h>

#include <errno.h>
#include <float.h>

#include <doppel/math/vector3.h>

/* A point nearer to a face than this share of the extent is on it. */
static const double share_on_face = 1e-10;

struct edge {
    unsigned from, to;
};

struct hull {
    struct dpl_vector3 points[DPL_SOLID_HULL_MAX]; /* from their middle */
    size_t n;
    unsigned (*faces)[3];
    size_t n_faces;
    double extent; /* m */
    double least;  /* m: less is no distance */
    double grain;  /* m: rounding of the coordinates */
};

/* Of a face: its normal outwards, of length 1 (0 for a face that is a line), and how far out along
 * it a point may be that is on the face. The normal of a narrow face is not exact. */
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
    struct dpl_vector3 edges[3];
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        edges[k] = dpl_vector3_minus(p[face[(k + 1) % 3]], p[face[k]]);
        longest = fmax(longest, dpl_vector3_length(edges[k]));
    }
    struct dpl_vector3 normal = dpl_vector3_cross(edges[0], edges[1]);
    double area = dpl_vector3_length(normal); /* twice */
    if (!(area > 0.0)) {
        return (struct plane){.reach = (double)INFINITY};
    }
    struct plane plane = {.normal = dpl_vector3_times(normal, 1.0 / area)};
    plane.reach = dpl_vector3_dot(plane.normal, p[face[0]]) + hull->least +
                  hull->grain * hull->extent * longest / area;
    return plane;
}

/* Positive: the point is outside of the face. */
static double height_over(const struct plane *plane, struct dpl_vector3 point)
{
    return dpl_vector3_dot(plane->normal, point) - plane->reach;
}

/* Four points that are not in one plane. */
static int start(struct hull *hull)
{
    double scores[DPL_SOLID_HULL_MAX] = {0.0};
    const struct dpl_vector3 *p = hull->points;
    unsigned corner[4];
    for (size_t i = 0; i < hull->n; i++) {
        scores[i] = dpl_vector3_length(p[i]);
    }
    corner[0] = pick(hull, scores);
    for (size_t i = 0; i < hull->n; i++) {
        scores[i] = dpl_vector3_length(dpl_vector3_minus(p[i], p[corner[0]]));
    }
    corner[1] = pick(hull, scores);
    struct dpl_vector3 along = dpl_vector3_minus(p[corner[1]], p[corner[0]]);
    double length = dpl_vector3_length(along);
    if (!(length > 0.0)) {
        return -EINVAL;
    }
    hull->extent = length;
    hull->least = share_on_face * length;
    for (size_t i = 0; i < hull->n; i++) {
        scores[i] =
            dpl_vector3_length(dpl_vector3_cross(along, dpl_vector3_minus(p[i], p[corner[0]]))) /
            length;
    }
    corner[2] = pick(hull, scores);
    if (!(scores[corner[2]] > hull->least)) {
        return -EINVAL;
    }
    struct plane plane = plane_of(hull, corner);
    for (size_t i = 0; i < hull->n; i++) {
        scores[i] = fabs(dpl_vector3_dot(plane.normal, dpl_vector3_minus(p[i], p[corner[0]])));
    }
    corner[3] = pick(hull, scores);
    if (!(scores[corner[3]] > plane.reach - dpl_vector3_dot(plane.normal, p[corner[0]]))) {
        return -EINVAL;
    }
    bool above = height_over(&plane, p[corner[3]]) > 0.0;
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
        struct plane plane = plane_of(hull, face);
        if (height_over(&plane, hull->points[number]) > 0.0) {
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

/* Takes the point that is furthest outside: 1; 0 when none is; or an error. */
static int take_next(struct hull *hull)
{
    double scores[DPL_SOLID_HULL_MAX] = {0.0};
    for (size_t j = 0; j < hull->n_faces; j++) {
        struct plane plane = plane_of(hull, hull->faces[j]);
        for (size_t i = 0; i < hull->n; i++) {
            double height = height_over(&plane, hull->points[i]);
            scores[i] = height > scores[i] ? height : scores[i];
        }
    }
    unsigned next = pick(hull, scores);
    if (!(scores[next] > 0.0)) {
        return 0;
    }
    int err = take_point(hull, next);
    return err ? err : 1;
}

/* Copies the points, from their middle: so rounding is that of their extent. */
static void take_points(struct hull *hull, const struct dpl_vector3 *points, size_t n)
{
    struct dpl_vector3 middle = {0};
    for (size_t i = 0; i < n; i++) {
        double largest = fmax(fabs(points[i].x), fmax(fabs(points[i].y), fabs(points[i].z)));
        middle = dpl_vector3_add(middle, dpl_vector3_times(points[i], 1.0 / (double)n));
        hull->grain = fmax(hull->grain, 8.0 * DBL_EPSILON * largest);
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
    take_points(&hull, points, n);
    int rc = start(&hull);
    bool more = rc == 0;
    for (size_t i = 0; more && i < n; i++) {
        rc = take_next(&hull);
        more = rc > 0;
    }
    return rc < 0 ? rc : (int)hull.n_faces;
}
