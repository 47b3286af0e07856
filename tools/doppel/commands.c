/* SPDX-License-Identifier: Apache-2.0 */
/* The sub-commands, in the order of the help, and the smallest of them, version. */
#include "commands.h"

#include <stdio.h>

#include <doppel/plugin.h>

static int print_version(int argc, char **argv)
{
    int none = 0;
    int n = options_parse(&command_version, argc, argv, &none);
    if (n < 0) {
        return n == -2 ? 0 : 2;
    }
    printf("doppel %s, plugin ABI %u\n", DOPPEL_VERSION, DPL_PLUGIN_ABI);
    return 0;
}

const struct command command_version = {
    .name = "version",
    .summary = "prints the version and the plugin ABI",
    .run = print_version,
};

const struct command *const commands[] = {
    &command_run,    &command_check,   &command_list,      &command_info,       &command_graph,
    &command_sim,    &command_emulate, &command_bench,     &command_calibrate,  &command_map,
    &command_world,  &command_new,     &command_test,      &command_sweep,      &command_report,
    &command_schema, &command_ps,      &command_view,      &command_play,       &command_topic,
    &command_param,  &command_service, &command_component, &command_log,        &command_top,
    &command_record, &command_bag,     &command_doctor,    &command_completion, &command_version,
};
const size_t n_commands = sizeof commands / sizeof commands[0];

const char usage_notes[] =
    "`doppel COMMAND --help` tells more. Exit codes: 0 done, 1 bad input, 2 usage,\n"
    "3 a fault at run time, 4 a bench's verdict is not the expected one, a step of\n"
    "a test plan failed, or a calibration is not complete, 5 a device is not there,\n"
    "or was lost when a run ended. Environment:\n"
    "DOPPEL_PLUGIN_PATH and DOPPEL_PROFILE_PATH name folders of plugins and\n"
    "profiles to search before the usual ones.\n";
