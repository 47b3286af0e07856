/* SPDX-License-Identifier: Apache-2.0 */
/* Track: the device component of tracks. Provides walls, start and finish, and displays the car if
 * its driver has a world. The property ApiName selects the driver. */
#include <errno.h>

#include <doppel/drv/track.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/track.h>
#include <doppel/plugin.h>

enum port {
    PORT_SERVICE,
};

struct state {
    struct dpl_track track;
    int64_t n_walls;
};

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    struct state *state = self->state;
    int err = dpl_track_get(dpl_component_device(self), &state->track);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "the device gives no track");
    }
    state->n_walls = (int64_t)state->track.n_walls;
    return 0;
}

static size_t put_segment(double *values, const struct dpl_track_segment *s)
{
    values[0] = s->x1;
    values[1] = s->y1;
    values[2] = s->x2;
    values[3] = s->y2;
    return 4;
}

static int get_track(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    (void)request;
    const struct dpl_track *track = &((const struct state *)self->state)->track;
    Doppel__Track *answer = response;
    if (answer->n_walls < 4 * track->n_walls || (track->has_finish && answer->n_finish < 4)) {
        return -ENOSPC;
    }
    answer->n_walls = 0;
    for (size_t i = 0; i < track->n_walls; i++) {
        answer->n_walls += put_segment(&answer->walls[answer->n_walls], &track->walls[i]);
    }
    answer->n_finish = track->has_finish ? put_segment(answer->finish, &track->finish) : 0;
    answer->has_start = track->has_start;
    if (answer->start) {
        dpl_pose2_set(answer->start, track->start);
    }
    return 0;
}

static int place_car(struct dpl_component *self, unsigned port, const void *request, void *response)
{
    (void)port;
    (void)response;
    struct dpl_pose2 pose = dpl_pose2_get(request);
    return dpl_track_place_car(dpl_component_device(self), &pose);
}

static const dpl_service_method service[DPL_TRACK_N_METHODS] = {
    [DPL_TRACK_GET_TRACK] = get_track,
    [DPL_TRACK_PLACE_CAR] = place_car,
};

static const struct dpl_port_desc ports[] = {
    [PORT_SERVICE] =
        {
            .name = "TrackService",
            .aliases = "Track",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_OUT,
            .service = &doppel__track_service__descriptor,
            .methods = service,
            .summary = "walls, start and finish",
        },
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, n_walls, "walls", NULL, DPL_FIELD_SUMMARY, "of the track"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
};

static const struct dpl_component_class class = {
    .name = "Track",
    .summary = "a track: walls, start and finish of the device that ApiName names",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .device_class = DPL_TRACK_CLASS,
    .n_device_calls = DPL_DRV_TRACK_N_CALLS,
    .only_senses = true,
    .default_period = 100 * DPL_MS,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
