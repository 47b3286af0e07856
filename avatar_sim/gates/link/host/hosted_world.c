/* SPDX-License-Identifier: Apache-2.0 */
/* A world with links: making it, stepping it, following the real clock. */
#include "hosted_world.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doppel/sim/devices.h>

#include "hosted_link.h"
#include "world_scene.h"

/* Of the world's time: a world that catches up exchanges values with its links as often. */
#define TURN_MAX (20 * DPL_MS)

/* ---- making ---- */

/* The clock of a world that follows the real one. */
static dpl_ns real_time(void *user)
{
    struct hosted_world *world = user;
    return dpl_monotonic_now() - atomic_load_explicit(&world->real_epoch, memory_order_relaxed);
}

static void put_links_right(void *user)
{
    struct hosted_world *world = user;
    world->jumps++;
    dpl_world_channels_restored(world->channels);
    for (struct hosted_link *link = world->links; link; link = link->next) {
        hosted_link_put_again(link);
    }
    for (size_t i = 0; i < world->n_attendants; i++) {
        const struct hosted_attendant *attendant = &world->attendants[i];
        if (attendant->jumped) {
            attendant->jumped(attendant->user);
        }
    }
}

static void end_boundary(void *user)
{
    const struct hosted_world *world = user;
    for (size_t i = 0; i < world->n_attendants; i++) {
        world->attendants[i].boundary(world->attendants[i].user);
    }
}

/* All are asked: each has its own patience. */
static bool is_held(void *user)
{
    const struct hosted_world *world = user;
    bool held = false;
    for (size_t i = 0; i < world->n_attendants; i++) {
        const struct hosted_attendant *attendant = &world->attendants[i];
        held |= attendant->holds && attendant->holds(attendant->user);
    }
    return held;
}

void hosted_world_attend(struct hosted_world *world, const struct hosted_attendant *attendant)
{
    assert(world->n_attendants < HOSTED_ATTENDANTS_MAX);
    world->attendants[world->n_attendants++] = *attendant;
}

void hosted_world_leave(struct hosted_world *world, const void *user)
{
    size_t n = 0;
    for (size_t i = 0; i < world->n_attendants; i++) {
        if (world->attendants[i].user != user) {
            world->attendants[n++] = world->attendants[i];
        }
    }
    world->n_attendants = n;
}

static int make_loop(struct hosted_world *world)
{
    struct dpl_sim_loop_options options = {
        .world = world->world,
        .channels = world->channels,
        .now = real_time,
        .now_user = world,
        .boundary = end_boundary,
        .boundary_user = world,
        .holds = is_held,
        .holds_user = world,
        .jumped = put_links_right,
        .jumped_user = world,
    };
    return dpl_sim_loop_create(&options, &world->loop);
}

int hosted_world_create(const char *file, const struct dpl_sim_load_options *options,
                        struct hosted_world **ret_world, struct dpl_diag *reterr)
{
    struct hosted_world *world = calloc(1, sizeof *world);
    if (!world) {
        return -ENOMEM;
    }
    world->file = strdup(file);
    int err = world->file ? dpl_sim_load_world_with(file, options, &world->model, reterr) : -ENOMEM;
    if (err == 0) {
        err = dpl_world_create(world->model, &world->world, reterr);
    }
    err = err < 0 ? err : dpl_world_channels_create(world->world, &world->channels);
    err = err < 0 ? err : make_loop(world);
    err = err < 0 ? err : hosted_world_make_parts(world);
    if (err < 0) {
        hosted_world_destroy(world);
        return err;
    }
    *ret_world = world;
    return 0;
}

static void free_links(struct hosted_link *link)
{
    while (link) {
        struct hosted_link *next = link->next;
        hosted_link_destroy(link);
        link = next;
    }
}

void hosted_world_destroy(struct hosted_world *world)
{
    if (!world) {
        return;
    }
    hosted_world_stop(world);
    hosted_world_end_aheads(world);
    free_links(world->links);
    free_links(atomic_load(&world->joining));
    free_links(atomic_load(&world->retired));
    hosted_hands_finish(world);
    hosted_world_free_parts(world);
    world_scene_destroy(world->scene);
    dpl_sim_loop_destroy(world->loop);
    dpl_world_channels_destroy(world->channels);
    dpl_world_destroy(world->world);
    dpl_sim_model_destroy(world->model);
    free(world->file);
    free(world);
}

static void push(_Atomic(struct hosted_link *) *list, struct hosted_link *link)
{
    link->next = atomic_load_explicit(list, memory_order_relaxed);
    /* release: who takes the list sees what is in the link */
    while (!atomic_compare_exchange_weak_explicit(list, &link->next, link, memory_order_release,
                                                  memory_order_relaxed)) {
    }
}

void hosted_link_join(struct hosted_link *link)
{
    push(&link->owner->joining, link);
}

void hosted_world_sweep(struct hosted_world *world)
{
    free_links(atomic_exchange_explicit(&world->retired, NULL, memory_order_acquire));
}

void hosted_world_take_joining(struct hosted_world *world)
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

/* Takes what one link has put, and lets go of it when it is closed. */
static void take_link(struct hosted_world *world, struct hosted_link **at)
{
    struct hosted_link *link = *at;
    /* acquire, and read first: what was put before the link was closed is still taken */
    bool closed = atomic_load_explicit(&link->closed, memory_order_acquire);
    hosted_link_take(link);
    if (closed) {
        hosted_link_let_go(link);
        *at = link->next;
        push(&world->retired, link);
    }
}

/* Links that let go come first: what they release may be another one's from this step on. */
static void take_all(struct hosted_world *world)
{
    hosted_world_take_joining(world);
    for (int pass = 0; pass < 2; pass++) {
        for (struct hosted_link **at = &world->links; *at;) {
            struct hosted_link *link = *at;
            if (pass > 0 || hosted_link_is_leaving(link)) {
                take_link(world, at);
            }
            at = *at == link ? &link->next : at;
        }
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
    hosted_world_take_joining(world);
    for (struct hosted_link *link = world->links; link; link = link->next) {
        hosted_link_give(link);
    }
    count_contacts(world);
}

dpl_ns hosted_world_silence(const struct hosted_world *world, dpl_ns of_input, dpl_ns of_link)
{
    dpl_ns now = dpl_world_now(world->world), due = world->due > now ? world->due : now;
    dpl_ns first = of_input > 0 ? now + of_input : INT64_MAX;
    dpl_ns second = of_link > 0 ? due + of_link : INT64_MAX;
    return first < second ? first : second;
}

/* When the first input falls silent, `end` at the latest. */
static dpl_ns next_silence(const struct hosted_world *world, dpl_ns end)
{
    for (const struct hosted_link *link = world->links; link; link = link->next) {
        end = hosted_link_next_silence(link, end);
    }
    return end;
}

static void note_fault(struct hosted_world *world)
{
    if (atomic_load_explicit(&world->fault, memory_order_relaxed) == 0 &&
        dpl_sim_loop_fault(world->loop, &world->why) < 0) {
        /* release: who sees the fault sees its reason */
        atomic_store_explicit(&world->fault, -ERANGE, memory_order_release);
    }
}

int hosted_world_fault(const struct hosted_world *world, struct dpl_diag *reterr)
{
    int fault = atomic_load_explicit(&world->fault, memory_order_acquire);
    return fault < 0 ? dpl_fail(reterr, fault, (struct dpl_place){0}, "world '%s': %s",
                                world->model->name, world->why.text)
                     : 0;
}

/* Takes what links have put, and steps to `end` of the world's time, unless a control stops it. A
 * world that catches up with the clock in one go still releases silent inputs in time. */
static void step_until(struct hosted_world *world, dpl_ns end)
{
    bool moves = true;
    do {
        take_all(world);
        moves = dpl_sim_loop_run_until(world->loop, next_silence(world, end));
    } while (moves && dpl_world_now(world->world) < end);
    note_fault(world);
}

void hosted_world_advance(struct hosted_world *world, dpl_ns to)
{
    world->moves = true;
    world->due = to - world->offset;
    step_until(world, world->due);
    while (dpl_sim_loop_is_held(world->loop)) {
        hosted_world_publish(world);
        step_until(world, world->due);
    }
    hosted_world_publish(world);
}

static void sleep_until(dpl_ns monotonic_time)
{
    struct timespec at = {monotonic_time / DPL_S, monotonic_time % DPL_S};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR) {
    }
}

static struct dpl_run_thread *enter_run(const struct hosted_world *world)
{
    char name[64];
    if (!world->services) {
        return NULL;
    }
    snprintf(name, sizeof name, "world %.40s", world->model->name);
    return world->services->enter(world->services->run, name, world->model->step);
}

/* Nothing is ever stamped with a time that has not come. A world that is behind, as one that is
 * slower than the clock always is, does not let its links wait until it has caught up. */
static void take_turn(struct hosted_world *world)
{
    dpl_ns end;
    world->due = dpl_sim_loop_due(world->loop, real_time(world));
    do {
        dpl_ns most = dpl_world_now(world->world) + TURN_MAX;
        end = most < world->due ? most : world->due;
        step_until(world, end);
        world->offset =
            dpl_sim_loop_stamp(world->loop, real_time(world)) - dpl_world_now(world->world);
        hosted_world_publish(world);
    } while (end < world->due && dpl_world_now(world->world) >= end);
    hosted_world_publish_status(world);
}

static void end_run(const struct hosted_world *world)
{
    if (world->services) {
        world->services->end(world->services->run);
    }
}

static void *follow_clock(void *argument)
{
    struct hosted_world *world = argument;
    dpl_ns epoch = world->real_epoch, due = dpl_monotonic_now();
    struct dpl_run_thread *self = enter_run(world);
    dpl_sim_loop_begin(world->loop, dpl_world_now(world->world) + world->offset);
    while (!atomic_load_explicit(&world->stop, memory_order_relaxed)) {
        if (self) {
            world->services->woke(self, dpl_monotonic_now() - due);
        }
        take_turn(world);
        if (hosted_world_fault(world, NULL) < 0) {
            end_run(world);
            break;
        }
        due = epoch + dpl_sim_loop_wake(world->loop, real_time(world));
        sleep_until(due);
    }
    return NULL;
}

int hosted_world_start(struct hosted_world *world, dpl_ns real_epoch, struct dpl_diag *reterr)
{
    world->real_epoch = real_epoch;
    world->moves = true;
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
