# SPDX-License-Identifier: Apache-2.0
"""Doppel for scripts and notebooks: worlds, applications with a simulated clock, components for experiments, results. docs/guides/python.md shows
how to use it. Needs Doppel's libraries and numpy, and no compiler.

    import doppel

    with doppel.World("office.xml") as world:
        world["avatar/left/speed"] = 5.0
        record = world.run(2.0, record="avatar/*", every=0.01)
    print(record["avatar/pose"][-1])

    result = doppel.run("patrol", bind="sim", duration=20.0, out="out/patrol")
    print(result.summary["exit"], result.trace["sync.error_mm"].max())

SI units and radians. Errors are raised as doppel.Error, whose text has file, line and column."""
from .application import run
from .component import Component, EventIn, EventOut, Export, In, Out, Property, Provides, Requires
from .native import Error
from .results import Results, read
from .world import Channel, Record, World

__all__ = ["Channel", "Component", "Error", "EventIn", "EventOut", "Export", "In", "Out", "Property", "Provides", "Record", "Requires", "Results", "World", "read", "run"]
