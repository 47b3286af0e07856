/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of the avatar link from hostile bytes, read as either side reads them. Aborts when a
 * message that was accepted breaks a limit its users index by. Packs it too; what is unknown in it
 * goes along, so that the result may be refused. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/link.h>

#include "link_codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct link_codec first, again;

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_command(const Doppel__Link__Command *command)
{
    require(command->n_slots <= LINK_SLOTS_MAX);
    for (size_t i = 0; i < command->n_slots; i++) {
        require(command->slots[i]->slot < LINK_SLOTS_MAX);
        require(command->slots[i]->motors < 1u << LINK_WHEELS_MAX);
        require(command->slots[i]->n_speeds <= LINK_WHEELS_MAX);
        const Doppel__Link__Pose *place = command->slots[i]->place;
        require(!place || (fabs(place->x) <= LINK_PLACE_MAX && fabs(place->y) <= LINK_PLACE_MAX));
    }
}

static void check_welcome(const Doppel__Link__Welcome *welcome)
{
    require(welcome->n_robots <= LINK_ROBOTS_MAX);
    for (size_t i = 0; i < welcome->n_robots; i++) {
        const Doppel__Link__Robot *robot = welcome->robots[i];
        require(robot->n_motors <= LINK_WHEELS_MAX && robot->n_encoders <= LINK_WHEELS_MAX);
        require(robot->n_lasers <= LINK_SCANNERS_MAX && strlen(robot->name) <= LINK_NAME_MAX);
        for (size_t k = 0; k < robot->n_lasers; k++) {
            require(robot->lasers[k]->mount && robot->lasers[k]->count <= DPL_LINK_SCAN_MAX);
        }
    }
}

static void check_state(const Doppel__Link__State *state)
{
    require(state->n_slots <= LINK_SLOTS_MAX);
    for (size_t i = 0; i < state->n_slots; i++) {
        require(state->slots[i]->slot < LINK_SLOTS_MAX && state->slots[i]->pose);
        require(state->slots[i]->n_angles <= LINK_WHEELS_MAX);
        require(state->slots[i]->n_angles == state->slots[i]->n_velocities);
    }
}

static void read_as_server(const uint8_t *data, size_t size)
{
    const Doppel__Link__ToServer *message, *copy;
    const char *why = NULL;
    if (link_unpack_to_server(&first, data, size, &message, &why) < 0) {
        require(why != NULL);
        return;
    }
    if (message->body_case == DOPPEL__LINK__TO_SERVER__BODY_COMMAND) {
        check_command(message->command);
    }
    Doppel__Link__ToServer out = *message;
    int packed = link_pack_to_server(&again, &out);
    require(packed <= LINK_FRAME_MAX);
    if (packed > 0) {
        link_unpack_to_server(&first, again.out, (size_t)packed, &copy, &why);
    }
}

static void read_as_client(const uint8_t *data, size_t size)
{
    const Doppel__Link__ToClient *message, *copy;
    const char *why = NULL;
    if (link_unpack_to_client(&first, data, size, &message, &why) < 0) {
        require(why != NULL);
        return;
    }
    if (message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_WELCOME) {
        check_welcome(message->welcome);
    }
    if (message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_STATE) {
        check_state(message->state);
    }
    if (message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_SCAN) {
        require(message->scan->n_ranges <= DPL_LINK_SCAN_MAX);
    }
    if (message->body_case == DOPPEL__LINK__TO_CLIENT__BODY_CONTROL) {
        require(message->control->slot < LINK_SLOTS_MAX);
        require(strlen(message->control->text) <= LINK_TEXT_MAX);
    }
    Doppel__Link__ToClient out = *message;
    int packed = link_pack_to_client(&again, &out);
    require(packed <= LINK_FRAME_MAX);
    if (packed > 0) {
        link_unpack_to_client(&first, again.out, (size_t)packed, &copy, &why);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_as_server(data, size);
    read_as_client(data, size);
    return 0;
}
