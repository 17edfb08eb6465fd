"""One version of the table as it leaves: texts already redacted for every kind of viewer. No position gets this far."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


def text_of(data: object) -> str:
    """`data` as compact JSON."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class EventText:
    """One event: as everybody may see it, and as those seats see it that may see more."""

    public: str
    private: Mapping[int, str] = field(default_factory=dict)

    def seen_by(self, seats: Iterable[int]) -> str:
        """The text for a viewer holding `seats`."""
        return next((self.private[seat] for seat in seats if seat in self.private), self.public)


@dataclass(frozen=True, slots=True)
class Pictures:
    """The table after a version: `table` for all, and one text a seat for those who hold it.

    `open`: seats in whose text there is no secret, since their cards are real ones: the host may see those too.
    `codes`: the code of every seat, for its phone and the host. `owners`: the session of every seat. `counts_down`:
    the table says how many seconds are left for something.
    """

    table: str
    mine: Mapping[int, str]
    open: frozenset[int] = frozenset()
    codes: Mapping[int, str] = field(default_factory=dict)
    owners: Sequence[str] = ()
    counts_down: bool = False


class Publication:
    """Version `version` of epoch `epoch`: what happened, and the table after it, `at` seconds of the table's clock."""

    __slots__ = ("_frames", "_made", "at", "epoch", "events", "pictures", "version")

    def __init__(self, epoch: int, version: int, events: Sequence[EventText], pictures: Pictures, at: float) -> None:
        self.epoch = epoch
        self.version = version
        self.events = events
        self.pictures = pictures
        self.at = at
        self._frames: dict[tuple[tuple[int, ...], bool], str] = {}
        self._made: dict[tuple[frozenset[int], bool], str] = {}  # the same by what was asked for

    def owned_by(self, session: str) -> frozenset[int]:
        """The seats that were this session's then: seats may have been numbered anew, or given away, since."""
        return frozenset(seat for seat, owner in enumerate(self.pictures.owners) if owner == session)

    def frame(self, seats: frozenset[int], host: bool = False) -> str:
        """The `state` frame for a viewer holding `seats`, made once for each kind.

        A host sees no hand that others do not see, but the codes of all seats; at a table with real cards he is told
        what each seat may do.
        """
        made = self._made.get((seats, host))
        if made is not None:
            return made
        known = self.pictures.mine.keys() | self.pictures.codes.keys()
        key = tuple(sorted(seats & known)), host and bool(self.pictures.open or self.pictures.codes)
        frame = self._frames.get(key)
        if frame is None:
            frame = self._frames[key] = self._compose(*key)
        self._made[seats, host] = frame
        return frame

    def _compose(self, seats: tuple[int, ...], host: bool) -> str:
        events = ",".join(event.seen_by(seats) for event in self.events)
        pictures = self.pictures
        mine = ",".join(pictures.mine[seat] for seat in seats if seat in pictures.mine)
        codes = text_of({seat: code for seat, code in pictures.codes.items() if host or seat in seats})
        open_seats = sorted(self.pictures.open - set(seats)) if host else []
        others = (
            f',"others":[{",".join(self.pictures.mine[seat] for seat in open_seats)}]' if host and pictures.open else ""
        )
        return (
            f'{{"t":"state","epoch":{self.epoch},"version":{self.version},"events":[{events}],'
            f'"table":{self.pictures.table},"mine":[{mine}],"codes":{codes}{others}}}'
        )
