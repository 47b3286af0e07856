/* SPDX-License-Identifier: Apache-2.0 */
/* A host written against Hokuyo's own C library (not ours, not in this repository): what any user
 * of that library does. hokuyo serial TTY | hokuyo tcp ADDRESS PORT: prints what it saw, one "key
 * value" a line; exit code 1 when a call fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <urg_sensor.h>
#include <urg_utils.h>

#define SCANS 10

static int failed(urg_t *urg, const char *call)
{
    fprintf(stderr, "%s: %s\n", call, urg_error(urg));
    return 1;
}

static void print_identity(urg_t *urg)
{
    int first, last;
    long min, max;
    urg_step_min_max(urg, &first, &last);
    urg_distance_min_max(urg, &min, &max);
    printf("product %s\n", urg_sensor_product_type(urg));
    printf("firmware %s\n", urg_sensor_firmware_version(urg));
    printf("serial %s\n", urg_sensor_serial_id(urg));
    printf("status %s\n", urg_sensor_status(urg));
    printf("steps %d %d\n", first, last);
    printf("range_mm %ld %ld\n", min, max);
    printf("scan_us %ld\n", urg_scan_usec(urg));
}

/* Mean range in mm at an angle over the scans, and how far apart their stamps are. */
static int measure(urg_t *urg, const char *label, urg_measurement_type_t type)
{
    static const int angles_deg[] = {-90, -45, 0, 45, 90};
    double sums[5] = {0};
    long *ranges = malloc((size_t)urg_max_data_size(urg) * sizeof *ranges);
    unsigned short *intensities = malloc((size_t)urg_max_data_size(urg) * sizeof *intensities);
    long first = 0, stamp = 0;
    int n = -1;
    if (ranges && intensities && urg_start_measurement(urg, type, SCANS, 0) == 0) {
        for (int scan = 0; scan < SCANS; scan++) {
            n = type == URG_DISTANCE ? urg_get_distance(urg, ranges, &stamp)
                                     : urg_get_distance_intensity(urg, ranges, intensities, &stamp);
            if (n <= 0) {
                break;
            }
            first = scan == 0 ? stamp : first;
            for (int i = 0; i < 5; i++) {
                sums[i] +=
                    (double)ranges[urg_step2index(urg, urg_deg2step(urg, angles_deg[i]))] / SCANS;
            }
        }
    }
    if (n > 0) {
        printf("%s_points %d\n%s_stamps_ms %ld\n%s_mm", label, n, label, stamp - first, label);
        for (int i = 0; i < 5; i++) {
            printf(" %.1f", sums[i]);
        }
        printf("\n");
    }
    free(ranges);
    free(intensities);
    return n > 0 ? 0 : failed(urg, label);
}

static int talk(urg_t *urg)
{
    print_identity(urg);
    int bad = measure(urg, "whole", URG_DISTANCE);
    urg_stop_measurement(urg);
    urg_set_scanning_parameter(urg, urg_deg2step(urg, -90), urg_deg2step(urg, 90), 1);
    bad |= measure(urg, "part", URG_DISTANCE);
    urg_stop_measurement(urg);
    if (urg_start_time_stamp_mode(urg) < 0 || urg_time_stamp(urg) < 0 ||
        urg_stop_time_stamp_mode(urg) < 0) {
        bad |= failed(urg, "time stamp mode");
    }
    if (urg_laser_off(urg) < 0 || urg_laser_on(urg) < 0 || urg_reboot(urg) < 0) {
        bad |= failed(urg, "laser off, on, reboot");
    }
    return bad;
}

int main(int argc, char **argv)
{
    urg_t urg;
    int opened = -1;
    if (argc == 3 && strcmp(argv[1], "serial") == 0) {
        opened = urg_open(&urg, URG_SERIAL, argv[2], 115200);
    } else if (argc == 4 && strcmp(argv[1], "tcp") == 0) {
        opened = urg_open(&urg, URG_ETHERNET, argv[2], strtol(argv[3], NULL, 10));
    } else {
        fprintf(stderr, "usage: hokuyo serial TTY | hokuyo tcp ADDRESS PORT\n");
        return 2;
    }
    if (opened < 0) {
        return failed(&urg, "open");
    }
    int bad = talk(&urg);
    urg_close(&urg);
    return bad;
}
