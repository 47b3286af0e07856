/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated sensor: properties, and measurement. */
#include "simulated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "six_check.h"

#define FILE_BYTES_MAX (16u << 20)
#define VALUE_MOST     1e6 /* N or N m */
/* number of the random stream for variation, beyond the streams of forces and noise */
#define VARIATION      (UINT64_C(1) << 40)

/* ---- checks of properties ------ */

int simulated_check_size(const char *text, struct dpl_diag *reterr)
{
    return dpl_check_six_within(text, 0.0, VALUE_MOST, reterr);
}

int simulated_check_value(const char *text, struct dpl_diag *reterr)
{
    return dpl_check_six_within(text, -VALUE_MOST, VALUE_MOST, reterr);
}

int simulated_check_source(const char *text, struct dpl_diag *reterr)
{
    size_t n, room = force_rows_room(text);
    struct force_error bad;
    struct force_row *rows = calloc(room, sizeof rows[0]);
    if (!rows) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    int err = force_rows_parse(text, rows, room, &n, &bad);
    free(rows);
    return err < 0 ? dpl_check_fail(text, text + bad.offset, bad.what, reterr) : 0;
}

int simulated_check_impulses(const char *text, struct dpl_diag *reterr)
{
    struct force_source source = {0};
    struct force_error bad;
    return force_impulses_parse(text, &source, &bad) < 0
               ? dpl_check_fail(text, text + bad.offset, bad.what, reterr)
               : 0;
}

int simulated_check(const void *properties, struct dpl_diag *reterr)
{
    const struct simulated_properties *p = properties;
    return p->source[0] != '\0' && p->file[0] != '\0'
               ? dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                          "both Source and File are given, expected one of them; an empty value "
                          "removes one (--set ForceSensor.Source= )")
               : 0;
}

/* ---- the table ---- */

static int refuse_file(const char *path, int code, const char *what, struct dpl_diag *reterr)
{
    return dpl_fail(reterr, code, (struct dpl_place){.file = path}, "%s", what);
}

/* The content of the whole file, to be freed; NULL with reterr. */
static char *read_file(const char *path, int *ret_error, struct dpl_diag *reterr)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        *ret_error = dpl_fail(reterr, -errno, (struct dpl_place){.file = path},
                              "cannot open the table of forces: %s", strerror(errno));
        return NULL;
    }
    char *text = malloc(FILE_BYTES_MAX);
    size_t n = text ? fread(text, 1, FILE_BYTES_MAX - 1, file) : 0;
    const char *what = !text                ? "out of memory"
                       : ferror(file)       ? "cannot read the table of forces"
                       : fgetc(file) != EOF ? "the table of forces is longer than 16 MiB"
                       : memchr(text, '\0', n)
                           ? "the table of forces is not text: it has a zero byte"
                           : NULL;
    fclose(file);
    if (what) {
        *ret_error = refuse_file(path, text ? -EIO : -ENOMEM, what, reterr);
        free(text);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

static int parse_rows(struct simulated *simulated, const char *text, const char *file,
                      struct dpl_diag *reterr)
{
    size_t room = force_rows_room(text);
    struct force_error bad;
    simulated->rows = calloc(room, sizeof simulated->rows[0]);
    if (!simulated->rows) {
        return dpl_fail(reterr, -ENOMEM, (struct dpl_place){.file = file}, "out of memory");
    }
    simulated->source.rows = simulated->rows;
    int err = force_rows_parse(text, simulated->rows, room, &simulated->source.n_rows, &bad);
    if (err < 0 && file) {
        struct dpl_place place = {.file = file};
        dpl_rows_place(text, text + bad.offset, &place.line, &place.column);
        return dpl_fail(reterr, err, place, "%s", bad.what);
    }
    return err;
}

static int read_table(struct simulated *simulated, const struct simulated_properties *p,
                      struct dpl_diag *reterr)
{
    if (p->file[0] == '\0') {
        return parse_rows(simulated, p->source, NULL, reterr);
    }
    int err = 0;
    char *text = read_file(p->file, &err, reterr);
    if (text) {
        err = parse_rows(simulated, text, p->file, reterr);
        free(text);
    }
    return err;
}

/* ---- the other properties: their texts were checked when they were set ---- */

static void read_numbers(struct simulated *simulated, const struct simulated_properties *p,
                         double rms[DPL_SIX])
{
    struct force_imperfections *to = &simulated->imperfections;
    const char *at;
    dpl_six_read(p->random_force, rms, &at);
    dpl_six_read(p->offset, to->offset, &at);
    dpl_six_read(p->drift, to->drift_s, &at);
    dpl_six_read(p->hum, to->hum, &at);
    dpl_six_read(p->noise, to->noise, &at);
    dpl_six_read(p->range, to->range, &at);
    dpl_six_read(p->resolution, to->resolution, &at);
    to->hum_hz = p->hum_hz;
}

/* Draws the random variation of this run. */
static void vary(struct dpl_device *device, const struct simulated_properties *p,
                 struct simulated *simulated)
{
    struct dpl_random rng =
        dpl_random_seeded(dpl_device_seed(device), VARIATION + (uint64_t)p->seed);
    double noise[DPL_SIX], *to = simulated->imperfections.noise;
    const char *at;
    dpl_six_read(p->vary_noise, noise, &at);
    simulated->late_s = p->vary ? dpl_random_uniform(&rng, 0.0, p->vary_delay_s) : 0.0;
    for (int i = 0; i < DPL_SIX; i++) {
        double share = p->vary ? p->vary_force * dpl_random_uniform(&rng, -1.0, 1.0) : 0.0;
        simulated->factor[i] = 1.0 + share;
        to[i] = p->vary ? fmax(to[i], noise[i]) : to[i];
    }
}

static int read_all(struct dpl_device *device, const struct simulated_properties *p,
                    struct simulated *simulated, struct dpl_diag *reterr)
{
    double rms[DPL_SIX] = {0.0};
    struct force_error bad;
    read_numbers(simulated, p, rms);
    int err = force_impulses_parse(p->impulses, &simulated->source, &bad);
    if (err < 0) {
        return err;
    }
    struct dpl_random forces =
        dpl_random_seeded(dpl_device_seed(device), 2 * (uint64_t)p->seed + 1);
    force_random_make(&simulated->source, rms, p->random_bandwidth_hz, &forces);
    simulated->rng = dpl_random_seeded(dpl_device_seed(device), 2 * (uint64_t)p->seed);
    vary(device, p, simulated);
    return read_table(simulated, p, reterr);
}

int simulated_open(struct dpl_device *device, const struct simulated_properties *properties,
                   struct simulated *simulated, struct dpl_diag *reterr)
{
    int err = read_all(device, properties, simulated, reterr);
    if (err < 0) {
        simulated_close(simulated);
    }
    return err;
}

void simulated_close(struct simulated *simulated)
{
    free(simulated->rows);
    simulated->rows = NULL;
    simulated->source.n_rows = 0;
}

/* ---- measuring ---- */

void simulated_measure(struct simulated *simulated, dpl_ns now)
{
    struct dpl_force_sample *sample = &simulated->sample;
    double t_s = dpl_ns_to_s(now);
    force_source_at(&simulated->source, t_s - simulated->late_s, sample->applied);
    for (int i = 0; i < DPL_SIX; i++) {
        sample->applied[i] *= simulated->factor[i];
    }
    sample->saturated = force_imperfections_apply(&simulated->imperfections, &simulated->rng, t_s,
                                                  sample->applied, simulated->raw);
    for (int i = 0; i < DPL_SIX; i++) {
        double zero = simulated->zero[i];
        sample->wrench[i] = zero != 0.0 ? simulated->raw[i] - zero : simulated->raw[i];
    }
    sample->valid = true;
    sample->stamp = now;
    sample->sequence++;
}

int simulated_tare(struct simulated *simulated)
{
    if (!simulated->sample.valid) {
        return -EAGAIN;
    }
    memcpy(simulated->zero, simulated->raw, sizeof simulated->zero);
    memset(simulated->sample.wrench, 0, sizeof simulated->sample.wrench);
    return 0;
}
