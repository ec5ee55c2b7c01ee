"""A solve that takes long holds up nobody, and stops when told to."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

_SOLVE = """
import sys, threading, time
sys.path.append(sys.argv[1])
from benchmarks import instances
import haversack

ticks = 0

def tick():
    global ticks
    while True:
        time.sleep(0.001)
        ticks += 1

{setup}
threading.Thread(target=tick, daemon=True).start()
print("solving", flush=True)
started = time.perf_counter()
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", ticks, time.perf_counter() - started, flush=True)
else:
    print("solved", ticks, time.perf_counter() - started, flush=True)
"""

# No bound tells these subsets apart, and no table is long enough: a full solve takes hours.
_SNIPPETS = """
pairs = zip(instance.costs.tolist(), instance.values.tolist())
snippets = [{"cost": cost, "value": factor * value} for cost, value in pairs]
"""
_INSTANCE = "instance = instances.jooken(n=1200, c=10**10, g=6, eps=1e-3); "
_NATIVE = _INSTANCE + "factor = 1" + _SNIPPETS
_WIDE = _INSTANCE + "factor = 10**30" + _SNIPPETS
_FLOORED = (
    _NATIVE
    + """
for at, snippet in enumerate(snippets):
    snippet["section"] = "ab"[at % 2]
sections = {"a": {"floor": min(instance.budget, sum(one["cost"] for one in snippets[::2]) * 9 // 10)}}
"""
)
CALLS = {
    "max_value": (_NATIVE, "haversack.max_value(snippets, instance.budget)"),
    "pack": (_NATIVE, "haversack.pack(snippets, instance.budget, effort='full')"),
    "pack, with a floor": (
        _FLOORED,
        "haversack.pack(snippets, instance.budget, sections=sections | {'b': {}}, effort='full')",
    ),
    "pack, integers of a hundred bits": (_WIDE, "haversack.pack(snippets, instance.budget, effort='full')"),
}


@pytest.mark.parametrize("door", CALLS)
def test_ctrl_c_ends_a_long_solve_during_which_other_threads_run(door: str) -> None:
    """Half a second of solving lets a thread that sleeps a millisecond tick; then SIGINT raises at once."""
    setup, call = CALLS[door]
    code = _SOLVE.format(setup=setup, call=call)
    with subprocess.Popen(
        [sys.executable, "-c", code, str(ROOT)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "solving\n"
        time.sleep(0.5)
        sent = time.perf_counter()
        process.send_signal(signal.SIGINT)
        outcome, ticks, _ = process.stdout.readline().split()
        waited = time.perf_counter() - sent

    assert outcome == "interrupted"
    assert waited < 2
    # A held lock would leave one or two ticks; a free one some hundred, on a busy machine fewer.
    assert int(ticks) >= 20
