/* SPDX-License-Identifier: Apache-2.0 */
/* doppel-xsd FOLDER: writes the schemas of all kinds of profiles into a folder. */
#include <stdio.h>

#include "dialect.h"

static int write_schema(const char *folder, enum dpl__kind kind)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s.xsd", folder, dpl__kind_name(kind));
    FILE *stream = fopen(path, "w");
    if (stream == NULL) {
        perror(path);
        return 1;
    }
    int error = dpl__dialect_write_xsd(stream, kind);
    if (fclose(stream) != 0 || error != 0) {
        perror(path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: doppel-xsd FOLDER\n", stderr);
        return 2;
    }
    int failed = 0;
    for (int kind = 0; kind < DPL__N_KINDS; kind++) {
        failed |= write_schema(argv[1], (enum dpl__kind)kind);
    }
    return failed;
}
