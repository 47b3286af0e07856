# SPDX-License-Identifier: Apache-2.0
"""Components in Python, for experiments: subclasses of Component whose class attributes are their ports, properties and exports."""
import ctypes
import itertools
import os
import traceback
from ctypes import byref, c_bool, c_double, c_int64, c_void_p

from . import native
from .messages import Answer, Message, MessageDescriptor, NoRoom, Port, ServiceDescriptor, Storage

_DATA, _EVENT, _SERVICE = range(3)
_IN, _OUT = range(2)
_QUEUES = ("last", "fifo", "lifo", "ufifo")
_TEXT_SIZE = 512
_order = itertools.count()


class _Member:
    """What a class declares. It becomes an attribute of its name."""

    name = None

    def __init__(self):
        self.order = next(_order)

    def __set_name__(self, owner, name):
        self.attribute = name
        self.name = self.name or name


# ---- values ----


class _Value(_Member):
    def __init__(self, initial, unit, summary):
        super().__init__()
        self.kind = {bool: (0, c_bool), int: (1, c_int64), float: (2, c_double), str: (3, ctypes.c_char * _TEXT_SIZE)}.get(type(initial))
        if self.kind is None:
            raise TypeError("%r: expected a bool, int, float or str" % (initial,))
        self.initial, self.unit, self.summary = initial, unit, summary

    def field(self):
        return native.Field(name=self.name.encode(), type=self.kind[0], offset=self.offset, size=ctypes.sizeof(self.kind[1]),
                            unit=self.unit.encode() if self.unit else None, summary=self.summary.encode())


class Property(_Value):
    """A property of the profile. `default` chooses its type: bool, int, float or str. Within a component it is its value, which is only
    read."""

    def __init__(self, default, unit=None, min=0.0, max=0.0, summary="", name=None):
        super().__init__(default, unit, summary)
        self.min, self.max, self.name = min, max, name

    def __get__(self, component, owner=None):
        if component is None:
            return self
        value = self.kind[1].from_address(component._instance.properties + self.offset).value
        return value.decode(errors="replace") if isinstance(value, bytes) else value

    def __set__(self, component, value):
        raise AttributeError("%s is a property, which is only read" % self.name)

    def field(self):
        field = super().field()
        field.default_text, field.min, field.max = native.text_of(self.initial).encode(), self.min, self.max
        return field


class Export(_Value):
    """A value that the run records: in the trace, the summary, or both. `initial` chooses its type: bool, int or float."""

    def __init__(self, initial=0.0, unit=None, trace=True, summary=True, text="", name=None):
        super().__init__(initial, unit, text)
        if isinstance(initial, str):
            raise TypeError("an export is a number or a truth")
        self.flags, self.name = (2 if trace else 0) | (4 if summary else 0), name

    def __get__(self, component, owner=None):
        return self if component is None else self.kind[1].from_address(component._instance.state + self.offset).value

    def __set__(self, component, value):
        self.kind[1].from_address(component._instance.state + self.offset).value = value

    def field(self):
        field = super().field()
        field.flags = self.flags
        return field


# ---- ports ----


class _PortMember(_Member):
    kind, dir, summary, required, queue, depth, capacity = _DATA, _IN, "", False, "last", 0, 0

    def __get__(self, component, owner=None):
        return self if component is None else component._ports[self.index]


class In(_PortMember):
    """An input of data, of a message type such as "Scan". queue: last, fifo, lifo or ufifo."""

    def __init__(self, type, queue="last", depth=0, required=False, name=None, summary=""):
        super().__init__()
        self.type, self.queue, self.depth, self.required, self.name, self.summary = type, queue, depth, required, name, summary


class Out(_PortMember):
    """An output of data. capacity: elements of its repeated fields, bytes of its texts."""

    dir = _OUT

    def __init__(self, type, capacity=0, name=None, summary=""):
        super().__init__()
        self.type, self.capacity, self.name, self.summary = type, capacity, name, summary


class EventIn(_PortMember):
    """An input of events, for Component.event. Without a type they have no data."""

    kind = _EVENT

    def __init__(self, type=None, depth=0, name=None, summary=""):
        super().__init__()
        self.type, self.depth, self.name, self.summary = type, depth, name, summary


class EventOut(EventIn):
    """An output of events."""

    dir = _OUT


class Requires(_PortMember):
    """A service that the component calls, such as "WheelControllerService"."""

    kind = _SERVICE

    def __init__(self, type, required=True, name=None, summary=""):
        super().__init__()
        self.type, self.required, self.name, self.summary = type, required, name, summary


class Provides(_PortMember):
    """A service that the component offers, such as "WheelControllerService". Its methods are methods of the component with the same names:
    they take the request and return the fields of the response as a dictionary, or None. One that raises OSError refuses the call with that
    errno; another exception ends the run. A method that the class does not have is refused, too (ENOTSUP)."""

    kind, dir = _SERVICE, _OUT

    def __init__(self, type, name=None, summary=""):
        super().__init__()
        self.type, self.name, self.summary = type, name, summary


class _Bound:
    """A port of a running component."""

    def __init__(self, component, member, descriptor):
        self._component, self._member, self._descriptor = component, member, descriptor
        self._at, self._library = member.index, native.library()
        self.stamp = None  # s: time of measurement of the message that was taken last

    @property
    def is_connected(self):
        return self._library.dpl_port_is_connected(self._component._pointer, self._at)


class _BoundIn(_Bound):
    def take(self):
        """The next message, or None. It is good until the end of the callback."""
        return self._message(self._library.dpl_port_take(self._component._pointer, self._at))

    def latest(self):
        """The newest message that came, taken or not; or None."""
        return self._message(self._library.dpl_port_latest(self._component._pointer, self._at))

    def _message(self, block):
        if not block:
            return None
        self.stamp = native.seconds(block.contents.stamp)
        return Message(self._descriptor, block.contents.body) if block.contents.body else None


class _BoundOut(_Bound):
    def publish(self, stamp=None, **fields):
        """Sends a message with these fields; the others are zero. stamp: s, else the time of the cycle. False: all blocks are in use."""
        ns = self._component._now if stamp is None else native.nanoseconds(stamp)
        pointer = self._component._pointer
        if self._descriptor is None:
            return self._library.dpl_port_signal(pointer, self._at, ns) == 0
        body = self._library.dpl_port_loan(pointer, self._at)
        if not body:
            return False
        Message._fill(Message(self._descriptor, body, Port(self._member.capacity), True), fields)
        return self._library.dpl_port_publish(pointer, self._at, body, ns) == 0


class _BoundService(_Bound):
    """Methods are attributes: base.DriveWheel(linear_velocity=0.2). They return the response, which is good until the next call of that method,
    and raise OSError when the provider refuses."""

    def __init__(self, component, member, descriptor):
        super().__init__(component, member, descriptor)
        self._methods = {descriptor.methods[i].name.decode(): i for i in range(descriptor.n_methods)}
        self._storage = {}

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._methods:
            raise AttributeError("%s has no method '%s', it has: %s" % (self._descriptor.name.decode(), name, ", ".join(self._methods)))
        return lambda **fields: self._call(name, fields)

    def _call(self, name, fields):
        method = self._descriptor.methods[self._methods[name]]
        if name not in self._storage:
            self._storage[name] = Storage(method.input.contents), Storage(method.output.contents)
        request, response = self._storage[name]
        request.clear()
        response.clear()
        response.offer()
        Message._fill(request.message(), fields)
        code = self._library.dpl_service_call(self._component._pointer, self._at, self._methods[name], request.address, response.address)
        if code < 0:
            raise OSError(-code, "%s: %s" % (name, os.strerror(-code)))
        return response.message()


# ---- components ----


class Component:
    """A component of an application. Subclasses declare members (In, Out, EventIn, EventOut, Requires, Provides, Property, Export) and override what they
    need: initialize, start, execute(tick), event(port, message), stop, destroy. An exception in one of them ends the run, and doppel.run
    raises it. `period`: s between two executes, where the profile gives none. `self.name`: of the component in its application. The file
    NAME.xml that an application refers to, NAME being that of the class, is made for the run."""

    period = 0.1
    summary = ""

    def initialize(self):
        """Before the run, and after a reset."""

    def start(self):
        """At the start of the run."""

    def execute(self, tick):
        """Each cycle. tick.now, tick.period: ns; tick.cycle; tick.halt: not 0 when everything that moves must stop."""

    def event(self, port, message):
        """An event at the port of that name. message: None when it has no data."""

    def stop(self):
        """At the end of the run."""

    def destroy(self):
        """After it."""

    def log(self, text, level="info"):
        """level: error, warn, info or debug."""
        levels = ("error", "warn", "info", "debug")
        native.library().dpl_component_log(self._pointer, levels.index(level), b"%s", str(text).encode())

    def finish_run(self):
        native.library().dpl_component_finish_run(self._pointer)

    @property
    def now(self):
        """s: the time of the cycle."""
        return native.seconds(self._now)


def members(class_, kind):
    """In the order in which they were written, those of base classes first."""
    found = {}
    for base in reversed(class_.__mro__):
        found.update({name: member for name, member in vars(base).items() if isinstance(member, kind)})
    return sorted(found.values(), key=lambda member: member.order)


class Registration:
    """A subclass of Component as a plugin of a catalogue. It must live as long as the catalogue. `failures`: exceptions of its callbacks."""

    def __init__(self, class_, catalog, on_failure):
        self._class, self._on_failure = class_, on_failure
        self._instances = {}
        self._method_tables = []  # what the port table points to
        self._ports = members(class_, _PortMember)
        self._descriptors = [_descriptor(catalog, port) for port in self._ports]
        self._make_tables()
        diag = native.Diag()
        native.check(native.library().dpl_catalog_add_plugin(catalog.handle, byref(self._plugin), byref(diag)), diag)

    def _make_tables(self):
        class_ = self._class
        properties, exports = members(class_, Property), members(class_, Export)
        table = native.ComponentClass(name=class_.__name__.encode(), summary=(class_.summary or class_.__doc__ or "").encode(),
                                      default_period=native.nanoseconds(class_.period or 0.0))
        table.properties, table.n_properties, table.properties_size = self._fields(properties)
        table.exports, table.n_exports, table.state_size = self._fields(exports)
        self._port_table = (native.PortDesc * max(1, len(self._ports)))()
        for i, (port, descriptor) in enumerate(zip(self._ports, self._descriptors)):
            port.index = i
            self._port_table[i] = _port_desc(port, descriptor)
            if isinstance(port, Provides):
                self._port_table[i].methods = self._methods(descriptor)
        table.ports, table.n_ports = self._port_table, len(self._ports)
        self._ops = native.ComponentOps(initialize=native.INITIALIZE(self._initialize), start=native.INITIALIZE(self._start),
                                        execute=native.EXECUTE(self._execute), event=native.EVENT(self._event), stop=native.PLAIN(self._stop),
                                        destroy=native.DESTROY(self._destroy))
        table.ops = ctypes.pointer(self._ops)
        self._table = table
        self._plugin = native.Plugin(native.PLUGIN_ABI, ctypes.sizeof(native.ComponentClass), ctypes.sizeof(native.Driver), ctypes.sizeof(native.PortDesc),
                                     ctypes.sizeof(native.Field), ctypes.pointer(table), None)

    def _fields(self, values):
        offset, array = 0, (native.Field * max(1, len(values)))()
        for i, value in enumerate(values):
            value.offset = offset
            array[i] = value.field()
            offset += (ctypes.sizeof(value.kind[1]) + 7) // 8 * 8
        return array, len(values), max(8, offset)

    def _methods(self, service):
        """The table of a service that the class provides. Methods that it does not have are refused."""
        names = [service.methods[i].name.decode() for i in range(service.n_methods)]
        if not any(callable(getattr(self._class, name, None)) for name in names):
            raise native.Error(["%s provides %s, but has none of its methods: %s" % (self._class.__name__, _short(service.name.decode()), ", ".join(names))])
        table = (native.METHOD * len(names))(*[native.METHOD(self._method(name, service.methods[i])) for i, name in enumerate(names)])
        self._method_tables.append(table)
        return ctypes.cast(table, c_void_p)

    def _method(self, name, method):
        def serve(pointer, port, request, response):
            codes = [0]

            def call():
                component = self._object(pointer)
                component._now = native.library().dpl_component_now(pointer)
                room = Answer(method.output.contents, response) if response else None
                try:
                    fields = getattr(component, name)(Message(method.input.contents, request) if request else None)
                    if fields:
                        Message._fill(Message(method.output.contents, response, room, True), fields)
                except OSError as error:
                    codes[0] = -(error.errno or native.EIO)
                except NoRoom:
                    codes[0] = -native.ENOSPC

            return self._guard(call) or codes[0]

        return serve if callable(getattr(self._class, name, None)) else lambda *arguments: -native.ENOTSUP

    # ---- callbacks ----

    def _guard(self, call, diag=None):
        try:
            call()
            return 0
        except BaseException as error:  # whatever it is must not pass through C
            self._on_failure(error)
            if diag:
                diag.contents.text = ("%s: %s" % (type(error).__name__, error)).encode()[:511]
            else:
                traceback.print_exc()
            return -native.EIO

    def _object(self, pointer):
        return self._instances[ctypes.addressof(pointer.contents)]

    def _initialize(self, pointer, diag):
        def initialize():
            component = self._class.__new__(self._class)
            component._instance, component._pointer = pointer.contents, ctypes.pointer(pointer.contents)
            component.name, component._now = pointer.contents.name.decode(), 0
            component._ports = [_bound(component, port, descriptor) for port, descriptor in zip(self._ports, self._descriptors)]
            for export in members(self._class, Export):
                setattr(component, export.attribute, export.initial)
            component.__init__()
            component.initialize()
            self._instances[ctypes.addressof(pointer.contents)] = component

        return self._guard(initialize, diag)

    def _start(self, pointer, diag):
        return self._guard(self._object(pointer).start, diag)

    def _execute(self, pointer, tick):
        component = self._object(pointer)
        component._now = tick.contents.now
        return self._guard(lambda: component.execute(tick.contents))

    def _event(self, pointer, port, block):
        component = self._object(pointer)
        message = None
        if block and block.contents.body and self._descriptors[port] is not None:
            component._now = block.contents.stamp
            message = Message(self._descriptors[port], block.contents.body)
        return self._guard(lambda: component.event(self._ports[port].name, message))

    def _stop(self, pointer):
        return self._guard(self._object(pointer).stop)

    def _destroy(self, pointer):
        component = self._instances.pop(ctypes.addressof(pointer.contents), None)
        if component:
            self._guard(component.destroy)

    # ---- profile ----

    def profile(self):
        """The component's profile, as text."""
        name = self._class.__name__
        ports = "".join("    " + _port_xml(port) + "\n" for port in self._ports)
        return _PROFILE % {"name": name, "period": "%g" % ((self._class.period or 0.1) * 1e3), "ports": ports}


_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<component_profile>
  <name>%(name)s</name>
  <execution_environment><library_type>so</library_type><library_name>%(name)s</library_name></execution_environment>
  <execution_semantics><type>periodic-shared</type><period>%(period)s</period><priority>50</priority></execution_semantics>
  <ports>
%(ports)s  </ports>
</component_profile>
"""


def _port_xml(port):
    if port.kind == _SERVICE:
        usage = "provided" if port.dir == _OUT else "required"
        return "<service_port><name>%s</name><type>%s</type><usage>%s</usage></service_port>" % (port.name, _short(port.type), usage)
    usage = "output" if port.dir == _OUT else "input"
    tag = "event_port" if port.kind == _EVENT else "data_port"
    data = "<data_type>%s</data_type>" % _short(port.type) if port.type else ""
    queue = "<queueing_policy>%s</queueing_policy>" % port.queue.upper() if port.kind == _DATA and port.dir == _IN else ""
    return "<%s><name>%s</name>%s<usage>%s</usage>%s</%s>" % (tag, port.name, data, usage, queue, tag)


def _short(type_name):
    return type_name.rpartition(".")[2]


def _descriptor(catalog, port):
    """That of the port's type, out of a class that uses it."""
    if port.type is None:
        return None
    member, kind = ("service", ServiceDescriptor) if port.kind == _SERVICE else ("message", MessageDescriptor)
    names = set()
    for class_ in catalog.classes():
        for i in range(class_.n_ports):
            at = getattr(class_.ports[i], member)
            if not at:
                continue
            descriptor = kind.from_address(at)
            name = descriptor.name.decode()
            if name == port.type or _short(name) == port.type:
                return descriptor
            names.add(_short(name))
    raise native.Error(["there is no %s '%s' (there is: %s)" % ("service" if kind is ServiceDescriptor else "message type", port.type,
                                                               ", ".join(sorted(names)))])


def _port_desc(port, descriptor):
    if port.queue not in _QUEUES:
        raise ValueError("queue '%s', expected one of %s" % (port.queue, ", ".join(_QUEUES)))
    desc = native.PortDesc(name=port.name.encode(), kind=port.kind, dir=port.dir, policy=_QUEUES.index(port.queue), depth=port.depth,
                           capacity=port.capacity, required=port.required, summary=port.summary.encode())
    at = c_void_p(ctypes.addressof(descriptor)) if descriptor is not None else None
    if port.kind == _SERVICE:
        desc.service = at
    else:
        desc.message = at
    return desc


def _bound(component, port, descriptor):
    if port.kind == _SERVICE:
        return (_Bound if port.dir == _OUT else _BoundService)(component, port, descriptor)
    return (_BoundOut if port.dir == _OUT else _BoundIn)(component, port, descriptor)

