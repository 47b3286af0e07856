/* SPDX-License-Identifier: Apache-2.0 */
/* doppel world ADDRESS get|put: a link of a user at a console. */
#include "world_values.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/sim/host.h>
#include <doppel/system_clock.h>
#include <doppel/text.h>

#include "commands.h"

#define ANSWER_WAIT_MS 2000
#define TURN_MS        10
#define WATCH_MS       100 /* a person reads no faster */

/* A link, and the worlds that it belongs to. */
struct user {
    const char *address;
    struct dpl_sim_host *worlds;
    struct dpl_link *link;
};

static int user_open(struct user *user, const char *address, bool look, struct dpl_diag *reterr)
{
    struct dpl_link_config config = {.world = address, .look = look};
    user->address = address;
    user->worlds = dpl_sim_host_create(&(struct dpl_sim_host_options){0});
    if (!user->worlds) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    struct dpl_world_host host = dpl_sim_host_interface(user->worlds);
    int err = host.ops->open_link(host.self, &config, NULL, &user->link, reterr);
    return err < 0 ? err : host.ops->start(host.self, dpl_monotonic_now(), reterr);
}

static void user_close(struct user *user)
{
    dpl_link_close(user->link);
    dpl_sim_host_destroy(user->worlds);
}

static int find(const struct user *user, const char *path, bool put,
                struct dpl_channel *ret_channel, struct dpl_diag *reterr)
{
    struct dpl_channel_want want = {.path = path, .put = put};
    int err = -EAGAIN;
    for (int ms = 0; ms < ANSWER_WAIT_MS && err == -EAGAIN; ms += TURN_MS) {
        err = dpl_link_find(user->link, &want, ret_channel, reterr);
        if (err == -EAGAIN) {
            poll(NULL, 0, TURN_MS);
        }
    }
    return err != -EAGAIN ? err
                          : dpl_fail(reterr, -ETIMEDOUT, want.place,
                                     "the world at %s does not answer", user->address);
}

/* The program that owns the inputs; the world's advice after it is for drivers. */
static int say_owner(char *why, struct dpl_diag *reterr)
{
    char *advice = strstr(why, "; property TakeOver");
    if (advice) {
        *advice = '\0';
    }
    return dpl_fail(reterr, -EBUSY, (struct dpl_place){0}, "%s", why);
}

/* 0: the link is alive. */
static int say_loss(const struct user *user, struct dpl_diag *reterr)
{
    char why[200];
    int loss = dpl_sim_link_loss(user->link, why, sizeof why);
    if (loss == 0) {
        return 0;
    }
    return loss == -EBUSY
               ? say_owner(why, reterr)
               : dpl_fail(reterr, loss, (struct dpl_place){0}, "the world was lost: %s", why);
}

/* ---- get ---- */

/* What the world says may be anything. */
static void print_text(const char *before, const char *text)
{
    char clean[DPL_TEXT_CLEAN_SIZE(DPL_CHANNEL_TEXT_MAX)];
    dpl_text_clean(text, clean, sizeof clean);
    printf("%s%s", before, clean);
}

static void print_value(const struct dpl_channel_desc *desc, const void *value)
{
    print_text("", desc->path);
    for (uint32_t i = 0; i < desc->size; i++) {
        char text[DPL_CHANNEL_TEXT_MAX];
        desc->type->print(text, (const char *)value + i * desc->type->element_size);
        print_text(" ", text);
    }
    print_text(desc->unit[0] ? " " : "", desc->unit);
    putchar('\n');
}

static void print_not_put(const struct dpl_channel_desc *input)
{
    print_text("", input->path);
    puts(" not put");
}

/* The newest value, when its first frame has come. An input that nobody puts has none. */
static int get_one(const struct user *user, struct dpl_channel channel, struct dpl_diag *reterr)
{
    void *value = calloc(1, dpl_channel_bytes(channel.desc) + 1);
    if (!value) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    int err = -EAGAIN;
    bool is_idle = false;
    for (int ms = 0; err == -EAGAIN && !is_idle && ms < ANSWER_WAIT_MS; ms += TURN_MS) {
        err = dpl_link_refresh(user->link, NULL);
        is_idle = err == 0 && dpl_channel_is_input(channel.desc->dir);
        err = err ? err : dpl_channel_get(channel, value, NULL);
        if (err == -EAGAIN && !is_idle) {
            poll(NULL, 0, TURN_MS);
        }
    }
    if (err == 0) {
        print_value(channel.desc, value);
    } else if (is_idle) {
        print_not_put(channel.desc);
        err = 0;
    } else {
        err = dpl_fail(reterr, -ETIMEDOUT, (struct dpl_place){0}, "'%s' has no value",
                       channel.desc->path);
    }
    free(value);
    return err;
}

/* All are found before the first is read: so the world is asked once for them. */
static int get_all(const struct user *user, char **paths, struct dpl_channel *channels, int n,
                   struct dpl_diag *reterr)
{
    int err = 0;
    for (int i = 0; i < n && err == 0; i++) {
        err = find(user, paths[i], false, &channels[i], reterr);
    }
    for (int i = 0; i < n && err == 0; i++) {
        err = get_one(user, channels[i], reterr);
    }
    return err;
}

/* ---- get --watch ---- */

/* A channel, and what was printed of it last. */
struct watched {
    struct dpl_channel channel;
    void *value, *printed;
    int state; /* as dpl_channel_get: 0: `printed`; -EAGAIN: there was none; 1: nothing yet */
};

static volatile sig_atomic_t is_over;

static void on_signal(int number)
{
    (void)number;
    is_over = 1;
}

static void catch_signals(void)
{
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static void print_if_new(struct watched *watched)
{
    const struct dpl_channel_desc *desc = watched->channel.desc;
    int state = dpl_channel_get(watched->channel, watched->value, NULL);
    if (state == -EAGAIN &&
        (desc->type == &dpl_channel_block || !dpl_channel_is_input(desc->dir))) {
        return; /* a block comes once; an output has its first value still to come */
    }
    size_t n = dpl_channel_bytes(desc);
    if (state == watched->state &&
        (state < 0 || memcmp(watched->value, watched->printed, n) == 0)) {
        return;
    }
    watched->state = state;
    if (state == 0) {
        memcpy(watched->printed, watched->value, n);
        print_value(desc, watched->value);
    } else {
        print_not_put(desc);
    }
}

static int watch_all(const struct user *user, struct watched *all, int n, double seconds,
                     struct dpl_diag *reterr)
{
    int err = 0;
    catch_signals();
    for (double left = seconds; left > 0.0 && !is_over && err == 0; left -= 1e-3 * WATCH_MS) {
        bool has_frame = dpl_link_refresh(user->link, NULL) == 0;
        for (int i = 0; i < n && has_frame; i++) {
            print_if_new(&all[i]);
        }
        if (fflush(stdout) == EOF) {
            return dpl_fail(reterr, -EIO, (struct dpl_place){0}, "standard output: %s",
                            strerror(errno));
        }
        err = say_loss(user, reterr);
        poll(NULL, 0, WATCH_MS);
    }
    return err;
}

static int watch_paths(const struct user *user, char **paths, int n, double seconds,
                       struct dpl_diag *reterr)
{
    struct watched *all = calloc((size_t)n + 1, sizeof *all);
    int err = all ? 0 : -ENOMEM;
    for (int i = 0; i < n && err == 0; i++) {
        err = find(user, paths[i], false, &all[i].channel, reterr);
        size_t size = err == 0 ? dpl_channel_bytes(all[i].channel.desc) + 1 : 1;
        all[i] = (struct watched){all[i].channel, calloc(1, size), calloc(1, size), 1};
        err = err == 0 && (!all[i].value || !all[i].printed) ? -ENOMEM : err;
    }
    if (err == -ENOMEM) {
        dpl_fail(reterr, err, (struct dpl_place){0}, "out of memory");
    }
    err = err < 0 ? err : watch_all(user, all, n, seconds, reterr);
    for (int i = 0; all && i < n; i++) {
        free(all[i].value);
        free(all[i].printed);
    }
    free(all);
    return err;
}

/* ---- put ---- */

struct put {
    struct dpl_channel channel;
    void *value;
};

static int put_one(const struct user *user, char *text, struct put *put, struct dpl_diag *reterr)
{
    char *equals = strchr(text, '=');
    if (!equals) {
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "expected PATH=VALUE, found '%s'",
                        text);
    }
    *equals = '\0';
    int err = find(user, text, true, &put->channel, reterr);
    put->value = err == 0 ? calloc(1, dpl_channel_bytes(put->channel.desc) + 1) : NULL;
    if (err == 0 && !put->value) {
        err = dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    err = err ? err : dpl_channel_parse(put->channel.desc, equals + 1, put->value, reterr);
    if (err == 0 && dpl_channel_put(put->channel, put->value) < 0) {
        err = say_loss(user, reterr);
    }
    return err;
}

/* Puts again and again: somebody else may have had the part of the world a moment ago, and what
 * was put meanwhile is lost. What is done once for each value is put once. */
static void hold(const struct user *user, const struct put *puts, int n, double seconds)
{
    for (double left = seconds; left > 0.0; left -= 1e-3 * TURN_MS) {
        dpl_link_refresh(user->link, NULL);
        poll(NULL, 0, TURN_MS);
        for (int i = 0; i < n; i++) {
            if (puts[i].channel.desc->dir != DPL_CHANNEL_REQUEST) {
                (void)dpl_channel_put(puts[i].channel, puts[i].value);
            }
        }
    }
}

/* What came of a request; whether it was done cannot be seen otherwise. */
static int await_answer(const struct user *user, struct dpl_channel channel,
                        struct dpl_diag *reterr)
{
    int answer = dpl_channel_answer(channel);
    for (int ms = 0; ms < ANSWER_WAIT_MS && answer == -EINPROGRESS; ms += TURN_MS) {
        poll(NULL, 0, TURN_MS);
        dpl_link_refresh(user->link, NULL);
        answer = dpl_channel_answer(channel);
    }
    switch (answer) {
    case 0: return 0;
    case -EINPROGRESS:
        return dpl_fail(reterr, -ETIMEDOUT, (struct dpl_place){0},
                        "%s: no answer: does the world's time move?", channel.desc->path);
    case -EBUSY:
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                        "%s: the world refuses it now: something is in the way",
                        channel.desc->path);
    case -EINVAL:
        return dpl_fail(reterr, -EINVAL, (struct dpl_place){0}, "%s: the world refuses this value",
                        channel.desc->path);
    }
    int loss = say_loss(user, reterr);
    return loss < 0 ? loss
                    : dpl_fail(reterr, -EIO, (struct dpl_place){0},
                               "%s: the world was lost before it answered", channel.desc->path);
}

static int await_answers(const struct user *user, const struct put *puts, int n,
                         struct dpl_diag *reterr)
{
    int err = 0;
    for (int i = 0; i < n && err == 0; i++) {
        if (puts[i].channel.desc->dir == DPL_CHANNEL_REQUEST) {
            err = await_answer(user, puts[i].channel, reterr);
        }
    }
    return err;
}

static int finish(struct user *user, int err, const struct dpl_diag *error)
{
    user_close(user);
    if (err < 0) {
        fprintf(stderr, "doppel world: %s\n", error->text);
    }
    return err == 0                           ? DPL_EXIT_DONE
           : err == -ENOENT || err == -EINVAL ? DPL_EXIT_BAD_INPUT
                                              : DPL_EXIT_FAULT;
}

int world_get(const char *address, char **paths, int n)
{
    struct user user = {0};
    struct dpl_diag error = {0};
    struct dpl_channel *channels = calloc((size_t)n + 1, sizeof *channels);
    int err = channels ? user_open(&user, address, true, &error)
                       : dpl_fail(&error, -ENOMEM, (struct dpl_place){0}, "out of memory");
    err = err < 0 ? err : get_all(&user, paths, channels, n, &error);
    free(channels);
    return finish(&user, err, &error);
}

static int put_all(struct user *user, char **texts, struct put *puts, int n,
                   struct dpl_diag *reterr)
{
    int err = 0;
    for (int i = 0; i < n && err == 0; i++) {
        err = put_one(user, texts[i], &puts[i], reterr);
    }
    return err;
}

int world_watch(const char *address, char **paths, int n, double seconds)
{
    struct user user = {0};
    struct dpl_diag error = {0};
    int err = user_open(&user, address, true, &error);
    err = err < 0
              ? err
              : watch_paths(&user, paths, n, seconds > 0.0 ? seconds : (double)INFINITY, &error);
    return finish(&user, err, &error);
}

int world_put(const char *address, char **texts, int n, double hold_s)
{
    struct user user = {0};
    struct dpl_diag error = {0};
    struct put *puts = calloc((size_t)n + 1, sizeof *puts);
    int err = puts ? user_open(&user, address, false, &error)
                   : dpl_fail(&error, -ENOMEM, (struct dpl_place){0}, "out of memory");
    err = err < 0 ? err : put_all(&user, texts, puts, n, &error);
    if (err == 0) {
        hold(&user, puts, n, hold_s);
        err = say_loss(&user, &error);
        err = err < 0 ? err : await_answers(&user, puts, n, &error);
    }
    for (int i = 0; puts && i < n; i++) {
        free(puts[i].value);
    }
    free(puts);
    return finish(&user, err, &error);
}
