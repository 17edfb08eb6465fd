"""The journal of a data directory: rows committed before their effect leaves, and who holds the directory."""

from controller.journal.journal import Appender, Journal, JournalError, Row, StoredRow

__all__ = ["Appender", "Journal", "JournalError", "Row", "StoredRow"]
