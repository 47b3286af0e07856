/* SPDX-License-Identifier: Apache-2.0 */
/* XML files: their bytes are read completely, then parsed. */
#include <stdlib.h>
#include <string.h>

#include "file_bytes.h"
#include "xml_reader.h"

int dpl_xml_read_file(struct dpl_arena *arena, const char *file,
                      const struct dpl_xml_node **ret_root, struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = dpl_arena_strdup(arena, file)};
    char *bytes;
    size_t n;
    int opened;
    int error = dpl_file_bytes(file, DPL_XML_BYTES_MAX, &bytes, &n, &opened);
    if (error != 0) {
        return dpl_fail(reterr, error, place, "cannot be %s: %s", opened ? "read" : "opened",
                        strerror(-error));
    }
    error = dpl_xml_read_memory(arena, file, bytes, n, ret_root, reterr);
    free(bytes);
    return error;
}
