/* SPDX-License-Identifier: Apache-2.0 */
/* The sub-commands; commands.c holds the table of them. */
#ifndef DOPPEL_CLI_COMMANDS_H
#define DOPPEL_CLI_COMMANDS_H

#include "options.h"

extern const struct command command_run, command_check, command_list, command_info, command_graph,
    command_sim, command_emulate, command_report, command_completion, command_version,
    command_bench, command_calibrate, command_schema, command_map, command_world, command_test,
    command_new, command_sweep, command_ps, command_bag, command_topic, command_param,
    command_service, command_component, command_log, command_record, command_top, command_doctor,
    command_view, command_play;

extern const struct command *const commands[];
extern const size_t n_commands;

/* Exit codes and environment: the end of `doppel --help`, and a part of the manual page. */
extern const char usage_notes[];

#endif
