/* SPDX-License-Identifier: Apache-2.0 */
#include "doctor_checks.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <grp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include <doppel/host/catalog.h>
#include <doppel/host/gateway.h>
#include <doppel/host/module.h>
#include <doppel/host/real_time.h>
#include <doppel/host/user_folder.h>
#include <doppel/system_clock.h>

#include "mcap_file_module.h"
#include "options.h"
#include "wire_socket.h"

#define SLEEPS        100
#define SLEEP         (2 * DPL_MS)
#define LATE          DPL_MS      /* that a thread without a policy may wake */
#define LOCKED_MEMORY (64u << 20) /* about what a run locks */

static const char *const level_names[] = {"ok", "warn", "fail"};

void doctor_add(struct doctor *doctor, enum doctor_level level, const char *check,
                const char *remedy, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    doctor->counts[level]++;
    json_array_append_new(doctor->findings,
                          json_pack("{s:s, s:s, s:s, s:s}", "level", level_names[level], "check",
                                    check, "text", text, "remedy", remedy));
}

/* The first line of a file below the root; false: there is none. */
static bool read_line(const struct doctor *doctor, const char *path, char *ret_line, size_t size)
{
    char file[512];
    snprintf(file, sizeof file, "%s%s", doctor->root, path);
    FILE *stream = fopen(file, "re");
    bool read = stream && fgets(ret_line, (int)size, stream);
    if (stream) {
        fclose(stream);
    }
    if (read) {
        ret_line[strcspn(ret_line, "\n")] = '\0';
    }
    return read;
}

/* ---- versions ---- */

void doctor_check_versions(struct doctor *doctor)
{
    struct dpl_diag why = {0};
    const struct dpl_gateway *gateway;
    const struct dpl_converter *converters;
    const void *table;
    size_t n, n_failed = doctor->counts[DOCTOR_FAIL];
    const int results[] = {
        dpl_gateway_load("mcap", &gateway, &why),
        dpl_gateway_load("foxglove", &gateway, &why),
        dpl_converters_load(&converters, &n, &why),
        dpl_module_load("mcap_file", sizeof(struct mcap_file_module), &table, &why),
        dpl_module_load("wire_socket", sizeof(struct wire_socket_module), &table, &why),
    };
    for (size_t i = 0; i < DPL_COUNT(results); i++) {
        if (results[i] < 0) {
            doctor_add(doctor, DOCTOR_FAIL, "versions", "install the packages of one version anew",
                       "%s", why.text);
            break;
        }
    }
    struct dpl_catalog *catalog = NULL;
    struct dpl_diags diags = {0};
    if (dpl_catalog_create(NULL, &catalog, &why) == 0) {
        dpl_catalog_load_all(catalog, &diags);
        for (size_t i = 0; i < diags.n; i++) {
            doctor_add(doctor, DOCTOR_FAIL, "versions",
                       "build the plugin anew, or remove its folder from DOPPEL_PLUGIN_PATH",
                       "%s: %s", diags.items[i].place.file ? diags.items[i].place.file : "plugin",
                       diags.items[i].text);
        }
        n = dpl_catalog_n_classes(catalog);
    } else {
        doctor_add(doctor, DOCTOR_FAIL, "versions", "set DOPPEL_PLUGIN_PATH", "%s", why.text);
    }
    if (doctor->counts[DOCTOR_FAIL] == n_failed) {
        doctor_add(doctor, DOCTOR_OK, "versions", "",
                   "all modules and the plugins of %zu classes fit this program", n);
    }
    dpl_diags_finish(&diags);
    dpl_catalog_destroy(catalog);
}

/* ---- clock ---- */

/* How late a sleep ends, at most. */
static dpl_ns measure_lateness(void)
{
    dpl_ns worst = 0;
    for (int i = 0; i < SLEEPS; i++) {
        dpl_ns before = dpl_monotonic_now();
        nanosleep(&(struct timespec){.tv_nsec = SLEEP}, NULL);
        dpl_ns late = dpl_monotonic_now() - before - SLEEP;
        worst = late > worst ? late : worst;
    }
    return worst;
}

void doctor_check_clock(struct doctor *doctor)
{
    char source[64] = "not known", governor[64] = "";
    read_line(doctor, "/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
              sizeof source);
    bool is_slow = strcmp(source, "hpet") == 0 || strcmp(source, "acpi_pm") == 0 ||
                   strcmp(source, "jiffies") == 0;
    doctor_add(doctor, is_slow ? DOCTOR_WARN : DOCTOR_OK, "clock",
               is_slow ? "look with `dmesg | grep -i tsc` why the kernel does not use tsc" : "",
               "the kernel's clock is %s%s", source, is_slow ? ", which is slow to read" : "");
    double late_ms = 1e3 * dpl_ns_to_s(measure_lateness());
    bool is_late = late_ms > 1e3 * dpl_ns_to_s(LATE);
    doctor_add(doctor, is_late ? DOCTOR_WARN : DOCTOR_OK, "clock",
               is_late ? "end other programs, or run with --policy fifo" : "",
               "a thread wakes up to %.3f ms late", late_ms);
    read_line(doctor, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor,
              sizeof governor);
    if (strcmp(governor, "powersave") == 0 || strcmp(governor, "ondemand") == 0) {
        doctor_add(doctor, DOCTOR_WARN, "clock", "sudo cpupower frequency-set -g performance",
                   "the processor changes its frequency (%s)", governor);
    }
    struct timex times = {0};
    if (adjtimex(&times) >= 0 && (times.status & STA_UNSYNC)) {
        doctor_add(doctor, DOCTOR_WARN, "clock", "sudo timedatectl set-ntp true",
                   "the date is not synchronized with other computers");
    }
}

/* ---- real time and memory ---- */

static void *try_real_time(void *why)
{
    return dpl_real_time_enter(DPL_POLICY_FIFO, why) < 0 ? why : NULL;
}

void doctor_check_real_time(struct doctor *doctor)
{
    char preempt[16] = "";
    struct dpl_diag why = {0};
    pthread_t thread;
    void *failed = &why;
    read_line(doctor, "/sys/kernel/realtime", preempt, sizeof preempt);
    if (pthread_create(&thread, NULL, try_real_time, &why) == 0) {
        pthread_join(thread, &failed);
    }
    doctor_add(doctor, failed ? DOCTOR_WARN : DOCTOR_OK, "real time",
               failed ? DPL_REAL_TIME_ALLOW : "", "--policy fifo is %s%s",
               failed ? "refused" : "allowed",
               preempt[0] == '1' ? "" : "; the kernel is none of real time (PREEMPT_RT)");
}

void doctor_check_memory(struct doctor *doctor)
{
    struct rlimit limit = {0};
    void *memory =
        mmap(NULL, LOCKED_MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool is_locked = memory != MAP_FAILED && mlock(memory, LOCKED_MEMORY) == 0;
    getrlimit(RLIMIT_MEMLOCK, &limit);
    if (is_locked) {
        doctor_add(doctor, DOCTOR_OK, "memory", "", "%u MiB can be locked", LOCKED_MEMORY >> 20);
    } else {
        doctor_add(doctor, DOCTOR_WARN, "memory", DPL_REAL_TIME_ALLOW,
                   "%u MiB cannot be locked; the limit is %llu KiB: cycles may wait for a page",
                   LOCKED_MEMORY >> 20, (unsigned long long)limit.rlim_cur >> 10);
    }
    if (memory != MAP_FAILED) {
        munmap(memory, LOCKED_MEMORY);
    }
}

/* ---- ports ---- */

static int try_port(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    int err = fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                      bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
                      listen(fd, 1) == 0
                  ? 0
                  : errno;
    if (fd >= 0) {
        close(fd);
    }
    return err;
}

void doctor_check_ports(struct doctor *doctor)
{
    char path[512];
    struct dpl_diag why = {0};
    int err = try_port(OPTION_ANY_PORT);
    doctor_add(doctor, err == 0 ? DOCTOR_OK : DOCTOR_WARN, "ports",
               err == 0 ? "" : "`--view 0` takes a free port; `doppel ps` shows runs of yours",
               "port %d for viewers: %s", OPTION_ANY_PORT, err == 0 ? "free" : strerror(err));
    if (dpl_user_path(DPL_USER_SCHEME "x", true, path, sizeof path, &why) < 0) {
        doctor_add(doctor, DOCTOR_FAIL, "ports", "correct or unset XDG_RUNTIME_DIR", "%s",
                   why.text);
    }
}

/* ---- devices ---- */

static void check_access(struct doctor *doctor, const char *name, const char *file)
{
    struct stat status;
    char remedy[256];
    if (access(file, R_OK | W_OK) == 0) {
        doctor_add(doctor, DOCTOR_OK, "devices", "", "%s can be used", name);
        return;
    }
    int err = errno;
    const struct group *group = stat(file, &status) == 0 ? getgrgid(status.st_gid) : NULL;
    snprintf(remedy, sizeof remedy, "sudo usermod -aG %s $USER, then log in anew",
             group ? group->gr_name : "dialout");
    doctor_add(doctor, DOCTOR_FAIL, "devices", remedy, "%s: %s", name, strerror(err));
}

/* USB adapters collect bytes before they tell them, 16 ms by default. */
static void check_latency(struct doctor *doctor, const char *name)
{
    char path[256], text[16], remedy[320];
    snprintf(path, sizeof path, "/sys/bus/usb-serial/devices/%.64s/latency_timer", name);
    if (read_line(doctor, path, text, sizeof text) && atoi(text) > 1) {
        snprintf(remedy, sizeof remedy, "echo 1 | sudo tee %s", path);
        doctor_add(doctor, DOCTOR_WARN, "devices", remedy,
                   "%.64s holds back what it receives for %d ms", name, atoi(text));
    }
}

static void check_can(struct doctor *doctor, const char *name)
{
    char path[256], state[32] = "", remedy[256];
    snprintf(path, sizeof path, "/sys/class/net/%.64s/operstate", name);
    bool is_down = read_line(doctor, path, state, sizeof state) && strcmp(state, "down") == 0;
    snprintf(remedy, sizeof remedy, "sudo ip link set %.64s up type can bitrate 1000000", name);
    doctor_add(doctor, is_down ? DOCTOR_WARN : DOCTOR_OK, "devices", is_down ? remedy : "",
               "%.64s is %s", name, state);
}

/* Calls `check` for each entry of a folder that fits; returns their number. */
static size_t each(struct doctor *doctor, const char *folder, const char *pattern,
                   void (*check)(struct doctor *doctor, const char *folder, const char *name))
{
    char path[512];
    struct dirent **entries;
    size_t n_found = 0;
    snprintf(path, sizeof path, "%s%s", doctor->root, folder);
    int n = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        if (fnmatch(pattern, entries[i]->d_name, 0) == 0) {
            check(doctor, folder, entries[i]->d_name);
            n_found++;
        }
        free(entries[i]);
    }
    if (n >= 0) {
        free(entries);
    }
    return n_found;
}

static void check_one(struct doctor *doctor, const char *folder, const char *name)
{
    char shown[512], file[1024];
    if (strncmp(name, "can", 3) == 0) {
        check_can(doctor, name);
        return;
    }
    snprintf(shown, sizeof shown, "%s/%s", folder, name);
    snprintf(file, sizeof file, "%s%s", doctor->root, shown);
    check_access(doctor, shown, file);
    check_latency(doctor, name);
}

void doctor_check_devices(struct doctor *doctor)
{
    size_t n = each(doctor, "/dev", "ttyUSB*", check_one) +
               each(doctor, "/dev", "ttyACM*", check_one) +
               each(doctor, "/dev/input", "js*", check_one) +
               each(doctor, "/sys/class/net", "can*", check_one);
    if (n == 0) {
        doctor_add(doctor, DOCTOR_OK, "devices", "", "no serial device, game controller or CAN");
    }
}
