/* SPDX-License-Identifier: Apache-2.0 */
/* doppel version */
#include <stdio.h>

#include <doppel/plugin.h>

#include "commands.h"

static int run(int argc, char **argv)
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
    .run = run,
};
