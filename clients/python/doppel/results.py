# SPDX-License-Identifier: Apache-2.0
"""Results of a run, from its folder or its recording."""
import csv
import json
import os
import subprocess
import tempfile

import numpy

from . import native


def read(path):
    """Results of an earlier run: of its folder (--out), or of its recording (--record FILE.mcap), which `doppel bag convert` reads. Of a
    recording without its end the summary is {} and the code None."""
    return Results(path)


class Results:
    """What a run wrote into its folder, or what its recording has. `summary`: summary.json; `trace`: columns of trace.csv by name, as arrays; `table(name)`: another
    file of rows, such as channels.csv; `code`: the exit code."""

    def __init__(self, folder):
        self.folder = os.fspath(folder)
        self._trace, self.code, self.summary = None, None, {}
        if os.path.isfile(self.folder):
            self._convert()
            if not os.path.exists(os.path.join(self.folder, "summary.json")):
                return
        try:
            with open(os.path.join(self.folder, "summary.json"), encoding="utf-8") as file:
                self.summary = json.load(file)
        except OSError as error:
            raise native.Error(["%s: no results: %s" % (self.folder, error.strerror)]) from error
        except ValueError as error:
            raise native.Error(["%s/summary.json: %s" % (self.folder, error)]) from error
        self.code = self.summary.get("exit")

    def _convert(self):
        """The files of a recording, for as long as these results are there."""
        self._files = tempfile.TemporaryDirectory(prefix="doppel-")
        done = subprocess.run([native.program(), "bag", "convert", self.folder, "--output", self._files.name], capture_output=True, text=True,
                              errors="replace")
        if done.returncode:
            raise native.Error(done.stderr.splitlines(), done.returncode)
        self.folder = self._files.name

    @property
    def trace(self):
        if self._trace is None:
            self._trace = self.table("trace.csv")
            if os.path.exists(os.path.join(self.folder, "trace_before.csv")):  # --trace-size: the older half
                before = self.table("trace_before.csv")
                self._trace = {name: numpy.concatenate([before[name], column]) for name, column in self._trace.items()}
        return self._trace

    def table(self, name):
        """{column: array}; a column that is not numbers alone is one of texts, empty fields of numbers are nan."""
        path = os.path.join(self.folder, name)
        try:
            with open(path, newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file))
        except OSError as error:
            raise native.Error(["%s: %s" % (path, error.strerror)]) from error
        if not rows:
            return {}
        header = rows[0]
        for number, row in enumerate(rows[1:], 2):
            if len(row) != len(header):
                raise native.Error(["%s:%d: error: %d fields, expected %d" % (path, number, len(row), len(header))])
        return {name: _column([row[i] for row in rows[1:]]) for i, name in enumerate(header)}


def _column(texts):
    try:
        return numpy.array([float(text) if text else numpy.nan for text in texts])
    except ValueError:
        return numpy.array(texts)
