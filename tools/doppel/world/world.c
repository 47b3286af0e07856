/* SPDX-License-Identifier: Apache-2.0 */
/* doppel world: controls the time of a world that `doppel sim` serves, and reads and puts values.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/runtime.h>
#include <doppel/sim/loop_client.h>
#include <doppel/text.h>

#include "commands.h"
#include "world_values.h"

#define COMMAND_BYTES 1024 /* more than any world takes: it is refused, and not cut */

struct values {
    double timeout_s, hold_s, for_s;
    bool watch;
};

static void print_modbus(const struct dpl_sim_modbus_stats *stats)
{
    if (stats->is_served) {
        printf(
            "  modbus: %u masters; %llu reads, %llu writes, %llu refused, %llu out of range; %llu "
            "lost, %llu watchdogs, %llu waits, %llu of them in vain\n",
            stats->masters, (unsigned long long)stats->reads, (unsigned long long)stats->writes,
            (unsigned long long)stats->exceptions, (unsigned long long)stats->saturated,
            (unsigned long long)stats->lost, (unsigned long long)stats->trips,
            (unsigned long long)stats->waits, (unsigned long long)stats->time_outs);
    }
}

static void print_status(const struct dpl_sim_reply *reply)
{
    const struct dpl_sim_loop_status *status = &reply->status;
    char rate[32] = "as fast as possible";
    if (isfinite(status->rate)) {
        snprintf(rate, sizeof rate, "rate %g", status->rate);
    }
    char world[DPL_TEXT_CLEAN_SIZE(sizeof reply->world)];
    dpl_text_clean(reply->world, world, sizeof world);
    printf("world '%s': %s at %.6f s, step %llu, %s\n", world,
           status->paused     ? "paused"
           : status->has_goal ? "runs to its goal"
                              : "runs",
           dpl_ns_to_s(status->time), (unsigned long long)status->step, rate);
    printf("  late steps %llu, by %.3f ms at most; skipped %.3f s in %llu stalls\n",
           (unsigned long long)status->late_steps, 1e3 * dpl_ns_to_s(status->late_most),
           dpl_ns_to_s(status->skipped), (unsigned long long)status->skips);
    printf("  snapshots %zu, resets and restores %llu\n", status->snapshots,
           (unsigned long long)status->jumps);
    printf("  events: %llu done, %llu failed, %llu dropped, %llu refused, %zu wait\n",
           (unsigned long long)status->events.done, (unsigned long long)status->events.failed,
           (unsigned long long)status->events.dropped, (unsigned long long)status->events.refused,
           status->events.waiting);
    const struct dpl_sim_controllers *controllers = &reply->controllers;
    if (controllers->can_join) {
        printf("  controllers: %u joined; %llu frames, %llu answers late, %llu missing, %llu not "
               "sent; %llu time-outs\n",
               controllers->joined, (unsigned long long)controllers->frames,
               (unsigned long long)controllers->late, (unsigned long long)controllers->missed,
               (unsigned long long)controllers->unsent, (unsigned long long)controllers->time_outs);
    }
    print_modbus(&reply->modbus);
}

/* The words as one text; what does not fit is left out. */
static void join(int n, char **words, char *ret_text, size_t size)
{
    size_t at = 0;
    ret_text[0] = '\0';
    for (int i = 0; i < n && at < size; i++) {
        int length = snprintf(ret_text + at, size - at, "%s%s", i ? " " : "", words[i]);
        at += length > 0 ? (size_t)length : 0;
    }
}

/* One line, whatever the command or the world says. */
static void complain(const char *text)
{
    char line[4 * (COMMAND_BYTES + 512)];
    fprintf(stderr, "doppel world: %s\n", dpl_diag_quote(text, strlen(text), line, sizeof line));
}

static int tell(const char *address, const char *command, const struct values *values)
{
    struct dpl_sim_reply reply;
    struct dpl_diag error = {0};
    int err = dpl_sim_loop_say(address, command, dpl_ns_from_s(values->timeout_s), &reply, &error);
    if (err < 0) {
        complain(error.text);
        return err == -EINVAL ? DPL_EXIT_BAD_INPUT : DPL_EXIT_FAULT;
    }
    if (reply.result != DPL_SIM_REPLY_DONE) {
        char text[COMMAND_BYTES + sizeof reply.text];
        snprintf(text, sizeof text, "%s: %s", command, reply.text);
        complain(text);
        return reply.result == DPL_SIM_REPLY_REFUSED ? DPL_EXIT_BAD_INPUT : DPL_EXIT_FAULT;
    }
    print_status(&reply);
    return DPL_EXIT_DONE;
}

static int run(int argc, char **argv)
{
    struct values values = {.hold_s = 0.3};
    char command[COMMAND_BYTES];
    int n = options_parse(&command_world, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    if (n > 2 && strcmp(argv[2], "get") == 0) {
        return values.watch ? world_watch(argv[1], argv + 3, n - 2, values.for_s)
                            : world_get(argv[1], argv + 3, n - 2);
    }
    if (n > 2 && strcmp(argv[2], "put") == 0) {
        return world_put(argv[1], argv + 3, n - 2, values.hold_s);
    }
    join(n - 1, argv + 2, command, sizeof command);
    return tell(argv[1], n == 1 ? "status" : command, &values);
}

static const struct option options[] = {
    {"for", "S", OPTION_NUMBER, offsetof(struct values, for_s), 0.001, 1e8,
     "with --watch: end after S seconds of real time", NULL},
    {"hold", "S", OPTION_NUMBER, offsetof(struct values, hold_s), 0, 1e8,
     "with put: keep the values for S seconds of real time (default 0.3)", NULL},
    {"timeout", "S", OPTION_NUMBER, offsetof(struct values, timeout_s), 0, 1e8,
     "wait at most S seconds for the answer (default: as long as it takes)", NULL},
    {"watch", NULL, OPTION_FLAG, offsetof(struct values, watch), 0, 0,
     "with get: print values again when they change", NULL},
};

const struct command command_world = {
    .name = "world",
    .operands = "tcp://HOST:PORT [COMMAND]",
    .summary = "controls the time of a world that is served, reads and puts its values",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .min_operands = 1,
    .max_operands = 32,
    .more = "commands:\n"
            "  status           prints how far the world is (also without a command)\n"
            "  run              time moves\n"
            "  pause            time stands still\n"
            "  step [N]         N steps, then pause\n"
            "  for SECONDS      of the world's time, then pause\n"
            "  until CONDITION  until it holds, then pause: 'robot/left/velocity > 3'\n"
            "  rate R           R times real time, 0.01 to 1000, or 'max'\n"
            "  reset            back to the start\n"
            "  snapshot NAME    keeps the world as it is\n"
            "  restore NAME     goes back to it\n"
            "  get PATH...      prints values of channels (--watch: again when they change)\n"
            "  put PATH=VALUE...  puts values, and lets them go after --hold: a button is pressed\n"
            "                   a request (place) is done once; if it is refused, exit code 1\n"
            "step, for and until are answered when they have paused. Exit codes: 0 done, 1 the\n"
            "command or the address is refused, 2 usage, 3 no answer, another command came\n"
            "in between, or another client has what it would put.\n",
    .run = run,
};
