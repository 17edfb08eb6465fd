"""The description of the REST interface holds at a real table, whatever is sent to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.core.result import Ok

from tests.end_to_end.process import Process

pytestmark = pytest.mark.slow

EXAMPLES = 60  # for each address


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A table, at whose machine hosting needs no code."""
    with Process(tmp_path_factory.mktemp("rest")) as running:
        yield running


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("mode", list(schemathesis.GenerationMode))
def test_every_answer_is_as_described(process: Process, method: str, mode: schemathesis.GenerationMode) -> None:
    described = schemathesis.openapi.from_url(f"{process.url}/api/v1/openapi.json")
    answer = httpx.post(f"{process.url}/api/v1/host", json={}, headers={"origin": process.url})
    cookies = dict(answer.cookies)
    tried = 0
    for each in described.get_all_operations():
        assert isinstance(each, Ok), each
        operation = each.ok()
        if operation.method.upper() != method:
            continue

        @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy(generation_mode=mode))
        def holds(case: schemathesis.Case[Any]) -> None:
            nonlocal tried
            tried += 1
            case.call_and_validate(headers={"origin": process.url}, cookies=cookies)

        with suppress(Unsatisfiable):  # an address that takes nothing cannot be given anything wrong
            holds()
    assert tried > (EXAMPLES if method == "POST" else 5) or mode is schemathesis.GenerationMode.NEGATIVE
    assert httpx.get(f"{process.url}/healthz").json()["ok"] is True
