/* SPDX-License-Identifier: Apache-2.0 */
/* The Car as client of TrackService. */
#include <doppel/msg/device.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/poses.h>
#include <doppel/msg/track.h>

#include "service.h"

/* A track and the storage of its fields. */
struct answer {
    Doppel__Track track;
    Doppel__Pose2 start;
    double walls[4 * CAR_WALLS_MAX], finish[4];
};

static void prepare(struct answer *answer)
{
    doppel__track__init(&answer->track);
    doppel__pose2__init(&answer->start);
    answer->track.walls = answer->walls;
    answer->track.n_walls = DPL_COUNT(answer->walls);
    answer->track.finish = answer->finish;
    answer->track.n_finish = DPL_COUNT(answer->finish);
    answer->track.start = &answer->start;
}

static struct car_segment segment_from(const double *v)
{
    return (struct car_segment){{v[0], v[1]}, {v[2], v[3]}};
}

int car_track_ask(struct dpl_component *self, unsigned port, struct car_track *ret_track,
                  struct dpl_diag *reterr)
{
    struct answer answer;
    prepare(&answer);
    int err = dpl_track_call_get_track(self, port, &answer.track);
    if (err < 0) {
        return dpl_fail(reterr, err, (struct dpl_place){0}, "the track does not answer");
    }
    struct car_surroundings *around = &ret_track->around;
    around->n_walls = answer.track.n_walls / 4;
    for (size_t i = 0; i < around->n_walls; i++) {
        around->walls[i] = segment_from(&answer.walls[4 * i]);
    }
    around->has_finish = answer.track.n_finish == 4;
    around->finish =
        around->has_finish ? segment_from(answer.finish) : (struct car_segment){{0, 0}, {0, 0}};
    ret_track->has_start = answer.track.has_start;
    ret_track->start = dpl_pose2_get(&answer.start);
    return 0;
}

void car_track_show(struct dpl_component *self, unsigned port, struct dpl_pose2 pose)
{
    Doppel__Pose2 request = DOPPEL__POSE2__INIT;
    dpl_pose2_set(&request, pose);
    (void)dpl_track_call_place_car(self, port, &request);
}
