"""The C interface of NumPy's bit generators for the bits of ``default_rng``: compiled code draws words from it."""

from __future__ import annotations

import ctypes
from typing import Any

_Word = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
_HalfWord = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)
_Double = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)

_address = ctypes.pythonapi.PyCapsule_GetPointer
_address.restype, _address.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)


class _BitGenerator(ctypes.Structure):
    """NumPy's `bitgen_t` (numpy/random/bitgen.h)."""

    _fields_ = [
        ("state", ctypes.c_void_p),
        ("next_uint64", _Word),
        ("next_uint32", _HalfWord),
        ("next_double", _Double),
        ("next_raw", _Word),
    ]


def connect(capsule: Any, bits: Any) -> list[Any]:
    """Make the functions of a capsule draw the next words of `bits`, with the GIL; the result must live as long."""
    at = _BitGenerator.from_address(_address(capsule, b"BitGenerator"))
    word = _Word(lambda _: bits.word())
    half = _HalfWord(lambda _: bits.word() >> 32)
    double = _Double(lambda _: (bits.word() >> 11) * 2.0**-53)
    at.state = ctypes.addressof(at)  # not read, but some libraries refuse a null pointer
    at.next_uint64 = at.next_raw = word
    at.next_uint32, at.next_double = half, double
    return [word, half, double]
