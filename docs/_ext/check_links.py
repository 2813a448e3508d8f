"""Checks the links of the built pages that stay within them: `python docs/_ext/check_links.py build/docs/html`.

Sphinx checks the links that it generates; this checks the HTML that readers get: files, and the anchors in them. The
exit code is 1 if a link is broken.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if value is None:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            elif (tag, name) in {("a", "href"), ("link", "href"), ("img", "src"), ("script", "src")}:
                self.links.add(value)


def broken(root: Path) -> list[str]:
    """Each broken link, with its page."""
    pages = {p.resolve(): Page(p.read_text()) for p in sorted(root.rglob("*.html")) if "_static" not in p.parts}
    found = []
    for path, page in pages.items():
        for link in sorted(page.links):
            url = urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = (path.parent / unquote(url.path)).resolve() if url.path else path
            anchor = unquote(url.fragment)
            if not target.exists():
                found.append(f"{path.relative_to(root.resolve())}: {link}: no such file")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                found.append(f"{path.relative_to(root.resolve())}: {link}: no such anchor")
    return found


def main() -> int:
    found = broken(Path(sys.argv[1]))
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
