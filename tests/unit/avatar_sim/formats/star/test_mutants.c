/* SPDX-License-Identifier: Apache-2.0 */
/* Worlds with one wrong byte: either there is an error with its place, or a world that comes back
 * when it is written. */
#include "star_equal.h"

static char bytes[1 << 16];
static size_t n_bytes;

static void read_fixture(void)
{
    FILE *file = fopen(UNIT "/avatar_sim/formats/star/fixtures/everything.json", "rb");
    cr_assert(file);
    n_bytes = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
}

/* Whether it was read. */
static bool try(const char *text, size_t n)
{
    struct dpl_star_world *world = NULL;
    struct dpl_diags diags = {0};
    int err = dpl_star_read_text("w.json", text, n, NULL, &world, &diags);
    cr_assert_eq(err != 0, diags.n_errors > 0);
    for (size_t i = 0; i < diags.n; i++) {
        const struct dpl_diag *diag = &diags.items[i];
        cr_assert(diag->severity != DPL_SEVERITY_ERROR ||
                      (diag->place.line > 0 && diag->place.column > 0),
                  "%s", diag->text);
    }
    if (world) {
        struct dpl_star_world *again = read_written(world, DPL_STAR_C);
        expect_same_graphs(world->graph, again->graph);
        dpl_star_destroy(again);
    }
    dpl_star_destroy(world);
    dpl_diags_finish(&diags);
    return err == 0;
}

Test(star_mutants, no_beginning_of_a_world_is_one)
{
    read_fixture();
    size_t end = n_bytes;
    while (bytes[end - 1] == '\n') {
        end--;
    }
    for (size_t n = 0; n < end; n += n < 200 ? 1 : 13) {
        cr_expect_not(try(bytes, n), "%zu bytes", n);
    }
    cr_expect(try(bytes, end));
}

Test(star_mutants, worlds_with_another_byte_are_refused_or_come_back)
{
    static const char others[] = "0-e\"]}:, z\x80";
    read_fixture();
    size_t n_read = 0, n_tried = 0;
    for (size_t i = 0; i < n_bytes; i += 3) {
        char was = bytes[i];
        bytes[i] = others[(i / 3) % (sizeof others - 1)];
        n_read += try(bytes, n_bytes);
        n_tried++;
        bytes[i] = was;
    }
    cr_expect(n_read > n_tried / 20 && n_read < n_tried, "%zu of %zu", n_read, n_tried);
}
