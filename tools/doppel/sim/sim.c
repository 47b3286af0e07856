/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim: runs a world for drivers in other processes. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/sim/entry.h>
#include <doppel/sim/gate.h>
#include <doppel/sim/server.h>

#include "arena.h"
#include "commands.h"
#include "common.h"
#include "sim_ahead.h"
#include "sim_observed.h"
#include "sim_world.h"

static struct dpl_sim_server *serving; /* for the signal handler */

static void on_signal(int number)
{
    (void)number;
    if (serving) {
        dpl_sim_server_stop(serving);
    }
}

static void print_notice(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "doppel sim: %s\n", text);
}

static void print_robot(const struct dpl_sim_robot *robot)
{
    printf("  robot '%s':", robot->name);
    const char *separator = " ";
    for (size_t i = 0; i < robot->n_entries; i++) {
        if (robot->entries[i].name[0]) {
            printf("%s%s '%s'", separator, robot->entries[i].class_->name, robot->entries[i].name);
            separator = ", ";
        }
    }
    printf("\n");
}

static void print_offer(const struct dpl_sim_server *server, const struct sim_task *task)
{
    const struct dpl_sim_model *model = dpl_sim_server_model(server);
    printf("serving world '%s' at tcp://%s:%u, %s\n", model->name, task->host,
           dpl_sim_server_port(server),
           task->lockstep ? "in lock-step: time moves by grants" : "in real time");
    const struct dpl_gate *gate;
    uint16_t port;
    for (size_t i = 0; (gate = dpl_sim_server_gate(server, i, &port)); i++) {
        if (port != 0) {
            printf("%s at tcp://%s:%u\n", gate->clients ? gate->clients : gate->name, task->host,
                   port);
        }
    }
    for (size_t i = 0; i < model->n_robots; i++) {
        print_robot(&model->robots[i]);
    }
    fflush(stdout);
}

static int serve_alone(struct dpl_sim_server *server, struct dpl_diag *reterr)
{
    serving = server;
    cli_catch_requests(on_signal, true);
    signal(SIGPIPE, SIG_IGN);
    int err = dpl_sim_server_run(server, reterr);
    serving = NULL;
    if (err < 0) {
        dpl_diag_print(stderr, reterr);
    }
    return err < 0 ? DPL_EXIT_FAULT : DPL_EXIT_DONE;
}

static int serve_observed(struct dpl_sim_server *server, const struct sim_task *task)
{
    struct dpl_runtime_options options = {.world = dpl_sim_server_host(server)};
    struct dpl_diag error = {0};
    int code = sim_run_observed(task, dpl_sim_server_model(server)->name, &options, &error);
    if (code != DPL_EXIT_DONE && error.text[0]) {
        dpl_diag_print(stderr, &error);
    }
    return code;
}

static int serve(const struct dpl_sim_server_options *options, const struct sim_task *task)
{
    struct dpl_sim_server *server;
    struct dpl_diag error = {0};
    cli_enter_real_time("sim", task->policy);
    if (dpl_sim_server_create(options, &server, &error) < 0) {
        dpl_diag_print(stderr, &error);
        return DPL_EXIT_BAD_INPUT;
    }
    cli_lock_memory("sim", task->policy);
    print_offer(server, task);
    int code = task->is_observed ? serve_observed(server, task) : serve_alone(server, &error);
    struct dpl_sim_server_stats stats = dpl_sim_server_stats(server);
    if (stats.malformed > 0) {
        fprintf(stderr, "doppel sim: %llu malformed frames were refused\n",
                (unsigned long long)stats.malformed);
    }
    dpl_sim_server_destroy(server);
    return code;
}

/* What does not go together, first what is said first. */
static bool makes_sense(const struct sim_task *task)
{
    const struct sim_picture_options *picture = &task->picture;
    const bool looks = task->ahead_s > 0.0, runs = task->run_s > 0.0,
               joined = task->controllers != SIM_NO_PORT, has_modbus = task->modbus != SIM_NO_PORT,
               rests = task->equilibrium,
               serves = task->lockstep || task->duration_s > 0.0 || joined || has_modbus ||
                        task->gate.n > 0,
               writes = task->out || picture->file || task->audit || task->save ||
                        task->linearize || task->image.n > 0;
    const struct {
        bool is_wrong;
        const char *why;
    } rules[] = {
        {looks && (serves || task->list || task->trigger || rests || writes || task->is_observed),
         "--ahead goes with --run, --put, --record, --every, --step, --seed, --set and --param "
         "only"},
        {(task->modbus_pace_ms > 0.0 || task->modbus_patience_s > 0.0) && !has_modbus,
         "--modbus-pace and --modbus-patience need --modbus"},
        {!task->lockstep &&
             (task->clients > 0 || (task->rate >= 0.0 && !(runs && task->is_observed))),
         "--rate and --clients need --lockstep: without it, the world follows the real clock; with "
         "--run, --rate needs --view or --record FILE.mcap"},
        {!runs && (task->step_s > 0.0 || task->every_s > 0.0 || task->record.n > 0 ||
                   task->put.n > 0 || task->trigger || task->audit || task->out),
         "--step, --every, --record, --put, --trigger, --audit and --out need --run"},
        {task->allow_control && task->view == OBSERVE_NO_PORT && !task->ros2,
         "--allow-control needs --view or --ros2"},
        {task->is_observed &&
             (task->list || (!runs && (rests || picture->file || task->linearize))),
         "--view and --record FILE.mcap are of a world that moves: without --list; with "
         "--equilibrium, --snapshot and --linearize they need --run"},
        {!task->trigger && (task->before_s > 0.0 || task->after_s > 0.0),
         "--before and --after need --trigger"},
        {task->trigger && !task->out,
         "--trigger needs --out: it selects the rows that are written"},
        {!picture->file && (picture->show || picture->view || picture->look),
         "--show, --from and --look need --snapshot"},
        {runs && serves,
         "--run serves no clients: it excludes --lockstep, --controllers, --modbus, "
         "--gate and --duration"},
        {task->save && !runs && !rests,
         "--save needs --run or --equilibrium: it writes the world after them"},
        {rests && !runs && !task->save && !task->linearize && !picture->file,
         "--equilibrium needs --run, --save, --linearize or --snapshot"},
        {task->image.n > 0 && !runs,
         "--image needs --run: a camera takes pictures only while time moves"},
        {runs && !writes && !task->is_observed,
         "--run needs --out: the folder of its results (or --snapshot, --audit, "
         "--image, --save, --linearize, --view, --record FILE.mcap)"},
    };
    const size_t n = looks ? 1 : sizeof rules / sizeof *rules;
    for (size_t i = 0; i < n; i++) {
        if (rules[i].is_wrong) {
            fprintf(stderr, "doppel sim: %s\n", rules[i].why);
            return false;
        }
    }
    return true;
}

/* Their texts, in the order in which they open; how many. */
static size_t gates_of(struct dpl_arena *arena, const struct sim_task *task,
                       const char *ret_gates[OPTION_LIST_MAX + 2])
{
    size_t n = 0;
    if (task->controllers != SIM_NO_PORT) {
        ret_gates[n++] =
            dpl_arena_printf(arena, "controllers:port=%u", (unsigned)task->controllers);
    }
    if (task->modbus != SIM_NO_PORT) {
        ret_gates[n++] =
            dpl_arena_printf(arena, "modbus:port=%u,pace=%.17g ms,patience=%.17g s",
                             (unsigned)task->modbus, task->modbus_pace_ms, task->modbus_patience_s);
    }
    for (size_t i = 0; i < task->gate.n; i++) {
        ret_gates[n++] = task->gate.items[i];
    }
    return n;
}

static int serve_world(const struct sim_task *task)
{
    struct dpl_arena arena = {0}; /* places of --set and --param in errors */
    const char *gates[OPTION_LIST_MAX + 2];
    struct dpl_sim_server_options options = {
        .world = task->file,
        .catalog = task->catalog,
        .seed = task->seed,
        .sets = sim_sets(&arena, "set", &task->set),
        .n_sets = task->set.n,
        .params = sim_sets(&arena, "param", &task->param),
        .n_params = task->param.n,
        .host = task->host,
        .port = (uint16_t)task->port,
        .lockstep = task->lockstep,
        .clients = (unsigned)task->clients,
        .rate = task->rate > 0.0 ? task->rate : 0.0,
        .duration = dpl_ns_from_s(task->duration_s),
        .gates = gates,
        .n_gates = gates_of(&arena, task, gates),
        .notice = print_notice,
        .warn = sim_print_warning,
    };
    int code = serve(&options, task);
    dpl_arena_finish(&arena);
    return code;
}

static int carry_out(const struct sim_task *task)
{
    bool is_alone = task->run_s > 0.0 || task->picture.file || task->linearize || task->equilibrium;
    return task->ahead_s > 0.0 ? sim_look_ahead(task)
           : task->list        ? sim_list_channels(task)
           : is_alone          ? sim_run_world(task)
                               : serve_world(task);
}

static int run(int argc, char **argv)
{
    struct sim_task task = {
        .host = "127.0.0.1",
        .port = 5500,
        .seed = 1,
        .controllers = SIM_NO_PORT,
        .modbus = SIM_NO_PORT,
        .view = OBSERVE_NO_PORT,
        .rate = -1.0,
        .files = RECORD_FILES_NONE,
    };
    int n = options_parse(&command_sim, argc, argv, &task);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    task.observed = (struct observe_wanted){
        "sim",
        {.view = task.view, .allow_control = task.allow_control, .tell = stderr, .ros2 = task.ros2},
        &task.plan};
    task.is_observed = sim_is_observed(&task.record, &task.observed);
    const char *recording = task.observed.self.record;
    if (cli_policy("sim: --policy", task.policy_name, &task.policy) < 0 || !makes_sense(&task) ||
        (recording && !observe_may_record("sim", recording, task.out)) ||
        record_files_read("sim", &task.files, recording != NULL, &task.plan) < 0) {
        return DPL_EXIT_USAGE;
    }
    task.catalog = cli_open_catalog("sim");
    if (!task.catalog) {
        return DPL_EXIT_BAD_INPUT;
    }
    struct dpl_diag error = {0};
    int code = DPL_EXIT_BAD_INPUT;
    task.file = cli_find(task.catalog, "worlds", argv[1], &error);
    if (task.file) {
        code = carry_out(&task);
    } else {
        dpl_diag_print(stderr, &error);
    }
    dpl_catalog_destroy(task.catalog);
    return code;
}

#define V(member) offsetof(struct sim_task, member)

static const struct option options[] = {
    {"port", "PORT", OPTION_COUNT, V(port), 0, 65535,
     "TCP port to listen at (default 5500; 0: any that is free)", NULL},
    {"host", "ADDRESS", OPTION_STRING, V(host), 0, 0,
     "address to listen at (default 127.0.0.1; *: all addresses of this computer)", NULL},
    {"controllers", "PORT", OPTION_COUNT, V(controllers), 0, 65535,
     "controllers in other processes may join at this TCP port (0: any that is free)", NULL},
    {"modbus", "PORT", OPTION_COUNT, V(modbus), 0, 65535,
     "Modbus masters may connect at this TCP port (0: any that is free)", NULL},
    {"modbus-pace", "MS", OPTION_NUMBER, V(modbus_pace_ms), 0, 60000,
     "with --modbus: the world waits MS after the last write to the register that sets the pace",
     NULL},
    {"modbus-patience", "S", OPTION_NUMBER, V(modbus_patience_s), 0, 3600,
     "with --modbus-pace: the longest wait, in real time (default 2)", NULL},
    {"gate", "NAME:SETTING=VALUE,...", OPTION_LIST, V(gate), 0, 0,
     "open another gate (`doppel list gates`), with the settings that `doppel info gate/NAME` "
     "shows",
     NULL},
    {"policy", "NAME", OPTION_STRING, V(policy_name), 0, 0,
     "scheduling policy of a served world; with fifo and rr its memory is locked, too",
     CLI_POLICIES},
    {"lockstep", NULL, OPTION_FLAG, V(lockstep), 0, 0,
     "the world advances to the time that every client allows (doppel run --clock sim)", NULL},
    {"clients", "N", OPTION_COUNT, V(clients), 0, 32,
     "lock-step: the world waits for N clients (default 1)", NULL},
    {"rate", "X", OPTION_NUMBER, V(rate), 0, 1000,
     "lock-step, or a --run that is observed: at most X times real time; 0: as fast as possible "
     "(default; with --run and --view 1)",
     NULL},
    {"seed", "N", OPTION_COUNT, V(seed), 0, 0,
     "seed of all random numbers of the world (default 1)", NULL},
    {"duration", "S", OPTION_NUMBER, V(duration_s), 0, 1e8, "stop after S seconds of its time",
     NULL},
    {"list", NULL, OPTION_FLAG, V(list), 0, 0, "print the world's channels and end", NULL},
    {"run", "S", OPTION_NUMBER, V(run_s), 0, 1e8,
     "run S seconds of the world's time, as fast as possible, without serving clients", NULL},
    {"step", "S", OPTION_NUMBER, V(step_s), 1e-5, 0.1,
     "with --run: length of a step in s (default: the world's)", NULL},
    {"every", "S", OPTION_NUMBER, V(every_s), 0, 1e8,
     "with --run: seconds between two rows of channels.csv (default: each step)", NULL},
    {"record", "PATTERN", OPTION_LIST, V(record), 0, 0,
     "with --run: channels to record, such as 'robot/*' (default: all but scans, accelerations and "
     "energies); FILE.mcap, also of a served world: record its scene and channels",
     NULL},
    RECORD_FILES_OPTIONS(struct sim_task),
    {"view", "[PORT]", OPTION_PORT, V(view), 0, 65535,
     "serve viewers of the world on this machine (default port 8765; 0: a free one)", NULL},
    {"allow-control", NULL, OPTION_FLAG, V(allow_control), 0, 0,
     "with --view: viewers may control the world, too", NULL},
    {"ros2", NULL, OPTION_FLAG, V(ros2), 0, 0,
     "be a node of ROS 2, on this machine (ROS_DOMAIN_ID; package doppel-ros2)", NULL},
    {"ahead", "S", OPTION_NUMBER, V(ahead_s), 1e-3, 3600,
     "serve nothing: look S seconds ahead, at the start or after --run, with what --put says",
     NULL},
    {"trigger", "EXPRESSION", OPTION_STRING, V(trigger), 0, 0,
     "with --run: write only rows around the times at which it becomes true, such as '[car/z] < 1'",
     NULL},
    {"before", "S", OPTION_NUMBER, V(before_s), 0, 1e8,
     "with --trigger: seconds before that time (default 0)", NULL},
    {"after", "S", OPTION_NUMBER, V(after_s), 0, 1e8,
     "with --trigger: seconds after that time (default 0)", NULL},
    {"audit", NULL, OPTION_FLAG, V(audit), 0, 0,
     "with --run: print the balance of energy and momentum of each mechanism", NULL},
    {"set", "ENTRY.PROPERTY=VALUE", OPTION_LIST, V(set), 0, 0,
     "set an attribute of the world or of one of its robots", NULL},
    {"param", "NAME=VALUE", OPTION_LIST, V(param), 0, 0,
     "set a parameter (<Param>) of the world's file", NULL},
    {"put", "PATH=VALUE", OPTION_LIST, V(put), 0, 0,
     "with --run: set a channel at the start; with --ahead also PATH=VALUE@SECONDS", NULL},
    {"out", "DIR", OPTION_STRING, V(out), 0, 0, "with --run: folder of channels.csv, summary.json",
     "file"},
    {"equilibrium", NULL, OPTION_FLAG, V(equilibrium), 0, 0,
     "for a robot in STAR's format: begin in the pose of rest that is near its start", NULL},
    {"linearize", "FILE", OPTION_STRING, V(linearize), 0, 0,
     "for such a robot: write A, B, C, D and eigenvalues at its start or after --run, and end",
     "file"},
    {"save", "FILE", OPTION_STRING, V(save), 0, 0,
     "with --run or --equilibrium: write such a robot as it is then, as FILE.json", "file"},
    {"snapshot", "FILE", OPTION_STRING, V(picture.file), 0, 0,
     "draw the world at its start or after --run, as FILE.svg or FILE.png, and end", "file"},
    {"image", "CHANNEL=FILE", OPTION_LIST, V(image), 0, 0,
     "with --run: write the newest picture of a camera to FILE.png", NULL},
    {"show", "LIST", OPTION_STRING, V(picture.show), 0, 0,
     "with --snapshot: list of shapes, joints, contacts, traces (default: shapes)", NULL},
    {"from", "AZ,EL", OPTION_STRING, V(picture.view), 0, 0,
     "with --snapshot: direction of the view in degrees (default -60,22)", NULL},
    {"look", "ROBOT", OPTION_STRING, V(picture.look), 0, 0,
     "with --snapshot: the robot that fills the picture (default: the whole world)", NULL},
};

const struct command command_sim = {
    .name = "sim",
    .operands = "WORLD",
    .summary = "serves a world to drivers in other processes, or runs it alone",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 1,
    .more = "Drivers connect to it by their properties ip and port. If a client sends nothing for "
            "half a\n"
            "second, its motors stop. Ctrl-C ends the world. Exit codes: 0 done, 1 bad world or\n"
            "a port in use, 2 usage, 3 a fault at run time.\n",
    .run = run,
};
