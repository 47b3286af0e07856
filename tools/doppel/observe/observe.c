/* SPDX-License-Identifier: Apache-2.0 */
#include "observe.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doppel/host/user_folder.h>

#include "common.h"
#include "fields.h"
#include "record_files.h"

/* Whether a file is to be in the folder, which may be made later. */
static bool is_in(const char *file, const char *folder)
{
    const char *slash = strrchr(file, '/');
    char of_file[4096];
    struct stat a, b;
    snprintf(of_file, sizeof of_file, "%.*s", slash ? (int)(slash - file) : 1, slash ? file : ".");
    size_t n = strlen(of_file);
    return (strncmp(of_file, folder, n) == 0 && folder[n + strspn(folder + n, "/")] == '\0') ||
           (stat(of_file, &a) == 0 && stat(folder, &b) == 0 && a.st_dev == b.st_dev &&
            a.st_ino == b.st_ino);
}

/* A run replaces files in the folder of its results: none of them has this end. */
bool observe_may_record(const char *command, const char *record, const char *out)
{
    const char *end = strrchr(record, '.');
    bool is_within = out && is_in(record, out);
    if (!record[0]) {
        fprintf(stderr, "doppel %s: --record: the name of the file is empty\n", command);
        return false;
    }
    if (is_within && (!end || strcmp(end, ".mcap") != 0)) {
        fprintf(stderr, "doppel %s: --record %s: in the folder of --out its name ends in .mcap\n",
                command, cli_clean(record));
        return false;
    }
    return true;
}

int observe_use(struct observe *observe, const char *name, const char *option, const char *value)
{
    struct dpl_diag why = {0};
    const struct dpl_gateway *gateway;
    int r = dpl_gateway_load(name, &gateway, &why);
    void *block = r < 0 ? NULL : calloc(1, gateway->options_size);
    if (!block) {
        fprintf(stderr, "doppel %s: %s\n", observe->wanted.command,
                r < 0 ? why.text : "out of memory");
        return -1;
    }
    for (size_t i = 0; i < gateway->n_options && r == 0; i++) {
        const struct dpl_field *field = &gateway->options[i];
        struct dpl_field_text text = {
            .text = strcmp(field->name, option) == 0 ? value : field->default_text};
        r = dpl_field_parse(field, &text, block, &why);
    }
    if (r < 0) {
        fprintf(stderr, "doppel %s: %s: %s\n", observe->wanted.command, option, why.text);
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
    if (wanted->record && observe_use(observe, "mcap", "file", wanted->record) < 0) {
        return -1;
    }
    if (wanted->record && wanted->plan) {
        record_plan_apply(wanted->plan, observe->blocks[0]);
    }
    observe->viewers = observe->n;
    snprintf(port, sizeof port, "%d", wanted->port);
    if (wanted->port != OBSERVE_NO_PORT && observe_use(observe, "foxglove", "port", port) < 0) {
        return -1;
    }
    if (observe->n == 0) {
        return 0;
    }
    if (dpl_converters_load(&options->converters, &options->n_converters, &why) < 0) {
        fprintf(stderr, "doppel %s: %s\n", wanted->command, why.text);
        return -1;
    }
    options->allow_control = wanted->allow_control;
    options->gateways = observe->uses;
    options->n_gateways = observe->n;
    return 0;
}

/* ---- the note for other commands of this user ---- */

static json_t *describe(const char *name, int port, const char *token)
{
    return json_pack("{s:i, s:s, s:i, s:s}", "pid", (int)getpid(), "name", name, "port", port,
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
static void leave_note(struct observe *observe, const char *name, int port, const char *token)
{
    struct dpl_diag why = {0};
    char file[64];
    snprintf(file, sizeof file, DPL_USER_SCHEME "%d.run", (int)getpid());
    json_t *note = describe(name, port, token);
    if (dpl_user_path(file, true, observe->note, sizeof observe->note, &why) < 0 ||
        !write_note(observe, note)) {
        fprintf(stderr, "doppel %s: warning: `doppel ps` does not show this run: %s\n",
                observe->wanted.command, why.text[0] ? why.text : strerror(errno));
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

void observe_announce(struct observe *observe, const char *name, int port, const char *token)
{
    fprintf(stderr, "view: http://127.0.0.1:%d/#t=%s\nview: ws://127.0.0.1:%d/%s\n", port, token,
            port, token);
    leave_note(observe, name, port, token);
}

int observe_tell(struct observe *observe, const struct dpl_runtime *runtime,
                 const struct dpl_app *app, bool is_simulated)
{
    struct dpl_gateway_place place;
    const struct record_plan *plan = observe->wanted.record ? observe->wanted.plan : NULL;
    if (plan && record_triggers_check(&plan->triggers) < 0) {
        return -1;
    }
    if (observe->wanted.port == OBSERVE_NO_PORT) {
        return 0;
    }
    dpl_runtime_gateway_place(runtime, observe->viewers, &place);
    observe_announce(observe, app->name, place.port, token_of(observe, &place, is_simulated));
    return 0;
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
