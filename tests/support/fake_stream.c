/* SPDX-License-Identifier: Apache-2.0 */
/* The byte stream of a fake device: its handle is the fake. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#include "fake_device.h"

static struct dpl_stream *stream_of(struct fake_device *fake)
{
    return (struct dpl_stream *)fake;
}

static struct fake_device *fake_of(struct dpl_stream *stream)
{
    cr_assert_not_null(stream);
    return (struct fake_device *)stream;
}

int dpl_device_open_stream(struct dpl_device *device, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr)
{
    struct fake_device *fake = device->runtime;
    fake->stream = *config;
    *ret_stream = stream_of(fake);
    return 0;
}

void dpl_stream_close(struct dpl_stream *stream)
{
    if (stream) {
        fake_of(stream)->n_closed++;
    }
}

int dpl_stream_write(struct dpl_stream *stream, const void *bytes, size_t n)
{
    const struct fake_device *fake = fake_of(stream);
    if (!fake->is_connected) {
        return -ENOTCONN;
    }
    if (fake->written) {
        fake->written(bytes, n);
    }
    return 0;
}

void dpl_stream_settled(struct dpl_stream *stream)
{
    fake_of(stream)->n_settled++;
}

void dpl_stream_reopen(struct dpl_stream *stream, const char *why)
{
    struct fake_device *fake = fake_of(stream);
    fake->n_reopened++;
    snprintf(fake->reopened_why, sizeof fake->reopened_why, "%s", why);
    fake_stream_lost(fake, why);
}

/* ---- for the test ---- */

void fake_stream_opened(struct fake_device *fake)
{
    fake->is_connected = true;
    fake->stream.ops->opened(stream_of(fake), fake->stream.user, fake->now);
}

void fake_stream_data(struct fake_device *fake, const void *bytes, size_t n)
{
    cr_assert(fake->is_connected, "nobody can send");
    fake->stream.ops->data(stream_of(fake), fake->stream.user, bytes, n, fake->now);
}

void fake_stream_timer(struct fake_device *fake)
{
    if (fake->is_connected || strcmp(fake->stream.address, "timer:") == 0) {
        fake->stream.ops->timer(stream_of(fake), fake->stream.user, fake->now);
    }
}

void fake_stream_lost(struct fake_device *fake, const char *why)
{
    fake->is_connected = false;
    if (fake->stream.ops->lost) {
        fake->stream.ops->lost(stream_of(fake), fake->stream.user, why);
    }
}
