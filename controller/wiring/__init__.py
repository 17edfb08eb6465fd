"""How a launcher is wired: the 40-pin header, the pin map as a table, and a drawing of it."""
