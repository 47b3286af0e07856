/* SPDX-License-Identifier: Apache-2.0 */
/* The link between a user and a simulated world: named channels (doppel/channel.h) with stamped
 * values. The same calls work on a world in this process and on one that `doppel sim` serves.
 *
 * - `dpl_link_find` is called once for each channel, in open.
 * - `dpl_link_refresh` moves to the newest frame, once in each cycle: all values of a frame are
 *   from one step of the world.
 * - `dpl_channel_get` reads a value of that frame; `dpl_channel_put` writes a value for the world's
 *   next step. They do not block, allocate or call the system.
 *
 * One thread at a time uses a link. */
#ifndef DOPPEL_LINK_H
#define DOPPEL_LINK_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doppel/ahead.h>
#include <doppel/channel.h>
#include <doppel/diag.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dpl_link;

struct dpl_link_config {
    const char
        *world; /* file of a world to embed ("": the application's world); or "tcp://host:port" */
    /* The part of the world that the link uses: the first name in the paths of its channels. NULL
     * or "": the whole world. */
    const char *part;
    bool is_copy; /* the runtime's: the link is of a device that stands beside a first one, so what
                     it moves is an avatar */
    bool look;    /* the link finds inputs as outputs (dpl_channel_want), and puts nothing */
    bool take_over; /* for a served world: become the owner of the part's inputs, even if another
                       client owns them */
    /* Inputs that the link has put are released when they are not put again within this time, of
     * the world or, if it is served, of the clock: the user's thread may hang while the world goes
     * on. 0: they hold. */
    dpl_ns silence;
    struct dpl_place place; /* of the property that names the part, for errors */
};

/* A channel that a link has found. */
struct dpl_channel {
    struct dpl_link *link;
    unsigned id;
    const struct dpl_channel_desc *desc; /* valid as long as the link */
};

struct dpl_link_ops {
    int (*find)(struct dpl_link *, const struct dpl_channel_want *, struct dpl_channel *ret_channel,
                struct dpl_diag *reterr);
    int (*refresh)(struct dpl_link *, dpl_ns *ret_stamp);
    int (*put)(struct dpl_link *, unsigned id, const void *value);
    int (*get)(struct dpl_link *, unsigned id, void *ret_value, dpl_ns *ret_stamp);
    int (*answer)(struct dpl_link *, unsigned id);
    void (*release)(struct dpl_link *);
    uint32_t (*restarts)(struct dpl_link *);
    size_t (*describe)(struct dpl_link *, size_t first, struct dpl_channel_desc *ret_descs,
                       size_t n);
    bool (*alive)(struct dpl_link *);
    void (*close)(struct dpl_link *);
    /* NULL: no look-ahead is possible in this world */
    int (*open_ahead)(struct dpl_link *, const struct dpl_ahead_setup *,
                      struct dpl_ahead **ret_ahead, struct dpl_diag *reterr);
};

struct dpl_link {
    const struct dpl_link_ops *ops;
};

/* Finds a channel by its path from the link's part on ("left/speed", or "/robot/left/speed" from
 * the world's root). Names are compared as dpl_name_equal does. Allocates; call it in open, and
 * again while it returns -EAGAIN. 0; -EAGAIN: a served world has not answered yet: call again;
 * -ENOENT with the nearest path; -EINVAL: the channel has another type or unit or direction, or is
 * an input of another part than the inputs that this link has found; -ENOMEM. */
static inline int dpl_link_find(struct dpl_link *link, const struct dpl_channel_want *want,
                                struct dpl_channel *ret_channel, struct dpl_diag *reterr)
{
    return link->ops->find(link, want, ret_channel, reterr);
}

/* Moves to the newest frame. 0, with the time of its step on the run's clock in ret_stamp (NULL
 * allowed), also if there is no newer frame; -EAGAIN: there is no frame yet. */
static inline int dpl_link_refresh(struct dpl_link *link, dpl_ns *ret_stamp)
{
    return link->ops->refresh(link, ret_stamp);
}

/* How often the world was restarted before the step of this frame. A restart undoes all earlier
 * changes of the world. Always 0 for a world in this process. */
static inline uint32_t dpl_link_restarts(struct dpl_link *link)
{
    return link->ops->restarts(link);
}

/* Copies up to `n` descriptions, from number `first` on; returns the number of all channels of the
 * world, also of other parts. 0: the world has not answered yet. The texts are valid as long as the
 * link. */
static inline size_t dpl_link_describe(struct dpl_link *link, size_t first,
                                       struct dpl_channel_desc *ret_descs, size_t n)
{
    return link->ops->describe(link, first, ret_descs, n);
}

/* Whether the link gets values. A world in this process is always alive. A served world is not
 * alive while it is silent, or while another client owns the inputs that this link puts. */
static inline bool dpl_link_alive(struct dpl_link *link)
{
    return link->ops->alive(link);
}

/* Releases the inputs that this link has put: at its next step the world brings each of them to a
 * safe state (a motor stops, a brake holds). Later puts are used again. Does not block or allocate.
 */
static inline void dpl_link_release(struct dpl_link *link)
{
    link->ops->release(link);
}

/* Opens a look-ahead in the link's world (doppel/ahead.h). Call it in open. It ends with the world.
 * 0, or with reterr: -ENOTSUP: the world is in another process; -EBUSY: it moves already; -ENOENT,
 * -EINVAL: a channel or the robot is not valid; -ENOMEM. Allocates. */
static inline int dpl_link_open_ahead(struct dpl_link *link, const struct dpl_ahead_setup *setup,
                                      struct dpl_ahead **ret_ahead, struct dpl_diag *reterr)
{
    return link->ops->open_ahead
               ? link->ops->open_ahead(link, setup, ret_ahead, reterr)
               : dpl_fail(reterr, -ENOTSUP, setup->place,
                          "a look-ahead needs its world in this process: a world that `doppel sim` "
                          "serves cannot be copied from here");
}

/* Closes a link, and releases the inputs that it has put. NULL: does nothing. May block for about
 * 0.1 s. */
static inline void dpl_link_close(struct dpl_link *link)
{
    if (link) {
        link->ops->close(link);
    }
}

/* Writes a value of dpl_channel_bytes(desc) for the world's next step. If there are several, the
 * last one is used. 0; -EAGAIN: the world is lost. A request is lost then; any other value is sent
 * when the world is back. -EINVAL: the channel was not found for put. */
static inline int dpl_channel_put(struct dpl_channel channel, const void *value)
{
    return channel.link->ops->put(channel.link, channel.id, value);
}

/* The value of this frame, and the time of the measurement on the run's clock (NULL allowed). Of
 * blocks, each is returned only once: the newest one, or -EAGAIN if it was returned already.
 * -EAGAIN: there is no value; -EINVAL: the channel was found for put. A constant can be read as
 * soon as it is found. */
static inline int dpl_channel_get(struct dpl_channel channel, void *ret_value, dpl_ns *ret_stamp)
{
    return channel.link->ops->get(channel.link, channel.id, ret_value, ret_stamp);
}

/* The result of the last request that was put into a channel: 0: it was executed, or there was
 * none; -EINPROGRESS: there is no answer in this frame yet; -ENOTCONN: the world was lost before it
 * answered; or the reason why the world refused it (-EBUSY, -EINVAL). */
static inline int dpl_channel_answer(struct dpl_channel channel)
{
    return channel.link->ops->answer(channel.link, channel.id);
}

static inline int dpl_channel_put_number(struct dpl_channel channel, double value)
{
    return dpl_channel_put(channel, &value);
}

static inline int dpl_channel_put_flag(struct dpl_channel channel, bool value)
{
    return dpl_channel_put(channel, &value);
}

#ifdef __cplusplus
}
#endif

#endif
