/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that talks with a served world: what is due when, and noticing that it is gone. */
#include "remote_world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "zeromq.h"

void remote_world_wake(struct remote_world *world)
{
    uint64_t one = 1;
    ssize_t n = write(world->wake, &one, sizeof one);
    (void)n; /* fails only when 2^64 - 1 wakes are pending: it is awake */
}

static void read_frames(struct remote_world *world)
{
    for (;;) {
        zmq_msg_t frame;
        link_zeromq->msg_init(&frame);
        int size = link_zeromq->msg_recv(&frame, world->client.socket, ZMQ_DONTWAIT);
        if (size >= 0 && !link_zeromq->msg_more(&frame)) {
            remote_handle(world, link_zeromq->msg_data(&frame), (size_t)size, dpl_monotonic_now());
        }
        link_zeromq->msg_close(&frame);
        if (size < 0) {
            return;
        }
    }
}

static void do_what_is_due(struct remote_world *world)
{
    dpl_ns now = dpl_monotonic_now();
    dpl_ns patience = world->grants ? world->patience : REMOTE_SILENCE;
    if (now - world->last_heard > patience) {
        remote_world_lose(world, world->refusal[0] ? world->refusal : "no world answers");
    }
    if (!world->welcomed) {
        if (now >= world->next_hello) {
            world->next_hello = now + REMOTE_BEAT;
            remote_say_hello(world);
        }
        return;
    }
    if (now >= world->next_ping) {
        world->next_ping = now + (world->clock.known ? REMOTE_BEAT : REMOTE_FIRST_BEAT);
        link_client_say_ping(&world->client, now);
    }
    if (world->incoming) {
        if (now >= world->next_page) {
            world->next_page = now + REMOTE_BEAT;
            remote_say_list(world);
        }
        return;
    }
    remote_map_links(world);
    remote_say_subscriptions(world, now);
    if (world->grant_due || !world->lockstep) {
        remote_say_commands(world, now, world->grant_due);
        world->grant_due = false;
    }
}

/* The world frees what they hold; then they may go. */
static void let_links_go(struct remote_world *world)
{
    bool any = false;
    for (struct remote_link *link = world->links; link; link = link->next) {
        if (link->closing) {
            remote_say_nothing_more(link);
            link->closing = false;
            any = true;
        }
    }
    if (any) {
        pthread_cond_broadcast(&world->changed);
    }
}

static void wait_for_work(struct remote_world *world)
{
    zmq_pollitem_t items[] = {
        {.socket = world->client.socket, .events = ZMQ_POLLIN},
        {.fd = world->wake, .events = ZMQ_POLLIN},
    };
    link_zeromq->poll(items, 2, (long)(REMOTE_TICK / DPL_MS));
    if (items[1].revents) {
        uint64_t count;
        ssize_t n = read(world->wake, &count, sizeof count);
        (void)n; /* only to empty it */
    }
}

/* With the lock. In real time only: in lock-step nothing is late. */
static void be_a_thread_of_the_run(struct remote_world *world, dpl_ns waited)
{
    if (!world->services || world->real_epoch == 0) {
        return;
    }
    if (!world->entered) {
        char name[64];
        snprintf(name, sizeof name, "link %.40s", world->address);
        world->entered = true;
        world->self = world->services->enter(world->services->run, name, REMOTE_TICK);
    }
    world->services->woke(world->self, waited - REMOTE_TICK);
}

static void *talk(void *argument)
{
    struct remote_world *world = argument;
    while (!atomic_load(&world->stop)) {
        dpl_ns before = dpl_monotonic_now();
        wait_for_work(world);
        dpl_ns waited = dpl_monotonic_now() - before;
        pthread_mutex_lock(&world->lock);
        be_a_thread_of_the_run(world, waited);
        read_frames(world);
        do_what_is_due(world);
        let_links_go(world);
        pthread_mutex_unlock(&world->lock);
    }
    pthread_mutex_lock(&world->lock);
    link_client_say_bye(&world->client);
    pthread_mutex_unlock(&world->lock);
    return NULL;
}

static void init_sync(struct remote_world *world)
{
    pthread_mutex_init(&world->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&world->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

int remote_world_start(struct remote_world *world)
{
    init_sync(world);
    world->last_heard = dpl_monotonic_now();
    world->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    world->commands = remote_commands_create();
    if (!world->commands) {
        return -ENOMEM;
    }
    if (world->wake < 0) {
        return -errno;
    }
    int err = link_client_open(&world->client, world->address);
    if (err == 0) {
        err = -pthread_create(&world->thread, NULL, talk, world);
        world->running = err == 0;
    }
    return err;
}

void remote_world_destroy(struct remote_world *world)
{
    if (world->running) {
        atomic_store(&world->stop, true);
        remote_world_wake(world);
        pthread_join(world->thread, NULL);
    }
    link_client_close(&world->client);
    if (world->wake >= 0) {
        close(world->wake);
    }
    while (world->links) {
        struct remote_link *link = world->links;
        world->links = link->next;
        remote_link_destroy(link);
    }
    remote_list_destroy(world->incoming);
    while (world->list) {
        struct remote_list *list = world->list;
        world->list = list->next;
        remote_list_destroy(list);
    }
    pthread_cond_destroy(&world->changed);
    pthread_mutex_destroy(&world->lock);
    free(world->commands);
    free(world);
}
