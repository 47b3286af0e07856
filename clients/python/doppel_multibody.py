# SPDX-License-Identifier: Apache-2.0
"""Worlds in STAR's format for scripts and notebooks: load, step, read, change, save (docs/reference/star.md). Needs Python 3.7 and Doppel's library
libdoppel_avatar.so; copy this file beside your own.

    import doppel_multibody

    with doppel_multibody.World("four_bar.json") as world:
        world.step(1e-3, 1000)
        print(world.time, world.joint("four_bar:A").displacement, world.body("four_bar:crank").position)

SI units and radians, whatever the file's units are. Errors are raised as MultibodyError. One thread at a time may use a world. The library
is looked for in the environment variable DOPPEL_LIBRARY (a file), then where the system looks for libraries."""
import ctypes
import errno
import os
from collections import namedtuple

INTEGRATORS = {"semi_implicit": 0, "rk4": 1, "dopri5": 2, "gragg": 3}
MODES = {"force": 1, "velocity": 2, "position": 3, "acceleration": 4}
EVENTS = ("singular", "inconsistent", "repartition", "stalled", "passed")
_ASSEMBLY, _BODY, _FRAME, _JOINT = range(4)
_A, _C = 0, 2  # dialects

Joint = namedtuple("Joint", "displacement velocity acceleration effort")
Joint.__doc__ = """What a joint does: each a number, or a tuple where the joint has several coordinates."""
Body = namedtuple("Body", "position rotation velocity angular")
Body.__doc__ = """Where a body's frame is in the world: position, rotation (three rows), velocity of its origin, angular velocity."""
Event = namedtuple("Event", "type time joint value")


class MultibodyError(Exception):
    """A file that is not right, a loop that cannot be closed, a name that does not exist. `lines`: all that was found."""

    def __init__(self, lines):
        super().__init__("\n".join(lines))
        self.lines = lines


# ---- the library's structs: doppel/diag.h, doppel/sim/multibody.h, multibody_graph.h, star.h ----


class _Place(ctypes.Structure):
    _fields_ = [("rotation", ctypes.c_double * 9), ("position", ctypes.c_double * 3)]


class _FilePlace(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("line", ctypes.c_int), ("column", ctypes.c_int)]


class _Diag(ctypes.Structure):
    _fields_ = [("severity", ctypes.c_int), ("place", _FilePlace), ("text", ctypes.c_char * 512)]


class _Diags(ctypes.Structure):
    _fields_ = [("items", ctypes.POINTER(_Diag)), ("n", ctypes.c_size_t), ("capacity", ctypes.c_size_t),
                ("n_errors", ctypes.c_size_t), ("n_warnings", ctypes.c_size_t)]


class _Memory(ctypes.Structure):
    _fields_ = [("take", ctypes.c_void_p), ("give", ctypes.c_void_p), ("user", ctypes.c_void_p)]


class _Settings(ctypes.Structure):
    _fields_ = [("integrator", ctypes.c_int), ("correction", ctypes.c_int), ("relative", ctypes.c_double),
                ("absolute", ctypes.c_double), ("repartition", ctypes.c_double), ("damps_singular", ctypes.c_bool),
                ("memory", _Memory)]


class _Graph(ctypes.Structure):
    _fields_ = [("memory", _Memory), ("gravity", ctypes.c_double * 3)]
    _fields_ += [(name, ctypes.c_void_p) for name in ("assemblies", "bodies", "frames", "joints", "gears", "restraints")]
    _fields_ += [(name, ctypes.c_size_t) for name in
                 ("n_assemblies", "n_bodies", "n_frames", "n_joints", "n_gears", "n_restraints")]


class _StarWorld(ctypes.Structure):
    _fields_ = [("graph", ctypes.POINTER(_Graph)), ("dialect", ctypes.c_int)]


class _JointState(ctypes.Structure):
    _fields_ = [("n", ctypes.c_int), ("displacement", ctypes.c_double * 3), ("velocity", ctypes.c_double * 6),
                ("acceleration", ctypes.c_double * 6), ("effort", ctypes.c_double * 6), ("place", _Place)]


class _BodyState(ctypes.Structure):
    _fields_ = [("place", _Place), ("velocity", ctypes.c_double * 3), ("angular", ctypes.c_double * 3),
                ("acceleration", ctypes.c_double * 3), ("angular_acceleration", ctypes.c_double * 3)]


class _Event(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("time", ctypes.c_double), ("joint", ctypes.c_int), ("value", ctypes.c_double)]


def _load(path):
    file = path or os.environ.get("DOPPEL_LIBRARY") or "libdoppel_avatar.so"
    try:
        library = ctypes.CDLL(file)
    except OSError as error:
        raise MultibodyError(["%s; DOPPEL_LIBRARY names the library" % error]) from error
    number, pointer, text = ctypes.c_double, ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in (
        ("dpl_star_read", ctypes.c_int, [text, pointer, pointer, ctypes.POINTER(_Diags)]),
        ("dpl_star_write", ctypes.c_int, [pointer, ctypes.c_int, text, ctypes.POINTER(_Diag)]),
        ("dpl_star_destroy", None, [pointer]),
        ("dpl_diag_format", ctypes.c_int, [ctypes.POINTER(_Diag), text, ctypes.c_size_t]),
        ("dpl_diags_finish", None, [ctypes.POINTER(_Diags)]),
        ("dpl_mb_system_create", ctypes.c_int, [pointer, ctypes.POINTER(_Settings), pointer, pointer, pointer, pointer,
                                                ctypes.POINTER(_Diag)]),
        ("dpl_mb_system_destroy", None, [pointer]),
        ("dpl_mb_step", ctypes.c_int, [pointer, number]),
        ("dpl_mb_time", number, [pointer]),
        ("dpl_mb_kinetic", number, [pointer]),
        ("dpl_mb_potential", number, [pointer]),
        ("dpl_mb_residual", number, [pointer]),
        ("dpl_mb_update", None, [pointer]),
        ("dpl_mb_joint", ctypes.c_int, [pointer, ctypes.c_int, ctypes.POINTER(_JointState)]),
        ("dpl_mb_body", ctypes.c_int, [pointer, ctypes.c_int, ctypes.POINTER(_BodyState)]),
        ("dpl_mb_command", ctypes.c_int, [pointer, ctypes.c_int, ctypes.c_int, number]),
        ("dpl_mb_apply", ctypes.c_int, [pointer, ctypes.c_int, ctypes.c_int, number]),
        ("dpl_mb_activate", ctypes.c_int, [pointer, ctypes.c_int, ctypes.c_int, ctypes.c_bool, ctypes.POINTER(_Diag)]),
        ("dpl_mb_take_event", ctypes.c_bool, [pointer, ctypes.POINTER(_Event)]),
        ("dpl_mb_store", None, [pointer, pointer]),
        ("dpl_mb_find_path", ctypes.c_int, [pointer, ctypes.c_int, ctypes.c_int, text]),
        ("dpl_mb_is_active", ctypes.c_bool, [pointer, ctypes.c_int, ctypes.c_int]),
        ("dpl_mb_path", ctypes.c_size_t, [pointer, ctypes.c_int, ctypes.c_int, text, ctypes.c_size_t]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _rows(rotation):
    return tuple(tuple(rotation[3 * i:3 * i + 3]) for i in range(3))


class World:
    """A world of a file. `integrator`: one of INTEGRATORS; `correction`: "projected" or "lagged"; tolerances are those of dopri5 and
    gragg. `warnings` has what the reader noticed."""

    def __init__(self, path, integrator="rk4", correction="projected", relative=0.0, absolute=0.0, library=None):
        self._library = _load(library)
        self._star, self._system = ctypes.POINTER(_StarWorld)(), ctypes.c_void_p()
        if integrator not in INTEGRATORS or correction not in ("projected", "lagged"):
            raise MultibodyError(["there is no integrator '%s' with correction '%s'" % (integrator, correction)])
        self._settings = _Settings(INTEGRATORS[integrator], ["projected", "lagged"].index(correction), relative, absolute)
        diags, self._path = _Diags(), os.fsencode(path)  # messages borrow the path
        code = self._library.dpl_star_read(self._path, None, ctypes.byref(self._star), ctypes.byref(diags))
        lines = [self._line(diags.items[i]) for i in range(diags.n)]
        self._library.dpl_diags_finish(ctypes.byref(diags))
        if code != 0:
            raise MultibodyError(lines or [os.strerror(-code)])
        self.warnings = lines
        try:
            self._make()
        except MultibodyError:
            self.close()
            raise

    def close(self):
        """Frees it; it is of no use any more."""
        self._library.dpl_mb_system_destroy(self._system)
        self._library.dpl_star_destroy(self._star)
        self._star, self._system = ctypes.POINTER(_StarWorld)(), ctypes.c_void_p()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _line(self, diag):
        text = ctypes.create_string_buffer(2048)
        self._library.dpl_diag_format(ctypes.byref(diag), text, len(text))
        return text.value.decode("utf-8", "replace")

    def _graph(self):
        if not self._star:
            raise MultibodyError(["the world is closed"])
        return self._star.contents.graph

    def _make(self):
        """A system of the graph of now, which goes on where the old one is."""
        made, diag = ctypes.c_void_p(), _Diag()
        code = self._library.dpl_mb_system_create(self._graph(), ctypes.byref(self._settings), self._system, None, None,
                                                  ctypes.byref(made), ctypes.byref(diag))
        if code != 0:
            diag.place.file = self._path
            raise MultibodyError([self._line(diag)])
        self._library.dpl_mb_system_destroy(self._system)
        self._system = made

    def _find(self, kind, path):
        number = self._library.dpl_mb_find_path(self._graph(), kind, 0, path.encode())
        if number < 0:
            raise MultibodyError(["there is no %s '%s'" % (("assembly", "body", "frame", "joint")[kind], path)])
        return number

    def _paths(self, kind, n):
        graph, text = self._graph(), ctypes.create_string_buffer(65536)
        found = []
        for i in range(n):
            if self._library.dpl_mb_is_active(graph, kind, i):
                self._library.dpl_mb_path(graph, kind, i, text, len(text))
                found.append(text.value.decode())
        return found

    def joints(self):
        """The paths of all joints that take part, such as "four_bar:A"."""
        return self._paths(_JOINT, self._graph().contents.n_joints)

    def bodies(self):
        """The same of bodies, without the fixed one."""
        return self._paths(_BODY, self._graph().contents.n_bodies)[1:]

    @property
    def time(self):
        self._graph()
        return self._library.dpl_mb_time(self._system)

    @property
    def energy(self):
        """(kinetic, potential) in J."""
        self._graph()
        return self._library.dpl_mb_kinetic(self._system), self._library.dpl_mb_potential(self._system)

    @property
    def residual(self):
        """The largest of all loops, in m or rad."""
        self._graph()
        return self._library.dpl_mb_residual(self._system)

    def step(self, seconds, n=1):
        """n steps of so many seconds. False: a loop stopped in a singular pose (see events)."""
        self._graph()
        good = True
        for _ in range(n):
            code = self._library.dpl_mb_step(self._system, seconds)
            if code == -errno.EINVAL:
                raise MultibodyError(["a step of %r s is none" % seconds])
            good = code == 0 and good
        return good

    def events(self):
        """What happened since the last call: a list of Event, with the path of a joint or None."""
        event, found = _Event(), []
        text = ctypes.create_string_buffer(65536)
        graph = self._graph()
        while self._library.dpl_mb_take_event(self._system, ctypes.byref(event)):
            path = None
            if event.joint >= 0:
                self._library.dpl_mb_path(graph, _JOINT, event.joint, text, len(text))
                path = text.value.decode()
            found.append(Event(EVENTS[event.type], event.time, path, event.value))
        return found

    def joint(self, path):
        """The state of a joint, a Joint."""
        state = _JointState()
        self._graph()
        self._library.dpl_mb_update(self._system)
        if self._library.dpl_mb_joint(self._system, self._find(_JOINT, path), ctypes.byref(state)) != 0:
            raise MultibodyError(["joint '%s' does not take part" % path])
        lists = (state.displacement, state.velocity, state.acceleration, state.effort)
        return Joint(*[values[0] if state.n == 1 else tuple(values[:state.n]) for values in lists])

    def body(self, path):
        """The state of a body, a Body."""
        state = _BodyState()
        if self._library.dpl_mb_body(self._system, self._find(_BODY, path), ctypes.byref(state)) != 0:
            raise MultibodyError(["body '%s' does not take part" % path])
        return Body(tuple(state.place.position), _rows(state.place.rotation), tuple(state.velocity), tuple(state.angular))

    def command(self, path, mode, setpoint):
        """Tells the motor of a joint a force, velocity, position or acceleration."""
        if mode not in MODES:
            raise MultibodyError(["found mode '%s', expected one of %s" % (mode, ", ".join(MODES))])
        if self._library.dpl_mb_command(self._system, self._find(_JOINT, path), MODES[mode], setpoint) != 0:
            raise MultibodyError(["joint '%s' has no motor, or %r is no setpoint" % (path, setpoint)])

    def apply(self, path, effort, coordinate=0):
        """An effort along a coordinate of a joint, from now on."""
        if self._library.dpl_mb_apply(self._system, self._find(_JOINT, path), coordinate, effort) != 0:
            raise MultibodyError(["joint '%s' has no coordinate %d, or %r is no effort" % (path, coordinate, effort)])

    def switch(self, path, on):
        """Lets an assembly take part, or not; all others go on where they are. When that is not possible nothing changes."""
        number, diag = self._find(_ASSEMBLY, path), _Diag()
        was_on = self._library.dpl_mb_is_active(self._graph(), _ASSEMBLY, number)
        if self._library.dpl_mb_activate(self._graph(), _ASSEMBLY, number, on, ctypes.byref(diag)) != 0:
            raise MultibodyError([self._line(diag)])
        try:
            self._make()
        except MultibodyError:
            self._library.dpl_mb_activate(self._graph(), _ASSEMBLY, number, was_on, ctypes.byref(diag))
            raise

    def save(self, path):
        """Writes the world as it is now."""
        diag = _Diag()
        self._graph()  # an error if the world is closed
        dialect = _C if self._star.contents.dialect == _C else _A
        self._library.dpl_mb_store(self._system, self._graph())
        target = os.fsencode(path)
        if self._library.dpl_star_write(self._star, dialect, target, ctypes.byref(diag)) != 0:
            raise MultibodyError([self._line(diag)])
