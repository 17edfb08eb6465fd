"""The commands of the command line: one module each, with `add_arguments(parser)`, which also names what to run."""

COMMANDS = {
    "play": "start a table that phones can join",
    "case": "check case files: a few moves of a game, and what must be true after them",
    "config": "check or show the configuration, or write a new one",
    "calibrate": "measure this launcher by test shots: how long a card takes, how quickly they come",
    "pins": "which pin is what, what the pins say now, and a drawing of the wiring",
    "bridge": "the microcontroller behind a serial port: which ports, who is there, its firmware",
    "doctor": "look at this machine: what would keep a table from working, and what to do about it",
    "safe-off": "make every output of the launcher low, whoever has to end for it",
    "service": "have the table start with the machine, watched over by systemd",
    "fire": "make a service shot with the launcher, with every limit",
    "clear": "tell a running table that what was wrong with its launcher is put right",
    "halt": "stop the launcher of a running table until it is cleared",
    "deal": "deal real cards by the launcher, seat after seat",
    "record": "record the traces of real shots, or say how well such a file is counted",
    "count": "run a deck through the launcher and say how many cards are missing",
    "twin": "let something happen to the simulated machine of a running table",
    "rotation": "who sits opposite whom when everybody meets everybody, and the standings",
    "odds": "how the launcher fires, in words and pictures, and whether a real one does so",
    "rules": "what rules there are, in words; check a rule file",
}


class CommandError(Exception):
    """A command cannot be done; the text says why, and what to do."""
