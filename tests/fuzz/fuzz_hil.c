/* SPDX-License-Identifier: Apache-2.0 */
/* The protocol of external controllers from arbitrary bytes. The first byte says which side reads
 * the others: even, the world reads what a controller says; odd, the C client reads what a world
 * says. */
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz.h"
#include "hil_client.h"
#include "hil_codec.h"

/* ---- the world's side ---- */

static struct hil_error error;

static int check_refusal(size_t size)
{
    require(error.text[0] != '\0' && error.offset <= size && error.code >= HIL_CODE_GARBAGE &&
            error.code <= HIL_CODE_ENDED);
    return -1;
}

static int take_hello(const uint8_t *message, size_t size)
{
    struct hil_hello hello;
    if (hil_hello_read(message, size, &hello, &error) < 0) {
        return check_refusal(size);
    }
    require(hello.every >= 1 && hello.every <= HIL_EVERY_MAX &&
            hello.timeout_us >= HIL_TIMEOUT_MIN_US && hello.timeout_us <= HIL_TIMEOUT_MAX_US &&
            strlen(hello.name) + HIL_HELLO_NAME == size);
    return 0;
}

static int take_channels(const uint8_t *message, size_t size)
{
    struct hil_wants wants = {.message = message, .size = size};
    struct hil_want want;
    size_t bytes = HIL_CHANNELS_FIRST;
    int more;
    while ((more = hil_wants_next(&wants, &want, &error)) > 0) {
        require(want.offset == bytes && want.path[0] != '\0');
        bytes += HIL_CHANNEL_HEAD + strlen(want.path) + strlen(want.unit);
    }
    require(more < 0 || bytes == size);
    return more < 0 ? check_refusal(size) : 0;
}

static int take_command(const uint8_t *message, size_t size)
{
    static const struct dpl_channel_desc number = {.type = &dpl_channel_number, .size = 1};
    static const struct dpl_channel_desc flag = {.type = &dpl_channel_flag, .size = 1};
    uint64_t frame;
    const uint8_t *cells;
    double value;
    bool on;
    if (hil_command_read(message, size, 2, &frame, &cells, &error) < 0) {
        return check_refusal(size);
    }
    hil_cells_read(&number, cells, &value);
    hil_cells_read(&flag, cells + 8, &on);
    return 0;
}

static int take_message(enum hil_kind kind, const uint8_t *message, size_t size)
{
    switch (kind) {
    case HIL_HELLO: return take_hello(message, size);
    case HIL_CHANNELS: return take_channels(message, size);
    case HIL_COMMAND: return take_command(message, size);
    default: return -1;
    }
}

static void read_as_world(const uint8_t *data, size_t size)
{
    enum hil_kind kind;
    size_t n;
    int err;
    while ((err = hil_head_read(data, size, &kind, &n, &error)) == 0 && n <= size) {
        uint8_t *message = malloc(n); /* exact: a sanitizer sees one byte too far */
        require(message != NULL);
        memcpy(message, data, n);
        int end = take_message(kind, message, n);
        free(message);
        if (end < 0) {
            return;
        }
        data += n;
        size -= n;
    }
    if (err == -EINVAL) {
        check_refusal(size);
    }
}

/* ---- the client's side ---- */

static void read_as_client(const uint8_t *data, size_t size)
{
    int pair[2];
    struct doppel_hil *hil = calloc(1, sizeof *hil);
    require(hil && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    hil->fd = pair[0];
    hil->every = 1;
    hil->lock_step = size % 2;
    int sensor = doppel_hil_sensor(hil, "a/angle", "rad");
    int count = doppel_hil_sensor(hil, "a/count", NULL);
    int command = doppel_hil_command(hil, "a/speed", NULL);
    ssize_t sent = send(pair[1], data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(pair[1], SHUT_WR);
    int begun = sent == (ssize_t)size ? doppel_hil_begin(hil) : -1;
    require(begun == 0 || sent != (ssize_t)size || hil->code != 0);
    if (begun == 0) {
        for (int i = 0; i < 10 && doppel_hil_wait(hil, 0) > 0; i++) {
            doppel_hil_get(hil, sensor, doppel_hil_sensor_size(hil, sensor) - 1);
            doppel_hil_get_integer(hil, count, 0);
            doppel_hil_set(hil, command, 0, doppel_hil_get(hil, count, 0));
        }
    }
    require(sent != (ssize_t)size || hil->code == 0 || hil->error[0] != '\0');
    doppel_hil_close(hil);
    close(pair[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    if (data[0] % 2 == 0) {
        read_as_world(data + 1, size - 1);
    } else {
        read_as_client(data + 1, size - 1);
    }
    return 0;
}
