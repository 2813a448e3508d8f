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
from . import special as special
from . import testing as testing
from . import typing as typing
from ._core import __version__ as __version__
from ._core import _Binary, _BinaryPair, _Product, _UnaryPair
from ._core import ndarray as ndarray
from ._core import ufunc as ufunc
from .arithmetic import *
from .arithmetic import round as round
from .bits import *
from .calculus import *
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
from .creation import *
from .creation import asarray as asarray
from .dtypes import *
from .dtypes import __array_api_version__ as __array_api_version__
from .dtypes import __array_namespace_info__ as __array_namespace_info__
from .editing import *
from .fallback import FallbackWarning as FallbackWarning
from .fallback import fallbacks as fallbacks
from .filters import *
from .functional import *
from .histograms import *
from .histograms_nd import *
from .interop import from_dlpack as from_dlpack
from .lib import scimath as _scimath
from .linalg.einstein import *
from .linalg.products import *
from .manipulation import *
from .manipulation import concatenate as concatenate
from .manipulation import transpose as transpose
from .moments import *
from .npy import *
from .ordered import *
from .padding import *
from .polynomials import *
from .positions import *
from .quantiles import *
from .reductions import *
from .reductions import max as max
from .reductions import min as min
from .selection import *
from .sets import *
from .spacings import *
from .stencils import stencil as stencil
from .text import *
from .text_files import *
from .ufuncs import *
from .vectorizing import vectorize as vectorize

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
