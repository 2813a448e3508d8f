"""Warnings of lazy operations use the filters at the time of the call, whenever the value is read."""

import os
import subprocess
import sys
import textwrap
import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

MANY = 200_000
PROGRAMS = {
    "divide": (lambda x: x / 0.0, "invalid value encountered in divide"),
    "log": (lambda x: bc.log(x - 1), "invalid value encountered in log"),
    "overflow": (lambda x: bc.exp(x + 1e4), "overflow encountered in exp"),
    "cast": (lambda x: (x + 1e300).astype("f4"), "overflow encountered in cast"),
    "rows": (lambda x: (bc.reshape(x, (2, -1)) + 1.7e308).sum(axis=1), "overflow encountered in reduce"),
}


@pytest.fixture(autouse=True)
def _as_in_a_program():
    with bc.config.set(fp_warnings="auto"):
        yield


@pytest.fixture
def shown(monkeypatch):
    """Messages of warnings that are shown, as in a program that does not record them."""
    strings = []
    # A function of this name is the default; any other object is that of a recorder.
    monkeypatch.setattr(warnings, "_showwarnmsg_impl", lambda m: strings.append(str(m.message)))
    return strings


def large():
    return bc.zeros(MANY)


def read(y):
    return float(y.ravel()[0])


@pytest.mark.parametrize("name", PROGRAMS)
def test_ignored_at_the_call(name, shown):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        shown_impl = warnings._showwarnmsg_impl
        warnings._showwarnmsg_impl = lambda m: shown.append(str(m.message))
        with warnings.catch_warnings():
            warnings._showwarnmsg_impl = lambda m: shown.append(str(m.message))
            warnings.simplefilter("ignore")
            y = PROGRAMS[name][0](large())
        warnings._showwarnmsg_impl = lambda m: shown.append(str(m.message))
        read(y)
        warnings._showwarnmsg_impl = shown_impl
    assert shown == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_ignored_where_it_is_read(name, shown):
    program, text = PROGRAMS[name]
    with warnings.catch_warnings():
        warnings._showwarnmsg_impl = lambda m: shown.append(str(m.message))
        warnings.simplefilter("always")
        y = program(large())
        with warnings.catch_warnings():
            warnings._showwarnmsg_impl = lambda m: shown.append(str(m.message))
            warnings.simplefilter("ignore")
            read(y)
    assert shown == [text]


@pytest.mark.parametrize("name", PROGRAMS)
def test_errors_come_at_the_call(name):
    program, text = PROGRAMS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match=text):
            program(large())


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_error_for_what_was_to_be_shown(name, shown):
    program, text = PROGRAMS[name]
    with warnings.catch_warnings():
        warnings._showwarnmsg_impl = lambda m: shown.append(str(m.message))
        warnings.simplefilter("always")
        y = program(large())
        with warnings.catch_warnings():
            warnings._showwarnmsg_impl = lambda m: shown.append(str(m.message))
            warnings.simplefilter("error")
            read(y)
    assert shown == [text]


def test_filters_of_a_message(shown):
    with warnings.catch_warnings():
        warnings._showwarnmsg_impl = lambda m: shown.append(str(m.message))
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", message="divide by zero")
        y, z = 1 / large(), large() / 0.0
        warnings.resetwarnings()
        warnings.simplefilter("always")
        read(y), read(z)
        assert shown == ["invalid value encountered in divide"]
        warnings.filterwarnings("error", message="divide by zero")
        with pytest.raises(RuntimeWarning, match="divide by zero"):
            1 / large()


def test_an_ignored_warning_is_still_an_error_where_errstate_says_so():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with np.errstate(invalid="raise"), pytest.raises(FloatingPointError):
            large() / 0.0


def test_filters_are_as_before_and_others_are_not_taken_for_them(shown):
    with warnings.catch_warnings():
        warnings._showwarnmsg_impl = lambda m: shown.append(str(m.message))
        warnings.simplefilter("always")
        waiting = []
        for action in ("ignore", "always") * 3:
            with warnings.catch_warnings():
                warnings._showwarnmsg_impl = lambda m: shown.append(str(m.message))
                warnings.simplefilter(action)
                waiting.append(large() / 0.0)
        filters = warnings.filters
        before = list(filters)
        warnings.simplefilter("ignore", UnicodeWarning)
        for y in waiting:
            read(y)
        assert len(shown) == 3 and warnings.filters is filters and filters[1:] == before


def test_a_program():
    script = """
        import warnings
        import bascule as bc
        x = bc.zeros(200_000)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            y = x / 0.0
        float(y[0])
        z = x / 0.0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            float(z[0])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                bc.log(x)
            except RuntimeWarning as error:
                print("raised", error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True, text=True, check=True, env={**os.environ, "BASCULE_FP_WARNINGS": "auto"},
    )  # fmt: skip
    assert done.stdout == "raised divide by zero encountered in log\n"
    assert done.stderr.count("RuntimeWarning") == 1 and "<string>:9: " in done.stderr
