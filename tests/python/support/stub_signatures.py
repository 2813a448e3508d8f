"""The functions and classes of a stub, and what differs between their parameters and those of the functions that run."""

import ast
import inspect
import sys

from bascule._array.numpy_versions import since

# Written when the library is built: (file, name of the op table's namespace)
BUILT = (("_array/ufuncs.pyi", ""), ("special_ufuncs.pyi", "special"))


def definitions(body):
    """{name: [function definitions]} and {name: class}, of the body of a module or class."""
    functions, classes = {}, {}
    for node in body:
        if isinstance(node, ast.If):  # conditions on Python's version, or for checkers only
            if eval(ast.unparse(node.test), {"sys": sys, "TYPE_CHECKING": True, "since": since}):
                for found, more in zip((functions, classes), definitions(node.body)):
                    found.update(more)
        elif isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.ClassDef):
            classes[node.name] = node
    return functions, classes


def decorators(function):
    return [d.id for d in function.decorator_list if isinstance(d, ast.Name)]


def stub_parameters(function):
    """{name: (kind, default's expression or None)} of a definition."""
    a, P = function.args, inspect.Parameter
    positional = [(x, P.POSITIONAL_ONLY) for x in a.posonlyargs] + [(x, P.POSITIONAL_OR_KEYWORD) for x in a.args]
    defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
    found = {x.arg: (kind, d) for (x, kind), d in zip(positional, defaults)}
    if a.vararg:
        found[a.vararg.arg] = (P.VAR_POSITIONAL, None)
    found |= {x.arg: (P.KEYWORD_ONLY, d) for x, d in zip(a.kwonlyargs, a.kw_defaults)}
    if a.kwarg:
        found[a.kwarg.arg] = (P.VAR_KEYWORD, None)
    return found


def compared(forms, signature):
    """Parameters that a function's forms in a stub have and its signature lacks, and the reverse."""
    real, wrong, P = dict(signature.parameters), [], inspect.Parameter
    rest = any(p.kind is P.VAR_KEYWORD for p in real.values())
    together = {}
    for form in map(stub_parameters, forms):
        together |= form
        for name, (kind, default) in form.items():
            p = real.get(name)
            if p is None:
                if not (rest and kind is P.KEYWORD_ONLY):
                    wrong.append(f"{name} is not there")
                continue
            later = kind is P.KEYWORD_ONLY and p.kind is P.POSITIONAL_OR_KEYWORD  # those after a required keyword
            if kind is not p.kind and not (later and len(forms) > 1):
                wrong.append(f"{name} is {p.kind.description}")
            if len(forms) == 1 and (default is not None) != (p.default is not P.empty):
                wrong.append(f"{name} has {'no ' if p.default is P.empty else 'a '}default")
            if default is not None and ast.unparse(default) != "..." and ast.literal_eval(default) != p.default:
                wrong.append(f"{name} is {p.default!r} by default")
    wrong += [f"{n} is missing" for n, p in real.items() if n not in together and p.kind is not P.VAR_KEYWORD]
    if len(forms) == 1 and not wrong:
        first, second = ([n for n in names if n in together and n in real] for names in (together, real))
        wrong += [] if first == second else [f"the order is {second}"]
    return wrong


def signature_of(thing):
    try:
        return inspect.signature(thing)
    except ValueError:
        return None  # C code without a signature
