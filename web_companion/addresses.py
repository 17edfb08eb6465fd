"""Names and addresses of this machine on the home network: what phones may call it, and what the QR says."""

from __future__ import annotations

import socket


def lan_address() -> str:
    """The address phones on the same network reach this machine at; 127.0.0.1 when there is no network.

    Nothing is sent: connecting a datagram socket only asks the routing table which address would be used.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address (RFC 5737), never reached
            address = probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
    return str(address)


def own_names() -> frozenset[str]:
    """The names this machine goes by in a Host header, lower case, without a port."""
    name = socket.gethostname().lower().removesuffix(".local").split(".")[0]
    return frozenset({"localhost", "uno.local", socket.gethostname().lower(), name, f"{name}.local"}) - {""}
