"""This machine's own sounds: made here, kept as files, played by a program of the system, and never waited for.

The sounds are sums of plain tones, worked out with the standard library; nobody's recordings. A player that hangs is
killed, one that fails is not asked again; with no player left it is said once, and silence follows.
"""

from __future__ import annotations

import logging
import math
import os
import shutil
import signal
import subprocess
import wave
from array import array
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from hardware.clock import Clock
from hardware.cues import LONGEST, TICK, TICKS, Cues, Sound, VoiceError
from hardware.ports import Cue, LampState

log = logging.getLogger("hardware.sounds")

RATE: Final = 16_000  # samples a second
LOUDEST: Final = 30_000  # of a sample of 16 bits
PATIENCE: Final = 2.0  # seconds beyond its sound's length after which a player hangs
EDITION: Final = 1  # of the sounds below: files of another one are not used

Note = tuple[float, float, float]  # Hz at its begin, Hz at its end, seconds; 0 Hz is silence
NOTES: Final[dict[Cue, tuple[Note, ...]]] = {
    Cue.PRESS_NOW: ((784, 784, 0.10), (1047, 1047, 0.16)),
    Cue.FIRING: ((1400, 300, 0.25), (1400, 300, 0.25)),
    Cue.DRY: ((330, 320, 0.14), (0, 0, 0.04), (220, 196, 0.28)),
    Cue.FAULT: ((180, 180, 0.22), (0, 0, 0.12)) * 3,
}
TICK_TONES: Final = (620, 440, 520, 620, 740, 880)  # Hz of a tick: not rising, then step by step

# How each player is told to play a file, by its name; the first of them that is there is asked first.
PLAYERS: Final[dict[str, tuple[str, ...]]] = {"pw-play": ("pw-play",), "aplay": ("aplay", "-q")}


class Process(Protocol):
    """A player at work, as far as it is looked at."""

    def poll(self) -> int | None: ...
    def kill(self) -> None: ...
    def wait(self, timeout: float | None = None) -> int: ...


class Speaker:
    """The `Signals` of this machine's loudspeaker: it has no lamp."""

    def __init__(
        self,
        clock: Clock,
        players: Sequence[str],
        directory: Path,
        volume: int = 70,
        run: Callable[[Sequence[str]], Process] | None = None,
    ) -> None:
        """`players`: names of `PLAYERS`, asked in turn; `directory`: where sounds are kept; `volume`: 0 to 100."""
        self._cues = Cues(clock, "speaker", Player(players, directory, volume, run or start_player))

    def start(self) -> None:
        """Begin, quiet."""
        self._cues.start()

    def stop(self) -> None:
        """Quiet, and end."""
        self._cues.stop()

    def lamp(self, state: LampState, step: int = 0, fault: str = "") -> None:
        """Nothing is shown."""

    def cue(self, cue: Cue, step: int = 0) -> None:
        """See `hardware.ports.Signals`."""
        self._cues.cue(cue, step)


class Player:
    """A voice: files, played by a process each."""

    def __init__(
        self, players: Sequence[str], directory: Path, volume: int, run: Callable[[Sequence[str]], Process]
    ) -> None:
        self._players = list(players)
        self._directory = directory
        self._volume = volume
        self._run = run

    def __call__(self, cue: Cue, step: int) -> Sound:
        """See `hardware.cues.Voice`. Raises `VoiceError` when there is no way to be heard."""
        step = step if cue is Cue.PRESSED else 0  # of nothing else there is more than one sound
        path = self._file(cue, step)
        while True:
            if not self._players:
                raise VoiceError("no program is left that plays sounds")
            player = self._players[0]
            failure = yield from self._play(player, path, seconds_of(cue))
            if failure is None:
                return
            self._give_up(player, path, failure)

    def _play(self, player: str, path: Path, seconds: float) -> Generator[float, None, str | None]:
        """Why it could not be played; None when it was."""
        try:
            process = self._run([*PLAYERS[player], str(path)])
        except OSError as error:
            return error.strerror or repr(error)
        try:
            yield seconds
            if process.poll() is None:
                yield PATIENCE
            code = process.poll()
        except GeneratorExit:  # another cue cuts it short: that is no failure, unless it had failed before
            code = process.poll()
            if code:
                self._give_up(player, path, f"it ended with {code}")
            raise
        finally:
            _end(process)
        if code is None:
            return f"it hung and was killed, {PATIENCE:.0f} s after a sound of {seconds:.1f} s was over"
        return f"it ended with {code}" if code else None

    def _give_up(self, player: str, path: Path, failure: str) -> None:
        self._players = [each for each in self._players if each != player]
        log.warning("%s cannot play sounds: %s; try it by hand: %s", player, failure, " ".join((player, str(path))))

    def _file(self, cue: Cue, step: int) -> Path:
        """The file of a sound, written where there is none yet. Raises `VoiceError`."""
        path = self._directory / f"{cue.value}-{step}-{self._volume}-{EDITION}.wav"
        if path.exists():
            return path
        beside = path.with_suffix(f".{os.getpid()}")
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            with wave.open(str(beside), "wb") as sound:
                sound.setnchannels(1)
                sound.setsampwidth(2)
                sound.setframerate(RATE)
                sound.writeframes(samples_of(cue, step, self._volume).tobytes())
            beside.replace(path)
        except OSError as error:
            raise VoiceError(f"sounds cannot be kept in {self._directory}: {error.strerror}") from error
        return path


def players_there(choice: str, which: Callable[[str], str | None] = shutil.which) -> list[str]:
    """The players to be asked in turn: `auto`, what there is of `PLAYERS`; a name, that one; `none`, none."""
    if choice == "none":
        return []
    return [name for name in PLAYERS if which(name)] if choice == "auto" else [choice]


def start_player(command: Sequence[str]) -> Process:
    """Start a player, which gets nothing of ours: no terminal, no files, no signals. Raises `OSError`."""
    nothing = subprocess.DEVNULL
    return _Program(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)


class _Program(subprocess.Popen[bytes]):
    """A process that is killed with all it has started: a player may be a script around one."""

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


def seconds_of(cue: Cue) -> float:
    """How long a sound is."""
    return LONGEST if cue is Cue.PRESSED else sum(seconds for _, _, seconds in NOTES[cue])


def samples_of(cue: Cue, step: int = 0, volume: int = 70) -> array[int]:
    """A sound, sample by sample; a suspense is one tick after the other for `LONGEST` seconds."""
    loudest = LOUDEST * volume / 100
    if cue is Cue.PRESSED:
        tick = _note((TICK_TONES[step], TICK_TONES[step], TICK), loudest)
        return (tick + _silence(TICKS[step] - TICK)) * int(LONGEST / TICKS[step])
    samples = array("h")
    for note in NOTES[cue]:
        samples += _note(note, loudest)
    return samples


def _note(note: Note, loudest: float) -> array[int]:
    """A tone with two overtones that fades away; its pitch glides."""
    begin, end, seconds = note
    if not begin:
        return _silence(seconds)
    count = int(seconds * RATE)
    samples, turned = array("h"), 0.0
    for place in range(count):
        gone = place / count
        turned += 2 * math.pi * (begin + (end - begin) * gone) / RATE
        shape = 0.7 * math.sin(turned) + 0.2 * math.sin(2 * turned) + 0.1 * math.sin(3 * turned)
        fade = min(1.0, place / (0.003 * RATE)) * (1 - gone) ** 0.7  # no click at the begin
        samples.append(int(loudest * fade * shape))
    return samples


def _silence(seconds: float) -> array[int]:
    return array("h", bytes(2 * int(seconds * RATE)))


def _end(process: Process) -> None:
    """Killed if it still runs, and its remains taken away."""
    if process.poll() is None:
        process.kill()
        try:
            process.wait(1.0)
        except subprocess.TimeoutExpired:
            log.warning("a player of sounds does not die; it is left alone")
