"""`uno-attack doctor`: one small check a module, each of which looks at one thing and says what to do about it.

A check is a function `look(system, patient)` that yields findings. It changes nothing, needs no root, and lets nothing
fail that the configured backend has no use for.
"""
