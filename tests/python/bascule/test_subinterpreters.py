"""Types, devices and threads belong to the process: only its main interpreter has them."""

from lazy_arrays import run


def test_sub_interpreters_are_refused_and_leave_the_main_one_alone():
    said, _ = run(
        """
        try:
            import _interpreters as sub
        except ImportError:
            import _xxsubinterpreters as sub
        import bascule as bc
        load = '''if True:
            import importlib.util, sys
            spec = importlib.util.spec_from_file_location("bascule._core", %r)
            try:
                importlib.util.module_from_spec(spec)
            except ImportError as error:
                print(error, flush=True)
        '''
        other = sub.create()
        sub.run_string(other, load % bc._core.__file__)
        sub.destroy(other)
        print(float((bc.ones(3) + 1).sum()))
        """
    )
    assert said.splitlines() == ["bascule does not run in sub-interpreters: import it in the main interpreter", "6.0"]
