"""The status page and the playground in a headless browser, where there is one."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.cli.caches import CACHES, UPDATE
from tests.serve.conftest import LONG, eventually, serving

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium")
# With a folder here the pages are kept as pictures, such as those in docs/.
PICTURES = os.environ.get("FASTEDIT_PICTURES")


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("no chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def picture(page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)


def test_the_playground_shows_an_edit_as_a_diff_and_the_status_page_its_receipt(server, page):
    page.goto(f"{server.url}/playground")
    page.get_by_role("button", name="Apply").click()
    page.wait_for_selector("#receipt:not(:empty)")
    assert page.locator("#diff .add").all_inner_texts() == ['    merged.pop("version", None)']
    assert "ms" in page.locator("#receipt").inner_text()
    picture(page, "playground")
    page.goto(f"{server.url}/")
    page.wait_for_selector("#recent tr")
    assert "ready" in page.locator("#tiles").inner_text()
    picture(page, "status")


def test_the_playground_shows_each_reading_of_an_update_at_a_click(server, page):
    page.goto(f"{server.url}/playground")
    page.fill("#content", CACHES)
    page.fill("#update", UPDATE)
    page.get_by_role("button", name="Apply").click()
    page.wait_for_selector("#readings button")
    buttons = page.locator("#readings button")
    assert buttons.count() == 2
    assert "line 3" in buttons.nth(1).inner_text()
    place = "() => [...document.querySelectorAll('#diff div')].findIndex((row) => row.className == 'add')"
    first = page.evaluate(place)
    buttons.nth(1).click()
    assert page.evaluate(place) != first
    assert buttons.nth(1).get_attribute("aria-pressed") == "true"


def test_a_cancelled_edit_frees_its_worker(server, page):
    page.goto(f"{server.url}/playground")
    page.fill("#update", "")
    page.fill("#instruction", LONG["instruction"])
    page.get_by_role("button", name="Apply").click()
    assert eventually(lambda: server.service.pool.live == 1)
    page.get_by_role("button", name="Cancel").click()
    playwright.expect(page.locator("#said")).to_have_text("cancelled")
    assert eventually(lambda: server.service.pool.live == 0)


def test_text_of_a_file_is_never_run_by_the_page(server, page):
    page.goto(f"{server.url}/playground")
    page.fill("#content", "a = 1\n<img src=x onerror='document.title=\"run\"'>\n")
    page.fill("#update", "a = 1\n<script>document.title='run'</script>")
    page.get_by_role("button", name="Apply").click()
    page.wait_for_selector("#receipt:not(:empty)")
    assert page.title() == "fastedit playground"
    assert page.locator("#diff img, #diff script").count() == 0


def test_errors_are_told_and_a_key_lets_in(copier, page):
    with serving(copier, keys=("k",)) as locked:
        page.goto(f"{locked.url}/playground")
        page.get_by_role("button", name="Apply").click()
        playwright.expect(page.locator("#said")).to_contain_text("401")
        page.fill("#key", "k")
        page.get_by_role("button", name="Apply").click()
        page.wait_for_selector("#diff .add")


def test_the_page_of_the_api_shows_every_path_and_asks_no_other_host(server, page):
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/", 3)[2]))
    page.goto(f"{server.url}/docs")
    page.wait_for_selector("section h2")
    paths = server.http.get("/openapi.json").json()["paths"]
    wanted = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert set(page.locator("section h2").all_inner_texts()) == wanted
    assert (
        page.locator("section", has_text="POST /v1/edits").first.locator("td", has_text="base_sha256").count()
    )
    assert hosts == {server.url.removeprefix("http://")}
    picture(page, "api")
