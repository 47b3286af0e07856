/* SPDX-License-Identifier: Apache-2.0 */
/* The formats of `doppel check`: text and gcc; the others are in check_json.c and check_sarif.c. */
#include "check_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "check_text.h"
#include "common.h"

const char *const check_format_names[] = {[CHECK_TEXT] = "text",
                                          [CHECK_GCC] = "gcc",
                                          [CHECK_JSON] = "json",
                                          [CHECK_SARIF] = "sarif",
                                          NULL};

/* What has no place is at the start of the file, because problem matchers want numbers. A name
 * with a line end in it stays on one line. */
static void print_gcc(const char *name, const struct dpl_diag *diag)
{
    static const char *const words[] = {
        [DPL_SEVERITY_ERROR] = "error",
        [DPL_SEVERITY_WARNING] = "warning",
        [DPL_SEVERITY_NOTE] = "note",
    };
    const struct dpl_place *place = &diag->place;
    char *file = check_text_plain(place->file ? place->file : name, false);
    char *text = check_text_plain(diag->text, false);
    printf("%s:%d:%d: %s: %s\n", file ? file : "", place->line > 0 ? place->line : 1,
           place->column > 0 ? place->column : 1, words[diag->severity], text ? text : "");
    free(file);
    free(text);
}

void check_output_add(struct check_output *output, const char *name, struct dpl_diags *diags)
{
    dpl_diags_sort(diags);
    switch (output->format) {
    case CHECK_TEXT: cli_print_diags(diags); break;
    case CHECK_GCC:
        for (size_t i = 0; i < diags->n; i++) {
            print_gcc(name, &diags->items[i]);
        }
        break;
    case CHECK_JSON: check_json_add(output, name, diags); break;
    case CHECK_SARIF: check_sarif_add(output, name, diags); break;
    }
}

static int print_json(struct check_output *output, json_t *document)
{
    if (!document || output->failed) {
        return -ENOMEM;
    }
    bool dumped = json_dumpf(document, stdout, JSON_INDENT(2)) == 0;
    putchar('\n');
    return dumped || ferror(stdout) ? 0 : -ENOMEM;
}

int check_output_finish(struct check_output *output, int exit_code)
{
    int err = 0;
    if (output->format == CHECK_JSON) {
        output->files = output->files ? output->files : json_array();
        err = print_json(output, output->files);
    } else if (output->format == CHECK_SARIF) {
        json_t *document = check_sarif_document(output, exit_code);
        err = print_json(output, document);
        json_decref(document);
    }
    json_decref(output->files);
    json_decref(output->results);
    json_decref(output->rules);
    return err;
}
