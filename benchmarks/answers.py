"""The worker's side of a protocol between processes: requests and replies, each a line of JSON."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def serve(make: Callable[[], Any], wrong: type[Exception]) -> None:
    """Reply to each request with the result of the method of its name; `wrong` is raised for a wrong result."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # output of libraries must not mix with replies
    warnings.simplefilter("ignore")

    def answer(content: dict[str, Any]) -> None:
        answers.write(json.dumps(content) + "\n")
        answers.flush()

    try:
        worker = make()
    except Exception as error:
        answer({"error": _said(error)})
        return
    answer(worker.about())
    for line in sys.stdin:
        request = json.loads(line)
        try:
            found = getattr(worker, request.pop("do"))(**request)
            answer({**found, "cpu": sum(os.times()[:2])})
        except Exception as error:
            worker.release()
            answer({"wrong" if isinstance(error, wrong) else "error": _said(error)})
