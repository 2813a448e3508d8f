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


def main() -> int:
    bc.config.device = "cuda"
    own_streams()
    print("own streams: passed", flush=True)
    failed = 0
    for name in ("torch", "cupy"):
        try:
            other = importlib.import_module(name)
        except ImportError:
            print(f"{name}: not run, it is not installed", flush=True)
            continue
        for check in (values, reused_memory):
            try:
                check(other)
                print(f"{name}, {check.__name__}: passed", flush=True)
            except Exception as error:  # each check is reported, also after one that fails
                failed += 1
                print(f"{name}, {check.__name__}: {type(error).__name__}: {error}", flush=True)
    bc.synchronize("cuda")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
