/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/host/observe.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include <doppel/host/gateway.h>
#include <doppel/host/user_folder.h>

static const struct dpl_place nowhere;

#define GATEWAYS 4 /* a file, viewers, the last minute, ROS 2 */

struct dpl_observe {
    struct dpl_observe_wanted wanted;
    struct dpl_gateway_use uses[GATEWAYS];
    size_t n, viewers;      /* index of the gateway to viewers */
    void *blocks[GATEWAYS]; /* options */
    bool may_control;
    char note[512]; /* file for other commands of this user; "": none */
    int note_file;  /* locked while the run lives */
};

/* Of a gateway; the others have their defaults. */
struct setting {
    const char *name, *value;
};

static const char *value_of(const struct dpl_field *field, const struct setting *settings, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(settings[i].name, field->name) == 0) {
            return settings[i].value;
        }
    }
    return field->default_text;
}

static int use(struct dpl_observe *observe, const char *name, const struct setting *settings,
               size_t n, struct dpl_diag *reterr)
{
    struct dpl_diag why = {0};
    const struct dpl_gateway *gateway;
    int r = dpl_gateway_load(name, &gateway, reterr);
    if (r < 0) {
        return r;
    }
    void *block = calloc(1, gateway->options_size + 1);
    if (!block) {
        return dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    observe->blocks[observe->n] = block;
    observe->uses[observe->n++] = (struct dpl_gateway_use){gateway, block};
    for (size_t i = 0; i < gateway->n_options && r == 0; i++) {
        const struct dpl_field *field = &gateway->options[i];
        struct dpl_field_text text = {.text = value_of(field, settings, n)};
        r = dpl_field_parse(field, &text, block, &why);
    }
    return r < 0 ? dpl_fail(reterr, r, nowhere, "%s: %s", settings[0].name, why.text) : 0;
}

/* A package of its own has it, because of its library. */
static int use_ros2(struct dpl_observe *observe, bool is_simulated, struct dpl_diag *reterr)
{
    const struct setting settings[] = {
        {"control", observe->wanted.allow_control ? "true" : "false"},
        {"simulated", is_simulated ? "true" : "false"}};
    struct dpl_diag why = {0};
    int r = use(observe, "ros2", settings, DPL_COUNT(settings), &why);
    return r < 0 ? dpl_fail(reterr, r, nowhere,
                            "ros2: libddsc is not installed: package doppel-ros2 (%s)", why.text)
                 : 0;
}

static int open_all(struct dpl_observe *observe, struct dpl_runtime_options *options,
                    struct dpl_diag *reterr)
{
    const struct dpl_observe_wanted *wanted = &observe->wanted;
    char port[16], kept[16];
    int r = wanted->record
                ? use(observe, "mcap", &(struct setting){"file", wanted->record}, 1, reterr)
                : 0;
    observe->viewers = observe->n;
    snprintf(port, sizeof port, "%d", wanted->view);
    r = r < 0 || wanted->view == DPL_OBSERVE_NO_PORT
            ? r
            : use(observe, "foxglove", &(struct setting){"port", port}, 1, reterr);
    bool keeps = wanted->view != DPL_OBSERVE_NO_PORT && options->out_dir;
    snprintf(kept, sizeof kept, "%g", DPL_OBSERVE_KEPT_S);
    r = r < 0 || !keeps ? r : use(observe, "mcap", &(struct setting){"keep", kept}, 1, reterr);
    r = r < 0 || !wanted->ros2 ? r : use_ros2(observe, options->simulated, reterr);
    r = r < 0 ? r : dpl_converters_load(&options->converters, &options->n_converters, reterr);
    options->allow_control = wanted->allow_control;
    options->gateways = observe->uses;
    options->n_gateways = observe->n;
    /* on the simulated clock nothing moves but worlds */
    observe->may_control = options->simulated || wanted->allow_control;
    return r;
}

int dpl_observe_open(const struct dpl_observe_wanted *wanted,
                     struct dpl_runtime_options *inout_options, struct dpl_observe **ret_observe,
                     struct dpl_diag *reterr)
{
    struct dpl_observe *observe = NULL;
    int r = 0;
    if (wanted->record || wanted->view != DPL_OBSERVE_NO_PORT || wanted->ros2) {
        observe = calloc(1, sizeof *observe);
        r = observe ? 0 : dpl_fail(reterr, -ENOMEM, nowhere, "out of memory");
    }
    if (observe) {
        observe->wanted = *wanted;
        r = open_all(observe, inout_options, reterr);
    }
    if (r < 0) {
        dpl_observe_close(observe);
        return r;
    }
    *ret_observe = observe;
    return 0;
}

/* ---- the note for other commands of this user ---- */

/* The file stays open, and locked by this process: that says that the run lives. What is in it
 * comes after the lock. */
static bool write_note(struct dpl_observe *observe, json_t *note)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(observe->note, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool is_written =
        fd >= 0 && fcntl(fd, F_SETLK, &lock) == 0 && json_dumpfd(note, fd, JSON_COMPACT) == 0;
    if (fd >= 0 && !is_written) {
        close(fd);
    }
    observe->note_file = fd;
    return is_written;
}

/* A run that leaves no note can still be viewed. */
static int leave_note(struct dpl_observe *observe, const char *name, int port, const char *token,
                      struct dpl_diag *reterr)
{
    char file[64];
    snprintf(file, sizeof file, DPL_USER_SCHEME "%d.run", (int)getpid());
    json_t *note = json_pack("{s:i, s:s, s:i, s:s}", "pid", (int)getpid(), "name", name, "port",
                             port, "token", token);
    int r = dpl_user_path(file, true, observe->note, sizeof observe->note, reterr);
    if (r == 0 && !write_note(observe, note)) {
        r = dpl_fail(reterr, -errno, nowhere, "%s", strerror(errno));
    }
    if (r < 0) {
        observe->note[0] = '\0';
    }
    json_decref(note);
    return r;
}

int dpl_observe_announce(struct dpl_observe *observe, const char *name, int port, const char *token,
                         struct dpl_diag *reterr)
{
    if (observe->wanted.tell) {
        fprintf(observe->wanted.tell,
                "view: http://127.0.0.1:%d/#t=%s\nview: ws://127.0.0.1:%d/%s\n", port, token, port,
                token);
        fflush(observe->wanted.tell);
    }
    return leave_note(observe, name, port, token, reterr);
}

int dpl_observe_tell(struct dpl_observe *observe, const struct dpl_runtime *runtime,
                     const struct dpl_app *app, struct dpl_diag *reterr)
{
    struct dpl_gateway_place place;
    if (!observe || observe->wanted.view == DPL_OBSERVE_NO_PORT) {
        return 0;
    }
    dpl_runtime_gateway_place(runtime, observe->viewers, &place);
    return dpl_observe_announce(observe, app->name, place.port,
                                observe->may_control ? place.control : place.look, reterr);
}

void dpl_observe_close(struct dpl_observe *observe)
{
    if (!observe) {
        return;
    }
    if (observe->note[0]) {
        unlink(observe->note);
        close(observe->note_file);
    }
    for (size_t i = 0; i < observe->n; i++) {
        free(observe->blocks[i]);
    }
    free(observe);
}

/* ---- in one call ---- */

enum dpl_exit dpl_observe_run(const struct dpl_app *app, const struct dpl_runtime_options *options,
                              const struct dpl_observe_wanted *wanted, struct dpl_diag *reterr)
{
    struct dpl_runtime_options all = *options;
    struct dpl_observe *observe;
    struct dpl_runtime *runtime;
    struct dpl_diag why = {0};
    if (dpl_observe_open(wanted, &all, &observe, reterr) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    enum dpl_exit code = DPL_EXIT_BAD_INPUT;
    int r = dpl_runtime_create(app, &all, &runtime, reterr);
    if (r == 0) {
        if (dpl_observe_tell(observe, runtime, app, &why) < 0 && wanted->tell) {
            fprintf(wanted->tell, "warning: `doppel ps` does not show this run: %s\n", why.text);
        }
        code = dpl_runtime_run(runtime, reterr);
        dpl_runtime_destroy(runtime);
    }
    dpl_observe_close(observe);
    return r == -ENODEV ? DPL_EXIT_DEVICE : code;
}
