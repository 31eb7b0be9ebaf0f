"""Chromium."""

import shutil

import pytest


@pytest.fixture(scope="module")
def chromium():
    """A running Chromium."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright, which starts Chromium, is not installed"
    )
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("Chromium is not installed")
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=options)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """A function that opens an address; at the end, no page may have reported a problem."""
    contexts, problems = [], []

    def note_if_remote(request):
        if not request.url.startswith(("file:", "data:")):
            problems.append(request.url)

    def show(address, width=1400, **options):
        context = chromium.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", note_if_remote)
        page.goto(address)
        return page

    yield show
    for context in contexts:
        context.close()
    assert problems == []
