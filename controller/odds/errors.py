"""What can be wrong with odds."""

from __future__ import annotations


class OddsError(ValueError):
    """A profile there is not, a table or a state that cannot be one; the text says what would be right.

    `table` and `key`: which entry of the configuration it is about, where it is about one.
    """

    def __init__(self, text: str, table: str = "", key: str = "") -> None:
        super().__init__(text)
        self.table = table
        self.key = key
