/* SPDX-License-Identifier: Apache-2.0 */
/* The avatar link to a world in another process, as drivers and the host see it. */
#include "link_remote.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "remote_world.h"
#include "room.h"

#define OPEN_WAIT  (300 * DPL_MS)
#define GRANT_WAIT (5 * DPL_S)
#define CLOSE_WAIT (100 * DPL_MS)
#define STOP_LOOK  (20 * DPL_MS)  /* between looks whether the run is stopping */
#define STOP_GRACE (200 * DPL_MS) /* for a world that is there to finish its step */

static struct remote_link *self_of(struct dpl_link *link)
{
    return (struct remote_link *)link;
}

/* ---- the link ---- */

struct named_devices {
    const char (*names)[LINK_NAME_MAX + 1];
    unsigned n;
};

static struct named_devices devices_of(const struct remote_robot *robot, enum dpl_link_device kind)
{
    switch (kind) {
    case DPL_LINK_AXIS: break;
    case DPL_LINK_MOTOR: return (struct named_devices){robot->motors, robot->n_motors};
    case DPL_LINK_ENCODER: return (struct named_devices){robot->encoders, robot->n_encoders};
    case DPL_LINK_LASER: return (struct named_devices){robot->lasers, robot->n_lasers};
    }
    return (struct named_devices){0};
}

static int fail_unknown(const struct remote_link *self, enum dpl_link_device kind, const char *name,
                        struct dpl_diag *reterr)
{
    static const char *const words[] = {"motor", "encoder", "laser"};
    struct named_devices devices = devices_of(&self->model, kind);
    const char *names[LINK_WHEELS_MAX];
    char list[256] = "";
    size_t at = 0;
    for (unsigned i = 0; i < devices.n; i++) {
        names[i] = devices.names[i];
        at += (size_t)snprintf(list + at, sizeof list - at, "%s'%s'", i ? ", " : "", names[i]);
    }
    const char *near = dpl_nearest(name, names, devices.n);
    return dpl_fail(reterr, -ENOENT, (struct dpl_place){0},
                    "%s: robot '%s' has no %s '%s'; it has: %s%s%s%s", self->owner->address,
                    self->robot, words[kind], name, list, near ? "; did you mean '" : "",
                    near ? near : "", near ? "'?" : "");
}

static int find(struct dpl_link *link, enum dpl_link_device kind, const char *name,
                unsigned *ret_id, struct dpl_link_laser *ret_laser, struct dpl_diag *reterr)
{
    struct remote_link *self = self_of(link);
    if (kind == DPL_LINK_AXIS) {
        return dpl_fail(reterr, -ENOTSUP, (struct dpl_place){0},
                        "%s: a world in another process does not move axes, its loop would close "
                        "over the network: embed it (World)",
                        self->owner->address);
    }
    int known = atomic_load_explicit(&self->known, memory_order_acquire);
    if (known == 0) {
        return dpl_fail(reterr, -EAGAIN, (struct dpl_place){0}, "%s: no world has answered yet",
                        self->owner->address);
    }
    if (known < 0) {
        return dpl_fail(reterr, known, (struct dpl_place){0}, "%s: %s", self->owner->address,
                        self->error);
    }
    struct named_devices devices = devices_of(&self->model, kind);
    for (unsigned i = 0; i < devices.n; i++) {
        if (dpl_name_equal(devices.names[i], name)) {
            if (kind == DPL_LINK_LASER && ret_laser) {
                *ret_laser = self->model.laser_info[i];
            }
            atomic_fetch_or(&self->used[kind], 1u << i);
            *ret_id = i;
            return 0;
        }
    }
    return fail_unknown(self, kind, name, reterr);
}

static void set_motor(struct dpl_link *link, unsigned id, double velocity_rad_s)
{
    struct remote_link *self = self_of(link);
    double finite = velocity_rad_s - velocity_rad_s == 0.0 ? velocity_rad_s : 0.0;
    atomic_store_explicit(&self->setpoints[id], finite, memory_order_relaxed);
    /* release: the thread that sees the bit sees the setpoint */
    atomic_fetch_or_explicit(&self->setpoints_changed, 1u << id, memory_order_release);
}

static const struct robot_snapshot *newest(struct remote_link *self)
{
    if (!atomic_load_explicit(&self->has_state, memory_order_acquire)) {
        return NULL;
    }
    dpl_latest_update(&self->snapshot.sync);
    return &self->snapshot.slot[dpl_latest_front(&self->snapshot.sync)];
}

static int get_encoder(struct dpl_link *link, unsigned id, struct dpl_link_encoder *ret)
{
    const struct robot_snapshot *snapshot = newest(self_of(link));
    if (!snapshot) {
        return -EAGAIN;
    }
    *ret = snapshot->encoders[id];
    return 0;
}

static void enable_laser(struct dpl_link *link, unsigned id, bool enable)
{
    struct remote_link *self = self_of(link);
    if (enable) {
        atomic_fetch_or(&self->lasers_wanted, 1u << id);
    } else {
        atomic_fetch_and(&self->lasers_wanted, ~(1u << id));
    }
}

static int get_scan(struct dpl_link *link, unsigned id, struct dpl_link_scan *ret)
{
    struct scan_exchange *scans = &self_of(link)->scans[id];
    if (!dpl_latest_update(&scans->sync)) {
        return -EAGAIN;
    }
    const struct dpl_link_scan *scan = &scans->slot[dpl_latest_front(&scans->sync)];
    ret->stamp = scan->stamp;
    ret->sequence = scan->sequence;
    ret->n = scan->n;
    memcpy(ret->ranges_m, scan->ranges_m, scan->n * sizeof scan->ranges_m[0]);
    return 0;
}

static int get_robot(struct dpl_link *link, struct dpl_link_robot *ret)
{
    const struct robot_snapshot *snapshot = newest(self_of(link));
    if (!snapshot) {
        return -EAGAIN;
    }
    *ret = snapshot->robot;
    return 0;
}

static void set_pose(struct dpl_link *link, const struct dpl_pose2 *pose)
{
    struct remote_link *self = self_of(link);
    const struct robot_snapshot *snapshot = newest(self);
    bool lost = !atomic_load_explicit(&self->alive, memory_order_relaxed);
    self->places_asked++;
    atomic_store_explicit(&self->place_lost, lost, memory_order_relaxed);
    if (!lost) {
        self->place.slot[dpl_latest_back(&self->place.sync)] =
            (struct wanted_place){*pose, self->places_asked, snapshot ? snapshot->robot.world : 0};
        dpl_latest_publish(&self->place.sync);
    }
}

static int placed(struct dpl_link *link)
{
    struct remote_link *self = self_of(link);
    const struct robot_snapshot *snapshot = newest(self);
    if (self->places_asked == 0) {
        return 0;
    }
    if (snapshot && snapshot->place_number == self->places_asked) {
        return snapshot->place_result;
    }
    return atomic_load_explicit(&self->place_lost, memory_order_relaxed) ? -ENOTCONN : -EINPROGRESS;
}

/* No axis can be found, so there is no number of one to be called with. */
static void set_axis(struct dpl_link *link, unsigned id, double effort_n)
{
    (void)link, (void)id, (void)effort_n;
}

static int get_axis(struct dpl_link *link, unsigned id, struct dpl_link_axis *ret)
{
    (void)link, (void)id, (void)ret;
    return -ENOTSUP;
}

static int get_platform(struct dpl_link *link, dpl_ns *ret_stamp, double ret_pose[6])
{
    (void)link, (void)ret_stamp, (void)ret_pose;
    return -ENOTSUP;
}

static int get_course(struct dpl_link *link, double height_m, struct dpl_link_course *ret,
                      struct dpl_diag *reterr)
{
    (void)link, (void)height_m, (void)ret;
    return dpl_fail(reterr, -ENOTSUP, (struct dpl_place){0},
                    "a world in another process does not tell its course: embed it (World)");
}

static bool alive(struct dpl_link *link)
{
    return atomic_load_explicit(&self_of(link)->alive, memory_order_relaxed);
}

/* ---- waiting for the thread ---- */

typedef bool condition(const struct remote_world *world, const struct remote_link *link);

static bool run_is_stopping(const struct remote_world *world)
{
    return world->services && world->services->is_stopping(world->services->run);
}

/* With the lock. False: not within `patience`, or within `grace` when the run is stopping. */
static bool wait_for(struct remote_world *world, const struct remote_link *link, condition *is_met,
                     dpl_ns patience, dpl_ns grace)
{
    dpl_ns now = dpl_monotonic_now(), end = now + patience;
    bool stopping = false;
    for (; !is_met(world, link) && now < end; now = dpl_monotonic_now()) {
        if (!stopping && run_is_stopping(world)) {
            stopping = true;
            end = now + grace < end ? now + grace : end;
        }
        dpl_ns look = now + STOP_LOOK < end ? now + STOP_LOOK : end;
        struct timespec at = {look / DPL_S, look % DPL_S};
        pthread_cond_timedwait(&world->changed, &world->lock, &at);
    }
    return is_met(world, link);
}

static bool link_has_answer(const struct remote_world *world, const struct remote_link *link)
{
    return atomic_load(&link->alive) || atomic_load(&link->known) < 0 || world->refusal[0];
}

static bool all_have_states(const struct remote_world *world, const struct remote_link *unused)
{
    (void)unused;
    for (const struct remote_link *link = world->links; link; link = link->next) {
        if (!atomic_load(&link->alive)) {
            return false;
        }
    }
    return world->welcomed;
}

static bool grant_is_done(const struct remote_world *world, const struct remote_link *unused)
{
    (void)unused;
    return world->broken || (!world->grant_due && world->reached >= world->grant);
}

static bool is_let_go(const struct remote_world *world, const struct remote_link *link)
{
    (void)world;
    return !link->closing;
}

/* ---- opening and closing ---- */

static void close_link(struct dpl_link *link)
{
    struct remote_link *self = self_of(link);
    struct remote_world *world = self->owner;
    for (unsigned i = 0; i < LINK_WHEELS_MAX; i++) {
        if (atomic_load(&self->used[DPL_LINK_MOTOR]) & (1u << i)) {
            set_motor(link, i, 0.0);
        }
    }
    atomic_store(&self->lasers_wanted, 0);
    pthread_mutex_lock(&world->lock);
    self->device = NULL;
    self->closing = true;
    remote_world_wake(world);
    wait_for(world, self, is_let_go, CLOSE_WAIT, CLOSE_WAIT);
    struct remote_link **at = &world->links;
    while (*at != self) {
        at = &(*at)->next;
    }
    *at = self->next;
    pthread_mutex_unlock(&world->lock);
    free(self);
}

static const struct dpl_link_ops ops = {
    .find = find,
    .set_motor = set_motor,
    .get_encoder = get_encoder,
    .set_axis = set_axis,
    .get_axis = get_axis,
    .get_platform = get_platform,
    .enable_laser = enable_laser,
    .get_scan = get_scan,
    .get_robot = get_robot,
    .set_pose = set_pose,
    .placed = placed,
    .get_course = get_course,
    .alive = alive,
    .close = close_link,
};

static int world_at(struct remote_world **list, const struct dpl_link_config *config,
                    struct remote_world **ret_world, struct dpl_diag *reterr)
{
    struct remote_world **at = list;
    for (; *at; at = &(*at)->next) {
        if (strcmp((*at)->address, config->world) == 0) {
            *ret_world = *at;
            return 0;
        }
    }
    struct remote_world *world = calloc(1, sizeof *world);
    if (!world) {
        return -ENOMEM;
    }
    snprintf(world->address, sizeof world->address, "%s", config->world);
    int err = dpl_room_check(config->world, DPL_ROOM_ZMQ_FILES, DPL_ROOM_ZMQ_THREADS + 1, reterr);
    if (err < 0) {
        free(world);
        return err;
    }
    err = remote_world_start(world);
    if (err < 0) {
        remote_world_destroy(world);
        return dpl_fail(reterr, err, config->place, "cannot talk to '%s': %s", config->world,
                        err == -EINVAL ? "expected tcp://host:port" : strerror(-err));
    }
    *at = *ret_world = world;
    return 0;
}

static int free_slot(const struct remote_world *world)
{
    unsigned taken = 0;
    for (const struct remote_link *link = world->links; link; link = link->next) {
        taken |= 1u << link->slot;
    }
    int slot = 0;
    while (slot < LINK_SLOTS_MAX && (taken & (1u << slot)) != 0) {
        slot++;
    }
    return slot < LINK_SLOTS_MAX ? slot : -ENOSPC;
}

static int add_link(struct remote_world *world, const struct dpl_link_config *config,
                    struct dpl_device *device, struct remote_link **ret_link)
{
    int slot = free_slot(world);
    if (slot < 0) {
        return slot;
    }
    struct remote_link *link = calloc(1, sizeof *link);
    if (!link) {
        return -ENOMEM;
    }
    link->link.ops = &ops;
    link->owner = world;
    link->device = device;
    link->slot = (uint32_t)slot;
    link->take_over = config->take_over;
    snprintf(link->robot, sizeof link->robot, "%s", config->robot);
    link->motor_ramp_rad_s2 = config->motor_ramp_rad_s2;
    dpl_latest_init(&link->place.sync);
    dpl_latest_init(&link->snapshot.sync);
    for (size_t i = 0; i < LINK_SCANNERS_MAX; i++) {
        dpl_latest_init(&link->scans[i].sync);
    }
    link->next = world->links;
    world->links = link;
    *ret_link = link;
    return 0;
}

int link_remote_open(struct remote_world **list, const struct dpl_link_config *config,
                     struct dpl_device *device, struct dpl_link **ret_link, struct dpl_diag *reterr)
{
    struct remote_world *world = NULL;
    int err = world_at(list, config, &world, reterr);
    if (err < 0) {
        return err;
    }
    pthread_mutex_lock(&world->lock);
    struct remote_link *link;
    err = add_link(world, config, device, &link);
    if (err == 0) {
        remote_world_wake(world);
        /* a world that let one link wait in vain is not waited for again */
        dpl_ns patience = world->welcomed || !world->links->next ? OPEN_WAIT : 0;
        wait_for(world, link, link_has_answer, patience, 0);
        if (!atomic_load(&link->alive)) {
            remote_link_lose(link, world->refusal[0] ? world->refusal : "no world answers yet");
        }
        *ret_link = &link->link;
    }
    pthread_mutex_unlock(&world->lock);
    return err == 0 ? 0
                    : dpl_fail(reterr, err, config->place, "%s: no further link: %s", config->world,
                               strerror(-err));
}

/* ---- all worlds of a run ---- */

static int check_mode(const struct remote_world *world, struct dpl_diag *reterr)
{
    if (!world->welcomed || world->lockstep == world->grants) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "%s: %s", world->address,
                    world->lockstep
                        ? "the world is served in lock-step, but this run follows the real clock"
                        : "the world is served in real time, but this run is simulated; serve it "
                          "with --lockstep");
}

static int start_world(struct remote_world *world, dpl_ns real_epoch, struct dpl_diag *reterr)
{
    world->started = true;
    world->real_epoch = real_epoch;
    world->grants = real_epoch == 0;
    int err = check_mode(world, reterr);
    if (err < 0 || !world->grants || wait_for(world, NULL, all_have_states, GRANT_WAIT, 0)) {
        return err;
    }
    if (run_is_stopping(world)) {
        return dpl_fail(reterr, -ECANCELED, (struct dpl_place){0},
                        "%s: the run was stopped before a world answered", world->address);
    }
    return dpl_fail(reterr, -ETIMEDOUT, (struct dpl_place){0}, "%s: %s", world->address,
                    world->refusal[0] ? world->refusal : "no world answers within 5 s");
}

void remote_worlds_attend(struct remote_world *list, const struct dpl_run_services *services)
{
    for (struct remote_world *world = list; world; world = world->next) {
        pthread_mutex_lock(&world->lock);
        world->services = services;
        pthread_mutex_unlock(&world->lock);
    }
}

int remote_worlds_start(struct remote_world *list, dpl_ns real_epoch, struct dpl_diag *reterr)
{
    int err = 0;
    for (struct remote_world *world = list; world && err == 0; world = world->next) {
        pthread_mutex_lock(&world->lock);
        err = start_world(world, real_epoch, reterr);
        pthread_mutex_unlock(&world->lock);
    }
    return err;
}

static int await_grant(struct remote_world *world, struct dpl_diag *reterr)
{
    bool done = wait_for(world, NULL, grant_is_done, GRANT_WAIT, STOP_GRACE);
    if (world->broken) {
        return dpl_fail(reterr, -ECONNRESET, (struct dpl_place){0},
                        "%s: the world was lost or restarted, and its time with it",
                        world->address);
    }
    if (done) {
        return 0;
    }
    if (run_is_stopping(world)) {
        return dpl_fail(reterr, -ECANCELED, (struct dpl_place){0},
                        "%s: the run was stopped while it waited for the world", world->address);
    }
    const char *who = world->waiting_for;
    return dpl_fail(reterr, -ETIMEDOUT, (struct dpl_place){0},
                    "%s: the world did not reach %.3f s within 5 s%s%s%s", world->address,
                    dpl_ns_to_s(world->grant), who[0] ? "; it waits for client '" : "", who,
                    who[0] ? "'" : "");
}

int remote_worlds_advance(struct remote_world *list, dpl_ns to, struct dpl_diag *reterr)
{
    for (struct remote_world *world = list; world; world = world->next) {
        pthread_mutex_lock(&world->lock);
        world->grant = to + world->base;
        world->grant_due = true;
        remote_world_wake(world);
        pthread_mutex_unlock(&world->lock);
    }
    int err = 0;
    for (struct remote_world *world = list; world && err == 0; world = world->next) {
        pthread_mutex_lock(&world->lock);
        err = await_grant(world, reterr);
        pthread_mutex_unlock(&world->lock);
    }
    return err;
}

void remote_worlds_stop(struct remote_world *list)
{
    for (struct remote_world *world = list; world; world = world->next) {
        pthread_mutex_lock(&world->lock);
        world->stopped = true;
        world->services = NULL;
        pthread_mutex_unlock(&world->lock);
    }
}

uint64_t remote_worlds_contacts(const struct remote_world *list)
{
    uint64_t sum = 0;
    for (const struct remote_world *world = list; world; world = world->next) {
        sum += atomic_load_explicit(&world->contacts, memory_order_relaxed);
    }
    return sum;
}

void remote_worlds_destroy(struct remote_world *list)
{
    while (list) {
        struct remote_world *world = list;
        list = world->next;
        remote_world_destroy(world);
    }
}
