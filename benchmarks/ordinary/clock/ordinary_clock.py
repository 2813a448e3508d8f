"""Notes the time of a program from here to its end, when the interpreter goes; run.py puts its import behind the imports of the program."""

import atexit
import json
import os
import sys
import time

# A process that a program starts by spawning imports the program again, and is not what is timed.
_processes = sys.modules.get("multiprocessing.process")
_parent = _processes is None or _processes.parent_process() is None


def _note():
    seconds, cpu = time.perf_counter() - _start, time.process_time() - _cpu
    bascule = sys.modules.get("bascule")
    noted = {
        "inside": seconds,
        "inside_cpu": cpu,
        "late_modules": len(sys.modules) - _modules,
        "fallbacks": bascule.fallbacks() if bascule is not None else [],
    }
    with open(os.environ["ORDINARY_REPORT"], "w") as file:
        json.dump(noted, file)


if _parent:
    atexit.register(_note)
    _modules = len(sys.modules)
    _cpu = time.process_time()
    _start = time.perf_counter()
