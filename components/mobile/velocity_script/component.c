/* SPDX-License-Identifier: Apache-2.0 */
/* VelocityScript: drives a wheel base by a table of velocities over time, for experiments. The
 * table comes from a property or a file. At the end of the table the base stops, and the run ends
 * unless a property disables that. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/msg/device.h>
#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>
#include <doppel/text_check.h>

#include "script.h"

#define SCRIPT_FILE_MAX (1u << 20)

enum port {
    PORT_WHEEL,
};

enum interpolation {
    HOLD,
    LINEAR,
};

struct properties {
    char script[8192];
    char file[512];
    int interpolation;
    bool loop;
    bool end_run;
    double end_after_s;
};

struct state {
    struct script script;
    dpl_ns started_at;
    bool started;
    bool done;
    double linear_m_s, angular_rad_s;
    int64_t refused; /* commands that the base refused */
};

static int read_file(const char *path, char *text, size_t size, struct dpl_diag *reterr)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        return dpl_fail(reterr, -errno, (struct dpl_place){.file = path},
                        "cannot open the velocity script: %s", strerror(errno));
    }
    size_t n = fread(text, 1, size - 1, file);
    bool whole = feof(file) || fgetc(file) == EOF;
    int cause = ferror(file) ? EIO : 0; /* e.g. a folder */
    fclose(file);
    text[n] = '\0';
    if (cause || strlen(text) != n) {
        return dpl_fail(reterr, -EIO, (struct dpl_place){.file = path},
                        cause ? "cannot read the velocity script"
                              : "the velocity script is not text: it has a zero byte");
    }
    return whole ? 0
                 : dpl_fail(reterr, -EFBIG, (struct dpl_place){.file = path},
                            "the velocity script is longer than %zu bytes", size - 1);
}

/* ---- checks of properties ------ */

static int check_script(const char *text, struct dpl_diag *reterr)
{
    struct script *script = text[0] != '\0' ? malloc(sizeof *script) : NULL;
    struct script_error bad;
    if (!script) {
        return text[0] == '\0' ? 0
                               : dpl_fail(reterr, -ENOMEM, (struct dpl_place){0}, "out of memory");
    }
    int err = script_parse(script, text, &bad);
    free(script);
    return err < 0 ? dpl_check_fail(text, text + bad.offset, bad.what, reterr) : 0;
}

static int check_source(const void *properties, struct dpl_diag *reterr)
{
    const struct properties *props = properties;
    bool has_script = props->script[0] != '\0', has_file = props->file[0] != '\0';
    if (has_script != has_file) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, (struct dpl_place){0},
                    has_file ? "both Script and File are given, expected one of them; an empty "
                               "value removes one (--set VelocityScript.Script= )"
                             : "neither Script nor File is given, expected one of them");
}

/* ---- life cycle ---- */

static int parse_file(struct dpl_component *self, const char *text, const char *file,
                      struct dpl_diag *reterr)
{
    struct state *state = self->state;
    struct script_error bad;
    int err = script_parse(&state->script, text, &bad);
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){file, bad.line, bad.column}, "%s",
                              bad.what)
                   : 0;
}

static int initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    if (props->file[0] == '\0') {
        struct script_error bad; /* check_script has checked the text */
        return script_parse(&state->script, props->script, &bad);
    }
    char *text = malloc(SCRIPT_FILE_MAX);
    if (!text) {
        return -ENOMEM;
    }
    int err = read_file(props->file, text, SCRIPT_FILE_MAX, reterr);
    if (err == 0) {
        err = parse_file(self, text, props->file, reterr);
    }
    free(text);
    return err;
}

static void drive(struct dpl_component *self, double linear_m_s, double angular_rad_s)
{
    struct state *state = self->state;
    state->linear_m_s = linear_m_s;
    state->angular_rad_s = angular_rad_s;
    int err = dpl_wheel_controller_call_drive_wheel(self, PORT_WHEEL, linear_m_s, angular_rad_s);
    state->refused += err < 0;
}

static int execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    if (!state->started) {
        state->started = true;
        state->done = false;
        state->started_at = tick->now;
    }
    dpl_ns t = tick->now - state->started_at;
    double end_s = script_end_s(&state->script);
    dpl_ns round = props->loop ? dpl_ns_from_s(end_s) : 0;
    t = round > 0 ? t % round : t;
    double t_s = dpl_ns_to_s(t);
    struct script_row row = script_at(&state->script, t_s, props->interpolation == LINEAR);
    bool over = round == 0 && t_s > end_s + props->end_after_s - 1e-9;
    if (state->done || over) {
        row = (struct script_row){0};
        if (!state->done && props->end_run) {
            dpl_component_finish_run(self);
        }
        state->done = true;
    }
    drive(self, row.linear_m_s, row.angular_rad_s);
    return 0;
}

static int stop(struct dpl_component *self)
{
    struct state *state = self->state;
    state->started = false;
    dpl_wheel_controller_call_stop_wheel(self, PORT_WHEEL);
    return 0;
}

static const struct dpl_port_desc ports[] = {
    [PORT_WHEEL] =
        {
            .name = "WheelControllerService",
            .aliases = "WheelController",
            .kind = DPL_PORT_SERVICE,
            .dir = DPL_PORT_IN,
            .service = &doppel__wheel_controller_service__descriptor,
            .required = true,
            .summary = "the base to drive",
            .commands = true,
        },
};

static const struct dpl_field properties[] = {
    DPL_TEXT_CHECKED(struct properties, script, "Script", "", check_script,
                     "rows \"t v w\" separated by ';': s, m/s, rad/s"),
    DPL_FILE(struct properties, file, "File", "",
             "instead of Script: a file with such rows, one a line"),
    DPL_CHOICE(struct properties, interpolation, "Interpolation", "hold", "hold|linear",
               "between rows: hold the row's velocity, or interpolate linearly"),
    DPL_BOOL(struct properties, loop, "Loop", "false", "start again at the last row's time"),
    DPL_BOOL(struct properties, end_run, "EndRun", "true", "end the run at the end of the script"),
    DPL_NUMBER(struct properties, end_after_s, "EndAfter", "s", "1", 0, 3600,
               "how long the last row is held"),
};

static const struct dpl_field exports[] = {
    DPL_EXPORT_INT(struct state, refused, "refused", NULL, DPL_FIELD_SUMMARY,
                   "commands that the base refused"),
    DPL_EXPORT_BOOL(struct state, done, "done", DPL_FIELD_SUMMARY, "the script has ended"),
};

static const struct dpl_component_ops ops = {
    .initialize = initialize,
    .execute = execute,
    .stop = stop,
};

static const struct dpl_component_class class = {
    .name = "VelocityScript",
    .summary = "drives a wheel base from a table of velocities over time",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .exports = exports,
    .n_exports = DPL_COUNT(exports),
    .state_size = sizeof(struct state),
    .default_period = 100 * DPL_MS,
    .check = check_source,
};

const struct dpl_plugin dpl_plugin = {
    DPL_PLUGIN_HEADER,
    .component = &class,
};
