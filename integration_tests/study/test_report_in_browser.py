"""The pages that studies write, opened in Chromium at the width of a phone and of a desk."""

import json
import re
import shutil
import subprocess
from html import unescape

import pytest
from command import EXAMPLES, pres_eval

INPUT = ["qrels.txt", *(f"system-{i}.run" for i in range(1, 5))]

STUDIES = {
    "explain": [*INPUT, "--query", "PAT-1", "--n-max", "100"],
    "compare": [*INPUT, "-m", "PRES@100 AP@100 R@100"],
    "sweep": [*INPUT, "-m", "PRES AP R", "--n-max", "10:100:10"],
    "robustness": [*INPUT, "-m", "PRES@100 AP@100 R@100", "--processes", "1"],
}

# Shows a page in a frame of some width, and says what became of it.
FRAME = """<!DOCTYPE html><meta charset="utf-8"><pre></pre>
<iframe src="report.html" style="width: {width}px; height: 800px; border: 0"></iframe>
<script>
onload = () => {{
  const page = document.querySelector("iframe").contentDocument;
  document.querySelector("pre").textContent = JSON.stringify({{
    width: page.documentElement.scrollWidth,
    pictures: [...page.images].map((image) => [image.complete, image.naturalWidth, image.width]),
    title: page.title,
  }});
}};
</script>
"""


@pytest.fixture(scope="module")
def chromium():
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("Chromium is not installed")
    return found


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("study", STUDIES)
def test_a_page_fits_its_window_and_shows_its_pictures(chromium, tmp_path, study, width):
    result = pres_eval(study, *STUDIES[study], "--out", tmp_path, cwd=EXAMPLES)
    assert result.returncode == 0, result.stderr
    (tmp_path / "frame.html").write_text(FRAME.format(width=width))
    result = subprocess.run(
        [
            chromium,
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            *("--enable-logging=stderr", "--allow-file-access-from-files"),
            f"--user-data-dir={tmp_path / 'profile'}",
            "--dump-dom",
            (tmp_path / "frame.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "CONSOLE" not in result.stderr
    shown = json.loads(unescape(re.search(r"<pre>(.*?)</pre>", result.stdout)[1]))
    assert shown["width"] <= width
    assert shown["title"]
    assert shown["pictures"]
    for complete, natural, displayed in shown["pictures"]:
        assert complete
        assert natural > 0
        assert displayed <= width
