/* SPDX-License-Identifier: Apache-2.0 */
/* Whose a pty's link is: one owner at a time, whatever becomes of the one before. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doppel/host/pty.h>

static char folder[] = "/tmp/doppel-pty-XXXXXX";
static char name[64];
static struct dpl_pty pty, other;

static void make_name(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/board", folder);
    pty.master = other.master = -1;
}

static void remove_name(void)
{
    dpl_pty_close(&other);
    dpl_pty_close(&pty);
    unlink(name);
    rmdir(folder);
}

TestSuite(pty, .init = make_name, .fini = remove_name);

static void take(struct dpl_pty *taken)
{
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_pty_open(taken, name, &error), 0, "%s", error.text);
}

static void leads_to(const struct dpl_pty *owner)
{
    char target[256] = "";
    cr_assert_gt(readlink(name, target, sizeof target - 1), 0);
    cr_assert_str_eq(target, owner->slave);
}

Test(pty, a_link_in_use_is_refused_and_stays_whose_it_is)
{
    struct dpl_diag error = {0};
    take(&pty);
    cr_assert_eq(dpl_pty_open(&other, name, &error), -EBUSY);
    cr_assert_not_null(strstr(error.text, "in use by another running process"), "%s", error.text);
    cr_assert_not_null(strstr(error.text, name), "%s", error.text);
    dpl_pty_close(&other);
    leads_to(&pty);
}

Test(pty, a_name_of_the_user_is_in_a_folder_of_its_own)
{
    struct dpl_diag error = {0};
    struct stat info;
    char expected[96], made[80];
    setenv("XDG_RUNTIME_DIR", folder, 1);
    cr_assert_eq(dpl_pty_open(&pty, "user:board", &error), 0, "%s", error.text);
    snprintf(made, sizeof made, "%s/doppel", folder);
    snprintf(expected, sizeof expected, "%s/board", made);
    cr_assert_str_eq(pty.link, expected);
    cr_assert_eq(lstat(made, &info), 0);
    cr_assert_eq(info.st_mode & 0777, 0700);
    dpl_pty_close(&pty);
    cr_assert_eq(rmdir(made), 0, "the link is gone");
}

Test(pty, without_a_folder_of_the_login_the_user_has_one_by_its_number)
{
    struct dpl_diag error = {0};
    char expected[80], own[64];
    unsetenv("XDG_RUNTIME_DIR");
    snprintf(own, sizeof own, "user:test-%ld", (long)getpid());
    cr_assert_eq(dpl_pty_open(&pty, own, &error), 0, "%s", error.text);
    snprintf(expected, sizeof expected, "/tmp/doppel-%lu/test-%ld", (unsigned long)geteuid(),
             (long)getpid());
    cr_assert_str_eq(pty.link, expected);
}

Test(pty, a_folder_that_others_can_write_is_not_used)
{
    struct dpl_diag error = {0};
    char made[80];
    setenv("XDG_RUNTIME_DIR", folder, 1);
    snprintf(made, sizeof made, "%s/doppel", folder);
    cr_assert_eq(mkdir(made, 0700), 0);
    cr_assert_eq(chmod(made, 0777), 0);
    cr_assert_eq(dpl_pty_open(&pty, "user:board", &error), -EPERM);
    cr_assert_not_null(strstr(error.text, "is not a folder that only this user can write"));
    cr_assert_eq(rmdir(made), 0);
}

Test(pty, a_name_of_the_user_is_no_path)
{
    static const char *const wrong[] = {"user:", "user:a/b", "user:..", "user:/dev/ttyS0"};
    setenv("XDG_RUNTIME_DIR", folder, 1);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct dpl_diag error = {0};
        cr_assert_eq(dpl_pty_open(&pty, wrong[i], &error), -EINVAL, "%s", wrong[i]);
        cr_assert_not_null(strstr(error.text, "expected user:NAME"), "%s", error.text);
    }
    char made[80];
    snprintf(made, sizeof made, "%s/doppel", folder);
    cr_assert_eq(rmdir(made), -1, "nothing was created");
}

Test(pty, a_link_in_use_is_refused_under_another_spelling)
{
    char spelling[128];
    struct dpl_diag error = {0};
    take(&pty);
    snprintf(spelling, sizeof spelling, "%s/./../%s/board", folder, strrchr(folder, '/') + 1);
    cr_assert_eq(dpl_pty_open(&other, spelling, &error), -EBUSY);
    cr_assert_eq(chdir(folder), 0);
    cr_assert_eq(dpl_pty_open(&other, "board", &error), -EBUSY);
    cr_assert_eq(chdir("/"), 0);
}

Test(pty, a_link_to_something_else_is_refused_and_stays)
{
    struct dpl_diag error = {0};
    char target[64] = "";
    cr_assert_eq(symlink("/etc/hostname", name), 0);
    cr_assert_eq(dpl_pty_open(&pty, name, &error), -EEXIST);
    cr_assert_not_null(strstr(error.text, "not a pty"), "%s", error.text);
    cr_assert_gt(readlink(name, target, sizeof target - 1), 0);
    cr_assert_str_eq(target, "/etc/hostname");
    dpl_pty_close(&pty);
}

Test(pty, links_of_one_name_in_two_folders_are_two)
{
    char elsewhere[] = "/tmp/doppel-pty-XXXXXX", second[64];
    struct dpl_diag error = {0};
    take(&pty);
    cr_assert_not_null(mkdtemp(elsewhere));
    snprintf(second, sizeof second, "%s/board", elsewhere);
    cr_assert_eq(dpl_pty_open(&other, second, &error), 0, "%s", error.text);
    dpl_pty_close(&other);
    rmdir(elsewhere);
}

Test(pty, a_link_can_be_taken_again_at_once)
{
    for (int i = 0; i < 3; i++) {
        take(&pty);
        dpl_pty_close(&pty);
        cr_assert_neq(access(name, F_OK), 0, "the link is left over");
    }
}

Test(pty, the_link_of_an_owner_that_was_killed_is_replaced)
{
    int ready[2];
    cr_assert_eq(pipe(ready), 0);
    pid_t owner = fork();
    if (owner == 0) {
        take(&other);
        cr_assert_eq(write(ready[1], "", 1), 1);
        pause();
    }
    char byte;
    struct dpl_diag error = {0};
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    cr_assert_eq(dpl_pty_open(&pty, name, &error), -EBUSY);
    kill(owner, SIGKILL);
    waitpid(owner, NULL, 0);
    cr_assert_eq(readlink(name, &byte, 1), 1, "it left no link");
    take(&pty);
    leads_to(&pty);
}

Test(pty, a_program_started_meanwhile_does_not_keep_the_link)
{
    take(&pty);
    pid_t program = fork();
    if (program == 0) {
        execlp("sleep", "sleep", "30", (char *)NULL);
        _exit(1);
    }
    dpl_pty_close(&pty);
    struct dpl_diag error = {0};
    int err = -EBUSY;
    for (int i = 0; i < 200 && err == -EBUSY; i++) { /* until it is another program */
        usleep(10000);
        err = dpl_pty_open(&pty, name, &error);
    }
    kill(program, SIGKILL);
    waitpid(program, NULL, 0);
    cr_assert_eq(err, 0, "%s", error.text);
}

Test(pty, a_folder_that_is_not_there_is_an_error)
{
    struct dpl_diag error = {0};
    cr_assert_eq(dpl_pty_open(&pty, "/nowhere/at/all", &error), -ENOENT);
    cr_assert_not_null(strstr(error.text, "No such file"), "%s", error.text);
}
