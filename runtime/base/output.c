/* SPDX-License-Identifier: Apache-2.0 */
/* Files that get their final name when they are complete: see doppel/output.h. */
#include <doppel/output.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* stdio does not keep the cause of an earlier error; here the first one is stored. */
static ssize_t write_some(void *cookie, const char *bytes, size_t n)
{
    struct dpl_output *output = cookie;
    size_t done = 0;
    while (done < n && output->error == 0) {
        ssize_t written = write(output->fd, bytes + done, n - done);
        if (written > 0) {
            done += (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            output->error = written == 0 ? EIO : errno;
        }
    }
    return output->error == 0 ? (ssize_t)n : 0;
}

static void forget(struct dpl_output *output)
{
    free(output->path);
    free(output->part);
    *output = (struct dpl_output){.fd = -1};
}

/* A link to a file stays a link: its target is replaced. */
static int name(struct dpl_output *output, const char *path, const struct stat *info)
{
    bool is_there = info->st_mode != 0;
    output->path = is_there ? realpath(path, NULL) : strdup(path);
    if (!output->path) {
        return errno;
    }
    if (is_there && !S_ISREG(info->st_mode)) {
        return 0;
    }
    size_t size = strlen(output->path) + sizeof ".part";
    output->part = size <= DPL_OUTPUT_PATH_MAX ? malloc(size) : NULL;
    if (!output->part) {
        return size <= DPL_OUTPUT_PATH_MAX ? ENOMEM : ENAMETOOLONG;
    }
    snprintf(output->part, size, "%s.part", output->path);
    return 0;
}

static int open_stream(struct dpl_output *output, const struct stat *info)
{
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    output->fd = open(output->part ? output->part : output->path, flags, 0666);
    if (output->fd < 0) {
        return errno;
    }
    if (output->part && info->st_mode != 0) {
        /* a new file gets the mode of the old one */
        (void)!fchmod(output->fd, info->st_mode & 0777);
    }
    output->stream =
        fopencookie(output, "w", (cookie_io_functions_t){.write = write_some, .close = NULL});
    if (!output->stream) {
        close(output->fd);
        return ENOMEM;
    }
    return 0;
}

int dpl_output_open(struct dpl_output *output, const char *path, struct dpl_diag *reterr)
{
    struct stat info = {0};
    *output = (struct dpl_output){.fd = -1};
    if (stat(path, &info) < 0) {
        info.st_mode = 0;
    }
    int error = name(output, path, &info);
    error = error ? error : open_stream(output, &info);
    if (error == 0) {
        return 0;
    }
    dpl_fail(reterr, -error, (struct dpl_place){0}, "cannot write '%.300s': %s", path,
             strerror(error));
    forget(output);
    return -error;
}

/* Flushes, syncs and closes; the first errno, 0: all data is on the disk. */
static int finish(struct dpl_output *output, bool sync)
{
    bool failed = fclose(output->stream) != 0; /* write_some stores the cause */
    int error = output->error ? output->error : failed ? EIO : 0;
    if (error == 0 && sync && fsync(output->fd) < 0 && errno != EINVAL && errno != EROFS) {
        error = errno;
    }
    if (close(output->fd) < 0 && error == 0) {
        error = errno;
    }
    return error;
}

static int close_as(struct dpl_output *output, const char *path, bool sync, struct dpl_diag *reterr)
{
    int error = finish(output, sync && output->part);
    if (error == 0 && output->part && rename(output->part, path) < 0) {
        error = errno;
    }
    if (error) {
        dpl_fail(reterr, -error, (struct dpl_place){0}, "cannot write '%.300s': %s%s", output->path,
                 strerror(error), output->part ? "; what there is of it ends in .part" : "");
    }
    forget(output);
    return -error;
}

int dpl_output_close(struct dpl_output *output, struct dpl_diag *reterr)
{
    return output->stream ? close_as(output, output->path, true, reterr) : 0;
}

int dpl_output_set_aside(struct dpl_output *output, const char *path, struct dpl_diag *reterr)
{
    return close_as(output, path, false, reterr);
}

void dpl_output_abandon(struct dpl_output *output)
{
    if (!output->stream) {
        return;
    }
    finish(output, false);
    if (output->part) {
        unlink(output->part);
    }
    forget(output);
}
