/* SPDX-License-Identifier: Apache-2.0 */
/* The C client of docs/controllers.md. */
#include "doppel_hil.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "doppel_hil_wire.h"

#define PATIENCE_MS 5000

struct channel {
    char path[HIL_PATH_MAX + 1];
    char wanted[HIL_UNIT_MAX + 1];
    char unit[HIL_UNIT_MAX + 1];
    unsigned type;
    size_t size, at; /* at: of its first cell, in cells */
    double min, max;
};

struct channels {
    struct channel list[HIL_CHANNELS_MAX];
    int n;
    size_t n_cells;
};

struct doppel_hil {
    int fd; /* -1: not connected */
    int code;
    char error[HIL_ERROR_TEXT_MAX + 1];
    char host[256], name[HIL_NAME_MAX + 1], world[HIL_PATH_MAX + 1];
    uint16_t port;
    int lock_step;
    uint32_t every, timeout_ms;
    uint64_t step_ns;
    int begun;
    struct channels sensors, commands;
    uint8_t in[2 * HIL_MESSAGE_MAX];
    size_t n_in;
    uint8_t frame[HIL_MESSAGE_MAX]; /* the newest SENSORS */
    int has_frame;
    uint8_t out[HIL_MESSAGE_MAX];
};

static int fail(struct doppel_hil *hil, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Keeps the first error. */
static int fail(struct doppel_hil *hil, int code, const char *format, ...)
{
    if (hil->code == 0) {
        hil->code = code;
        va_list args;
        va_start(args, format);
        vsnprintf(hil->error, sizeof hil->error, format, args);
        va_end(args);
    }
    return -1;
}

/* ---- bytes ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* 1: ready; 0: not within ms; -1. */
static int wait_for(struct doppel_hil *hil, short events, int ms)
{
    struct pollfd file = {.fd = hil->fd, .events = events};
    int64_t end = now_ms() + ms;
    for (;;) {
        int n = poll(&file, 1, ms);
        if (n >= 0) {
            return n;
        }
        if (errno != EINTR) {
            return fail(hil, DOPPEL_HIL_SYSTEM, "poll: %s", strerror(errno));
        }
        int64_t left = end - now_ms();
        ms = ms < 0 ? ms : left > 0 ? (int)left : 0;
    }
}

static int take_error(struct doppel_hil *hil, const uint8_t *message, size_t size)
{
    if (size < HIL_ERROR_TEXT ||
        size != HIL_ERROR_TEXT + (size_t)hil_u16(message + HIL_ERROR_LENGTH)) {
        return fail(hil, DOPPEL_HIL_GARBAGE, "the world sends an ERROR of a wrong size");
    }
    return fail(hil, hil_u16(message + HIL_ERROR_CODE), "%.*s", (int)(size - HIL_ERROR_TEXT),
                (const char *)message + HIL_ERROR_TEXT);
}

/* The size of the first message that has come as a whole; 0: none; -1: it is none, or an error of
 * the world. */
static int64_t whole_message(struct doppel_hil *hil)
{
    if (hil->n_in < HIL_HEAD) {
        return 0;
    }
    size_t size = hil_u32(hil->in);
    unsigned kind = hil_u16(hil->in + 4);
    if (size < HIL_HEAD || size > HIL_MESSAGE_MAX || kind < HIL_WELCOME || kind > HIL_ERROR) {
        return fail(hil, DOPPEL_HIL_GARBAGE,
                    "what answers there is no world, or of another version");
    }
    if (hil->n_in < size) {
        return 0;
    }
    return kind == HIL_ERROR ? take_error(hil, hil->in, size) : (int64_t)size;
}

static void used(struct doppel_hil *hil, size_t size)
{
    hil->n_in -= size;
    memmove(hil->in, hil->in + size, hil->n_in);
}

/* Reads what is there. 0 or -1. */
static int receive(struct doppel_hil *hil)
{
    ssize_t n = recv(hil->fd, hil->in + hil->n_in, sizeof hil->in - hil->n_in, MSG_DONTWAIT);
    if (n > 0) {
        hil->n_in += (size_t)n;
        return 0;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    return fail(hil, DOPPEL_HIL_SYSTEM, "the connection to the world is lost%s%s",
                n < 0 ? ": " : "", n < 0 ? strerror(errno) : "");
}

/* Waits for a whole message: its size; 0: not within ms; -1. */
static int64_t await_message(struct doppel_hil *hil, int ms)
{
    int64_t end = now_ms() + ms, size;
    while ((size = whole_message(hil)) == 0) {
        int ready = wait_for(hil, POLLIN, ms);
        if (ready <= 0) {
            return ready;
        }
        if (receive(hil) < 0) {
            return -1;
        }
        int64_t left = end - now_ms();
        ms = ms < 0 ? ms : left > 0 ? (int)left : 0;
    }
    return size;
}

/* What the world has said last, when it does not take anything any more. */
static int lost(struct doppel_hil *hil)
{
    int err = errno;
    while (recv(hil->fd, hil->in + hil->n_in, 1, MSG_DONTWAIT) > 0) {
        hil->n_in++;
        int64_t size = whole_message(hil);
        if (size < 0) {
            return -1;
        }
        used(hil, (size_t)size);
    }
    return fail(hil, DOPPEL_HIL_SYSTEM, "the connection to the world is lost: %s", strerror(err));
}

static int send_all(struct doppel_hil *hil, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = send(hil->fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && errno == EAGAIN) {
            int ready = wait_for(hil, POLLOUT, PATIENCE_MS);
            if (ready <= 0) {
                return fail(hil, DOPPEL_HIL_SYSTEM, "the world does not read");
            }
        } else if (n < 0 && errno != EINTR) {
            return lost(hil);
        }
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* ---- connecting ---- */

static int connect_to(struct doppel_hil *hil, const struct addrinfo *address)
{
    hil->fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (hil->fd < 0) {
        return -1;
    }
    int err = connect(hil->fd, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
    if (err == EINPROGRESS && wait_for(hil, POLLOUT, PATIENCE_MS) > 0) {
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
        return fail(hil, DOPPEL_HIL_SYSTEM, "%s: %s", hil->host, gai_strerror(err));
    }
    for (const struct addrinfo *at = found; at && hil->fd < 0; at = at->ai_next) {
        connect_to(hil, at);
    }
    err = errno;
    freeaddrinfo(found);
    return hil->fd >= 0 ? 0
                        : fail(hil, DOPPEL_HIL_SYSTEM, "no world at %s:%u: %s", hil->host,
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
    return send_all(hil, out, size);
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
        fail(hil, DOPPEL_HIL_MISUSE,
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
            send_all(hil, bye, sizeof bye);
        }
        close(hil->fd);
    }
    free(hil);
}

/* ---- channels ---- */

static int add(struct doppel_hil *hil, struct channels *channels, const char *path,
               const char *unit)
{
    unit = unit ? unit : "";
    if (hil->code != 0) {
        return -1;
    }
    if (hil->begun || channels->n == HIL_CHANNELS_MAX || path[0] == '\0' ||
        strlen(path) > HIL_PATH_MAX || strlen(unit) > HIL_UNIT_MAX) {
        return fail(hil, DOPPEL_HIL_MISUSE,
                    "channel '%s': asked for after begin, or more than %d, or a path or unit that "
                    "is empty or too long",
                    path, HIL_CHANNELS_MAX);
    }
    struct channel *channel = &channels->list[channels->n];
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
static size_t write_wants(uint8_t *out, size_t at, const struct channels *channels)
{
    for (int i = 0; i < channels->n && at > 0; i++) {
        const struct channel *channel = &channels->list[i];
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
        return fail(hil, DOPPEL_HIL_MISUSE, "the paths of all channels have more than %d bytes",
                    HIL_MESSAGE_MAX);
    }
    hil_put_head(out, at, HIL_CHANNELS);
    return send_all(hil, out, at);
}

static int64_t await_kind(struct doppel_hil *hil, enum hil_kind kind)
{
    int64_t size = await_message(hil, PATIENCE_MS);
    if (size == 0) {
        return fail(hil, DOPPEL_HIL_SYSTEM, "the world at %s:%u does not answer", hil->host,
                    hil->port);
    }
    if (size > 0 && hil_u16(hil->in + 4) != kind) {
        return fail(hil, DOPPEL_HIL_GARBAGE, "message %u came in place of %d",
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
        return fail(hil, DOPPEL_HIL_GARBAGE, "the world sends a WELCOME of a wrong size");
    }
    hil->step_ns = hil_u64(hil->in + HIL_WELCOME_STEP);
    memcpy(hil->world, hil->in + HIL_WELCOME_NAME, length);
    used(hil, (size_t)size);
    return 0;
}

/* The place after the descriptions, or 0: they are cut short. */
static size_t read_resolved(struct channels *channels, const uint8_t *bytes, size_t at, size_t size)
{
    for (int i = 0; i < channels->n && at > 0; i++) {
        struct channel *channel = &channels->list[i];
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
        return fail(hil, DOPPEL_HIL_GARBAGE, "the world sends a RESOLVED of a wrong size");
    }
    used(hil, (size_t)size);
    return 0;
}

int doppel_hil_begin(struct doppel_hil *hil)
{
    if (hil->code == 0 && hil->begun) {
        return fail(hil, DOPPEL_HIL_MISUSE, "doppel_hil_begin is called twice");
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

/* ---- frames ---- */

static int take_frame(struct doppel_hil *hil, size_t size)
{
    if (hil_u16(hil->in + 4) != HIL_SENSORS ||
        size != HIL_SENSORS_CELLS + 8 * hil->sensors.n_cells) {
        return fail(hil, DOPPEL_HIL_GARBAGE, "the world sends a frame of a wrong size");
    }
    memcpy(hil->frame, hil->in, size);
    hil->has_frame = 1;
    used(hil, size);
    return 1;
}

/* Goes on to the newest of those that have come. An error that follows them comes with the next
 * call. */
static int take_newest(struct doppel_hil *hil)
{
    while (hil->code == 0) {
        if (hil->n_in < sizeof hil->in && wait_for(hil, POLLIN, 0) > 0 && receive(hil) < 0) {
            return -1;
        }
        int64_t size = whole_message(hil);
        if (size <= 0) {
            return size < 0 ? -1 : 1;
        }
        if (take_frame(hil, (size_t)size) < 0) {
            return -1;
        }
    }
    return -1;
}

int doppel_hil_wait(struct doppel_hil *hil, int ms)
{
    if (hil->code != 0) {
        return -1;
    }
    if (!hil->begun) {
        return fail(hil, DOPPEL_HIL_MISUSE, "doppel_hil_wait before doppel_hil_begin");
    }
    int64_t size = await_message(hil, ms);
    if (size <= 0) {
        return (int)size;
    }
    int got = take_frame(hil, (size_t)size);
    return got > 0 && !hil->lock_step ? take_newest(hil) : got;
}

static const struct channel *channel_of(const struct channels *channels, int number)
{
    return number >= 0 && number < channels->n ? &channels->list[number] : NULL;
}

/* The cell; NULL: there is none. */
static const uint8_t *cell_of(const struct doppel_hil *hil, const struct channel *channel,
                              size_t element)
{
    return channel && hil->has_frame && element < channel->size
               ? hil->frame + HIL_SENSORS_CELLS + 8 * (channel->at + element)
               : NULL;
}

double doppel_hil_get(const struct doppel_hil *hil, int sensor, size_t element)
{
    const struct channel *channel = channel_of(&hil->sensors, sensor);
    const uint8_t *cell = cell_of(hil, channel, element);
    if (!cell) {
        return (double)NAN;
    }
    if (!hil_is_whole(channel->type)) {
        return hil_f64(cell);
    }
    int64_t whole = (int64_t)hil_u64(cell);
    return whole == INT64_MIN ? (double)NAN : (double)whole;
}

int64_t doppel_hil_get_integer(const struct doppel_hil *hil, int sensor, size_t element)
{
    const struct channel *channel = channel_of(&hil->sensors, sensor);
    const uint8_t *cell = cell_of(hil, channel, element);
    return cell && hil_is_whole(channel->type) ? (int64_t)hil_u64(cell) : INT64_MIN;
}

int doppel_hil_set(struct doppel_hil *hil, int command, size_t element, double value)
{
    const struct channel *channel = channel_of(&hil->commands, command);
    if (hil->code != 0) {
        return -1;
    }
    if (!channel || !hil->begun || element >= channel->size) {
        return fail(hil, DOPPEL_HIL_MISUSE, "there is no element %zu of command %d", element,
                    command);
    }
    uint8_t *cell = hil->out + HIL_COMMAND_CELLS + 8 * (channel->at + element);
    if (!hil_is_whole(channel->type)) {
        hil_put_f64(cell, value);
    } else if (fabs(value) < 9.2e18) {
        hil_put(cell, (uint64_t)(int64_t)(value + (value < 0.0 ? -0.5 : 0.5)), 8);
    } else {
        return fail(hil, DOPPEL_HIL_MISUSE, "%g is no value of command %d", value, command);
    }
    return 0;
}

int doppel_hil_send(struct doppel_hil *hil)
{
    if (hil->code != 0) {
        return -1;
    }
    if (!hil->has_frame) {
        return fail(hil, DOPPEL_HIL_MISUSE, "doppel_hil_send before the first frame");
    }
    memcpy(hil->out + HIL_COMMAND_FRAME, hil->frame + HIL_SENSORS_FRAME, 8);
    return send_all(hil, hil->out, HIL_COMMAND_CELLS + 8 * hil->commands.n_cells);
}

/* ---- what is known ---- */

double doppel_hil_time(const struct doppel_hil *hil)
{
    return hil->has_frame ? (double)(int64_t)hil_u64(hil->frame + HIL_SENSORS_TIME) * 1e-9 : 0.0;
}

uint64_t doppel_hil_step(const struct doppel_hil *hil)
{
    return hil->has_frame ? hil_u64(hil->frame + HIL_SENSORS_STEP) : 0;
}

double doppel_hil_period(const struct doppel_hil *hil)
{
    return (double)hil->step_ns * 1e-9 * (double)hil->every;
}

static uint32_t count_at(const struct doppel_hil *hil, size_t at)
{
    return hil->has_frame ? hil_u32(hil->frame + at) : 0;
}

uint32_t doppel_hil_jumps(const struct doppel_hil *hil)
{
    return count_at(hil, HIL_SENSORS_JUMPS);
}

uint32_t doppel_hil_late(const struct doppel_hil *hil)
{
    return count_at(hil, HIL_SENSORS_LATE);
}

uint32_t doppel_hil_dropped(const struct doppel_hil *hil)
{
    return count_at(hil, HIL_SENSORS_DROPPED);
}

size_t doppel_hil_sensor_size(const struct doppel_hil *hil, int sensor)
{
    const struct channel *channel = channel_of(&hil->sensors, sensor);
    return channel ? channel->size : 0;
}

size_t doppel_hil_command_size(const struct doppel_hil *hil, int command)
{
    const struct channel *channel = channel_of(&hil->commands, command);
    return channel ? channel->size : 0;
}

const char *doppel_hil_sensor_unit(const struct doppel_hil *hil, int sensor)
{
    const struct channel *channel = channel_of(&hil->sensors, sensor);
    return channel ? channel->unit : "";
}

const char *doppel_hil_command_unit(const struct doppel_hil *hil, int command)
{
    const struct channel *channel = channel_of(&hil->commands, command);
    return channel ? channel->unit : "";
}

void doppel_hil_command_range(const struct doppel_hil *hil, int command, double *ret_min,
                              double *ret_max)
{
    const struct channel *channel = channel_of(&hil->commands, command);
    *ret_min = channel ? channel->min : 0.0;
    *ret_max = channel ? channel->max : 0.0;
}

const char *doppel_hil_world(const struct doppel_hil *hil)
{
    return hil->world;
}

int doppel_hil_code(const struct doppel_hil *hil)
{
    return hil->code;
}

const char *doppel_hil_error(const struct doppel_hil *hil)
{
    return hil->error;
}
