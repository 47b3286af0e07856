/* SPDX-License-Identifier: Apache-2.0 */
/* A world with links: stepping, handing setpoints in and snapshots out. */
#include "hosted_world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doppel/device.h>

#include "world_xml.h"

int hosted_world_create(const char *file, uint64_t seed, struct dpl_catalog *catalog,
                        struct hosted_world **ret_world, struct dpl_diag *reterr)
{
    struct hosted_world *world = calloc(1, sizeof *world);
    if (!world) {
        return -ENOMEM;
    }
    world->file = strdup(file);
    int err =
        world->file ? dpl_sim_load_world(file, seed, catalog, &world->model, reterr) : -ENOMEM;
    if (err == 0) {
        err = dpl_world_create(world->model, &world->world, reterr);
    }
    if (err < 0) {
        hosted_world_destroy(world);
        return err;
    }
    *ret_world = world;
    return 0;
}

static void free_link(struct hosted_link *link)
{
    for (unsigned i = 0; i < link->n_lasers; i++) {
        free(link->scans[i]);
    }
    free(link);
}

static void free_links(struct hosted_link *link)
{
    while (link) {
        struct hosted_link *next = link->next;
        free_link(link);
        link = next;
    }
}

void hosted_world_destroy(struct hosted_world *world)
{
    if (!world) {
        return;
    }
    hosted_world_stop(world);
    free_links(world->links);
    free_links(atomic_load(&world->joining));
    free_links(atomic_load(&world->retired));
    dpl_world_destroy(world->world);
    dpl_sim_model_destroy(world->model);
    free(world->file);
    free(world);
}

void hosted_world_list_robots(const struct dpl_sim_model *model, char *text, size_t size)
{
    size_t at = 0;
    snprintf(text, size, "none");
    for (size_t i = 0; i < model->n_robots && at < size; i++) {
        int n = snprintf(text + at, size - at, "%s%s", i ? ", " : "", model->robots[i].name);
        at += n > 0 ? (size_t)n : 0;
    }
}

int hosted_world_link(struct hosted_world *world, const struct dpl_link_config *config,
                      struct hosted_link **ret_link, struct dpl_diag *reterr)
{
    int robot = dpl_world_find_robot(world->world, config->robot);
    if (robot < 0) {
        char names[256];
        hosted_world_list_robots(world->model, names, sizeof names);
        return dpl_fail(reterr, -ENOENT, config->place, "world '%s' has no robot '%s'; it has: %s",
                        world->file, config->robot, names);
    }
    struct hosted_link *link = calloc(1, sizeof *link);
    if (!link) {
        return -ENOMEM;
    }
    link->owner = world;
    link->robot = robot;
    link->motor_ramp_rad_s2 = config->motor_ramp_rad_s2;
    dpl_latest_init(&link->place.sync);
    dpl_latest_init(&link->snapshot.sync);
    *ret_link = link;
    return 0;
}

static void push(_Atomic(struct hosted_link *) *list, struct hosted_link *link)
{
    link->next = atomic_load_explicit(list, memory_order_relaxed);
    /* release: who takes the list sees what is in the link */
    while (!atomic_compare_exchange_weak_explicit(list, &link->next, link, memory_order_release,
                                                  memory_order_relaxed)) {
    }
}

void hosted_world_join(struct hosted_link *link)
{
    push(&link->owner->joining, link);
}

void hosted_world_remove(struct hosted_link *link)
{
    atomic_store_explicit(&link->removed, true, memory_order_release);
}

void hosted_world_sweep(struct hosted_world *world)
{
    free_links(atomic_exchange_explicit(&world->retired, NULL, memory_order_acquire));
}

static void take_joining(struct hosted_world *world)
{
    if (!atomic_load_explicit(&world->joining, memory_order_relaxed)) {
        return;
    }
    struct hosted_link *link =
        atomic_exchange_explicit(&world->joining, NULL, memory_order_acquire);
    while (link) {
        struct hosted_link *next = link->next;
        link->next = world->links;
        world->links = link;
        link = next;
    }
}

/* A laser measures as long as one link wants it. */
static bool laser_is_wanted(const struct hosted_world *world, int laser)
{
    for (const struct hosted_link *link = world->links; link; link = link->next) {
        for (unsigned i = 0; i < link->n_lasers; i++) {
            if (link->lasers[i] == laser && (link->lasers_on & (1u << i)) != 0) {
                return true;
            }
        }
    }
    return false;
}

static void switch_lasers(struct hosted_world *world, struct hosted_link *link, unsigned wanted)
{
    unsigned changed = wanted ^ link->lasers_on;
    link->lasers_on = wanted;
    for (unsigned i = 0; i < link->n_lasers && changed != 0; i++) {
        if (changed & (1u << i)) {
            dpl_world_enable_laser(world->world, link->lasers[i],
                                   laser_is_wanted(world, link->lasers[i]));
        }
    }
}

/* A motor whose driver has gone quiet must not push on; then its brake holds it. */
static void take_efforts(struct hosted_world *world, struct hosted_link *link)
{
    dpl_ns now = dpl_world_now(world->world);
    unsigned changed = atomic_exchange_explicit(&link->efforts_changed, 0, memory_order_acquire);
    for (unsigned i = 0; i < link->n_axes; i++) {
        unsigned bit = 1u << i;
        if (changed & bit) {
            double effort = atomic_load_explicit(&link->efforts[i], memory_order_relaxed);
            dpl_world_set_axis(world->world, link->axes[i], effort);
            link->efforts_due[i] = now + DPL_LINK_AXIS_SILENCE;
            link->efforts_on |= bit;
        } else if ((link->efforts_on & bit) && now >= link->efforts_due[i]) {
            dpl_world_release_axis(world->world, link->axes[i]);
            link->efforts_on &= ~bit;
        }
    }
}

/* Setpoints that nobody answers for: motors stop, and axes give nothing. Those of before count no
 * more when their commander is back; only what is set then does. */
static void leave_alone(struct hosted_world *world, struct hosted_link *link)
{
    atomic_exchange_explicit(&link->setpoints_changed, 0, memory_order_relaxed);
    atomic_exchange_explicit(&link->efforts_changed, 0, memory_order_relaxed);
    for (unsigned i = 0; i < link->n_motors && !link->left_alone; i++) {
        dpl_world_set_motor(world->world, link->motors[i], 0.0);
    }
    for (unsigned i = 0; i < link->n_axes && !link->left_alone; i++) {
        dpl_world_release_axis(world->world, link->axes[i]);
    }
    link->efforts_on = 0;
}

static void take_speeds(struct hosted_world *world, struct hosted_link *link)
{
    if (link->device && !dpl_device_is_commanded(link->device)) {
        leave_alone(world, link);
        link->left_alone = true;
        return;
    }
    link->left_alone = false;
    unsigned changed = atomic_exchange_explicit(&link->setpoints_changed, 0, memory_order_acquire);
    for (unsigned i = 0; i < link->n_motors; i++) {
        if (changed & (1u << i)) {
            double speed = atomic_load_explicit(&link->setpoints[i], memory_order_relaxed);
            dpl_world_set_motor_ramp(world->world, link->motors[i], link->motor_ramp_rad_s2);
            dpl_world_set_motor(world->world, link->motors[i], speed);
        }
    }
    take_efforts(world, link);
}

static void take_place(struct hosted_world *world, struct hosted_link *link)
{
    if (dpl_latest_update(&link->place.sync)) {
        const struct wanted_place *wanted = &link->place.slot[dpl_latest_front(&link->place.sync)];
        link->place_number = wanted->number;
        link->place_result = dpl_world_set_pose(world->world, link->robot, wanted->pose);
    }
}

static void take_setpoints(struct hosted_world *world, struct hosted_link *link, bool removed)
{
    take_speeds(world, link);
    unsigned wanted = atomic_load_explicit(&link->lasers_wanted, memory_order_relaxed);
    switch_lasers(world, link, removed ? 0 : wanted);
    take_place(world, link);
}

static void take_all_setpoints(struct hosted_world *world)
{
    take_joining(world);
    for (struct hosted_link **at = &world->links; *at;) {
        struct hosted_link *link = *at;
        /* acquire, and read first: setpoints left before the removal are still taken */
        bool removed = atomic_load_explicit(&link->removed, memory_order_acquire);
        take_setpoints(world, link, removed);
        if (removed) {
            *at = link->next;
            push(&world->retired, link);
        } else {
            at = &link->next;
        }
    }
}

static void give_machine(struct hosted_world *world, struct hosted_link *link,
                         struct robot_snapshot *snapshot, dpl_ns stamp)
{
    for (unsigned i = 0; i < link->n_axes; i++) {
        struct dpl_world_axis axis;
        dpl_world_get_axis(world->world, link->axes[i], &axis);
        snapshot->axes[i] = (struct dpl_link_axis){
            .stamp = stamp,
            .position_m = axis.position_m,
            .velocity_m_s = axis.velocity_m_s,
            .effort_n = axis.effort_n,
        };
    }
    dpl_world_get_platform(world->world, link->robot, &snapshot->platform_stamp,
                           snapshot->platform);
    snapshot->platform_stamp += world->offset;
}

static void give_snapshot(struct hosted_world *world, struct hosted_link *link)
{
    struct robot_snapshot *snapshot = &link->snapshot.slot[dpl_latest_back(&link->snapshot.sync)];
    dpl_ns stamp = dpl_world_now(world->world) + world->offset;
    for (unsigned i = 0; i < link->n_encoders; i++) {
        struct dpl_world_encoder encoder;
        dpl_world_get_encoder(world->world, link->encoders[i], &encoder);
        snapshot->encoders[i] = (struct dpl_link_encoder){
            .stamp = stamp,
            .angle_rad = encoder.angle_rad,
            .velocity_rad_s = encoder.velocity_rad_s,
        };
    }
    if (world->model->robots[link->robot].is_machine) {
        give_machine(world, link, snapshot, stamp);
    }
    struct dpl_world_robot robot;
    dpl_world_get_robot(world->world, link->robot, &robot);
    snapshot->robot = (struct dpl_link_robot){
        .stamp = stamp,
        .pose = robot.pose,
        .twist = robot.twist,
        .contacts = robot.contacts,
        .touched = robot.touched,
        .ejections = robot.ejections,
    };
    snapshot->place_number = link->place_number;
    snapshot->place_result = link->place_result;
    dpl_latest_publish(&link->snapshot.sync);
}

static void give_scans(struct hosted_world *world, struct hosted_link *link)
{
    for (unsigned i = 0; i < link->n_lasers; i++) {
        struct dpl_world_scan scan;
        if (dpl_world_get_scan(world->world, link->lasers[i], &scan) < 0 ||
            scan.sequence == link->scan_sequence[i]) {
            continue;
        }
        struct scan_exchange *exchange = link->scans[i];
        struct dpl_link_scan *out = &exchange->slot[dpl_latest_back(&exchange->sync)];
        link->scan_sequence[i] = scan.sequence;
        out->stamp = scan.stamp + world->offset;
        out->sequence = scan.sequence;
        out->n = scan.n < DPL_LINK_SCAN_MAX ? (uint32_t)scan.n : DPL_LINK_SCAN_MAX;
        memcpy(out->ranges_m, scan.ranges_m, out->n * sizeof out->ranges_m[0]);
        dpl_latest_publish(&exchange->sync);
    }
}

static void count_contacts(struct hosted_world *world)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < world->model->n_robots; i++) {
        struct dpl_world_robot robot;
        dpl_world_get_robot(world->world, (int)i, &robot);
        sum += robot.contacts;
    }
    atomic_store_explicit(&world->contacts, sum, memory_order_relaxed);
}

void hosted_world_publish(struct hosted_world *world)
{
    take_joining(world);
    for (struct hosted_link *link = world->links; link; link = link->next) {
        give_snapshot(world, link);
        give_scans(world, link);
    }
    count_contacts(world);
}

/* When the first axis that has an effort falls silent, `end` at the latest. */
static dpl_ns next_silence(const struct hosted_world *world, dpl_ns end)
{
    for (const struct hosted_link *link = world->links; link; link = link->next) {
        for (unsigned i = 0; i < link->n_axes; i++) {
            bool on = (link->efforts_on & (1u << i)) != 0;
            end = on && link->efforts_due[i] < end ? link->efforts_due[i] : end;
        }
    }
    return end;
}

/* A world that catches up with the clock in one go still lets silent axes go in time. */
void hosted_world_advance(struct hosted_world *world, dpl_ns to)
{
    dpl_ns end = to - world->offset;
    do {
        take_all_setpoints(world);
        dpl_world_run_until(world->world, next_silence(world, end));
    } while (dpl_world_now(world->world) < end);
    hosted_world_publish(world);
}

static void sleep_until(dpl_ns monotonic_time)
{
    struct timespec at = {monotonic_time / DPL_S, monotonic_time % DPL_S};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
    }
}

/* After a stall (a suspended process) the world does not race to catch up: it skips ahead in its
 * stamps. */
#define STALL_MAX (500 * DPL_MS)

static struct dpl_run_thread *enter_run(const struct hosted_world *world)
{
    char name[64];
    if (!world->services) {
        return NULL;
    }
    snprintf(name, sizeof name, "world %.40s", world->model->name);
    return world->services->enter(world->services->run, name, world->model->step);
}

static void *follow_clock(void *argument)
{
    struct hosted_world *world = argument;
    dpl_ns step = world->model->step;
    dpl_ns epoch = world->real_epoch, due = dpl_monotonic_now();
    struct dpl_run_thread *self = enter_run(world);
    while (!atomic_load_explicit(&world->stop, memory_order_relaxed)) {
        dpl_ns now = dpl_monotonic_now() - epoch;
        if (self) {
            world->services->woke(self, now + epoch - due);
        }
        dpl_ns behind = now - (dpl_world_now(world->world) + world->offset);
        if (behind > STALL_MAX) {
            world->offset += behind;
        }
        /* whole steps that are over: nothing is ever stamped with a time that has not come */
        dpl_ns at = dpl_world_now(world->world) + world->offset;
        hosted_world_advance(world, at + (now - at) / step * step);
        due = epoch + dpl_world_now(world->world) + world->offset + step;
        sleep_until(due);
    }
    return NULL;
}

int hosted_world_start(struct hosted_world *world, dpl_ns real_epoch, struct dpl_diag *reterr)
{
    world->real_epoch = real_epoch;
    int err = pthread_create(&world->thread, NULL, follow_clock, world);
    if (err != 0) {
        return dpl_fail(reterr, -err, (struct dpl_place){.file = world->file},
                        "no thread for the world: %s", strerror(err));
    }
    world->running = true;
    return 0;
}

void hosted_world_stop(struct hosted_world *world)
{
    if (world->running) {
        atomic_store(&world->stop, 1);
        pthread_join(world->thread, NULL);
        world->running = false;
        atomic_store(&world->stop, 0);
    }
}
