/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target over every file of a corpus folder, so that the corpus is a test in builds
 * without libFuzzer. Fails when the folder is missing or empty. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return -1;
    }
    static uint8_t buffer[1 << 20];
    size_t size = fread(buffer, 1, sizeof buffer, file);
    fclose(file);
    uint8_t *exact = malloc(size ? size : 1); /* exact size: a sanitizer sees one byte too far */
    if (!exact) {
        return -1;
    }
    memcpy(exact, buffer, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
        return 2;
    }
    DIR *folder = opendir(argv[1]);
    if (!folder) {
        perror(argv[1]);
        return 1;
    }
    int count = 0, failed = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        count++;
        failed += run_file(argv[1], entry->d_name) != 0;
    }
    closedir(folder);
    printf("%d files, %d unreadable\n", count, failed);
    return count == 0 || failed != 0;
}
