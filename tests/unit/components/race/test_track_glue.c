/* SPDX-License-Identifier: Apache-2.0 */
/* Track with a fake driver: what its service answers. */
#include <errno.h>
#include <math.h>

#include <criterion/criterion.h>

#include <doppel/drv/track.h>
#include <doppel/msg/geometry.h>
#include <doppel/msg/track.h>
#include <doppel/plugin.h>

static struct dpl_track track;
static struct dpl_pose2 placed;
static int get_error;

static int get(struct dpl_device *device, const void *in, void *out)
{
    *(struct dpl_track *)out = track;
    return get_error;
}

static int place_car(struct dpl_device *device, const void *in, void *out)
{
    placed = *(const struct dpl_pose2 *)in;
    return -ENODEV;
}

static const dpl_device_call_fn with_world[DPL_DRV_TRACK_N_CALLS] = {
    [DPL_DRV_TRACK_GET] = get,
    [DPL_DRV_TRACK_PLACE_CAR] = place_car,
};
static const dpl_device_call_fn without_world[DPL_DRV_TRACK_N_CALLS] = {[DPL_DRV_TRACK_GET] = get};
static struct dpl_driver driver = {
    .name = "fake", .device_class = &dpl_track_class, .api = with_world};
static struct dpl_device device = {.driver = &driver};

struct dpl_device *dpl_component_device(struct dpl_component *component)
{
    return &device;
}

/* Room for the state, whose type is the component's own. */
static union {
    struct dpl_track aligned;
    unsigned char bytes[sizeof(struct dpl_track) + 64];
} state;
static struct dpl_component self = {.name = "Track", .state = &state};

static int initialize(void)
{
    self.class_ = dpl_plugin.component;
    cr_assert_leq(self.class_->state_size, sizeof state);
    return self.class_->ops->initialize(&self, NULL);
}

static int call(unsigned method, const void *request, void *response)
{
    return self.class_->ports[0].methods[method](&self, 0, request, response);
}

static double walls[8], finish[4];
static Doppel__Pose2 start;

static int ask(size_t room_walls, size_t room_finish, Doppel__Track *ret_track)
{
    doppel__track__init(ret_track);
    doppel__pose2__init(&start);
    ret_track->walls = walls;
    ret_track->n_walls = room_walls;
    ret_track->finish = finish;
    ret_track->n_finish = room_finish;
    ret_track->start = &start;
    return call(DPL_TRACK_GET_TRACK, NULL, ret_track);
}

static void two_walls(void)
{
    track = (struct dpl_track){
        .n_walls = 2,
        .walls = {{1, 2, 3, 4}, {5, 6, 7, 8}},
        .has_finish = true,
        .finish = {9, 10, 11, 12},
        .has_start = true,
        .start = {0.5, 0.25, 1.5},
    };
}

Test(track_glue, answers_with_its_device_s_track)
{
    two_walls();
    cr_assert_eq(initialize(), 0);
    Doppel__Track answer;
    cr_assert_eq(ask(8, 4, &answer), 0);
    cr_assert_eq(answer.n_walls, 8);
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(walls[i], i + 1.0);
    }
    cr_assert_eq(answer.n_finish, 4);
    cr_assert_eq(finish[3], 12.0);
    cr_assert(answer.has_start);
    cr_assert_eq(start.theta, 1.5);
}

Test(track_glue, has_no_finish_where_the_device_has_none)
{
    two_walls();
    track.has_finish = track.has_start = false;
    cr_assert_eq(initialize(), 0);
    Doppel__Track answer;
    cr_assert_eq(ask(8, 4, &answer), 0);
    cr_assert_eq(answer.n_finish, 0);
    cr_assert_not(answer.has_start);
}

Test(track_glue, refuses_where_there_is_no_room_for_the_answer)
{
    two_walls();
    cr_assert_eq(initialize(), 0);
    Doppel__Track answer;
    cr_assert_eq(ask(7, 4, &answer), -ENOSPC);
    cr_assert_eq(ask(8, 3, &answer), -ENOSPC);
}

Test(track_glue, does_not_begin_without_a_track)
{
    get_error = -ENODEV;
    cr_assert_eq(initialize(), -ENODEV);
}

Test(track_glue, shows_the_car_where_there_is_a_world)
{
    two_walls();
    cr_assert_eq(initialize(), 0);
    Doppel__Pose2 pose = DOPPEL__POSE2__INIT;
    pose.x = 0.75;
    cr_assert_eq(call(DPL_TRACK_PLACE_CAR, &pose, NULL), -ENODEV);
    cr_assert_eq(placed.x, 0.75);
    pose.x = (double)NAN;
    cr_assert_eq(call(DPL_TRACK_PLACE_CAR, &pose, NULL), -EINVAL);
    cr_assert_eq(placed.x, 0.75);
    driver.api = without_world;
    pose.x = 0.5;
    cr_assert_eq(call(DPL_TRACK_PLACE_CAR, &pose, NULL), 0);
}
