"""Builds notebooks with their outputs: the text of each becomes an .ipynb file whose cells a kernel has run.

    python notebooks/run.py [--scale X] [--out FOLDER] [PART OF A NAME ...]

The exit code is 1 if a cell of any notebook raises. Needs nbclient and ipykernel; Jupyter itself is not needed.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```\n?", re.DOTALL | re.MULTILINE)
TAGS = re.compile(r"\A:tags: \[(.*)\]\n\n?")
SCALE = re.compile(r"^scale = 1\.0\b", re.MULTILINE)


def scaled(text: str, scale: float) -> str:
    """A notebook's text with another part of the full sizes."""
    return SCALE.sub(f"scale = {scale}", text)


def notebook(text: str) -> Any:
    """The notebook of a text, without outputs."""
    from nbformat import v4

    body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    made, at = [], 0

    def prose(part: str) -> None:
        if part.strip():
            made.append(v4.new_markdown_cell(part.strip()))

    for match in CELL.finditer(body):
        prose(body[at : match.start()])
        code, at = match.group(1), match.end()
        tags = TAGS.match(code)
        metadata = {"tags": [t.strip() for t in tags[1].split(",")]} if tags else {}
        made.append(v4.new_code_cell(TAGS.sub("", code).rstrip("\n"), metadata=metadata))
    prose(body[at:])
    for i, cell in enumerate(made):  # not random, so that the same text makes the same file
        cell["id"] = f"cell-{i}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return v4.new_notebook(cells=made, metadata={"kernelspec": kernel})


def run(path: Path, scale: float, out: Path | None = None) -> str:
    """Run a notebook, and store it with its outputs in a folder; the error of the cell that raises, or an empty text."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    made = notebook(scaled(path.read_text(), scale))
    os.environ.pop("MPLBACKEND", None)  # kernels put plots into the notebook
    options = {"resources": {"metadata": {"path": str(HERE)}}, "extra_arguments": ["--log-level=ERROR"]}
    client = NotebookClient(made, timeout=600, kernel_name="python3", **options)
    try:
        client.execute()
    except CellExecutionError as error:
        return str(error)
    finally:
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            nbformat.write(made, out / f"{path.stem}.ipynb")
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help="parts of the names of those to run; by default all")
    parser.add_argument("--scale", type=float, default=1.0, help="part of the full sizes (default: 1)")
    parser.add_argument("--out", type=Path, help="folder of the .ipynb files; by default none are written")
    chosen = parser.parse_args()
    paths = [p for p in sorted(HERE.glob("*.md")) if not chosen.parts or any(part in p.name for part in chosen.parts)]
    failed = 0
    for path in paths:
        start = time.perf_counter()
        said = run(path, chosen.scale, chosen.out)
        print(f"{path.stem}: {'FAILED' if said else 'right'}, {time.perf_counter() - start:.1f} s", flush=True)
        if said:
            failed += 1
            print(said, file=sys.stderr)
    return int(failed > 0 or not paths)


if __name__ == "__main__":
    sys.exit(main())
