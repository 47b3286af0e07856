/* SPDX-License-Identifier: Apache-2.0 */
/* doppel view: one recording in the dashboard, or two of them over each other. The server of
 * viewers has the page; it gets the recordings as its only files, and no topic. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include <doppel/host/gateway.h>

#include "bag.h"
#include "bag_folder.h"
#include "bag_write.h"
#include "bytes.h"
#include "commands.h"
#include "common.h"
#include "fields.h"
#include "observe.h"
#include "status_row.h"
#include "view_folder.h"

struct values {
    double port;
};

#define SHOWN_MAX     2
#define UNPACKED_MOST ((size_t)128 << 20) /* bytes of a file */
#define PATH_BYTES    4096

/* A recording in memory. */
struct shown {
    char path[PATH_BYTES];
    struct dpl_bytes bytes;
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

/* ---- the files ---- */

static int fail(const struct dpl_diag *why)
{
    char text[DPL_DIAG_TEXT_MAX + PATH_BYTES];
    dpl_diag_format_cause(why, text, sizeof text);
    fprintf(stderr, "doppel view: %s\n", text);
    return -1;
}

static void tell_share(double share)
{
    status_row_show(share, "reading the recording");
}

/* A browser unpacks ten times slower than this program: a recording that is not too long is served
 * unpacked. */
static int read_file(const char *path, struct shown *ret_shown)
{
    struct dpl_diag why = {0};
    char trouble[BAG_TROUBLE_MAX] = "";
    struct bag bag;
    int r = bag_open_run(path, ret_shown->path, sizeof ret_shown->path, &bag, &why);
    if (r < 0) {
        return fail(&why);
    }
    if (r == 1 || bag.n > UNPACKED_MOST) {
        r = 0;
        dpl_bytes_add(&ret_shown->bytes, bag.bytes, bag.n);
    } else {
        status_row_begin();
        r = bag_unpack(ret_shown->path, tell_share, &ret_shown->bytes, trouble, &why);
        status_row_end();
    }
    bag_close(&bag);
    if (trouble[0]) {
        fprintf(stderr, "doppel view: %s: warning: %s\n", cli_clean(ret_shown->path), trouble);
    }
    return r < 0 ? fail(&why) : 0;
}

/* ---- the command ---- */

static void on_signal(uv_signal_t *handle, int number)
{
    (void)number;
    uv_stop(handle->loop);
}

/* The names after '#', with the signs that an address cannot have as %XX. */
static void print_address(const struct dpl_gateway_place *place, const struct shown *shown,
                          size_t n)
{
    printf("view: http://127.0.0.1:%d/#r=%s", place->port, place->look);
    for (size_t i = 0; i < n; i++) {
        const char *slash = strrchr(shown[i].path, '/');
        printf("&n=");
        for (const char *c = slash ? slash + 1 : shown[i].path; *c; c++) {
            bool is_plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                            (*c >= 'A' && *c <= 'Z') || strchr("._-", *c);
            printf(is_plain ? "%c" : "%%%02X", (unsigned char)*c);
        }
    }
    putchar('\n');
    fflush(stdout);
}

/* Serves until a signal. */
static void serve(const struct dpl_gateway *gateway, void *server, uv_loop_t *loop,
                  struct shown *shown, size_t n)
{
    static const char *const names[SHOWN_MAX] = {"recording.mcap", "recording2.mcap"};
    struct dpl_gateway_place place;
    uv_signal_t ends[2];
    static const int numbers[2] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        uv_signal_init(loop, &ends[i]);
        uv_signal_start(&ends[i], on_signal, numbers[i]);
    }
    for (size_t i = 0; i < n; i++) {
        struct dpl_bytes *bytes = &shown[i].bytes;
        gateway->keep(server, &(struct dpl_kept_file){names[i], "application/octet-stream",
                                                      bytes->data, bytes->n});
        dpl_bytes_finish(bytes); /* the server has a copy */
    }
    gateway->where(server, &place);
    print_address(&place, shown, n);
    uv_run(loop, UV_RUN_DEFAULT);
    for (int i = 0; i < 2; i++) {
        uv_close((uv_handle_t *)&ends[i], NULL);
    }
    gateway->close(server, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
}

static int view(struct shown *shown, size_t n, int port)
{
    struct dpl_runtime_options options = {.simulated = true}; /* its gateway is wanted */
    const struct observe_wanted wanted = {"view", {.view = port}, NULL};
    struct dpl_observe *observe;
    struct dpl_diag why = {0};
    uv_loop_t loop;
    void *server;
    if (observe_open(&wanted, &options, &observe) < 0) {
        return DPL_EXIT_BAD_INPUT;
    }
    const struct dpl_gateway_use *use = &options.gateways[0];
    int r = uv_loop_init(&loop) == 0 ? 0 : -ENOMEM;
    if (r == 0) {
        const struct dpl_gateway *gateway = use->gateway;
        struct dpl_gateway_setup setup = {&ops, &gateway, &loop, use->options, "recording"};
        r = gateway->open(&setup, &server, &why);
        if (r == 0) {
            serve(gateway, server, &loop, shown, n);
        }
        uv_loop_close(&loop);
    }
    dpl_observe_close(observe);
    if (r < 0) {
        fprintf(stderr, "doppel view: %s\n", r == -ENOMEM ? "no memory" : why.text);
    }
    return r < 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
}

static int run(int argc, char **argv)
{
    struct values values = {0};
    int n = options_parse(&command_view, argc, argv, &values), code = DPL_EXIT_DONE;
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    if (n == 1 && view_folder_is(argv[1])) {
        return view_folder(argv[1], (int)values.port);
    }
    struct shown *shown = calloc(SHOWN_MAX, sizeof *shown);
    for (int i = 0; shown && i < n && code == DPL_EXIT_DONE; i++) {
        code = read_file(argv[i + 1], &shown[i]) < 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
    }
    if (!shown) {
        fprintf(stderr, "doppel view: no memory\n");
        return DPL_EXIT_FAULT;
    }
    code = code == DPL_EXIT_DONE ? view(shown, (size_t)n, (int)values.port) : code;
    for (int i = 0; i < SHOWN_MAX; i++) {
        dpl_bytes_finish(&shown[i].bytes);
    }
    free(shown);
    return code;
}

static const struct option options[] = {
    {"port", "PORT", OPTION_NUMBER, offsetof(struct values, port), 0, 65535,
     "TCP port on this machine (default: a free one)", NULL},
};

const struct command command_view = {
    .name = "view",
    .operands = "RUN [RUN]",
    .summary = "shows a recording, or two over each other, or a folder of benches and plans",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = SHOWN_MAX,
    .more =
        "RUN is a recording (--record FILE.mcap) or the folder of a run (--out), which shows no\n"
        "walls and no log unless it has a recording. In a folder of benches, test plans and\n"
        "machines they are run, and files with other parameters made. Prints an address for the "
        "browser, and "
        "serves\n"
        "the page and the recording to this machine until SIGINT. Who has not the address cannot\n"
        "read the recording. Exit codes: 0 done, 1 there is no run, or the port is taken, 2 "
        "usage.\n",
    .run = run,
};
