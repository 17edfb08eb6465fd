"""The format of a trace: what is written is read again, and whatever is wrong is named with its line."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware import traces
from hardware.ports import Certainty, ShotEnd
from hardware.settings import LauncherSettings
from hardware.traces import Change, Trace, TracedShot, TraceError, parse, read, write_head, write_shot
from tests.traces.made import FILES, HERE, PINS, record

ROOT = Path(__file__).parents[2]


def text_of(trace: Trace) -> list[str]:
    out = io.StringIO()
    write_head(out, trace)
    for shot in trace.shots:
        write_shot(out, shot)
    return out.getvalue().splitlines(keepends=True)


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """A trace of three shots, a line each after the head."""
    return text_of(record(PINS, 4, shots=3))


@pytest.mark.parametrize("name", FILES)
def test_what_is_written_is_read_again(name: str) -> None:
    trace = read(HERE / name)
    assert parse(text_of(trace)) == trace
    assert "no real machine" in trace.note


states = {
    "motor": traces.MOTOR,
    "beam": ("free", "blocked"),
    "lid": ("open", "closed"),
    "stop": ("released", "pressed"),
}


@settings(max_examples=25)
@given(
    st.lists(
        st.sampled_from([(what, state) for what, known in states.items() for state in known]).flatmap(
            lambda each: st.builds(
                Change, st.integers(0, 4_000_000).map(lambda at: at / 1000), st.just(each[0]), st.just(each[1])
            )
        ),
        max_size=40,
    ),
    st.one_of(st.none(), st.integers(0, 200)),
    st.sampled_from(Certainty),
    st.sampled_from(ShotEnd),
)
def test_any_shot_is_read_again(changes: list[Change], counted: int | None, certainty: Certainty, end: ShotEnd) -> None:
    ordered = (Change(0.0, "motor", "forward"), *sorted(changes, key=lambda change: change.at_ms))
    shot = TracedShot(3, ordered, 5000.0, 2, certainty, end, counted)
    trace = Trace("gpio", PINS, record_settings(), (shot,), "2026-11-30", "übrig – 3 C cells")
    assert parse(text_of(trace)) == trace


@cache
def record_settings() -> LauncherSettings:
    return read(HERE / "one-beam.jsonl").settings


def changed(lines: list[str], number: int, **values: object) -> list[str]:
    """The trace with some values of one line (from 1) put otherwise; `...` takes one away."""
    line = json.loads(lines[number - 1])
    for key, value in values.items():
        if value is ...:
            del line[key]
        else:
            line[key] = value
    return [*lines[: number - 1], json.dumps(line) + "\n", *lines[number:]]


def with_change(number: int, change: object) -> Callable[[list[str]], list[str]]:
    def put(lines: list[str]) -> list[str]:
        changes = json.loads(lines[2])["changes"]
        return changed(lines, 3, changes=[*changes[: number - 1], change, *changes[number:]])

    return put


WRONG: list[tuple[str, Callable[[list[str]], list[str]], str]] = [
    ("nothing", lambda lines: [], "is empty: a trace begins with a line about the machine"),
    ("no JSON", lambda lines: [lines[0], "{'wanted': 3}\n"], "line 2 is not JSON"),
    ("half a line", lambda lines: [*lines[:3], lines[3][:50]], "line 4 is not JSON"),
    ("no object", lambda lines: [lines[0], "[1, 2]\n"], "line 2 is not an object of named values"),
    ("no number", lambda lines: [lines[0], '{"wanted": NaN}\n'], "line 2 is not JSON .NaN is no number"),
    ("nested", lambda lines: [lines[0], "[" * 90_000 + "\n"], "line 2 is not JSON"),
    ("long line", lambda lines: [lines[0], " " * 200_000 + "\n"], "line 2 is longer than 100000 characters"),
    ("no head", lambda lines: lines[1:], 'line 1 is not the head of a trace: "format" is to be "uno-attack trace"'),
    ("newer", lambda lines: changed(lines, 1, version=2), '"version" is 2; this program reads 1: update it'),
    ("unknown key", lambda lines: changed(lines, 1, owner="Ann"), '"owner" is not known here; known are format'),
    ("missing key", lambda lines: changed(lines, 1, note=...), 'line 1: "note" is missing'),
    ("a long note", lambda lines: changed(lines, 1, note="x" * 201), '"note" is not one line of up to 200'),
    ("two lines", lambda lines: changed(lines, 1, note="one\ntwo"), '"note" is not one line'),
    ("pins", lambda lines: changed(lines, 1, pins={"beam": 99}), "cannot be used: .pins. beam: 99 is not on"),
    ("settings", lambda lines: changed(lines, 1, launcher={"card_ms": 0}), "cannot be used: .launcher. card_ms: 0"),
    ("a new setting", lambda lines: changed(lines, 1, launcher={"cards_ms": 43}), "did you mean card_ms"),
    ("wanted", lambda lines: changed(lines, 2, wanted=-1), '"wanted" is -1, not a number of cards from 0 to 200'),
    ("counted", lambda lines: changed(lines, 2, counted=True), '"counted" is True, not a number of cards'),
    ("seen", lambda lines: changed(lines, 2, seen={"cards": 3}), '"seen" has exactly cards, certainty and end'),
    (
        "certainty",
        lambda lines: changed(lines, 2, seen={"cards": 3, "certainty": "sure", "end": "done"}),
        "'sure' is not a valid Certainty; known are exact",
    ),
    ("lasted", lambda lines: changed(lines, 2, lasted=1e6), '"lasted" is 1000000.0, not a number from 0 to 60000'),
    ("no motor", lambda lines: changed(lines, 2, changes=[]), "never switch the motor on: this is no shot"),
    (
        "too many changes",
        lambda lines: changed(lines, 2, changes=[[0, "motor", "forward"]] * 2001),
        '"changes" is not a list of up to 2000',
    ),
    ("a pair", with_change(2, [1, "beam"]), 'line 3: "change 2" is not a list of time, what and state'),
    ("a time", with_change(2, ["soon", "beam", "free"]), "\"change 2\" is 'soon', not a number from -10000 to 60000"),
    ("a thing", with_change(2, [1, "door", "open"]), "\"change 2\" is of 'door'; known are motor, lid, stop, beam"),
    ("a state", with_change(2, [1, "beam", "open"]), "beam is 'open'; it can be free, blocked"),
    ("not wired", with_change(2, [1, "beam2", "free"]), "is of beam2, which this machine has not wired"),
    ("back in time", with_change(3, [0.5, "beam", "free"]), "is at 0.5 ms, before the one before it"),
    ("after the end", with_change(2, [59_000, "beam", "free"]), "is at 59000 ms, after the end of the shot"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "told"), [each[1:] for each in WRONG], ids=[each[0] for each in WRONG])
def test_what_is_wrong_is_named_with_its_line(
    lines: list[str], spoil: Callable[[list[str]], list[str]], told: str
) -> None:
    with pytest.raises(TraceError, match=told.replace("(", r"\(")):
        parse(spoil(lines))


def test_a_trace_has_a_bounded_number_of_shots(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "MOST_SHOTS", 3)
    assert len(parse(lines).shots) == 3
    with pytest.raises(TraceError, match="line 5: a trace has 3 shots at the most"):
        parse([*lines, lines[1]])


def test_files_that_cannot_be_read_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TraceError, match="gone cannot be read: No such file"):
        read(tmp_path / "gone")
    with pytest.raises(TraceError, match="cannot be read: Is a directory"):
        read(tmp_path)
    (tmp_path / "picture").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(TraceError, match="is no text in UTF-8"):
        read(tmp_path / "picture")
    monkeypatch.setattr(traces, "LARGEST_FILE", 1000)
    with pytest.raises(TraceError, match="is larger than a trace may be"):
        read(HERE / "one-beam.jsonl")


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    for before in ([], [read_head()]):
        with suppress(TraceError):
            assert parse([*before, text]).shots == ()


@cache
def read_head() -> str:
    return (HERE / "one-beam.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[0]


def test_the_example_of_the_docs_is_a_trace() -> None:
    page = (ROOT / "docs" / "traces.md").read_text(encoding="utf-8")
    example = page.partition("```jsonl\n")[2].partition("```")[0].splitlines(keepends=True)
    trace = parse(example, "the example")
    assert [shot.counted for shot in trace.shots] == [2]
