# SPDX-License-Identifier: Apache-2.0
"""Results of a run, from its folder."""
import csv
import json
import os

import numpy

from . import native


class Results:
    """What a run wrote into its folder. `summary`: summary.json; `trace`: columns of trace.csv by name, as arrays; `table(name)`: another
    file of rows, such as channels.csv; `code`: the exit code."""

    def __init__(self, folder):
        self.folder = os.fspath(folder)
        try:
            with open(os.path.join(self.folder, "summary.json"), encoding="utf-8") as file:
                self.summary = json.load(file)
        except OSError as error:
            raise native.Error(["%s: no results: %s" % (self.folder, error.strerror)]) from error
        except ValueError as error:
            raise native.Error(["%s/summary.json: %s" % (self.folder, error)]) from error
        self.code = self.summary.get("exit")
        self._trace = None

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
