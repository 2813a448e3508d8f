"""What compiling a program may raise."""

from __future__ import annotations

from typing import Any


class CompileException(Exception):
    """A program in CUDA C++ does not compile; the text is the compiler's log, with the program's lines.

    Attributes
    ----------
    source, name, options, backend
        What was compiled: the text, the name that the log gives it, and how.
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
        """Write the text, with the numbers of its lines, and the log to a file."""
        lines = self.source.split("\n")
        digits = len(str(len(lines)))
        f.write(f"{self.backend.upper()} compilation error: {self._msg}\n-----\nName: {self.name}\n")
        f.write(f"Options: {' '.join(self.options)}\nCUDA source:\n")
        f.writelines(f"{k:0{digits}d} {line}\n" for k, line in enumerate(lines, 1))
        f.write("-----\n")
        f.flush()
