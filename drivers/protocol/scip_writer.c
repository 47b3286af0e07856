/* SPDX-License-Identifier: Apache-2.0 */
/* SCIP replies, device side. */
#include <doppel/protocol/scip_writer.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A line of data that is being written. */
struct data_line {
    struct dpl_scip_writer *writer;
    char text[DPL_SCIP_DATA_LINE];
    size_t filled;
};

struct dpl_scip_writer dpl_scip_writer_on(char *out, size_t capacity)
{
    return (struct dpl_scip_writer){.out = out, .capacity = capacity};
}

static void put(struct dpl_scip_writer *writer, const char *text, size_t length)
{
    if (writer->overflow || length > writer->capacity - writer->length) {
        writer->overflow = true;
        return;
    }
    memcpy(writer->out + writer->length, text, length);
    writer->length += length;
}

static void put_end(struct dpl_scip_writer *writer)
{
    put(writer, "\n", 1);
}

/* Writes text, its sum, and the line end. */
static void put_summed(struct dpl_scip_writer *writer, const char *text, size_t length)
{
    char sum = dpl_scip_sum(text, length);
    put(writer, text, length);
    put(writer, &sum, 1);
    put_end(writer);
}

static void put_info(struct dpl_scip_writer *writer, const char *text)
{
    char sum = dpl_scip_sum(text, strlen(text));
    put(writer, text, strlen(text));
    put(writer, ";", 1);
    put(writer, &sum, 1);
    put_end(writer);
}

static void put_head(struct dpl_scip_writer *writer, const char *echo, size_t length,
                     const char *status)
{
    put(writer, echo, length < DPL_SCIP_MAX_REQUEST ? length : DPL_SCIP_MAX_REQUEST);
    put_end(writer);
    put_summed(writer, status, 2);
}

void dpl_scip_write_status(struct dpl_scip_writer *writer, const char *echo, size_t length,
                           const char *status)
{
    put_head(writer, echo, length, status);
    put_end(writer);
}

void dpl_scip_write_scip11(struct dpl_scip_writer *writer, const char *echo, size_t length,
                           char status)
{
    put(writer, echo, length < DPL_SCIP_MAX_REQUEST ? length : DPL_SCIP_MAX_REQUEST);
    put_end(writer);
    put(writer, &status, 1);
    put_end(writer);
    put_end(writer);
}

void dpl_scip_write_info(struct dpl_scip_writer *writer, const struct dpl_scip_request *request,
                         const char *const *lines, size_t count)
{
    put_head(writer, request->text, request->length, DPL_SCIP_OK);
    for (size_t i = 0; i < count; i++) {
        put_info(writer, lines[i]);
    }
    put_end(writer);
}

void dpl_scip_write_condition(struct dpl_scip_writer *writer,
                              const struct dpl_scip_request *request, const char *condition)
{
    put_head(writer, request->text, request->length, DPL_SCIP_OK);
    put_summed(writer, condition, strlen(condition));
    put_end(writer);
}

void dpl_scip_write_parameters(struct dpl_scip_writer *writer,
                               const struct dpl_scip_request *request,
                               const struct dpl_scip_geometry *geometry)
{
    const struct {
        const char *key;
        uint32_t value;
    } rows[] = {
        {"DMIN", geometry->range_min_mm},
        {"DMAX", geometry->range_max_mm},
        {"ARES", geometry->steps_per_turn},
        {"AMIN", geometry->first_step},
        {"AMAX", geometry->end_step},
        {"AFRT", geometry->front_step},
        {"SCAN", geometry->rpm},
    };
    char line[DPL_SCIP_MAX_MODEL + 8];
    put_head(writer, request->text, request->length, DPL_SCIP_OK);
    snprintf(line, sizeof line, "MODL:%s", geometry->model);
    put_info(writer, line);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(line, sizeof line, "%s:%u", rows[i].key, (unsigned)rows[i].value);
        put_info(writer, line);
    }
    put_end(writer);
}

static void put_stamp(struct dpl_scip_writer *writer, uint32_t stamp_ms)
{
    char text[DPL_SCIP_STAMP_CHARS];
    dpl_scip_encode(stamp_ms & 0xffffffu, DPL_SCIP_STAMP_CHARS, text);
    put_summed(writer, text, sizeof text);
}

void dpl_scip_write_time(struct dpl_scip_writer *writer, const struct dpl_scip_request *request,
                         uint32_t stamp_ms)
{
    put_head(writer, request->text, request->length, DPL_SCIP_OK);
    put_stamp(writer, stamp_ms);
    put_end(writer);
}

static void flush_line(struct data_line *line)
{
    if (line->filled > 0) {
        put_summed(line->writer, line->text, line->filled);
        line->filled = 0;
    }
}

static void put_data(struct data_line *line, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        line->text[line->filled++] = text[i];
        if (line->filled == sizeof line->text) {
            flush_line(line);
        }
    }
}

static void put_value(struct data_line *line, uint32_t value, unsigned chars)
{
    char text[8];
    if (chars > 0) {
        dpl_scip_encode(value, chars, text);
        put_data(line, text, chars);
    }
}

/* Whether range `a` is a better value for its cluster than `b`. */
static bool is_nearer(uint32_t a, uint32_t b, uint32_t range_min_mm)
{
    bool a_is_error = a < range_min_mm, b_is_error = b < range_min_mm;
    return a_is_error != b_is_error ? b_is_error : a < b;
}

/* The step whose value is used for the cluster of steps first..last. */
static size_t nearest_step(const struct dpl_scip_measurement *m, size_t first, size_t last)
{
    size_t best = first;
    for (size_t step = first + 1; step <= last && step < m->steps; step++) {
        if (is_nearer(m->ranges_mm[step * m->echoes], m->ranges_mm[best * m->echoes],
                      m->range_min_mm)) {
            best = step;
        }
    }
    return best;
}

/* Writes all echoes of a step, or only the first. */
static void put_step(struct data_line *line, const struct dpl_scip_request *request,
                     const struct dpl_scip_measurement *m, size_t step)
{
    unsigned range_chars = dpl_scip_range_chars(request->scan.encoding);
    unsigned intensity_chars = dpl_scip_intensity_chars(request->scan.encoding);
    unsigned echoes = dpl_scip_is_multi_echo(request) ? m->echoes : 1;
    if (step >= m->steps) {
        put_value(line, 0, range_chars);
        put_value(line, 0, intensity_chars);
        return;
    }
    for (unsigned echo = 0; echo < echoes; echo++) {
        size_t at = step * m->echoes + echo;
        if (echo > 0 && m->ranges_mm[at] == 0) {
            return;
        }
        if (echo > 0) {
            put_data(line, "&", 1);
        }
        put_value(line, m->ranges_mm[at], range_chars);
        put_value(line, m->intensities ? m->intensities[at] : 0, intensity_chars);
    }
}

int dpl_scip_write_scan(struct dpl_scip_writer *writer, const struct dpl_scip_request *request,
                        unsigned remaining, const struct dpl_scip_measurement *measurement)
{
    const struct dpl_scip_scan_fields *scan = &request->scan;
    if (request->command != DPL_SCIP_SCAN || dpl_scip_range_chars(scan->encoding) == 0 ||
        scan->end < scan->start) {
        return -EINVAL;
    }
    struct dpl_scip_request echo = *request;
    bool streams = dpl_scip_is_stream(request);
    if (streams) {
        dpl_scip_request_set_remaining(&echo, remaining);
    }
    put_head(writer, echo.text, echo.length, streams ? DPL_SCIP_STREAM : DPL_SCIP_OK);
    put_stamp(writer, measurement->stamp_ms);
    struct data_line line = {.writer = writer};
    size_t cluster = scan->cluster > 0 ? scan->cluster : 1;
    for (size_t first = scan->start; first <= scan->end; first += cluster) {
        size_t last = first + cluster - 1 < scan->end ? first + cluster - 1 : scan->end;
        put_step(&line, request, measurement, nearest_step(measurement, first, last));
    }
    flush_line(&line);
    put_end(writer);
    return 0;
}

size_t dpl_scip_scan_size(const struct dpl_scip_request *request, unsigned echoes)
{
    size_t chars = dpl_scip_range_chars(request->scan.encoding) +
                   dpl_scip_intensity_chars(request->scan.encoding) + 1;
    size_t data = dpl_scip_scan_values(&request->scan) * chars * echoes;
    return DPL_SCIP_MAX_REQUEST + 16 + data + 2 * (data / DPL_SCIP_DATA_LINE + 1);
}
