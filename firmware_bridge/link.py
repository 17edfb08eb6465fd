"""The host's end of the link: one question at a time, asked again until it is answered, or the link has failed.

Pure: bytes and times (seconds of one clock) are handed in, bytes go out through `write`. Not for several threads, apart
from `shout`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.frames import PROTOCOL, Decoder, Frame, encode
from firmware_bridge.messages import ANSWER, EVENTS, HERE, RETRY_MS, TRIES, WHO, Event, Hello, Kind, Result, Status

HELLO_RETRY: Final = 0.25  # seconds: whoever has just been reset by the opening of its port is slow to answer
HELLO_TRIES: Final = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question: `status` of all but HELLO, `hello` of HELLO."""

    result: int
    status: Status | None = None
    hello: Hello | None = None


Done = Callable[[Answer], None]


@dataclass(slots=True)
class _Question:
    kind: Kind
    payload: bytes
    done: Done | None
    sequence: int = 0
    tries: int = 0
    due: float = 0.0


class OtherProtocol(ValueError):
    """Whoever answers speaks another version of the protocol."""

    def __init__(self, version: int) -> None:
        super().__init__(f"protocol {version}, where this program speaks {PROTOCOL}")
        self.version = version


class Link:
    """One conversation. `failure` is why it has failed; from then on nothing is sent and nothing is heard."""

    def __init__(self, write: Callable[[bytes], None], tell: Callable[[Event], None]) -> None:
        """`tell` is given every event, once; `write` may raise `OSError`, which fails the link."""
        self._write = write
        self._tell = tell
        self._decoder = Decoder()
        self._waiting: deque[_Question] = deque()
        self._asked: _Question | None = None
        self._sequence = 0
        self._last_event: int | None = None
        self._shouted = 0
        self.failure = ""
        self.greeted = False  # one of ours has answered HELLO on it
        self.unanswered = False  # it has failed because nobody ever has
        self.restarted: Hello | None = None  # a HELLO that nobody asked for: the controller has started anew

    @property
    def garbage(self) -> int:
        """How many stretches of what came were no frames."""
        return self._decoder.garbage

    @property
    def idle(self) -> bool:
        """Nothing waits for an answer."""
        return self._asked is None and not self._waiting

    @property
    def deadline(self) -> float | None:
        """When `tick` has something to do."""
        return None if self._asked is None or self.failure else self._asked.due

    def hello(self, now: float, done: Done) -> None:
        """Begin anew: who is there? Whatever else was waiting is forgotten, without a word."""
        self._waiting.clear()
        self._asked = None
        self._last_event = None
        self.restarted = None
        self.ask(now, Kind.HELLO, WHO, done)

    def ask(self, now: float, kind: Kind, payload: bytes = b"", done: Done | None = None) -> None:
        """Ask; `done` is called with the answer, unless the link fails before."""
        self._waiting.append(_Question(kind, payload, done))
        self._next(now)

    def shout(self, kind: Kind) -> None:
        """Send a frame at once, past the window, from any thread, without waiting for an answer. For STOP.

        Not to a stranger: before one of ours has answered HELLO there is nobody whose motor this program has started.
        """
        if not self.greeted:
            return
        self._shouted = (self._shouted + 1) % 256
        self._send(Frame(kind, self._shouted))

    def tick(self, now: float) -> None:
        """Ask again what has not been answered in time."""
        question = self._asked
        if question is None or self.failure or now < question.due:
            return
        if question.tries >= (HELLO_TRIES if question.kind is Kind.HELLO else TRIES):
            self.unanswered = not self.greeted
            self._fail(f"no answer to {question.kind.name}, asked {question.tries} times")
            return
        self._put(now, question)

    def hear(self, now: float, data: bytes) -> None:
        """Take what came. Raises `OtherProtocol` when the answer to HELLO is of another version."""
        for frame in self._decoder.feed(data):
            if self.failure:
                return
            self._take(now, frame)

    def _take(self, now: float, frame: Frame) -> None:
        if frame.kind == Kind.HELLO | ANSWER:
            self._take_hello(now, frame)
        elif frame.version != PROTOCOL:
            return
        elif frame.kind == Kind.EVENT:
            self._take_event(frame)
        elif frame.kind & ANSWER:
            question = self._asked
            if question is not None and (frame.kind, frame.sequence) == (question.kind | ANSWER, question.sequence):
                try:
                    answer = Answer(frame.payload[0], Status.unpack(frame.payload[1:]))
                except (ValueError, IndexError):
                    self._fail(f"the answer to {question.kind.name} cannot be understood: {frame.payload.hex(' ')}")
                    return
                self._answered(now, answer)

    def _take_hello(self, now: float, frame: Frame) -> None:
        question = self._asked
        asked = question is not None and question.kind is Kind.HELLO
        if frame.version != PROTOCOL:
            if asked:
                raise OtherProtocol(frame.version)
            return
        try:
            hello = Hello.unpack(frame.payload[1:])
        except ValueError:
            return
        if asked and question is not None and frame.sequence == question.sequence:
            self.greeted = hello.here == HERE
            self._answered(now, Answer(Result.OK, hello=hello))
        elif not asked and frame.sequence == 0:
            self.restarted = hello

    def _take_event(self, frame: Frame) -> None:
        if self._asked is not None and self._asked.kind is Kind.HELLO:
            return  # of a conversation before this one
        kind = EVENTS.get(frame.payload[0]) if frame.payload else None
        self._send(Frame(Kind.EVENT | ANSWER, frame.sequence))
        if frame.sequence == self._last_event:
            return  # our answer got lost
        self._last_event = frame.sequence
        if kind is not None:
            try:
                self._tell(kind.unpack(frame.payload))
            except ValueError as problem:
                self._fail(str(problem))

    def _answered(self, now: float, answer: Answer) -> None:
        question, self._asked = self._asked, None
        if question is not None and question.done is not None:
            question.done(answer)
        self._next(now)

    def _next(self, now: float) -> None:
        if self._asked is None and self._waiting and not self.failure:
            question = self._asked = self._waiting.popleft()
            self._sequence = question.sequence = self._sequence % 255 + 1  # never 0: that is what a start says
            self._put(now, question)

    def _put(self, now: float, question: _Question) -> None:
        question.tries += 1
        question.due = now + (HELLO_RETRY if question.kind is Kind.HELLO else RETRY_MS / 1000)
        self._send(Frame(question.kind, question.sequence, question.payload))

    def _send(self, frame: Frame) -> None:
        if self.failure:
            return
        try:
            self._write(encode(frame))
        except OSError as problem:
            self._fail(str(problem))

    def _fail(self, why: str) -> None:
        self.failure = self.failure or why
        self._waiting.clear()
        self._asked = None
