/* SPDX-License-Identifier: Apache-2.0 */
/* doppel doctor: whether this computer is ready for runs. */
#include <stdio.h>

#include <doppel/host/runtime.h>
#include <doppel/plugin.h>

#include "commands.h"
#include "doctor_checks.h"
#include "fields.h"

struct values {
    bool json;
};

static const char *member(const json_t *finding, const char *name)
{
    return cli_clean(json_string_value(json_object_get(finding, name)));
}

static void print_text(const struct doctor *doctor)
{
    size_t i;
    json_t *finding;
    printf("doppel %s, plugin ABI %u\n", DOPPEL_VERSION, DPL_PLUGIN_ABI);
    json_array_foreach(doctor->findings, i, finding)
    {
        const char *remedy = member(finding, "remedy");
        printf("%-5s %-10s %s\n", member(finding, "level"), member(finding, "check"),
               member(finding, "text"));
        if (*remedy) {
            printf("                 %s\n", remedy);
        }
    }
}

static int run(int argc, char **argv)
{
    static void (*const checks[])(struct doctor * doctor) = {
        doctor_check_versions, doctor_check_clock, doctor_check_real_time,
        doctor_check_memory,   doctor_check_ports, doctor_check_devices,
    };
    struct values values = {0};
    struct doctor doctor = {.root = ""};
    int n = options_parse(&command_doctor, argc, argv, &values);
    if (n < 0) {
        return n == -2 ? 0 : DPL_EXIT_USAGE;
    }
    doctor.findings = json_array();
    for (size_t i = 0; i < DPL_COUNT(checks); i++) {
        checks[i](&doctor);
    }
    if (values.json) {
        json_dumpf(doctor.findings, stdout, JSON_INDENT(1));
        putchar('\n');
    } else {
        print_text(&doctor);
    }
    json_decref(doctor.findings);
    return doctor.counts[DOCTOR_FAIL] > 0 ? DPL_EXIT_BAD_INPUT : DPL_EXIT_DONE;
}

static const struct option options[] = {
    {"json", NULL, OPTION_FLAG, offsetof(struct values, json), 0, 0, "as JSON", NULL},
};

const struct command command_doctor = {
    .name = "doctor",
    .summary = "tells whether this computer is ready for runs, and what would help",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .more =
        "Versions of modules and plugins, clock, real-time policy, locked memory, ports, devices.\n"
        "warn: runs work, but not as well as they could; fail: something cannot be used.\n"
        "Exit codes: 0 nothing fails, 1 something does, 2 usage.\n",
    .run = run,
};
