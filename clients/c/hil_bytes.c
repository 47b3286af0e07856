/* SPDX-License-Identifier: Apache-2.0 */
/* The C client: errors, bytes, whole messages. */
#include "hil_client.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>

int hil_fail_with(struct doppel_hil *hil, int code, const char *format, ...)
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

int hil_wait_for(struct doppel_hil *hil, short events, int ms)
{
    struct pollfd file = {.fd = hil->fd, .events = events};
    int64_t end = now_ms() + ms;
    for (;;) {
        int n = poll(&file, 1, ms);
        if (n >= 0) {
            return n;
        }
        if (errno != EINTR) {
            return hil_fail_with(hil, DOPPEL_HIL_SYSTEM, "poll: %s", strerror(errno));
        }
        int64_t left = end - now_ms();
        ms = ms < 0 ? ms : left > 0 ? (int)left : 0;
    }
}

static int take_error(struct doppel_hil *hil, const uint8_t *message, size_t size)
{
    if (size < HIL_ERROR_TEXT ||
        size != HIL_ERROR_TEXT + (size_t)hil_u16(message + HIL_ERROR_LENGTH)) {
        return hil_fail_with(hil, DOPPEL_HIL_GARBAGE, "the world sends an ERROR of a wrong size");
    }
    int code = hil_u16(message + HIL_ERROR_CODE);
    bool known = code >= HIL_CODE_GARBAGE && code <= HIL_CODE_ENDED;
    const char *text = (const char *)message + HIL_ERROR_TEXT;
    if (size == HIL_ERROR_TEXT || text[0] == '\0') {
        text = "the world gives no reason";
        size = HIL_ERROR_TEXT + strlen(text);
    }
    return hil_fail_with(hil, known ? code : DOPPEL_HIL_GARBAGE, "%.*s",
                         (int)(size - HIL_ERROR_TEXT), text);
}

int64_t hil_whole_message(struct doppel_hil *hil)
{
    if (hil->n_in < HIL_HEAD) {
        return 0;
    }
    size_t size = hil_u32(hil->in);
    unsigned kind = hil_u16(hil->in + 4);
    if (size < HIL_HEAD || size > HIL_MESSAGE_MAX || kind < HIL_WELCOME || kind > HIL_ERROR) {
        return hil_fail_with(hil, DOPPEL_HIL_GARBAGE,
                             "what answers there is no world, or of another version");
    }
    if (hil->n_in < size) {
        return 0;
    }
    return kind == HIL_ERROR ? take_error(hil, hil->in, size) : (int64_t)size;
}

void hil_used(struct doppel_hil *hil, size_t size)
{
    hil->n_in -= size;
    memmove(hil->in, hil->in + size, hil->n_in);
}

int hil_receive(struct doppel_hil *hil)
{
    ssize_t n = recv(hil->fd, hil->in + hil->n_in, sizeof hil->in - hil->n_in, MSG_DONTWAIT);
    if (n > 0) {
        hil->n_in += (size_t)n;
        return 0;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return 0;
    }
    return hil_fail_with(hil, DOPPEL_HIL_SYSTEM, "the connection to the world is lost%s%s",
                         n < 0 ? ": " : "", n < 0 ? strerror(errno) : "");
}

int64_t hil_await_message(struct doppel_hil *hil, int ms)
{
    int64_t end = now_ms() + ms, size;
    while ((size = hil_whole_message(hil)) == 0) {
        int ready = hil_wait_for(hil, POLLIN, ms);
        if (ready <= 0) {
            return ready;
        }
        if (hil_receive(hil) < 0) {
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
        int64_t size = hil_whole_message(hil);
        if (size < 0) {
            return -1;
        }
        hil_used(hil, (size_t)size);
    }
    return hil_fail_with(hil, DOPPEL_HIL_SYSTEM, "the connection to the world is lost: %s",
                         strerror(err));
}

int hil_send_all(struct doppel_hil *hil, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = send(hil->fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && errno == EAGAIN) {
            int ready = hil_wait_for(hil, POLLOUT, HIL_PATIENCE_MS);
            if (ready <= 0) {
                return hil_fail_with(hil, DOPPEL_HIL_SYSTEM, "the world does not read");
            }
        } else if (n < 0 && errno != EINTR) {
            return lost(hil);
        }
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}
