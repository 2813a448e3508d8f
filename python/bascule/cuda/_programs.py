"""RawKernel and RawModule: user-defined kernels in CUDA C++."""

from __future__ import annotations

import re
from contextlib import nullcontext
from typing import Any

import numpy as np

from .. import _core
from ..config import config
from ..device_libraries import headers, kernel_cache
from ._complex_text import with_complex_numbers
from ._memory import MemoryPointer
from .compiler import CompileException

_ATTRIBUTES = (
    "max_threads_per_block", "shared_size_bytes", "const_size_bytes", "local_size_bytes", "num_regs", "ptx_version",
    "binary_version", "cache_mode_ca", "max_dynamic_shared_size_bytes", "preferred_shared_memory_carveout",
)  # fmt: skip
_programs: dict[tuple, int] = {}


def program_on(device: str, name: str, code: str, options: tuple[str, ...], expressions: tuple[str, ...]) -> int:
    """The handle of a program on a device, compiled once in this process."""
    key = (device, name, code, options, expressions)
    found = _programs.get(key)
    if found is None:
        text = with_complex_numbers(code)
        given = [*options, *_header_options(device, text)]
        found, log = _core.compile_program(device, name, text, given, list(expressions), kernel_cache())
        if found is None:
            raise CompileException(log + _missing_header(log), code, name, options)
        _programs[key] = found
    return found


# CUDA's headers are looked for only where a program may need one: what else it includes may change between two runs, so
# such a program is compiled again in each process.
_HEADERS = "(?:cuda|cooperative_groups|curand|nv/|cub/|thrust/|mma)"
_OF_CUDA = re.compile(rf"^\s*#\s*include\s*<{_HEADERS}", re.MULTILINE)
_NOT_FOUND = re.compile(rf"(?:(?:cannot|could not) open source file \"|fatal error: ){_HEADERS}")


def _header_options(device: str, text: str) -> list[str]:
    wanted = _core.has_streams(device) and _OF_CUDA.search(text)
    return [f"-I{folder}" for folder in headers()] if wanted else []


def _missing_header(log: str) -> str:
    """The packages to install where a header of CUDA was not found."""
    if not _NOT_FOUND.search(log):
        return ""
    return (
        "\nCUDA's headers come with a toolkit (CUDA_HOME), or: pip install 'nvidia-cuda-runtime>=13,<14' "
        "'nvidia-cuda-cccl>=13,<14' 'nvidia-cuda-crt>=13,<14' 'nvidia-curand'; for CUDA 12 nvidia-cuda-runtime-cu12 and so on"
    )


def _extents(what: str, given: Any) -> list[int]:
    if not isinstance(given, (tuple, list)) or not 1 <= len(given) <= 3:
        raise TypeError(f"[RawKernel] the {what} is a tuple of one to three integers, not {given!r}")
    out = [int(x) for x in given]
    if any(x < 1 or x >= 1 << 31 for x in out):
        raise ValueError(f"[RawKernel] every extent of the {what} is at least 1, not {given!r}")
    return out + [1] * (3 - len(out))


def argument(x: Any) -> Any:
    """An argument for the core: an array, its bytes, or a Python integer, which takes the size of the parameter."""
    if type(x) is _core.ndarray or type(x) is int:
        return x
    if isinstance(x, MemoryPointer):
        return int(x.ptr)
    if isinstance(x, np.generic):
        return x.tobytes()
    if isinstance(x, (bool, float, complex)):
        return np.asarray(x).tobytes()
    if isinstance(x, np.ndarray):
        raise TypeError("[RawKernel] NumPy's arrays are in host memory: pass bc.asarray(x)")
    if hasattr(x, "__cuda_array_interface__"):
        import bascule

        return bascule.asarray(x)
    raise TypeError(f"[RawKernel] expected arrays and numbers, got {type(x).__name__}")


def device_of(args: Any) -> str:
    """The device of the first array, else the default device."""
    return next((x.device for x in args if type(x) is _core.ndarray), config.device)


def _code_of(code: Any, what: str) -> str:
    if not isinstance(code, str):
        raise TypeError(f"[{what}] the code is a str, not {type(code).__name__}")
    return code


def _checked_options(options: Any, backend: str, what: str) -> tuple[str, ...]:
    if isinstance(options, str) or not all(isinstance(o, str) for o in options):
        raise TypeError(f"[{what}] options is a tuple of str, not {options!r}")
    if backend != "nvrtc":
        if backend == "nvcc":
            raise NotImplementedError(f"[{what}] backend='nvcc' is not supported: 'nvrtc' compiles without a toolkit")
        raise ValueError(f"[{what}] the backend is 'nvrtc', not {backend!r}")
    return tuple(options)


class RawKernel:
    """A user-defined kernel: a function ``extern "C" __global__ void`` in CUDA C++.

    On a CUDA device NVRTC compiles it. On the CPU device the C++ compiler does, and its threads run one after the
    other, so that kernels can be written without a GPU.

    Parameters
    ----------
    code : str
        Source code.
    name : str
        Name of the function.
    options : tuple of str, optional
        Options of NVRTC, such as ``("-DN=4",)``. On the CPU device those for GPU code are ignored.
    backend : str, optional
        'nvrtc' only.
    enable_cooperative_groups : bool, optional
        False only.

    Examples
    --------
    >>> import bascule as bc
    >>> add = bc.RawKernel('''
    ... extern "C" __global__ void add(const float* x, const float* y, float* z) {
    ...     int i = blockDim.x * blockIdx.x + threadIdx.x;
    ...     z[i] = x[i] + y[i];
    ... }''', "add")
    >>> x = bc.arange(8, dtype="float32")
    >>> z = bc.zeros(8, dtype="float32")
    >>> add((2,), (4,), (x, x, z))
    >>> z.tolist()
    [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]
    """

    def __init__(
        self, code: str, name: str, options: tuple[str, ...] = (), backend: str = "nvrtc", *,
        translate_cucomplex: bool = False, enable_cooperative_groups: bool = False, jitify: bool = False,
    ) -> None:  # fmt: skip
        module = RawModule(
            code=code, options=options, backend=backend, translate_cucomplex=translate_cucomplex,
            enable_cooperative_groups=enable_cooperative_groups, jitify=jitify,
        )  # fmt: skip
        module._file = f"{name}.cu"
        self._set(module, name)

    def _set(self, module: RawModule, name: str) -> RawKernel:
        self._module, self._name = module, name
        self._functions: dict[str, int] = {}
        self._wishes: dict[int, int] = {}
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_functions": {}}  # handles belong to this process

    name = property(lambda self: self._name, doc="The function's name.")
    code = property(lambda self: self._module.code, doc="The source code.")
    options = property(lambda self: self._module.options, doc="The compiler's options.")
    backend = property(lambda self: self._module.backend, doc="The compiler.")
    file_path = property(lambda self: None, doc="None, as the kernel has no file.")

    def _on(self, device: str) -> int:
        found = self._functions.get(device)
        if found is None:
            found = _core.find_kernel(device, self._module._on(device), self._name)
            for which, value in self._wishes.items():
                _core.set_kernel_attribute(device, found, which, value)
            self._functions[device] = found
        return found

    def compile(self, log_stream: Any = None) -> None:
        """Compile for the default device; otherwise the first call does."""
        self._on(config.device)

    def __call__(self, grid: Any, block: Any, args: Any, *, shared_mem: int = 0, stream: Any = None) -> None:
        """Run the kernel on the device of its arrays.

        Parameters
        ----------
        grid, block : tuple of int
            Numbers of blocks, and of threads per block, along one to three axes.
        args : tuple
            Arrays, passed as the address of their first element, and numbers: NumPy's have their type, a Python float
            is a double, and a Python integer has the size of the parameter (64 bits if the driver does not report it).
        shared_mem : int, optional
            Bytes of dynamic ``extern __shared__`` memory.
        stream : Stream, optional
            Stream to run on; by default the current one.
        """
        if not isinstance(args, (tuple, list)):
            raise TypeError(f"[RawKernel] the arguments come in a tuple, not {type(args).__name__}")
        given = tuple(argument(x) for x in args)
        device = device_of(given)
        with stream if stream is not None else nullcontext():
            _core.launch_kernel(
                device, self._on(device), _extents("grid", grid), _extents("block", block), int(shared_mem), given
            )

    def _attribute(self, which: int) -> int:
        device = config.device
        return _core.kernel_attribute(device, self._on(device), which)

    def _wish(self, which: int, value: int) -> None:
        device = config.device
        _core.set_kernel_attribute(device, self._on(device), which, int(value))
        self._wishes[which] = int(value)

    @property
    def attributes(self) -> dict[str, int]:
        """Properties of the compiled kernel, by name. On the CPU device there are no registers and versions."""
        found = {}
        for which, name in enumerate(_ATTRIBUTES):
            try:
                found[name] = self._attribute(which)
            except NotImplementedError:
                continue
        return found

    max_threads_per_block = property(lambda self: self._attribute(0), doc="Maximum number of threads per block.")
    shared_size_bytes = property(lambda self: self._attribute(1), doc="Bytes of static shared memory.")
    const_size_bytes = property(lambda self: self._attribute(2), doc="Bytes of constant memory.")
    local_size_bytes = property(lambda self: self._attribute(3), doc="Bytes of local memory per thread.")
    num_regs = property(lambda self: self._attribute(4), doc="Registers per thread.")
    ptx_version = property(lambda self: self._attribute(5), doc="PTX version, 10 * major + minor.")
    binary_version = property(lambda self: self._attribute(6), doc="Version of the compiled code, 10 * major + minor.")
    cache_mode_ca = property(lambda self: self._attribute(7), doc="Whether loads are cached.")
    max_dynamic_shared_size_bytes = property(
        lambda self: self._attribute(8),
        lambda self, v: self._wish(8, v),
        doc="Maximum of `shared_mem`; can be set.",
    )
    preferred_shared_memory_carveout = property(
        lambda self: self._attribute(9),
        lambda self, v: self._wish(9, v),
        doc="Share of the cache in percent; can be set.",
    )


class RawModule:
    """CUDA C++ source code with several kernels and device variables.

    Parameters
    ----------
    code : str
        Source code.
    options : tuple of str, optional
        Options of NVRTC.
    backend : str, optional
        'nvrtc' only.
    name_expressions : sequence of str, optional
        Template instantiations, such as ``"scale<float>"``, to get by `get_function`.
    path, translate_cucomplex, enable_cooperative_groups, jitify
        Not supported: NotImplementedError, with the reason and what to do instead.

    Examples
    --------
    >>> import bascule as bc
    >>> module = bc.RawModule(code='''
    ... template <class T> __global__ void scale(T* x, T by) { x[threadIdx.x] *= by; }
    ... ''', name_expressions=["scale<float>", "scale<long long>"])
    >>> x = bc.arange(3)
    >>> module.get_function("scale<long long>")((1,), (3,), (x, 10))
    >>> x.tolist()
    [0, 10, 20]
    """

    def __init__(
        self, code: str | None = None, *, path: str | None = None, options: tuple[str, ...] = (), backend: str = "nvrtc",
        translate_cucomplex: bool = False, enable_cooperative_groups: bool = False, name_expressions: Any = None,
        jitify: bool = False,
    ) -> None:  # fmt: skip
        if (code is None) == (path is None):
            raise TypeError("[RawModule] expected exactly one of code and path")
        refused = {
            "path": (path, "compiled files hold code for one GPU only; pass the source code"),
            "translate_cucomplex": (translate_cucomplex, "include <cupy/complex.cuh> and use complex<T>"),
            "jitify": (jitify, "NVRTC compiles the source code as it is"),
            "enable_cooperative_groups": (enable_cooperative_groups, "kernels are launched without a grid barrier"),
        }
        for name, (value, why) in refused.items():
            if value:
                raise NotImplementedError(f"[RawModule] {name}= is not supported: {why}")
        self.code = _code_of(code, "RawModule")
        self.options = _checked_options(options, backend, "RawModule")
        self.backend = backend
        self.name_expressions = tuple(name_expressions or ())
        self.file_path = None
        self._file = "module.cu"

    def _on(self, device: str) -> int:
        return program_on(device, self._file, self.code, self.options, self.name_expressions)

    def compile(self, log_stream: Any = None) -> None:
        """Compile for the default device; otherwise the first use does."""
        self._on(config.device)

    def get_function(self, name: str) -> RawKernel:
        """Get a kernel by its name: that of an ``extern "C"`` function, or one of `name_expressions`."""
        if not isinstance(name, str):
            raise TypeError(f"[RawModule] a kernel's name is a str, not {type(name).__name__}")
        kernel = RawKernel.__new__(RawKernel)._set(self, name)
        kernel._on(config.device)
        return kernel

    def get_global(self, name: str) -> MemoryPointer:
        """Get a ``__device__`` or ``__constant__`` variable, over which ``bc.ndarray(shape, dtype, pointer)`` is an
        array."""
        device = config.device
        address, size = _core.find_variable(device, self._on(device), name)
        return MemoryPointer(address, size, device, self)
