/* SPDX-License-Identifier: Apache-2.0 */
/* Runs an application: for the CLI and other programs. */
#ifndef DOPPEL_HOST_RUNTIME_H
#define DOPPEL_HOST_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <doppel/diag.h>
#include <doppel/host/app.h>
#include <doppel/link.h>
#include <doppel/log.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_converter;
struct dpl_gateway_place;
struct dpl_gateway_use;
struct dpl_runtime;
struct dpl_scene;

struct dpl_run_thread;

/* Services of a run for the threads of its worlds and links. Valid until the end of the run. */
struct dpl_run_services {
    void *run;
    /* Each such thread calls this first: it gets the run's policy and priority, and is listed under
     * `threads` in the summary. `name` is copied; `period`: approximate time between two wake-ups.
     * NULL: the run has too many threads; woke accepts NULL. Makes system calls. */
    struct dpl_run_thread *(*enter)(void *run, const char *name, dpl_ns period);
    /* Reports that the thread woke `late` after the wanted time. Wait-free. */
    void (*woke)(struct dpl_run_thread *thread, dpl_ns late);
    /* Whether the end of the run was requested: then no thread may wait for a world that does not
     * answer. Any thread. */
    bool (*is_stopping)(void *run);
    /* Requests the end of the run: a world cannot go on (`fault` says why). Any thread. */
    void (*end)(void *run);
};

/* Contacts of a robot's body with one object. The worlds own the texts. */
struct dpl_world_host_contact {
    const char *world, *robot, *with; /* names */
    uint64_t n;                       /* number of contacts that began */
    dpl_ns first;                     /* world time of the first contact */
};

/* The time of a world that moves by itself on the real clock. */
struct dpl_world_time {
    dpl_ns now; /* of the world */
    bool paused;
    double rate;         /* factor of real time; 0: as fast as possible */
    const char *why_not; /* a reason why nobody may steer it; NULL: one may */
};

/* Access to avatar worlds. avatar_sim implements this table and the tool passes it to the runtime,
 * so that runtime and drivers need no other interface of avatar_sim. */
struct dpl_world_host_ops {
    /* Called before start, on the real and on the simulated clock. NULL: not needed. */
    void (*attend)(void *self, const struct dpl_run_services *services);
    /* Opens a link for `device`. Loads an embedded world on first use. A link to a world in another
     * process calls dpl_device_lost and dpl_device_found for its device. */
    int (*open_link)(void *self, const struct dpl_link_config *config, struct dpl_device *device,
                     struct dpl_link **ret_link, struct dpl_diag *reterr);
    /* Called after all devices are open, before the first cycle. `real_epoch`: CLOCK_MONOTONIC at
     * time 0 of the run; then each world runs on its own thread. 0: simulated clock; then worlds
     * move only by advance. */
    int (*start)(void *self, dpl_ns real_epoch, struct dpl_diag *reterr);
    /* Simulated clock: advances every world to the time `to` (lock-step); -ETIMEDOUT names the
     * world that did not follow. */
    int (*advance)(void *self, dpl_ns to, struct dpl_diag *reterr);
    /* Simulated clock, now and then while the run pauses: shows the present values to those who
     * have come to see them. NULL: not called. */
    void (*look)(void *self);
    void (*stop)(void *self);
    /* Number of contacts of robots' bodies in all embedded worlds, for the summary. */
    uint64_t (*contacts)(void *self);
    /* Called after stop: calls `tell` for the contacts of each robot in each embedded world. NULL:
     * not called. */
    void (*tell_contacts)(void *self,
                          void (*tell)(void *user, const struct dpl_world_host_contact *contact),
                          void *user);
    /* Whether a world has ended by itself, as one does whose motion no step can follow: 0, or
     * -errno with reterr: the run has failed. Any thread. NULL: none does. */
    int (*fault)(void *self, struct dpl_diag *reterr);
    /* What embedded world number `i` shows to observers (doppel/host/scene.h); NULL: there are not
     * so many. When all links are open; valid until the end of the run. NULL: not called. */
    struct dpl_scene *(*scene)(void *self, size_t i);
    /* On the real clock: where the only world is, that others may steer. Observer's thread. NULL:
     * its time is the run's. */
    void (*time)(void *self, struct dpl_world_time *ret_time);
    /* Asks it for a change of its time, in words: "pause", "run", "step 3", "for 0.5", "rate 2",
     * "rate max". A number for `steered`, or -errno with reterr. Observer's thread. */
    int (*steer)(void *self, const char *command, struct dpl_diag *reterr);
    /* 1: that is done, at the world's time ret_time; 0: not yet; -errno with reterr: it came to
     * nothing. After 1 or -errno the number is no longer one. */
    int (*steered)(void *self, int request, dpl_ns *ret_time, struct dpl_diag *reterr);
    /* Hands of those who look: a value for input `channel` of what scene `i` shows, as
     * doppel/channel.h stores it and within its range; NULL: they let go of it. They hold it until
     * they put it again, or for `hold` of the world's time; 0: for ever. The world takes it at its
     * next step, and does a request once. 0, or with reterr: -EBUSY: somebody else commands it;
     * -EINVAL: one cannot hold a request; -ENOMEM. Observer's thread, as below. NULL: the worlds
     * take nothing from hands. */
    int (*put)(void *self, size_t i, size_t channel, const void *value, dpl_ns hold,
               struct dpl_diag *reterr);
    /* What came of the newest value for it: an enum dpl_world_hand, or -errno with reterr: the
     * world refuses it. */
    int (*hand)(void *self, size_t i, size_t channel, struct dpl_diag *reterr);
    /* Who else commands it now ("a Modbus master"), a constant text; NULL: nobody. */
    const char *(*commander)(void *self, size_t i, size_t channel);
};

enum dpl_world_hand {
    DPL_HAND_WAITS, /* the world has not taken the value yet */
    DPL_HAND_HOLDS,
    DPL_HAND_FREE, /* it has let go, or the request is done */
};

struct dpl_world_host {
    const struct dpl_world_host_ops
        *ops; /* NULL: no worlds; opening a link fails with a clear error */
    void *self;
};

/* Content of a status line; filled on the control thread from published snapshots. */
struct dpl_status {
    dpl_ns now, end;  /* of the run; when its duration is over, 0: it goes on */
    const char *text; /* the exports with DPL_FIELD_STATUS: "tag name value unit, ... | tag ..." */
    double load;      /* highest executor load of the last second, 0..1 */
    uint64_t overruns;
    uint64_t faults;
};

/* The program that runs an application, for run.json. */
struct dpl_program {
    const char *version;      /* of Doppel; NULL: unknown */
    const char *const *words; /* [n_words] of its command line */
    size_t n_words;
};

/* What a run tells a program that watches over it. */
enum dpl_beat {
    DPL_BEAT_WAITS,    /* for a device that is not there: `text` says which and why */
    DPL_BEAT_EXECUTES, /* every executor goes on; `text`: "A lost, B failed", or "" */
    DPL_BEAT_STOPS,    /* once: the end of the run begins; `text`: "" */
};

struct dpl_runtime_options {
    bool policy_given; /* use `policy` instead of the policies of the profiles, for all executors */
    enum dpl_policy policy; /* real clock */
    bool simulated;         /* lock-step clock */
    /* Ways to those who observe the run: each is opened when the runtime is created, and closed at
     * the end of dpl_runtime_run. Borrowed until dpl_runtime_destroy. */
    const struct dpl_gateway_use *gateways;
    size_t n_gateways;
    /* On the real clock: those who look may do more, if their role is DPL_ROLE_CONTROL. On the
     * simulated clock they always may. */
    bool allow_control;
    /* Makes messages of schemas that other tools know from some of the run's; NULL: none. */
    const struct dpl_converter *converters;
    size_t n_converters;
    /* Simulated, without components that execute: who moves the time, in place of the scheduler.
     * Calls dpl_runtime_go before each of its steps. 0, or -errno with reterr: the run has failed.
     * On the thread of dpl_runtime_run. NULL: the scheduler does. */
    int (*drive)(void *user, struct dpl_runtime *runtime, struct dpl_diag *reterr);
    void *drive_user;
    dpl_ns drive_step; /* of its time: a cycle, for those who step the run; 0: 10 ms */
    double rate;       /* simulated: factor of real time; 0: as fast as possible */
    dpl_ns hold;       /* simulated: it is paused when all that is due until then is done; 0: not */
    dpl_ns duration;   /* stop after this much, from the first cycle; 0: until stopped */
    uint64_t seed;     /* 1 by default */
    const char *out_dir; /* existing folder for run.json, summary.json and trace.csv, or NULL */
    dpl_ns trace_every;  /* time between two rows of trace.csv, at least; 0: every cycle */
    uint64_t trace_most; /* bytes of the trace: at half of them trace.csv becomes
                            trace_before.csv, in place of an older one; 0: no limit */
    struct dpl_program program;
    enum dpl_log_level log_level;
    FILE *log; /* NULL: stderr */
    struct dpl_world_host world;
    void (*status)(void *user,
                   const struct dpl_status *status); /* about twice a second (real time), or NULL */
    void *status_user;
    dpl_ns process_start; /* CLOCK_MONOTONIC at the start of the process, for first_cycle_ms; 0:
                             unknown */
    dpl_ns device_wait;   /* for devices that are not there when they are opened, in all; 0: not */
    /* About ten times a second while it waits and executes. Left out while an executor is stuck or
     * makes no cycles. On the control thread; NULL: nobody watches. */
    void (*beat)(void *user, enum dpl_beat beat, const char *text);
    void *beat_user;
    /* When its time is over, before anything is stopped. On the control thread; NULL: nobody. */
    void (*over)(void *user, const struct dpl_runtime *runtime);
    void *over_user;
    /* Simulated clock: between two cycles, first when the run has begun, then each sample_every of
     * its time. True: the run ends there. On the control thread, while nothing executes; NULL:
     * nobody. */
    bool (*sample)(void *user, const struct dpl_runtime *runtime, dpl_ns now);
    void *sample_user;
    dpl_ns sample_every;
};

/* Where gateway `i` of the options listens; `port` is 0 if it does not. The texts are valid until
 * the end of dpl_runtime_run. */
void dpl_runtime_gateway_place(const struct dpl_runtime *runtime, size_t i,
                               struct dpl_gateway_place *ret_place);

/* Creates and connects everything and initialises all components (devices open). On failure
 * everything that was opened is closed again. -ENODEV: a device is not there; -ECANCELED: a stop
 * was requested while it waited for one. The app and the strings of the options must outlive the
 * runtime. */
int dpl_runtime_create(const struct dpl_app *app, const struct dpl_runtime_options *options,
                       struct dpl_runtime **ret_runtime, struct dpl_diag *reterr);

/* Does what dpl_runtime_create does and destroys the result: finds the errors that a run would
 * report before its first cycle. Exception: devices that need hardware stay closed, and components
 * with such a device are not initialised. 0, or the first error. */
int dpl_runtime_rehearse(const struct dpl_app *app, const struct dpl_runtime_options *options,
                         struct dpl_diag *reterr);

enum dpl_exit {
    DPL_EXIT_DONE = 0,
    DPL_EXIT_BAD_INPUT = 1,
    DPL_EXIT_USAGE = 2,
    DPL_EXIT_FAULT = 3,
    DPL_EXIT_VERDICT = 4, /* the verdict of a test bench is not the expected one */
    DPL_EXIT_DEVICE = 5,  /* a device is not there, or was lost when the run ended */
};

/* Removes the results of an earlier run from a folder, so that nobody takes them for results of a
 * run that fails: run.json, summary.json, timing.json, trace.csv and trace_before.csv, files opened
 * by dpl_results_open, and incomplete ones of these (.part). Other files stay, and so does
 * everything that is not a regular file (a device, a folder). A missing file is not an error;
 * -errno with reterr. Blocks. */
int dpl_results_clear(const char *folder, struct dpl_diag *reterr);

struct dpl_output;

/* Opens an additional result file of a run for writing, and adds it to the list of these files in
 * the folder, .doppel-results. As dpl_component_open_result, for code outside of components. */
int dpl_results_open(const char *folder, const char *name, struct dpl_output *output,
                     struct dpl_diag *reterr);

/* A run that did not start, or that ended before its summary was written. */
struct dpl_failure {
    enum dpl_exit code;
    const char *application; /* its name, or the requested name if it could not be loaded */
    dpl_ns duration;         /* in the run's time; 0: it did not start */
    uint64_t faults;         /* before the failure; 0 counts as 1: the failure itself */
    const struct dpl_diag *why;
};

/* Writes the summary.json of such a run: application, duration_s, faults, exit, error (`why`).
 * -errno with reterr. Blocks, allocates. */
int dpl_results_write_failure(const char *folder, const struct dpl_failure *failure,
                              struct dpl_diag *reterr);

/* Starts all components, runs until the duration is over or a stop is requested, stops all in
 * reverse order, writes summary.json (after a failure with the reason, `error`) and trace.csv. The
 * calling thread is the control thread. Returns DPL_EXIT_DONE; DPL_EXIT_FAULT when a component
 * failed and did not recover; DPL_EXIT_DEVICE when it did so because its device is lost;
 * DPL_EXIT_BAD_INPUT when a component refused to start because of its
 * input (-EINVAL; reason in reterr). */
enum dpl_exit dpl_runtime_run(struct dpl_runtime *runtime, struct dpl_diag *reterr);

/* In `drive` of the options, before a step that ends at `to` of the run's time: does what others
 * have asked for, and waits until time may go there: for its rate, and while it is paused. False:
 * the run is to stop, without that step. Blocks. */
bool dpl_runtime_go(struct dpl_runtime *runtime, dpl_ns to);

/* Ends dpl_runtime_run in the normal order. A second request ends it at once, without waiting until
 * moving parts are at rest. If a life-cycle callback (initialize, start, stop, destroy) has not
 * returned 0.1 s after the second request, devices get a stop command and 0.3 s to stop, standard
 * error and summary.json (`error`) name the callback, and the process ends with DPL_EXIT_FAULT. Any
 * thread, signal-safe. */
void dpl_runtime_request_stop(struct dpl_runtime *runtime);

/* Whether dpl_runtime_request_stop ended the run, before a component did; summary.json has it, too.
 * Any thread. */
bool dpl_runtime_was_interrupted(const struct dpl_runtime *runtime);

/* The run of this process in which a life-cycle callback runs now, or NULL. Also a run that
 * dpl_runtime_create has not returned yet, or that is being destroyed. Use it to request a stop.
 * Signal-safe; only on the thread that creates, runs and destroys the run. */
struct dpl_runtime *dpl_runtime_calling(void);

/* For a run that two stop requests have not ended because something else blocks, such as a driver:
 * gives moving devices 0.3 s to stop, and ends the process with DPL_EXIT_FAULT. Writes no results.
 * Does nothing when no run is active. Any thread, signal-safe. */
void dpl_runtime_give_up(struct dpl_runtime *runtime);

/* For a program that defines _exit: call it there first. If the process is that of an active run,
 * a component or driver ends it: moving devices get 0.3 s to stop, standard error and summary.json
 * (`error`) name who called it, and the process ends with DPL_EXIT_FAULT; while a plugin is loaded,
 * with its name and DPL_EXIT_BAD_INPUT. Otherwise, and for children that a component forks, it
 * returns. Any thread. */
void dpl_runtime_leaves(void);

/* The duration of the run, in its own time; 0 before its end. */
dpl_ns dpl_runtime_duration(const struct dpl_runtime *runtime);

/* After dpl_runtime_run: whether every component stopped without an error and all files were
 * written. An earlier verdict does not contain this information. */
bool dpl_runtime_ended_well(const struct dpl_runtime *runtime);

/* After dpl_runtime_run: whether those outside have changed what it came to: a value put into a
 * world, a property, a call, a message, a start. */
bool dpl_runtime_was_touched(const struct dpl_runtime *runtime);

/* After dpl_runtime_run: what summary.json has of a run that ended with this exit code, but for the
 * reason of a failure; also where the run has no folder of results. JSON text, which the caller
 * frees; NULL: no memory. Allocates; on the control thread. */
char *dpl_runtime_summary(struct dpl_runtime *runtime, enum dpl_exit code);

/* As JSON the values of its components that summary.json and trace.csv have, the contacts of
 * the world and the verdict, as they are now. The caller frees it; NULL: no memory. While nothing
 * executes: in `over`, or while it is paused. */
char *dpl_runtime_values(const struct dpl_runtime *runtime);

/* What is found out about a step of a test, or a number that was measured in it. NULL: none. */
struct dpl_found {
    const char *step, *name; /* name: of the verdict, or of the number */
    const char *verdict;     /* "runs", "passed", "failed", "error" */
    const char *unit, *text; /* of the number; why it has not passed */
    double value, min, max;  /* NAN: none */
    size_t number, count;    /* of the step, from 1, and of all steps; 0: it is of no plan */
};

/* Tells it to those who observe the run, on the topic /verdicts. `time`: of the run. Not in two
 * threads at once; does not block on the real clock. */
void dpl_runtime_tell_found(struct dpl_runtime *runtime, dpl_ns time,
                            const struct dpl_found *found);

/* The verdict of a component, or NULL. Valid until dpl_runtime_destroy. */
struct dpl_verdict;
const struct dpl_verdict *dpl_runtime_verdict(const struct dpl_runtime *runtime);

void dpl_runtime_destroy(struct dpl_runtime *runtime);

#ifdef __cplusplus
}
#endif

#endif
