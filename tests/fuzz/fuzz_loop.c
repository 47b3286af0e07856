/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a log of events, and commands of a loop, from arbitrary text. A line that is taken is
 * printed as it was, but for what may be written in two ways. A command that is refused says why.
 */
#include <doppel/sim/loop.h>

#include "fuzz.h"

static void take_line(const char *text)
{
    static struct dpl_sim_event_line first, second;
    static char line[DPL_SIM_EVENT_LINE_MAX];
    if (dpl_sim_event_parse(text, &first) < 0) {
        return;
    }
    require(dpl_sim_event_print(line, &first.record) == strlen(line));
    require(dpl_sim_event_parse(line, &second) == 0);
    require(first.record.step == second.record.step &&
            first.record.sequence == second.record.sequence &&
            first.record.class_ == second.record.class_ &&
            first.record.number == second.record.number &&
            first.record.late == second.record.late && first.record.size == second.record.size);
    require(strcmp(first.kind, second.kind) == 0);
    require(memcmp(first.payload, second.payload, first.record.size) == 0);
}

/* A loop over an empty world, made once. */
static struct dpl_sim_loop *make_loop(void)
{
    static struct dpl_sim_model *model;
    static struct dpl_world *world;
    static struct dpl_world_channels *channels;
    static struct dpl_sim_loop *loop;
    if (!loop) {
        model = dpl_sim_model_create();
        require(model && dpl_world_create(model, &world, NULL) == 0 &&
                dpl_world_channels_create(world, &channels) == 0);
        struct dpl_sim_loop_options options = {.world = world, .channels = channels};
        require(dpl_sim_loop_create(&options, &loop) == 0);
    }
    return loop;
}

static void take_command(const char *text)
{
    struct dpl_diag error = {0};
    int err = dpl_sim_loop_check(make_loop(), text, &error);
    require(err == 0 || error.text[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    if (!text) {
        return 0;
    }
    take_line(text);
    take_command(text);
    free(text);
    return 0;
}
