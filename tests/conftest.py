"""What all tests share: hypothesis without deadlines, pages without haste, and this machine's browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, expect, sync_playwright

from tests.patience import DEADLINE

settings.register_profile("project", deadline=None, print_blob=True)
settings.load_profile("project")
expect.set_options(timeout=DEADLINE * 1000)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The path of this machine's Chromium. Playwright's own build is not used: it cannot be had from Debian."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found is not None:
            return found
    pytest.fail("no Chromium on this machine: `./uno test` installs Debian's")


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    """One headless Chromium for the whole run; a phone or a television is a context of its own.

    `uno.local` leads to this machine, and is as insecure a context as plain HTTP at home.
    """
    arguments = ["--no-sandbox", "--host-resolver-rules=MAP uno.local 127.0.0.1"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=arguments)
        yield chromium
        chromium.close()
