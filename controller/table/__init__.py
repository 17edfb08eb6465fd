"""The table: one task that owns the game, and everything that enters or leaves it. No pins, sockets or pages."""

from controller.table.ground import Settings
from controller.table.messages import Answer, Who
from controller.table.publication import Publication
from controller.table.table import Table

__all__ = ["Answer", "Publication", "Settings", "Table", "Who"]
