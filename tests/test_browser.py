"""Every kind of report in a real browser: nothing is fetched, nothing complains, nothing overflows, all can be read.

The screenshots are kept in `test-artifacts/pages` of the folder where the tests run, or in `$BALANCE_ARTIFACTS`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import strategies
from report_kinds import KINDS, write
from support import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZES = {"desktop": 1200, "phone": 360}
LARGEST = 2_000_000  # bytes of a page
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
GAMES = strategies.game_names()
# Each game once, each with another kind; all pairs with --slow.
FEW = set(zip(KINDS, GAMES, strict=False))
PAIRS = [
    pytest.param(kind, game, marks=() if (kind, game) in FEW else pytest.mark.slow) for kind in KINDS for game in GAMES
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a browser without a window."""
    if not CHROMIUM:
        pytest.skip("no Chromium on the PATH: pages are not looked at")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        # a build has no user namespaces, and no graphics
        found = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def artifacts() -> Path:
    """Return the folder of the screenshots."""
    folder = Path(os.environ.get("BALANCE_ARTIFACTS", ROOT / "test-artifacts" / "pages"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.mark.parametrize(("kind", "game"), PAIRS)
def test_a_report_is_at_home_in_a_browser(
    kind: str, game: str, tmp_path: Path, browser: Browser, artifacts: Path
) -> None:
    file = write(kind, game, tmp_path) / "report.html"
    assert file.stat().st_size < LARGEST
    for name, width in SIZES.items():
        for scheme in ("light", "dark"):
            look(browser, file, width, scheme, artifacts / f"{kind}-{game}-{name}-{scheme}.png")


def look(browser: Browser, file: Path, width: int, scheme: Any, picture: Path) -> None:
    """Open a page in a size and a colour scheme, and check what any page must be."""
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert said == []
    assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=picture, full_page=True)
    for folded in page.locator("summary").all():
        folded.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    page.close()


def violations(page: Page) -> list[str]:
    """Return what axe-core finds against a page."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]


def test_a_page_needs_no_script_and_prints_what_is_folded(tmp_path: Path, browser: Browser) -> None:
    file = write("run", "as-you-wish", tmp_path) / "report.html"
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(file.as_uri())
    assert page.locator("h2").first.is_visible()
    folded = page.locator("details table")
    assert folded.count() > 0
    assert not folded.first.is_visible()
    page.locator("summary").first.click()
    assert folded.first.is_visible()
    page.reload()
    page.emulate_media(media="print")
    assert all(table.is_visible() for table in folded.all())
    assert page.pdf()[:5] == b"%PDF-"
    for small in page.locator("figure .narrow").all():
        assert not small.is_visible()
    page.close()


def test_the_keyboard_reaches_what_scrolls_and_what_is_folded(tmp_path: Path, browser: Browser) -> None:
    file = write("run", "as-you-wish", tmp_path) / "report.html"
    page = browser.new_page(viewport={"width": 360, "height": 800})
    page.goto(file.as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the answer"
    wide = page.locator(".box").filter(has=page.locator("table")).all()
    assert all(box.get_attribute("tabindex") == "0" for box in wide)
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details table").first.is_visible()
    page.close()
