"""Rows that need a process of their own: the import, and the peak of memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks import checks, instances
from benchmarks.report import Line, duration
from benchmarks.settings import Settings
from benchmarks.timing import Contestant, interleave


def imports(settings: Settings) -> list[Line]:
    """Start Python and import; the time of a bare start is taken off, round by round."""
    modules = ("haversack", "numpy", "ortools.algorithms.python.knapsack_solver", "highspy")

    def start(code: str) -> Contestant:
        command = [sys.executable, "-I", "-c", code]
        return Contestant(lambda _: subprocess.run(command, check=True))

    timings = interleave(
        {"": start("pass"), **{module: start(f"import {module}") for module in modules}},
        rounds=2 if settings.quick else 21,
        seconds=30.0,
    )
    lines = []
    for module in modules:
        pairs = zip(timings.rounds[module], timings.rounds[""], strict=True)
        over = float(np.median([mine - bare for mine, bare in pairs]))
        limit = None if settings.quick or module != "haversack" else 1.0
        time = duration(max(over, 0.0))
        lines.append(Line("import", "over bare Python", module, time, over / 0.030, "x 30 ms", limit))
    return lines


# The kernel's own count of a process's peak, set back to the present before the call: the one that
# `getrusage` reports starts at the peak of the parent.
_PEAK = """
import json, sys
import numpy
import haversack

def kilobytes(name):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(name))

costs, values = (numpy.load(path) for path in sys.argv[1:3])
haversack.knapsack([1], [1], 1)
with open("/proc/self/clear_refs", "w") as peak:
    peak.write("5")
before = kilobytes("VmRSS")
solution = haversack.knapsack(values, costs, int(sys.argv[3]))
added = 1024 * (kilobytes("VmHWM") - before)
print(json.dumps([added, costs.nbytes + values.nbytes, solution.optimal]))
"""


def memory(settings: Settings) -> list[Line]:
    """What one call adds to the peak of a fresh process: at most three times the input arrays."""
    lines = []
    for kind in ("int1000", "float"):
        n = 10_000 if settings.quick else 10**6
        instance = instances.snippets("tokens", kind, n=n, budget=0.25)
        added, given, optimal = measure_peak(instance)
        if not optimal:
            raise checks.DisagreementError(f"{instance.name}: no proof at the default effort")
        limit = None if settings.quick else 3.0
        job = f"memory, n={n:,}, values {kind}"
        lines.append(
            Line("memory", job, "haversack", f"{added / 1e6:.1f} MB", added / given, "x input arrays", limit)
        )
    return lines


def measure_peak(instance: instances.Instance) -> tuple[int, int, bool]:
    """Solve in a fresh process (Linux only); return bytes added to its peak, bytes given, whether proven."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{name}.npy") for name in ("costs", "values")]
        np.save(paths[0], instance.costs)
        np.save(paths[1], instance.values)
        command = [sys.executable, "-c", _PEAK, *map(str, paths), str(instance.budget)]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    added, given, optimal = json.loads(printed)
    return added, given, optimal
