"""The twin: a simulated launcher on gpiozero's mock pins, and the backend that drives it with the code of real pins.

The machine moves input pins only and reads output pins only, so that the code under test cannot tell. Faults are asked
for by name (`Twin.ask`, the table is in `hardware.twin_faults`) or by method. The mechanics are in
`hardware.twin_physics`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from hardware.arbiter import MotorOutputs
from hardware.clock import Clock, Worker
from hardware.gpio import GpiozeroBackend
from hardware.launcher import MotorLauncher
from hardware.pins import PinMap
from hardware.ports import Listener, Tick, UnoButton
from hardware.sensors import Sensors
from hardware.settings import LauncherSettings
from hardware.twin_faults import FAULTS, TwinFault, find
from hardware.twin_physics import Machine, Physics

FULL_HOPPER: Final = 112  # the cards of an attack deck
KEPT_STATES: Final = 256  # a mock pin remembers every state for ever; we let it keep so many
HELD: Final = 0.07  # seconds a finger stays on the button
BOUNCES: Final = 3  # at the most, each way, of a good contact
BOUNCE: Final = (0.0002, 0.002)  # seconds from one bounce to the next
LATE: Final = 0.005  # seconds; a thread that comes later to a card than this was not given its turn
PATIENCE: Final = 0.2  # seconds the motor waits for whoever follows the cards, a thread that hangs no longer

_Change = Callable[[Machine], None]


class TwinPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin that stamps edges with the backend's clock, forgets old states and has one wire to the machine."""

    def __init__(self, factory: Any, info: Any) -> None:
        self.wire: Callable[[], None] | None = None
        self.happened: float | None = None  # when the change now being made happened, where that was before now
        self.deaf = False  # its changes get lost
        super().__init__(factory, info)

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        if changed:
            if len(self.states) > KEPT_STATES:
                self.clear_states()
            if self.wire is not None:
                self.wire()
        return changed

    def _call_when_changed(self) -> None:
        if self.deaf or not self.factory.edges_alive:
            return
        # The kernel stamps an edge when it happens, however late a program gets to see it; so does the twin.
        at = self.factory.clock.now() if self.happened is None else self.happened
        super(MockPin, self)._call_when_changed(at, self._state)


class TwinFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Mock pins of a Raspberry Pi 3, whatever the environment says about mock pins.

    While `edges_alive` is False levels still change but no edge is told, as when the thread that tells them has died.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.edges_alive = True
        super().__init__(revision="a02082", pin_class=TwinPin)


class Twin:
    """The machine at the other end of the pins. Its methods ask for faults, from any thread, at any time."""

    NAME = "twin"

    def __init__(
        self, factory: TwinFactory, clock: Clock, pins: PinMap, chance: Random, physics: Physics, hopper: int
    ) -> None:
        self._factory = factory
        self._pins = pins
        self._clock = clock
        self._chance = chance
        self._machine = Machine(physics, chance, hopper, clock.now())
        self._worker: Worker[tuple[float, _Change]] = clock.worker(self.NAME, self._handle)
        self._ran_to = clock.now()
        self._waited = False  # for the card that comes next, because this thread came late to it
        self._follower: Tick | None = None
        self._unseen = 0  # changes of a beam that whoever follows the cards has not come round to
        self._outputs = [factory.pin(pin) for pin in (pins.enable, pins.in1, pins.in2)]
        self._lid = factory.pin(pins.lid)
        self._beam = None if pins.beam is None else factory.pin(pins.beam)
        self._beam2 = None if pins.beam2 is None else factory.pin(pins.beam2)
        self._button = factory.pin(pins.button)
        self._stop = None if pins.stop is None else factory.pin(pins.stop)
        self._hand_in_beam = False
        self._finger: list[tuple[float, bool]] = []  # when the button's contact changes next, and to what
        self._bounces = BOUNCES

    # --- what people and tests do to it ----------------------------------------------------------------------------

    def faults(self) -> tuple[TwinFault, ...]:
        """Everything that can be asked of this machine, with the parts its pin map has."""
        return tuple(fault for fault in FAULTS if not fault.needs or getattr(self._pins, fault.needs) is not None)

    def ask(self, name: str, value: int | None = None) -> TwinFault:
        """Let the fault `name` happen, from any thread; `value`: its amount, None = the usual one. What was asked for.

        Raises `TwinFaultError`, and then nothing happens.
        """
        fault = find(name, self.faults())
        fault.do(self, fault.check(value))
        return fault

    @property
    def hopper(self) -> int:
        """Cards in it now."""
        return self._machine.hopper

    @property
    def out(self) -> int:
        """Cards that have come out since the start: the truth."""
        return self._machine.out

    def load(self, cards: int) -> None:
        """A person puts cards in, so that it holds `cards`."""
        self._ask(lambda machine: setattr(machine, "hopper", cards))

    def empty(self) -> None:
        """The hopper is empty, without anybody having said so."""
        self.load(0)

    def double(self, pairs: int = 1, overlap: float | None = None) -> None:
        """The next cards come in pairs; `overlap` as a share of a card, None = as drawn for every pair."""

        def set_doubles(machine: Machine) -> None:
            machine.faults.doubles = pairs
            if overlap is not None:
                machine.faults.overlap = (overlap, overlap)

        self._ask(set_doubles)

    def double_share(self, share: float) -> None:
        """From now on so large a share of the cards comes in pairs."""
        self._ask(lambda machine: setattr(machine.faults, "double_share", share))

    def overlap(self, share: float) -> None:
        """The pairs to come cover so much of each other."""
        self._ask(lambda machine: setattr(machine.faults, "overlap", (share, share)))

    def slip(self, cards: int = 1) -> None:
        """The roller slips: so many cards' worth of turning moves nothing."""
        self._ask(lambda machine: setattr(machine.faults, "slips", cards))

    def stiff(self) -> None:
        """The roller does not start forward before it was pulled back once."""
        self._ask(lambda machine: setattr(machine.faults, "stiff", True))

    def jam(self, hard: bool = False) -> None:
        """The next card sticks in the exit: until pulled back, or (`hard`) until `free`."""
        self._ask(lambda machine: setattr(machine.faults, "jam", "hard" if hard else "soft"))

    def stick_out(self) -> None:
        """The next card stays lying in the exit, until the one after it pushes it out or a person takes it."""
        self._ask(lambda machine: setattr(machine.faults, "stick_out", True))

    def flicker(self, cards: int = 1) -> None:
        """While the next cards are in the beam, it looks free for a moment."""
        self._ask(lambda machine: setattr(machine.faults, "flickers", cards))

    def free(self) -> None:
        """A person clears the exit: a stuck card goes back on the pile, one that sticks out is taken."""
        self._ask(Machine.free)

    def cells(self, share: float) -> None:
        """The motor turns with so much of its full speed."""
        self._ask(lambda machine: setattr(machine, "cells", share))

    def run_down(self, share: float) -> None:
        """Every second of the motor takes so much of its full speed."""
        self._ask(lambda machine: setattr(machine.faults, "run_down", share))

    def open_lid(self) -> None:
        """Somebody opens the lid."""
        self._lid.drive_high()

    def close_lid(self) -> None:
        """Somebody closes the lid."""
        self._lid.drive_low()

    def press_stop(self) -> None:
        """Somebody hits the emergency stop (where the pin map has one)."""
        if self._stop is not None:
            self._stop.drive_high()

    def release_stop(self) -> None:
        """Somebody releases the emergency stop."""
        if self._stop is not None:
            self._stop.drive_low()

    def hand_in_exit(self, there: bool = True) -> None:
        """Something, not a card, is in front of the exit (or no longer)."""
        self._hand_in_beam = there
        self._show_beam(self._clock.now())

    def press(self) -> None:
        """A finger pushes the button: the first contact now, from this thread; bounces and the release follow.

        A finger that is still down cannot press again: then nothing happens.
        """
        if self._finger or not self._button.state:
            return
        now = self._clock.now()
        down = self._bounce(now, down=True)
        self._finger = [*down, *self._bounce(max(now + HELD, down[-1][0] + BOUNCE[1]), down=False)][1:]
        self._button.drive_low()
        self._ask(_look)

    def bounce(self, times: int) -> None:
        """From now on the button bounces so many times at the most, at each press and release."""
        self._bounces = times

    def stick_button(self) -> None:
        """The button is pressed and stays down."""
        self._finger = []
        self._button.drive_low()

    def release_button(self) -> None:
        """The button comes up."""
        self._finger = []
        self._button.drive_high()

    def edges(self, alive: bool) -> None:
        """Whether the thread that tells changes of inputs is alive; if so, it tells all of them."""
        self._factory.edges_alive = alive
        if alive:
            self.lose_edges(False)

    def lose_edges(self, lost: bool = True) -> None:
        """Changes of the beams get lost, though the thread that tells them is alive."""
        for pin in (self._beam, self._beam2):
            if pin is not None:
                pin.deaf = lost

    # --- the worker ------------------------------------------------------------------------------------------------

    def followed_by(self, follower: Tick) -> None:
        """Before the start: the motor waits, a little, until whoever counts the cards has come round to each of them.

        A busy machine may leave that thread without its turn for longer than there is between two cards, and then no
        count could be right: see `_run`. A thread that hangs is not waited for.
        """
        self._follower = follower

    def start(self) -> None:
        """Close the lid, connect the wires, begin. The pins have been claimed before."""
        self.close_lid()
        self.release_stop()
        for pin in self._outputs:
            pin.wire = self._feel
        self._worker.start()

    def stop(self) -> None:
        """Disconnect and end."""
        for pin in self._outputs:
            pin.wire = None
        self._worker.stop()

    def _feel(self) -> None:
        """An output has changed: only notes what the driver sees, for it is called from the launcher's thread."""
        enable, in1, in2 = (bool(pin.state) for pin in self._outputs)
        self._ask(lambda machine: machine.drive(enable, in1, in2))

    def _ask(self, change: _Change) -> None:
        self._worker.post((self._clock.now(), change))

    def _handle(self, asked: tuple[float, _Change] | None) -> float | None:
        now, machine = self._clock.now(), self._machine
        if asked is not None:
            at, change = asked
            self._run(at, now)
            change(machine)
            self._waited = False
        self._run(now, now)
        self._show_card(now)
        self._move_finger(now)
        times = [at for at in (machine.next_event(), self._finger[0][0] if self._finger else None) if at is not None]
        return min(times) if times else None

    def _run(self, until: float, now: float) -> None:
        """One thing at a time, in order, however late this is called: the beam shows every card.

        When it is called late the motor waits, once for each card: on a machine too busy to let this thread run,
        whoever counts the cards did not see them either, and a real motor would not have been left on for so long.
        """
        machine = self._machine
        until = max(until, self._ran_to)
        while (due := machine.next_event()) is not None and due <= until:
            is_front = due == machine.fronts_at()
            if now - due > LATE and not self._waited:
                self._waited = True
                if is_front:
                    machine.hold(now)
                    continue
                machine.run(due)
                machine.hold(now)
            else:
                machine.run(due)
                self._waited = self._waited and not is_front
            self._show_card(due)
        machine.run(until)
        self._ran_to = until

    def _show_card(self, at: float) -> None:
        """What the beams see; the motor waits until whoever follows the cards has come round to it."""
        if self._show_beam(at) and self._machine.powered and self._follower is not None and self._factory.edges_alive:
            self._unseen += 1
            self._machine.hold(self._clock.now() + PATIENCE)
            self._follower(self._seen)

    def _show_beam(self, at: float) -> bool:
        """From any thread, for a hand is put there from any. Whether a change of a beam is told."""
        machine, hand, told = self._machine, self._hand_in_beam, False
        for pin, blocked in ((self._beam, machine.blocked), (self._beam2, machine.blocked2)):
            if pin is None:
                continue
            pin.happened, before = at, pin.state
            if blocked or hand:
                pin.drive_low()
            else:
                pin.drive_high()
            told = told or (pin.state != before and not pin.deaf)
        return told

    def _seen(self) -> None:
        """Called by whoever follows the cards."""
        self._ask(self._go_on)

    def _go_on(self, machine: Machine) -> None:
        self._unseen -= 1
        if not self._unseen:
            machine.hold(self._ran_to)

    def _move_finger(self, now: float) -> None:
        while self._finger and self._finger[0][0] <= now:
            _, down = self._finger.pop(0)
            if down:
                self._button.drive_low()
            else:
                self._button.drive_high()

    def _bounce(self, at: float, down: bool) -> list[tuple[float, bool]]:
        """The contact's changes from `at` on; the last one leaves it at `down`."""
        changes = [(at, down)]
        for _ in range(self._chance.randint(0, self._bounces)):
            for level in (not down, down):
                at += self._chance.uniform(*BOUNCE)
                changes.append((at, level))
        return changes


def _look(machine: Machine) -> None:
    """A change that changes nothing."""


class TwinButton:
    """The twin's UNO button: pressing it moves the mock pin, and everything else follows from there."""

    def __init__(self, twin: Twin) -> None:
        self._twin = twin

    def press(self) -> None:
        """See `hardware.ports.UnoButton`."""
        self._twin.press()


class TwinBackend(GpiozeroBackend):
    """The gpiozero code on mock pins, the twin at their other end. `factory` has the pins, for tests and benches."""

    name = "twin"
    announcement = "twin: a simulated launcher on mock pins; nothing real will move"

    def __init__(
        self,
        clock: Clock,
        settings: LauncherSettings,
        pins: PinMap,
        seed: int | None = None,
        physics: Physics | None = None,
        hopper: int = FULL_HOPPER,
    ) -> None:
        """The same seed gives the same machine. `hopper`: cards in it, which the launcher is told."""
        super().__init__(clock, settings, pins, hopper)
        self.factory = TwinFactory(clock)
        self.twin = Twin(self.factory, clock, pins, Random(seed), physics or Physics(), hopper)

    @property
    def button(self) -> UnoButton:
        """The twin's button."""
        return TwinButton(self.twin)

    def open_factory(self) -> TwinFactory:
        """The mock pins."""
        return self.factory

    def edges_alive(self) -> bool:
        """See `GpiozeroBackend`."""
        return self.factory.edges_alive

    def make_launcher(self, outputs: MotorOutputs, sensors: Sensors, listener: Listener) -> MotorLauncher:
        """The launcher, which the machine waits for."""
        launcher = super().make_launcher(outputs, sensors, listener)
        self.twin.followed_by(launcher.tick)
        return launcher

    def wire(self) -> None:
        """Connect the machine."""
        self.twin.start()

    def unwire(self) -> None:
        """Disconnect the machine."""
        self.twin.stop()

    def loaded(self, cards: int) -> None:
        """Nobody can put cards into a simulated machine, so saying it does it."""
        self.twin.load(cards)
