# SPDX-License-Identifier: Apache-2.0
"""Worlds: load, step, put and get channels, go back to snapshots."""
import ctypes
import fnmatch
import os
from collections import namedtuple
from ctypes import byref, c_int64, c_size_t, c_void_p

import numpy

from . import native

_DTYPES = {"integer": numpy.dtype("int64"), "flag": numpy.dtype("bool"), "block": numpy.dtype("float32")}
_NUMBER = numpy.dtype("float64")
_DIRECTIONS = ("in", "shared", "request", "out", "constant")

Channel = namedtuple("Channel", "path type direction unit min max size summary")
Channel.__doc__ = """A value of a world. direction: in, shared and request are put; out and constant are only read. min and max both 0: any."""


class Record(dict):
    """Values over time by path, each an array with a row a sample (a number has no second axis), and `time` in s."""

    def __init__(self, time, values):
        super().__init__(values)
        self.time = time


class World:
    """A world of a file (XML or JSON, or the name of one on the profile path). `seed`: of noise and random places; `sets`: other values for
    attributes, as {"multibody.integrator": "rk4"}; `params`: for parameters of the file. `warnings` has what the reader noticed. Between two
    steps, world[path] is the newest value and world[path] = value leaves one for the next step; inputs hold. One thread at a time may use a
    world."""

    def __init__(self, path, seed=None, sets=None, params=None):
        self._model, self._world, self._channels = c_void_p(), c_void_p(), c_void_p()
        self._catalog, self.warnings = native.Catalog(), []
        self._library = native.library()
        try:
            self._load(os.fspath(path), seed, sets or {}, params or {})
            self._list()
        except BaseException:
            self.close()
            raise

    def _load(self, path, seed, sets, params):
        file = os.fsencode(path) if os.path.exists(path) else self._catalog.find("worlds", path)
        set_array, param_array = native.sets_of(sets, b"sets"), native.sets_of(params, b"params")
        warn = native.WARN(lambda diag: self.warnings.append(native.line_of(diag.contents)))
        options = native.LoadOptions(has_seed=seed is not None, seed=seed or 0, catalog=self._catalog.handle, sets=set_array, n_sets=len(sets),
                                     params=param_array, n_params=len(params), warn=warn)
        diag = native.Diag()
        code = self._library.dpl_sim_load_world_with(file, byref(options), byref(self._model), byref(diag))
        native.check(code, diag)
        native.check(self._library.dpl_world_create(self._model, byref(self._world), byref(diag)), diag)

    def _list(self):
        if self._library.dpl_world_channels_create(self._world, byref(self._channels)) < 0:
            raise MemoryError
        n = c_size_t()
        self._descs = self._library.dpl_world_channels_describe(self._channels, byref(n))
        self._n, self._shared = n.value, {}
        self.channels = [_channel(self._descs[i]) for i in range(self._n)]
        self._paths = {channel.path: i for i, channel in enumerate(self.channels)}

    def close(self):
        """Gives its memory back. `with World(...) as world:` does it by itself."""
        self._library.dpl_world_channels_destroy(self._channels)
        self._library.dpl_world_destroy(self._world)
        self._library.dpl_sim_model_destroy(self._model)
        self._channels, self._world, self._model = c_void_p(), c_void_p(), c_void_p()
        if self._catalog:
            self._catalog.close()
            self._catalog = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _opened(self):
        if not self._world:
            raise native.Error(["the world is closed"])

    # ---- channels ----

    def _find(self, path, put):
        self._opened()
        if not put and path in self._paths:
            return self._paths[path]
        diag, want = native.Diag(), native.ChannelWant(path=path.encode(), put=put)
        code = self._library.dpl_channel_find(self._descs, self._n, byref(want), byref(diag))
        native.check(code, diag)
        return code

    def __getitem__(self, path):
        """The newest value: a float, int or bool, or an array. nan: a number that was not measured yet."""
        return self._get(self._find(path, False), path)

    def _get(self, i, path):
        value, at = self._buffer(i), c_int64()
        if self._library.dpl_world_channels_get(self._channels, i, value.ctypes.data, byref(at)) < 0:
            if value.dtype.kind != "f":
                raise native.Error(["%s: there is no value yet" % path])
            value[:] = numpy.nan
        return value[0].item() if self._is_scalar(i) else value

    def stamp(self, path):
        """The world's time in s that the value of a channel is of; None: there is none yet."""
        i, at = self._find(path, False), c_int64()
        value = self._buffer(i)
        code = self._library.dpl_world_channels_get(self._channels, i, value.ctypes.data, byref(at))
        return None if code < 0 else native.seconds(at.value)

    def __setitem__(self, path, value):
        """Leaves a value for the next step. It holds until another one comes, or `release`."""
        i = self._find(path, True)
        channel, array = self.channels[i], self._buffer(i)
        given = numpy.asarray(value)
        if given.size != array.size or (given.ndim > 0 and self._is_scalar(i) and given.shape != (1,)):
            raise native.Error(["%s: expected %d elements, found %d" % (channel.path, array.size, given.size)])
        if channel.min != channel.max and not ((given >= channel.min) & (given <= channel.max)).all():
            raise native.Error(["%s: %s is not within %g to %g%s" % (channel.path, value, channel.min, channel.max,
                                                                     " " + channel.unit if channel.unit else "")])
        array[:] = given
        if channel.direction == "shared":
            if self._shared.get(i, False) != bool(array[0]):
                self._shared[i] = bool(array[0])
                self._library.dpl_world_channels_share(self._channels, i, bool(array[0]))
            return
        code = self._library.dpl_world_channels_put(self._channels, i, array.ctypes.data)
        if code < 0:
            raise native.Error(["%s: the world does not take %s: %s" % (channel.path, value, os.strerror(-code))])

    def release(self, path):
        """Nobody answers any more for what was put: motors stop."""
        self._library.dpl_world_channels_release(self._channels, self._find(path, True))

    def __contains__(self, path):
        return path in self._paths

    def _is_scalar(self, i):
        return self.channels[i].type in ("number", "integer", "flag")

    def _buffer(self, i):
        channel = self.channels[i]
        return numpy.zeros(channel.size, _DTYPES.get(channel.type, _NUMBER))

    # ---- time ----

    @property
    def time(self):
        """s since the start."""
        self._opened()
        return native.seconds(self._library.dpl_world_now(self._world))

    def step(self, n=1):
        """Moves it by n of its own steps."""
        self._opened()
        if n < 0:
            raise ValueError("n is %d, expected 0 or more" % n)
        self._library.dpl_world_step(self._world, n)

    def run(self, duration, record=(), every=0.01):
        """Moves it by `duration` s, to the next whole step. `record`: a pattern of paths, or several, as `doppel sim --record` takes them; then
        it returns a Record with a sample at the beginning and one each `every` s."""
        self._opened()
        if duration < 0 or every <= 0:
            raise ValueError("duration %g s, every %g s: expected times above 0" % (duration, every))
        begin = self._library.dpl_world_now(self._world)
        end = begin + native.nanoseconds(duration)
        if not record:
            self._library.dpl_world_run_until(self._world, end)
            return None
        chosen = self._choose([record] if isinstance(record, str) else record)
        times, rows = [self.time], [[self._get(i, p) for i, p in chosen]]
        for k in range(1, int(duration / every + 1e-9) + 1):
            self._library.dpl_world_run_until(self._world, begin + native.nanoseconds(k * every))
            times.append(self.time)
            rows.append([self._get(i, p) for i, p in chosen])
        self._library.dpl_world_run_until(self._world, end)
        return Record(numpy.array(times), {p: numpy.array([row[c] for row in rows]) for c, (_, p) in enumerate(chosen)})

    def _choose(self, patterns):
        chosen = []
        for pattern in patterns:
            found = [(i, p) for p, i in self._paths.items() if fnmatch.fnmatchcase(p, pattern)]
            if not found:
                raise native.Error(["no channel of the world fits '%s'" % pattern])
            chosen += [one for one in found if one not in chosen]
        return sorted(chosen)

    # ---- snapshots ----

    def save(self):
        """A snapshot of now: bytes for `restore` of this world."""
        self._opened()
        size = self._library.dpl_world_snapshot_size(self._world)
        snapshot = ctypes.create_string_buffer(size)
        native.check(self._library.dpl_world_save(self._world, snapshot, size), native.Diag())
        return snapshot.raw

    def restore(self, snapshot):
        """Goes to where it was at `save`, exactly. What was put after that is released."""
        self._opened()
        code = self._library.dpl_world_restore(self._world, snapshot, len(snapshot))
        if code < 0:
            raise native.Error(["the snapshot is not one of this world"])
        self._library.dpl_world_channels_restored(self._channels)


def _channel(desc):
    return Channel(desc.path.decode(), desc.type.contents.name.decode(), _DIRECTIONS[desc.dir], desc.unit.decode(), desc.min, desc.max, desc.size,
                   (desc.summary or b"").decode())
