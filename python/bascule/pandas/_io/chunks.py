"""A CSV file read some rows at a time."""

from __future__ import annotations

import codecs
import csv
import io
import re
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _indexes
from .._theirs import pandas
from .dialects import NotHere

_BLOCK = 2**20  # bytes that are read at a time
_SKIPPED = 2**16  # rows that pandas reads at a time on its way to those that it is asked for


class Source:
    """The bytes of a file in UTF-8, from its beginning on.

    Parameters
    ----------
    file : object with ``read``
        Of text or bytes. It is closed with the source where `owned`.
    encoding : str, optional
        That of the bytes, if it is not UTF-8.
    errors : str
        What is done with bytes that are not in the encoding.
    """

    def __init__(self, file: Any, owned: bool, encoding: str | None = None, errors: str = "strict"):
        self._file, self._began = file, None if owned else _place(file)
        self._decoder = None if encoding is None else codecs.getincrementaldecoder(encoding)(errors)
        self.close = weakref.finalize(self, file.close) if owned else lambda: None
        self.ended = False

    def block(self) -> bytes:
        """The next bytes; none at the end, when `ended` is set."""
        read = self._file.read(_BLOCK)
        self.ended = not read
        if isinstance(read, str):
            return read.encode()
        if self._decoder is None:
            return bytes(read)
        try:
            return self._decoder.decode(read, self.ended).encode()
        except UnicodeError:
            raise NotHere("text that is not in its encoding") from None

    def rewind(self) -> None:
        """Set a file of the caller's back to where it was."""
        if self._began is not None:
            self._file.seek(self._began)


def _place(file: Any) -> Any:
    """Where a file stands; NotHere for one that cannot be set back to it."""
    try:
        if file.seekable():
            return file.tell()
    except (AttributeError, OSError, ValueError):
        pass
    raise NotHere("chunksize= of a stream that cannot be read twice")


class Lines:
    """The lines of a CSV text that are not blank, some at a time: a line ends where no quotes are open.

    Parameters
    ----------
    source : Source
    separator, quote : str
    """

    def __init__(self, source: Source, separator: str, quote: str):
        self._source, self._separator, self._quote = source, ord(separator), ord(quote)
        self._rest = bytearray()  # text that is read, but not taken
        self._gone = 0  # bytes of the text before it
        self._ends: Any = np.empty(0, np.int64)  # of lines that are not blank, in bytes of the whole text
        self._next = 0  # the first of these that is not taken
        self._known = 0  # bytes of the whole text in which the ends of lines are known
        self._begun = False

    def first(self) -> bytes:
        """The text of the next line, which is not taken."""
        self._look_for(1)
        return bytes(self._rest[: int(self._ends[self._next]) - self._gone]) if self._next < len(self._ends) else b""

    def take(self, count: int | None) -> tuple[bytes, int]:
        """The text of the next lines, and how many there are: `count`, or those that are left."""
        self._look_for(count)
        left = len(self._ends) - self._next
        taken = left if count is None else min(count, left)
        if not taken:
            return b"", 0
        self._next += taken
        size = int(self._ends[self._next - 1]) - self._gone
        with memoryview(self._rest) as view:
            text = bytes(view[:size])
        del self._rest[:size]
        self._gone += size
        return text, taken

    def _look_for(self, count: int | None) -> None:
        """Read until there are so many lines, or all."""
        while (count is None or len(self._ends) - self._next < count) and not self._source.ended:
            block = self._source.block()
            if not self._begun:
                self._begun, block = True, block.removeprefix(codecs.BOM_UTF8)
            self._rest += block
            if self._source.ended and not self._rest.endswith(b"\n"):
                self._rest += b"\n"
            with memoryview(self._rest) as view:
                ends, known = _ends(bytes(view[self._known - self._gone :]), self._separator, self._quote)
            self._ends, self._next = np.concatenate([self._ends[self._next :], ends + self._known]), 0
            self._known += known
            if self._source.ended and self._known < self._gone + len(self._rest):
                raise NotHere("chunksize= with quotes that are not closed")


def _ends(text: bytes, separator: int, quote: int) -> tuple[np.ndarray, int]:
    """Where the lines of a text that are not blank end, and the end of the last line that is whole.

    Raises
    ------
    NotHere
        For line ends and quotes that other rules apply to.
    """
    text = text[: text.rfind(b"\n") + 1]
    data = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(data == 10) + 1
    quotes = np.flatnonzero(data == quote)
    if len(quotes):
        ends = ends[np.searchsorted(quotes, ends) % 2 == 0]
        opening = quotes[::2]
        if not np.isin(data[opening[opening > 0] - 1], (10, separator, quote)).all():
            raise NotHere("chunksize= with quotes within fields")
    text = text[: int(ends[-1]) if len(ends) else 0]
    other_ends = b"\r" in text and text.count(b"\r") != text.count(b"\r\n")
    begins_with_space = text[:1] in (b" ", b"\t") or b"\n " in text or b"\n\t" in text
    if other_ends or (begins_with_space and re.search(rb"(?m)^[ \t]+\r?$", text)):
        raise NotHere("chunksize= with other line ends or lines of spaces")
    sizes = np.diff(ends, prepend=0)
    filled = (sizes > 2) | ((sizes == 2) & (data[np.maximum(ends - 2, 0)] != 13))
    return ends[filled], len(text)


def _fields(text: bytes, form: tuple[str, str]) -> int:
    """The number of fields of the last line of a text that is not blank."""
    lines = io.StringIO(text.decode("utf-8", "replace"), newline="")
    rows = [row for row in csv.reader(lines, delimiter=form[0], quotechar=form[1]) if row]
    return len(rows[-1]) if rows else 0


class Chunks:
    """Frames of consecutive rows of a CSV text, as pandas' TextFileReader: an iterator, and a context.

    Parameters
    ----------
    source : Source
    form : (str, str)
        The separator and the quote.
    header : int
        Lines of the header; 0 where there is none.
    named : int, optional
        How many labels of columns are given.
    read : callable
        Makes a frame of a text with the header.
    rest : callable
        Makes pandas' reader of the whole file, for a reason.
    """

    __module__ = "bascule.pandas"
    chunksize: int | None = None  # rows of a frame; None for all that are left
    nrows: int | None = None  # rows to read in all
    numbered = True  # whether rows are labelled by their number in the file

    def __init__(
        self, source: Source, form: tuple[str, str], header: int, named: int | None, read: Callable[[bytes], Any],
        rest: Callable[[str], Any],
    ):  # fmt: skip
        self._source, self._form, self._read, self._rest = source, form, read, rest
        self._lines = Lines(source, *form)
        self._head, found = self._lines.take(header)
        first = _fields(self._lines.first(), form)
        if found < header or not first:
            raise NotHere("chunksize= with no rows")
        self._of_first_row = not header and named is None  # which decides how many columns there are
        self._width = first if self._of_first_row else named or _fields(self._head, form)
        if first > self._width:
            raise NotHere("chunksize= with rows of more fields than the header")
        self._at = 0
        self._theirs: Any = None  # pandas' reader, from the first rows on that only it reads

    def get_chunk(self, size: int | None = None) -> Any:
        """The next rows, as many as `size` says or `chunksize`.

        Raises
        ------
        StopIteration
            At the end of the file.
        """
        size = self.chunksize if size is None else size
        left = None if self.nrows is None else self.nrows - self._at
        if left is not None and left <= 0:
            raise StopIteration
        return self.read(left if size is None else size if left is None else min(size, left))

    def read(self, nrows: int | None = None) -> Any:
        """The next `nrows` rows, by default all that the file still has."""
        if self._theirs is None:
            try:
                return self._chunk(nrows)
            except NotHere as why:
                reason = str(why)
            except (pandas.errors.ParserError, ValueError):
                reason = "chunksize= with rows that are refused"  # pandas says in which line of the file
            self._theirs = self._at_this_row(self._rest(reason))
        made = self._theirs.read(nrows)
        self._at += len(made)
        return made

    def _chunk(self, count: int | None) -> Any:
        if count == 0:
            raise NotHere("chunksize= with a part of no rows")
        width = _fields(self._lines.first(), self._form)
        if width > self._width or 0 < width < self._width and self._of_first_row:
            raise NotHere("chunksize= with a part that begins with a row of another length")
        text, count = self._lines.take(count)
        if not count:
            raise StopIteration
        frame = self._read(self._head + text)
        if len(frame) != count:
            raise NotHere("chunksize= with lines that are no rows")
        if self.numbered:
            frame.index = _indexes.RangeIndex(self._at, self._at + count)
        self._at += count
        return frame

    def _at_this_row(self, reader: Any) -> Any:
        """pandas' reader after the rows that have been read."""
        for start in range(0, self._at, _SKIPPED):
            reader.get_chunk(min(_SKIPPED, self._at - start))
        return reader

    def close(self) -> None:
        """End the iteration, and close the file if it was opened for it."""
        self.nrows = self._at
        self._source.close()
        if self._theirs is not None:
            self._theirs.__exit__()

    def __iter__(self) -> Chunks:
        return self

    def __next__(self) -> Any:
        try:
            return self.get_chunk()
        except StopIteration:
            self.close()
            raise

    def __enter__(self) -> Chunks:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
