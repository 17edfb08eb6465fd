"""The table's core: one message after another, synchronously, with the time handed in. No event loop and no thread.

It hands each message to the part that judges it, keeps the deadlines, and sees that every command is answered once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from controller.odds import OddsProfile
from controller.rules.refusals import Refused
from controller.table.acting import OF_HOST, OF_SEATS, Acting
from controller.table.asking import flag_of, is_writable
from controller.table.bot_seats import BotSeats
from controller.table.catches import Catches
from controller.table.chair import Chair
from controller.table.correcting import Correcting
from controller.table.ground import Ground, Parts, Settings
from controller.table.hosting import Hosting
from controller.table.messages import (
    PROGRAM,
    Answer,
    Asker,
    Command,
    JournalFailed,
    Message,
    Presence,
    Refuse,
    ShotTaken,
    Tick,
)
from controller.table.publication import Publication
from controller.table.recovery import Recovered
from controller.table.seating import Seating
from controller.table.seen import SeenShots
from controller.table.service import Service
from controller.table.serving import Serving
from controller.table.shots import Shots
from controller.table.taps import Taps
from controller.table.whys import ASKING, Whys
from hardware.ports import ButtonPressed, ButtonReleased, LauncherChanged, Reading, ShotEnded, ShotProgress, ShotSeen

button_log = logging.getLogger("controller.table.button")

LONGEST_ID = 64
_PRESS_NOTICE = 1.0  # seconds between two notices of refused presses of the button: a child holds it down
_WHILE_BROKEN = "the journal cannot be written; nothing can be done at this table until it is started again"


class Core:
    """A table between its inbox and its journal."""

    def __init__(self, recovered: Recovered, parts: Parts, settings: Settings, odds: OddsProfile) -> None:
        self.ground = Ground(recovered.state, parts, settings, odds)
        self._notice = recovered.notice
        self._catches = Catches(self.ground)
        self._shots = Shots(self.ground, self._catches)
        self._seen = SeenShots(self.ground, self._shots, self._catches)
        self._service = Service(self.ground, self._shots)
        self._serving = Serving(self.ground, self._service)
        self._taps = taps = Taps(self.ground, self._shots, self._catches)
        whys = Whys(self.ground)
        self._chair = Chair(self.ground)
        acting = Acting(self.ground, self._shots, self._catches, taps, whys)
        seating = Seating(self.ground, self._shots, self._catches)
        correcting = Correcting(self.ground, self._shots, self._catches)
        hosting = Hosting(self.ground, self._shots, self._catches, seating)
        self._bots = BotSeats(self.ground, self._catches, self._as_bot, hosting.next_round)
        self._commands: dict[str, Callable[[Command], Answer | None]] = {
            "press": self._press, **dict.fromkeys(OF_SEATS, acting.for_seat), **dict.fromkeys(OF_HOST, acting.for_host),
            **seating.commands, **hosting.commands, **correcting.commands, **self._seen.commands, **taps.commands,
            **whys.commands,
        }  # fmt: skip
        self._host_commands: dict[str, Callable[[Command], Answer | None]] = {
            **seating.host_commands, **hosting.host_commands, **correcting.host_commands, **self._seen.host_commands,
            **self._service.host_commands, **self._serving.host_commands, **self._chair.host_commands,
        }  # fmt: skip
        self._untold: dict[int, Command] = {}  # commands whose answers have not left the table
        self._asked = 0
        self._button_notice = float("-inf")

    def begin(self, now: float) -> Publication:
        """The first publication of this epoch; a recovered machine's count goes to the launcher."""
        ground = self.ground
        ground.now = now
        status = ground.parts.launcher.status()
        ground.launcher_state, ground.fault = status.state, status.fault
        if ground.state.hopper is not None:
            if ground.parts.fill is not None:
                ground.parts.fill(ground.state.hopper)
            ground.parts.launcher.loaded(ground.state.hopper)
        self._shots.restarted()
        if self._notice is not None:
            ground.tell("notice", **self._notice)
        first = ground.first_publication()
        self._settle()
        return first

    def handle(self, message: Message, now: float) -> None:
        """Do whatever `message` asks for or tells, at `now` seconds of the table's clock."""
        self.ground.now = now
        match message:
            case Command():
                self._command(message)
            case ButtonPressed():
                self._button(message)
            case ButtonReleased():
                self._chair.released(message.at)
            case ShotTaken():
                self._taken(message.shot)
            case ShotProgress():
                (self._service if self._service.owns(message.shot) else self._shots).progress(message)
            case ShotEnded():
                self._ended(message)
            case ShotSeen():
                self._service.note_seen(message)
                self._seen.seen(message)
            case LauncherChanged():
                self._shots.launcher_changed(message)
            case Presence():
                self._present(message)
            case JournalFailed():
                self._break_down(message)
            case Tick():
                message.ticked()
        self._settle()

    def take_chair(self, name: str, now: float) -> bool:
        """A phone without a code asks to be host: True when somebody held the button for it just before."""
        self.ground.now = now
        taken = self.ground.broken is None and self._chair.take(name)
        self._settle()
        return taken

    def released(self, publication: Publication) -> None:
        """`publication` has left the table: should the journal fail, it is the last one that holds."""
        self.ground.released = publication

    def next_deadline(self) -> float | None:
        """When `wake` has something to do, in seconds of the table's clock."""
        if self.ground.broken is not None:
            return None
        parts = (self._catches, self._bots, self._serving, self._chair, self._taps)
        return min((part.deadline for part in parts if part.deadline is not None), default=None)

    def service(self, reading: Reading | None) -> dict[str, object]:
        """What the maker sees of the machine; `reading`: what the backend's inputs say now."""
        return {**self._service.picture(reading), **self._serving.picture()}

    def wake(self, now: float) -> None:
        """Do what is due at `now`."""
        ground = self.ground
        ground.now = now
        if ground.broken is not None:
            return
        self._catches.due(ground.game)
        if self._bots.deadline is not None and self._bots.deadline <= now:
            self._bots.move()
        self._serving.due()
        self._chair.due()
        self._taps.due()
        self._settle()

    def _settle(self) -> None:
        """After every input: windows, lamp, bots' plans, late answers; then everything leaves in one piece."""
        ground = self.ground
        if ground.broken is None:
            self._catches.after(ground.game)
            self._catches.due(ground.game)
            self._serving.after()
            self._shots.agree()
            self._bots.plan()
        for held, answer in self._catches.settled():
            self._answer(held.command, answer)
        for command, answer in self._service.settled():
            self._answer(command, answer)
        ground.flush()
        self._shots.show_lamp()  # after the row is on its way: the motor goes before the lamp

    def _ended(self, event: ShotEnded) -> None:
        """A shot is over: the game's, or one whose cards are nobody's."""
        self._taken(event.shot)
        if self._service.owns(event.shot):
            self._service.ended(event)
            return
        shot = self.ground.state.shot
        if shot is not None and shot.number == event.shot:
            self._service.note(shot.seat, shot.cards, event)
        self._shots.ended(event)

    def _taken(self, shot: int) -> None:
        command = self._shots.taken(shot)
        if command is not None:
            self._answer(command, {"ok": True}, journalled=True)  # its answer stands in the shot's row

    def _command(self, command: Command) -> None:
        command = self._until_told(command)
        identity = _identity_of(command)
        if identity is None:
            refused = Refuse("bad-command", f"a command carries an id of 1 to {LONGEST_ID} whole characters").answer()
            self.ground.reply(command.answer, {**refused, "id": None})
            return
        answers = self.ground.state.answers
        given = answers.given(command.who.session, identity)
        if given is not None:
            self.ground.reply(command.answer, given)
            return
        if answers.wait(command.who.session, identity, command.answer):
            return  # the same command again, before its answer: both get it
        try:
            if not is_writable(command.body):
                raise Refuse("bad-command", "a command is made of whole characters")
            answer = self._do(command)
        except Refuse as refuse:
            answer = refuse.answer()
        except Refused as refused_by_rules:
            answer = Refuse.by_rules(refused_by_rules.refusal).answer()
        if answer is not None:
            self._answer(command, answer)

    def _answer(self, command: Command, said: Answer, journalled: bool = False) -> None:
        """Answer a command, and remember the answer; what was done is remembered beyond a restart."""
        session = command.who.session
        if session == PROGRAM:
            return
        identity = str(command.body["id"])
        answer = {**said, "id": identity}
        if command.body.get("do") in ASKING:
            pass  # nothing was done: whoever asks again is told what is true then
        elif said["ok"] and not journalled and self.ground.broken is None:
            self.ground.record("answer", {"session": session, "id": identity, "answer": answer})
        else:
            self.ground.state.answers.remember(session, identity, answer)
        for waiting in self.ground.state.answers.waiters(session, identity):
            self.ground.reply(waiting, answer)

    def _do(self, command: Command) -> Answer | None:
        """Do a command; None when it is answered later. Raises `Refuse`, `Refused`, and then nothing has changed."""
        if self.ground.broken is not None:
            raise Refuse("fault", _WHILE_BROKEN)
        verb = command.body.get("do")
        if not isinstance(verb, str):
            raise Refuse("bad-command", "a command says what to do")
        do = self._commands.get(verb)
        if do is None:
            do = self._host_commands.get(verb)
            if do is None:
                raise Refuse("bad-command", f"there is no command {verb[:40]!r}")
            if not command.who.host:
                raise Refuse("not-host")
        return do(command)

    def _press(self, command: Command) -> Answer | None:
        who, seat, choice = command.who, command.body.get("seat"), flag_of(command.body, "choice")
        if seat is not None and (not isinstance(seat, int) or isinstance(seat, bool)):
            raise Refuse("bad-command", "seat is a number")
        if who.session != PROGRAM and not who.host and not self.ground.settings.page_button:
            raise Refuse("wrong-source", "this table has a real button: press that")
        if not who.host:
            if seat is None:
                seat = self._own_seat(who)
            elif seat not in who.seats:
                raise Refuse("not-your-seat")
        self._shots.press(seat, self.ground.now, command, choice)
        return None  # answered when its row is on disk

    def _own_seat(self, who: Asker) -> int:
        """Which of a phone's seats a press is for: the one that is due, else the first."""
        if not who.seats:
            raise Refuse("not-your-seat")
        presser = self.ground.game.presser() if self.ground.game is not None else None
        return presser if presser in who.seats and presser is not None else min(who.seats)

    def _as_bot(self, who: Asker, body: Mapping[str, object]) -> None:
        """Do a bot's command at once. Raises `Refuse`."""
        try:
            self._do(Command(who, body, _unheard))
        except Refused as refused:
            raise Refuse.by_rules(refused.refusal) from refused

    def _button(self, event: ButtonPressed) -> None:
        self._chair.pressed(event.at, did_something=self._pressed_by_finger(event))

    def _pressed_by_finger(self, event: ButtonPressed) -> bool:
        """Whether the press of a finger did something."""
        try:
            if self._serving.waits_for_press():
                self._serving.press()
            else:
                self._shots.press(None, event.at, None)
        except Refuse as refuse:
            self._tell_refused(refuse)
            return False
        return True

    def _tell_refused(self, refuse: Refuse) -> None:
        """A finger gets no answer: the terminal and the pages say why nothing happens."""
        if self.ground.now - self._button_notice < _PRESS_NOTICE:
            return
        self._button_notice = self.ground.now
        button_log.info("the button does nothing now: %s", refuse.text or refuse.reason)
        more = {key: value for key, value in refuse.more.items() if key == "seconds"}
        self.ground.tell("press-refused", reason=refuse.reason, **more)

    def _present(self, message: Presence) -> None:
        if message.seats != self.ground.present:
            self.ground.present = message.seats
            self.ground.show()

    def _break_down(self, message: JournalFailed) -> None:
        self.ground.parts.launcher.halt(message.text)
        self.ground.break_down(message.text)
        refused = Refuse("fault", _WHILE_BROKEN).answer()
        answers = self.ground.state.answers
        for waiting in self._untold.values():  # what they asked for may be lost: so nobody is told that it is done
            identity = _identity_of(waiting)
            if identity is not None:
                answers.waiters(waiting.who.session, identity)
                answers.remember(waiting.who.session, identity, {**refused, "id": identity})
            self.ground.reply(waiting.answer, {**refused, "id": identity})

    def _until_told(self, command: Command) -> Command:
        """The command, known here until its answer has left: an answer that waits for a failed journal never does."""
        if command.who.session == PROGRAM:
            return command
        number = self._asked = self._asked + 1

        def told(answer: Answer) -> None:
            if self._untold.pop(number, None) is not None:
                command.answer(answer)

        waiting = self._untold[number] = replace(command, answer=told)
        return waiting


def _identity_of(command: Command) -> str | None:
    """The id its asker gave it; None: none that can be used."""
    identity = command.body.get("id")
    usable = isinstance(identity, str) and 0 < len(identity) <= LONGEST_ID and is_writable(identity)
    return str(identity) if usable else None


def _unheard(answer: Answer) -> None:
    """Nobody waits for a bot's answer."""
