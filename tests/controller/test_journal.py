"""The journal: what was acknowledged is on disk, in order; who holds it; what it says when it cannot."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

from controller.journal import DATABASE, SCHEMA, Journal, JournalError, Row
from tests.controller.disk import no_room_beyond

WRITER = """
import sys
from pathlib import Path
from controller.journal import Journal, Row

journal = Journal(Path(sys.argv[1]))
journal.start(lambda text: print("failed", text, flush=True))
number = 0
while True:
    number += 1
    said = f"{number}\\n"
    journal.append(
        [Row("count", {"number": number}), Row("padding", {"text": "x" * 200})],
        lambda said=said: (sys.stdout.write(said), sys.stdout.flush()),
    )
    if number % 50 == 0:
        journal.flush()
"""


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path)
    opened.start(lambda text: None)
    yield opened
    opened.close()


def test_releases_in_the_order_of_the_calls_and_after_the_commit(tmp_path: Path, journal: Journal) -> None:
    seen: list[tuple[int, int]] = []
    reader = sqlite3.connect(tmp_path / DATABASE, check_same_thread=False)

    def release(number: int) -> None:
        rows = reader.execute("SELECT count(*) FROM rows WHERE json_extract(body, '$.n') = ?", (number,)).fetchone()[0]
        seen.append((number, rows))

    for number in range(100):
        rows = [Row("thing", {"n": number})] * (number % 3)
        journal.append(rows, lambda number=number: release(number))  # type: ignore[misc]
    journal.flush()
    reader.close()
    assert seen == [(number, number % 3) for number in range(100)]


def test_gives_back_what_was_written(tmp_path: Path, journal: Journal) -> None:
    journal.append([Row("a", {"text": "zwölf 十二", "list": [1, None, True]}), Row("b", {})], lambda: None)
    journal.append([Row("a", {"n": 2})], lambda: None)
    journal.close()
    again = Journal(tmp_path)
    assert [(row.kind, row.body) for row in again.rows()] == [
        ("a", {"text": "zwölf 十二", "list": [1, None, True]}),
        ("b", {}),
        ("a", {"n": 2}),
    ]
    assert again.last("a") == 3
    assert again.last("c") is None
    assert [row.number for row in again.rows(since=2)] == [2, 3]
    again.close()


def test_keeps_texts_under_keys(tmp_path: Path, journal: Journal) -> None:
    journal.keep("web.codes", "one")
    journal.keep("web.codes", "two")
    journal.keep("gone", "soon")
    journal.keep("gone", None)
    assert journal.kept("web.codes") == "two"
    journal.close()
    again = Journal(tmp_path)
    assert (again.kept("web.codes"), again.kept("gone"), again.kept("never")) == ("two", None, None)
    assert again.kept_keys("web.") == ["web.codes"]
    again.close()


def test_a_second_holder_is_told_who_the_first_is(tmp_path: Path, journal: Journal) -> None:
    with pytest.raises(JournalError, match=rf"in use by process {os.getpid()} \(a table\).*--data"):
        Journal(tmp_path)
    journal.append([Row("still", {})], lambda: None)
    journal.flush()
    journal.close()
    Journal(tmp_path).close()


def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path, journal: Journal) -> None:
    journal.close()
    with sqlite3.connect(tmp_path / DATABASE) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    database.close()
    before = (tmp_path / DATABASE).read_bytes()
    with pytest.raises(JournalError, match=rf"newer version.*schema {SCHEMA + 1}.*update"):
        Journal(tmp_path)
    assert (tmp_path / DATABASE).read_bytes() == before


def test_something_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_text("no database at all, but long enough to be read as one" * 40)
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(tmp_path)
    (tmp_path / DATABASE).unlink()
    with sqlite3.connect(tmp_path / DATABASE) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with pytest.raises(JournalError, match="some other program"):
        Journal(tmp_path)


def test_a_damaged_row_is_named(tmp_path: Path, journal: Journal) -> None:
    journal.append([Row("a", {})], lambda: None)
    journal.close()
    with sqlite3.connect(tmp_path / DATABASE) as database:
        database.execute("UPDATE rows SET body = '{broken' WHERE id = 1")
    database.close()
    again = Journal(tmp_path)
    with pytest.raises(JournalError, match=r"row 1 .*damaged"):
        list(again.rows())
    again.close()


def test_a_full_disk_is_told_once_and_nothing_more_is_released(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    told: SimpleQueue[str] = SimpleQueue()
    released: list[int] = []
    journal.start(told.put)
    journal.append([Row("first", {})], lambda: released.append(1))
    journal.flush()
    size = (tmp_path / f"{DATABASE}-wal").stat().st_size
    with no_room_beyond(size):
        journal.append([Row("big", {"text": "x" * 100_000})], lambda: released.append(2))
        failure = told.get(timeout=10)
        journal.append([Row("later", {})], lambda: released.append(3))
        with pytest.raises(JournalError, match="cannot be written"):
            journal.flush()
    assert "Make room" in failure
    assert journal.failure == failure
    journal.close()
    assert released == [1]
    assert told.empty()
    again = Journal(tmp_path)
    assert [row.kind for row in again.rows()] == ["first"]
    again.close()


@pytest.mark.parametrize("size", [0, 64, 8192])
def test_a_disk_that_is_full_from_the_first_is_told_and_lets_go(tmp_path: Path, size: int) -> None:
    with no_room_beyond(size), pytest.raises(JournalError, match=r"(?i)make room"):
        Journal(tmp_path)
    Journal(tmp_path).close()


def test_what_it_makes_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        made = tmp_path / "made"
        opened = Journal(made)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (made, *made.iterdir())}
        opened.close()
    finally:
        os.umask(before)
    assert modes.pop("made") == 0o700
    assert modes.keys() >= {DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"}
    assert set(modes.values()) == {0o600}


def test_a_directory_that_is_there_keeps_its_mode_and_its_files_become_private(tmp_path: Path) -> None:
    Journal(tmp_path).close()
    tmp_path.chmod(0o755)
    (tmp_path / DATABASE).chmod(0o644)
    Journal(tmp_path).close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / DATABASE).stat().st_mode) == 0o600


def test_killed_at_any_moment_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    for round_number in range(5):
        place = tmp_path / str(round_number)
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(place)], stdout=subprocess.PIPE, text=True, bufsize=1
        ) as writer:
            assert writer.stdout is not None
            deadline = time.monotonic() + 30
            acknowledged = 0
            while acknowledged < 40 + 97 * round_number:
                assert time.monotonic() < deadline, "the writer is too slow"
                acknowledged = int(writer.stdout.readline())
            writer.kill()
            rest = writer.stdout.read().split("\n")
            acknowledged = max([acknowledged, *(int(line) for line in rest[:-1] if line)])
        journal = Journal(place)  # the lock of a dead process holds nobody up
        rows = list(journal.rows())
        numbers = [row.body["number"] for row in rows if row.kind == "count"]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= acknowledged
        assert len(rows) == 2 * len(numbers), "rows of one append are committed together"
        journal.close()


def failed(journal: Journal, told: SimpleQueue[str]) -> str:
    """What the journal tells when it stops; from then on nothing is released, and its thread still ends in order."""
    failure = told.get(timeout=10)
    assert journal.failure == failure
    late: list[int] = []
    journal.append([Row("later", {})], lambda: late.append(1))
    with pytest.raises(JournalError):
        journal.flush()
    journal.close()
    assert late == []
    assert told.empty()
    return failure


def test_a_row_that_no_database_takes_is_told_and_nothing_of_its_commit_stays(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    told: SimpleQueue[str] = SimpleQueue()
    journal.start(told.put)
    released: list[int] = []
    journal.append([Row("first", {}), Row("half a character", {"text": "\ud800"})], lambda: released.append(1))
    assert "cannot be written" in failed(journal, told)
    assert released == []
    again = Journal(tmp_path)
    assert list(again.rows()) == []
    again.close()


def test_a_release_that_fails_is_told_and_its_row_is_kept(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    told: SimpleQueue[str] = SimpleQueue()
    journal.start(told.put)

    def release() -> None:
        raise ValueError("the launcher is gone")

    journal.append([Row("first", {})], release)
    assert "the launcher is gone" in failed(journal, told)
    again = Journal(tmp_path)
    assert [row.kind for row in again.rows()] == ["first"]
    again.close()


def test_a_listener_that_fails_does_not_keep_the_journal_from_closing(tmp_path: Path) -> None:
    journal = Journal(tmp_path)

    def nobody(text: str) -> None:
        raise RuntimeError("the event loop is closed")

    journal.start(nobody)
    journal.append([Row("half a character", {"text": "\udfff"})], lambda: None)
    with pytest.raises(JournalError, match="cannot be written"):
        journal.flush()
    journal.close()
    Journal(tmp_path).close()
