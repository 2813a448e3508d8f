# The namespace: what is imported from a module here is written out there, or has its types in its source.

from . import array_api as array_api
from . import core as core
from . import exceptions as exceptions
from . import fallback as fallback
from . import fft as fft
from . import lib as lib
from . import linalg as linalg
from . import polynomial as polynomial
from . import random as random
from . import sched as sched
from . import special as special
from . import testing as testing
from . import typing as typing
from ._array.printing import *
from ._array.ufuncs import *
from ._core import __version__ as __version__
from ._core import _Binary, _BinaryPair, _Product, _UnaryPair
from ._core import ndarray as ndarray
from ._core import ufunc as ufunc
from .config import config as config
from .config import device as device
from .config import evaluate as evaluate
from .config import explain as explain
from .config import fastmath as fastmath
from .config import get_num_threads as get_num_threads
from .config import set_num_threads as set_num_threads
from .config import synchronize as synchronize
from .config import trim as trim
from .coverage_table import coverage as coverage
from .dtypes import *
from .dtypes import __array_api_version__ as __array_api_version__
from .dtypes import __array_namespace_info__ as __array_namespace_info__
from .fallback import FallbackWarning as FallbackWarning
from .fallback import fallbacks as fallbacks
from .interop.accelerated import accelerate as accelerate
from .interop.dlpack import from_dlpack as from_dlpack
from .io.npy import *
from .io.text_files import *
from .lib import scimath as _scimath
from .lib.arithmetic import *
from .lib.arithmetic import round as round
from .lib.bits import *
from .lib.calculus import *
from .lib.convolve_windows import *
from .lib.covariance import *
from .lib.creation import *
from .lib.creation import asarray as asarray
from .lib.functional import *
from .lib.histograms import *
from .lib.histograms_nd import *
from .lib.index_tricks import *
from .lib.insert_delete import *
from .lib.logspace import *
from .lib.manipulation import *
from .lib.manipulation import concatenate as concatenate
from .lib.manipulation import transpose as transpose
from .lib.padding import *
from .lib.polynomials import *
from .lib.quantiles import *
from .lib.reductions import *
from .lib.reductions import max as max
from .lib.reductions import min as min
from .lib.selection import *
from .lib.sets import *
from .lib.sorting import *
from .linalg.einstein import *
from .linalg.products import *
from .tracing.stencil import stencil as stencil
from .tracing.vectorize import vectorize as vectorize

divmod: _BinaryPair
frexp: _UnaryPair
ldexp: _Binary
matmul: _Product
matvec: _Product
modf: _UnaryPair
vecdot: _Product
vecmat: _Product

amax = max
amin = min
around = round
asanyarray = asarray
concat = concatenate
emath = _scimath
permute_dims = transpose
