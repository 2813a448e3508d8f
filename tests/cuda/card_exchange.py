"""Arrays exchanged with torch and CuPy on one card: values, streams, and the life of memory that both use.

    python tests/cuda/card_exchange.py [--small]

Without either library their parts are listed as not run, and bascule's own streams are checked.
"""

import gc
import importlib
import sys

import bascule as bc
import numpy as np

n = 1 << 12 if "--small" in sys.argv else 1 << 22
ROUNDS = 3 if "--small" in sys.argv else 30


def own_streams() -> None:
    x = bc.asarray(np.arange(float(n)))
    with bc.cuda.Stream():
        y = bc.evaluate(x * 2)
    assert (bc.evaluate(y + 1).get() == np.arange(float(n)) * 2 + 1).all()
    assert (bc.sort(bc.asarray(np.arange(n)[::-1].copy())).get() == np.arange(n)).all()
    first, second, sums = bc.cuda.Stream(non_blocking=True), bc.cuda.Stream(non_blocking=True), []
    for k in range(ROUNDS):  # what one stream makes is read and written on the other
        with first:
            z = bc.evaluate(x * k)
        with second:
            z += 1
            w = bc.evaluate(z * 2)
        del z
        sums.append(float(w.sum()))
    assert sums == [n * (n - 1.0) * k + 2 * n for k in range(ROUNDS)], sums


def memory_of_the_driver() -> None:
    bc.cuda.set_allocator("driver")
    own_streams()
    bc.cuda.set_allocator()


def values(other) -> None:
    a = np.random.default_rng(1).random(n)
    theirs = other.from_dlpack(bc.evaluate(bc.asarray(a) + 1))
    back = bc.from_dlpack(theirs * 2)
    assert (bc.evaluate(back - 1).get() == (a + 1) * 2 - 1).all()


def reused_memory(other) -> None:
    """A consumer reads memory that bascule has let go of, and the other way round."""
    for k in range(ROUNDS):
        x = bc.evaluate(bc.full(n, float(k)))
        theirs = other.from_dlpack(x)
        total = (theirs * 1).sum()
        del x, theirs
        gc.collect()
        bc.evaluate(bc.full(n, -1.0))
        assert float(total) == float(k) * n, (k, float(total))
        theirs = other.from_dlpack(bc.evaluate(bc.full(n, float(k)))) * 1
        ours = bc.from_dlpack(theirs)
        total = bc.evaluate(ours.sum())
        del theirs, ours
        gc.collect()
        other.from_dlpack(bc.evaluate(bc.full(n, -1.0))) * 3
        assert float(total) == float(k) * n, (k, float(total))


def fails(name: str, check, *given) -> bool:
    try:
        check(*given)
        print(f"{name}: passed", flush=True)
    except Exception as error:  # each check is reported, also after one that fails
        print(f"{name}: {type(error).__name__}: {error}", flush=True)
        return True
    return False


def main() -> int:
    bc.config.device = "cuda"
    failed = fails("own streams", own_streams) + fails("memory of the driver", memory_of_the_driver)
    for name in ("torch", "cupy"):
        try:
            other = importlib.import_module(name)
        except ImportError:
            print(f"{name}: not run, it is not installed", flush=True)
            continue
        for check in (values, reused_memory):
            failed += fails(f"{name}, {check.__name__}", check, other)
    bc.synchronize("cuda")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
