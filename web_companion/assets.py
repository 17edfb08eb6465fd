"""The pages as files in memory: read and compressed once at start, under a build tag so that caches never lie."""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from web_companion.catalogues import page_texts

PAGES = Path(__file__).parent / "pages"
PLACE = "/a/-/"  # how the HTML names an asset of its own build
_COMMENT = re.compile(rb"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)$", re.MULTILINE | re.DOTALL)
_TYPE = re.compile(rb"/\*\* @type \{[^\n]*?\} \*/ ?")  # beside what it is about
_INDENT = re.compile(rb"^[ \t]+", re.MULTILINE)  # no script has a template of several lines
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent: plain and gzipped, with its type and tag."""

    plain: bytes
    packed: bytes
    media_type: str
    etag: str


class Assets:
    """Every file of the pages folder. A missing folder or an unknown type is a mistake of the build, and raises."""

    def __init__(self, folder: Path = PAGES) -> None:
        sources = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
        if "join.html" not in sources:
            raise FileNotFoundError(f"the pages are missing from {folder}: install the package again")
        contents = {name: path.read_bytes() for name, path in sources.items()}
        whole = hashlib.sha256()
        for name, content in contents.items():
            whole.update(name.encode() + b"\0" + content + b"\0")
        self.build = whole.hexdigest()[:10]
        contents = {name: _slimmed(content) if name.endswith(".js") else content for name, content in contents.items()}
        contents |= page_texts(contents)
        self._files = {name: self._prepare(name, content) for name, content in contents.items()}

    def _prepare(self, name: str, content: bytes) -> Asset:
        if name.endswith(".html"):
            content = content.replace(PLACE.encode(), f"/a/{self.build}/".encode())
            content = content.replace(b"{{build}}", self.build.encode())
        packed = gzip.compress(content, 9, mtime=0)
        media_type = _TYPES[Path(name).suffix]
        return Asset(content, packed, media_type, f'"{hashlib.sha256(content).hexdigest()[:20]}"')

    def get(self, name: str) -> Asset | None:
        """The file of this name relative to the pages folder, or None."""
        return self._files.get(name)


def _slimmed(script: bytes) -> bytes:
    """A script without indentation, the comments that have lines of their own and the types in its lines, together a
    quarter of its weight; lines keep their numbers.
    """
    script = _COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), script)
    return _INDENT.sub(b"", _TYPE.sub(b"", script))
