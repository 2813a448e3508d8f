"""ReductionKernel: a reduction over axes, in CUDA C++."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np

from .. import _core
from . import _parameters as of
from ._programs import _checked_options, program_on

_BLOCK = 128  # threads that compute one result together


class ReductionKernel:
    """A reduction of broadcast arrays along axes, by expressions in CUDA C++.

    Parameters
    ----------
    in_params, out_params : str
        Lists of parameters as for `ElementwiseKernel`.
    map_expr : str
        Expression of the inputs to reduce for each element; ``_J`` counts along the reduced axes.
    reduce_expr : str
        Expression that combines two values ``a`` and ``b``. It must be associative: values are reduced in a tree, the
        same for equal shapes.
    post_map_expr : str
        Statements that compute the outputs from ``a``.
    identity : str
        Initial value of the reduction; empty or None if there is none.
    name : str, optional
        Name of the kernel.
    reduce_type : str, optional
        C++ type of ``a`` and ``b``; by default that of the first output.
    reduce_dims : bool, optional
        Accepted for compatibility with CuPy; axes are always joined.
    preamble, options
        Code before the kernel; the compiler's options.

    Examples
    --------
    >>> import bascule as bc
    >>> norm = bc.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    >>> norm(bc.asarray([[3.0, 4.0], [5.0, 12.0]]), axis=1).tolist()
    [5.0, 13.0]
    """

    def __init__(
        self, in_params: str, out_params: str, map_expr: str, reduce_expr: str, post_map_expr: str, identity: Any,
        name: str = "reduce_kernel", reduce_type: str | None = None, reduce_dims: bool = True, preamble: str = "",
        options: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        if not name.isidentifier():
            raise ValueError(f"[ReductionKernel] the name is an identifier, not {name!r}")
        self.in_params = of.parse(in_params, "ReductionKernel")
        self.out_params = of.parse(out_params, "ReductionKernel")
        self.params = self.in_params + self.out_params
        if not self.in_params or not self.out_params:
            raise ValueError("[ReductionKernel] expected at least one input and one output")
        if any(p.raw for p in self.out_params):
            raise ValueError("[ReductionKernel] an output is not raw")
        self.nin, self.nout, self.nargs = len(self.in_params), len(self.out_params), len(self.params)
        self.map_expr, self.reduce_expr, self.post_map_expr = map_expr, reduce_expr, post_map_expr
        self.identity = "" if identity is None else str(identity)
        self.name, self.preamble, self.reduce_dims = name, preamble, reduce_dims
        self.reduce_type = reduce_type
        self.options = (*_checked_options(options, "nvrtc", "ReductionKernel"), "-std=c++20")
        self._functions: dict[tuple, int] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_functions": {}}  # handles belong to this process

    def __call__(
        self, *args: Any, out: Any = None, axis: Any = None, keepdims: bool = False, stream: Any = None
    ) -> Any:
        """Reduce arrays and numbers, followed by the outputs if they are given.

        Parameters
        ----------
        *args : ndarray or number
            Inputs, then optionally all outputs.
        out : ndarray, optional
            Array for the single output.
        axis : int or tuple of int, optional
            Axes to reduce; all by default.
        keepdims : bool, optional
            Keep the reduced axes with length one.
        stream : Stream, optional
            Stream to run on; by default the current one.
        """
        if len(args) not in (self.nin, self.nargs):
            raise TypeError(f"Wrong number of arguments for {self.name!r}")
        given = of.prepared(args, self.name)
        ins, outs = given[: self.nin], given[self.nin :]
        if out is not None:
            if outs or self.nout != 1:
                raise ValueError("cannot specify 'out' as both a positional and keyword argument")
            outs = [out]
        if any(type(a) is not _core.ndarray for a in outs):
            raise TypeError("Output arguments must be bascule.ndarray")
        of.check_writeable(outs)
        device = of.one_device((*ins, *outs), self.name)
        bound = of.types_of(self.in_params, self.out_params, ins, outs)
        arrays = [a for p, a in zip(self.in_params, ins, strict=True) if type(a) is _core.ndarray and not p.raw]
        if not arrays:
            raise ValueError("Loop size is undecided.")
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        reduced = _axes(axis, len(shape))
        kept = tuple(k for k in range(len(shape)) if k not in reduced)
        wanted = tuple(1 if k in reduced else n for k, n in enumerate(shape) if keepdims or k not in reduced)
        if not outs:
            outs = [_core.empty(wanted, of.resolved(p, bound), device) for p in self.out_params]
        if any(a.shape != wanted for a in outs):
            raise ValueError("Out shape is mismatched")
        if not self.identity and any(shape[k] == 0 for k in reduced):
            raise ValueError(f"zero-size array to reduction operation {self.name} which has no identity")
        if all(shape[k] for k in kept):
            with stream if stream is not None else nullcontext():
                self._launch(device, ins, outs, bound, shape, kept + reduced, len(kept))
        return outs[0] if len(outs) == 1 else tuple(outs)

    def _launch(
        self, device: str, ins: list, outs: list, bound: Any, shape: tuple[int, ...], order: tuple[int, ...], kept: int
    ) -> None:
        """Launch with an outer loop over the axes that remain and an inner one over the reduced axes."""
        loop = tuple(shape[k] for k in order)
        results = loop[:kept]
        values: list[Any] = []
        kinds: list[Any] = []
        for p, a in zip(self.in_params, ins, strict=True):
            if type(a) is not _core.ndarray:
                values.append(of.scalar_bytes(a, of.resolved(p, bound), p.name))
                kinds.append(None)
                continue
            if p.raw:
                extents, strides = a.shape, a.strides
            else:
                wide = of.broadcast_strides(a, shape)
                extents, strides = _joined(loop, tuple(wide[k] for k in order))
            values += [(a,), of.layout(extents, strides)]
            kinds.append(of.rank(extents))
        for a in outs:
            strides = tuple(s for n, s in zip(a.shape, a.strides, strict=True)) if a.ndim == kept else None
            if strides is None:  # for axes of one element
                strides = tuple(a.strides[k] for k in order[:kept])
            values += [a, of.layout(results, strides)]
            kinds.append(of.rank(results))
        key = (device, tuple(kinds), tuple(bound.items()))
        if key not in self._functions:
            program = program_on(device, f"{self.name}.cu", self._text(tuple(kinds), bound), self.options, ())
            self._functions[key] = _core.find_kernel(device, program, self.name)
        count = int(np.prod(results, dtype=np.int64))
        lengths = np.array([count, int(np.prod(loop[kept:], dtype=np.int64))], np.int64)
        values += [lengths[:1].tobytes(), lengths[1:].tobytes()]
        grid, block = (min(count, 1 << 16), 1, 1), (_BLOCK, 1, 1)
        _core.launch_kernel(device, self._functions[key], grid, block, 0, tuple(values))

    def _text(self, kinds: tuple, bound: Any) -> str:
        parameters, ahead, mapped, results = [], [], [], []
        for p, kind in zip(self.params, kinds, strict=True):
            t = of.c_type(of.resolved(p, bound))
            if kind is None:
                parameters.append(f"const {t} {p.name}")
                continue
            is_input = p in self.in_params
            element = f"const {t}" if is_input else t
            parameters += [f"{element}* _raw_{p.name}", f"const _layout<{kind}> _layout_{p.name}"]
            name = p.name if p.raw else f"_all_{p.name}"
            ahead.append(f"const _strided<{element}, {kind}> {name}(_raw_{p.name}, _layout_{p.name});")
            if is_input and not p.raw:
                mapped.append(f"const {t} {p.name} = {name}[_place];")
            elif not is_input:
                results.append(f"{t}& {p.name} = {name}[_result];")
        reduce_type = self.reduce_type or of.c_type(of.resolved(self.out_params[0], bound))
        kinds_of_all = [of.resolved(p, bound) for p in self.params]
        first = f"_reduced({self.identity})" if self.identity else "_reduced()"
        has_first = "true" if self.identity else "false"
        line = "\n    "
        return f"""{of.preamble_of(kinds_of_all, bound)}
{self.preamble}
typedef {reduce_type} _reduced;
__device__ _reduced _combine(const _reduced a, const _reduced b) {{ return {self.reduce_expr}; }}
extern "C" __global__ void {self.name}({", ".join(parameters)}, const long long _results, const long long _length) {{
    __shared__ __align__(16) char _shared[{_BLOCK} * sizeof(_reduced)];
    _reduced* const _all = reinterpret_cast<_reduced*>(_shared);
    {line.join(ahead)}
    const int _thread = threadIdx.x;
    for (long long _result = blockIdx.x; _result < _results; _result += gridDim.x) {{
        _reduced _mine = {first};
        bool _has = {has_first};
        for (long long _J = _thread; _J < _length; _J += {_BLOCK}) {{
            const long long _place = _result * _length + _J;
            {line.join(mapped)}
#line 1 "map_expr of {self.name}"
            const _reduced _next = static_cast<_reduced>({self.map_expr});
            _mine = _has ? _combine(_mine, _next) : _next;
            _has = true;
        }}
        _all[_thread] = _mine;
        __syncthreads();
        for (int _half = {_BLOCK // 2}; _half > 0; _half /= 2) {{
            if (_thread < _half && _thread + _half < _length) _all[_thread] = _combine(_all[_thread], _all[_thread + _half]);
            __syncthreads();
        }}
        if (_thread == 0) {{
            const _reduced a = _all[0];
            {line.join(results)}
#line 1 "post_map_expr of {self.name}"
            {self.post_map_expr};
        }}
        __syncthreads();
    }}
}}
"""


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    found = []
    for k in axis if isinstance(axis, (tuple, list)) else (axis,):
        if not -ndim <= k < ndim:
            raise np.exceptions.AxisError(k, ndim)
        found.append(int(k) % ndim)
    if len(set(found)) < len(found):
        raise ValueError("duplicate value in 'axis'")
    return tuple(sorted(found))


def _joined(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Merge axes that are contiguous in memory."""
    extents: list[int] = []
    steps: list[int] = []
    for n, s in zip(shape, strides, strict=True):
        if extents and steps[-1] == n * s:
            extents[-1], steps[-1] = extents[-1] * n, s
        else:
            extents.append(n)
            steps.append(s)
    return tuple(extents), tuple(steps)
