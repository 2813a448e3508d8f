"""The two classes of sparse arrays, and the common part: their memory, and the ways to and from other forms."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse as theirs

from .. import _core
from .._array import conversion
from ..interop import mode
from ._arithmetic import Arithmetic
from ._parts import checked, counts_before, index_type, majors, on_device, sorted_by_minor
from ._products import Products
from ._reductions import Reductions
from ._selection import Selection
from ._theirs import CLASSES, Rest, as_ours

ndarray = _core.ndarray


class Compressed(Products, Reductions, Selection, Arithmetic, Rest):
    """A sparse array by its compressed rows (`csr_array`) or columns (`csc_array`).

    Attributes
    ----------
    data, indices, indptr : bascule.ndarray
        Values, their positions in rows (or columns), and where each row (or column) begins; on one device.
    shape : (int, int)
    """

    __slots__ = ("data", "indices", "indptr", "shape", "_canonical", "__weakref__")
    __bascule_sparse__ = True
    __array_ufunc__ = None  # operators of NumPy's arrays leave the call to ours
    ndim = 2
    format: str
    _major: int  # the axis that is compressed

    data: Any
    indices: Any
    indptr: Any
    shape: tuple[int, int]
    _canonical: bool | None  # whether positions ascend and are not repeated, where that is known

    def __init__(self, arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False, device: str | None = None):
        canonical = None
        if isinstance(arg1, Compressed):
            made = arg1.asformat(self.format)
            canonical = made._canonical
            parts = made.data, made.indices, made.indptr, made.shape
        elif (where := _device_of(arg1)) is not None and where.startswith("cuda"):
            parts = self._from_device(arg1, shape)
        else:
            made = self._class_of_theirs()(_seen_by_scipy(arg1), shape=shape)
            if made.ndim != 2:
                raise ValueError(f"[{type(self).__name__}] expected two axes, got {made.ndim}")
            parts = made.data, made.indices, made.indptr, made.shape
            checked(*parts[:3], made.shape[1 - self._major])
            where = device or where or _core.get_default_device()
            # SciPy sorts positions and adds up repeated ones in place, whenever it needs that
            canonical = bool(made.has_canonical_format)
            shared = not copy and where == "cpu" and canonical
            parts = *(_core.from_numpy(x, where, shared) for x in parts[:3]), made.shape
        self._set(*parts, canonical)
        if dtype is not None:
            self.data = self.data.astype(np.dtype(dtype), copy=False)
        if copy or (device is not None and device != self.device):
            arrays = (on_device(x, device or self.device, copy) for x in (self.data, self.indices, self.indptr))
            self.data, self.indices, self.indptr = arrays

    def _set(self, data: Any, indices: Any, indptr: Any, shape: Any, canonical: bool | None = None) -> None:
        self.data, self.indices, self.indptr, self._canonical = data, indices, indptr, canonical
        self.shape = (int(shape[0]), int(shape[1]))

    @classmethod
    def _of(cls, data: Any, indices: Any, indptr: Any, shape: Any, canonical: bool | None = None) -> Any:
        """Of arrays that fit together."""
        made = cls.__new__(cls)
        made._set(data, indices, indptr, shape, canonical)
        return made

    def _like(self, data: Any) -> Any:
        """Of other values at the same positions."""
        return self._of(data, self.indices, self.indptr, self.shape, self._canonical)

    @classmethod
    def _class_of_theirs(cls) -> Any:
        return getattr(theirs, cls.__name__)

    def _from_device(self, arg1: Any, shape: Any) -> tuple[Any, Any, Any, Any]:
        """The three arrays, and the shape, of arrays on a device: of a dense one, or as they are."""
        if type(arg1) is ndarray:
            if arg1.ndim != 2:
                raise ValueError(f"[{type(self).__name__}] expected two axes, got {arg1.ndim}")
            positions = (arg1 != 0).nonzero()
            rows, columns = positions if self._major == 0 else sorted_by_minor(*positions)
            major, minor = (rows, columns)[self._major], (rows, columns)[1 - self._major]
            kind = index_type(arg1.shape, len(major))
            indptr = counts_before(major, arg1.shape[self._major]).astype(kind)
            return arg1[rows, columns], minor.astype(kind), indptr, arg1.shape
        if len(arg1) != 3:
            raise NotImplementedError(
                f"[{type(self).__name__}] values by coordinates are taken from the host alone: .get()"
            )
        data, indices, indptr = (on_device(x, _device_of(arg1), False) for x in arg1)
        if shape is None:
            pair = (len(indptr) - 1, int(indices.max()) + 1 if len(indices) else 0)
            shape = pair if self._major == 0 else pair[::-1]
        checked(data, indices, indptr, shape[1 - self._major])
        if len(indptr) != shape[self._major] + 1:
            raise ValueError(f"index pointer size {len(indptr)} should be {shape[self._major] + 1}")
        return data, indices, indptr, shape

    # ---- what it is

    @property
    def dtype(self) -> np.dtype:
        return self.data.dtype

    @property
    def device(self) -> str:
        return self.data.device

    @property
    def nnz(self) -> int:
        """The number of stored elements, zeros and repeated ones, too."""
        return len(self.data)

    size = nnz

    @property
    def nbytes(self) -> int:
        return self.data.nbytes + self.indices.nbytes + self.indptr.nbytes

    def __len__(self) -> int:
        raise TypeError("sparse array length is ambiguous; use getnnz() or shape[0]")

    def __bool__(self) -> bool:
        if self.shape == (1, 1):
            return self.nnz != 0
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all().")

    def __iter__(self) -> Any:
        return (self[i] for i in range(self.shape[0]))

    def __repr__(self) -> str:
        name = {"csr": "Compressed Sparse Row", "csc": "Compressed Sparse Column"}[self.format]
        return (
            f"<{name} sparse array of dtype '{self.dtype}'\n\twith {self.nnz} stored elements and shape {self.shape}>"
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """One object, as SciPy's arrays are to NumPy: `toarray` gives the elements."""
        made = np.empty((), object)
        made[()] = self
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        if mode.pickles_are_theirs() and not self.device.startswith("cuda"):
            them = self.to_scipy()
            return type(them), ((them.data, them.indices, them.indptr), them.shape)
        return type(self)._of, (self.data, self.indices, self.indptr, self.shape)

    # ---- other forms of it

    def to_scipy(self) -> Any:
        """The same array of SciPy: over the same memory where that is the host's and positions ascend, each once; else a copy,
        since SciPy sorts positions and adds up repeated ones in place, whenever it needs that.

        Examples
        --------
        >>> from bascule.sparse import csr_array
        >>> type(csr_array([[0.0, 1.0]]).to_scipy()).__module__.partition(".")[0]
        'scipy'
        """
        if self.device.startswith("cuda"):
            arrays = [x.get() for x in (self.data, self.indices, self.indptr)]
        else:
            arrays = [conversion.host_view(x) for x in (self.data, self.indices, self.indptr)]
        made = self._class_of_theirs()(tuple(arrays), shape=self.shape)
        if self._canonical is None:
            self._canonical = bool(made.has_canonical_format)
        if self._canonical:
            made.has_canonical_format = True
        elif not self.device.startswith("cuda"):
            made = made.copy()
        return made

    get = to_scipy

    def to_device(self, device: str) -> Any:
        """The same array on another device.

        Parameters
        ----------
        device : str
        """
        arrays = (on_device(x, device, False) for x in (self.data, self.indices, self.indptr))
        return self._of(*arrays, self.shape, self._canonical)

    def copy(self) -> Any:
        return self._of(self.data.copy(), self.indices.copy(), self.indptr.copy(), self.shape, self._canonical)

    def astype(self, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Any:
        """The array with values of another type; without `copy` its positions are in the same memory.

        Parameters
        ----------
        dtype : dtype
        casting : str, optional
            As in NumPy.
        copy : bool, optional
        """
        dtype = np.dtype(dtype)
        if dtype == self.dtype:
            return self.copy() if copy else self
        made = self._like(self.data.astype(dtype, casting=casting))
        return made if not copy else self._of(made.data, self.indices.copy(), self.indptr.copy(), self.shape, self._canonical)  # fmt: skip

    @property
    def T(self) -> Any:
        """The transpose, over the same memory."""
        return _CLASSES[1 - self._major]._of(self.data, self.indices, self.indptr, self.shape[::-1], self._canonical)

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        if axes is not None and tuple(axes) not in ((1, 0), (-1, -2)):
            raise ValueError("Sparse arrays/matrices do not support an 'axes' parameter because swapping dimensions is the only logical permutation.")  # fmt: skip
        return self.T.copy() if copy else self.T

    def asformat(self, format: str | None, copy: bool = False) -> Any:
        """The array in another form: ``"csr"``, ``"csc"``, or another one, which is SciPy's."""
        if format is None or format == self.format:
            return self.copy() if copy else self
        if format in ("csr", "csc"):
            return self._turned()
        return self._by_scipy("to" + format, f"the form {format!r}")

    def tocsr(self, copy: bool = False) -> Any:
        """The array by its rows; a `csr_array` itself without `copy`."""
        return self.asformat("csr", copy)

    def tocsc(self, copy: bool = False) -> Any:
        """The array by its columns, in which rows ascend; a `csc_array` itself without `copy`."""
        return self.asformat("csc", copy)

    def _turned(self) -> Any:
        """The same array with its other axis compressed, on which positions ascend."""
        other = _CLASSES[1 - self._major]
        if self.device == "cpu":  # SciPy counts the positions in one pass
            return as_ours(self.to_scipy().asformat(other.format))
        order = self.indices.argsort(kind="stable")
        indptr = counts_before(self.indices, self.shape[1 - self._major]).astype(self.indptr.dtype)
        return other._of(self.data[order], majors(self)[order].astype(self.indices.dtype), indptr, self.shape)

    def toarray(self, order: str | None = None, out: Any = None) -> Any:
        """All elements.

        Parameters
        ----------
        order : {"C", "F"}, optional
        out : array, optional
            It is written to, and returned.

        Returns
        -------
        array
            Of bascule, on the same device.
        """
        if out is not None:
            out[...] = self.toarray()
            return out
        if self.device == "cpu":
            found = self.to_scipy().toarray()
            made = _core.from_numpy(found, "cpu", True)
        else:
            size, made = self.shape[0] * self.shape[1], None
            steps = (self.shape[1], 1) if self._major == 0 else (1, self.shape[1])
            flat = majors(self).astype(np.int64) * steps[0] + self.indices.astype(np.int64) * steps[1]
            made = on_device(np.zeros(size, self.dtype), self.device, False)
            _core.scatter_add(made, flat, self.data)
            made = made.reshape(self.shape)
        return made.T.copy().T if order == "F" else made

    def todense(self, order: str | None = None, out: Any = None) -> Any:
        return self.toarray(order, out)


class csr_array(Compressed):
    """A sparse array by its compressed rows.

    Parameters
    ----------
    arg1 : array, sparse array of SciPy or of bascule, (data, (row, column)), (data, indices, indptr) or (rows, columns)
        As for `scipy.sparse.csr_array`. Memory of the host is shared where it has the right types.
    shape : (int, int), optional
    dtype : dtype, optional
    copy : bool, optional
    device : str, optional
        By default that of the arrays, or the device of new arrays.

    Examples
    --------
    >>> from bascule.sparse import csr_array
    >>> A = csr_array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    >>> A[[1]].toarray()
    array([[0., 3., 0.]])
    >>> A.sum(axis=0)
    array([1., 3., 2.])
    """

    __slots__ = ()
    format, _major = "csr", 0


class csc_array(Compressed):
    """A sparse array by its compressed columns.

    Parameters
    ----------
    arg1 : array, sparse array of SciPy or of bascule, (data, (row, column)), (data, indices, indptr) or (rows, columns)
        As for `scipy.sparse.csc_array`. Memory of the host is shared where it has the right types.
    shape : (int, int), optional
    dtype : dtype, optional
    copy : bool, optional
    device : str, optional
        By default that of the arrays, or the device of new arrays.

    Examples
    --------
    >>> from bascule.sparse import csc_array
    >>> A = csc_array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    >>> A.T @ [1.0, 1.0]
    array([1., 3., 2.])
    """

    __slots__ = ()
    format, _major = "csc", 1


_CLASSES = (csr_array, csc_array)
CLASSES.update(csr=csr_array, csc=csc_array)


def issparse(x: Any) -> bool:
    """Whether x is a sparse array of bascule or of SciPy.

    Parameters
    ----------
    x : object

    Returns
    -------
    bool

    Examples
    --------
    >>> from bascule.sparse import csr_array, issparse
    >>> issparse(csr_array((2, 3))), issparse([1.0])
    (True, False)
    """
    return isinstance(x, Compressed) or theirs.issparse(x)


def _device_of(given: Any) -> str | None:
    """The device of arrays, also in tuples; None where there is none of bascule."""
    if type(given) is ndarray:
        return given.device
    if isinstance(given, (tuple, list)):
        return next((where for x in given if (where := _device_of(x)) is not None), None)
    return None


def _seen_by_scipy(given: Any) -> Any:
    if type(given) is ndarray:
        return conversion.host_view(given)
    return tuple(map(_seen_by_scipy, given)) if isinstance(given, tuple) else given
