/* SPDX-License-Identifier: Apache-2.0 */
/* See sight.h. */
#include "sight.h"

#include <errno.h>
#include <math.h>

#include <doppel/math/vector3.h>

#include "scenery.h"

int dpl__sight_attach(struct dpl__sight_settings *settings,
                      const struct dpl_sim_mechanism *mechanism, struct dpl_diag *reterr)
{
    bool all = settings->sees[0] == '\0';
    settings->only = all ? -1 : dpl_mechanism_find_body(mechanism, settings->sees);
    if (!all && settings->only < 0) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "sees: there is no body '%s'",
                        settings->sees);
    }
    return 0;
}

int dpl__sight_build(const struct dpl_sim_site *site)
{
    return dpl__scenery_of(site) ? 0 : -ENOMEM;
}

void dpl__sight_begin(const struct dpl_sim_site *site, dpl_ns now)
{
    dpl__scenery_refresh_at(dpl__scenery_of(site), now);
}

static struct dpl__scenery_ray ray_of(const struct dpl__sight_settings *settings,
                                      const struct dpl_sim_site *site, struct dpl_vector3 along,
                                      double most)
{
    struct dpl_pose3 mount = {settings->mount,
                              dpl_quaternion_from_rpy(0.0, settings->pitch, settings->yaw)};
    struct dpl_pose3 from = dpl_pose3_compose(dpl_sim_body_pose3(site->state, site->body), mount);
    return (struct dpl__scenery_ray){
        .from = from.position,
        .along = dpl_quaternion_turn(from.orientation, along),
        .max_range = most,
        .robot = -1,
        .body = site->body,
    };
}

double dpl__sight_cast(const struct dpl__sight_settings *settings, const struct dpl_sim_site *site,
                       struct dpl_vector3 along, double most, bool *ret_ground)
{
    const struct dpl__scenery *scenery = dpl__scenery_of(site);
    struct dpl__scenery_ray ray = ray_of(settings, site, along, most);
    *ret_ground = false;
    if (settings->only < 0) {
        struct dpl__scenery_hit hit = dpl__scenery_cast(scenery, &ray);
        *ret_ground = !hit.thing && isfinite(hit.range);
        return hit.range;
    }
    int only = site->state->robots[site->robot].first_body + settings->only;
    double nearest = (double)INFINITY;
    for (size_t i = 0; i < scenery->moving.n; i++) {
        const struct dpl__scenery_thing *thing = &scenery->moving.things[i];
        if (thing->body == only) {
            nearest = fmin(nearest, dpl__scenery_meet(thing, &ray));
        }
    }
    return nearest <= most ? nearest : (double)INFINITY;
}
