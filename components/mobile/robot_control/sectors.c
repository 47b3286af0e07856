/* SPDX-License-Identifier: Apache-2.0 */
/* Polar histogram of free travel, and choice of a direction in it. */
#include "sectors.h"

#define SECTOR_RAD (2.0 * DPL_PI / DPL_NAV_SECTORS)
/* Of SECTOR_RAD, 3 degrees. */
#define COS_SECTOR 0.99862953475457387
#define SIN_SECTOR 0.05233595624294383

_Static_assert(DPL_NAV_SECTORS == 120, "the constants above are for 120 sectors");

/* Weights of one radian of deviation from the wanted direction, the present heading and the last
 * choice. */
#define COST_WISH    1.0
#define COST_HEADING 0.25
#define COST_CHANGE  0.35

double dpl_nav_sector_angle(size_t sector)
{
    return ((double)sector + 0.5) * SECTOR_RAD - DPL_PI;
}

size_t dpl_nav_sector_of(double angle_rad)
{
    double index = floor((dpl_wrap_angle(angle_rad) + DPL_PI) / SECTOR_RAD);
    return index >= 0.0 && index < DPL_NAV_SECTORS ? (size_t)index : 0;
}

struct direction {
    double along, across; /* of a point, relative to this direction */
};

/* The same point relative to the next sector. */
static struct direction turned(struct direction d, double sin_turn)
{
    return (struct direction){d.along * COS_SECTOR - d.across * sin_turn,
                              d.along * sin_turn + d.across * COS_SECTOR};
}

/* Limits the free travel of the sectors on one side, from sector `index` on, to the contact with
 * the point, as long as their direction leads to it. */
static void block_side(struct dpl_nav_sectors *sectors, struct direction d, double radius,
                       int index, int step)
{
    double radius2 = radius * radius;
    bool inside = d.along * d.along + d.across * d.across <= radius2;
    while (d.along > 0.0 && (inside || d.across * d.across < radius2)) {
        double contact = inside ? 0.0 : d.along - sqrt(radius2 - d.across * d.across);
        double *free_m = &sectors->free_m[index];
        *free_m = contact < *free_m ? contact : *free_m;
        d = turned(d, step * SIN_SECTOR);
        index = (index + step + DPL_NAV_SECTORS) % DPL_NAV_SECTORS;
    }
}

static void block(struct dpl_nav_sectors *sectors, double distance, double bearing, double radius)
{
    int index = (int)((bearing + DPL_PI) * (1.0 / SECTOR_RAD));
    index = index < DPL_NAV_SECTORS ? index : DPL_NAV_SECTORS - 1;
    /* At most half a sector, so the series is exact to 1e-9. */
    double delta = dpl_nav_sector_angle((size_t)index) - bearing, delta2 = delta * delta;
    struct direction d = {distance * (1.0 - delta2 / 2.0 + delta2 * delta2 / 24.0),
                          distance * delta * (1.0 - delta2 / 6.0)};
    block_side(sectors, d, radius, index, 1);
    block_side(sectors, d, radius, index, -1);
}

void dpl_nav_bearings_build(struct dpl_nav_bearings *bearings, const struct dpl_nav_points *points)
{
    double nearest2[DPL_NAV_BEARINGS];
    for (size_t i = 0; i < DPL_NAV_BEARINGS; i++) {
        nearest2[i] = HUGE_VAL;
    }
    for (size_t i = 0; i < points->count; i++) {
        double x = points->x[i], y = points->y[i], d2 = x * x + y * y, bearing = atan2(y, x);
        size_t bin = (size_t)((bearing + DPL_PI) * (DPL_NAV_BEARINGS / (2.0 * DPL_PI)));
        bin = bin < DPL_NAV_BEARINGS ? bin : DPL_NAV_BEARINGS - 1;
        if (d2 < nearest2[bin]) {
            nearest2[bin] = d2;
            bearings->angle_rad[bin] = bearing;
        }
    }
    for (size_t i = 0; i < DPL_NAV_BEARINGS; i++) {
        bearings->nearest_m[i] = sqrt(nearest2[i]);
    }
}

void dpl_nav_sectors_build(struct dpl_nav_sectors *sectors, const struct dpl_nav_bearings *bearings,
                           double radius_m, double limit_m)
{
    for (size_t i = 0; i < DPL_NAV_SECTORS; i++) {
        sectors->free_m[i] = limit_m;
    }
    for (size_t i = 0; i < DPL_NAV_BEARINGS; i++) {
        if (bearings->nearest_m[i] < limit_m + radius_m) {
            block(sectors, bearings->nearest_m[i], bearings->angle_rad[i], radius_m);
        }
    }
}

/* Between two angles in [-pi, pi]. */
static double difference(double a, double b)
{
    double d = fabs(a - b);
    return d > DPL_PI ? 2.0 * DPL_PI - d : d;
}

bool dpl_nav_sectors_steer(const struct dpl_nav_sectors *sectors,
                           const struct dpl_nav_steering *request, double *ret_rad)
{
    double best = HUGE_VAL, angle = 0.0;
    for (size_t i = 0; i < DPL_NAV_SECTORS; i++) {
        double candidate = dpl_nav_sector_angle(i);
        double deviation = difference(candidate, request->wish_rad);
        if (sectors->free_m[i] < request->need_m || deviation > request->most_rad) {
            continue;
        }
        double cost = COST_WISH * deviation + COST_HEADING * fabs(candidate) +
                      COST_CHANGE * difference(candidate, request->last_rad);
        if (cost < best) {
            best = cost;
            /* Inside of the wanted sector, the wanted direction is better than the sector's
             * middle. */
            angle = deviation <= SECTOR_RAD / 2.0 ? request->wish_rad : candidate;
        }
    }
    if (best < HUGE_VAL) {
        *ret_rad = angle;
    }
    return best < HUGE_VAL;
}
