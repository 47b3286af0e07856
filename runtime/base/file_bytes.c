/* SPDX-License-Identifier: Apache-2.0 */
#include "file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    void (*seen)(void *user, const char *bytes, size_t n);
    void *user;
} watch;

void dpl_file_bytes_watch(void (*seen)(void *user, const char *bytes, size_t n), void *user)
{
    watch.seen = seen;
    watch.user = user;
}

static int read_stream(FILE *stream, size_t most, char **ret_bytes, size_t *ret_n)
{
    size_t capacity = 16384, n = 0, got;
    char *bytes = malloc(capacity);
    while (bytes && (got = fread(bytes + n, 1, capacity - n, stream)) > 0) {
        n += got;
        if (n > most) {
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

int dpl_file_bytes(const char *file, size_t most, char **ret_bytes, size_t *ret_n, int *ret_opened)
{
    FILE *stream = open_stream(file);
    *ret_opened = stream != NULL;
    if (!stream) {
        return -errno;
    }
    errno = 0;
    int err = read_stream(stream, most, ret_bytes, ret_n);
    fclose(stream);
    if (err == 0 && watch.seen) {
        watch.seen(watch.user, *ret_bytes, *ret_n);
    }
    return err;
}
