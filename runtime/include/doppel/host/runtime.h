/* SPDX-License-Identifier: Apache-2.0 */
/* Running an application: for the CLI and other embedders. */
#ifndef DOPPEL_HOST_RUNTIME_H
#define DOPPEL_HOST_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <doppel/diag.h>
#include <doppel/host/app.h>
#include <doppel/link.h>
#include <doppel/log.h>
#include <doppel/machine.h>
#include <doppel/time.h>

struct dpl_runtime;

struct dpl_run_thread;

/* What a run offers to the threads of its worlds and links. Lives as long as the run. */
struct dpl_run_services {
    void *run;
    /* On each such thread, first: gives it the run's policy and priority, and takes it up among
     * the threads that the summary tells of. `name` is copied; `period`: between two wake-ups,
     * about. NULL: the run has too many; woke takes that. Calls the system. */
    struct dpl_run_thread *(*enter)(void *run, const char *name, dpl_ns period);
    /* That thread woke, by so much later than it wanted to. Wait-free. */
    void (*woke)(struct dpl_run_thread *thread, dpl_ns late);
    /* Somebody wants the run to end: nothing may wait for a world that is away. Any thread. */
    bool (*is_stopping)(void *run);
};

/* Where avatar worlds come from: implemented by avatar_sim, handed in by the tool, so that runtime
 * and drivers know only this table. */
struct dpl_world_host_ops {
    /* Before start, on the real clock and on the simulated one. NULL: does not care. */
    void (*attend)(void *self, const struct dpl_run_services *services);
    /* Opens a link for `device`. Loads an embedded world on first use. A link to a world in another
     * process says dpl_device_lost and dpl_device_found for its device. */
    int (*open_link)(void *self, const struct dpl_link_config *config, struct dpl_device *device,
                     struct dpl_link **ret_link, struct dpl_diag *reterr);
    /* After all devices are open, before the first cycle. `real_epoch`: CLOCK_MONOTONIC at time 0
     * of the run, whose worlds then run on a thread of their own; 0: simulated clock, worlds move
     * by advance only. */
    int (*start)(void *self, dpl_ns real_epoch, struct dpl_diag *reterr);
    /* Simulated clock: brings every world to `to` (lock-step); -ETIMEDOUT names who did not follow.
     */
    int (*advance)(void *self, dpl_ns to, struct dpl_diag *reterr);
    void (*stop)(void *self);
    /* The machine that a robot model describes; see dpl_component_load_machine. */
    int (*load_machine)(void *self, const char *file, struct dpl_machine *ret_machine,
                        struct dpl_diag *reterr);
    /* Touches of robots' bodies in all embedded worlds, for the summary. */
    uint64_t (*contacts)(void *self);
};

struct dpl_world_host {
    const struct dpl_world_host_ops
        *ops; /* NULL: no worlds; opening a link fails with a clear error */
    void *self;
};

/* What a status line needs; filled on the control thread from published snapshots. */
struct dpl_status {
    dpl_ns now;
    const char *text; /* the exports with DPL_FIELD_STATUS: "tag name value unit, ... | tag ..." */
    double load;      /* highest executor load of the last second, 0..1 */
    uint64_t overruns;
    uint64_t faults;
};

struct dpl_runtime_options {
    bool policy_given;      /* `policy` instead of what the profiles say, for all executors */
    enum dpl_policy policy; /* real clock */
    bool simulated;         /* lock-step clock */
    double rate;            /* simulated: factor of real time; 0: as fast as possible */
    dpl_ns duration;        /* stop after this much of the run's time; 0: until stopped */
    uint64_t seed;          /* 1 by default */
    const char *out_dir;    /* existing folder for summary.json and trace.csv, or NULL */
    enum dpl_log_level log_level;
    FILE *log; /* NULL: stderr */
    struct dpl_world_host world;
    void (*status)(void *user,
                   const struct dpl_status *status); /* about twice a second (real time), or NULL */
    void *status_user;
    dpl_ns process_start; /* CLOCK_MONOTONIC at the start of the process, for first_cycle_ms; 0:
                             unknown */
};

/* Creates and wires everything and initialises all components (devices open). On failure everything
 * that was opened is closed again. The app and the strings of the options must outlive the runtime.
 */
int dpl_runtime_create(const struct dpl_app *app, const struct dpl_runtime_options *options,
                       struct dpl_runtime **ret_runtime, struct dpl_diag *reterr);

/* Does what dpl_runtime_create does and takes it down again: finds what a run would refuse before
 * its first cycle. Only devices that need hardware stay closed, and components above them are not
 * initialised. 0, or the first error. */
int dpl_runtime_rehearse(const struct dpl_app *app, const struct dpl_runtime_options *options,
                         struct dpl_diag *reterr);

enum dpl_exit {
    DPL_EXIT_DONE = 0,
    DPL_EXIT_BAD_INPUT = 1,
    DPL_EXIT_USAGE = 2,
    DPL_EXIT_FAULT = 3,
    DPL_EXIT_VERDICT = 4, /* a test bench's verdict is not the expected one */
};

/* Removes from a folder what an earlier run wrote there, so that it is not taken for that of a run
 * that fails: summary.json, timing.json and trace.csv, what was opened by dpl_results_open, and
 * what is left of one that was not finished (.part). Other files stay, and so does what is no
 * regular file (a device, a folder). What is not there is no matter; -errno with reterr. Blocks. */
int dpl_results_clear(const char *folder, struct dpl_diag *reterr);

struct dpl_output;

/* Opens a further file of a run's results for writing, and adds it to the folder's list of those,
 * the file .doppel-results: as dpl_component_open_result, for who has no component. */
int dpl_results_open(const char *folder, const char *name, struct dpl_output *output,
                     struct dpl_diag *reterr);

/* A run that never began, or did not come to the end at which its summary is written. */
struct dpl_failure {
    enum dpl_exit code;
    const char *application; /* its name, or what was asked for and could not be loaded */
    dpl_ns duration;         /* in the run's time; 0: it never began */
    uint64_t faults;         /* told before; 0 counts as one: the failure itself */
    const struct dpl_diag *why;
};

/* Writes the summary.json of such a run: application, duration_s, faults, exit, error (`why`).
 * -errno with reterr. Blocks, allocates. */
int dpl_results_write_failure(const char *folder, const struct dpl_failure *failure,
                              struct dpl_diag *reterr);

/* Starts all components, runs until the duration is over or a stop is requested, stops all in
 * reverse order, writes summary.json (after a failure with the reason, `error`) and trace.csv. The
 * calling thread is the control thread. Returns DPL_EXIT_DONE; when a component failed in a way
 * that was not recovered, DPL_EXIT_FAULT; when one refused to start with what it was given
 * (-EINVAL), DPL_EXIT_BAD_INPUT (reason in reterr). */
enum dpl_exit dpl_runtime_run(struct dpl_runtime *runtime, struct dpl_diag *reterr);

/* Ends dpl_runtime_run in order. A second request ends it at once: what moves is not waited for,
 * and a callback of the life cycle (initialize, start, stop, destroy) that has not returned 0.1 s
 * later is not either: devices are told and get 0.3 s to stop, the standard error and summary.json
 * (`error`) say which callback it was, and the process ends with DPL_EXIT_FAULT. Any thread,
 * signal-safe. */
void dpl_runtime_request_stop(struct dpl_runtime *runtime);

/* The run of this process in which a callback of the life cycle runs at the moment, or NULL: also
 * one that dpl_runtime_create has not given yet, or that is being destroyed. For who would ask it
 * to stop. Signal-safe; on the thread that creates, runs and destroys it. */
struct dpl_runtime *dpl_runtime_calling(void);

/* For a run that two requests have not ended, because something else hangs, such as a driver: gives
 * what moves 0.3 s to stop, and ends the process with DPL_EXIT_FAULT. No results are written. Does
 * nothing while the run is not under way. Any thread, signal-safe. */
void dpl_runtime_give_up(struct dpl_runtime *runtime);

/* How long the run took, in its own time; 0 before its end. */
dpl_ns dpl_runtime_duration(const struct dpl_runtime *runtime);

/* Whether, after dpl_runtime_run, every component stopped without an error and all files were
 * written: a verdict that was given before says nothing of that. */
bool dpl_runtime_ended_well(const struct dpl_runtime *runtime);

/* The verdict that a component gave, or NULL. Lives as long as the runtime. */
struct dpl_verdict;
const struct dpl_verdict *dpl_runtime_verdict(const struct dpl_runtime *runtime);

void dpl_runtime_destroy(struct dpl_runtime *runtime);

#endif
