/* SPDX-License-Identifier: Apache-2.0 */
/* One drive: bring-up, supervision, process data. */
#include "cia402_node.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#define BOOT_TIMEOUT  (2 * DPL_S)
#define SDO_TIMEOUT   (250 * DPL_MS)
#define SDO_TRIES     3
#define START_TIMEOUT (1 * DPL_S)
#define RETRY_MIN     (250 * DPL_MS)
#define RETRY_MAX     (4 * DPL_S)
#define GENERIC_ERROR 0x1000u
#define FRESH         3 /* SYNCs */

void cia402_node_init(struct cia402_node *node, uint8_t id, const struct cia402_settings *settings,
                      const struct cia402_plan *plan)
{
    *node =
        (struct cia402_node){.id = id, .settings = settings, .plan = plan, .retry_at = INT64_MAX};
}

static void send(struct cia402_node *node, const struct dpl_can_frame *frame)
{
    node->send(node->user, frame);
}

static void enter(struct cia402_node *node, enum cia402_phase phase, dpl_ns now)
{
    node->phase = phase;
    node->since = now;
    node->step = 0;
    node->tries = 0;
    node->unanswered[0] = node->unanswered[1] = FRESH;
}

void cia402_node_begin(struct cia402_node *node, dpl_ns now)
{
    /* A drive that is still coming to rest after a lost connection must not be interrupted. */
    struct dpl_can_frame reset = dpl_canopen_nmt(
        node->delay <= RETRY_MIN ? DPL_CANOPEN_RESET_COMMUNICATION : DPL_CANOPEN_RESET_NODE,
        node->id);
    enter(node, CIA402_BOOTING, now);
    node->state = DPL_CIA402_NOT_READY;
    node->error = 0;
    node->has_position = node->has_velocity = false;
    node->controlword = 0;
    node->retry_at = INT64_MAX;
    node->identity = (struct cia402_identity){0};
    send(node, &reset);
}

void cia402_node_forget(struct cia402_node *node)
{
    node->phase = CIA402_AWAY;
    node->retry_at = INT64_MAX;
    node->delay = RETRY_MIN;
    snprintf(node->problem, sizeof node->problem, "not on the bus yet");
}

/* Waits before the next attempt, twice as long each time. */
__attribute__((format(printf, 3, 4))) static enum cia402_news
give_up(struct cia402_node *node, dpl_ns now, const char *format, ...)
{
    bool was_at_work = node->phase == CIA402_AT_WORK;
    va_list args;
    va_start(args, format);
    vsnprintf(node->problem, sizeof node->problem, format, args);
    va_end(args);
    node->phase = CIA402_AWAY;
    node->retry_at = now + (was_at_work ? RETRY_MIN : node->delay);
    node->delay = was_at_work ? RETRY_MIN : node->delay < RETRY_MAX ? 2 * node->delay : RETRY_MAX;
    return was_at_work ? CIA402_IS_LOST : CIA402_FAILED;
}

/* ---- set-up ---- */

static bool reads(const struct cia402_step *step)
{
    return step->kind == CIA402_EXPECT || step->kind == CIA402_AWAIT ||
           step->kind == CIA402_IDENTIFY;
}

static void ask(struct cia402_node *node, dpl_ns now)
{
    const struct cia402_step *step = &node->plan->steps[node->step];
    struct dpl_canopen_sdo sdo = {
        .kind = reads(step) ? DPL_SDO_READ : DPL_SDO_WRITE,
        .index = step->index,
        .sub = step->sub,
        .size = step->size,
        .value = step->value + (step->adds_node ? node->id : 0),
    };
    struct dpl_can_frame frame = dpl_canopen_sdo_request(node->id, &sdo);
    node->asked_at = now;
    node->tries++;
    node->reader = (struct dpl_canopen_reader){0};
    send(node, &frame);
}

static void go_on(struct cia402_node *node, dpl_ns now)
{
    node->tries = 0;
    node->step++;
    if (node->step < node->plan->n) {
        ask(node, now);
        return;
    }
    struct dpl_can_frame start = dpl_canopen_nmt(DPL_CANOPEN_START, node->id);
    enter(node, CIA402_STARTING, now);
    send(node, &start);
}

static void store_identity(struct cia402_node *node, uint32_t part)
{
    const struct dpl_canopen_reader *reader = &node->reader;
    struct cia402_identity *identity = &node->identity;
    size_t n = reader->n < sizeof identity->name ? reader->n : sizeof identity->name - 1;
    if (part != CIA402_NAME) {
        identity->numbers[part] = reader->n == 4 ? dpl_get_u32le(reader->bytes) : 0;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        bool is_printable = reader->bytes[i] >= ' ' && reader->bytes[i] <= '~';
        identity->name[i] = is_printable ? (char)reader->bytes[i] : '?';
    }
    identity->name[n] = '\0';
}

/* Also processes an answer in segments. A drive is used even if it does not give its identity. */
static void hear_identity(struct cia402_node *node, const struct cia402_step *step,
                          const struct dpl_canopen_sdo *answer, dpl_ns now)
{
    struct dpl_canopen_sdo next;
    int more = dpl_canopen_read_on(&node->reader, answer, &next);
    if (answer->kind != DPL_SDO_ABORT && more == -EPROTO) {
        return;
    }
    if (more == 1 || more == -EMSGSIZE) {
        next.index = step->index;
        next.sub = step->sub;
        struct dpl_can_frame frame = dpl_canopen_sdo_request(node->id, &next);
        node->asked_at = now;
        send(node, &frame);
    }
    if (more == 0) {
        store_identity(node, step->value);
    }
    if (more != 1) {
        go_on(node, now);
    }
}

static enum cia402_news hear_answer(struct cia402_node *node, const struct dpl_can_frame *frame,
                                    dpl_ns now)
{
    const struct cia402_step *step = &node->plan->steps[node->step];
    struct dpl_canopen_sdo answer;
    if (node->phase != CIA402_SETTING || dpl_canopen_sdo_answer_decode(frame, &answer) < 0) {
        return CIA402_NO_NEWS;
    }
    bool is_segment = answer.kind == DPL_SDO_READ_SEGMENT_DONE;
    if (!is_segment && (answer.index != step->index || answer.sub != step->sub)) {
        return CIA402_NO_NEWS; /* late, or for another master */
    }
    if (step->kind == CIA402_IDENTIFY) {
        hear_identity(node, step, &answer, now);
        return CIA402_NO_NEWS;
    }
    if (is_segment) {
        return CIA402_NO_NEWS;
    }
    bool is_absent = answer.kind == DPL_SDO_ABORT &&
                     (answer.value == DPL_SDO_NO_OBJECT || answer.value == DPL_SDO_NO_SUB_INDEX);
    if (is_absent && step->kind == CIA402_WRITE_IF_THERE) {
        go_on(node, now);
        return CIA402_NO_NEWS;
    }
    if (answer.kind == DPL_SDO_ABORT) {
        return give_up(node, now, "it refuses %s, object %04X:%u: %s (%08X)", step->what,
                       step->index, step->sub, dpl_canopen_abort_name(answer.value), answer.value);
    }
    if (reads(step) &&
        (answer.kind != DPL_SDO_READ_DONE || (answer.value & step->mask) != step->value)) {
        if (step->kind == CIA402_AWAIT && node->tries < SDO_TRIES) {
            return CIA402_NO_NEWS; /* asked again after the timeout of an answer */
        }
        return give_up(node, now, "%s: object %04X:%u is %X", step->what, step->index, step->sub,
                       answer.value);
    }
    go_on(node, now);
    return CIA402_NO_NEWS;
}

/* ---- supervision ---- */

static enum cia402_news hear_heartbeat(struct cia402_node *node, const struct dpl_can_frame *frame,
                                       dpl_ns now)
{
    enum dpl_canopen_state state;
    if (dpl_canopen_heartbeat_decode(frame, &state) < 0) {
        return CIA402_NO_NEWS;
    }
    bool is_coming = node->phase == CIA402_BOOTING || node->phase == CIA402_SETTING ||
                     node->phase == CIA402_STARTING;
    if (is_coming && state == DPL_CANOPEN_BOOT_UP) {
        enter(node, CIA402_SETTING, now);
        ask(node, now);
        return CIA402_NO_NEWS;
    }
    if (node->phase != CIA402_AT_WORK || state == DPL_CANOPEN_OPERATIONAL) {
        return CIA402_NO_NEWS;
    }
    return state == DPL_CANOPEN_BOOT_UP
               ? give_up(node, now, "it has restarted")
               : give_up(node, now, "it is %s", dpl_canopen_state_name(state));
}

/* It was started, and all its process data have arrived. */
static enum cia402_news begin_work(struct cia402_node *node, dpl_ns now)
{
    if (node->phase != CIA402_STARTING || !cia402_node_is_fresh(node)) {
        return CIA402_NO_NEWS;
    }
    enter(node, CIA402_AT_WORK, now);
    node->unanswered[0] = node->unanswered[1] = 0;
    node->delay = RETRY_MIN;
    return CIA402_IS_READY;
}

static enum cia402_news hear_position(struct cia402_node *node, const struct dpl_can_frame *frame,
                                      dpl_ns now)
{
    int32_t values[DPL_CANOPEN_MAP_MAX];
    if (dpl_canopen_unpack(&cia402_tpdo[0], frame, values) < 0) {
        return CIA402_NO_NEWS;
    }
    node->statusword = (uint16_t)values[TPDO1_STATUSWORD];
    node->state = dpl_cia402_state_of(node->statusword);
    node->position = values[TPDO1_POSITION];
    node->has_position = true;
    node->unanswered[0] = 0;
    return begin_work(node, now);
}

static enum cia402_news hear_velocity(struct cia402_node *node, const struct dpl_can_frame *frame,
                                      dpl_ns now)
{
    int32_t values[DPL_CANOPEN_MAP_MAX];
    if (dpl_canopen_unpack(&cia402_tpdo[1], frame, values) < 0) {
        return CIA402_NO_NEWS;
    }
    node->velocity = values[TPDO2_VELOCITY];
    node->torque = values[TPDO2_TORQUE];
    node->has_velocity = true;
    node->unanswered[1] = 0;
    return begin_work(node, now);
}

static enum cia402_news hear_emcy(struct cia402_node *node, const struct dpl_can_frame *frame)
{
    struct dpl_canopen_emcy emcy;
    if (dpl_canopen_emcy_decode(frame, &emcy) < 0) {
        return CIA402_NO_NEWS;
    }
    node->error = emcy.code;
    return CIA402_EMCY;
}

enum cia402_news cia402_node_hear(struct cia402_node *node, const struct dpl_can_frame *frame,
                                  struct dpl_canopen_cob cob, dpl_ns now)
{
    node->heard_at = now;
    switch (cob.service) {
    case DPL_CANOPEN_SDO_ANSWER: return hear_answer(node, frame, now);
    case DPL_CANOPEN_HEARTBEAT: return hear_heartbeat(node, frame, now);
    case DPL_CANOPEN_EMCY: return hear_emcy(node, frame);
    case DPL_CANOPEN_TPDO:
        if (cob.pdo == 1) {
            return hear_position(node, frame, now);
        }
        return cob.pdo == 2 ? hear_velocity(node, frame, now) : CIA402_NO_NEWS;
    default: return CIA402_NO_NEWS;
    }
}

static enum cia402_news wait_for_answer(struct cia402_node *node, dpl_ns now)
{
    if (now - node->asked_at <= SDO_TIMEOUT) {
        return CIA402_NO_NEWS;
    }
    const struct cia402_step *step = &node->plan->steps[node->step];
    if (step->kind == CIA402_IDENTIFY) {
        go_on(node, now);
        return CIA402_NO_NEWS;
    }
    if (node->tries < SDO_TRIES) {
        ask(node, now);
        return CIA402_NO_NEWS;
    }
    return give_up(node, now, "no answer to SDOs, object %04X:%u", step->index, step->sub);
}

void cia402_node_excuse(struct cia402_node *node, dpl_ns late, dpl_ns now)
{
    node->heard_at = node->heard_at + late < now ? node->heard_at + late : now;
}

/* Process data are counted in SYNCs, because a late master has not requested them. */
static enum cia402_news watch(struct cia402_node *node, dpl_ns now)
{
    const struct cia402_settings *settings = node->settings;
    if (now - node->heard_at > settings->silence) {
        return give_up(node, now, "silent for %.0f ms", 1e3 * dpl_ns_to_s(now - node->heard_at));
    }
    for (int pdo = 0; pdo < 2; pdo++) {
        dpl_ns without = node->unanswered[pdo] * settings->period;
        if (without > settings->process_data) {
            return give_up(node, now, "no process data (%s, TPDO%d) for %.0f ms",
                           pdo == 0 ? "statusword and position" : "velocity and torque", pdo + 1,
                           1e3 * dpl_ns_to_s(without));
        }
    }
    return CIA402_NO_NEWS;
}

enum cia402_news cia402_node_timer(struct cia402_node *node, dpl_ns now)
{
    switch (node->phase) {
    case CIA402_AWAY:
        if (now >= node->retry_at) {
            cia402_node_begin(node, now);
        }
        return CIA402_NO_NEWS;
    case CIA402_BOOTING:
        return now - node->since > BOOT_TIMEOUT ? give_up(node, now, "no boot-up after a reset")
                                                : CIA402_NO_NEWS;
    case CIA402_SETTING: return wait_for_answer(node, now);
    case CIA402_STARTING:
        return now - node->since > START_TIMEOUT
                   ? give_up(node, now, "no process data after its start")
                   : CIA402_NO_NEWS;
    case CIA402_AT_WORK: break;
    }
    return watch(node, now);
}

/* ---- process data ---- */

void cia402_node_expect(struct cia402_node *node)
{
    node->has_position = node->has_velocity = false;
    node->unanswered[0] += node->unanswered[0] < UINT16_MAX;
    node->unanswered[1] += node->unanswered[1] < UINT16_MAX;
}

bool cia402_node_is_fresh(const struct cia402_node *node)
{
    return node->unanswered[0] < FRESH && node->unanswered[1] < FRESH;
}

static void send_pdo(struct cia402_node *node, uint8_t number, const int32_t *values)
{
    struct dpl_can_frame frame = {.id = dpl_canopen_cob_id(DPL_CANOPEN_RPDO, node->id, number)};
    dpl_canopen_pack(&cia402_rpdo[number - 1], values, &frame);
    send(node, &frame);
}

void cia402_node_command(struct cia402_node *node, enum dpl_cia402_goal goal, int32_t target,
                         int32_t velocity_offset, int32_t torque_offset)
{
    node->controlword = dpl_cia402_controlword(node->state, goal, node->controlword);
    send_pdo(node, 1,
             (const int32_t[]){[RPDO1_CONTROLWORD] = node->controlword, [RPDO1_TARGET] = target});
    send_pdo(node, 2,
             (const int32_t[]){
                 [RPDO2_VELOCITY_OFFSET] = velocity_offset, [RPDO2_TORQUE_OFFSET] = torque_offset});
}

uint16_t cia402_node_fault(const struct cia402_node *node)
{
    return node->error != 0 ? node->error : GENERIC_ERROR;
}
