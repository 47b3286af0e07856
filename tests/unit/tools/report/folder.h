/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of runs made by tests. */
#ifndef TESTS_REPORT_FOLDER_H
#define TESTS_REPORT_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <criterion/criterion.h>

static inline void folder_write(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
}

static inline void folder_remove(const char *folder)
{
    static const char *const names[] = {"summary.json", "trace.csv", "trace.csv.part", "scans.csv",
                                        "run.json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

#endif
