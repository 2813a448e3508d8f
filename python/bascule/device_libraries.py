"""Folders in which the CUDA device looks at run time for its plug-in, NVIDIA's libraries and its compiled kernels.

Nothing is opened here: the device tries these folders, in this order, when it is first used.
"""

from __future__ import annotations

import os
import sys

from . import _core

# Folders of pip's packages below site-packages: one for all of CUDA 13, one per library for CUDA 12.
_OF_CUDA_12 = ("cuda_nvrtc", "cublas", "cusolver", "cufft", "cusparse", "nvjitlink", "nvtx")
PACKAGES = ("nvidia/cu13/lib", *(f"nvidia/{library}/lib" for library in _OF_CUDA_12))


def plugin() -> str:
    """The folder of the device's own library: next to the core, in an installation and in an editable one."""
    return os.path.dirname(os.path.abspath(_core.__file__))


def driver() -> str:
    """The file of CUDA's driver: the one the user sets, or that of the system."""
    return os.environ.get("BASCULE_CUDA_DRIVER") or "libcuda.so.1"


def libraries() -> list[str]:
    """The folders of NVIDIA's libraries: those the user sets, then pip's packages, then toolkits."""
    environment = os.environ.get
    found = [p for p in environment("BASCULE_CUDA_LIBS", "").split(os.pathsep) if p]
    found += [os.path.join(p, *package.split("/")) for p in dict.fromkeys(sys.path) if p for package in PACKAGES]
    homes = [home for home in (environment("CUDA_HOME"), environment("CUDA_PATH"), "/usr/local/cuda") if home]
    found += [os.path.join(home, lib) for home in dict.fromkeys(homes) for lib in ("lib64", "lib")]
    return found


# Packages that hold headers, of CUDA 12.
_HEADERS_OF_CUDA_12 = ("cuda_runtime", "cuda_cccl", "curand")


def headers() -> list[str]:
    """The folders of CUDA's headers that are there, for programs of the user's own: pip's packages, then toolkits."""
    packages = ["nvidia/cu13", *(f"nvidia/{package}" for package in _HEADERS_OF_CUDA_12)]
    roots = [os.path.join(p, *package.split("/")) for p in dict.fromkeys(sys.path) if p for package in packages]
    roots += [h for h in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda") if h]
    found = [os.path.join(root, "include", part) for root in dict.fromkeys(roots) for part in ("", "cccl")]
    return [folder for folder in found if os.path.isdir(folder)]


def kernel_cache() -> str:
    """The folder of compiled kernels; empty where there is none."""
    asked = os.environ.get("BASCULE_CACHE_DIR")
    if asked is not None:
        return asked
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "bascule") if os.path.isabs(base) else ""


_core.set_plugin_directories(plugin(), libraries(), kernel_cache())
