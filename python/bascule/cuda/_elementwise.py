"""ElementwiseKernel: a loop body over broadcast arrays, in CUDA C++."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np

from .. import _core
from . import _parameters as of
from ._programs import _checked_options, program_on

_OPTIONS = {"options": (), "loop_prep": "", "after_loop": ""}


class ElementwiseKernel:
    """A CUDA C++ loop body that runs for every element of broadcast arrays.

    Parameters
    ----------
    in_params, out_params : str
        Lists such as ``"float32 x, T y, raw T z"``: NumPy's names of types, or placeholders that take the arrays'
        types. A ``raw`` parameter is the whole array instead of an element, indexed as ``z[k]`` in C order and with
        ``z.size()``.
    operation : str
        Loop body. ``i`` is the index of the element, ``n`` their number, ``_ind.get()[k]`` the index along axis k.
    name : str, optional
        Name of the kernel.
    reduce_dims : bool, optional
        Whether axes may be joined, so that ``_ind`` has fewer of them.
    preamble : str, optional
        Code before the kernel.
    no_return, return_tuple : bool, optional
        Return None, or return a tuple even for a single array.
    options, loop_prep, after_loop
        The compiler's options; code before the loop and after it.

    Examples
    --------
    >>> import bascule as bc
    >>> f = bc.ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_difference")
    >>> f(bc.arange(4).reshape(2, 2), 2).tolist()
    [[4, 1], [0, 1]]
    >>> g = bc.ElementwiseKernel("T x, raw T y", "T z", "z = x + y[n - i - 1]", "add_reverse")
    >>> g(bc.arange(3), bc.arange(3) * 10).tolist()
    [20, 11, 2]
    """

    def __init__(
        self, in_params: str, out_params: str, operation: str, name: str = "kernel", reduce_dims: bool = True,
        preamble: str = "", no_return: bool = False, return_tuple: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        if unknown := kwargs.keys() - _OPTIONS.keys():
            raise TypeError(f"[ElementwiseKernel] unexpected argument {min(unknown)!r}")
        if not name.isidentifier():
            raise ValueError(f"[ElementwiseKernel] the name is an identifier, not {name!r}")
        self.in_params = of.parse(in_params, "ElementwiseKernel")
        self.out_params = of.parse(out_params, "ElementwiseKernel")
        self.params = self.in_params + self.out_params
        if len({p.name for p in self.params}) < len(self.params):
            raise ValueError("[ElementwiseKernel] a name occurs in both parameter lists")
        self.nin, self.nout, self.nargs = len(self.in_params), len(self.out_params), len(self.params)
        self.operation, self.name, self.preamble = operation, name, preamble
        self.reduce_dims, self.no_return, self.return_tuple = reduce_dims, no_return, return_tuple
        self.kwargs = {**_OPTIONS, **kwargs}
        self._options = (*_checked_options(self.kwargs["options"], "nvrtc", "ElementwiseKernel"), "-std=c++20")
        self._functions: dict[tuple, int] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_functions": {}}  # handles belong to this process

    def __call__(self, *args: Any, size: int | None = None, block_size: int = 128, stream: Any = None) -> Any:
        """Run the kernel on arrays and numbers, followed by the outputs if they are given.

        Parameters
        ----------
        *args : ndarray or number
            Inputs, then optionally all outputs.
        size : int, optional
            Number of times that the body runs, if all arrays are ``raw``.
        block_size : int, optional
            Threads per block.
        stream : Stream, optional
            Stream to run on; by default the current one.
        """
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(f"Wrong number of arguments for {self.name!r}")
        if block_size < 1:
            raise ValueError("block_size must be greater than zero")
        given = of.prepared(args, self.name)
        ins, outs = given[: self.nin], given[self.nin :]
        if any(type(a) is not _core.ndarray for a in outs):
            raise TypeError("Output arguments must be bascule.ndarray")
        of.check_writeable(outs)
        device = of.one_device(given, self.name)
        bound = of.types_of(self.in_params, self.out_params, ins, outs)
        shape = self._shape(ins, outs, size)
        if not outs:
            outs = self._new_outputs(shape, bound, device, size)
        if 0 not in shape:
            with stream if stream is not None else nullcontext():
                self._launch(device, ins, outs, bound, shape, block_size)
        if self.no_return:
            return None
        return tuple(outs) if self.return_tuple or len(outs) != 1 else outs[0]

    def _shape(self, ins: list[Any], outs: list[Any], size: int | None) -> tuple[int, ...]:
        arrays = [a for p, a in zip(self.in_params, ins, strict=True) if type(a) is _core.ndarray and not p.raw]
        results = [a for p, a in zip(self.out_params, outs, strict=False) if not p.raw]
        if size is not None:
            if arrays or results:
                raise ValueError("Specified 'size' can be used only if all of the ndarray are 'raw'.")
            return (int(size),)
        if not arrays and not results:
            raise ValueError("Loop size is undecided.")
        shape = np.broadcast_shapes(*(a.shape for a in arrays), *(a.shape for a in results))
        if any(a.shape != shape for a in results):
            raise ValueError("Out shape is mismatched")
        return shape

    def _new_outputs(self, shape: tuple[int, ...], bound: Any, device: str, size: int | None) -> list[Any]:
        if size is None and any(p.raw for p in self.out_params):
            raise ValueError("Output array size is Undecided")
        return [_core.empty(shape, of.resolved(p, bound), device) for p in self.out_params]

    def _launch(self, device: str, ins: list, outs: list, bound: Any, shape: tuple[int, ...], block_size: int) -> None:
        """Pass arrays by their addresses and layouts, numbers by value, and last the shape of the loop."""
        arrays = [(p, a) for p, a in zip(self.params, ins + outs, strict=True) if type(a) is _core.ndarray]
        dense = self.reduce_dims and all(p.raw or (a.shape == shape and a.flags.c_contiguous) for p, a in arrays)
        flat = (int(np.prod(shape, dtype=np.int64)),)
        loop = flat if dense else shape
        values: list[Any] = []
        kinds: list[Any] = []
        for p, a in zip(self.params, ins + outs, strict=True):
            if type(a) is not _core.ndarray:
                values.append(of.scalar_bytes(a, of.resolved(p, bound), p.name))
                kinds.append(None)
                continue
            if p.raw:
                whole = self.reduce_dims and a.flags.c_contiguous
                extents, strides = ((a.size,), (a.itemsize,)) if whole else (a.shape, a.strides)
            else:
                extents, strides = (flat, (a.itemsize,)) if dense else (shape, of.broadcast_strides(a, shape))
            values += [a if p in self.out_params else (a,), of.layout(extents, strides)]
            kinds.append(of.rank(extents))
        steps = tuple(0 for _ in loop)
        key = (device, tuple(kinds), of.rank(loop), tuple(bound.items()))
        if key not in self._functions:
            text = self._text(tuple(kinds), of.rank(loop), bound)
            program = program_on(device, f"{self.name}.cu", text, self._options, ())
            self._functions[key] = _core.find_kernel(device, program, self.name)
        blocks = min(-(-flat[0] // block_size), 1 << 16)
        call = (device, self._functions[key], (blocks, 1, 1), (block_size, 1, 1), 0, (*values, of.layout(loop, steps)))
        _core.launch_kernel(*call)

    def _text(self, kinds: tuple, rank: int, bound: Any) -> str:
        parameters, variables = [], []
        for p, kind in zip(self.params, kinds, strict=True):
            t = of.c_type(of.resolved(p, bound))
            if kind is None:
                parameters.append(f"const {t} {p.name}")
                continue
            element = f"const {t}" if p in self.in_params else t
            parameters += [f"{element}* _raw_{p.name}", f"const _layout<{kind}> _layout_{p.name}"]
            place = f"_strided<{element}, {kind}>"
            if p.raw:
                variables.append((True, f"const {place} {p.name}(_raw_{p.name}, _layout_{p.name});"))
                continue
            variables.append((True, f"const {place} _all_{p.name}(_raw_{p.name}, _layout_{p.name});"))
            held = f"const {t}" if p in self.in_params else f"{t}&"
            variables.append((False, f"{held} {p.name} = _all_{p.name}[_ind.get()];"))
        ahead = "\n    ".join(v for outside, v in variables if outside)
        inside = "\n        ".join(v for outside, v in variables if not outside)
        kinds_of_all = [of.resolved(p, bound) for p in self.params]
        return f"""{of.preamble_of(kinds_of_all, bound)}
{self.preamble}
extern "C" __global__ void {self.name}({", ".join(parameters)}, const _layout<{rank}> _loop) {{
    _indexer<{rank}> _ind(_loop);
    {ahead}
    const long long n = _ind.size();
    {self.kwargs["loop_prep"]};
    for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
         i += static_cast<long long>(blockDim.x) * gridDim.x) {{
        _ind.set(i);
        {inside}
#line 1 "operation of {self.name}"
        {self.operation};
    }}
    {self.kwargs["after_loop"]};
}}
"""

    @property
    def cached_code(self) -> str:
        """The code of the only variant that was compiled."""
        if len(self._functions) != 1:
            raise RuntimeError(f"[ElementwiseKernel] {self.name} was compiled in {len(self._functions)} variants")
        _, kinds, rank, bound = next(iter(self._functions))
        return self._text(kinds, rank, dict(bound))
