/* SPDX-License-Identifier: Apache-2.0 */
/* See test_log.h. It runs in a process that was forked from one with threads (test_keeper.c), so
 * its memory comes from the system. */
#include "test_log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void write_at(struct test_log *log, const char *bytes, size_t n, uint64_t at)
{
    while (n > 0 && log->err == 0) {
        ssize_t written = pwrite(log->fd, bytes, n, (off_t)at);
        if (written > 0) {
            bytes += written;
            at += (uint64_t)written;
            n -= (size_t)written;
        } else if (written == 0 || errno != EINTR) {
            log->err = written == 0 ? -EIO : -errno;
        }
    }
}

static void read_at(struct test_log *log, char *bytes, size_t n, uint64_t at)
{
    while (n > 0 && log->err == 0) {
        ssize_t got = pread(log->fd, bytes, n, (off_t)at);
        if (got > 0) {
            bytes += got;
            at += (uint64_t)got;
            n -= (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            log->err = got == 0 ? -EIO : -errno;
        }
    }
}

/* The bytes that are in the tail. */
static size_t tail_bytes(const struct test_log *log)
{
    uint64_t after = log->said > log->part ? log->said - log->part : 0;
    return after < log->part ? (size_t)after : log->part;
}

/* Does it for the two pieces of the tail, in the order of the file from `at` on. */
static void each_piece(struct test_log *log, uint64_t at,
                       void (*move)(struct test_log *, char *, size_t, uint64_t))
{
    size_t n = tail_bytes(log), begin = (size_t)((log->said - log->part - n) % log->part);
    size_t first = n < log->part - begin ? n : log->part - begin;
    move(log, log->tail + begin, first, at);
    move(log, log->tail, n - first, at + first);
}

static void write_piece(struct test_log *log, char *bytes, size_t n, uint64_t at)
{
    write_at(log, bytes, n, at);
}

void test_log_begin(struct test_log *log, int fd, size_t part, uint64_t said)
{
    *log = (struct test_log){.fd = fd, .part = part, .said = said};
    void *tail = mmap(NULL, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    log->tail = tail == MAP_FAILED ? NULL : tail;
    log->err = log->tail ? 0 : -ENOMEM;
    off_t size = lseek(fd, 0, SEEK_END);
    size_t n = tail_bytes(log);
    if (log->err == 0 && n > 0 && (uint64_t)size < n) {
        log->err = -EIO; /* somebody else has cut it */
    }
    if (log->err == 0 && n > 0) {
        each_piece(log, (uint64_t)size - n, read_at);
    }
}

void test_log_add(struct test_log *log, const char *bytes, size_t n)
{
    if (log->err == 0 && log->said < log->part) {
        size_t room = (size_t)(log->part - log->said), first = n < room ? n : room;
        write_at(log, bytes, first, log->said);
        log->said += first;
        bytes += first;
        n -= first;
    }
    while (n > 0 && log->err == 0) {
        size_t at = (size_t)((log->said - log->part) % log->part);
        size_t room = log->part - at, piece = n < room ? n : room;
        memcpy(log->tail + at, bytes, piece);
        log->said += piece;
        bytes += piece;
        n -= piece;
    }
}

void test_log_end(struct test_log *log)
{
    size_t n = tail_bytes(log);
    if (log->err == 0 && n > 0) {
        char line[80] = "";
        uint64_t left_out = log->said - log->part - n;
        int length = left_out > 0 ? snprintf(line, sizeof line,
                                             "\n[doppel test: %llu bytes were left out here]\n",
                                             (unsigned long long)left_out)
                                  : 0;
        size_t used = length > 0 ? (size_t)length : 0;
        write_at(log, line, used, log->part);
        each_piece(log, log->part + used, write_piece);
    }
    if (log->tail) {
        munmap(log->tail, log->part);
        log->tail = NULL;
    }
}
