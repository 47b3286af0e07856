# SPDX-License-Identifier: Apache-2.0
"""Runs applications within this process."""
import ctypes
import errno
import os
import sys
import tempfile
import threading
from ctypes import POINTER, byref, c_void_p

from . import native
from .component import Registration
from .results import Results

_LEVELS = ("error", "warn", "info", "debug")


def run(app, bind=(), sets=None, duration=0.0, clock="sim", seed=1, out=None, components=(), log="warn"):
    """Runs an application and returns its Results. app: a file, or the name of one on the profile path; bind: a binding, or several in order;
    sets: {"Component.Property": value}; duration: s, 0: until a component ends it or Ctrl-C; clock: "sim" (lock-step, as fast as possible,
    repeats byte for byte) or "real"; out: a folder for its files, which is made; None: they are read and removed; components: subclasses of
    Component, to which the application refers as NAME.xml. log: error, warn, info or debug, on standard error.

    Raises Error when the application cannot run, and whatever a component of `components` raised. A run that ended with a fault or an
    unexpected verdict returns: Results.code is 3, 4 or 5, as that of `doppel run`."""
    if clock not in ("sim", "real") or log not in _LEVELS:
        raise ValueError("clock '%s', log '%s': expected sim or real, and one of %s" % (clock, log, ", ".join(_LEVELS)))
    with tempfile.TemporaryDirectory(prefix="doppel-") as folder:
        results = os.fspath(out) if out is not None else os.path.join(folder, "out")
        os.makedirs(results, exist_ok=True)
        words = (ctypes.c_char_p * (len(sys.argv) + 1))(*map(os.fsencode, [sys.executable] + sys.argv))
        options = native.RuntimeOptions(simulated=clock == "sim", duration=native.nanoseconds(duration), seed=seed, out_dir=os.fsencode(results),
                                        log_level=_LEVELS.index(log), program=native.Program(None, words, len(words)))
        one = _Run(app, [bind] if isinstance(bind, str) else list(bind), sets or {}, components, folder, options)
        _wait(one)
        if one.failure:
            raise one.failure
        done = Results(results)
        if os.path.exists(os.path.join(results, "trace.csv")):
            done.trace  # is read before the folder goes
        return done


def _wait(one):
    """Python's signals come to the main thread only, so another one runs it. A join that a signal interrupts takes the thread for ended, so
    this waits for an event."""
    thread, interrupted = threading.Thread(target=one.run, name="doppel run"), False
    thread.start()
    while True:
        try:
            if one.ended.wait(0.1):
                break
        except KeyboardInterrupt:
            interrupted = True
            one.request_stop()
    thread.join()
    if interrupted:
        raise KeyboardInterrupt


class _Run:
    def __init__(self, app, bindings, sets, components, folder, options):
        self._app_name, self._bindings, self._sets, self._components = app, bindings, sets, components
        self._folder, self._options, self._lock = folder, options, threading.Lock()
        self._runtime, self._stopping, self.failure, self.ended = c_void_p(), False, None, threading.Event()
        self._library = native.library()

    def request_stop(self):
        with self._lock:
            self._stopping = True
            if self._runtime:
                self._library.dpl_runtime_request_stop(self._runtime)

    def fail(self, error):
        """The first one counts."""
        self.failure = self.failure or error
        self.request_stop()

    def run(self):
        try:
            self._with_catalog()
        except BaseException as error:
            self.failure = self.failure or error
        finally:
            self.ended.set()

    def _with_catalog(self):
        catalog = native.Catalog(extra=self._folder)
        try:
            registrations = [Registration(class_, catalog, self.fail) for class_ in self._components]
            os.makedirs(os.path.join(self._folder, "components"))
            for class_, registration in zip(self._components, registrations):
                with open(os.path.join(self._folder, "components", class_.__name__ + ".xml"), "w") as file:
                    file.write(registration.profile())
            self._with_app(catalog)
        finally:
            catalog.close()

    def _with_app(self, catalog):
        name = os.fspath(self._app_name)
        file = os.fsencode(name) if os.path.exists(name) else catalog.find("apps", name)
        texts = [("%s=%s" % (key, native.text_of(value))).encode() for key, value in self._sets.items()]
        bindings = [os.fsencode(binding) for binding in self._bindings]
        options = native.AppOptions((ctypes.c_char_p * (len(bindings) + 1))(*bindings), len(bindings),
                                    (ctypes.c_char_p * (len(texts) + 1))(*texts), len(texts))
        diags, app = native.Diags(), POINTER(native.App)()
        code = self._library.dpl_app_load(file, byref(options), catalog.handle, byref(app), byref(diags))
        lines = [native.line_of(diags.items[i]) for i in range(diags.n)]
        self._library.dpl_diags_finish(byref(diags))
        if code < 0:
            raise native.Error(lines or [os.strerror(-code)], 1)
        try:
            self._with_worlds(app, catalog)
        finally:
            self._library.dpl_app_destroy(app)

    def _with_worlds(self, app, catalog):
        options = native.HostOptions(world=app.contents.world, properties=app.contents.world_properties,
                                     n_properties=app.contents.n_world_properties, seed=self._options.seed, catalog=catalog.handle)
        host = self._library.dpl_sim_host_create(byref(options))
        if not host:
            raise MemoryError
        try:
            self._options.world = self._library.dpl_sim_host_interface(host)
            self._with_results(app)
        finally:
            self._library.dpl_sim_host_destroy(host)

    def _with_results(self, app):
        diag, runtime = native.Diag(), c_void_p()
        native.check(self._library.dpl_results_clear(self._options.out_dir, byref(diag)), diag, 1)
        created = self._library.dpl_runtime_create(app, byref(self._options), byref(runtime), byref(diag))
        native.check(created, diag, 5 if created == -errno.ENODEV else 1)
        with self._lock:
            self._runtime = runtime
            if self._stopping:
                self._library.dpl_runtime_request_stop(runtime)
        try:
            code = self._library.dpl_runtime_run(runtime, byref(diag))
        finally:
            with self._lock:
                self._runtime = c_void_p()
            self._library.dpl_runtime_destroy(runtime)
        if code == 1:
            raise native.Error([native.line_of(diag)], code)
