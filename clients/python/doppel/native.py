# SPDX-License-Identifier: Apache-2.0
"""Doppel's libraries by ctypes: where they are, their functions, and the structs that pass through them. The test python_layout compares the
structs with the C headers."""
import ctypes
import glob
import os
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint16
from ctypes import c_uint32, c_uint64, c_void_p

PLUGIN_ABI = 2
EIO, EINVAL, ENOSPC, ENOTSUP = 5, 22, 28, 95


class Error(Exception):
    """What Doppel refuses. `lines`: all that was found, each as "file:line:column: error: text"; `code`: the exit code of `doppel run`, or
    None."""

    def __init__(self, lines, code=None):
        super().__init__("\n".join(lines))
        self.lines, self.code = list(lines), code


# ---- doppel/diag.h ----


class Place(Structure):
    _fields_ = [("file", c_char_p), ("line", c_int), ("column", c_int)]


class Diag(Structure):
    _fields_ = [("severity", c_int), ("place", Place), ("text", c_char * 512)]


class Diags(Structure):
    _fields_ = [("items", POINTER(Diag)), ("n", c_size_t), ("capacity", c_size_t), ("n_errors", c_size_t), ("n_warnings", c_size_t)]


# ---- doppel/channel.h, doppel/sim ----


class ChannelType(Structure):
    _fields_ = [("name", c_char_p), ("element_size", c_size_t), ("size", c_uint32), ("print", c_void_p), ("parse", c_void_p),
                ("summary", c_char_p)]


class ChannelDesc(Structure):
    _fields_ = [("path", c_char_p), ("type", POINTER(ChannelType)), ("dir", c_int), ("unit", c_char_p), ("min", c_double), ("max", c_double),
                ("size", c_uint32), ("silence", c_int64), ("is_derived", c_bool), ("summary", c_char_p)]


class ChannelWant(Structure):
    _fields_ = [("path", c_char_p), ("type", POINTER(ChannelType)), ("unit", c_char_p), ("put", c_bool), ("place", Place)]


class SimSet(Structure):
    _fields_ = [("text", c_char_p), ("place", Place)]


WARN = CFUNCTYPE(None, POINTER(Diag))


class LoadOptions(Structure):
    _fields_ = [("has_seed", c_bool), ("seed", c_uint64), ("catalog", c_void_p), ("entries", c_void_p), ("subsystems", c_void_p),
                ("sets", POINTER(SimSet)), ("n_sets", c_size_t), ("params", POINTER(SimSet)), ("n_params", c_size_t), ("params_of", c_char_p),
                ("step", c_int64), ("absent_is_warning", c_bool), ("warn", WARN)]


class HostOptions(Structure):
    _fields_ = [("world", c_char_p), ("properties", c_void_p), ("n_properties", c_size_t), ("seed", c_uint64), ("epoch", c_int64),
                ("catalog", c_void_p), ("warn", c_void_p)]


class WorldHost(Structure):
    _fields_ = [("ops", c_void_p), ("self", c_void_p)]


# ---- doppel/host ----


class AppOptions(Structure):
    _fields_ = [("bindings", POINTER(c_char_p)), ("n_bindings", c_size_t), ("sets", POINTER(c_char_p)), ("n_sets", c_size_t),
                ("incomplete", c_bool)]


class App(Structure):  # its first members
    _fields_ = [("name", c_char_p), ("file", c_char_p), ("world", c_char_p), ("world_place", Place), ("world_properties", c_void_p),
                ("n_world_properties", c_size_t)]


class Program(Structure):
    _fields_ = [("version", c_char_p), ("words", POINTER(c_char_p)), ("n_words", c_size_t)]


class RuntimeOptions(Structure):
    _fields_ = [("policy_given", c_bool), ("policy", c_int), ("simulated", c_bool), ("gateways", c_void_p),
                ("n_gateways", c_size_t), ("allow_control", c_bool), ("converters", c_void_p),
                ("n_converters", c_size_t), ("drive", c_void_p), ("drive_user", c_void_p), ("drive_step", c_int64), ("rate", c_double), ("hold", c_int64), ("duration", c_int64), ("seed", c_uint64), ("out_dir", c_char_p),
                ("trace_every", c_int64), ("trace_most", c_uint64), ("program", Program), ("log_level", c_int), ("log", c_void_p), ("world", WorldHost), ("status", c_void_p), ("status_user", c_void_p),
                ("process_start", c_int64), ("device_wait", c_int64), ("beat", c_void_p), ("beat_user", c_void_p), ("over", c_void_p), ("over_user", c_void_p),
                ("sample", c_void_p), ("sample_user", c_void_p), ("sample_every", c_int64)]


# ---- doppel/component.h, field.h, message.h, plugin.h ----


class Tick(Structure):
    _fields_ = [("now", c_int64), ("period", c_int64), ("cycle", c_uint64), ("halt", c_int)]


class MessageBlock(Structure):
    _fields_ = [("stamp", c_int64), ("sequence", c_uint64), ("type", c_void_p), ("body", c_void_p)]


class ComponentInstance(Structure):
    _fields_ = [("name", c_char_p), ("class_", c_void_p), ("properties", c_void_p), ("state", c_void_p), ("runtime", c_void_p)]


class Field(Structure):
    _fields_ = [("name", c_char_p), ("aliases", c_char_p), ("type", c_int), ("flags", c_uint), ("offset", c_size_t), ("size", c_size_t),
                ("unit", c_char_p), ("default_text", c_char_p), ("min", c_double), ("max", c_double), ("choices", c_char_p),
                ("summary", c_char_p), ("check", c_void_p), ("agrees_over", c_char_p), ("same", c_void_p)]


class PortDesc(Structure):
    _fields_ = [("name", c_char_p), ("aliases", c_char_p), ("kind", c_int), ("dir", c_int), ("message", c_void_p), ("service", c_void_p),
                ("methods", c_void_p), ("policy", c_int), ("depth", c_uint16), ("capacity", c_uint16), ("required", c_bool),
                ("summary", c_char_p), ("commands", c_bool)]


INITIALIZE = CFUNCTYPE(c_int, POINTER(ComponentInstance), POINTER(Diag))
EXECUTE = CFUNCTYPE(c_int, POINTER(ComponentInstance), POINTER(Tick))
EVENT = CFUNCTYPE(c_int, POINTER(ComponentInstance), c_uint, POINTER(MessageBlock))
PERIOD = CFUNCTYPE(c_int, POINTER(ComponentInstance), c_int64)
PLAIN = CFUNCTYPE(c_int, POINTER(ComponentInstance))
CAUSE = CFUNCTYPE(c_int, POINTER(ComponentInstance), c_int)
DESTROY = CFUNCTYPE(None, POINTER(ComponentInstance))
METHOD = CFUNCTYPE(c_int, POINTER(ComponentInstance), c_uint, c_void_p, c_void_p)


class ComponentOps(Structure):
    _fields_ = [("initialize", INITIALIZE), ("start", INITIALIZE), ("execute", EXECUTE), ("update", EXECUTE), ("event", EVENT),
                ("period_changed", PERIOD), ("stop", PLAIN), ("error", CAUSE), ("recover", PLAIN), ("reset", PLAIN), ("destroy", DESTROY)]


class ComponentClass(Structure):
    _fields_ = [("name", c_char_p), ("summary", c_char_p), ("tag", c_char_p), ("ops", POINTER(ComponentOps)), ("ports", POINTER(PortDesc)),
                ("n_ports", c_size_t), ("properties", POINTER(Field)), ("n_properties", c_size_t), ("properties_size", c_size_t),
                ("exports", POINTER(Field)), ("n_exports", c_size_t), ("state_size", c_size_t), ("device_class", c_char_p),
                ("n_device_calls", c_size_t), ("callers_command", c_bool), ("only_senses", c_bool), ("default_period", c_int64),
                ("check", c_void_p)]


class Driver(Structure):  # of which only the size is used
    _fields_ = [(n, c_int if n == "backend" else c_void_p) for n in
                ("name", "summary", "device_class", "backend", "api", "n_calls", "answer", "properties", "n_properties", "properties_size",
                 "exports", "n_exports", "state_size", "sides", "n_sides", "open", "close", "poll", "check")]


class Plugin(Structure):
    _fields_ = [("abi", c_uint32), ("component_size", c_uint32), ("driver_size", c_uint32), ("port_size", c_uint32), ("field_size", c_uint32),
                ("component", POINTER(ComponentClass)), ("driver", c_void_p)]


# ---- functions ----

_FUNCTIONS = (
    ("dpl_diag_format", c_int, [POINTER(Diag), c_char_p, c_size_t]),
    ("dpl_diags_finish", None, [POINTER(Diags)]),
    ("dpl_channel_find", c_int, [POINTER(ChannelDesc), c_size_t, POINTER(ChannelWant), POINTER(Diag)]),
    ("dpl_catalog_create", c_int, [c_void_p, POINTER(c_void_p), POINTER(Diag)]),
    ("dpl_catalog_destroy", None, [c_void_p]),
    ("dpl_catalog_load_all", None, [c_void_p, c_void_p]),
    ("dpl_catalog_n_classes", c_size_t, [c_void_p]),
    ("dpl_catalog_class_at", POINTER(ComponentClass), [c_void_p, c_size_t]),
    ("dpl_catalog_find_profile", c_char_p, [c_void_p, c_char_p, c_char_p, c_char_p]),
    ("dpl_catalog_add_profiles", c_int, [c_void_p, c_char_p, POINTER(Diag)]),
    ("dpl_catalog_add_plugin", c_int, [c_void_p, POINTER(Plugin), POINTER(Diag)]),
    ("dpl_app_load", c_int, [c_char_p, POINTER(AppOptions), c_void_p, POINTER(POINTER(App)), POINTER(Diags)]),
    ("dpl_app_destroy", None, [POINTER(App)]),
    ("dpl_results_clear", c_int, [c_char_p, POINTER(Diag)]),
    ("dpl_runtime_create", c_int, [POINTER(App), POINTER(RuntimeOptions), POINTER(c_void_p), POINTER(Diag)]),
    ("dpl_runtime_run", c_int, [c_void_p, POINTER(Diag)]),
    ("dpl_runtime_request_stop", None, [c_void_p]),
    ("dpl_runtime_duration", c_int64, [c_void_p]),
    ("dpl_runtime_destroy", None, [c_void_p]),
    ("dpl_component_log", None, None),
    ("dpl_component_finish_run", None, [POINTER(ComponentInstance)]),
    ("dpl_component_now", c_int64, [POINTER(ComponentInstance)]),
    ("dpl_port_loan", c_void_p, [POINTER(ComponentInstance), c_uint]),
    ("dpl_port_publish", c_int, [POINTER(ComponentInstance), c_uint, c_void_p, c_int64]),
    ("dpl_port_signal", c_int, [POINTER(ComponentInstance), c_uint, c_int64]),
    ("dpl_port_take", POINTER(MessageBlock), [POINTER(ComponentInstance), c_uint]),
    ("dpl_port_latest", POINTER(MessageBlock), [POINTER(ComponentInstance), c_uint]),
    ("dpl_port_is_connected", c_bool, [POINTER(ComponentInstance), c_uint]),
    ("dpl_service_call", c_int, [POINTER(ComponentInstance), c_uint, c_uint, c_void_p, c_void_p]),
)
_AVATAR_FUNCTIONS = (
    ("dpl_sim_load_world_with", c_int, [c_char_p, POINTER(LoadOptions), POINTER(c_void_p), POINTER(Diag)]),
    ("dpl_sim_model_destroy", None, [c_void_p]),
    ("dpl_world_create", c_int, [c_void_p, POINTER(c_void_p), POINTER(Diag)]),
    ("dpl_world_destroy", None, [c_void_p]),
    ("dpl_world_now", c_int64, [c_void_p]),
    ("dpl_world_step", None, [c_void_p, c_uint]),
    ("dpl_world_run_until", None, [c_void_p, c_int64]),
    ("dpl_world_snapshot_size", c_size_t, [c_void_p]),
    ("dpl_world_save", c_int, [c_void_p, c_void_p, c_size_t]),
    ("dpl_world_restore", c_int, [c_void_p, c_void_p, c_size_t]),
    ("dpl_world_channels_create", c_int, [c_void_p, POINTER(c_void_p)]),
    ("dpl_world_channels_destroy", None, [c_void_p]),
    ("dpl_world_channels_describe", POINTER(ChannelDesc), [c_void_p, POINTER(c_size_t)]),
    ("dpl_world_channels_put", c_int, [c_void_p, c_size_t, c_void_p]),
    ("dpl_world_channels_release", None, [c_void_p, c_size_t]),
    ("dpl_world_channels_share", None, [c_void_p, c_size_t, c_bool]),
    ("dpl_world_channels_restored", None, [c_void_p]),
    ("dpl_world_channels_get", c_int, [c_void_p, c_size_t, c_void_p, POINTER(c_int64)]),
    ("dpl_sim_host_create", c_void_p, [POINTER(HostOptions)]),
    ("dpl_sim_host_destroy", None, [c_void_p]),
    ("dpl_sim_host_interface", WorldHost, [c_void_p]),
)


def _library_files():
    """Where libdoppel_avatar.so may be: as DOPPEL_LIBRARY says, in the installation of this package, where the system looks."""
    if os.environ.get("DOPPEL_LIBRARY"):
        return [os.environ["DOPPEL_LIBRARY"]]
    name, at, files = "libdoppel_avatar.so.%d" % PLUGIN_ABI, os.path.dirname(os.path.abspath(__file__)), []
    while at != os.path.dirname(at):
        at = os.path.dirname(at)
        files += sorted(glob.glob(os.path.join(glob.escape(at), "lib", name)) + glob.glob(os.path.join(glob.escape(at), "lib", "*", name)))
    return files[:1] + [name]


class _Libraries:
    """The functions of both libraries."""

    def __init__(self):
        try:
            both = [(ctypes.CDLL(_library_files()[0], mode=ctypes.RTLD_GLOBAL), _AVATAR_FUNCTIONS)]
            both.append((ctypes.CDLL(_file_of("libdoppel.so"), mode=ctypes.RTLD_GLOBAL), _FUNCTIONS))  # it came with the other
        except OSError as error:
            raise Error(["%s; the environment variable DOPPEL_LIBRARY names libdoppel_avatar.so" % error]) from error
        for library, functions in both:
            for name, result, arguments in functions:
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments
                setattr(self, name, function)


def _file_of(name):
    """The file of a library that is loaded."""
    with open("/proc/self/maps") as maps:
        for line in maps:
            path = line.rstrip("\n").partition("/")[2]
            base = os.path.basename(path)
            if base == name or base.startswith(name + "."):
                return "/" + path
    raise OSError("%s is not loaded" % name)


def program():
    """The command doppel of this installation, else that on the path."""
    library()
    at = _file_of("libdoppel.so")
    while at != os.path.dirname(at):
        at = os.path.dirname(at)
        for file in (os.path.join(at, "bin", "doppel"), os.path.join(at, "doppel")):
            if os.path.isfile(file) and os.access(file, os.X_OK):
                return file
    return "doppel"


_libraries = None


def library():
    """The functions, loaded on first use."""
    global _libraries
    if _libraries is None:
        _libraries = _Libraries()
    return _libraries


def line_of(diag):
    text = ctypes.create_string_buffer(2048)
    library().dpl_diag_format(byref(diag), text, len(text))
    return text.value.decode(errors="replace")


def check(code, diag, exit_code=None):
    """Raises what a call that returned `code` says."""
    if code < 0:
        raise Error([line_of(diag) if diag.text else os.strerror(-code)], exit_code)


def seconds(ns):
    return ns * 1e-9


def nanoseconds(s):
    return int(round(s * 1e9))


class Catalog:
    """Classes, drivers and profiles of this machine. `extra`: a folder of profiles that comes first."""

    def __init__(self, extra=None):
        diag, self.handle = Diag(), c_void_p()
        check(library().dpl_catalog_create(None, byref(self.handle), byref(diag)), diag)
        if extra:
            check(library().dpl_catalog_add_profiles(self.handle, os.fsencode(extra), byref(diag)), diag)

    def find(self, kind, name):
        found = library().dpl_catalog_find_profile(self.handle, kind.encode(), os.fsencode(name), None)
        if not found:
            raise Error(["there is no %s '%s'" % (kind.rstrip("s"), os.fspath(name))])
        return found

    def classes(self):
        library().dpl_catalog_load_all(self.handle, None)
        return [library().dpl_catalog_class_at(self.handle, i).contents for i in range(library().dpl_catalog_n_classes(self.handle))]

    def close(self):
        library().dpl_catalog_destroy(self.handle)
        self.handle = c_void_p()


def sets_of(values, place=None):
    """{"A.B": 1} as an array of SimSet."""
    array = (SimSet * max(1, len(values)))()
    for slot, (name, value) in zip(array, values.items()):
        slot.text = ("%s=%s" % (name, text_of(value))).encode()
        slot.place.file = place
    return array


def text_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(float(value)) if isinstance(value, float) else str(value)
