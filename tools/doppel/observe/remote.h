/* SPDX-License-Identifier: Apache-2.0 */
/* A run that another process makes, as a client of what it serves to viewers: what all commands
 * share that look into one. */
#ifndef DOPPEL_CLI_REMOTE_H
#define DOPPEL_CLI_REMOTE_H

#include <uv.h>

#include "bytes.h"
#include "options.h"
#include "runs.h"
#include "wire_client.h"
#include "wire_socket.h"

enum remote_end {
    REMOTE_DONE,   /* remote_done was called */
    REMOTE_TIME,   /* the seconds are over */
    REMOTE_SIGNAL, /* SIGINT, SIGTERM or SIGHUP */
    REMOTE_LOST,   /* the run has ended, or the connection is lost */
};

struct remote {
    const char *command;       /* "topic" */
    struct wire_client client; /* its events are the command's; their user is this struct */
    void *user;                /* the command's */
    void (*tick)(struct remote *remote); /* each second while it runs; NULL: not wanted */
    char status[512];                    /* the last error that the run has told; "": none */
    /* private */
    struct run_place place;
    uv_loop_t loop;
    uv_timer_t timer, second;
    uv_signal_t signals[3];
    const struct wire_socket_module *module;
    struct wire_socket *socket;
    bool is_over, is_lost, is_loop_open;
    enum remote_end end;
    char why[DPL_DIAG_TEXT_MAX];
};

/* Gets a file of the run, such as "/run.json", from where it is viewed: 0, or -errno: there is
 * none. Blocks, for 2 s at most at each step. */
int remote_fetch(const struct remote *remote, const char *path, struct dpl_bytes *out);

/* The option of all of them, of a struct with the member `run`. */
#define REMOTE_OPTION(type)                                                                        \
    {                                                                                              \
        "run", "NAME|PID", OPTION_STRING, offsetof(type, run), 0, 0,                               \
            "the run, if several can be viewed; also its address ws://...", NULL                   \
    }

/* Connects to a run and waits for its topics and services. DPL_EXIT_DONE; or an exit code after
 * printing why not. Either way remote_close. */
int remote_open(struct remote *remote, const char *command, const char *run);
void remote_close(struct remote *remote);

/* Lets messages come, for some seconds (INFINITY: without an end). */
enum remote_end remote_run(struct remote *remote, double seconds);
/* In an event: remote_run returns. */
void remote_done(struct remote *remote);

/* Seconds on the computer's clock. */
double remote_now(void);

/* Prints "doppel COMMAND: ...". */
void remote_complain(const struct remote *remote, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints that the run has ended; DPL_EXIT_FAULT. */
int remote_complain_lost(const struct remote *remote);
/* The same for a remote_run that has not got what it was for: what it was, "an answer". */
int remote_complain_end(const struct remote *remote, enum remote_end end, const char *what);

/* A topic by its name, also without the '/' in front. NULL after printing the nearest names. */
struct wire_topic *remote_topic(const struct remote *remote, const char *name);
/* The same for "TOPIC", "TOPIC.FIELD" and "TOPIC[N]"; the path is in `name`. */
struct wire_topic *remote_topic_field(const struct remote *remote, const char *name,
                                      const char **ret_path);

/* The newest message of a topic that holds until the next one (latched). DPL_EXIT_DONE with
 * *ret_value, which the caller owns; or an exit code after printing why not. */
int remote_newest(struct remote *remote, const char *name, json_t **ret_value);

/* Calls a service and waits. DPL_EXIT_DONE with *ret_answer, which the caller owns; or an exit code
 * after printing why not. */
int remote_call(struct remote *remote, struct wire_service *service, json_t *request,
                double timeout_s, json_t **ret_answer);

/* Parameters as [{name, value}], which the caller owns: all, or one, after it has been set to
 * `text` (NULL: as it is). NULL: *ret_code is the exit code, and why was printed. What the run says
 * to it is in remote->status. */
json_t *remote_parameters(struct remote *remote, const char *name, const char *text, int *ret_code);

/* Prints JSON in one line, and at once. */
void remote_print_json(json_t *value);

#endif
