"""Warnings name the line of the caller, however deep in the package they arise."""

import warnings

import bascule as bc
import numpy as np
import pytest

_NAN = np.full((2, 2), np.nan)


@pytest.mark.parametrize(
    "call",
    [
        lambda xp, a: xp.mean(a[:0]),
        lambda xp, a: xp.average(a[:0]),
        lambda xp, a: xp.var(a, ddof=9),
        lambda xp, a: xp.std(a[:0]),
        lambda xp, a: xp.nanmean(a, axis=0),
        lambda xp, a: xp.nanstd(a),
        lambda xp, a: xp.nanmax(a),
        lambda xp, a: xp.nanmedian(a, axis=1),
        lambda xp, a: xp.nanquantile(a, 0.5),
        lambda xp, a: xp.cov(a[:, :1]),
        lambda xp, a: xp.concatenate((a + 1j, a), dtype="f8", casting="unsafe"),
        lambda xp, a: xp.sum(a + 1j, dtype="f8"),
        lambda xp, a: xp.trace(a + 1j, dtype="f8"),
        lambda xp, a: xp.polyfit(xp.ones(4), xp.ones(4), 2),
    ],
)
def test_text_and_line_of_warnings(call):
    texts = []
    for xp, a in ((np, _NAN), (bc, bc.array(_NAN))):
        with warnings.catch_warnings(record=True) as seen, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            call(xp, a)
        texts.append({(w.category, str(w.message)) for w in seen})
    assert texts[0] == texts[1] and texts[0]
    assert {w.filename for w in seen} == {__file__}
