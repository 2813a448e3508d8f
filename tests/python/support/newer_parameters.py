"""Parameters that a newer NumPy introduced: they exist here with an older one, too."""

_BROUGHT = {"check_bounds", "descending"}


def common(ours, theirs):
    """The parameters of two signatures, ours without those that this NumPy lacks."""
    known = {p.name for p in theirs.parameters.values()}
    return [p for p in ours.parameters.values() if p.name in known or p.name not in _BROUGHT], [
        *theirs.parameters.values()
    ]
