/* SPDX-License-Identifier: Apache-2.0 */
/* sync_acceptance: runs the synchronization with mock plants and compares it with the limits of its
 * specification. Exit 0 when all are met, 1 when one is not, 2 on wrong usage. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    char letter;
    void (*run)(const struct options *, struct tally *);
} checks[] = {
    {'A', check_random}, {'B', check_tables},     {'C', check_events},
    {'D', check_fig12},  {'E', check_strategies},
};

static const char usage[] =
    "usage: sync_acceptance [--quick] [--only LETTERS] [--threads N] [--seeds N]\n"
    "                       [--first-seed N] [--noise N] [--list] [--bench]\n"
    "  --quick        few seeds: the same limits in a few seconds\n"
    "  --only ABCDE   A random mismatches, B tables, C events, D the control fig12,\n"
    "                 E the strategies against each other; default ABCD\n"
    "  --threads N    1 to 64, default 2\n"
    "  --seeds N      1 to 1000 seeds for every check\n"
    "  --first-seed N draws of E from this seed on, for tuning; default: held-out ones\n"
    "  --noise N      the same draws of E with other noise\n"
    "  --list         print every draw of E, not only the worst\n"
    "  --bench        print what a tick costs, check nothing\n";

struct arguments {
    struct options options;
    const char *only;
    bool bench, help;
};

static bool parse_count(const char *text, int high, int *ret_value)
{
    char *end = NULL;
    long value = text ? strtol(text, &end, 10) : 0;
    if (!text || *end != '\0' || value < 1 || value > high) {
        return false;
    }
    *ret_value = (int)value;
    return true;
}

static bool parse(int argc, char **argv, struct arguments *arguments)
{
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        bool ok = true;
        if (strcmp(argv[i], "--quick") == 0) {
            arguments->options.quick = true;
        } else if (strcmp(argv[i], "--list") == 0) {
            arguments->options.list = true;
        } else if (strcmp(argv[i], "--bench") == 0) {
            arguments->bench = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            arguments->help = true;
        } else if (strcmp(argv[i], "--only") == 0 && next) {
            arguments->only = next;
            ok = *next != '\0' && strspn(next, "ABCDE") == strlen(next);
            i++;
        } else if (strcmp(argv[i], "--threads") == 0) {
            ok = parse_count(next, 64, &arguments->options.n_threads);
            i++;
        } else if (strcmp(argv[i], "--seeds") == 0) {
            ok = parse_count(next, 1000, &arguments->options.n_seeds);
            i++;
        } else if (strcmp(argv[i], "--first-seed") == 0) {
            ok = parse_count(next, 1000000, &arguments->options.first_seed);
            i++;
        } else if (strcmp(argv[i], "--noise") == 0) {
            ok = parse_count(next, 1000000, &arguments->options.noise);
            i++;
        } else {
            ok = false;
        }
        if (!ok) {
            fprintf(stderr, "sync_acceptance: bad argument '%s'\n%s", argv[i < argc ? i : argc - 1],
                    usage);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.options.n_threads = 2, .only = "ABCD"};
    struct tally total = {0};
    if (!parse(argc, argv, &arguments)) {
        return 2;
    }
    if (arguments.help) {
        fputs(usage, stdout);
        return 0;
    }
    if (arguments.bench) {
        bench_print();
        return 0;
    }
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (strchr(arguments.only, checks[i].letter)) {
            checks[i].run(&arguments.options, &total);
        }
    }
    printf("sync_acceptance: %d limits met, %d not met\n", total.passed, total.failed);
    return total.failed == 0 ? 0 : 1;
}
