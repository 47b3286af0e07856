/* SPDX-License-Identifier: Apache-2.0 */
/* `doppel emulate` as an independent host meets it: a pty or a socket and raw bytes, written and
 * checked here without Doppel's codecs. DOPPEL_EXE names the program. Waits end when what is waited
 * for comes, and fail after seconds. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "free_port.h"

#define ARGS_MAX 20

static char folder[32];
static char link_a[64], link_b[64];

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void make_folder(void)
{
    strcpy(folder, "/tmp/doppel-dev-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(link_a, sizeof link_a, "%s/a", folder);
    snprintf(link_b, sizeof link_b, "%s/b", folder);
}

static void remove_folder(void)
{
    char file[64];
    snprintf(file, sizeof file, "%s/log", folder);
    unlink(file);
    unlink(link_a);
    unlink(link_b);
    rmdir(folder);
}

/* ---- processes ---- */

/* Starts `doppel emulate ...`; the words end with NULL. Quiet: its messages go nowhere. */
static pid_t start(const char *const *words)
{
    const char *args[ARGS_MAX + 3] = {getenv("DOPPEL_EXE"), "emulate"};
    cr_assert_not_null(args[0], "DOPPEL_EXE is not set");
    for (int i = 0; words[i]; i++) {
        args[2 + i] = words[i];
    }
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nobody behind */
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        dup2(null, 2);
        execv(args[0], (char *const *)(uintptr_t)args);
        _exit(127);
    }
    return pid;
}

#define START(...) start((const char *const[]){__VA_ARGS__, NULL})

static int exit_code(pid_t pid)
{
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int end(pid_t pid, int number)
{
    kill(pid, number);
    return exit_code(pid);
}

/* ---- lines ---- */

static bool wait_readable(int fd, double until)
{
    double left = until - now_s();
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return left > 0.0 && poll(&p, 1, (int)(left * 1000.0) + 1) > 0;
}

/* A breath between two looks at something that no descriptor tells of. */
static void breathe(void)
{
    poll(NULL, 0, 5);
}

static int open_pty(const char *link)
{
    for (double until = now_s() + 5.0; now_s() < until; breathe()) {
        int fd = open(link, O_RDWR | O_NOCTTY | O_NONBLOCK);
        if (fd >= 0) {
            struct termios tio;
            tcgetattr(fd, &tio);
            cfmakeraw(&tio);
            tcsetattr(fd, TCSANOW, &tio);
            return fd;
        }
    }
    cr_assert_fail("no pty at %s", link);
    return -1;
}

static int open_tcp(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (double until = now_s() + 5.0; now_s() < until; breathe()) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
            return fd;
        }
        close(fd);
    }
    cr_assert_fail("nobody at port %d", port);
    return -1;
}

/* ---- a Kobuki host ---- */

struct feedback {
    double arrival;
    int time_ms, left, right, heading_centideg;
    int bumper, wheel_drop, cliff, buttons;
    int firmware;    /* packed; -1: not told */
    unsigned blocks; /* bits by id */
};

struct kobuki {
    int fd;
    size_t n;
    uint8_t bytes[4096];
};

static struct kobuki kobuki_open(const char *link)
{
    return (struct kobuki){.fd = open_pty(link)};
}

static void kobuki_tell(const struct kobuki *k, const uint8_t *payload, size_t n)
{
    uint8_t frame[32] = {0xaa, 0x55, (uint8_t)n}, check = (uint8_t)n;
    for (size_t i = 0; i < n; i++) {
        frame[3 + i] = payload[i];
        check ^= payload[i];
    }
    frame[3 + n] = check;
    cr_assert_eq(write(k->fd, frame, n + 4), (ssize_t)(n + 4));
}

static void kobuki_drive(const struct kobuki *k, int speed_mm_s)
{
    kobuki_tell(k, (const uint8_t[]){1, 4, (uint8_t)speed_mm_s, (uint8_t)(speed_mm_s >> 8), 0, 0},
                6);
}

static void read_blocks(const uint8_t *payload, size_t n, struct feedback *ret)
{
    *ret = (struct feedback){.firmware = -1};
    for (size_t i = 0; i + 2 <= n; i += 2u + payload[i + 1]) {
        const uint8_t *d = payload + i + 2;
        ret->blocks |= 1u << payload[i];
        if (payload[i] == 1) {
            ret->time_ms = d[0] | d[1] << 8;
            ret->bumper = d[2];
            ret->wheel_drop = d[3];
            ret->cliff = d[4];
            ret->buttons = d[11];
            ret->left = d[5] | d[6] << 8;
            ret->right = d[7] | d[8] << 8;
        } else if (payload[i] == 4) {
            ret->heading_centideg = (int16_t)(d[0] | d[1] << 8);
        } else if (payload[i] == 11) {
            ret->firmware = d[0] | d[1] << 8 | d[2] << 16;
        }
    }
    ret->arrival = now_s();
}

/* The first whole frame among the bytes; removes it. */
static bool take_frame(struct kobuki *k, struct feedback *ret)
{
    for (size_t i = 0; i + 4 <= k->n; i++) {
        if (k->bytes[i] != 0xaa || k->bytes[i + 1] != 0x55) {
            continue;
        }
        size_t length = k->bytes[i + 2];
        if (i + length + 4 > k->n) {
            return false;
        }
        uint8_t check = 0;
        for (size_t j = 2; j < length + 4; j++) {
            check ^= k->bytes[i + j];
        }
        cr_assert_eq(check, 0, "wrong check");
        read_blocks(k->bytes + i + 3, length, ret);
        k->n -= i + length + 4;
        memmove(k->bytes, k->bytes + i + length + 4, k->n);
        return true;
    }
    return false;
}

/* The next feedback; false after a second without any, or when the port is gone. */
static bool kobuki_hear(struct kobuki *k, struct feedback *ret)
{
    double until = now_s() + 1.0;
    while (!take_frame(k, ret)) {
        if (!wait_readable(k->fd, until)) {
            return false;
        }
        ssize_t n = read(k->fd, k->bytes + k->n, sizeof k->bytes - k->n);
        if (n <= 0) {
            return false;
        }
        k->n += (size_t)n;
    }
    return true;
}

TestSuite(emulated_kobuki, .init = make_folder, .fini = remove_folder, .timeout = 20);

Test(emulated_kobuki, sends_whole_feedback_every_20_ms_and_its_firmware_when_asked)
{
    pid_t pid = START("kobuki", "--pty", link_a);
    struct kobuki k = kobuki_open(link_a);
    struct feedback f, first;
    int firmware = -1;
    cr_assert(kobuki_hear(&k, &first));
    kobuki_tell(&k, (const uint8_t[]){9, 2, 0x0b, 0}, 4);
    for (int i = 0; i < 50; i++) {
        cr_assert(kobuki_hear(&k, &f));
        firmware = f.firmware >= 0 ? f.firmware : firmware;
    }
    cr_assert_eq(firmware, 0x010200);
    unsigned streamed = 1u << 1 | 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 13 | 1u << 16;
    cr_assert_eq(f.blocks & streamed, streamed);
    cr_assert_float_eq(f.arrival - first.arrival, 1.0, 0.1);
    cr_assert_eq((f.time_ms - first.time_ms) & 0xffff, 1000);
    cr_assert_eq(end(pid, SIGINT), 0);
    struct stat info;
    cr_assert_neq(lstat(link_a, &info), 0, "the link is left behind");
}

Test(emulated_kobuki, stops_within_600_ms_when_its_host_falls_silent)
{
    pid_t pid = START("kobuki", "--pty", link_a);
    struct kobuki k = kobuki_open(link_a);
    struct feedback f, before;
    for (int i = 0; i < 25; i++) {
        cr_assert(kobuki_hear(&k, &before));
        kobuki_drive(&k, 200);
    }
    double silent_since = now_s(), moved = silent_since;
    while (now_s() < silent_since + 1.0) {
        cr_assert(kobuki_hear(&k, &f));
        moved = f.left != before.left ? f.arrival : moved;
        before = f;
    }
    cr_assert_gt(moved, silent_since + 0.2, "it stopped too early to have been driven");
    cr_assert_lt(moved, silent_since + 0.6);
    cr_assert_eq(end(pid, SIGTERM), 0);
}

Test(emulated_kobuki, tells_what_is_pressed_by_hand)
{
    pid_t pid = START("kobuki", "--pty", link_a, "--press", "bumper_left,1,1.5", "--press",
                      "cliff_right,1,1.5", "--press", "wheel_drop_left,1,1.5", "--press",
                      "button0,1,1.5", "--press", "button2");
    struct kobuki k = kobuki_open(link_a);
    int pressed = 0, free = 0;
    struct feedback f;
    do {
        cr_assert(kobuki_hear(&k, &f));
        bool is_held = f.time_ms >= 1000 && f.time_ms < 1500;
        cr_assert_eq(f.bumper, is_held ? 4 : 0, "at %d ms", f.time_ms);
        cr_assert_eq(f.cliff, is_held ? 1 : 0, "at %d ms", f.time_ms);
        cr_assert_eq(f.wheel_drop, is_held ? 2 : 0, "at %d ms", f.time_ms);
        cr_assert_eq(f.buttons, is_held ? 5 : 4, "at %d ms", f.time_ms);
        pressed += is_held;
        free += !is_held;
    } while (f.time_ms < 1600);
    cr_assert_eq(pressed, 25);
    cr_assert_gt(free, 1);
    cr_assert_eq(end(pid, SIGTERM), 0);
}

Test(emulated_kobuki, stamps_step_by_20_ms_also_when_the_emulator_was_held_up)
{
    pid_t pid = START("kobuki", "--pty", link_a);
    struct kobuki k = kobuki_open(link_a);
    struct feedback f, before;
    cr_assert(kobuki_hear(&k, &before));
    for (int i = 0; i < 60; i++) {
        if (i == 20) {
            kill(pid, SIGSTOP);
            for (double until = now_s() + 0.2; now_s() < until; breathe()) {
            }
            kill(pid, SIGCONT);
        }
        cr_assert(kobuki_hear(&k, &f));
        cr_assert_eq((f.time_ms - before.time_ms) & 0xffff, 20, "frame %d", i);
        before = f;
    }
    cr_assert_eq(end(pid, SIGTERM), 0);
}

Test(emulated_kobuki, goes_on_for_the_next_host)
{
    pid_t pid = START("kobuki", "--pty", link_a);
    struct feedback f;
    for (int i = 0; i < 3; i++) {
        struct kobuki k = kobuki_open(link_a);
        cr_assert(kobuki_hear(&k, &f), "host %d", i);
        cr_assert(kobuki_hear(&k, &f));
        close(k.fd);
        breathe();
    }
    cr_assert_eq(end(pid, SIGINT), 0);
}

Test(emulated_kobuki, an_unplugged_cable_is_seen_and_comes_back)
{
    pid_t pid = START("kobuki", "--pty", link_a, "--unplug", "1,1.5");
    struct kobuki k = kobuki_open(link_a);
    struct feedback f;
    while (kobuki_hear(&k, &f)) {
    }
    close(k.fd);
    k = kobuki_open(link_a);
    cr_assert(kobuki_hear(&k, &f));
    cr_assert_eq(end(pid, SIGINT), 0);
}

Test(emulated_kobuki, replaces_a_link_that_was_left_behind_but_no_file)
{
    cr_assert_eq(symlink("/nonexistent", link_a), 0);
    pid_t pid = START("kobuki", "--pty", link_a);
    struct kobuki k = kobuki_open(link_a);
    struct feedback f;
    cr_assert(kobuki_hear(&k, &f));
    cr_assert_eq(end(pid, SIGINT), 0);
    close(open(link_a, O_CREAT | O_WRONLY, 0600));
    cr_assert_eq(exit_code(START("kobuki", "--pty", link_a)), 1);
}

TestSuite(emulate, .init = make_folder, .fini = remove_folder, .timeout = 20);

Test(emulate, wrong_command_lines_end_with_2_and_missing_files_with_1)
{
    cr_assert_eq(exit_code(START("kobuki")), 2);
    cr_assert_eq(exit_code(START("robot", "--pty", link_a)), 2);
    cr_assert_eq(exit_code(START("kobuki", "--tcp", "1234")), 2);
    cr_assert_eq(exit_code(START("kobuki", "--pty", link_a, "--freeze", "2,1")), 2);
    cr_assert_eq(exit_code(START("kobuki", "--pty", link_a, "--firmware", "x")), 2);
    cr_assert_eq(exit_code(START("kobuki", "--pty", link_a, "--press", "bumper")), 2);
    cr_assert_eq(exit_code(START("urg", "--pty", link_a, "--press", "button0")), 2);
    cr_assert_eq(exit_code(START("kobuki", "--pty", link_a, "--model", "UST-10LX")), 2);
    cr_assert_eq(exit_code(START("urg", "--pty", link_a, "--log", "/nonexistent")), 1);
    cr_assert_eq(exit_code(START("urg", "--pty", link_a, "--world", "/nonexistent.xml")), 1);
    cr_assert_eq(exit_code(START("urg", "--pty", link_a, "--model", "XYZ")), 1);
    cr_assert_eq(exit_code(START("urg", "--pty", link_a, "--cut", "1,2,3")), 2);
    cr_assert_eq(exit_code(START("cia402", "--pty", link_a, "--world", "corridor")), 2);
    cr_assert_eq(exit_code(START("cia402", "--pty", link_a, "--cut", "7,2,3")), 1);
    cr_assert_eq(exit_code(START("cia402", "--pty", link_a, "--emergency", "1,x")), 1);
    cr_assert_eq(exit_code(START("cia402", "--pty", link_a, "--missing-targets", "-1")), 2);
    cr_assert_eq(exit_code(START("cia402", "--pty", link_a, "--start", "1 2 3")), 1);
}

/* It has ended, or SIGTERM does not end it outright any more. */
static bool handles_term(pid_t pid)
{
    char path[64], line[128];
    unsigned long long handled = 0;
    bool is_gone = true;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "State:", 6) == 0) {
            is_gone = strchr(line, 'Z') != NULL;
        }
        sscanf(line, "SigCgt: %llx", &handled);
    }
    if (file) {
        fclose(file);
    }
    return is_gone || (handled >> (SIGTERM - 1) & 1);
}

/* Starts an emulator, ends it with SIGTERM `after_ms` after its start or, if it is to be `ready`,
 * after it has a handler, and says whether it was gone within a second, and how. */
static bool ends_when_asked(int after_ms, bool ready, const char *const *words, int *ret_status)
{
    pid_t pid = start(words);
    for (double until = now_s() + 20.0; ready && !handles_term(pid) && now_s() < until;) {
        breathe();
    }
    poll(NULL, 0, after_ms);
    kill(pid, SIGTERM);
    for (double until = now_s() + 1.0; now_s() < until; breathe()) {
        if (waitpid(pid, ret_status, WNOHANG) == pid) {
            return true;
        }
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return false;
}

Test(emulate, ends_when_asked_whatever_it_is_waiting_for)
{
    char fifo[64];
    snprintf(fifo, sizeof fifo, "%s/log", folder);
    cr_assert_eq(mkfifo(fifo, 0600), 0);
    const struct {
        const char *words[8];
        int code; /* that it ends with */
    } rows[] = {
        {{"kobuki", "--pty", link_a, "--log", fifo}, 0},
        {{"urg", "--pty", link_a, "--log", fifo}, 0},
        {{"kobuki", "--pty", link_a, "--world", fifo}, 1}, /* by itself: a pipe is no world */
        {{"kobuki", "--pty", link_a, "--world", "tcp://127.0.0.1:9"}, 0},
        {{"urg", "--pty", link_a, "--world", "tcp://127.0.0.1:9"}, 0},
        {{"kobuki", "--pty", link_a, "--world", "corridor", "--robot", "avatar"}, 0},
        {{"kobuki", "--pty", link_a, "--freeze", "0,100"}, 0},
        {{"urg", "--pty", link_a}, 0},
        {{"cia402", "--pty", link_a}, 0},
        {{"firmata", "--pty", link_a}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int status = -1;
        cr_assert(ends_when_asked(5, false, rows[i].words, &status), "row %zu, at its start", i);
        cr_assert(ends_when_asked(300, true, rows[i].words, &status), "row %zu", i);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == rows[i].code,
                  "row %zu: it ended with the status %x", i, (unsigned)status);
    }
}

Test(emulate, a_log_is_a_file_or_a_pipe)
{
    cr_assert_eq(exit_code(START("urg", "--pty", link_a, "--log", "/dev/zero")), 1);
    cr_assert_eq(exit_code(START("urg", "--pty", link_a, "--log", folder)), 1);
}

/* ---- a SCIP host ---- */

struct urg {
    int fd;
    size_t n;
    char text[65536];
};

/* Reads until `what` has come; false when it does not within `seconds`. */
static bool urg_hear(struct urg *u, const char *what, double seconds)
{
    double until = now_s() + seconds;
    while (!strstr(u->text, what)) {
        if (!wait_readable(u->fd, until)) {
            return false;
        }
        ssize_t n = read(u->fd, u->text + u->n, sizeof u->text - 1 - u->n);
        if (n <= 0) {
            return false;
        }
        u->n += (size_t)n;
        u->text[u->n] = '\0';
    }
    return true;
}

static void urg_tell(struct urg *u, const char *request)
{
    u->n = 0;
    u->text[0] = '\0';
    cr_assert_eq(write(u->fd, request, strlen(request)), (ssize_t)strlen(request));
    cr_assert_eq(write(u->fd, "\n", 1), 1);
}

/* 6 bits a character, high first. */
static unsigned decode(const char *text, int chars)
{
    unsigned value = 0;
    for (int i = 0; i < chars; i++) {
        value = value << 6 | ((unsigned)text[i] - 0x30u);
    }
    return value;
}

/* The next scan of a stream of few steps (all data on one line): its stamp and first range. */
static bool urg_scan(struct urg *u, unsigned *ret_stamp_ms, unsigned *ret_mm)
{
    if (!urg_hear(u, "\n99b\n", 1.0)) {
        return false;
    }
    const char *at = strstr(u->text, "\n99b\n") + 5;
    size_t gone = (size_t)(at - u->text);
    memmove(u->text, at, u->n - gone + 1);
    u->n -= gone;
    if (!urg_hear(u, "\n\n", 1.0)) {
        return false;
    }
    *ret_stamp_ms = decode(u->text, 4);
    *ret_mm = decode(u->text + 6, 3);
    at = strstr(u->text, "\n\n") + 2;
    gone = (size_t)(at - u->text);
    memmove(u->text, at, u->n - gone + 1);
    u->n -= gone;
    return true;
}

static void converse(struct urg *u)
{
    urg_tell(u, "QT");
    cr_assert(urg_hear(u, "QT\n00P\n\n", 1.0));
    urg_tell(u, "PP");
    cr_assert(urg_hear(u, "PP\n00P\nMODL:URG-04LX", 1.0));
    cr_assert(urg_hear(u, "AMAX:725;o\n", 1.0));
    urg_tell(u, "GD0044072501");
    cr_assert(urg_hear(u, "GD0044072501\n10Q\n\n", 1.0));
    urg_tell(u, "MD0384038401000");
    cr_assert(urg_hear(u, "MD0384038401000\n00P\n\n", 1.0));
    unsigned stamp = 0, mm = 0, first = 0;
    double begin = 0.0;
    for (int i = 0; i < 12; i++) {
        cr_assert(urg_scan(u, &stamp, &mm), "scan %d", i);
        cr_assert_eq(mm, 3000, "the bare room's wall in front");
        if (i == 1) { /* the first may be an older turn */
            begin = now_s();
            first = stamp;
        }
    }
    cr_assert_float_eq(now_s() - begin, 1.0, 0.1);
    cr_assert_leq(abs((int)(stamp - first) - 1000), 10);
    urg_tell(u, "QT");
    cr_assert(urg_hear(u, "QT\n00P\n\n", 1.0));
}

TestSuite(emulated_urg, .init = make_folder, .fini = remove_folder, .timeout = 20);

Test(emulated_urg, speaks_scip_over_tcp_one_host_at_a_time)
{
    char port[8];
    static struct urg u;
    int number = free_port();
    snprintf(port, sizeof port, "%d", number);
    pid_t pid = START("urg", "--tcp", port);
    u.fd = open_tcp(number);
    converse(&u);
    static struct urg other;
    other.fd = open_tcp(number);
    char byte;
    cr_assert(wait_readable(other.fd, now_s() + 1.0), "a second host is left hanging");
    cr_assert_eq(read(other.fd, &byte, 1), -1);
    cr_assert_eq(errno, ECONNRESET, "%s", strerror(errno));
    close(other.fd);
    urg_tell(&u, "VV");
    cr_assert(urg_hear(&u, "VV\n00P\nVEND:", 1.0));
    close(u.fd);
    u.fd = open_tcp(number);
    urg_tell(&u, "QT");
    cr_assert(urg_hear(&u, "QT\n00P\n\n", 1.0));
    cr_assert_eq(end(pid, SIGINT), 0);
}

Test(emulated_urg, speaks_scip_over_a_pty)
{
    static struct urg u;
    pid_t pid = START("urg", "--pty", link_b);
    u.fd = open_pty(link_b);
    converse(&u);
    cr_assert_eq(end(pid, SIGTERM), 0);
}

/* ---- a host of drives on a CAN bus ---- */

TestSuite(emulated_cia402, .init = make_folder, .fini = remove_folder, .timeout = 20);

Test(emulated_cia402, speaks_slcan_over_a_pty_for_six_drives)
{
    static struct urg host; /* any text will do */
    pid_t pid = START("cia402", "--pty", link_a, "--start", "1 2 3 4 5 6");
    host.fd = open_pty(link_a);
    static const char open_bus[] = "C\rS8\rO\rt00028100\r"; /* and a reset of all */
    cr_assert_eq(write(host.fd, open_bus, sizeof open_bus - 1), (ssize_t)sizeof open_bus - 1);
    cr_assert(urg_hear(&host, "\a\r\rz\r", 2.0), "%s", host.text);
    cr_assert(urg_hear(&host, "t701100\r", 2.0));
    cr_assert(urg_hear(&host, "t706100\r", 2.0));
    static const char ask[] = "t60384064600000000000\r"; /* node 3: where are you? */
    cr_assert_eq(write(host.fd, ask, sizeof ask - 1), (ssize_t)sizeof ask - 1);
    cr_assert(urg_hear(&host, "t583843646000C0C62D00\r", 2.0), "%s", host.text);
    cr_assert_eq(end(pid, SIGTERM), 0);
}

/* Whether the adapter answers this soon. */
static bool answers(struct urg *host, const char *question, const char *answer)
{
    cr_assert_eq(write(host->fd, question, strlen(question)), (ssize_t)strlen(question));
    return urg_hear(host, answer, 0.3);
}

Test(emulated_cia402, what_is_said_to_a_frozen_bus_is_lost)
{
    static struct urg host;
    double patience = now_s() + 10.0;
    pid_t pid = START("cia402", "--pty", link_a, "--freeze", "1,3");
    host.fd = open_pty(link_a);
    while (answers(&host, "V\r", "V1013\r")) {
        host.n = 0;
        host.text[0] = '\0';
        cr_assert_lt(now_s(), patience, "it does not freeze");
        breathe();
    }
    for (int i = 0; i < 20; i++) {
        answers(&host, "N\r", "");
    }
    while (!answers(&host, "F\r", "F00\r")) {
        cr_assert_lt(now_s(), patience, "it stays frozen");
    }
    cr_assert_null(strstr(host.text, "NDPL1"), "%s", host.text);
    cr_assert_eq(end(pid, SIGTERM), 0);
}

/* ---- a log ---- */

/* After two seconds the wheels and the range in front leap at the same instant. */
static void write_log(const char *file)
{
    FILE *stream = fopen(file, "w");
    for (int row = 0; row < 40; row++) {
        fprintf(stream, "%d 0 %d %d", row * 100000, row < 20 ? 0 : 1000, row < 20 ? 0 : 1000);
        for (int column = 4; column < 706; column++) {
            fprintf(stream, " %d", column < 24 ? 0 : row < 20 ? 1000 : 2000);
        }
        fprintf(stream, "\n");
    }
    fclose(stream);
}

Test(emulate, two_players_of_one_log_are_in_step_and_keep_its_path)
{
    static struct urg u;
    char file[64], at[32];
    struct timespec t;
    snprintf(file, sizeof file, "%s/log", folder);
    write_log(file);
    clock_gettime(CLOCK_REALTIME, &t);
    snprintf(at, sizeof at, "%.3f", (double)t.tv_sec + 1e-9 * (double)t.tv_nsec - 1.0);
    pid_t base = START("kobuki", "--pty", link_a, "--log", file, "--start-at", at);
    pid_t laser = START("urg", "--pty", link_b, "--log", file, "--start-at", at);
    struct kobuki k = kobuki_open(link_a);
    u.fd = open_pty(link_b);
    urg_tell(&u, "MD0384038401000");
    struct feedback f;
    unsigned stamp, mm = 0;
    do {
        cr_assert(kobuki_hear(&k, &f));
    } while (f.left < 1418); /* half of the leap */
    double moved = now_s();
    do {
        cr_assert(urg_scan(&u, &stamp, &mm));
    } while (mm != 2000);
    cr_assert_lt(fabs(now_s() - moved), 0.15, "%g s apart", now_s() - moved);
    for (int i = 0; i < 10; i++) {
        cr_assert(kobuki_hear(&k, &f));
    }
    /* half a turn of 77 mm, in steps of 35 mm * 0.002436916871 rad */
    cr_assert_float_eq(f.left, 3.14159265 * 0.077 / (0.035 * 0.002436916871), 2.0);
    cr_assert_eq(f.left, f.right);
    cr_assert_eq(end(base, SIGINT), 0);
    cr_assert_eq(end(laser, SIGINT), 0);
}

/* ---- a world that two devices share ---- */

Test(emulate, two_devices_in_one_world_see_the_same_robot)
{
    static struct urg u;
    char port[8], world[40];
    int number = free_port();
    snprintf(port, sizeof port, "%d", number);
    snprintf(world, sizeof world, "tcp://127.0.0.1:%d", number);
    pid_t base = START("kobuki", "--pty", link_a, "--world", "corridor", "--robot", "avatar",
                       "--serve", port);
    pid_t laser = START("urg", "--pty", link_b, "--world", world, "--robot", "avatar");
    struct kobuki k = kobuki_open(link_a);
    u.fd = open_pty(link_b);
    urg_tell(&u, "MD0044004401000"); /* to the right and behind */
    struct feedback f, first;
    unsigned stamp, mm, before;
    cr_assert(urg_scan(&u, &stamp, &before));
    cr_assert(kobuki_hear(&k, &first));
    for (int i = 0; i < 75; i++) {
        kobuki_tell(&k, (const uint8_t[]){1, 4, 115, 0, 1, 0}, 6); /* spin at 1 rad/s */
        cr_assert(kobuki_hear(&k, &f));
    }
    cr_assert_gt(f.heading_centideg - first.heading_centideg, 4000);
    unsigned least = before, most = before;
    while (urg_hear(&u, "\n99b\n", 0.02) && urg_scan(&u, &stamp, &mm)) {
        least = mm < least ? mm : least;
        most = mm > most ? mm : most;
    }
    cr_assert_gt(most - least, 100, "the walls turned by");
    cr_assert_eq(end(laser, SIGINT), 0);
    cr_assert_eq(end(base, SIGINT), 0);
}
