/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of Modbus masters from arbitrary bytes, as far as their answers: what is read, checked,
 * commanded in a world, and sent back. */
#include <sys/socket.h>

#include <doppel/sim/objects.h>

#include "answers.h"
#include "arena.h"
#include "fuzz.h"
#include "served.h"

static const char text[] =
    "<mechanism name='m' step_ms='2'>"
    "<RigidObject name='cart' mass='2'><BoxShape x='1' y='1' z='1'/></RigidObject>"
    "<Joint name='rail' type='slider' child='cart'><axis x='1' z='0'/></Joint>"
    "<Motor name='drive' joint='rail' type='servo' control='speed' max_effort='500' max_speed='2'/>"
    "<Sensor name='near' type='switch' joint='rail' from='-0.01' to='0.01'/>"
    "<Modbus unit='1' watchdog_ms='10'>"
    "<Repeat count='20' index='i'><map table='discrete' address='{i}' signal='near/on'/></Repeat>"
    "<map table='input' address='0' signal='rail/position' type='int32' scale='1e-6'/>"
    "<map table='input' address='2' signal='world:time_ms'/>"
    "<map table='input' address='65535' value='7'/>"
    "<map table='coil' address='0' signal='near/stuck_off'/>"
    "<map table='coil' address='1' signal='near/stuck_on' edge='rising'/>"
    "<Repeat count='20' index='i'><map table='coil' address='{2 + i}'/></Repeat>"
    "<map table='holding' address='0' signal='drive/setpoint' type='int16' scale='1e-3'/>"
    "<map table='holding' address='1' watchdog='true' pace='true'/>"
    "<map table='holding' address='2' type='int32'/>"
    "<map table='holding' address='65535'/>"
    "</Modbus></mechanism>";

static struct dpl_sim_modbus_server server;
static int to_master, from_world;

static void make_world(void)
{
    static struct dpl_arena arena;
    static struct dpl_sim_objects objects;
    struct dpl_diags diags = {0};
    static struct dpl_sim_model *model; /* all is made once */
    struct dpl_world *world = NULL;
    struct dpl_world_channels *channels = NULL;
    const struct dpl_pose2 start = {0};
    int pair[2];
    model = dpl_sim_model_create();
    require(dpl_sim_read_objects_text(&arena, "fuzz.xml", text, strlen(text), NULL, &objects,
                                      &diags) == 0);
    model->step = 2 * DPL_MS;
    require(dpl_sim_model_add_objects(model, "m", start, &objects, NULL) == 0);
    require(dpl_world_create(model, &world, NULL) == 0);
    require(dpl_world_channels_create(world, &channels) == 0);
    require(units_make(&server.units, world, channels, NULL) == 0);
    server.options.world = world;
    server.options.channels = channels;
    server.cells = calloc(server.units.n_cells, sizeof *server.cells);
    server.answers = answers_create();
    require(server.cells && server.answers);
    require(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    to_master = pair[0];
    from_world = pair[1];
    dpl_diags_finish(&diags);
}

/* What a master hears: one answer to this request. */
static void hear(const uint8_t *bytes, enum request_exception exception)
{
    uint8_t answer[300];
    ssize_t n = recv(from_world, answer, sizeof answer, MSG_DONTWAIT);
    require(n >= 9 && n <= REQUEST_MAX);
    require(memcmp(answer, bytes, 4) == 0 && answer[6] == bytes[6]);
    require((answer[4] << 8 | answer[5]) == n - 6);
    if (exception == REQUEST_GOOD) {
        require(answer[7] == bytes[7]);
    } else {
        require(n == 9 && answer[8] == exception && answer[7] == (uint8_t)(bytes[7] + 0x80));
    }
}

static void command(struct unit *unit, const struct request *request)
{
    if (request->n_written == 0) {
        return;
    }
    require(commands_take(&server, unit, request, 0) == REQUEST_GOOD);
    size_t cell = unit_cell(unit, request->table, request->write_first);
    require(memcmp(&server.cells[cell], request->words,
                   request->n_written * sizeof *server.cells) == 0);
    dpl_world_step(server.options.world, 1);
    commands_end_pulses(&server);
    commands_read_world(&server);
}

static void take(const uint8_t *bytes, size_t size)
{
    static struct request request;
    enum request_exception bad = request_read(bytes, size, &request);
    struct unit *unit = units_find(&server.units, request.unit);
    bad = !unit ? REQUEST_NO_UNIT : bad ? bad : unit_check(&server.units, unit, &request);
    if (bad != REQUEST_GOOD) {
        require(answers_refuse(server.answers, to_master, bytes, bad) == 0);
    } else {
        command(unit, &request);
        require(answers_send(server.answers, to_master, bytes, size, unit, &request,
                             server.cells) == 0);
    }
    hear(bytes, bad);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!server.cells) {
        make_world();
    }
    int n;
    while ((n = request_size(data, size)) > 0 && (size_t)n <= size) {
        uint8_t *bytes = malloc((size_t)n); /* exact: a sanitizer sees one byte too far */
        require(bytes != NULL);
        memcpy(bytes, data, (size_t)n);
        take(bytes, (size_t)n);
        free(bytes);
        data += n;
        size -= (size_t)n;
    }
    commands_release(&server, NULL, -1);
    require(server.units.all[0].n_held == 0);
    return 0;
}
