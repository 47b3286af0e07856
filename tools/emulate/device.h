/* SPDX-License-Identifier: Apache-2.0 */
/* Emulated devices: each is a const table, which combines electronics, a physical model and a
 * session. Adding one is a file with a table, and a line in the list (device_list.c). */
#ifndef EMULATE_DEVICE_H
#define EMULATE_DEVICE_H

#include <doppel/host/app.h>

#include "../doppel/options.h"
#include "session.h"
#include "truth.h"

struct observe_wanted;

/* Options that every device has. */
struct emulate_options {
    const char *pty, *host;
    int tcp_port; /* 0: a pty */
    enum dpl_policy policy;
    struct faults_config faults;
    struct truth_options truth; /* for devices that measure a robot's surroundings */
    bool exits_at_end;          /* of the physical model */
    const struct observe_wanted *observed;
    int ready_fd; /* of a device in the background; 0: it is in the foreground */
};

struct emulated_device {
    struct option_set set; /* its name, what it is, and options that it alone has */
    /* Why it has no such option, as an error for users; NULL: it has. */
    const char *no_tcp, *no_world, *no_log;
    const struct session_device *ops;
    size_t size; /* of its state, which begins with a struct session and is zeroed before open */
    /* Checks its own options before anything is opened: 0, or -EINVAL with reterr, which is an
     * error of the command line. NULL: nothing to check. */
    int (*check)(const void *own, struct dpl_diag *reterr);
    /* Sets its state, and opens what it measures and its port: 0, or -errno with reterr. */
    int (*open)(void *device, const struct emulate_options *options, const void *own,
                struct dpl_diag *reterr);
    /* Of its state: what observers are shown. */
    const struct dpl_field *values;
    size_t n_values;
    size_t (*count_values)(const void *device); /* that it has, once it is open; NULL: all */
    /* The robot that it is on, once it is open. NULL, or returns NULL: none. */
    struct robot_link *(*robot)(void *device);
    /* After a run: prints to standard error what was sent and received. */
    void (*print_summary)(const void *device);
    /* Closes all but its session, also after an error of open. NULL: nothing. */
    void (*close)(void *device);
};

/* All of them; NULL ends. */
extern const struct emulated_device *const emulated_devices[];

/* Of a device: one of its own options, a member of the struct `struct_`. */
#define DEVICE_OPTION(struct_, name_, argument_, type_, member_, help_)                            \
    .name = name_, .argument = argument_, .type = type_, .offset = offsetof(struct_, member_),     \
    .help = help_
#define DEVICE_OPTIONS(options_, defaults_)                                                        \
    .options = options_, .n_options = sizeof(options_) / sizeof((options_)[0]),                    \
    .size = sizeof(defaults_), .defaults = &(defaults_)

/* Opens the physical model, faults and port of a session; then it can run. */
int emulate_open(const struct emulate_options *options, const struct truth_options *truth,
                 enum truth_device device, struct session *session, struct truth **ret_truth,
                 struct dpl_diag *reterr);

/* The same for a device without a physical model. */
int emulate_open_port(const struct emulate_options *options, struct session *session,
                      struct dpl_diag *reterr);

#endif
