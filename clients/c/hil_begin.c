/* SPDX-License-Identifier: Apache-2.0 */
/* The C client: connecting, greeting, channels. */
#include "hil_client.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- connecting ---- */

static int connect_to(struct doppel_hil *hil, const struct addrinfo *address)
{
    hil->fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (hil->fd < 0) {
        return -1;
    }
    int err = connect(hil->fd, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
    if (err == EINPROGRESS && hil_wait_for(hil, POLLOUT, HIL_PATIENCE_MS) > 0) {
        socklen_t size = sizeof err;
        getsockopt(hil->fd, SOL_SOCKET, SO_ERROR, &err, &size);
    }
    if (err != 0) {
        close(hil->fd);
        hil->fd = -1;
        errno = err;
        return -1;
    }
    int on = 1;
    setsockopt(hil->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return 0;
}

static int find_and_connect(struct doppel_hil *hil)
{
    char service[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    snprintf(service, sizeof service, "%u", hil->port);
    int err = getaddrinfo(hil->host, service, &hints, &found);
    if (err != 0) {
        return hil_fail_with(hil, DOPPEL_HIL_SYSTEM, "%s: %s", hil->host, gai_strerror(err));
    }
    for (const struct addrinfo *at = found; at && hil->fd < 0; at = at->ai_next) {
        connect_to(hil, at);
    }
    err = errno;
    freeaddrinfo(found);
    return hil->fd >= 0 ? 0
                        : hil_fail_with(hil, DOPPEL_HIL_SYSTEM, "no world at %s:%u: %s", hil->host,
                                        hil->port, strerror(err));
}

static int say_hello(struct doppel_hil *hil)
{
    size_t length = strlen(hil->name), size = HIL_HELLO_NAME + length;
    uint8_t *out = hil->out;
    memset(out, 0, HIL_HELLO_NAME);
    hil_put_head(out, size, HIL_HELLO);
    memcpy(out + HIL_HEAD, HIL_MAGIC, 8);
    hil_put(out + HIL_HELLO_VERSION, HIL_VERSION, 2);
    hil_put(out + HIL_HELLO_MODE, hil->lock_step ? HIL_LOCK_STEP : HIL_FREE_RUNNING, 2);
    hil_put(out + HIL_HELLO_EVERY, hil->every, 4);
    hil_put(out + HIL_HELLO_TIMEOUT, (uint64_t)hil->timeout_ms * 1000, 4);
    hil_put(out + HIL_HELLO_NAME_LENGTH, length, 2);
    memcpy(out + HIL_HELLO_NAME, hil->name, length);
    return hil_send_all(hil, out, size);
}

struct doppel_hil *doppel_hil_connect(const struct doppel_hil_options *options)
{
    struct doppel_hil *hil = calloc(1, sizeof *hil);
    if (!hil) {
        return NULL;
    }
    hil->fd = -1;
    hil->port = options->port;
    hil->lock_step = options->lock_step;
    hil->every = options->every ? options->every : 1;
    hil->timeout_ms = options->timeout_ms ? options->timeout_ms : 100;
    snprintf(hil->host, sizeof hil->host, "%s", options->host ? options->host : "127.0.0.1");
    const char *name = options->name ? options->name : "controller";
    size_t length = strlen(name);
    if (length < 1 || length > HIL_NAME_MAX || hil->timeout_ms > HIL_TIMEOUT_MAX_US / 1000 ||
        hil->every > HIL_EVERY_MAX) {
        hil_fail_with(
            hil, DOPPEL_HIL_MISUSE,
            "a name of 1 to %d bytes, a time-out of 1 to %d ms, a frame every 1 to %d steps",
            HIL_NAME_MAX, HIL_TIMEOUT_MAX_US / 1000, HIL_EVERY_MAX);
        return hil;
    }
    memcpy(hil->name, name, length);
    if (find_and_connect(hil) == 0) {
        say_hello(hil);
    }
    return hil;
}

void doppel_hil_close(struct doppel_hil *hil)
{
    uint8_t bye[HIL_HEAD];
    if (!hil) {
        return;
    }
    if (hil->fd >= 0) {
        hil_put_head(bye, sizeof bye, HIL_BYE);
        if (hil->begun && hil->code == 0) {
            hil_send_all(hil, bye, sizeof bye);
        }
        close(hil->fd);
    }
    free(hil);
}

/* ---- channels ---- */

static int add(struct doppel_hil *hil, struct hil_channels *channels, const char *path,
               const char *unit)
{
    unit = unit ? unit : "";
    if (hil->code != 0) {
        return -1;
    }
    if (hil->begun || channels->n == HIL_CHANNELS_MAX || path[0] == '\0' ||
        strlen(path) > HIL_PATH_MAX || strlen(unit) > HIL_UNIT_MAX) {
        return hil_fail_with(
            hil, DOPPEL_HIL_MISUSE,
            "channel '%s': asked for after begin, or more than %d, or a path or unit that "
            "is empty or too long",
            path, HIL_CHANNELS_MAX);
    }
    struct hil_channel *channel = &channels->list[channels->n];
    snprintf(channel->path, sizeof channel->path, "%s", path);
    snprintf(channel->wanted, sizeof channel->wanted, "%s", unit);
    return channels->n++;
}

int doppel_hil_sensor(struct doppel_hil *hil, const char *path, const char *unit)
{
    return add(hil, &hil->sensors, path, unit);
}

int doppel_hil_command(struct doppel_hil *hil, const char *path, const char *unit)
{
    return add(hil, &hil->commands, path, unit);
}

/* The place after the texts of the channels, or 0: they do not fit. */
static size_t write_wants(uint8_t *out, size_t at, const struct hil_channels *channels)
{
    for (int i = 0; i < channels->n && at > 0; i++) {
        const struct hil_channel *channel = &channels->list[i];
        size_t path = strlen(channel->path), unit = strlen(channel->wanted);
        if (at + HIL_CHANNEL_HEAD + path + unit > HIL_MESSAGE_MAX) {
            return 0;
        }
        hil_put(out + at, path, 2);
        hil_put(out + at + 2, unit, 2);
        memcpy(out + at + HIL_CHANNEL_HEAD, channel->path, path);
        memcpy(out + at + HIL_CHANNEL_HEAD + path, channel->wanted, unit);
        at += HIL_CHANNEL_HEAD + path + unit;
    }
    return at;
}

static int ask_for_channels(struct doppel_hil *hil)
{
    uint8_t *out = hil->out;
    hil_put(out + HIL_CHANNELS_SENSORS, (uint64_t)hil->sensors.n, 2);
    hil_put(out + HIL_CHANNELS_COMMANDS, (uint64_t)hil->commands.n, 2);
    hil_put(out + HIL_CHANNELS_ZERO, 0, 4);
    size_t at = write_wants(out, HIL_CHANNELS_FIRST, &hil->sensors);
    at = at > 0 ? write_wants(out, at, &hil->commands) : 0;
    if (at == 0) {
        return hil_fail_with(hil, DOPPEL_HIL_MISUSE,
                             "the paths of all channels have more than %d bytes", HIL_MESSAGE_MAX);
    }
    hil_put_head(out, at, HIL_CHANNELS);
    return hil_send_all(hil, out, at);
}

static int64_t await_kind(struct doppel_hil *hil, enum hil_kind kind)
{
    int64_t size = hil_await_message(hil, HIL_PATIENCE_MS);
    if (size == 0) {
        return hil_fail_with(hil, DOPPEL_HIL_SYSTEM, "the world at %s:%u does not answer",
                             hil->host, hil->port);
    }
    if (size > 0 && hil_u16(hil->in + 4) != kind) {
        return hil_fail_with(hil, DOPPEL_HIL_GARBAGE, "message %u came in place of %d",
                             (unsigned)hil_u16(hil->in + 4), (int)kind);
    }
    return size;
}

static int take_welcome(struct doppel_hil *hil)
{
    int64_t size = await_kind(hil, HIL_WELCOME);
    if (size < 0) {
        return -1;
    }
    size_t length = size >= HIL_WELCOME_NAME ? hil_u16(hil->in + HIL_WELCOME_NAME_LENGTH) : 0;
    if (size < HIL_WELCOME_NAME || length > HIL_PATH_MAX ||
        (size_t)size != HIL_WELCOME_NAME + length) {
        return hil_fail_with(hil, DOPPEL_HIL_GARBAGE, "the world sends a WELCOME of a wrong size");
    }
    hil->step_ns = hil_u64(hil->in + HIL_WELCOME_STEP);
    memcpy(hil->world, hil->in + HIL_WELCOME_NAME, length);
    hil_used(hil, (size_t)size);
    return 0;
}

/* The place after the descriptions, or 0: they are cut short. */
static size_t read_resolved(struct hil_channels *channels, const uint8_t *bytes, size_t at,
                            size_t size)
{
    for (int i = 0; i < channels->n && at > 0; i++) {
        struct hil_channel *channel = &channels->list[i];
        const uint8_t *from = bytes + at;
        size_t unit = size - at >= HIL_RESOLVED_HEAD ? hil_u16(from + HIL_RESOLVED_UNIT) : SIZE_MAX;
        if (unit > HIL_UNIT_MAX || size - at < HIL_RESOLVED_HEAD + unit) {
            return 0;
        }
        channel->type = hil_u16(from + HIL_RESOLVED_TYPE);
        channel->size = hil_u32(from + HIL_RESOLVED_ELEMENTS);
        channel->min = hil_f64(from + HIL_RESOLVED_MIN);
        channel->max = hil_f64(from + HIL_RESOLVED_MAX);
        memcpy(channel->unit, from + HIL_RESOLVED_HEAD, unit);
        channel->at = channels->n_cells;
        channels->n_cells += channel->size;
        at = channels->n_cells <= HIL_CELLS_MAX ? at + HIL_RESOLVED_HEAD + unit : 0;
    }
    return at;
}

static int take_resolved(struct doppel_hil *hil)
{
    int64_t size = await_kind(hil, HIL_RESOLVED);
    if (size < 0) {
        return -1;
    }
    size_t at = size >= HIL_CHANNELS_FIRST
                    ? read_resolved(&hil->sensors, hil->in, HIL_CHANNELS_FIRST, (size_t)size)
                    : 0;
    at = at > 0 ? read_resolved(&hil->commands, hil->in, at, (size_t)size) : 0;
    if (at != (size_t)size) {
        return hil_fail_with(hil, DOPPEL_HIL_GARBAGE, "the world sends a RESOLVED of a wrong size");
    }
    hil_used(hil, (size_t)size);
    return 0;
}

int doppel_hil_begin(struct doppel_hil *hil)
{
    if (hil->code == 0 && hil->begun) {
        return hil_fail_with(hil, DOPPEL_HIL_MISUSE, "doppel_hil_begin is called twice");
    }
    if (hil->code != 0 || ask_for_channels(hil) < 0 || take_welcome(hil) < 0 ||
        take_resolved(hil) < 0) {
        return -1;
    }
    size_t size = HIL_COMMAND_CELLS + 8 * hil->commands.n_cells;
    memset(hil->out, 0, size);
    hil_put_head(hil->out, size, HIL_COMMAND);
    hil->begun = 1;
    return 0;
}
