/* SPDX-License-Identifier: Apache-2.0 */
#include "closing.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fields.h"

/* A file gets its name when it is complete. A device has its name before, and keeps nothing. */
bool cli_has_result(const char *folder, const char *name)
{
    char path[4096];
    struct stat info;
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path &&
           stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

void cli_warn_of_foreign_trace(const char *what, const char *folder)
{
    if (cli_has_result(folder, "trace.csv") && !cli_has_result(folder, "summary.json") &&
        !cli_has_result(folder, "run.json")) {
        fprintf(stderr, "doppel %s %s: warning: replaces a trace.csv that no run has left there\n",
                what, cli_clean(folder));
    }
}

/* What `doppel report` makes a page of. */
static bool can_be_reported(const char *folder)
{
    return cli_has_result(folder, "trace.csv") || cli_has_result(folder, "channels.csv") ||
           cli_has_result(folder, "junit.xml");
}

static const char word_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_./-+=:@%,";

void cli_tell_next(const char *folder)
{
    if (!folder) {
        fprintf(stderr,
                "next: with --out DIR the results are kept, and `doppel report DIR` makes a "
                "page of them\n");
    } else if (can_be_reported(folder)) {
        bool is_word = folder[strspn(folder, word_characters)] == '\0';
        fprintf(stderr, is_word ? "next: doppel report %s\n" : "next: doppel report '%s'\n",
                cli_clean(folder));
    }
}

void cli_tell_results(const char *folder)
{
    static const char *const names[] = {"channels.csv", "summary.json", "trace.csv", "junit.xml"};
    const char *before = "results: ";
    if (!cli_has_result(folder, "summary.json")) {
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (cli_has_result(folder, names[i])) {
            fprintf(stderr, "%s%s/%s", before, cli_clean(folder), names[i]);
            before = ", ";
        }
    }
    fputc('\n', stderr);
}

bool cli_has_reader(void)
{
    return isatty(STDERR_FILENO) != 0;
}

void cli_tell_closing(const char *folder, const char *under)
{
    if (!cli_has_reader()) {
        return;
    }
    if (folder && under) {
        const char *shown = cli_clean(folder);
        fprintf(stderr, "results: %s/%s/summary.json\nnext: doppel report --table %s/%s\n", shown,
                under, shown, under);
        return;
    }
    if (folder) {
        cli_tell_results(folder);
    }
    cli_tell_next(folder);
}
