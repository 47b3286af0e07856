/* SPDX-License-Identifier: Apache-2.0 */
#include "status_row.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

#include <doppel/system_clock.h>

#define CLEAR           "\r\033[K"
#define PERIOD          (100 * DPL_MS)
#define DEFAULT_COLUMNS 80
#define LEFT_AFTER_S    1.0 /* before, the time that is left is a guess */
#define LEFT_MOST_S     (100.0 * 3600.0)

static struct {
    bool is_on, is_drawn;
    dpl_ns shown;
    double first_share; /* NAN: no share yet */
    dpl_ns first_at;
    char text[STATUS_ROW_BYTES]; /* not cut: a terminal may become wider */
    FILE *log;                   /* NULL: not yet */
} row;

/* ---- text ---- */

void status_row_cut(const char *text, size_t columns, char ret_line[STATUS_ROW_BYTES])
{
    size_t n = 0, used = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        size_t bytes = 1;
        while (*c >= 0xc0 && bytes < 4 && (c[bytes] & 0xc0) == 0x80) {
            bytes++;
        }
        size_t wide = *c < 0x80 ? 1 : 2;
        bool is_control =
            *c < 0x20 || *c == 0x7f || (*c >= 0x80 && bytes == 1) || (*c == 0xc2 && c[1] < 0xa0);
        if (used + wide > columns || n + bytes >= STATUS_ROW_BYTES) {
            break;
        }
        if (is_control) {
            ret_line[n++] = ' ';
        } else {
            memcpy(ret_line + n, c, bytes);
            n += bytes;
        }
        used += wide;
        c += bytes;
    }
    ret_line[n] = '\0';
}

static void format_left(double left_s, char ret_text[32])
{
    if (!(left_s < LEFT_MOST_S)) {
        snprintf(ret_text, 32, "    -:-- left");
        return;
    }
    long s = lround(left_s);
    if (s >= 3600) {
        snprintf(ret_text, 32, "%2ld:%02ld:%02ld left", s / 3600, s / 60 % 60, s % 60);
    } else {
        snprintf(ret_text, 32, "%5ld:%02ld left", s / 60, s % 60);
    }
}

void status_row_format(double share, double left_s, const char *text,
                       char ret_line[STATUS_ROW_BYTES])
{
    char left[32];
    if (!isfinite(share)) {
        snprintf(ret_line, STATUS_ROW_BYTES, "%s", text);
        return;
    }
    format_left(left_s, left);
    /* not rounded up: 100 % is the end */
    snprintf(ret_line, STATUS_ROW_BYTES, "%3d %%  %s  %s",
             (int)(fmin(fmax(share, 0.0), 1.0) * 100.0), left, text);
}

/* ---- terminal ---- */

static bool is_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && term && *term != '\0' && strcmp(term, "dumb") != 0;
}

/* The last column stays free: some terminals begin a new line after it. */
static size_t usable_columns(void)
{
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return (known ? size.ws_col : DEFAULT_COLUMNS) - 1u;
}

static void write_all(const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write(STDERR_FILENO, bytes, n);
        if (written < 0 && errno != EINTR) {
            return; /* nobody is left to be told */
        }
        bytes += written > 0 ? written : 0;
        n -= written > 0 ? (size_t)written : 0;
    }
}

static void draw(void)
{
    char line[STATUS_ROW_BYTES], bytes[STATUS_ROW_BYTES + sizeof CLEAR];
    status_row_cut(row.text, usable_columns(), line);
    int n = snprintf(bytes, sizeof bytes, "%s%s", CLEAR, line);
    fflush(stderr);
    write_all(bytes, (size_t)n);
    row.is_drawn = true;
}

void status_row_begin(void)
{
    row.is_on = is_terminal();
    row.is_drawn = false;
    row.shown = dpl_monotonic_now() - PERIOD;
    row.first_share = (double)NAN;
}

bool status_row_is_on(void)
{
    return row.is_on;
}

/* What was done before the first call took no time. NAN: it cannot be known yet. */
static double time_left_s(double share, dpl_ns now)
{
    if (isfinite(share) && !isfinite(row.first_share)) {
        row.first_share = share;
        row.first_at = now;
    }
    double elapsed_s = dpl_ns_to_s(now - row.first_at), done = share - row.first_share;
    return done > 0.0 && elapsed_s >= LEFT_AFTER_S ? elapsed_s * (1.0 - share) / done : (double)NAN;
}

void status_row_show(double share, const char *text)
{
    if (!row.is_on) {
        return;
    }
    dpl_ns now = dpl_monotonic_now();
    double left_s = time_left_s(share, now);
    if (now - row.shown < PERIOD) {
        return;
    }
    row.shown = now;
    status_row_format(share, left_s, text, row.text);
    draw();
}

void status_row_count(size_t count, size_t n, const char *what)
{
    char text[STATUS_ROW_BYTES / 2], most[24];
    int width = snprintf(most, sizeof most, "%zu", n);
    snprintf(text, sizeof text, "%*zu of %s %s", width, count, most, what);
    status_row_show(n > 0 ? (double)count / (double)n : (double)NAN, text);
}

void status_row_hide(void)
{
    if (row.is_on && row.is_drawn) {
        row.is_drawn = false;
        fflush(stderr);
        write_all(CLEAR, strlen(CLEAR));
    }
}

void status_row_end(void)
{
    if (row.log) {
        fflush(row.log);
    }
    status_row_hide();
    row.is_on = false;
}

/* ---- log ---- */

static ssize_t write_log(void *cookie, const char *bytes, size_t n)
{
    (void)cookie;
    bool was_drawn = row.is_drawn;
    status_row_hide();
    fflush(stderr);
    write_all(bytes, n);
    if (was_drawn && n > 0 && bytes[n - 1] == '\n') {
        draw();
    }
    return (ssize_t)n;
}

FILE *status_row_log(void)
{
    if (!row.is_on) {
        return stderr;
    }
    if (!row.log) {
        row.log = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_log});
        if (row.log) {
            setvbuf(row.log, NULL, _IOLBF, 4096);
        }
    }
    return row.log ? row.log : stderr;
}
