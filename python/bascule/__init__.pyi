# The namespace, for those who do not run it: most of its modules are imported when a name of theirs is first asked for.

# isort: off
from numpy import (
    False_ as False_, ScalarType as ScalarType, True_ as True_, asmatrix as asmatrix, bmat as bmat, bool_ as bool_,
    broadcast as broadcast, broadcast_shapes as broadcast_shapes, busday_count as busday_count,
    busday_offset as busday_offset, busdaycalendar as busdaycalendar, bytes_ as bytes_, char as char,
    character as character, clongdouble as clongdouble, complex64 as complex64, complex128 as complex128,
    complex256 as complex256, complexfloating as complexfloating, ctypeslib as ctypeslib, datetime64 as datetime64,
    double as double, dtypes as dtypes, e as e, errstate as errstate, euler_gamma as euler_gamma,
    f2py as f2py, flatiter as flatiter, flexible as flexible, float16 as float16, float32 as float32,
    float64 as float64, float128 as float128, floating as floating, frompyfunc as frompyfunc, fromregex as fromregex,
    generic as generic, get_printoptions as get_printoptions, geterr as geterr, geterrcall as geterrcall, half as half,
    inexact as inexact, inf as inf, int8 as int8, int16 as int16, int32 as int32, int64 as int64, integer as integer,
    intp as intp, is_busday as is_busday, little_endian as little_endian, long as long, longdouble as longdouble,
    ma as ma, matrix as matrix, memmap as memmap, nan as nan, ndenumerate as ndenumerate, nditer as nditer,
    nested_iters as nested_iters, newaxis as newaxis, number as number, object_ as object_, pi as pi, poly1d as poly1d,
    printoptions as printoptions, rec as rec, recarray as recarray, record as record, sctypeDict as sctypeDict,
    set_printoptions as set_printoptions, seterr as seterr, seterrcall as seterrcall, signedinteger as signedinteger,
    single as single, str_ as str_, strings as strings, test as test, timedelta64 as timedelta64,
    typecodes as typecodes, uint8 as uint8, uint16 as uint16, uint32 as uint32, uint64 as uint64, uintp as uintp,
    ulong as ulong, unsignedinteger as unsignedinteger, void as void,
)  # fmt: skip
# isort: on

from . import array_api as array_api
from . import core as core
from . import cuda as cuda
from . import exceptions as exceptions
from . import fallback as fallback
from . import fft as fft
from . import lib as lib
from . import linalg as linalg
from . import plot as plot
from . import polynomial as polynomial
from . import random as random
from . import sched as sched
from . import special as special
from . import testing as testing
from . import typing as typing
from ._array.printing import *
from ._array.types import _Binary, _BinaryPair, _Product, _UnaryPair
from ._array.ufuncs import *
from ._core import __version__ as __version__
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
from .lib.bits import packbits as packbits
from .lib.bits import unpackbits as unpackbits
from .lib.calculus import *
from .lib.comparison import *
from .lib.convolve_windows import *
from .lib.covariance import *
from .lib.creation.filled import *
from .lib.creation.from_data import *
from .lib.creation.from_data import asarray as asarray
from .lib.creation.matrices import *
from .lib.creation.ranges import *
from .lib.functional import *
from .lib.histograms import *
from .lib.histograms_nd import *
from .lib.index_tricks import *
from .lib.insert_delete import *
from .lib.logspace import *
from .lib.manipulation.joining import *
from .lib.manipulation.joining import concatenate as concatenate
from .lib.manipulation.rearranging import *
from .lib.manipulation.shapes import *
from .lib.manipulation.shapes import transpose as transpose
from .lib.manipulation.splitting import *
from .lib.padding import *
from .lib.polynomials import *
from .lib.quantiles import *
from .lib.reductions.cumulative import *
from .lib.reductions.extrema import *
from .lib.reductions.extrema import max as max
from .lib.reductions.extrema import min as min
from .lib.reductions.moments import *
from .lib.reductions.nan import *
from .lib.reductions.sums import *
from .lib.selection.properties import *
from .lib.selection.taking import *
from .lib.selection.writing import *
from .lib.sets import *
from .lib.sorting import *
from .linalg.contractions import *
from .linalg.einstein import *
from .profiling import profile as profile
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
