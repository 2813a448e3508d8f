"""Running a user's program as `python` does: a script, a module, a folder, code on the command line, standard input."""

from __future__ import annotations

import importlib.machinery
import io
import os
import runpy
import sys
import types
from typing import Any

from . import import_hook

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def is_program(arguments: list[str], commands: Any = ()) -> bool:
    """Whether a command line, without `python -m bascule`, names a program rather than one of bascule's commands."""
    if not arguments:
        return False
    first = arguments[0]
    if first in ("-m", "-c"):
        return len(arguments) > 1
    return first == "-" or first.endswith(".py") or (first not in commands and os.path.exists(first))


def _on_one_stack(function: Any, *args: Any) -> None:
    """Call a function whose frames, and those of all that it calls, lie in one piece of memory.

    Python maps the stack of its frames in pieces of 16 KB. A loop of calls over the end of one maps and unmaps the next
    with each call, which takes microseconds: the imports of scikit-learn did it 18,000 times. A frame that needs more than
    half a megabyte gets a piece of one, and leaves the rest to the frames above it.
    """
    function(*args)


_ROOM = 66_000  # words; those that are not used are never touched
_on_one_stack.__code__ = _on_one_stack.__code__.replace(co_stacksize=_ROOM)


def run(arguments: list[str]) -> None:
    """Run a program in a fresh module `__main__`, which stays, with its arguments in `sys.argv`.

    Raises
    ------
    SystemExit
        The program exits, cannot be read, or raises; Python's traceback is then printed, from the program's first line
        on.
    """
    main = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=sys.modules["builtins"], __spec__=None, __loader__=None, __package__=None)
    sys.modules["__main__"] = main
    try:
        _on_one_stack(_start, arguments, main)
    except SystemExit:
        raise
    except BaseException as error:
        sys.stdout.flush()
        error.__traceback__ = _of_the_program(error.__traceback__, isinstance(error, SyntaxError))
        sys.excepthook(type(error), error, error.__traceback__)
        raise SystemExit(130 if isinstance(error, KeyboardInterrupt) else 1) from None


def _start(arguments: list[str], main: types.ModuleType) -> None:
    first, rest = arguments[0], arguments[1:]
    if first == "-m":
        sys.argv[:] = ["-m", *rest[1:]]
        runpy._run_module_as_main(rest[0], alter_argv=True)  # type: ignore[attr-defined]
        return
    if first in ("-c", "-"):
        source, name = (rest[0], "<string>") if first == "-c" else (sys.stdin.read(), "<stdin>")
        sys.argv[:] = [first, *rest[first == "-c" :]]
        _first_on_the_path("")
        exec(compile(source, name, "exec"), main.__dict__)
        return
    sys.argv[:] = arguments
    path = os.path.abspath(first)
    if os.path.isdir(path) or _is_archive(path):
        _first_on_the_path(path, always=True)
        runpy._run_module_as_main("__main__", alter_argv=False)  # type: ignore[attr-defined]
        return
    try:
        with io.open_code(path) as file:
            code = compile(file.read(), path, "exec")
    except OSError as e:
        print(f"bascule: can't open file {first!r}: {e.strerror}", file=sys.stderr)
        raise SystemExit(2) from None
    _first_on_the_path(os.path.dirname(os.path.realpath(path)))
    main.__dict__.update(__file__=path, __cached__=None)
    main.__loader__ = importlib.machinery.SourceFileLoader("__main__", path)
    exec(code, main.__dict__)


def _is_archive(path: str) -> bool:
    """Whether a file is a zipped program."""
    if path.endswith(".py") or not os.path.isfile(path):
        return False
    import zipfile  # imported here because it takes milliseconds

    return zipfile.is_zipfile(path)


def _first_on_the_path(folder: str, always: bool = False) -> None:
    """Put a folder first on the module search path, in place of the current folder, which `python -m` put there."""
    if not sys.flags.safe_path:
        sys.path[0] = folder
    elif always:
        sys.path.insert(0, folder)


def _of_the_program(traceback: Any, may_be_none: bool) -> Any:
    """A traceback without the frames that started the program and of the import hook; unchanged if none is left."""
    steps = []
    tb = traceback
    while tb is not None:
        steps.append(tb)
        tb = tb.tb_next
    first = next((i for i, tb in enumerate(steps) if not _starts(tb)), len(steps))
    made = None
    for tb in reversed(steps[first:]):
        if tb.tb_frame.f_code.co_filename != import_hook.__file__:
            made = types.TracebackType(made, tb.tb_frame, tb.tb_lasti, tb.tb_lineno)
    return made if made is not None or may_be_none else traceback


def _starts(tb: Any) -> bool:
    frame = tb.tb_frame
    return frame.f_code.co_filename.startswith(_HERE) or frame.f_globals.get("__name__") == "runpy"
