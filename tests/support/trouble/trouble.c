/* SPDX-License-Identifier: Apache-2.0 */
/* Test class: a component that hangs, ends its thread, ends the process or crashes; before that it
 * may tell a base to drive. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <doppel/msg/wheel_controller.h>
#include <doppel/plugin.h>

enum what {
    NOTHING,
    SLEEP,
    LOOP,
    END_THREAD,
    END_PROCESS,
    CRASH,
    ABORT,
    OVERFLOW,
    FORK,
    LEAVE,
};

enum where {
    IN_EXECUTE,
    IN_INITIALIZE,
    IN_START,
    IN_STOP,
    IN_DESTROY,
};

struct properties {
    int what;
    int where;
    double at_s;
    double for_s;
    double drive_m_s;
};

struct state {
    bool done;
};

static void loop_for(double seconds)
{
    for (volatile double i = 0; i < seconds * 1e8; i = i + 1) {
    }
}

/* Whatever signals come. */
static void sleep_for(double seconds)
{
    struct timespec left = {.tv_sec = (time_t)seconds};
    left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
    while (nanosleep(&left, &left) != 0) {
    }
}

static int overflow(int depth)
{
    volatile char much[4096];
    much[0] = (char)depth;
    return depth < 0 ? 0 : overflow(depth + 1) + much[0];
}

static void cause(const struct properties *props)
{
    switch ((enum what)props->what) {
    case NOTHING: break;
    case SLEEP: sleep_for(props->for_s); break;
    case LOOP: loop_for(props->for_s); break;
    case END_THREAD: pthread_exit(NULL);
    case END_PROCESS: exit(0);
    case CRASH: *(volatile int *)8 = 1; break;
    case ABORT: abort();
    case OVERFLOW: overflow(0); break;
    case LEAVE: _exit(0);
    case FORK:
        if (fork() == 0) {
            exit(0);
        }
        break;
    }
}

static void drive(struct dpl_component *self, double linear_m_s)
{
    int r = dpl_wheel_controller_call_enable(self, 0);
    r = r < 0 ? r : dpl_wheel_controller_call_drive_wheel(self, 0, linear_m_s, 0.0);
    dpl_component_log(self, DPL_LOG_INFO, r < 0 ? "the base refuses" : "the base shall drive");
}

static int on_execute(struct dpl_component *self, const struct dpl_tick *tick)
{
    const struct properties *props = self->properties;
    struct state *state = self->state;
    if (props->where == IN_EXECUTE && !state->done && dpl_ns_to_s(tick->now) >= props->at_s) {
        state->done = true;
        dpl_component_log(self, DPL_LOG_INFO, "this is my last line");
        cause(props);
    }
    return 0;
}

static void cause_in(struct dpl_component *self, enum where where)
{
    const struct properties *props = self->properties;
    if (props->where == (int)where) {
        if (props->drive_m_s != 0) {
            drive(self, props->drive_m_s);
        }
        dpl_component_log(self, DPL_LOG_INFO, "this is my last line");
        cause(props);
    }
}

static int on_initialize(struct dpl_component *self, struct dpl_diag *reterr)
{
    cause_in(self, IN_INITIALIZE);
    return 0;
}

static int on_start(struct dpl_component *self, struct dpl_diag *reterr)
{
    cause_in(self, IN_START);
    return 0;
}

static int on_stop(struct dpl_component *self)
{
    cause_in(self, IN_STOP);
    return 0;
}

static void on_destroy(struct dpl_component *self)
{
    cause_in(self, IN_DESTROY);
}

static const struct dpl_field properties[] = {
    DPL_CHOICE(struct properties, what, "What", "nothing",
               "nothing|sleep|loop|end_thread|end_process|crash|abort|overflow|fork|leave",
               "what happens"),
    DPL_CHOICE(struct properties, where, "Where", "execute",
               "execute|initialize|start|stop|destroy", "in which callback"),
    DPL_NUMBER(struct properties, at_s, "At", "s", "3", 0, 1000, "when"),
    DPL_NUMBER(struct properties, for_s, "For", "s", "30", 0, 1000, "for how long"),
    DPL_NUMBER(struct properties, drive_m_s, "Drive", "m/s", "0", -1, 1,
               "told to the base before, in a callback of the life cycle"),
};

static const struct dpl_port_desc ports[] = {
    {
        .name = "WheelControllerService",
        .kind = DPL_PORT_SERVICE,
        .dir = DPL_PORT_IN,
        .service = &doppel__wheel_controller_service__descriptor,
    },
};

static const struct dpl_component_ops ops = {
    .execute = on_execute,
    .initialize = on_initialize,
    .start = on_start,
    .stop = on_stop,
    .destroy = on_destroy,
};

static const struct dpl_component_class class_ = {
    .name = "Trouble",
    .summary = "hangs, ends its thread, ends the process or crashes",
    .ops = &ops,
    .ports = ports,
    .n_ports = DPL_COUNT(ports),
    .properties = properties,
    .n_properties = DPL_COUNT(properties),
    .properties_size = sizeof(struct properties),
    .state_size = sizeof(struct state),
};

const struct dpl_plugin dpl_plugin = {DPL_PLUGIN_HEADER, .component = &class_};
