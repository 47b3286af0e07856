/* SPDX-License-Identifier: Apache-2.0 */
/* A sensor on a byte stream: all of a hardware driver except the bytes and the measurement. The
 * driver gives the codec (struct dpl_sensor_line_ops). This part opens the stream, notices silence,
 * reports lost and found, and passes samples.
 *
 * Two threads: the calls run on the executor of the device's component; the stream, and with it all
 * functions of the driver's codec, on the control thread. A driver's state begins with a struct
 * dpl_sensor_line. */
#ifndef DOPPEL_DRIVE_SENSOR_LINE_H
#define DOPPEL_DRIVE_SENSOR_LINE_H

#include <doppel/device.h>
#include <doppel/field.h>
#include <doppel/latest.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_sensor_line;

/* The part of one kind of sensor. All functions run on the control thread and must not block. */
struct dpl_sensor_line_ops {
    /* A connection was opened: discards old bytes. */
    void (*opened)(struct dpl_sensor_line *line, dpl_ns now);
    /* Takes bytes in the order in which they come. For each measurement it fills the sample of
     * dpl_sensor_line_back, and calls dpl_sensor_line_publish and dpl_sensor_line_heard. */
    void (*data)(struct dpl_sensor_line *line, const uint8_t *bytes, size_t n, dpl_ns now);
    /* Why nothing comes, for the log, after SilenceTimeout without dpl_sensor_line_heard: then the
     * stream is opened again. */
    const char *(*lack)(const struct dpl_sensor_line *line);
    /* Instead of `lack`, for a sensor that is talked to: called in each period. */
    void (*timer)(struct dpl_sensor_line *line, dpl_ns now);
    /* For a sensor without a byte stream (`data` is NULL): takes its messages, in each period. */
    void (*poll)(struct dpl_sensor_line *line, dpl_ns now);
};

/* Properties that all such drivers have: the rows of DPL_SENSOR_LINE_FIELDS. */
struct dpl_sensor_line_properties {
    char address[256];
    int64_t baud;
    double silence_ms;
};

/* Rows for a driver's property table; `line` is the struct dpl_sensor_line_properties inside
 * `struct_`. Defaults are texts; silence in ms. */
#define DPL_SENSOR_LINE_FIELDS(struct_, line, address_, address_text_, baud_, baud_text_,          \
                               silence_, least_silence_, silence_text_)                            \
    {                                                                                              \
        .name = "Address",                                                                         \
        .aliases = "Device|SerialPort",                                                            \
        .type = DPL_FIELD_STRING,                                                                  \
        DPL_MEMBER(struct_, line.address),                                                         \
        .default_text = address_,                                                                  \
        .summary = address_text_,                                                                  \
    },                                                                                             \
        DPL_INT(struct_, line.baud, "Baud", baud_, 1200, 4000000, baud_text_),                     \
        DPL_NUMBER(struct_, line.silence_ms, "SilenceTimeout", "ms", silence_, least_silence_,     \
                   60000, silence_text_)

struct dpl_sensor_line_config {
    const struct dpl_sensor_line_ops *ops;
    const struct dpl_sensor_line_properties *properties; /* borrowed until the line is closed */
    uint32_t period_ms;                                  /* of the timer; 0: 20 */
    /* The driver's samples: three to pass, and the newest one, of the thread of the calls.
     * Borrowed; their content at open is kept until the first sample. */
    void *slots, *newest;
    size_t slot_size;
    size_t read_size; /* what dpl_sensor_line_read gives: the beginning of the newest sample */
};

/* The caller owns it, as the first member of a device's state, and must not move it in memory. All
 * members are private, but `device`, and on the control thread `stream` and `connections`. */
struct dpl_sensor_line {
    struct dpl_device *device;
    struct dpl_sensor_line_config config;
    struct dpl_latest sync; /* control thread -> calls */
    /* control thread */
    struct dpl_stream *stream; /* NULL: closed */
    int64_t connections;
    dpl_ns heard_at; /* the newest measurement, or when the connection was opened */
};

/* Opens the stream of the properties; in the driver's `open`. May allocate. 0, or the error of
 * dpl_device_open_stream, with reterr. From then on the line reports to the device. */
int dpl_sensor_line_open(struct dpl_sensor_line *line, struct dpl_device *device,
                         const struct dpl_sensor_line_config *config, struct dpl_diag *reterr);

/* Closes the stream; in the driver's `close`. Never fails. */
void dpl_sensor_line_close(struct dpl_sensor_line *line);

/* Control thread: the sample to fill, and passing it on to the calls. */
void *dpl_sensor_line_back(struct dpl_sensor_line *line);
void dpl_sensor_line_publish(struct dpl_sensor_line *line);

/* Control thread: the sensor works, at `now`. */
void dpl_sensor_line_heard(struct dpl_sensor_line *line, dpl_ns now);

/* Calls for the table of a driver whose state begins with a struct dpl_sensor_line. Execute takes
 * over the newest sample; read gives the beginning of it. -ENODEV: the device is lost. */
int dpl_sensor_line_execute(struct dpl_device *device, const void *in, void *out);
int dpl_sensor_line_read(struct dpl_device *device, const void *in, void *out);

#ifdef __cplusplus
}
#endif

#endif
