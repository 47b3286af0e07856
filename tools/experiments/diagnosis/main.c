/* SPDX-License-Identifier: Apache-2.0 */
/* Gives faults to a simulated robot in the office and prints which verdicts its diagnosis finds,
 * how soon, and how often it is wrong when there is no fault. Exit code 4: a limit is missed. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

static int usage(void)
{
    fprintf(stderr, "usage: diagnosis [--world FILE] [--first SEED] [--seeds N] [--hours H]\n"
                    "                 [--no-objects] [--beams N] [--row TEXT] [--trace]\n"
                    "                 [--twist DEG [--twist-for S]] [--no-gyro]\n"
                    "  --twist DEG  the laser turns by this besides, 2 s after each fault begins, "
                    "and back S seconds\n               later; the heading is judged 60 s after "
                    "the fault and the turn back\n");
    return 2;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"world", required_argument, NULL, 'w'}, {"seeds", required_argument, NULL, 's'},
        {"hours", required_argument, NULL, 'h'}, {"beams", required_argument, NULL, 'b'},
        {"row", required_argument, NULL, 'r'},   {"first", required_argument, NULL, 'f'},
        {"trace", no_argument, NULL, 't'},       {"twist", required_argument, NULL, 'y'},
        {"no-objects", no_argument, NULL, 'o'},  {"twist-for", required_argument, NULL, 'u'},
        {"no-gyro", no_argument, NULL, 'g'},     {0},
    };
    struct rows_config config;
    rows_config_init(&config);
    char *end;
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case 'w': config.world = optarg; break;
        case 's': config.seeds = (unsigned)strtoul(optarg, NULL, 10); break;
        case 'h': config.hours = strtod(optarg, NULL); break;
        case 'b': config.n_beams = (size_t)strtoul(optarg, NULL, 10); break;
        case 'r': config.only = optarg; break;
        case 'f': config.first = (unsigned)strtoul(optarg, NULL, 10); break;
        case 'o': config.objects = false; break;
        case 'y':
            config.twist_deg = strtod(optarg, &end);
            if (*end || config.twist_deg == 0.0) {
                return usage();
            }
            break;
        case 'u': config.twist_for_s = strtod(optarg, NULL); break;
        case 'g': config.gyro = false; break;
        case 't': config.trace = true; break;
        default: return usage();
        }
    }
    if (optind < argc || config.first < 1 || config.seeds < 1 || config.seeds > ROWS_SEEDS_MAX ||
        config.n_beams < 60 || config.n_beams > 682 || !(fabs(config.twist_deg) <= 180.0) ||
        !(config.twist_for_s > 0.0)) {
        return usage();
    }
    return rows_run(&config) ? 0 : 4;
}
