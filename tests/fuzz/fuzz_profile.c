/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the XML reader and the checker of profiles, against the test plugins. */
#include <stdint.h>
#include <stdlib.h>

#include "build.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static struct dpl_catalog *catalog;

static void destroy_catalog(void)
{
    dpl_catalog_destroy(catalog);
}

static void create_catalog(void)
{
    const struct dpl_catalog_options options = {PLUGIN_FOLDER, ""};
    if (dpl_catalog_create(&options, &catalog, NULL) != 0) {
        abort();
    }
    atexit(destroy_catalog);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (!catalog) {
        create_catalog();
    }
    struct dpl_arena arena = {0};
    struct dpl_diags diags = {0};
    struct dpl_diag diag;
    const struct dpl_xml_node *root;
    if (dpl_xml_read_memory(&arena, "fuzz.xml", bytes, n, &root, &diag) == 0) {
        struct dpl__builder builder = {
            .arena = &arena, .catalog = catalog, .diags = &diags, .resolve = n % 2 == 0};
        const struct dpl__file *file = dpl__build_take(&builder, "fuzz.xml", root);
        if (file) {
            dpl__build_check(&builder, file, NULL);
        }
    }
    dpl_diags_finish(&diags);
    dpl_arena_finish(&arena);
    return 0;
}
