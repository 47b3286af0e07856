/* SPDX-License-Identifier: Apache-2.0 */
/* How long an application takes to load: profiles, plugins' tables, properties, connections; and
 * how many times that is what Expat alone needs for as many bytes as the application's own file
 * has. CPU time, the least and the median of several runs. Arguments: PLUGINS PROFILES APP
 * BINDING... Fails when a median is above 5 ms. */
#include <expat.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <doppel/host/app.h>

enum { RUNS = 51, MAX_BYTES = 1 << 20 };
static const double limit_ms = 5.0;

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double load(const char *app_name, struct dpl_app_options *options,
                   struct dpl_catalog *catalog, char ret_file[4096])
{
    struct dpl_app *app;
    struct dpl_diags diags = {0};
    double begin = cpu_ms();
    if (dpl_app_load(app_name, options, catalog, &app, &diags)) {
        dpl_diag_print(stderr, &diags.items[0]);
        exit(1);
    }
    double took = cpu_ms() - begin;
    snprintf(ret_file, 4096, "%s", app->file);
    dpl_app_destroy(app);
    dpl_diags_finish(&diags);
    return took;
}

static double parse(const char *path)
{
    static char text[MAX_BYTES];
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    double begin = cpu_ms();
    size_t n = fread(text, 1, sizeof text, file);
    XML_Parser parser = XML_ParserCreate(NULL);
    if (!parser || XML_Parse(parser, text, (int)n, 1) != XML_STATUS_OK) {
        fprintf(stderr, "%s: Expat cannot read it\n", path);
        exit(1);
    }
    XML_ParserFree(parser);
    double took = cpu_ms() - begin;
    fclose(file);
    return took;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: bench_profile PLUGINS PROFILES APP BINDING...\n");
        return 2;
    }
    struct dpl_catalog_options places = {argv[1], argv[2]};
    struct dpl_catalog *catalog;
    struct dpl_diag diag;
    if (dpl_catalog_create(&places, &catalog, &diag)) {
        dpl_diag_print(stderr, &diag);
        return 1;
    }
    bool kept = true;
    printf("%-40s %9s %9s %9s\n", "CPU ms", "least", "median", "of Expat");
    for (int i = 4; i < argc; i++) {
        const char *bindings[] = {argv[i]};
        struct dpl_app_options options = {.bindings = bindings, .n_bindings = 1};
        double whole[RUNS], alone[RUNS];
        char file[4096], name[128];
        load(argv[3], &options, catalog, file); /* plugins are opened once */
        for (int run = 0; run < RUNS; run++) {
            whole[run] = load(argv[3], &options, catalog, file);
            alone[run] = parse(file);
        }
        qsort(whole, RUNS, sizeof *whole, by_size);
        qsort(alone, RUNS, sizeof *alone, by_size);
        snprintf(name, sizeof name, "%s --bind %s", argv[3], argv[i]);
        printf("%-40s %9.3f %9.3f %8.0fx\n", name, whole[0], whole[RUNS / 2],
               whole[RUNS / 2] / alone[RUNS / 2]);
        kept &= whole[RUNS / 2] <= limit_ms;
    }
    dpl_catalog_destroy(catalog);
    if (!kept) {
        printf("above %g ms\n", limit_ms);
    }
    return kept ? 0 : 1;
}
