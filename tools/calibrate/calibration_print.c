/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a calibration, and the binding profile that the next run starts from. */
#include "calibration.h"

#include <math.h>
#include <string.h>

#include <doppel/field.h>
#include <doppel/math/geometry.h>

#include "world_fit.h"

/* ---- report ---- */

static double shown(const struct calibration_row *row, double value)
{
    if (row->unit) {
        (void)dpl_unit_convert(value, row->unit, row->shown_unit, &value);
    }
    return value;
}

static void print_line(FILE *stream, const char *begin, const char *name, const double numbers[3],
                       const char *unit)
{
    fprintf(stream, "%s%-26s", begin, name);
    for (int i = 0; i < 3; i++) {
        if (isfinite(numbers[i])) {
            fprintf(stream, unit ? " %10.3f" : " %10.5f", numbers[i]);
        } else {
            fprintf(stream, " %10s", "-");
        }
    }
    fprintf(stream, " %-5s ", unit ? unit : "");
}

static void print_row(FILE *stream, const char *begin, const struct calibration_target *target,
                      const struct calibration_findings *findings, int i)
{
    const struct calibration_row *row = &calibration_rows[i];
    double numbers[3] = {
        shown(row, calibration_new_value(target, findings, i)),
        shown(row, findings->sigma[i]),
        shown(row, target->values[i].value),
    };
    print_line(stream, begin, row->name, numbers, row->shown_unit);
    if (calibration_is_identified(target, findings, i)) {
        fprintf(stream, "identified");
        fprintf(stream, row->is_factor ? ", times %.5f\n" : "\n", findings->value[i]);
    } else {
        fprintf(stream, "not identified\n");
    }
}

static void print_drive(FILE *stream, const char *begin, const struct calibration_target *target,
                        const struct calibration_findings *findings)
{
    static const struct {
        const char *name, *unit;
        double factor;
    } rows[DRIVE_N_PARAMETERS] = {
        {"drive: left wheel", NULL, 1.0},   {"drive: right wheel", NULL, 1.0},
        {"drive: latency", "ms", 1e3},      {"drive: lag", "ms", 1e3},
        {"drive: time to 1 m/s", "s", 1.0},
    };
    const struct drive_fit *fit = &findings->drive;
    for (int i = 0; i < DRIVE_N_PARAMETERS && findings->has_drive; i++) {
        double before = i <= DRIVE_GAIN_RIGHT ? 1.0
                        : i == DRIVE_RAMP     ? 1.0 / target->drive.acceleration
                                              : (double)NAN;
        double numbers[3] = {rows[i].factor * fit->value[i], rows[i].factor * fit->sigma[i],
                             before};
        print_line(stream, begin, rows[i].name, numbers, rows[i].unit);
        fprintf(stream, "%s\n", fit->identified[i] ? "identified" : "not identified");
    }
    if (findings->has_drive) {
        fprintf(stream, "%s  the model of the drive leaves %.2f mm RMS in %zu windows of 0.1 s\n",
                begin, fit->rms_m * 1e3, fit->n_windows);
    } else {
        fprintf(stream, "%sdrive: too little motion was commanded, or commands are not known\n",
                begin);
    }
}

static void print_misfit(FILE *stream, const char *begin,
                         const struct calibration_findings *findings)
{
    fprintf(stream, "%snot identified: anything by the scans: they did not fit the world", begin);
    if (isfinite(findings->unknown_s)) {
        fprintf(stream, ": from %.1f s on it was not known where the robot was\n",
                findings->unknown_s);
    } else {
        fprintf(stream, ": in the second half %.2f of the beams fitted, %.2f must\n",
                findings->agreement, WORLD_FIT_AGREEMENT);
    }
}

static void print_forgotten(FILE *stream, const char *begin,
                            const struct calibration_target *target,
                            const struct calibration_findings *findings)
{
    double from_s = findings->forgot_from_s, until_s = findings->forgot_until_s;
    if (!findings->has_forgotten) {
        return;
    }
    if (isfinite(from_s)) {
        fprintf(stream, "%snot counted: what was learnt from %.1f s to %.1f s", begin, from_s,
                until_s);
    } else {
        fprintf(stream, "%snot counted: what was learnt before %.1f s", begin, until_s);
    }
    fprintf(stream, ": the robot was found in another place then\n");
    if (!calibration_is_complete(target, findings)) {
        fprintf(stream,
                "%s  the %.0f s after that were too short: drive longer, or give the right start\n",
                begin, findings->duration_s - until_s);
    }
}

static void print_needs(FILE *stream, const char *begin, const struct calibration_target *target,
                        const struct calibration_findings *findings)
{
    print_forgotten(stream, begin, target, findings);
    if (findings->is_lost) {
        print_misfit(stream, begin, findings);
        return;
    }
    for (int i = 0; i < CALIBRATION_N_PARAMETERS; i++) {
        const struct calibration_row *row = &calibration_rows[i];
        if (!calibration_is_identified(target, findings, i)) {
            fprintf(stream, "%snot identified: %s; this shows it: %s\n", begin, row->name,
                    row->needs);
        }
    }
}

void calibration_print(FILE *stream, const char *begin, const struct calibration_target *target,
                       const struct calibration_findings *findings)
{
    fprintf(stream, "%s%.0f s, %.1f m\n", begin, findings->duration_s, findings->distance_m);
    fprintf(stream, "%s%-26s %10s %10s %10s\n", begin, "", "value", "sigma", "nominal");
    for (int i = 0; i < CALIBRATION_N_PARAMETERS; i++) {
        print_row(stream, begin, target, findings, i);
    }
    print_drive(stream, begin, target, findings);
    print_needs(stream, begin, target, findings);
}

/* ---- profile ---- */

static void write_escaped(FILE *stream, const char *text)
{
    for (const char *c = text; *c; c++) {
        switch (*c) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        default: fputc(*c, stream);
        }
    }
}

static void write_property(FILE *stream, const struct calibration_property *property,
                           const char *unit, double value)
{
    fputs("    <property component=\"", stream);
    write_escaped(stream, property->component);
    fprintf(stream, "\" name=\"%s%s\"", property->side, property->name);
    fprintf(stream, unit ? " unit=\"%s\">" : ">", unit);
    fprintf(stream, unit ? "%.4f</property>\n" : "%.6f</property>\n", value);
}

static void write_values(FILE *stream, const struct calibration_target *target,
                         const struct calibration_findings *findings)
{
    for (int i = 0; i < CALIBRATION_N_PARAMETERS; i++) {
        const struct calibration_row *row = &calibration_rows[i];
        if (target->values[i].name && calibration_is_identified(target, findings, i)) {
            double value = calibration_new_value(target, findings, i);
            write_property(stream, &target->values[i], row->shown_unit, shown(row, value));
        }
    }
}

/* Parameters with one property for their deviations share the largest; all must be identified. */
static void write_sigmas(FILE *stream, const struct calibration_target *target,
                         const struct calibration_findings *findings)
{
    for (int i = 0; i < CALIBRATION_N_PARAMETERS;) {
        const struct calibration_row *row = &calibration_rows[i];
        double sigma = row->floor;
        bool known = true;
        for (; i < CALIBRATION_N_PARAMETERS &&
               strcmp(calibration_rows[i].sigma_property, row->sigma_property) == 0;
             i++) {
            known = known && calibration_is_identified(target, findings, i);
            sigma = fmax(sigma, findings->sigma[i]);
        }
        if (known) {
            struct calibration_property property = {target->localizer, "", row->sigma_property, 0};
            write_property(stream, &property, row->shown_unit, shown(row, sigma));
        }
    }
}

static void write_attribute(FILE *stream, const char *robot, const char *name, double value)
{
    if (isfinite(value)) {
        fputs("    <property entry=\"", stream);
        write_escaped(stream, robot);
        fprintf(stream, "\" name=\"%s\">%.6g</property>\n", name, value);
    }
}

/* What studies draw from. */
static void write_covariance(FILE *stream, const struct calibration_target *target,
                             const struct calibration_findings *findings)
{
    struct calibration_drawn drawn[CALIBRATION_N_DRAWN];
    size_t n = calibration_drawn(target, findings, drawn);
    fputs(n > 0 ? "  <covariance>\n" : "", stream);
    for (size_t i = 0; i < n; i++) {
        fputs("    <parameter entry=\"", stream);
        write_escaped(stream, target->robot);
        fprintf(stream, "\" name=\"%s\" value=\"%.6g\" sigma=\"%.6g\"", drawn[i].name,
                drawn[i].value, drawn[i].sigma);
        for (size_t k = 0; k < i; k++) {
            fprintf(stream, "%s%.4g", k == 0 ? " correlations=\"" : " ", drawn[i].correlations[k]);
        }
        fputs(i > 0 ? "\"/>\n" : "/>\n", stream);
    }
    fputs(n > 0 ? "  </covariance>\n" : "", stream);
}

/* Up to the name and the command. */
static void write_head(FILE *stream, const struct calibration_origin *origin, const char *what)
{
    fputs("<binding_profile>\n  <name>", stream);
    write_escaped(stream, origin->name);
    fprintf(stream, "</name>\n  <description>%s, by ", what);
    write_escaped(stream, origin->command);
    fputs("</description>\n", stream);
}

void calibration_write(FILE *stream, const struct calibration_origin *origin,
                       const struct calibration_target *target,
                       const struct calibration_findings *findings)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Give this binding behind those that it "
          "was made with. What was found:\n",
          stream);
    calibration_print(stream, "     ", target, findings);
    fputs("-->\n", stream);
    write_head(stream, origin, "Odometry and laser of a robot");
    fputs("  <properties>\n", stream);
    write_values(stream, target, findings);
    fputs("    <!-- How sure they are. A deviation below a floor (SigmaMount: 5 mm) is written as "
          "the "
          "floor:\n         what estimates of real robots reach. So it may be larger than sigma "
          "above. -->\n",
          stream);
    write_sigmas(stream, target, findings);
    fputs("  </properties>\n</binding_profile>\n", stream);
}

void calibration_write_drive(FILE *stream, const struct calibration_origin *origin,
                             const struct calibration_target *target,
                             const struct calibration_findings *findings)
{
    struct calibration_robot robot = calibration_robot(target, findings);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- The avatar answers to commands as the "
          "robot "
          "does: for runs in which it drives alone. -->\n",
          stream);
    write_head(stream, origin, "Drive of a robot");
    fputs("  <world_properties>\n", stream);
    write_attribute(stream, target->robot, "wheel_scale_left", robot.wheel_scale_left);
    write_attribute(stream, target->robot, "wheel_scale_right", robot.wheel_scale_right);
    write_attribute(stream, target->robot, "axle_scale", robot.axle_scale);
    write_attribute(stream, target->robot, "latency_ms", robot.latency_ms);
    write_attribute(stream, target->robot, "lag_ms", robot.lag_ms);
    fputs("  </world_properties>\n", stream);
    write_covariance(stream, target, findings);
    if (target->has_acceleration && isfinite(robot.acceleration)) {
        struct calibration_property property = {target->wheels, "simulation.", "Acceleration", 0};
        fputs("  <properties>\n", stream);
        write_property(stream, &property, "m/s^2", robot.acceleration);
        fputs("  </properties>\n", stream);
    }
    fputs("</binding_profile>\n", stream);
}
