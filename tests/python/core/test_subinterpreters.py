"""Types, devices and threads belong to the process: only its main interpreter has them."""

from lazy_arrays import run

REFUSED = "bascule does not run in sub-interpreters: import it in the main interpreter"


def said_by(shares_the_lock):
    """The output of the import in another interpreter, and the main one's result afterwards."""
    said, _ = run(
        f"""
        try:
            import _interpreters as sub
            other = sub.create("legacy" if {shares_the_lock} else "isolated")
        except ImportError:
            import _xxsubinterpreters as sub
            other = sub.create(isolated=not {shares_the_lock})
        import bascule as bc
        load = '''if True:
            import importlib.util, sys
            spec = importlib.util.spec_from_file_location("bascule._core", %r)
            try:
                spec.loader.exec_module(importlib.util.module_from_spec(spec))
            except ImportError as error:
                print(error, flush=True)
        '''
        sub.run_string(other, load % bc._core.__file__)
        sub.destroy(other)
        print(float((bc.ones(3) + 1).sum()))
        """
    )
    return said.splitlines()


def test_interpreters_with_the_lock_of_the_main_one_are_refused_and_leave_it_alone():
    assert said_by(shares_the_lock=True) == [REFUSED, "6.0"]


def test_interpreters_with_a_lock_of_their_own_are_refused_and_leave_the_main_one_alone():
    # From 3.13 on Python itself refuses modules that do not declare support for subinterpreters.
    said, after = said_by(shares_the_lock=False)
    assert said in (REFUSED, "module bascule._core does not support loading in subinterpreters") and after == "6.0"
