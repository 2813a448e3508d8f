"""Notes the time of a program from here to its end, when the interpreter goes; run.py puts its import behind the imports of the program.

Modules that are imported later are timed apart: bascule imports libraries when they are first needed, which for plain Python are
imported before this module.
"""

import _frozen_importlib as _importlib
import atexit
import json
import os
import sys
import threading
import time

# A process that a program starts by spawning imports the program again, and is not what is timed.
_processes = sys.modules.get("multiprocessing.process")
_parent = _processes is None or _processes.parent_process() is None
_usual = _importlib._find_and_load  # called for modules that are not loaded, by statements and functions alike
_late = {"wall": 0.0, "cpu": 0.0}
_importing = False


def _timed(name, *others):
    """The outermost import of the main thread, timed."""
    global _importing
    if _importing or threading.get_ident() != _main:
        return _usual(name, *others)
    _importing, wall, cpu = True, time.perf_counter(), time.process_time()
    try:
        return _usual(name, *others)
    finally:
        _late["wall"] += time.perf_counter() - wall
        _late["cpu"] += time.process_time() - cpu
        _importing = False


def _note():
    seconds, cpu = time.perf_counter() - _start, time.process_time() - _cpu
    bascule = sys.modules.get("bascule")
    noted = {
        "inside": seconds - _late["wall"],
        "inside_cpu": cpu - _late["cpu"],
        "late_imports": _late["wall"],
        "late_modules": len(sys.modules) - _modules,
        "fallbacks": bascule.fallbacks() if bascule is not None else [],
    }
    with open(os.environ["ORDINARY_REPORT"], "w") as file:
        json.dump(noted, file)


if _parent:
    atexit.register(_note)
    _importlib._find_and_load = _timed
    _main = threading.get_ident()
    _modules = len(sys.modules)
    _cpu = time.process_time()
    _start = time.perf_counter()
