"""A state machine that applies the same operations, mainly views and writes, to bascule and NumPy arrays and compares
them.

A pair is an array of each library. Every step acts on both. Depending on the run, values are compared after every step
or only sometimes: reading a value evaluates it, and the errors to be found are in pending operations.
"""

import bascule as bc
import numpy as np
import pytest
from bascule import _core
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

SHAPES = [(), (0,), (3, 0), (7,), (64,), (5, 6), (6, 6), (3, 4, 5), (2, 3, 2, 3), (33, 17), (95, 95), (9000,)]
DTYPES = ["f8", "f4", "i8", "i4", "u1", "i1", "b1", "c16", "f2"]
BINARY = [
    "add",
    "subtract",
    "multiply",
    "maximum",
    "minimum",
    "less",
    "equal",
    "not_equal",
    "logical_and",
    "bitwise_xor",
]
UNARY = ["negative", "absolute", "square", "logical_not", "sign", "floor"]
IN_PLACE = ["__iadd__", "__isub__", "__imul__", "__ixor__", "__iand__"]
SCALARS = [0, 1, -3, 2.5, True, 300]
LARGEST = 20_000
numbers = st.integers(0, 2**20)


def values(shape, dtype, seed):
    r = np.random.default_rng(seed)
    v = r.integers(0, 2, shape) if dtype == "b1" else r.integers(-9, 10, shape)
    return np.asarray(v).astype(dtype)


def slice_from(n, length):
    """A random slice of an axis; steps may be negative and the result empty."""
    if length == 0:
        return slice(None)
    start, stop, step = n % (length + 1), (n // 7) % (length + 1), (1, 1, 2, 3, -1, -2)[(n // 64) % 6]
    kind = (n // 512) % 4
    if kind == 0:
        return slice(None, None, step)
    if kind == 1:
        return slice(start, None, step) if step > 0 else slice(None, None, step)
    return slice(*((min(start, stop), max(start, stop)) if step > 0 else (max(start, stop), min(start, stop))), step)


def basic_key(n, shape):
    key = []
    for axis, length in enumerate(shape):
        m = (n * 2654435761 + axis * 40503) >> 3 & 0xFFFFF
        key.append(m % length if length and m % 5 == 0 else slice_from(m, length))
    if n % 11 == 0:
        key.insert(0, None)
    if n % 13 == 0 and shape:
        key = [*key[:1], Ellipsis]
    return tuple(key)


def strides_that_matter(shape, strides):
    """The strides of axes longer than one element."""
    return () if 0 in shape else tuple(s for n, s in zip(shape, strides, strict=True) if n > 1)


def check(ours, theirs):
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    assert strides_that_matter(ours.shape, ours.strides) == strides_that_matter(theirs.shape, theirs.strides)


def check_values(ours, theirs):
    got = np.array(_core.to_numpy(ours))
    np.testing.assert_array_equal(got, theirs, strict=True)
    if theirs.dtype.kind == "f":
        numbers = ~np.isnan(theirs)
        np.testing.assert_array_equal(np.signbit(got[numbers]), np.signbit(theirs[numbers]))


def both(act, ours, theirs):
    """The two results of an action, or None if both libraries refuse it."""
    try:
        with np.errstate(all="ignore"):
            expected = act(*theirs)
    except (TypeError, ValueError, IndexError, OverflowError) as e:
        family = next(c for c in (TypeError, IndexError, OverflowError, ValueError) if isinstance(e, c))
        with pytest.raises(family), np.errstate(all="ignore"):
            act(*ours)
        return None
    with np.errstate(all="ignore"):
        return act(*ours), expected


class AliasingMachine(RuleBasedStateMachine):
    @initialize(
        seed=numbers,
        eager_below=st.sampled_from([0, 16, 8192]),
        fusion=st.sampled_from([True, True, False]),
        every_step=st.booleans(),
    )
    def start(self, seed, eager_below, fusion, every_step):
        _core.set_eager_below(eager_below)
        _core.set_fusion(fusion)
        self.every_step = every_step
        self.exported = []
        self.pairs = []
        for k in range(3):
            self.make(seed + k, seed // 3 + 5 * k)

    def teardown(self):
        try:
            for ours, theirs in getattr(self, "pairs", []):
                check_values(ours, theirs)
            self.compare_exports()
        finally:
            _core.set_eager_below(8192)
            _core.set_fusion(True)

    # ---- inputs of the rules

    def make(self, n, m):
        theirs = values(SHAPES[n % len(SHAPES)], DTYPES[m % len(DTYPES)], n)
        self.keep(bc.array(theirs), theirs)

    def keep(self, ours, theirs):
        if isinstance(theirs, np.generic):
            assert type(ours) is type(theirs)
            ours = bc.asarray(ours)
        theirs = np.asarray(theirs)
        check(ours, theirs)
        if len(self.pairs) >= 9:
            del self.pairs[theirs.size % 9]
        self.pairs.append((ours, theirs))

    def keep_both(self, result):
        if result is not None:
            self.keep(*result)

    def pick(self, n):
        return self.pairs[n % len(self.pairs)]

    def partner(self, n, theirs):
        """An array that broadcasts with `theirs` if there is one: mostly one of its own views or bases."""
        fitting = [p for p in self.pairs if p[1].shape == theirs.shape] or self.pairs
        return fitting[n % len(fitting)]

    def small(self, *arrays):
        try:
            return np.prod(np.broadcast_shapes(*(a.shape for a in arrays)), dtype=int) <= LARGEST
        except ValueError:
            return True

    def compare_exports(self):
        for shared, theirs in self.exported:
            np.testing.assert_array_equal(shared, theirs, strict=True)

    # ---- new arrays and views

    @rule(n=numbers, m=numbers)
    def create(self, n, m):
        self.make(n, m)

    @rule(n=numbers)
    def create_lazily(self, n):
        shape, dtype = SHAPES[n % len(SHAPES)], DTYPES[n // 64 % 6]
        if n % 2:
            self.keep(bc.full(shape, n % 9, dtype=dtype), np.full(shape, n % 9, dtype=dtype))
        else:
            self.keep(bc.arange(n % 99, dtype="i8"), np.arange(n % 99))

    @rule(n=numbers, key=numbers)
    def slice_it(self, n, key):
        ours, theirs = self.pick(n)
        key = basic_key(key, theirs.shape)
        if all(isinstance(k, int) for k in key):
            return
        self.keep(ours[key], theirs[key])

    @rule(n=numbers, m=numbers)
    def transpose_it(self, n, m):
        ours, theirs = self.pick(n)
        axes = tuple(int(a) for a in np.random.default_rng(m).permutation(theirs.ndim))
        self.keep(ours.transpose(axes), theirs.transpose(axes))

    @rule(n=numbers, m=numbers)
    def reshape_it(self, n, m):
        ours, theirs = self.pick(n)
        size = theirs.size
        shapes = [(size,), (1, size), (size, 1)]
        shapes += [(d, size // d) for d in (2, 3, 5, 7) if size and size % d == 0]
        shape, order = shapes[m % len(shapes)], "CF"[m // 32 % 2]
        self.keep(ours.reshape(shape, order=order), theirs.reshape(shape, order=order))

    @rule(n=numbers, m=numbers)
    def broadcast_it(self, n, m):
        ours, theirs = self.pick(n)
        if theirs.size > 500 or theirs.ndim > 4:
            return
        shape = (m % 3 + 1, *(m % 4 + 2 if d == 1 else d for d in theirs.shape))
        self.keep(bc.broadcast_to(ours, shape), np.broadcast_to(theirs, shape))

    @rule(n=numbers, m=numbers)
    def cast_it(self, n, m):
        ours, theirs = self.pick(n)
        dtype = DTYPES[m % len(DTYPES)]
        if theirs.dtype.kind == "c" and dtype != "c16":
            return
        if theirs.dtype.kind == "f" and np.dtype(dtype).kind in "iu" and not np.all(np.abs(theirs) < 100):
            return
        if dtype == "u1" and theirs.dtype.kind == "f" and not np.all(theirs >= 0):
            return
        self.keep_both(both(lambda a: a.astype(dtype), [ours], [theirs]))

    @rule(n=numbers)
    def copy_it(self, n):
        ours, theirs = self.pick(n)
        self.keep(ours.copy(), theirs.copy())

    # ---- computing

    @rule(n=numbers, m=numbers, op=st.sampled_from(BINARY))
    def combine(self, n, m, op):
        ours, theirs = self.pick(n)
        other_ours, other_theirs = self.partner(m, theirs)
        if self.small(theirs, other_theirs):
            act = lambda lib: lambda a, b: getattr(lib, op)(a, b)
            self.keep_both(self.from_each(act, [ours, other_ours], [theirs, other_theirs]))

    @rule(n=numbers, op=st.sampled_from(BINARY), scalar=st.sampled_from(SCALARS))
    def combine_with_scalar(self, n, op, scalar):
        ours, theirs = self.pick(n)
        self.keep_both(self.from_each(lambda lib: lambda a: getattr(lib, op)(a, scalar), [ours], [theirs]))

    @rule(n=numbers, op=st.sampled_from(UNARY))
    def transform(self, n, op):
        ours, theirs = self.pick(n)
        if theirs.dtype.kind == "c" and op in ("absolute", "square", "sign"):
            return  # equal within some ULP only
        self.keep_both(self.from_each(lambda lib: lambda a: getattr(lib, op)(a), [ours], [theirs]))

    @rule(n=numbers, m=numbers, k=numbers)
    def choose(self, n, m, k):
        ours, theirs = self.pick(n)
        x, y = self.partner(m, theirs), self.partner(k, theirs)
        if self.small(theirs, x[1], y[1]):
            act = lambda lib: lambda c, a, b: lib.where(c != 0, a, b)
            self.keep_both(self.from_each(act, [ours, x[0], y[0]], [theirs, x[1], y[1]]))

    @rule(n=numbers, m=numbers, how=st.sampled_from(["sum", "max", "min", "any", "all"]))
    def reduce_it(self, n, m, how):
        ours, theirs = self.pick(n)
        if theirs.dtype.kind in "fc" and (how == "sum" or theirs.dtype.kind == "c"):
            return  # sums of general layouts are tested separately
        axis = None if m % 3 == 0 or theirs.ndim == 0 else m % theirs.ndim
        result = both(lambda a: getattr(a, how)(axis=axis), [ours], [theirs])
        if result is not None:
            self.keep(*result)

    def from_each(self, act, ours, theirs):
        try:
            with np.errstate(all="ignore"):
                expected = act(np)(*theirs)
        except (TypeError, ValueError, OverflowError) as e:
            family = next(c for c in (TypeError, OverflowError, ValueError) if isinstance(e, c))
            with pytest.raises(family), np.errstate(all="ignore"):
                act(bc)(*ours)
            return None
        with np.errstate(all="ignore"):
            return act(bc)(*ours), expected

    # ---- writing

    @rule(n=numbers, key=numbers, m=numbers)
    def write_part(self, n, key, m):
        ours, theirs = self.pick(n)
        key = basic_key(key, theirs.shape)
        if m % 2:
            value = theirs.dtype.type(m % 7)
            both(lambda a: a.__setitem__(key, value), [ours], [theirs])
            return
        x, y = self.partner(m // 2, theirs[key])
        if y.ndim and all(isinstance(k, int) for k in key):
            return  # NumPy treats such a value as a sequence, with other errors
        if self.casts_well(y, theirs):
            both(lambda a, b: a.__setitem__(key, b), [ours, x], [theirs, y])

    @rule(n=numbers, m=numbers, step=st.integers(1, 4), keys=st.lists(numbers, min_size=1, max_size=6))
    def fill_new_by_parts(self, n, m, step, keys):
        """Writes to parts of a pending array: adjacent, overlapping, with reads in between."""
        source = self.pick(n)
        if source[1].ndim == 0 or source[1].size * step > LARGEST or source[1].dtype.kind == "b":
            return
        shape = (*source[1].shape[:-1], source[1].shape[-1] * step)
        new = [self.new_for_parts(lib, x, shape, m) for lib, x in zip((bc, np), source, strict=True)]
        self.keep(*new)
        for k, key in enumerate(keys):
            act = self.store_of_part(step, k, key)
            both(act, [new[0], source[0]], [new[1], source[1]])
            if key % 7 == 0:
                self.keep(new[0] + new[0], new[1] + new[1])
            elif key % 7 == 1:
                self.keep(new[0][..., 1:], new[1][..., 1:])

    @staticmethod
    def new_for_parts(lib, source, shape, m):
        if shape == source.shape and m % 3 == 0:
            return source.copy()
        order = "F" if m % 5 == 0 else "C"
        return lib.full(shape, m % 4, dtype=source.dtype, order=order)

    @staticmethod
    def store_of_part(step, k, key):
        one = key % 5
        if key % 8 == 0:
            return lambda a, b: a.__setitem__((..., slice(None, None, step)), a[..., key % step :: step])
        if key % 8 == 1:
            frame = slice(key % 2, -1)
            return lambda a, b: a.__setitem__((..., frame), a.dtype.type(one))
        if key % 8 == 2:
            return lambda a, b: a.__setitem__(slice(1, -1), b[1:-1].sum(axis=-1, keepdims=True).astype(a.dtype))
        place = (..., slice((key if key % 3 == 0 else k) % step, None, step))
        return lambda a, b: a.__setitem__(place, b + b.dtype.type(one) if key % 2 else b)

    @rule(n=numbers, m=numbers)
    def write_all(self, n, m):
        ours, theirs = self.pick(n)
        x, y = self.partner(m, theirs)
        if self.casts_well(y, theirs):
            both(lambda a, b: a.__setitem__(Ellipsis, b), [ours, x], [theirs, y])

    @rule(n=numbers, m=numbers)
    def write_computed(self, n, m):
        """The value is computed from the array itself and another one, and no variable refers to it."""
        ours, theirs = self.pick(n)
        x, y = self.partner(m, theirs)
        if theirs.dtype.kind != "b" and self.casts_well(y, theirs) and self.small(theirs, y):
            both(lambda a, b: a.__setitem__(Ellipsis, a * 2 - b), [ours, x], [theirs, y])

    @rule(n=numbers, m=numbers, op=st.sampled_from(IN_PLACE))
    def write_in_place(self, n, m, op):
        ours, theirs = self.pick(n)
        if m % 3 == 0:
            scalar = SCALARS[m % len(SCALARS)]
            self.in_place(ours, theirs, op, scalar, scalar)
        else:
            self.in_place(ours, theirs, op, *self.partner(m, theirs))

    def in_place(self, ours, theirs, op, x, y):
        if _core.is_scalar(ours) or (theirs.ndim == 0 and isinstance(y, np.ndarray) and y.ndim):
            return
        both(lambda a, b: self.call_in_place(a, op, b), [ours, x], [theirs, y])

    @staticmethod
    def call_in_place(a, op, b):
        if getattr(a, op)(b) is NotImplemented:
            raise TypeError

    @rule(n=numbers, key=numbers, m=numbers)
    def write_view_in_place(self, n, key, m):
        ours, theirs = self.pick(n)
        key = basic_key(key, theirs.shape)
        if all(isinstance(k, int) for k in key):
            return
        self.in_place(ours[key], theirs[key], "__iadd__", *self.partner(m, theirs[key]))

    @rule(n=numbers, m=numbers, k=numbers, op=st.sampled_from(["add", "subtract", "maximum", "multiply"]))
    def write_out(self, n, m, k, op):
        ours, theirs = self.pick(n)
        x, y = self.partner(m, theirs), self.partner(k, theirs)
        act = lambda lib: lambda a, b, c: getattr(lib, op)(b, c, out=a)
        self.from_each(act, [ours, x[0], y[0]], [theirs, x[1], y[1]])

    @rule(n=numbers, m=numbers)
    def write_out_where(self, n, m):
        ours, theirs = self.pick(n)
        x, y = self.partner(m, theirs)
        act = lambda lib: lambda a, b: lib.add(a, b, out=a, where=b > 0)
        if y.dtype.kind != "c":
            self.from_each(act, [ours, x], [theirs, y])

    @rule(n=numbers, m=numbers, shift=st.integers(1, 4))
    def write_overlapping(self, n, m, shift):
        ours, theirs = self.pick(n)
        if theirs.ndim == 0 or theirs.shape[0] <= shift or theirs.dtype.kind == "b":
            return
        front, back, turned = slice(None, -shift), slice(shift, None), slice(None, None, -1)
        one = theirs.dtype.type(1)
        acts = [
            lambda a: a.__setitem__(back, a[front]),
            lambda a: a.__setitem__(front, a[back] + one),
            lambda a: a.__setitem__(Ellipsis, a[turned]),
            lambda a: a.__setitem__(turned, a + one),
            lambda a: self.call_in_place(a[back], "__iadd__", a[front]),
            lambda a: self.call_in_place(a, "__iadd__", a[turned]),
            lambda a: a.__setitem__(Ellipsis, a.T),
        ]
        both(acts[m % len(acts)], [ours], [theirs])

    @rule(n=numbers, m=numbers, seed=numbers)
    def write_masked(self, n, m, seed):
        ours, theirs = self.pick(n)
        if theirs.ndim == 0:
            return
        mask = np.random.default_rng(seed).random(theirs.shape) < 0.4
        if m % 3 == 0:
            both(lambda a, k: a.__setitem__(k, 3), [ours, bc.array(mask)], [theirs, mask])
        elif m % 3 == 1:
            x, y = self.partner(m, theirs)
            if y.shape == theirs.shape and self.casts_well(y, theirs):
                both(lambda a, k, b: a.__setitem__(k, b[k]), [ours, bc.array(mask), x], [theirs, mask, y])
        else:
            both(
                lambda a, k: a.__setitem__(k, a[k]),
                [ours, bc.array(mask[:, ...] if mask.ndim == 1 else mask.any(axis=tuple(range(1, mask.ndim))))],
                [theirs, mask if mask.ndim == 1 else mask.any(axis=tuple(range(1, mask.ndim)))],
            )

    @rule(n=numbers, m=numbers, seed=numbers)
    def write_at_positions(self, n, m, seed):
        ours, theirs = self.pick(n)
        if theirs.ndim == 0:
            return
        length = theirs.shape[0]
        positions = (
            np.random.default_rng(seed).integers(-length, length + (seed % 17 == 0), 6) if length else np.zeros(0, int)
        )
        if m % 2:
            both(lambda a, k: a.__setitem__(k, a[k] + a[k]), [ours, bc.array(positions)], [theirs, positions])
        else:
            both(lambda a, k: a.__setitem__(k, a[k[::-1]]), [ours, bc.array(positions)], [theirs, positions])

    @rule(n=numbers, m=numbers, seed=numbers)
    def read_at_positions(self, n, m, seed):
        ours, theirs = self.pick(n)
        if theirs.ndim == 0 or theirs.shape[0] == 0:
            return
        length = theirs.shape[0]
        if m % 2:
            positions = np.random.default_rng(seed).integers(-length, length, (2, 3))
            result = both(lambda a, k: a[k], [ours, bc.array(positions)], [theirs, positions])
        else:
            mask = np.random.default_rng(seed).random(length) < 0.5
            result = both(lambda a, k: a[k], [ours, bc.array(mask)], [theirs, mask])
        if result[1].size <= LARGEST:
            # NumPy does not define the layout of such a result.
            self.keep(result[0].copy(), result[1].copy())

    @staticmethod
    def casts_well(source, target):
        """Exclude casts whose value C does not define; the warning about lost imaginary parts has other tests."""
        if source.dtype.kind == "c" and target.dtype.kind != "c":
            return False
        if source.dtype.kind in "fc" and target.dtype.kind in "iu":
            return bool(np.all(np.abs(source) < 60)) and (target.dtype.kind == "i" or bool(np.all(source >= 0)))
        return True

    # ---- memory shared with NumPy

    @rule(n=numbers)
    def export(self, n):
        ours, theirs = self.pick(n)
        if len(self.exported) < 3:
            self.exported.append((np.asarray(ours), theirs[...]))

    @rule(n=numbers, m=numbers)
    def write_through_numpy(self, n, m):
        if not self.exported:
            return
        shared, theirs = self.exported[n % len(self.exported)]
        if not theirs.flags.writeable:
            return
        key = basic_key(m, theirs.shape)
        shared[key] = m % 5
        theirs[key] = m % 5

    @rule(n=numbers)
    def release(self, n):
        if self.exported:
            del self.exported[n % len(self.exported)]

    @rule(n=numbers, key=numbers)
    def import_again(self, n, key):
        if not self.exported:
            return
        shared, theirs = self.exported[n % len(self.exported)]
        key = basic_key(key, theirs.shape)
        if all(isinstance(k, int) for k in key):
            return
        self.keep(bc.asarray(shared[key], copy=False), theirs[key])

    @rule(n=numbers, shape=st.sampled_from(SHAPES), dtype=st.sampled_from(DTYPES))
    def share_numpy_memory(self, n, shape, dtype):
        if len(self.exported) < 3:
            theirs = values(shape, dtype, n)
            shared = theirs.copy()
            self.exported.append((shared, theirs))
            self.keep(bc.asarray(shared, copy=False), theirs)

    @rule(n=numbers, m=numbers)
    def mix_with_numpy(self, n, m):
        if not self.exported:
            return
        shared, mirror = self.exported[m % len(self.exported)]
        ours, theirs = self.partner(n, mirror)
        if self.small(theirs, mirror):
            self.keep_both(both(lambda a, b: a + b, [ours, shared], [theirs, mirror]))

    # ---- reading and deleting

    @rule(n=numbers)
    def read(self, n):
        check_values(*self.pick(n))

    @rule(n=numbers)
    def read_one(self, n):
        ours, theirs = self.pick(n)
        if theirs.size:
            at = tuple(n % d for d in theirs.shape)
            check_values(ours[at], np.asarray(theirs[at]))

    @rule(n=numbers)
    def forget(self, n):
        if len(self.pairs) > 3:
            del self.pairs[n % len(self.pairs)]

    @rule(eager_below=st.sampled_from([0, 16, 8192]))
    def change_what_is_small(self, eager_below):
        _core.set_eager_below(eager_below)

    @invariant()
    def layouts_agree(self):
        for ours, theirs in getattr(self, "pairs", []):
            check(ours, theirs)

    @invariant()
    def values_agree(self):
        if getattr(self, "every_step", False):
            for pair in self.pairs:
                check_values(*pair)
            self.compare_exports()


AliasingMachine.TestCase.settings = settings(
    max_examples=120,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
TestAliasing = AliasingMachine.TestCase
