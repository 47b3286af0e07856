/* SPDX-License-Identifier: Apache-2.0 */
/* The format json of `doppel check`: a list of LSP's PublishDiagnosticsParams, one for each file
 * (Language Server Protocol 3.17). */
#include <stdlib.h>
#include <string.h>

#include "check_output.h"
#include "check_text.h"

static json_t *position(int line, int character)
{
    return json_pack("{s:i,s:i}", "line", line, "character", character);
}

static json_t *diagnostic(const struct dpl_diag *diag)
{
    static const int severities[] = {
        [DPL_SEVERITY_ERROR] = 1,
        [DPL_SEVERITY_WARNING] = 2,
        [DPL_SEVERITY_NOTE] = 3,
    };
    struct check_span span = check_text_span(&diag->place);
    char code[CHECK_CODE_SIZE];
    check_text_code(diag->text, code);
    char *message = check_text_plain(diag->text, true);
    json_t *json =
        !message ? NULL
                 : json_pack("{s:{s:o,s:o},s:i,s:s,s:s,s:s}", "range", "start",
                             position(span.line, span.start), "end", position(span.line, span.end),
                             "severity", severities[diag->severity], "code", code, "source",
                             "doppel", "message", message);
    free(message);
    return json;
}

/* The diagnostics of a file; new ones when nothing was found in it yet. Borrowed; NULL: no memory.
 */
static json_t *diagnostics_of(json_t *files, const char *file)
{
    char *uri = check_text_uri(file, true);
    json_t *known, *found = NULL;
    size_t i;
    json_array_foreach(files, i, known)
    {
        if (uri && strcmp(json_string_value(json_object_get(known, "uri")), uri) == 0) {
            found = json_object_get(known, "diagnostics");
        }
    }
    if (uri && !found) {
        json_t *list = json_array();
        json_array_append_new(files, json_pack("{s:s,s:O}", "uri", uri, "diagnostics", list));
        json_decref(list);
        found = list;
    }
    free(uri);
    return found;
}

void check_json_add(struct check_output *output, const char *name, const struct dpl_diags *diags)
{
    output->files = output->files ? output->files : json_array();
    output->failed |= !diagnostics_of(output->files, name); /* a file without errors is named too */
    for (size_t i = 0; i < diags->n; i++) {
        const struct dpl_diag *diag = &diags->items[i];
        json_t *list = diagnostics_of(output->files, diag->place.file ? diag->place.file : name);
        output->failed |= json_array_append_new(list, diagnostic(diag)) != 0;
    }
}
