/* SPDX-License-Identifier: Apache-2.0 */
/* A sensor on a byte stream. */
#include <doppel/drive/sensor_line.h>

#include <errno.h>
#include <string.h>

#define DEFAULT_PERIOD_MS 20

/* ---- control thread ---- */

static void *slot(const struct dpl_sensor_line *line, unsigned index)
{
    return (char *)line->config.slots + index * line->config.slot_size;
}

void *dpl_sensor_line_back(struct dpl_sensor_line *line)
{
    return slot(line, dpl_latest_back(&line->sync));
}

void dpl_sensor_line_publish(struct dpl_sensor_line *line)
{
    dpl_latest_publish(&line->sync);
}

void dpl_sensor_line_heard(struct dpl_sensor_line *line, dpl_ns now)
{
    line->heard_at = now;
    dpl_stream_settled(line->stream);
    dpl_device_found(line->device);
}

static void on_opened(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_sensor_line *line = user;
    line->stream = stream;
    line->connections++;
    line->heard_at = now;
    line->config.ops->opened(line, now);
}

static void on_data(struct dpl_stream *stream, void *user, const uint8_t *bytes, size_t n,
                    dpl_ns now)
{
    struct dpl_sensor_line *line = user;
    line->config.ops->data(line, bytes, n, now);
}

static void on_lost(struct dpl_stream *stream, void *user, const char *why)
{
    const struct dpl_sensor_line *line = user;
    dpl_device_lost(line->device, "%s: %s", line->config.properties->address, why);
}

static void on_timer(struct dpl_stream *stream, void *user, dpl_ns now)
{
    struct dpl_sensor_line *line = user;
    const struct dpl_sensor_line_config *config = &line->config;
    line->stream = stream;
    if (config->ops->timer) {
        config->ops->timer(line, now);
        return;
    }
    if (config->ops->poll) {
        line->heard_at = line->heard_at ? line->heard_at : now;
        config->ops->poll(line, now);
    }
    if (now - line->heard_at <= dpl_ns_from_s(config->properties->silence_ms * 1e-3)) {
        return;
    }
    if (config->ops->poll) {
        on_lost(stream, line, config->ops->lack(line));
    } else {
        dpl_stream_reopen(stream, config->ops->lack(line));
    }
}

static const struct dpl_stream_ops stream_ops = {
    .opened = on_opened,
    .data = on_data,
    .timer = on_timer,
    .lost = on_lost,
};

/* ---- opening and closing ---- */

int dpl_sensor_line_open(struct dpl_sensor_line *line, struct dpl_device *device,
                         const struct dpl_sensor_line_config *config, struct dpl_diag *reterr)
{
    *line = (struct dpl_sensor_line){.device = device, .config = *config};
    dpl_latest_init(&line->sync);
    struct dpl_stream_config stream = {
        .address = config->ops->poll ? "timer:" : config->properties->address,
        .baud = (uint32_t)config->properties->baud,
        .timer_ms = config->period_ms ? config->period_ms : DEFAULT_PERIOD_MS,
        .settles = true,
        .ops = &stream_ops,
        .user = line,
    };
    return dpl_device_open_stream(device, &stream, &line->stream, reterr);
}

void dpl_sensor_line_close(struct dpl_sensor_line *line)
{
    dpl_stream_close(line->stream);
    line->stream = NULL;
}

/* ---- calls ---- */

int dpl_sensor_line_execute(struct dpl_device *device, const void *in, void *out)
{
    struct dpl_sensor_line *line = device->state;
    if (dpl_latest_update(&line->sync)) {
        memcpy(line->config.newest, slot(line, dpl_latest_front(&line->sync)),
               line->config.slot_size);
    }
    return dpl_device_is_lost(device) ? -ENODEV : 0;
}

int dpl_sensor_line_read(struct dpl_device *device, const void *in, void *out)
{
    const struct dpl_sensor_line *line = device->state;
    if (dpl_device_is_lost(device)) {
        return -ENODEV;
    }
    memcpy(out, line->config.newest, line->config.read_size);
    return 0;
}
