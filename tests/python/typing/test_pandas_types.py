"""The stubs of bascule.pandas: members and parameters as when it runs, and results as pandas_members.tsv has them."""

import ast
import importlib
import importlib.util
import inspect
import sys
import types
from pathlib import Path

import bascule as bc
import numpy as np
import pytest
from stub_signatures import compared, decorators, definitions, signature_of

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")
import bascule.pandas as bpd

ROOT = Path(__file__).resolve().parents[3]
TYPES = ROOT / "python/bascule/pandas/_types"
OBJECTS = Path(__file__).with_name("pandas_objects.py")


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(ROOT / "python/stubs"))
    found = importlib.util.spec_from_file_location("write_pandas", ROOT / "python/stubs/write_pandas.py")
    module = importlib.util.module_from_spec(found)
    with bc.config.set(fallback="silent"):
        found.loader.exec_module(module)
        yield module
    sys.path.remove(str(ROOT / "python/stubs"))


# ---- what is written


def parts(text):
    """The imports of a file, in any order, and the rest of it."""
    imported, rest = set(), []
    for node in ast.parse(text).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            at = (getattr(node, "level", 0), getattr(node, "module", None))
            imported |= {(*at, a.name, a.asname) for a in node.names}
        else:
            rest.append(ast.dump(node))
    return imported, rest


def test_the_stubs_are_what_would_be_written(script):
    """After a new member or parameter python/stubs/write_pandas.py has to be run."""
    written = (TYPES.parent / "__init__.pyi").read_text().splitlines()[0]
    if pandas.__version__.rpartition(".")[0] not in written:
        pytest.skip("the stubs are those of another version of pandas")
    made = script.stubs()
    assert script.MISSING == [], "rows to add to python/stubs/pandas_results.py"
    for name, text in made.items():
        assert parts((TYPES.parent / name).read_text()) == parts(text), name
    by_hand = {"_types/words.pyi", "_types/indexers.pyi"}
    assert {p.relative_to(TYPES.parent).as_posix() for p in TYPES.parent.rglob("*.pyi")} == made.keys() | by_hand


def test_every_type_of_a_parameter_is_of_one_that_is_there(script):
    script.stubs()
    tables = sys.modules["pandas_parameters"]
    assert tables.TYPES.keys() - tables.used == set()


# ---- members and parameters


@pytest.fixture(scope="module")
def classes():
    """{class: {member: its definitions}} with the members of its bases in the stubs."""
    found = {}
    for file in TYPES.glob("*.pyi"):
        found |= definitions(ast.parse(file.read_text()).body)[1]
    own = {name: definitions(node.body)[0] for name, node in found.items()}

    def whole(name):
        members = {}
        for base in found[name].bases:
            base = base.value if isinstance(base, ast.Subscript) else base
            members |= whole(base.id) if base.id in found else {}
        return members | own[name]

    return {name: whole(name) for name in found}


def signature(f, first):
    """The signature of a function or method, whose own object has the name that the stub gives it."""
    found = None if f is None else signature_of(getattr(f, "__func__", f))
    if found is None or not first:
        return found
    _, *rest = found.parameters.values()
    own = inspect.Parameter(first, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature(
        [own.replace(kind=rest[0].kind) if rest and rest[0].kind is own.POSITIONAL_ONLY else own, *rest]
    )


def differences(forms, ours, theirs, first=None):
    """Differences between a method's forms and our signature, or pandas' if we take its options as they are."""
    own, other = (signature(f, first) for f in (ours, theirs))
    found = [compared(forms, s) for s in (own, other) if s is not None]
    takes_all = own is None or any(p.kind is p.VAR_KEYWORD for p in own.parameters.values())
    return min(found, key=len) if takes_all or found[0] == [] else found[0]


def narrowed(wrong):
    """Without the defaults of forms whose type is that of one value, where the function's own default stands for it."""
    return [w for w in wrong if not w.endswith(("no_default by default", "<no_default> by default"))]


def test_classes_have_the_members_and_parameters_that_are_there(script, classes):
    wrong, seen = {}, 0
    for name, (ours, theirs) in script.objects().items():
        public = set(script.public(theirs)) | (set() if name in script.ACCESSORS else set(script.public(ours)))
        in_stub = {n for n in classes[name] if not n.startswith("_")}
        if in_stub != public - script.INNER:
            wrong[name] = in_stub ^ (public - script.INNER)
        for member in in_stub:
            forms = classes[name][member]
            if {"property", "setter"} & set(decorators(forms[0])):
                continue
            seen += 1
            first = forms[0].args.posonlyargs or forms[0].args.args
            found = narrowed(differences(forms, *(script.static(c, member) for c in (ours, theirs)), first[0].arg))
            wrong |= {(name, member): found} if found else {}
    assert wrong == {} and seen > 1000


def test_functions_have_the_parameters_that_are_there(script):
    functions = {}
    for file in TYPES.glob("functions*.pyi"):
        functions |= definitions(ast.parse(file.read_text()).body)[0]
    assert sorted(functions) == script.names_of_functions()
    wrong = {}
    for name, forms in functions.items():
        found = narrowed(differences(forms, getattr(bpd, name), getattr(pandas, name, None)))
        wrong |= {name: found} if found else {}
    assert wrong == {}


def test_the_namespace_has_the_names_that_are_there():
    named = set()
    for node in ast.parse((TYPES.parent / "__init__.pyi").read_text()).body:
        named |= {a.asname for a in node.names} if isinstance(node, ast.ImportFrom) else set()
    missing = {n for n in {*dir(bpd), *bpd.__all__} if not n.startswith("_")} - named
    assert missing == {"annotations", "compat", "core", "pandas"} & missing
    assert [n for n in sorted(named) if not hasattr(bpd, n)] == []


@pytest.mark.parametrize("name", ["errors", "api.types", "api.typing", "api.extensions"])
def test_the_modules_have_the_names_that_are_there(name):
    nodes = ast.parse((TYPES.parent / f"{name.replace('.', '/')}.pyi").read_text()).body
    named = {a.asname for node in nodes if isinstance(node, ast.ImportFrom) for a in node.names} | set(
        definitions(nodes)[0]
    )
    module, theirs = (importlib.import_module(f"{library}.{name}") for library in ("bascule.pandas", "pandas"))
    assert {n for n in dir(theirs) if not n.startswith("_") and hasattr(module, n)} <= named
    assert [n for n in sorted(filter(None, named)) if not hasattr(module, n)] == []


# ---- results


def rows():
    """[(class, expression, type, whether it runs here)]"""
    found, section = [], ""
    for line in Path(__file__).with_name("pandas_members.tsv").read_text().splitlines():
        if line.startswith("["):
            section = line[1:-1]
        else:
            expression, kind, *note = line.split("\t")
            found.append((section, expression, kind, not note))
    return found


def test_every_public_member_has_a_row(script):
    seen = {}
    for section, expression, _, _ in rows():
        member = ast.parse(expression, mode="eval").body
        member = member.func if isinstance(member, ast.Call) else member
        seen.setdefault(section, set()).add(member.attr)
    common = set(script.public(pandas.Index))
    for name, (ours, theirs) in script.objects().items():
        public = set(script.public(theirs)) | (set() if name in script.ACCESSORS else set(script.public(ours)))
        public -= script.INNER | (common if name.endswith("Index") and name != "Index" else set())
        assert seen[name] == public, name
    assert seen["functions"] == set(script.names_of_functions())


IMPORTED = """
from collections.abc import Iterable, Iterator
from datetime import tzinfo
from typing import Literal, assert_type
from bascule import ndarray
from bascule.pandas import *
from bascule.pandas import DataFrameGroupBy, SeriesGroupBy, Timedelta, Timestamp
from bascule.pandas._types.accessors import *
from bascule.pandas._types.indexers import *
from bascule.pandas._types.strings import *
from bascule.pandas._types.windows import *
from bascule.pandas._types.words import Coverage, Dtype, Label, Member, Row, Scalar
"""


def as_a_program(path):
    """A file that asserts the type of every row."""
    source = OBJECTS.read_text().replace("import pyarrow as pa\n", f"pa: Any = None\n{IMPORTED}")
    path.write_text(source + "".join(f"assert_type({e}, {kind})\n" for _, e, kind, _ in rows()))
    return path


def test_results_have_the_types_of_the_rows_for_mypy(mypy, tmp_path):
    code, said = mypy(as_a_program(tmp_path / "members.py"))
    assert code == 0, said


def test_results_have_the_types_of_the_rows_for_pyright(pyright, tmp_path):
    code, said = pyright(as_a_program(tmp_path / "members.py"))
    assert code == 0, said


def test_mistakes_are_errors(mypy):
    code, said = mypy(Path(__file__).with_name("pandas_uses.py"))
    assert code == 0 and "Success" in said, said


def test_mistakes_are_errors_for_pyright(pyright):
    code, said = pyright(Path(__file__).with_name("pandas_uses.py"))
    assert code == 0, said


_PLAIN = {
    "bool": (bool, np.bool_),
    "int": (int, np.integer),
    "float": (float, np.floating),
    "Scalar": (float, np.floating, pandas.Timestamp, pandas.Timedelta),
    "str": str,
    "bytes": bytes,
    "list": list,
    "dict": dict,
    "tuple": tuple,
    "slice": slice,
    "frozenset": frozenset,
    "np.intp": np.intp,
    "np.ndarray": np.ndarray,
    "np.recarray": np.recarray,
    "ndarray": bc.ndarray,
    "Timestamp": pandas.Timestamp,
    "Timedelta": pandas.Timedelta,
    "Iterator": types.GeneratorType | zip | map,
}
_KINDS = {"bool": "b", "int": "iu", "float": "f", "str": "O"}
# Types that many classes have.
_BY_BEHAVIOUR = {
    "Any",
    "Label",
    "Dtype",
    "Coverage",
    "Member",
    "Iterable",
    "tzinfo",
    "OneByLabel",
    "OneByPosition",
    "Resampler",
}


def fits(value, kind):
    """Whether a value is of a type, which is an expression."""
    if isinstance(kind, ast.BinOp):
        return fits(value, kind.left) or fits(value, kind.right)
    if isinstance(kind, ast.Constant):
        return value is None
    name, inner = (kind.value, kind.slice) if isinstance(kind, ast.Subscript) else (kind, None)
    name = ast.unparse(name)
    if name == "Literal":
        return value == ast.literal_eval(inner)
    if name == "tuple" and isinstance(inner, ast.Tuple) and ast.unparse(inner.elts[-1]) != "...":
        return isinstance(value, tuple) and len(value) == len(inner.elts) and all(map(fits, value, inner.elts))
    if name == "Series":
        made = isinstance(value, (bpd.Series, pandas.Series))
        return made and value.dtype.kind in _KINDS.get(ast.unparse(inner), value.dtype.kind)
    if name in _PLAIN:
        return isinstance(value, _PLAIN[name]) and (name != "int" or not isinstance(value, bool))
    if isinstance(getattr(bpd, name, None), type):
        return isinstance(value, getattr(bpd, name))
    return name in _BY_BEHAVIOUR or name in ACCESSORS or name in type(value).__name__


ACCESSORS = frozenset(
    "StringMethods IndexStringMethods TimeProperties CategoricalAccessor ListAccessor StructAccessor PlotAccessor".split()
)


@pytest.fixture
def options_stay():
    """Rows set the format of floats and the width of the display."""
    before = {name: pandas.get_option(name) for name in ("display.float_format", "display.width")}
    yield
    for name, value in before.items():
        pandas.set_option(name, value)


@pytest.mark.usefixtures("options_stay")
@pytest.mark.filterwarnings("ignore")  # of pandas and of drawing, about the arguments
@pytest.mark.parametrize("section", sorted({section for section, *_ in rows()}))
def test_results_have_the_types_of_the_rows_when_they_run(section, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("matplotlib", reason="matplotlib is not installed").use("agg")
    objects, wrong = compile(OBJECTS.read_text(), str(OBJECTS), "exec"), {}
    with bc.config.set(fallback="silent"):
        for owner, expression, kind, runs in rows():
            if owner == section and runs:
                names = {}
                exec(objects, names)
                value = eval(expression, names)
                if not fits(value, ast.parse(kind, mode="eval").body):
                    wrong[expression] = (kind, type(value), getattr(value, "dtype", None))
    assert wrong == {}
