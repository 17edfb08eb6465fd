"""The journal: every change of the table as a row of SQLite, committed by one thread before its effect leaves.

It knows rows, not games: what a row means is told by `controller.table`. A small key-value store for the web
companion's sessions and codes lives here too, in the same database and the same order.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from controller.lock import DirectoryLock, LockedError

log = logging.getLogger("controller.journal")

SCHEMA = 1
DATABASE = "tables.sqlite"
_GROUP_LIMIT = 256  # rows of one commit: bounds what one failure can lose and how long one release waits for others

_CREATE = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    "CREATE TABLE rows (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL) STRICT",
    "CREATE INDEX rows_by_kind ON rows (kind, id)",
    "CREATE TABLE kept (key TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT",
)
_INSERT_ROW = "INSERT INTO rows (kind, body) VALUES (?, ?)"
_KEEP = "INSERT INTO kept (key, text) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET text = excluded.text"
_FORGET = "DELETE FROM kept WHERE key = ?"


class JournalError(RuntimeError):
    """The journal cannot be opened, read or written; the text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that happened: `kind` is a word, `body` is data fit for JSON."""

    kind: str
    body: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row as read back; `number` grows with every row."""

    number: int
    kind: str
    body: dict[str, Any]


class Appender(Protocol):
    """The part of a journal that the table writes to."""

    def append(self, rows: Sequence[Row], release: Callable[[], None]) -> None:
        """Commit `rows`, then call `release`, in the order of the calls."""


@dataclass(frozen=True, slots=True)
class _Work:
    statements: list[tuple[str, tuple[str, ...]]]
    release: Callable[[], None] | None


class Journal:
    """The journal of one data directory, held by one process at a time."""

    def __init__(self, directory: Path) -> None:
        """Open or create the database in `directory`. Raises `JournalError`, also when another process holds it."""
        self.directory = directory
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"the data directory {directory} cannot be made: {error.strerror}") from error
        try:
            self._lock = DirectoryLock(directory)
        except LockedError as error:
            raise JournalError(str(error)) from error
        try:
            self._database = _open(directory / DATABASE)
            self._kept = dict(self._database.execute("SELECT key, text FROM kept"))
        except sqlite3.DatabaseError as error:
            self._lock.release()
            raise _unusable(directory / DATABASE, error) from error
        except JournalError:
            self._lock.release()
            raise
        self._waiting: SimpleQueue[_Work | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._on_failure: Callable[[str], None] = lambda text: None
        self._failure: str | None = None
        self._closed = False

    @property
    def failure(self) -> str | None:
        """Why nothing is written any more, or None."""
        return self._failure

    def last(self, kind: str) -> int | None:
        """The number of the last row of `kind`; only before `start`."""
        return _last(self._database, kind)

    def rows(self, since: int = 0) -> Iterator[StoredRow]:
        """All rows numbered `since` or higher, in order; only before `start`. Raises `JournalError` for a bad one."""
        return _rows(self._database, since)

    def start(self, on_failure: Callable[[str], None]) -> None:
        """Begin to commit what is appended; `on_failure` is told once, from the journal's thread, why it stopped."""
        self._on_failure = on_failure
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def append(self, rows: Sequence[Row], release: Callable[[], None]) -> None:
        """Commit `rows`, then call `release` on the journal's thread; never waits.

        Calls are committed and released in their order; without rows only the order is kept. After a failed commit
        nothing is released any more.
        """
        self._waiting.put(_Work([(_INSERT_ROW, (row.kind, _json(row.body))) for row in rows], release))

    def keep(self, key: str, text: str | None) -> None:
        """Keep `text` under `key` (None: forget it); on disk a little later, after everything appended before."""
        if text is None:
            self._kept.pop(key, None)
            self._waiting.put(_Work([(_FORGET, (key,))], None))
        else:
            self._kept[key] = text
            self._waiting.put(_Work([(_KEEP, (key, text))], None))

    def kept(self, key: str) -> str | None:
        """What is kept under `key`."""
        return self._kept.get(key)

    def kept_keys(self, prefix: str = "") -> list[str]:
        """The keys that begin with `prefix`."""
        return [key for key in self._kept if key.startswith(prefix)]

    def flush(self) -> None:
        """Wait until all that was appended so far is committed and released. Raises `JournalError` if that failed."""
        done = threading.Event()
        self._waiting.put(_Work([], done.set))
        while self._failure is None and not done.wait(0.05):
            if self._thread is None or not self._thread.is_alive():
                break
        if self._failure is not None:
            raise JournalError(self._failure)
        if not done.is_set():
            raise JournalError("the journal's thread is not running")

    def close(self) -> None:
        """Commit what is waiting, end the thread, close the database, let go of the lock. Idempotent."""
        if self._closed:
            return
        self._closed = True
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
        self._database.close()
        self._lock.release()

    def _run(self) -> None:
        while True:
            group, ended = self._next_group()
            if group and self._failure is None:
                self._do(group)
            if ended:
                return

    def _do(self, group: list[_Work]) -> None:
        """Commit and release; whatever goes wrong is told, and nothing is released any more."""
        try:
            self._commit(group)
        except sqlite3.Error as error:
            self._fail(f"the journal cannot be written ({error})", "Make room on the disk or mend it, then start")
            return
        except Exception as error:  # were the thread to end, the table would stand still and nobody knew
            log.exception("a row could not be committed")
            self._fail(f"the journal cannot be written ({error!r})", "Start")
            return
        try:
            for work in group:
                if work.release is not None:
                    work.release()
        except Exception as error:
            log.exception("what was committed could not be released")
            self._fail(f"what the journal released failed ({error!r})", "Start")

    def _next_group(self) -> tuple[list[_Work], bool]:
        """Wait for work, then take all that is waiting too: one commit for all of it."""
        group: list[_Work] = []
        work = self._waiting.get()
        while True:
            if work is None:
                return group, True
            group.append(work)
            if len(group) >= _GROUP_LIMIT:
                return group, False
            try:
                work = self._waiting.get_nowait()
            except Empty:
                return group, False

    def _commit(self, group: list[_Work]) -> None:
        statements = [statement for work in group for statement in work.statements]
        if not statements:
            return
        if len(statements) == 1:  # the path of a press: one call, committed by itself
            self._database.execute(*statements[0])
            return
        self._database.execute("BEGIN IMMEDIATE")
        try:
            for statement in statements:
                self._database.execute(*statement)
            self._database.execute("COMMIT")
        except Exception:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def _fail(self, cause: str, remedy: str) -> None:
        self._failure = f"{cause}. Nothing after the last committed row has left the table. {remedy} the table again"
        try:
            self._on_failure(self._failure)
        except Exception:  # whoever should hear it has ended; the thread still empties the inbox until it is closed
            log.exception("nobody could be told: %s", self._failure)


def stored_rows(directory: Path, kinds: Sequence[str]) -> Iterator[StoredRow]:
    """The rows of some kinds in the journal of `directory`, in order, read while another process may write to it.

    Raises `JournalError` when there is none, or it cannot be read.
    """
    path = directory / DATABASE
    if not path.is_file():
        raise JournalError(f"there is no table in {directory}: {DATABASE} is missing")
    marks = ", ".join("?" * len(kinds))
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            found = database.execute(
                f"SELECT id, kind, body FROM rows WHERE kind IN ({marks}) ORDER BY id", tuple(kinds)
            )
            for number, kind, body in found:
                yield StoredRow(number, kind, json.loads(body))
    except (sqlite3.Error, ValueError) as error:
        raise JournalError(f"{path} cannot be read as a table's journal: {error}") from error


def table_rows(directory: Path) -> list[StoredRow] | None:
    """What a table in `directory` would be taken up from, looked through and left as it is. None: there is no table.

    Raises `JournalError` for whatever a table would be refused for, and for damage that it would meet later.
    """
    path = directory / DATABASE
    if not path.exists():
        return None
    # Without a log beside it nobody is writing: then not even a lock is taken, and no file is left behind.
    how = "mode=ro" if path.with_name(f"{DATABASE}-wal").exists() else "mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as database:
            if _version_of(database, path) == 0:
                return []
            damage = database.execute("PRAGMA quick_check(1)").fetchone()[0]
            if damage != "ok":
                raise _unusable(path, damage)
            database.execute("SELECT key, text FROM kept").fetchall()
            return list(_rows(database, _last(database, "game") or 0))
    except sqlite3.Error as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, why: sqlite3.Error | str) -> JournalError:
    """`why`: what SQLite says, in words where it has found the file damaged."""
    code = sqlite3.SQLITE_CORRUPT if isinstance(why, str) else getattr(why, "sqlite_errorcode", None)
    damaged = code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    remedy = "move it elsewhere" if damaged else "make room on the disk, or see that the file may be written"
    return JournalError(
        f"{path} cannot be used as the table's journal: {why}. {remedy.capitalize()}, or name another directory with "
        "--data"
    )


def _last(database: sqlite3.Connection, kind: str) -> int | None:
    found = database.execute("SELECT max(id) FROM rows WHERE kind = ?", (kind,)).fetchone()
    return None if found[0] is None else int(found[0])


def _rows(database: sqlite3.Connection, since: int) -> Iterator[StoredRow]:
    for number, kind, body in database.execute("SELECT id, kind, body FROM rows WHERE id >= ? ORDER BY id", (since,)):
        try:
            data = json.loads(body)
        except ValueError as error:
            raise JournalError(f"row {number} of the journal is damaged: {error}") from error
        if not isinstance(data, dict):
            raise JournalError(f"row {number} of the journal is damaged: not a set of named values")
        yield StoredRow(number, kind, data)


def _json(body: Mapping[str, object]) -> str:
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False)


def _open(path: Path) -> sqlite3.Connection:
    _make_private(path)
    # Read by the opening thread before `start`, then used by the journal's thread alone.
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        version = _version_of(database, path)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        if version == 0:
            _create(database)
    except (sqlite3.Error, JournalError):
        database.close()
        raise
    return database


def _make_private(path: Path) -> None:
    """The database is its owner's alone from before its first byte: it holds codes, hands and the seed."""
    with suppress(OSError):  # it is there already; or it cannot be made, which SQLite tells better
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        with suppress(OSError):  # not there, somebody else's, or on a disk that knows no owners
            each.chmod(0o600)


def _version_of(database: sqlite3.Connection, path: Path) -> int:
    """The version of a journal's schema; 0: there is nothing in it yet. Raises `JournalError` for what is not ours."""
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA:
        raise JournalError(
            f"{path} was written by a newer version of this program (schema {version}, this one knows {SCHEMA}): "
            "update the program, or name another directory with --data"
        )
    if version == 0 and database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise JournalError(f"{path} is a database of some other program: name another directory with --data")
    return version


def _create(database: sqlite3.Connection) -> None:
    database.execute("BEGIN IMMEDIATE")
    for statement in _CREATE:
        database.execute(statement)
    database.execute("INSERT INTO meta (key, value) VALUES ('schema', ?)", (str(SCHEMA),))
    database.execute(f"PRAGMA user_version = {SCHEMA}")
    database.execute("COMMIT")
