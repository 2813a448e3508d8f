"""The error that compiling a program raises."""

from __future__ import annotations

from typing import Any


class CompileException(Exception):
    """Compilation error of a program in CUDA C++; its message is the compiler's log, with line numbers of the program.

    Attributes
    ----------
    source, name, options, backend
        The source code, its name in the log, and the options of the compilation.
    """

    def __init__(self, msg: str, source: str, name: str, options: tuple[str, ...], backend: str = "nvrtc") -> None:
        super().__init__(msg, source, name, options, backend)
        self._msg, self.source, self.name, self.options, self.backend = msg, source, name, options, backend

    def __str__(self) -> str:
        return f"[cuda] {self.name} does not compile:\n{self._msg}"

    def get_message(self) -> str:
        """The compiler's log."""
        return self._msg

    def dump(self, f: Any) -> None:
        """Write the source code, with line numbers, and the log to a file."""
        lines = self.source.split("\n")
        digits = len(str(len(lines)))
        f.write(f"{self.backend.upper()} compilation error: {self._msg}\n-----\nName: {self.name}\n")
        f.write(f"Options: {' '.join(self.options)}\nCUDA source:\n")
        f.writelines(f"{k:0{digits}d} {line}\n" for k, line in enumerate(lines, 1))
        f.write("-----\n")
        f.flush()
