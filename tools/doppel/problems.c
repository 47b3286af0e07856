/* SPDX-License-Identifier: Apache-2.0 */
#include "problems.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doppel/text.h>

#include "outcome.h"

static const char red[] = "\033[31m", plain[] = "\033[0m";

bool cli_has_colours(FILE *stream)
{
    const char *off = getenv("NO_COLOR"), *term = getenv("TERM");
    bool dumb = !term || *term == '\0' || strcmp(term, "dumb") == 0;
    return !(off && *off != '\0') && !dumb && isatty(fileno(stream)) != 0;
}

static void print(FILE *stream, const char *label, const char *text)
{
    bool colours = cli_has_colours(stream);
    char name[256] = "", clean[2048];
    if (label) {
        dpl_text_clean(label, name, sizeof name);
    }
    dpl_text_clean(text, clean, sizeof clean);
    fprintf(stream, "%sproblem: %s%s%s%s\n", colours ? red : "", name, label ? ": " : "", clean,
            colours ? plain : "");
}

void cli_tell_problems(FILE *stream, const char *label, const struct findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        print(stream, label, findings->items[i].text);
    }
    if (findings->n_more > 0) {
        char more[64];
        snprintf(more, sizeof more, "and %zu more in summary.json", findings->n_more);
        print(stream, label, more);
    }
}

void cli_tell_end_of(struct dpl_runtime *runtime, enum dpl_exit code, bool tells_outcome)
{
    char *text = dpl_runtime_summary(runtime, code);
    json_t *summary = text ? json_loads(text, 0, NULL) : NULL;
    if (summary) {
        struct findings findings;
        findings_read(summary, &findings);
        cli_tell_problems(stderr, NULL, &findings);
    }
    if (summary && tells_outcome) {
        char outcome[OUTCOME_BYTES];
        outcome_describe(summary, outcome);
        fprintf(stderr, "%s\n", outcome);
    }
    json_decref(summary);
    free(text);
}

void cli_tell_failure(const struct dpl_diag *why)
{
    bool colours = cli_has_colours(stderr);
    fputs(colours ? red : "", stderr);
    dpl_diag_print(stderr, why);
    fputs(colours ? plain : "", stderr);
}
