"""The page "Try it" in Chromium: its numbers are those of the kernel and of ir-measures.

The tests open a small page that loads the three files of the site from disk.
"""

import random
import re
import shutil
from pathlib import Path

import ir_measures
import pytest
from ir_measures import Rprec, nDCG

from pres_plugin import average_precision, pres, pres_est, recall

pytestmark = [pytest.mark.release, pytest.mark.xdist_group("chromium")]

FILES = Path(__file__).parents[2] / "docs" / "site" / "try"
PAGE = """<!DOCTYPE html>
<meta charset="utf-8">
<link rel="stylesheet" href="try.css">
<div class="pres-try" id="try" data-ranks="50,51,53,54" data-n="4" data-nmax="100"></div>
<script src="pres.js"></script>
<script src="widget.js"></script>
"""


@pytest.fixture
def opened(open_page, tmp_path):
    """A function that opens the page, with a link's hash if there is one."""
    for file in FILES.iterdir():
        shutil.copy(file, tmp_path)
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    return lambda link="", **options: open_page((tmp_path / "page.html").as_uri() + link, **options)


def random_rankings(count):
    """Return n, Nmax and ranks of random rankings."""
    rng = random.Random(2010)
    for i in range(count):
        n = rng.randint(1, 50)
        # One in three has more relevant documents than are checked.
        n_max = rng.randint(1, n) if i % 3 == 0 else rng.randint(1, 1000)
        yield n, n_max, sorted(rng.sample(range(1, 1001), rng.randint(0, n)))


def expected(n, n_max, ranks):
    """Return what the kernel and ir-measures compute, by the names of the page's functions."""
    qrels = {"topic": {f"relevant-{i}": 1 for i in range(n)}}
    order = {rank: f"relevant-{i}" for i, rank in enumerate(ranks)}
    last = max([n_max, n, *ranks])
    run = {"topic": {order.get(r, f"other-{r}"): float(last - r) for r in range(1, last + 1)}}
    others = ir_measures.calc_aggregate([Rprec, nDCG @ n_max], qrels, run)
    return {
        "pres": pres(ranks, n, n_max),
        "presEst": pres_est(ranks, n, n_max),
        "ap": average_precision(ranks, n, n_max),
        "recall": recall(ranks, n, n_max),
        "ndcg": others[nDCG @ n_max],
        "rPrecision": others[Rprec],
    }


def test_numbers_are_the_kernels_on_random_rankings(opened):
    rankings = list(random_rankings(500))
    score_all = "rankings => rankings.map(([n, nMax, ranks]) => pres.score(ranks, n, nMax))"
    for ranking, scores in zip(rankings, opened().evaluate(score_all, rankings), strict=True):
        wanted = expected(*ranking)
        assert {name: scores[name] for name in wanted} == pytest.approx(wanted, abs=1e-12)


def check_shown(page, n, n_max, ranks):
    """Check that the page shows the kernel's values, rounded to four decimals."""
    for name, score in expected(n, n_max, ranks).items():
        text = page.locator(f"#try [data-measure={name}]").text_content()
        assert re.fullmatch(r"[01]\.\d{4}", text)
        assert float(text) == pytest.approx(score, abs=0.5e-4 + 1e-12)


def markers(page):
    return page.locator("#try [role=slider]")


def check_ranks(page, *ranks):
    """Check what each marker tells a screen reader."""
    told = [marker.get_attribute("aria-valuetext") for marker in markers(page).all()]
    assert told == [f"rank {rank}" if rank else "missed" for rank in ranks]


@pytest.mark.parametrize(
    ("keys", "ranks"),
    [
        ("ArrowLeft", (49, 51, 53, 54)),
        # An occupied rank is skipped.
        ("ArrowRight", (51, 52, 53, 54)),
        ("PageUp", (51, 53, 54, 60)),
        ("Home", (1, 51, 53, 54)),
        ("End", (51, 53, 54, None)),
    ],
)
def test_keys_move_a_document(opened, keys, ranks):
    page = opened()
    markers(page).first.focus()
    page.keyboard.press(keys)
    check_ranks(page, *ranks)
    check_shown(page, 4, 100, [rank for rank in ranks if rank])


def test_numbers_and_ranks_can_be_typed_and_a_link_restores_them(opened):
    page = opened()
    page.get_by_role("spinbutton", name="Nmax").fill("52")
    page.get_by_role("spinbutton", name="(n)").fill("6")
    check_shown(page, 6, 52, [50, 51, 53, 54])
    field = page.get_by_label("Ranks of the relevant documents")
    field.fill("7 3,  9")
    field.press("Enter")
    check_shown(page, 6, 52, [3, 7, 9])
    page.get_by_role("button", name="Copy link").click()
    other = opened(re.search("#.*", page.url)[0])
    check_ranks(other, 3, 7, 9, None, None, None)
    check_shown(other, 6, 52, [3, 7, 9])


def test_an_invalid_link_is_explained_and_the_default_is_shown(opened):
    page = opened("#try&n=<img>&nmax=1&ranks=")
    message = "n must be a whole number from 1 to 50, not “<img>”."
    shown = page.locator("#try [role=status]").text_content()
    assert shown == f"The link cannot be used. {message} The default is shown."
    check_shown(page, 4, 100, [50, 51, 53, 54])
