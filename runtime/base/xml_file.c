/* SPDX-License-Identifier: Apache-2.0 */
/* XML files: their bytes are read completely, then parsed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "xml_reader.h"

static int read_stream(FILE *stream, char **ret_bytes, size_t *ret_n)
{
    size_t capacity = 16384, n = 0, got;
    char *bytes = malloc(capacity);
    while (bytes && (got = fread(bytes + n, 1, capacity - n, stream)) > 0) {
        n += got;
        if (n > DPL_XML_BYTES_MAX) {
            break;
        }
        if (n == capacity) {
            capacity *= 2;
            char *larger = realloc(bytes, capacity);
            if (!larger) {
                free(bytes);
            }
            bytes = larger;
        }
    }
    if (!bytes) {
        return -ENOMEM;
    }
    if (ferror(stream)) {
        free(bytes);
        return errno != 0 ? -errno : -EIO;
    }
    *ret_bytes = bytes;
    *ret_n = n;
    return 0;
}

/* Opening a named pipe does not wait for a writer; reading waits for it. */
static FILE *open_stream(const char *file)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return NULL;
    }
    FILE *stream = fcntl(fd, F_SETFL, 0) == 0 ? fdopen(fd, "rb") : NULL;
    if (!stream) {
        int code = errno;
        close(fd);
        errno = code;
    }
    return stream;
}

int dpl_xml_read_file(struct dpl_arena *arena, const char *file,
                      const struct dpl_xml_node **ret_root, struct dpl_diag *reterr)
{
    struct dpl_place place = {.file = dpl_arena_strdup(arena, file)};
    FILE *stream = open_stream(file);
    if (!stream) {
        int code = errno;
        return dpl_fail(reterr, -code, place, "cannot be opened: %s", strerror(code));
    }
    char *bytes;
    size_t n;
    errno = 0;
    int error = read_stream(stream, &bytes, &n);
    fclose(stream);
    if (error != 0) {
        return dpl_fail(reterr, error, place, "cannot be read: %s", strerror(-error));
    }
    error = dpl_xml_read_memory(arena, file, bytes, n, ret_root, reterr);
    free(bytes);
    return error;
}
