/* SPDX-License-Identifier: Apache-2.0 */
/* See test_unit.h. */
#include "test_unit.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 2000

static const struct dpl_place nowhere;

/* ---- the command ---- */

struct splitter {
    const char *at;
    const struct test_place *places;
    size_t n_places;
    char *word; /* [TEST_WORD_SIZE] */
    size_t n;
};

static int append(struct splitter *splitter, const char *text, size_t n, struct dpl_diag *reterr)
{
    if (splitter->n + n >= TEST_WORD_SIZE) {
        return dpl_fail(reterr, -EINVAL, nowhere, "a word of the command has more than %d bytes",
                        TEST_WORD_SIZE - 1);
    }
    memcpy(splitter->word + splitter->n, text, n);
    splitter->n += n;
    splitter->word[splitter->n] = '\0';
    return 0;
}

static int fail_unknown(const struct splitter *splitter, const char *name, struct dpl_diag *reterr)
{
    char known[200] = "";
    size_t at = 0;
    for (size_t i = 0; i < splitter->n_places && at < sizeof known; i++) {
        int n = snprintf(known + at, sizeof known - at, " {%s}", splitter->places[i].name);
        at += n > 0 ? (size_t)n : 0;
    }
    return dpl_fail(reterr, -EINVAL, nowhere, "the command has {%s}; what can be filled in:%s",
                    name, known);
}

/* At a brace. */
static int fill_in(struct splitter *splitter, struct dpl_diag *reterr)
{
    char name[64];
    char brace = *splitter->at++;
    if (*splitter->at == brace) {
        splitter->at++;
        return append(splitter, &brace, 1, reterr);
    }
    size_t n = strcspn(splitter->at, "{}");
    if (brace == '}' || splitter->at[n] != '}' || n >= sizeof name) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "the command has a single '%c': write %c%c for a brace", brace, brace,
                        brace);
    }
    memcpy(name, splitter->at, n);
    name[n] = '\0';
    splitter->at += n + 1;
    for (size_t i = 0; i < splitter->n_places; i++) {
        if (strcmp(splitter->places[i].name, name) == 0) {
            const char *value = splitter->places[i].value;
            return append(splitter, value, strlen(value), reterr);
        }
    }
    return fail_unknown(splitter, name, reterr);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int read_word(struct splitter *splitter, struct dpl_diag *reterr)
{
    char quote = '\0';
    int err = 0;
    while (err == 0 && *splitter->at != '\0' && (quote || !is_blank(*splitter->at))) {
        char c = *splitter->at;
        if (quote ? c == quote : c == '\'' || c == '"') {
            quote = quote ? '\0' : c;
            splitter->at++;
        } else if (c == '{' || c == '}') {
            err = fill_in(splitter, reterr);
        } else {
            err = append(splitter, &c, 1, reterr);
            splitter->at++;
        }
    }
    if (err == 0 && quote) {
        return dpl_fail(reterr, -EINVAL, nowhere, "the command has a %c without its end", quote);
    }
    return err;
}

int test_command_parse(const char *text, const struct test_place *places, size_t n,
                       struct test_command *ret_command, struct dpl_diag *reterr)
{
    struct splitter splitter = {.at = text, .places = places, .n_places = n};
    size_t n_words = 0;
    for (;;) {
        splitter.at += strspn(splitter.at, " \t\r\n");
        if (*splitter.at == '\0') {
            break;
        }
        if (n_words == TEST_WORDS_MAX) {
            return dpl_fail(reterr, -EINVAL, nowhere, "the command has more than %d words",
                            TEST_WORDS_MAX);
        }
        splitter.word = ret_command->words[n_words];
        splitter.word[0] = '\0';
        splitter.n = 0;
        int err = read_word(&splitter, reterr);
        if (err < 0) {
            return err;
        }
        ret_command->argv[n_words++] = splitter.word;
    }
    ret_command->argv[n_words] = NULL;
    return n_words > 0 ? 0 : dpl_fail(reterr, -EINVAL, nowhere, "the command is empty");
}

bool test_command_has(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = strchr(text, '{'); at; at = strchr(at + 1, '{')) {
        if (strncmp(at + 1, name, n) == 0 && at[n + 1] == '}') {
            return true;
        }
    }
    return false;
}

/* ---- its process ---- */

/* The program beside doppel, or where a build folder has it; else as it is named. */
static const char *find_program(const char *name, char path[4096])
{
    static const char *const forms[] = {"%.*s/%s", "%.*s/tools/controllers/*/%s"};
    char self[2048];
    ssize_t n = strchr(name, '/') ? -1 : readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    const char *slash = strrchr(self, '/');
    const char *found = name;
    for (size_t i = 0; i < 2 && slash && found == name; i++) {
        glob_t list;
        snprintf(path, 4096, forms[i], (int)(slash - self), self, name);
        if (glob(path, 0, NULL, &list) == 0) {
            snprintf(path, 4096, "%s", list.gl_pathv[0]);
            found = access(path, X_OK) == 0 ? path : name;
            globfree(&list);
        }
    }
    return found;
}

/* In the child; returns only when there is no such program. */
static void become(const char *program, const struct test_command *command, int log, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(127);
    }
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
    }
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execvp(program, command->argv);
}

/* Waits until the program runs, or is not there: errno, 0. */
static int await_program(int from)
{
    int err = 0;
    ssize_t n;
    do {
        n = read(from, &err, sizeof err);
    } while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof err ? err : 0;
}

static int launch(struct test_unit *unit, const struct test_command *command, int log)
{
    char path[4096];
    const char *program = find_program(command->argv[0], path);
    pid_t parent = getpid();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) {
        return -errno;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        become(program, command, log, parent);
        int err = errno;
        ssize_t n = write(ends[1], &err, sizeof err);
        _exit(n == (ssize_t)sizeof err ? 127 : 126);
    }
    int err = pid < 0 ? errno : 0;
    close(ends[1]);
    if (pid > 0) {
        setpgid(pid, pid); /* whoever is first */
        err = await_program(ends[0]);
        *unit = (struct test_unit){.pid = pid};
    }
    close(ends[0]);
    return -err;
}

int test_unit_start(struct test_unit *unit, const struct test_command *command, const char *log,
                    struct dpl_diag *reterr)
{
    int fd = log ? open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)
                 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (fd < 0) {
        return dpl_fail(reterr, -errno, nowhere, "%s: %s", log ? log : "standard error",
                        strerror(errno));
    }
    int err = launch(unit, command, fd);
    close(fd);
    if (err < 0) {
        test_unit_stop(unit, NULL, NULL);
        return dpl_fail(reterr, err, nowhere, "the unit '%s' cannot be started: %s",
                        command->argv[0], strerror(-err));
    }
    return 0;
}

/* ---- its end ---- */

static void look(struct test_unit *unit)
{
    if (unit->pid > 0 && !unit->ended && waitpid(unit->pid, &unit->status, WNOHANG) == unit->pid) {
        unit->ended = true;
    }
}

bool test_unit_runs(struct test_unit *unit, char *ret_why, size_t size)
{
    look(unit);
    if (unit->pid > 0 && !unit->ended) {
        return true;
    }
    if (unit->pid <= 0) {
        snprintf(ret_why, size, "the unit does not run");
    } else if (WIFSIGNALED(unit->status)) {
        snprintf(ret_why, size, "the unit has died: %s", strsignal(WTERMSIG(unit->status)));
    } else {
        snprintf(ret_why, size, "the unit has ended with exit code %d", WEXITSTATUS(unit->status));
    }
    return false;
}

bool test_unit_ended_well(const struct test_unit *unit)
{
    return unit->ended && WIFEXITED(unit->status) && WEXITSTATUS(unit->status) == 0;
}

void test_unit_stop(struct test_unit *unit, void (*turn)(void *user), void *user)
{
    if (unit->pid <= 0) {
        return;
    }
    kill(-unit->pid, SIGTERM);
    for (int i = 0; i < PATIENCE_MS / 5 && !unit->ended; i++) {
        look(unit);
        if (!unit->ended && turn) {
            turn(user);
        }
        if (!unit->ended) {
            poll(NULL, 0, 5);
        }
    }
    kill(-unit->pid, SIGKILL); /* also what it has left behind */
    if (!unit->ended) {
        while (waitpid(unit->pid, &unit->status, 0) < 0 && errno == EINTR) {
        }
    }
    *unit = (struct test_unit){0};
}
