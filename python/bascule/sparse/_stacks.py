"""Sparse arrays below one another, and next to one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse as theirs

from ._arrays import Compressed, csc_array, csr_array
from ._parts import index_type
from ._theirs import as_ours


def _stacked(blocks: Sequence[Any], axis: int, format: str | None, dtype: Any) -> Any:
    if len(blocks) == 0:
        raise ValueError("blocks must not be empty")
    device = next((b.device for b in blocks if isinstance(b, Compressed)), None)
    first = blocks[0].format if hasattr(blocks[0], "format") and blocks[0].format in ("csr", "csc") else "csr"
    along = csr_array if axis == 0 else csc_array
    parts = [b if isinstance(b, Compressed) else csr_array(b, device=device) for b in blocks]
    if any(p.device != parts[0].device for p in parts):
        raise ValueError("[sparse] the arrays are on different devices; move them: .to_device")
    minor = parts[0].shape[1 - axis]
    for p in parts:
        if p.shape[1 - axis] != minor:
            raise ValueError(f"Mismatching dimensions along axis {1 - axis}: {{{minor}, {p.shape[1 - axis]}}}")
    if any(p.format != along.format for p in parts) and all(p.device == "cpu" for p in parts):
        stack = theirs.vstack if axis == 0 else theirs.hstack  # its loops interleave rows
        return as_ours(stack([p.to_scipy() for p in parts], format=format or first, dtype=dtype))
    parts = [p.asformat(along.format) for p in parts]
    import bascule

    length = sum(p.shape[axis] for p in parts)
    shape = (length, minor) if axis == 0 else (minor, length)
    positions = index_type(shape, sum(p.nnz for p in parts))
    ends, before = [parts[0].indptr[:1].astype(positions)], 0
    for p in parts:
        ends.append(p.indptr[1:].astype(positions) + np.asarray(before, positions)[()])
        before += p.nnz
    indices = bascule.concatenate([p.indices.astype(positions, copy=False) for p in parts])
    made = along._of(bascule.concatenate([p.data for p in parts]), indices, bascule.concatenate(ends), shape)
    made = made.asformat(format or first)
    return made if dtype is None else made.astype(dtype, copy=False)


def vstack(blocks: Sequence[Any], format: str | None = None, dtype: Any = None) -> Any:
    """Sparse arrays below one another.

    Parameters
    ----------
    blocks : sequence of array
        Sparse arrays of bascule or SciPy, or dense ones.
    format : {"csr", "csc"}, optional
        By default that of the first one.
    dtype : dtype, optional

    Returns
    -------
    csr_array or csc_array

    Examples
    --------
    >>> from bascule.sparse import csr_array, vstack
    >>> vstack([csr_array([[1.0, 0.0]]), csr_array([[0.0, 2.0]])]).toarray()
    array([[1., 0.],
           [0., 2.]])
    """
    return _stacked(list(blocks), 0, format, dtype)


def hstack(blocks: Sequence[Any], format: str | None = None, dtype: Any = None) -> Any:
    """Sparse arrays next to one another.

    Parameters
    ----------
    blocks : sequence of array
        Sparse arrays of bascule or SciPy, or dense ones.
    format : {"csr", "csc"}, optional
        By default that of the first one.
    dtype : dtype, optional

    Returns
    -------
    csr_array or csc_array

    Examples
    --------
    >>> from bascule.sparse import csr_array, hstack
    >>> hstack([csr_array([[1.0], [0.0]]), csr_array([[0.0], [2.0]])]).toarray()
    array([[1., 0.],
           [0., 2.]])
    """
    return _stacked(list(blocks), 1, format, dtype)
