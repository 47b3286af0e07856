/* SPDX-License-Identifier: Apache-2.0 */
/* doppel/host/pty.h: ptys under symbolic links. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <doppel/host/pty.h>

static int open_master(struct dpl_pty *pty)
{
    int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return -errno;
    }
    struct termios tio;
    if (grantpt(fd) < 0 || unlockpt(fd) < 0 || ptsname_r(fd, pty->slave, sizeof pty->slave) != 0 ||
        tcgetattr(fd, &tio) < 0) {
        int err = -errno;
        close(fd);
        return err;
    }
    /* Raw from the start: bytes that wait for a host must not be echoed as if it had sent them. */
    cfmakeraw(&tio);
    tcsetattr(fd, TCSANOW, &tio);
    /* Opened and closed once: from now on the master tells whether a host is there. */
    int slave = open(pty->slave, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave >= 0) {
        close(slave);
    }
    fcntl(fd, F_SETFL, O_NONBLOCK);
    pty->master = fd;
    return 0;
}

static int make_link(const struct dpl_pty *pty, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    struct stat info;
    if (lstat(pty->link, &info) == 0) {
        if (!S_ISLNK(info.st_mode)) {
            return dpl_fail(reterr, -EEXIST, nowhere,
                            "pty %s: exists and is no symbolic link; choose another name",
                            pty->link);
        }
        unlink(pty->link);
    }
    if (symlink(pty->slave, pty->link) < 0) {
        int err = -errno;
        return dpl_fail(reterr, err, nowhere, "pty %s: cannot make the link: %s", pty->link,
                        strerror(-err));
    }
    return 0;
}

int dpl_pty_open(struct dpl_pty *pty, const char *link, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    size_t n = strlen(link);
    pty->master = -1;
    if (n == 0 || n >= sizeof pty->link) {
        return dpl_fail(reterr, n == 0 ? -EINVAL : -ENAMETOOLONG, nowhere,
                        "pty: expected a name of 1 to %d bytes", DPL_PTY_LINK_MAX - 1);
    }
    memcpy(pty->link, link, n + 1);
    int err = open_master(pty);
    if (err < 0) {
        return dpl_fail(reterr, err, nowhere, "pty %s: cannot make a pty: %s", link,
                        strerror(-err));
    }
    err = make_link(pty, reterr);
    if (err < 0) {
        close(pty->master);
        pty->master = -1;
    }
    return err;
}

bool dpl_pty_has_peer(const struct dpl_pty *pty, bool *ret_unread)
{
    struct pollfd p = {.fd = pty->master, .events = POLLIN};
    bool is_there = poll(&p, 1, 0) >= 0 && !(p.revents & POLLHUP);
    if (ret_unread) {
        *ret_unread = p.revents & POLLIN;
    }
    return is_there;
}

/* From the slave's side: the master cannot reach what has arrived there. */
void dpl_pty_forget(const struct dpl_pty *pty)
{
    int slave = open(pty->slave, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (slave >= 0) {
        tcflush(slave, TCIFLUSH);
        close(slave);
    }
}

static void remove_link(const struct dpl_pty *pty)
{
    char target[sizeof pty->slave];
    ssize_t n = readlink(pty->link, target, sizeof target - 1);
    if (n > 0) {
        target[n] = '\0';
        if (strcmp(target, pty->slave) == 0) {
            unlink(pty->link);
        }
    }
}

void dpl_pty_close(struct dpl_pty *pty)
{
    if (pty->master >= 0) {
        remove_link(pty);
        close(pty->master);
        pty->master = -1;
    }
}
