"""How answers are sent: cached or not, packed or not; and whether a request comes from the table's own machine."""

from __future__ import annotations

import ipaddress
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from web_companion.assets import Asset
from web_companion.guard import host_name

NO_STORE: Final = {"cache-control": "no-store"}


def send(asset: Asset, request: Request, cache: str) -> Response:
    """An asset, or word that the browser has it already; `cache` is the answer's cache-control."""
    headers = {"cache-control": cache, "etag": asset.etag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == asset.etag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(asset.packed, media_type=asset.media_type, headers={**headers, "content-encoding": "gzip"})
    return Response(asset.plain, media_type=asset.media_type, headers=headers)


def at_the_machine(request: Request) -> bool:
    """Whether the browser runs on the table's own machine and says so: hosting can always be taken there."""
    name = host_name(request.headers.get("host", ""))
    if request.client is None or (name != "localhost" and not _loopback(name)):
        return False
    return _loopback(request.client.host)


def _loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
