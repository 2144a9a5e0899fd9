"""The status page and the playground in a headless browser, where there is one."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.serve.conftest import LONG, SOURCE, serving
from tests.waiting import eventually

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium")
# With a folder here the pages are kept as pictures, such as those in docs/.
PICTURES = os.environ.get("FASTEDIT_PICTURES")
SKETCH, READINGS, DIFF = "Sketch", "Sketch with two readings", "Diff of two files"
NEW_FILE, INSTRUCTION, NO_PLACE = "apply_patch with a new file", "Instruction", "A hunk without a place"


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
    """A page of its own on which nothing may fail, and from which nothing but the server may be asked."""
    context = browser.new_context(viewport={"width": 1360, "height": 860})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Security Policy" in said.text else None)
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/", 3)[2]))
    yield page
    context.close()
    assert errors == []
    assert len(hosts) <= 1


def picture(page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png")


def playground(server, page, example: str = SKETCH) -> None:
    page.goto(f"{server.url}/playground")
    page.select_option("#examples", label=example)


def run(page) -> None:
    page.keyboard.press("Control+Enter")
    playwright.expect(page.locator("#cancel")).to_be_disabled()


PASTE = """(editor, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  editor.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def paste(page, editor: str, text: str) -> None:
    page.locator(f"{editor} .cm-content").click()
    page.keyboard.press("Control+a")
    page.locator(f"{editor} .cm-content").evaluate(PASTE, text)


def rows(page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator("#hunks li").all_inner_texts()]


def content(page) -> str:
    return "\n".join(page.locator("#content .cm-line").all_inner_texts())


def test_every_example_comes_to_what_its_name_says(server, page):
    page.goto(f"{server.url}/playground")
    refused = []
    for name in page.locator("#examples option").all_inner_texts():
        page.select_option("#examples", label=name)
        run(page)
        playwright.expect(page.locator("#said")).not_to_be_empty()
        if page.locator("#changed .refused").count() or not page.locator("#hunks li").count():
            refused.append(name)
    assert refused == [NO_PLACE]


def test_each_hunk_is_accepted_or_rejected_and_the_accepted_ones_go_into_the_file(server, page):
    playground(server, page)
    run(page)
    assert page.locator("#diff .cm-changedLine").count() == 3
    assert [row.split(" +")[0] for row in rows(page)] == ["after line 1", "after line 11", "line 16"]
    picture(page, "playground")
    page.keyboard.press("a")
    page.keyboard.press("r")
    page.locator("#diff .cm-chunkButtons .accept").first.dispatch_event("mousedown")
    playwright.expect(page.locator("#tally")).to_contain_text("3 decided, 2 accepted")
    assert page.locator("#diff .cm-changedLine").count() == 0
    page.get_by_role("button", name="Use accepted").click()
    assert content(page).startswith("import json\nimport os\n")
    assert "expanduser" in content(page)
    assert "pop" not in content(page)


def test_each_reading_of_a_sketch_is_shown_with_its_posterior_at_a_key(server, page):
    playground(server, page, READINGS)
    page.locator("#message .cm-content").click()
    run(page)
    said = page.locator("#readings button").all_inner_texts()
    assert [text.split("(")[0].strip() for text in said] == ["Reading 1", "Reading 2"]
    assert all("%" in text for text in said)
    assert rows(page)[0].startswith("line 3 ")
    page.keyboard.press("2")
    assert rows(page)[0].startswith("line 11 ")
    assert page.locator("#readings button").nth(1).get_attribute("aria-pressed") == "true"
    page.keyboard.press("e")
    playwright.expect(page.locator("#message .cm-content")).to_be_focused()


def test_a_hunk_shows_the_step_that_placed_it_in_each_file_of_a_change(server, page):
    playground(server, page, DIFF)
    run(page)
    assert all("exact" in row for row in rows(page))
    page.get_by_role("button", name="limits.json ok").click()
    assert rows(page) == ["line 3 +1 −1 exact ✓ ✗"]
    page.select_option("#view", "split")
    assert page.locator("#diff .cm-merge-a").count() == 1


def test_a_new_file_is_taken_or_left_as_one(server, page):
    playground(server, page, NEW_FILE)
    run(page)
    page.get_by_role("button", name="errors.ts ok").click()
    assert rows(page)[0].startswith("new file, 1 line")
    page.get_by_role("button", name="Accept all").click()
    page.get_by_role("button", name="Use accepted").click()
    assert sorted(page.locator("#files .tab button:first-child").all_inner_texts()) == [
        "errors.ts",
        "queue.ts",
    ]


def test_a_hunk_that_is_there_already_is_told_beside_those_that_are_not(server, page):
    playground(server, page)
    block = "settings.py\n<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"
    done = block.format("    merged.update(None)", "    merged.update(extra)")
    paste(page, "#message", done + block.format("    base = load(path)", "    base = load(path) or {}"))
    run(page)
    said = page.locator("#verdict").inner_text()
    assert said == "hunk 1: its new text is there already, at line 11, so nothing is written for it"
    assert rows(page) == ["line 16 +1 −1 exact ✓ ✗"]


def test_a_hunk_without_a_place_says_why_and_what_is_nearest(server, page):
    playground(server, page, NO_PLACE)
    run(page)
    assert "nearest are lines 11-12" in page.locator("#verdict").inner_text()
    assert "merged.update(extra)" in page.locator("#verdict pre").inner_text()


def test_a_cancelled_edit_frees_its_worker(server, page):
    playground(server, page, INSTRUCTION)
    page.fill("#instruction", LONG["instruction"])
    page.get_by_role("button", name="Run").click()
    playwright.expect(page.locator("#progress")).to_contain_text("50 %, 1 tokens/s")
    assert server.service.pool.live == 1
    page.keyboard.press("Escape")
    playwright.expect(page.locator("#said")).to_have_text("cancelled")
    assert eventually(lambda: server.service.pool.live == 0)


def test_text_of_a_file_is_never_run_by_the_page(server, page):
    playground(server, page)
    script = "<script>document.title='run'</script>"
    paste(page, "#content", "a = 1\n<img src=x onerror='document.title=\"run\"'>\n")
    paste(page, "#message", f"a = 1\n{script}\n")
    run(page)
    assert page.title() == "fastedit playground"
    assert script in page.locator("#diff").inner_text()
    assert page.locator("#diff img, #diff script").count() == 0


def test_errors_are_told_and_a_key_lets_in(copier, page):
    with serving(copier, keys=("k",)) as locked:
        playground(locked, page)
        run(page)
        playwright.expect(page.locator("#said")).to_contain_text("401: send a valid key")
        page.fill("#key", "k")
        run(page)
        playwright.expect(page.locator("#said")).to_have_text("ok · sketch")


def test_a_theme_that_was_chosen_is_kept_on_every_page(server, page):
    page.emulate_media(color_scheme="light")
    playground(server, page)
    scheme = "() => getComputedStyle(document.documentElement).colorScheme"
    assert page.evaluate(scheme) == "light dark"
    page.get_by_label("Theme").select_option("dark")
    page.goto(f"{server.url}/")
    assert page.evaluate(scheme) == "dark"


def test_no_page_is_wider_than_a_phone(server, page):
    page.set_viewport_size({"width": 390, "height": 800})
    playground(server, page, DIFF)
    run(page)
    too_wide = "() => document.documentElement.scrollWidth - innerWidth"
    assert page.evaluate(too_wide) <= 0
    for path in ("/", "/docs"):
        page.goto(server.url + path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate(too_wide) <= 0


def test_the_keys_are_shown_at_a_question_mark(server, page):
    playground(server, page)
    page.keyboard.press("?")
    assert "Accept the hunk" in page.get_by_role("dialog", name="Keyboard").inner_text()


def test_the_status_page_draws_what_the_server_did(copier, page):
    with serving(copier) as fresh:
        page.goto(f"{fresh.url}/")
        playwright.expect(page.locator("#charts")).to_contain_text("The model was not asked")
        fresh.http.post("/v1/edits", json={"content": "a = 1\n", "update": "a = 2", "policy": "model"})
        fresh.http.post("/v1/edits", json={"content": SOURCE, "update": "zzz = 1"})
        playwright.expect(page.locator("#recent tr")).to_have_count(2)
        assert "ready" in page.locator("#tiles").inner_text()
        assert {"refused"} <= set(page.locator("#charts figure:first-child li").all_inner_texts())
        assert "accepted" in page.get_by_role("img", name="Drafted tokens").get_attribute("aria-label")
        picture(page, "status")


def test_the_page_of_the_api_shows_every_path(server, page):
    page.goto(f"{server.url}/docs")
    page.wait_for_selector("section h2")
    paths = server.http.get("/openapi.json").json()["paths"]
    wanted = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert set(page.locator("section h2").all_inner_texts()) == wanted
    edits = page.locator("section", has_text="POST /v1/edits").first
    assert edits.locator("td", has_text="base_sha256").count()
    assert edits.locator("pre", has_text="import json").count()
    picture(page, "api")
