"""The site as .ci/run has built it, opened in Chromium at the width of a phone and of a desk."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import pytest

SITE = Path(__file__).parent.parent.parent / "build" / "site"
PAGES = sorted(p.relative_to(SITE).as_posix() for p in SITE.rglob("*.html") if p.name != "404.html")

# Shows one page after the other in a frame of some width, and says what became of them.
FRAME = """<!DOCTYPE html><meta charset="utf-8"><pre></pre>
<iframe style="width: {width}px; height: 800px; border: 0"></iframe>
<script>
const frame = document.querySelector("iframe");
const seen = {{}};
async function look(pages) {{
  for (const page of pages) {{
    await new Promise((loaded) => {{ frame.onload = loaded; frame.src = page; }});
    const content = frame.contentDocument;
    seen[page] = {{
      width: content.documentElement.scrollWidth,
      pictures: [...content.images].map((image) => [image.alt, image.naturalWidth]),
    }};
  }}
  document.querySelector("pre").textContent = JSON.stringify(seen);
}}
look({pages});
</script>
"""


@pytest.fixture(scope="module", params=[360, 1280])
def seen(request, tmp_path_factory):
    """The width of the window, and what became of each page in it."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(SITE, folder / "site")
    frame = folder / "site" / "frame.html"
    frame.write_text(FRAME.format(width=request.param, pages=json.dumps(PAGES)))
    result = subprocess.run(
        [
            chromium,
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            *("--allow-file-access-from-files", "--virtual-time-budget=120000"),
            f"--user-data-dir={folder / 'profile'}",
            "--dump-dom",
            frame.as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    pages = json.loads(unescape(re.search(r"<pre>(.*?)</pre>", result.stdout)[1]))
    assert list(pages) == PAGES
    return request.param, pages


pytestmark = pytest.mark.skipif(not PAGES, reason="the site has not been built")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_fits_its_window(seen, page):
    width, pages = seen
    assert pages[page]["width"] <= width


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_its_pictures_and_says_what_is_in_them(seen, page):
    for alt, width in seen[1][page]["pictures"]:
        assert alt
        assert width > 0


@pytest.mark.parametrize("page", PAGES)
def test_a_page_loads_nothing_from_elsewhere(page):
    text = (SITE / page).read_text(encoding="utf-8")
    tags = re.findall(r"<(?:script|link|img|iframe|source|video|audio)\b[^>]*>", text)
    assert tags
    loading = [tag for tag in tags if re.search(r"""(?:src|href)=["']?(?:https?:)?//""", tag)]
    assert loading == []


def test_styles_load_nothing_from_elsewhere():
    styles = list(SITE.rglob("*.css"))
    assert styles
    for style in styles:
        text = style.read_text(encoding="utf-8")
        assert not re.search(r"""(?:url\(|@import )["']?(?:https?:)?//""", text), style.name
