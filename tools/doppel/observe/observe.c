/* SPDX-License-Identifier: Apache-2.0 */
#include "observe.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/host/user_folder.h>

#include "common.h"

/* Loads a gateway with one option set. */
static int use(struct observe *observe, const char *name, const char *option, const char *value)
{
    struct dpl_diag why = {0};
    const struct dpl_gateway *gateway;
    int r = dpl_gateway_load(name, &gateway, &why);
    void *block = r < 0 ? NULL : calloc(1, gateway->options_size);
    if (!block) {
        fprintf(stderr, "doppel run: %s\n", r < 0 ? why.text : "out of memory");
        return -1;
    }
    for (size_t i = 0; i < gateway->n_options && r == 0; i++) {
        const struct dpl_field *field = &gateway->options[i];
        struct dpl_field_text text = {
            .text = strcmp(field->name, option) == 0 ? value : field->default_text};
        r = dpl_field_parse(field, &text, block, &why);
    }
    if (r < 0) {
        fprintf(stderr, "doppel run: %s: %s\n", option, why.text);
        free(block);
        return -1;
    }
    observe->blocks[observe->n] = block;
    observe->uses[observe->n++] = (struct dpl_gateway_use){gateway, block};
    return 0;
}

int observe_open(struct observe *observe, const struct observe_wanted *wanted,
                 struct dpl_runtime_options *options)
{
    struct dpl_diag why = {0};
    char port[16];
    observe->wanted = *wanted;
    if (wanted->record && use(observe, "mcap", "file", wanted->record) < 0) {
        return -1;
    }
    observe->viewers = observe->n;
    snprintf(port, sizeof port, "%d", wanted->port);
    if (wanted->port != OBSERVE_NO_PORT && use(observe, "foxglove", "port", port) < 0) {
        return -1;
    }
    if (observe->n == 0) {
        return 0;
    }
    if (dpl_converters_load(&options->converters, &options->n_converters, &why) < 0) {
        fprintf(stderr, "doppel run: %s\n", why.text);
        return -1;
    }
    options->allow_control = wanted->allow_control;
    options->gateways = observe->uses;
    options->n_gateways = observe->n;
    return 0;
}

/* ---- the note for other commands of this user ---- */

static json_t *describe(const struct dpl_app *app, int port, const char *token)
{
    return json_pack("{s:i, s:s, s:i, s:s}", "pid", (int)getpid(), "name", app->name, "port", port,
                     "token", token);
}

/* The file stays open, and locked by this process: that says that the run lives. What is in it
 * comes after the lock. */
static bool write_note(struct observe *observe, json_t *note)
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
static void leave_note(struct observe *observe, const struct dpl_app *app, int port,
                       const char *token)
{
    struct dpl_diag why = {0};
    char name[64];
    snprintf(name, sizeof name, DPL_USER_SCHEME "%d.run", (int)getpid());
    json_t *note = describe(app, port, token);
    if (dpl_user_path(name, true, observe->note, sizeof observe->note, &why) < 0 ||
        !write_note(observe, note)) {
        fprintf(stderr, "doppel run: warning: `doppel ps` does not show this run: %s\n",
                why.text[0] ? why.text : strerror(errno));
        observe->note[0] = '\0';
    }
    json_decref(note);
}

/* Who may set parameters: on the simulated clock nothing moves but the avatar. */
static const char *token_of(const struct observe *observe, const struct dpl_gateway_place *place,
                            bool is_simulated)
{
    return is_simulated || observe->wanted.allow_control ? place->control : place->look;
}

void observe_tell(struct observe *observe, const struct dpl_runtime *runtime,
                  const struct dpl_app *app, bool is_simulated)
{
    struct dpl_gateway_place place;
    if (observe->wanted.port == OBSERVE_NO_PORT) {
        return;
    }
    dpl_runtime_gateway_place(runtime, observe->viewers, &place);
    const char *token = token_of(observe, &place, is_simulated);
    fprintf(stderr, "view: http://127.0.0.1:%d/#t=%s\nview: ws://127.0.0.1:%d/%s\n", place.port,
            token, place.port, token);
    leave_note(observe, app, place.port, token);
}

void observe_close(struct observe *observe)
{
    if (observe->note[0]) {
        unlink(observe->note);
        close(observe->note_file);
    }
    for (size_t i = 0; i < observe->n; i++) {
        free(observe->blocks[i]);
    }
}
