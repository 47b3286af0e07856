/* SPDX-License-Identifier: Apache-2.0 */
/* doppel-xsd FOLDER: writes the schemas of profiles, worlds, robots and mechanisms into a folder.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <doppel/host/schema.h>
#include <doppel/sim/schema.h>

static int write_schema(const char *folder, const char *kind,
                        int (*write)(FILE *stream, const char *kind))
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s.xsd", folder, kind);
    FILE *stream = fopen(path, "w");
    if (!stream) {
        perror(path);
        return 1;
    }
    int error = write(stream, kind);
    if (fclose(stream) != 0 && error == 0) {
        error = -errno;
    }
    if (error != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(-error));
    }
    return error != 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: doppel-xsd FOLDER\n", stderr);
        return 2;
    }
    static const char *const roots[] = {"world", "robot_model", "mechanism", "RigidObject",
                                        "test_plan"};
    int failed = 0;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        failed |= write_schema(argv[1], roots[i], dpl_sim_write_schema);
    }
    for (size_t i = 0; dpl_schema_kind(i); i++) {
        failed |= write_schema(argv[1], dpl_schema_kind(i), dpl_schema_write);
    }
    return failed;
}
