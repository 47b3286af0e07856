/* SPDX-License-Identifier: Apache-2.0 */
/* doppel/host/pty.h: ptys with symbolic links. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include <doppel/host/pty.h>
#include <doppel/math/hash.h>

#include "holder.h"
#include <doppel/host/user_folder.h>

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
    /* Raw from the start: bytes that wait for a host must not be echoed. */
    cfmakeraw(&tio);
    tcsetattr(fd, TCSANOW, &tio);
    /* Opened and closed once: from now on the master shows whether a host is there. */
    int slave = open(pty->slave, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave >= 0) {
        close(slave);
    }
    fcntl(fd, F_SETFL, O_NONBLOCK);
    pty->master = fd;
    return 0;
}

/* ---- owner of a link ----- */

/* The absolute name of the link. -errno: its folder does not exist. */
static int absolute_name(const char *link, char ret_name[PATH_MAX + DPL_PTY_LINK_MAX])
{
    char folder[DPL_PTY_LINK_MAX], real[PATH_MAX];
    const char *slash = strrchr(link, '/');
    size_t n = slash ? (size_t)(slash - link) : 0;
    memcpy(folder, link, n);
    folder[n] = '\0';
    if (!realpath(!slash ? "." : n > 0 ? folder : "/", real)) {
        return -errno;
    }
    snprintf(ret_name, PATH_MAX + DPL_PTY_LINK_MAX, "%s/%s", real, slash ? slash + 1 : link);
    return 0;
}

/* A socket in the abstract namespace, bound to a name for the link, that serves nothing: only one
 * process can have it, and the kernel frees it when that process ends in any way. The name is too
 * short for a path, so it has a hash of the path. */
static int claim_link(struct dpl_pty *pty, char ret_holder[DPL_HOLDER_TEXT])
{
    char name[PATH_MAX + DPL_PTY_LINK_MAX];
    int err = absolute_name(pty->link, name);
    if (err < 0) {
        return err;
    }
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *own = address.sun_path + 1;
    int n =
        snprintf(own, sizeof address.sun_path - 1, "doppel-pty-%016" PRIx64, dpl_hash_text(name));
    pty->claim = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (pty->claim < 0) {
        return -errno;
    }
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    if (bind(pty->claim, (const struct sockaddr *)&address, size) < 0) {
        err = errno == EADDRINUSE ? -EBUSY : -errno;
        dpl_holder_of_name(own, ret_holder);
        close(pty->claim);
        pty->claim = -1;
    }
    return err;
}

static int take_link(struct dpl_pty *pty, struct dpl_diag *reterr)
{
    char holder[DPL_HOLDER_TEXT];
    int err = claim_link(pty, holder);
    if (err == -EBUSY) {
        return dpl_fail(reterr, err, (struct dpl_place){0},
                        "pty %s: in use by another running process, %s; end it or choose another "
                        "name",
                        pty->link, holder);
    }
    return err < 0 ? dpl_fail(reterr, err, (struct dpl_place){0},
                              "pty %s: cannot make the link: %s", pty->link, strerror(-err))
                   : 0;
}

static void release_link(struct dpl_pty *pty)
{
    if (pty->claim >= 0) {
        close(pty->claim);
        pty->claim = -1;
    }
}

/* Whether a link may be one that a program like this one has left: to a pty, or to nothing. */
static bool is_left_over(const char *link)
{
    static const char folder[] = "/dev/pts/";
    char target[64];
    ssize_t n = readlink(link, target, sizeof target);
    bool is_pty = n >= (ssize_t)sizeof folder && memcmp(target, folder, sizeof folder - 1) == 0;
    return is_pty || access(link, F_OK) < 0;
}

static int make_link(const struct dpl_pty *pty, struct dpl_diag *reterr)
{
    const struct dpl_place nowhere = {0};
    struct stat info;
    if (lstat(pty->link, &info) == 0) {
        if (!S_ISLNK(info.st_mode)) {
            return dpl_fail(reterr, -EEXIST, nowhere,
                            "pty %s: exists and is not a symbolic link; choose another name",
                            pty->link);
        }
        if (!is_left_over(pty->link)) {
            return dpl_fail(reterr, -EEXIST, nowhere,
                            "pty %s: is a link to something that is not a pty; choose another name",
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
    pty->master = pty->claim = -1;
    if (n == 0 || n >= sizeof pty->link) {
        return dpl_fail(reterr, n == 0 ? -EINVAL : -ENAMETOOLONG, nowhere,
                        "pty: expected a name of 1 to %d bytes", DPL_PTY_LINK_MAX - 1);
    }
    int err = dpl_user_path(link, true, pty->link, sizeof pty->link, reterr);
    err = err < 0 ? err : take_link(pty, reterr);
    if (err < 0) {
        return err;
    }
    err = open_master(pty);
    if (err < 0) {
        release_link(pty);
        return dpl_fail(reterr, err, nowhere, "pty %s: cannot make a pty: %s", pty->link,
                        strerror(-err));
    }
    err = make_link(pty, reterr);
    if (err < 0) {
        close(pty->master);
        pty->master = -1;
        release_link(pty);
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

/* Done at the slave's side: the master cannot discard data that has arrived there. */
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
        release_link(pty);
    }
}
