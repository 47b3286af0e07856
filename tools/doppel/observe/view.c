/* SPDX-License-Identifier: Apache-2.0 */
/* doppel view: a recording in the dashboard. The server of viewers has the page; it gets the
 * recording as the only file, and no topic. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <uv.h>

#include <doppel/host/gateway.h>

#include "commands.h"
#include "common.h"
#include "fields.h"

struct values {
    double port;
};

/* A file in memory. */
struct mapped {
    void *data; /* NULL: none */
    size_t n;
};

/* ---- the server's observer: nothing runs ---- */

static void listen_to(void *observer, const struct dpl_topic *topic, int by)
{
    (void)observer;
    (void)topic;
    (void)by;
}

static void ask(void *observer, void *gateway, const struct dpl_asked *asked)
{
    const struct dpl_answer no = {
        .tag = asked->tag, .err = -ENOTSUP, .why = "a recording cannot be steered"};
    const struct dpl_gateway *const *server = observer;
    (*server)->answer(gateway, &no);
}

static dpl_ns now(void *observer)
{
    (void)observer;
    return 0;
}

static void tell(void *observer, enum dpl_log_level level, const char *text)
{
    (void)observer;
    (void)level;
    fprintf(stderr, "doppel view: %s\n", cli_clean(text));
}

static const struct dpl_observer_ops ops = {listen_to, ask, now, tell};

/* ---- the file ---- */

/* A recording begins with these eight bytes. */
static bool is_recording(const struct mapped *file)
{
    static const char magic[] = "\x89MCAP0\r\n";
    return file->n >= 8 && memcmp(file->data, magic, 8) == 0;
}

static int map_file(const char *path, struct mapped *ret_file)
{
    struct stat about;
    const char *why = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *ret_file = (struct mapped){0};
    if (fd < 0 || fstat(fd, &about) < 0) {
        why = strerror(errno);
    } else if (!S_ISREG(about.st_mode) || about.st_size == 0) {
        why = "it is no recording";
    } else {
        void *data = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        why = data == MAP_FAILED ? strerror(errno) : NULL;
        *ret_file = why ? *ret_file : (struct mapped){data, (size_t)about.st_size};
        why = !why && !is_recording(ret_file) ? "it does not begin as an MCAP file does" : why;
    }
    if (fd >= 0) {
        close(fd);
    }
    if (why) {
        fprintf(stderr, "doppel view: %s: error: %s\n", cli_clean(path), why);
    }
    return why ? -1 : 0;
}

/* ---- the command ---- */

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    uv_stop(handle->loop);
}

/* The name after '#', with the signs that an address cannot have as %XX. */
static void print_address(const struct dpl_gateway_place *place, const char *path)
{
    const char *slash = strrchr(path, '/');
    printf("view: http://127.0.0.1:%d/#r=%s&n=", place->port, place->look);
    for (const char *c = slash ? slash + 1 : path; *c; c++) {
        bool is_plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                        (*c >= 'A' && *c <= 'Z') || strchr("._-", *c);
        printf(is_plain ? "%c" : "%%%02X", (unsigned char)*c);
    }
    putchar('\n');
    fflush(stdout);
}

/* Serves until a signal. */
static void serve(const struct dpl_gateway *gateway, void *server, uv_loop_t *loop,
                  const struct mapped *file, const char *path)
{
    struct dpl_kept_file kept = {"recording.mcap", "application/octet-stream", file->data, file->n};
    struct dpl_gateway_place place;
    uv_signal_t ends[2];
    static const int numbers[2] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        uv_signal_init(loop, &ends[i]);
        uv_signal_start(&ends[i], on_signal, numbers[i]);
    }
    gateway->keep(server, &kept);
    gateway->where(server, &place);
    print_address(&place, path);
    uv_run(loop, UV_RUN_DEFAULT);
    for (int i = 0; i < 2; i++) {
        uv_close((uv_handle_t *)&ends[i], NULL);
    }
    gateway->close(server, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
}

/* The options of the server: what it has by default, but the port. 0, or -errno with reterr. */
static int set_options(const struct dpl_gateway *gateway, int port, void *ret_options,
                       struct dpl_diag *reterr)
{
    char number[16];
    int r = 0;
    snprintf(number, sizeof number, "%d", port);
    for (size_t i = 0; i < gateway->n_options && r == 0; i++) {
        const struct dpl_field *field = &gateway->options[i];
        bool is_port = strcmp(field->name, "port") == 0;
        struct dpl_field_text text = {.text = is_port ? number : field->default_text};
        r = dpl_field_parse(field, &text, ret_options, reterr);
    }
    return r;
}

static int view(const char *path, const struct mapped *file, int port)
{
    struct dpl_diag why = {0};
    const struct dpl_gateway *gateway;
    uv_loop_t loop;
    void *server, *wanted = NULL;
    int r = dpl_gateway_load("foxglove", &gateway, &why);
    if (r == 0) {
        wanted = calloc(1, gateway->options_size);
        r = wanted ? set_options(gateway, port, wanted, &why) : -ENOMEM;
    }
    if (r == 0 && uv_loop_init(&loop) == 0) {
        struct dpl_gateway_setup setup = {.ops = &ops,
                                          .observer = &gateway,
                                          .loop = &loop,
                                          .options = wanted,
                                          .name = "recording"};
        r = gateway->open(&setup, &server, &why);
        if (r == 0) {
            serve(gateway, server, &loop, file, path);
        }
        uv_loop_close(&loop);
    }
    free(wanted);
    if (r < 0) {
        fprintf(stderr, "doppel view: %s\n", why.text);
    }
    return r < 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
}

static int run(int argc, char **argv)
{
    struct values values = {0};
    struct mapped file;
    int n = options_parse(&command_view, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    int code =
        map_file(argv[1], &file) < 0 ? DPL_EXIT_BAD_INPUT : view(argv[1], &file, (int)values.port);
    if (file.data) {
        munmap(file.data, file.n);
    }
    return code;
}

static const struct option options[] = {
    {"port", "PORT", OPTION_NUMBER, offsetof(struct values, port), 0, 65535,
     "TCP port on this machine (default: a free one)", NULL},
};

const struct command command_view = {
    .name = "view",
    .operands = "FILE.mcap",
    .summary = "shows a recording in the browser",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 1,
    .more =
        "Prints an address for the browser, and serves the page and the recording to this machine\n"
        "until SIGINT. Who has not the address cannot read the recording. Exit codes: 0 done, 1\n"
        "the file is no recording or the port is taken, 2 usage.\n",
    .run = run,
};
