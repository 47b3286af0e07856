/* SPDX-License-Identifier: Apache-2.0 */
/* The format sarif of `doppel check`: a log of the Static Analysis Results Interchange Format 2.1.0
 * (OASIS). */
#include <stdlib.h>
#include <string.h>

#include "check_output.h"
#include "check_text.h"

static json_t *location_of(const char *file)
{
    char *uri = check_text_uri(file, false);
    json_t *location = uri ? json_pack("{s:s}", "uri", uri) : NULL;
    free(uri);
    return location;
}

/* The index of the object whose `key` equals that of `object`, which is appended when there is
 * none; takes the reference. */
static size_t index_of(json_t *list, const char *key, json_t *object)
{
    size_t i;
    json_t *known;
    json_array_foreach(list, i, known)
    {
        if (json_equal(json_object_get(known, key), json_object_get(object, key))) {
            json_decref(object);
            return i;
        }
    }
    json_array_append_new(list, object);
    return i;
}

/* Lines and columns count from 1, the end of a region is the column behind it. */
static json_t *region(const struct dpl_place *place)
{
    struct check_span span = check_text_span(place);
    return json_pack("{s:i,s:i,s:i,s:i}", "startLine", span.line + 1, "startColumn", span.start + 1,
                     "endLine", span.line + 1, "endColumn", span.end + 1);
}

static json_t *result(struct check_output *output, const char *name, const struct dpl_diag *diag)
{
    static const char *const levels[] = {
        [DPL_SEVERITY_ERROR] = "error",
        [DPL_SEVERITY_WARNING] = "warning",
        [DPL_SEVERITY_NOTE] = "note",
    };
    char code[CHECK_CODE_SIZE];
    check_text_code(diag->text, code);
    size_t rule = index_of(output->rules, "id", json_pack("{s:s}", "id", code));
    const char *file = diag->place.file ? diag->place.file : name;
    json_t *location = location_of(file);
    size_t artifact =
        index_of(output->files, "location", json_pack("{s:o}", "location", location_of(file)));
    json_object_set_new(location, "index", json_integer((json_int_t)artifact));
    json_t *physical = json_pack("{s:o}", "artifactLocation", location);
    if (diag->place.file && diag->place.line > 0) {
        json_object_set_new(physical, "region", region(&diag->place));
    }
    char *message = check_text_plain(diag->text, true);
    json_t *json = json_pack("{s:s,s:I,s:s,s:{s:s},s:[{s:o}]}", "ruleId", code, "ruleIndex",
                             (json_int_t)rule, "level", levels[diag->severity], "message", "text",
                             message ? message : "", "locations", "physicalLocation", physical);
    free(message);
    return json;
}

static void start(struct check_output *output)
{
    output->files = output->files ? output->files : json_array();
    output->results = output->results ? output->results : json_array();
    output->rules = output->rules ? output->rules : json_array();
}

void check_sarif_add(struct check_output *output, const char *name, const struct dpl_diags *diags)
{
    start(output);
    index_of(output->files, "location", json_pack("{s:o}", "location", location_of(name)));
    for (size_t i = 0; i < diags->n; i++) {
        json_t *found = result(output, name, &diags->items[i]);
        output->failed |= json_array_append_new(output->results, found) != 0;
    }
}

json_t *check_sarif_document(struct check_output *output, int exit_code)
{
    start(output);
    return json_pack("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:O}},s:[{s:b,s:i}],s:O,s:O,s:s}]}", "$schema",
                     "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                     "tool", "driver", "name", "doppel", "version", DOPPEL_VERSION, "rules",
                     output->rules, "invocations", "executionSuccessful", 1, "exitCode", exit_code,
                     "artifacts", output->files, "results", output->results, "columnKind",
                     "utf16CodeUnits");
}
