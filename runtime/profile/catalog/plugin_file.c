/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a plugin before it is loaded. Source of the format: System V ABI, "Object Files". */
#include "plugin_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NATIVE_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)

struct part {
    uint64_t at, size;
};

static bool is_inside(const struct part *part, uint64_t length)
{
    return part->at <= length && part->size <= length - part->at;
}

static bool read_at(int fd, void *ret, size_t size, uint64_t at)
{
    return pread(fd, ret, size, (off_t)at) == (ssize_t)size;
}

static int fail_cut(const char *path, uint64_t length, struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -ENOEXEC, (struct dpl_place){.file = path},
                    "the plugin is cut off: it has %llu bytes, less than its headers say; build or "
                    "copy it again",
                    (unsigned long long)length);
}

/* As a copy leaves it that was interrupted after the room for it was made. */
static int fail_empty(const char *path, struct dpl_diag *reterr)
{
    return dpl_fail(reterr, -ENOEXEC, (struct dpl_place){.file = path},
                    "the plugin is damaged: parts of it are zero; build or copy it again");
}

/* The table of sections is at the end of a file. */
static bool ends_in_zeros(int fd, const ElfW(Ehdr) * header)
{
    ElfW(Shdr) last;
    uint64_t n = header->e_shnum;
    return n > 0 && (header->e_shentsize != sizeof last ||
                     !read_at(fd, &last, sizeof last, header->e_shoff + (n - 1) * sizeof last) ||
                     last.sh_type == SHT_NULL);
}

static bool is_empty_dynamic(int fd, const ElfW(Phdr) * segment)
{
    ElfW(Dyn) first;
    return segment->p_type == PT_DYNAMIC &&
           (!read_at(fd, &first, sizeof first, segment->p_offset) || first.d_tag == DT_NULL);
}

static int check_segments(int fd, const char *path, const ElfW(Ehdr) * header, uint64_t length,
                          struct dpl_diag *reterr)
{
    const struct part table = {header->e_phoff, (uint64_t)header->e_phnum * sizeof(ElfW(Phdr))};
    const struct part sections = {header->e_shoff, (uint64_t)header->e_shnum * header->e_shentsize};
    if (header->e_phentsize != sizeof(ElfW(Phdr))) {
        return dpl_fail(reterr, -ENOEXEC, (struct dpl_place){.file = path},
                        "not a plugin: its ELF header is damaged");
    }
    if (!is_inside(&table, length) || !is_inside(&sections, length)) {
        return fail_cut(path, length, reterr);
    }
    for (size_t i = 0; i < header->e_phnum; i++) {
        ElfW(Phdr) segment;
        if (!read_at(fd, &segment, sizeof segment, table.at + i * sizeof segment) ||
            !is_inside(&(struct part){segment.p_offset, segment.p_filesz}, length)) {
            return fail_cut(path, length, reterr);
        }
        if (is_empty_dynamic(fd, &segment)) {
            return fail_empty(path, reterr);
        }
    }
    return ends_in_zeros(fd, header) ? fail_empty(path, reterr) : 0;
}

static int check_open(int fd, const char *path, struct dpl_diag *reterr)
{
    const struct dpl_place place = {.file = path};
    ElfW(Ehdr) header;
    struct stat info;
    if (fstat(fd, &info) < 0 || !S_ISREG(info.st_mode)) {
        return dpl_fail(reterr, -ENOEXEC, place, "not a plugin: no regular file");
    }
    uint64_t length = (uint64_t)info.st_size;
    if (!read_at(fd, &header, SELFMAG, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
        return dpl_fail(reterr, -ENOEXEC, place, "not a plugin: no ELF file");
    }
    if (!read_at(fd, &header, sizeof header, 0)) {
        return fail_cut(path, length, reterr);
    }
    if (header.e_ident[EI_CLASS] != NATIVE_CLASS || header.e_type != ET_DYN) {
        return dpl_fail(reterr, -ENOEXEC, place,
                        "not a plugin: no shared library of this machine's kind");
    }
    return check_segments(fd, path, &header, length, reterr);
}

int dpl__plugin_file_check(const char *path, struct dpl_diag *reterr)
{
    const struct dpl_place place = {.file = path};
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return dpl_fail(reterr, -ENOEXEC, place, "not a plugin: no regular file");
    }
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return dpl_fail(reterr, -ENOEXEC, place, "the plugin cannot be loaded: %s",
                        strerror(errno));
    }
    int r = check_open(fd, path, reterr);
    close(fd);
    return r;
}
