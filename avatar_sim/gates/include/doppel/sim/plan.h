/* SPDX-License-Identifier: Apache-2.0 */
/* Test plans of worlds (docs/guides/test-plans.md, docs/design/benches.md): reads them from XML,
 * and executes and evaluates their steps after each step of a world. A plan only uses channels.
 * This header does not run the world, start programs or write files: see doppel/sim/hosted.h and
 * `doppel test`. */
#ifndef DOPPEL_SIM_PLAN_H
#define DOPPEL_SIM_PLAN_H

#include <doppel/diag.h>
#include <doppel/sim/channels.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_arena;
struct dpl_sim_set;
struct dpl_sim_load_options;
struct dpl_plan_action;

#define DPL_PLAN_NAME_SIZE   96
#define DPL_PLAN_STEPS_MAX   1000
#define DPL_PLAN_ACTIONS_MAX 1000 /* of a step */
#define DPL_PLAN_NAMES_MAX   64   /* of values in a step */

/* A name in braces in the unit's command, and the value that replaces it. Names: controllers_port,
 * modbus_port, seed, out, and the parameters of the plan. */
struct dpl_plan_place {
    const char *name, *value;
};

/* The program that is tested. */
struct dpl_plan_unit {
    struct dpl_place place;
    char command[1024];  /* with {placeholders}; "": there is none */
    int64_t controllers; /* number of controllers that join (docs/guides/controllers.md); -1: one,
                            if the command has their port */
    int64_t masters; /* number of masters that connect by Modbus (docs/guides/modbus.md); -1: the
                        same rule */
    double pace_s;   /* s that the world moves after a write of the master; 0: it does not wait */
    double ready_s;  /* real time in which it must join */
    bool may_end;    /* it may end with exit code 0 before its steps are over */
};

struct dpl_plan_step {
    struct dpl_place place;
    char name[DPL_PLAN_NAME_SIZE];
    double timeout_s; /* of the world's time */
    bool reset;       /* it begins with a new world and a new unit, as the first step always does */
    char needs[DPL_PLAN_NAME_SIZE]; /* an earlier step, without which this one says nothing; "" */
    const struct dpl_plan_action *actions; /* [n_actions] */
    size_t n_actions;
};

/* A plan that was read. The arena owns it and all that it points to. */
struct dpl_sim_plan {
    const char *file;
    char name[DPL_PLAN_NAME_SIZE];
    char world[256]; /* as the plan names it */
    struct dpl_place world_place;
    const struct dpl_sim_set
        *world_params; /* [n_world_params] NAME=VALUE: parameters of its file */
    size_t n_world_params;
    const struct dpl_plan_place *values; /* [n_values] its own parameters, and the seed */
    size_t n_values;
    char trace[1024]; /* patterns of channels, separated by blanks */
    double trace_window_s;
    double rate; /* of the clock; 0: as fast as possible */
    struct dpl_plan_unit unit;
    const struct dpl_plan_step *steps; /* [n_steps], at least one */
    size_t n_steps;
    unsigned char *channels; /* [n_channels of the world] after dpl_sim_plan_bind: private */
};

struct dpl_plan_options {
    uint64_t seed;                    /* the value of {seed} */
    const struct dpl_sim_set *params; /* [n_params] NAME=VALUE: parameters of the file */
    size_t n_params;
};

/* Reads a plan. Errors go to `diags` with file, line and column. 0 with *ret_plan, or -EINVAL with
 * an error in diags. Allocates in the arena; the first call opens the file. */
int dpl_sim_read_plan(struct dpl_arena *arena, const char *file,
                      const struct dpl_plan_options *options, struct dpl_sim_plan **ret_plan,
                      struct dpl_diags *diags);
int dpl_sim_read_plan_text(struct dpl_arena *arena, const char *name, const void *bytes, size_t n,
                           const struct dpl_plan_options *options, struct dpl_sim_plan **ret_plan,
                           struct dpl_diags *diags);

/* The file of the plan's world: beside the plan, or a name in the catalogue; in the arena. NULL
 * with reterr (place, and a similar name): there is none. Blocks (looks for files). */
struct dpl_catalog;
const char *dpl_sim_plan_world(struct dpl_arena *arena, const struct dpl_sim_plan *plan,
                               struct dpl_catalog *catalog, struct dpl_diag *reterr);

/* Fills in the parameters with which the plan loads its world. The plan and the arena must outlive
 * the options. */
void dpl_sim_plan_load_options(struct dpl_arena *arena, const struct dpl_sim_plan *plan,
                               struct dpl_sim_load_options *inout_options);

#define DPL_PLAN_WORDS_MAX 64
#define DPL_PLAN_WORD_SIZE 1024

struct dpl_plan_command {
    char words[DPL_PLAN_WORDS_MAX][DPL_PLAN_WORD_SIZE];
    char *argv[DPL_PLAN_WORDS_MAX + 1]; /* pointers to `words`; ends with NULL */
    size_t bad_at;                      /* after a failure: the position in the text, in bytes */
};

/* Splits a command at blanks, but not inside of '...' or "...", and replaces {names}: by `given`,
 * then by the plan's values (plan NULL: none); {{ and }} are braces. No shell is used. 0, or
 * -EINVAL with reterr (no place). */
struct dpl_plan_places {
    const struct dpl_plan_place *given; /* [n] */
    size_t n;
    const struct dpl_sim_plan *plan;
};
int dpl_plan_command_parse(const char *text, const struct dpl_plan_places *places,
                           struct dpl_plan_command *ret_command, struct dpl_diag *reterr);

/* Whether the command has this name in braces. */
bool dpl_plan_command_has(const char *text, const char *name);

/* Finds all channels in a world and checks all expressions. Call it before a run. 0 or -EINVAL with
 * errors in diags. Allocates in the arena. */
int dpl_sim_plan_bind(struct dpl_arena *arena, struct dpl_sim_plan *plan,
                      const struct dpl_world_channels *channels, struct dpl_diags *diags);

/* Reads a plan and its world, and binds them, for `doppel check`. */
int dpl_sim_check_plan(struct dpl_arena *arena, const char *file,
                       const struct dpl_sim_load_options *options, struct dpl_diags *diags);

/* Whether a step of the plan reads this channel or puts a value into it. */
bool dpl_sim_plan_uses(const struct dpl_sim_plan *plan, size_t channel);

/* ---- execution; on the thread that owns the world, between its steps ---- */

enum dpl_plan_state {
    DPL_PLAN_RUNNING,
    DPL_PLAN_PASSED,
    DPL_PLAN_FAILED,
};

#define DPL_PLAN_FAILURES_MAX 8
#define DPL_PLAN_MEASURES_MAX 64

struct dpl_plan_measure {
    const char *name;
    double value;    /* NAN: there was no value */
    double min, max; /* -INFINITY, INFINITY: no limit */
    bool good;
};

struct dpl_plan_result {
    enum dpl_plan_state state;
    double duration_s; /* of the world's time */
    char failures[DPL_PLAN_FAILURES_MAX][256];
    size_t n_failures; /* may be more than the array has */
    struct dpl_plan_measure measures[DPL_PLAN_MEASURES_MAX];
    size_t n_measures;
    bool judges; /* something could have failed it: a limit, a condition or an order */
};

struct dpl_plan_run;

/* A run of a bound plan in a world with steps of `step`; all are borrowed. The seed is used for
 * random delays, and is the value of the name `seed`. 0 or -ENOMEM. */
int dpl_plan_run_create(const struct dpl_sim_plan *plan, struct dpl_world_channels *channels,
                        dpl_ns step, uint64_t seed, struct dpl_plan_run **ret_run);
void dpl_plan_run_destroy(struct dpl_plan_run *run); /* NULL: does nothing */

/* Begins a step of the plan at the world's time `now`, and executes its first actions. Values that
 * earlier steps have put stay. This call and all below do not allocate or block. */
enum dpl_plan_state dpl_plan_run_begin(struct dpl_plan_run *run, size_t step, dpl_ns now);

/* Call it after each step of the world until the result is not RUNNING any more. */
enum dpl_plan_state dpl_plan_run_look(struct dpl_plan_run *run, dpl_ns now);

/* Puts the values of the plan again. Call it after others have put their commands, before the
 * world's next step. dpl_plan_run_look does this, too. */
void dpl_plan_run_put(struct dpl_plan_run *run);

/* Reports a failure from outside. If the step is running, it ends. */
void dpl_plan_run_fail(struct dpl_plan_run *run, const char *why);

/* The result of the newest step. */
const struct dpl_plan_result *dpl_plan_run_result(const struct dpl_plan_run *run);

/* The first element of the value that the plan puts into a channel now; NAN: none. */
double dpl_plan_run_held(const struct dpl_plan_run *run, size_t channel);

#ifdef __cplusplus
}
#endif

#endif
